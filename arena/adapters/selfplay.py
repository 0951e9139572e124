"""Many games at once for learners: numpy arrays that compiled code fills.

    games = SelfPlay("hidden-leaders", players=4, games=1024, seed=1)
    while learning:
        games.step(policy(games.observations, games.masks))

Observations and actions are those of the PettingZoo environment (docs/learning.md).
"""

from __future__ import annotations

from arena.adapters.extras import MissingExtra

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as error:
    raise MissingExtra("self-play in batches", "training", error.name) from None

from arena.adapters.learner_table import MOST_DECISIONS, check_observable, players_of
from arena.adapters.shared_memory import shared_array
from arena.seeds import derive_seed
from games.batch import CUT, GameBatch
from games.errors import GameError
from games.registry import game

__all__ = ["SelfPlay"]


class SelfPlay:
    """Games of all seats played side by side; one that ends is replaced by a new one at once.

    The arrays are always the same objects, filled anew by every `step`. The same seed and the same
    actions give the same games.
    """

    def __init__(
        self,
        name: str = "hidden-leaders",
        players: int | None = None,
        games: int = 256,
        seed: int = 0,
        max_decisions: int = MOST_DECISIONS,
        **options: object,
    ) -> None:
        self.rules = game(name)
        check_observable(self.rules, "table")
        assert self.rules.observation is not None
        for what, number in (("games", games), ("max_decisions", max_decisions)):
            if not isinstance(number, int) or isinstance(number, bool) or number < 1:
                raise GameError(f"{what} must be a whole number from 1, not {number!r}")
        self.players = players_of(self.rules, players)
        start = self.rules.new(self.players, **options)
        start.take_notes()
        words = self.rules.observation.words
        self._batch = GameBatch(start, games, derive_seed(seed, "self-play"), words, max_decisions)
        batch = self._batch
        self.games = games
        self.moves = int(start.move_limit)
        shape = (games, -1)
        self.observations: NDArray[np.int8] = shared_array(batch.observations, np.int8).reshape(
            shape
        )
        """What the seat to move sees, one row for each game."""
        self.masks: NDArray[np.bool_] = shared_array(batch.masks, np.bool_).reshape(shape)
        """Which actions are legal for it."""
        self.actors: NDArray[np.int64] = shared_array(batch.actors, np.int64)
        """The seat to move."""
        self.payoffs: NDArray[np.float64] = shared_array(batch.payoffs, np.float64).reshape(shape)
        """Where `ended`: what the game that has just ended was worth to each of its seats."""
        self.decisions: NDArray[np.int64] = shared_array(batch.decisions, np.int64)
        """How many decisions each running game has had."""
        self._actions: NDArray[np.int64] = shared_array(batch.actions, np.int64)
        self._ended: NDArray[np.uint8] = shared_array(batch.ended, np.uint8)

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Where the last step ended a game; its row already shows the next one."""
        over: NDArray[np.bool_] = self._ended != 0
        return over

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Where that game was cut at `max_decisions`; its payoffs are 0."""
        cut: NDArray[np.bool_] = self._ended == CUT
        return cut

    def step(self, actions: NDArray[np.int64]) -> None:
        """Play one action in each game; GameError, and no game changed, if one is illegal."""
        if actions is not self._actions:
            if np.shape(actions) != (self.games,):
                raise GameError(f"step needs {self.games} actions, one for each game")
            if not np.issubdtype(np.asarray(actions).dtype, np.integer):
                raise GameError("actions are whole numbers")
            self._batch.take_actions(np.asarray(actions).astype("<i8").tobytes())
        wrong = self._batch.illegal()
        if wrong >= 0:
            raise GameError(
                f"action {self._actions[wrong]} is not legal in game {wrong}; see masks[{wrong}]"
            )
        self._batch.step()

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, each equally likely; to be given to `step`."""
        self._batch.choose_at_random()
        return self._actions
