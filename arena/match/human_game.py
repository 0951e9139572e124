"""A game between a person and bots, with undo that cannot be used to peek.

A choice can be undone as long as the person learned nothing from it that they could not foresee.
Each of their moves is first tried on the game as their seat imagines it. If the real game shows
them anything else, another player or chance has decided, or a hidden card was revealed, and undo
would be peeking. Bots receive events only when one of them must decide, so they never learn of
choices that were undone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from arena.match.narrator import Narrator
from arena.match.referee import BotFactory, LiveGame
from arena.seeds import derive_seed
from games.errors import GameError
from games.registry import Game
from games.replay import Replay
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View

PERSON = "you"
"""What the person is called next to the bots' names."""

_NEVER = -1


class NoUndo(GameError):
    """A choice that cannot be undone; the message says why."""


@dataclass
class NarratedMove:
    """One move as the person saw it."""

    who: str
    text: str
    news: list[str] = field(default_factory=list)
    """What else it revealed or caused."""


@dataclass(frozen=True)
class Checkpoint:
    """A decision of the person's that undo can return to."""

    moves: int
    history: int


class HumanGame:
    """One game between a person and bots."""

    def __init__(
        self,
        rules: Game,
        seat: int,
        factories: Mapping[int, BotFactory],
        seed: int,
        asking: Callable[[str], object],
    ) -> None:
        self.rules = rules
        self._asking = asking
        """Called with the name of the bot that is asked next, which may take a while."""
        self.seat = seat
        self.players = len(factories) + 1
        self.seed = seed
        bots = {other: bot_factory.name for other, bot_factory in factories.items()}
        self.names = [bots.get(other, PERSON) for other in range(self.players)]
        self.narrator = Narrator(rules, self.names, seat)
        self.moves: list[int] = []
        self.history: list[NarratedMove] = []
        """Everything the person has seen, move by move."""
        self._checkpoints: list[Checkpoint] = []
        self._no_undo = "you have not chosen anything yet"
        """Why the last choice cannot be undone, if there is no checkpoint."""
        self._informed = _NEVER
        """How many moves had been played when the bots last received events."""
        self._luck = Rng(derive_seed(seed, "deal"))
        self._live = LiveGame(rules, factories, self.players)
        self.state = self._live.state
        self.view = self._new_view()
        try:
            self._live.begin(seed)
        except BaseException:
            self.close()
            raise

    def _new_view(self) -> View:
        return self.rules.view(self.seat, self.players)

    @property
    def over(self) -> bool:
        return self.state.actor == NOBODY

    def replay(self) -> Replay:
        """The moves so far."""
        extra = {"seed": self.seed, "seats": self.names}
        return Replay(self.rules.name, self.players, tuple(self.moves), {}, extra)

    # ---- playing --------------------------------------------------------------------------

    def advance(self) -> None:
        """Play until the person has something to choose, or the game is over."""
        while not self.over:
            actor = self.state.actor
            if actor == CHANCE:
                self._roll()
            elif actor != self.seat:
                self._ask(actor)
            elif len(self.view.moves) == 1:
                self._play_own(self.view.moves[0], " (the only choice)")
            else:
                return
        self._informed = len(self.moves)
        self._live.end()

    def close(self) -> None:
        """End the bots' processes; the game may be at any point."""
        self._live.close()

    def choose(self, move: int) -> None:
        """Play one of the person's legal moves."""
        self._checkpoints.append(Checkpoint(len(self.moves), len(self.history)))
        self._play_own(move)

    def _roll(self) -> None:
        self._forbid_undo("chance has decided since")
        self.moves.append(self.state.sample_chance(self._luck))
        self._observe(self._events())

    def _ask(self, actor: int) -> None:
        who = self.narrator.who(actor)
        self._forbid_undo(f"{who} has decided since")
        self._informed = len(self.moves)
        self._asking(who)
        move, _ = self._live.ask()
        self._play(move, NarratedMove(who, self.narrator.move_text(self.state, move)))
        self._observe(self._events())

    def _play_own(self, move: int, remark: str = "") -> None:
        foreseen = self._foreseen(move)
        text = self.narrator.move_text(self.state, move) + remark
        self._play(move, NarratedMove(self.narrator.who(self.seat), text))
        events = self._events()
        if events != foreseen:
            self._forbid_undo("it revealed something you did not know")
        self._observe(events)

    def _play(self, move: int, narrated: NarratedMove) -> None:
        self.history.append(narrated)
        self.moves.append(move)
        self.state.play(move)

    def _events(self) -> list[tuple[int, ...]]:
        return self.state.take_events(self.seat)

    def _foreseen(self, move: int) -> list[tuple[int, ...]]:
        """The events that the person can predict for a move."""
        imagined = self.view.imagine()
        imagined.record()
        imagined.play(move)
        return imagined.take_events(self.seat)

    def _observe(self, events: list[tuple[int, ...]]) -> None:
        """Update the person's view, and add news to the last move of the history."""
        for event in events:
            text = self.history[-1].text if self.history else ""
            news = self.rules.help.news(self.view, event, text)
            self.view.observe(event)
            if not news or self.over:  # the final position is shown on its own
                continue
            if not self.history:
                self.history.append(NarratedMove("", "the cards are dealt"))
            self.history[-1].news.append(news)

    # ---- undo -----------------------------------------------------------------------------

    def _forbid_undo(self, why: str) -> None:
        """Make all choices so far final."""
        if self._checkpoints:
            self._checkpoints.clear()
            self._no_undo = why

    @property
    def may_undo(self) -> bool:
        return bool(self._checkpoints)

    def undo(self) -> None:
        """Return to the person's last choice; NoUndo says why that is impossible."""
        if not self.may_undo:
            raise NoUndo(f"your last choice stands: {self._no_undo}")
        checkpoint = self._checkpoints.pop()
        del self.moves[checkpoint.moves :]
        del self.history[checkpoint.history :]
        state = self.rules.new(self.players, record=True)
        self.view = self._new_view()
        for ply, move in enumerate(self.moves):
            if ply == self._informed:
                self._drop_events(state)
            state.play(move)
        if self._informed == len(self.moves):
            self._drop_events(state)
        for event in state.take_events(self.seat):
            self.view.observe(event)
        self.state = self._live.state = state

    def _drop_events(self, state: State) -> None:
        """Discard the events that the bots have received already."""
        for seat in self._live.bots:
            state.take_events(seat)
