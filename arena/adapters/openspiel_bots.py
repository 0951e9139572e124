"""OpenSpiel's bots in our leagues, and ours in OpenSpiel.

    arena match arena.adapters.openspiel_bots:SpielIsmcts random

plays OpenSpiel's ISMCTS. For another of its bots, subclass `SpielBot` and write `make`.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from arena.adapters.extras import MissingExtra

try:
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
except ModuleNotFoundError as error:
    raise MissingExtra("an OpenSpiel bot", "openspiel", error.name) from None

from arena.adapters.event_text import add_events, parse_events
from arena.adapters.openspiel import NO_RECALL, SpielGame, SpielState, load, state_of
from bots import Bot, Budget, Option, load_bot
from games.errors import GameError
from games.registry import game_of
from games.view import View

__all__ = ["ArenaBot", "SpielBot", "SpielIsmcts"]


class SpielBot(Bot):
    """A bot of ours that asks a bot of OpenSpiel; it sees a state sampled from the View."""

    def start(self, view: View) -> None:
        self._game = load(game_of(view).name, view.players, recall=NO_RECALL)
        self._asked = self.make(self._game, self.seat)
        self._text = ""

    @abstractmethod
    def make(self, game: SpielGame, player: int) -> Any:
        """The OpenSpiel bot; take chance from `self.rng`, so that a seed reproduces the game."""

    def observe(self, event: tuple[int, ...]) -> None:
        self._text = add_events(self._text, [event])

    def choose(self, view: View) -> int:
        self._game.adopt(view, self._text)
        world = view.sample(self.rng)
        return int(self._asked.step(state_of(self._game, world, view, self._text, b"")))


class SpielIsmcts(SpielBot):
    """OpenSpiel's information-set Monte Carlo tree search."""

    simulations = Option(50, "simulations for each decision", least=2)
    exploration = Option(2.0, "exploration constant of UCT", least=0.0)

    def make(self, game: SpielGame, player: int) -> Any:  # noqa: ARG002
        # numpy's old generator, because OpenSpiel takes no other.
        dice = np.random.RandomState(self.rng.below(2**31))
        bot = ISMCTSBot(
            game,
            RandomRolloutEvaluator(1, dice),
            self.exploration,
            self.simulations,
            random_state=dice,
            # A world drawn anew may allow other moves to the others than the one before.
            allow_inconsistent_action_sets=True,
        )
        # Its own sampler has no seed.
        bot.set_resampler(self._resample)
        return bot

    def _resample(self, state: SpielState, player: int) -> SpielState:
        return state.resample_from_infostate(player, lambda: self.rng.below(2**31) / 2**31)


class ArenaBot(pyspiel.Bot):
    """One of our bots as a bot of OpenSpiel, for one player of a game of ours."""

    def __init__(
        self,
        game: SpielGame,
        player: int,
        name: str | type[Bot],
        seed: int = 0,
        iterations: int = 0,
    ) -> None:
        super().__init__()
        if not isinstance(game, SpielGame):
            raise GameError(
                f"{game} is no game of ours; make it with arena.adapters.openspiel.load"
            )
        if type(player) is not int or player not in range(game.players):
            raise GameError(f"player must be a seat from 0 to {game.players - 1}, not {player!r}")
        self._game = game
        self._player = player
        self._factory = load_bot(name)
        self._seed = seed
        self._budget = Budget(iterations=iterations)
        self.restart()

    def restart(self) -> None:
        """Forget the last game."""
        self._text = ""
        self._view = self._game.rules.view(self._player, self._game.players, **self._game.options)
        self._bot = self._factory.make(self._player, self._seed, self._budget)
        self._bot.start(self._view)

    def restart_at(self, state: SpielState) -> None:
        self.restart()
        self._hear(state)

    def player_id(self) -> int:
        return self._player

    def provides_policy(self) -> bool:
        return False

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """The next state tells all."""

    def _hear(self, state: SpielState) -> None:
        text = state.seen[self._player]
        if not text.startswith(self._text):
            self.restart()
        for event in parse_events(text[len(self._text) :]):
            self._view.observe(event)
            self._bot.observe(event)
        self._text = text

    def step(self, state: SpielState) -> int:
        self._hear(state)
        return self._bot.choose(self._view)
