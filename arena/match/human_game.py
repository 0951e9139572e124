"""A person and bots at one table: the game goes on until the person must decide, and back again.

A choice may be taken back as long as the person has perceived nothing but what could be foreseen.
The move is tried out on the table as the person's seat imagines it. If what happened is not exactly
what happened there, somebody else or luck has decided, or a hidden card was seen: then to take it
back would be to peek. Bots are told what happened only when one of them must decide, so that they
never hear of what was taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from arena.match.narrator import Narrator
from arena.match.referee import BotFactory, Table
from arena.seeds import derive_seed
from games.errors import GameError
from games.registry import Game
from games.replay import Replay
from games.state import CHANCE, NOBODY, Rng, State
from games.view import View

PERSON = "you"
"""What the person is called beside the names of the bots."""

NOTHING = -1


class NoUndo(GameError):
    """A choice that cannot be taken back; the message says why."""


@dataclass
class Deed:
    """One move as the person perceived it."""

    who: str
    words: str
    news: list[str] = field(default_factory=list)
    """What came of it, as far as the words do not say."""


@dataclass(frozen=True)
class Mark:
    """A decision of the person's to which the game can go back."""

    moves: int
    deeds: int


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
        """Told which bot is asked next: it may take its time."""
        self.seat = seat
        self.players = len(factories) + 1
        self.seed = seed
        names = {**{one: bot_factory.name for one, bot_factory in factories.items()}, seat: PERSON}
        self.names = [names[one] for one in range(self.players)]
        self.teller = Narrator(rules, self.names, seat)
        self.moves: list[int] = []
        self.deeds: list[Deed] = []
        """Everything the person has perceived, move by move."""
        self._marks: list[Mark] = []
        self._firm = "you have not chosen anything yet"
        """Why the last choice cannot be taken back, if there is no mark."""
        self._heard = NOTHING
        """How many moves had been made when the bots were last told what happened."""
        self._luck = Rng(derive_seed(seed, "deal"))
        self._table = Table(rules, factories, self.players)
        self.state = self._table.state
        self.view = self._new_view(seat)
        try:
            self._table.begin(seed)
        except BaseException:
            self.close()
            raise

    def _new_state(self) -> State:
        return self.rules.new(self.players, record=True)

    def _new_view(self, seat: int) -> View:
        return self.rules.view(seat, self.players)

    @property
    def over(self) -> bool:
        return self.state.actor == NOBODY

    def replay(self) -> Replay:
        """The moves so far."""
        extra = {"seed": self.seed, "seats": self.names}
        return Replay(self.rules.name, self.players, tuple(self.moves), {}, extra)

    # ---- playing --------------------------------------------------------------------------

    def advance(self) -> None:
        """Play on until the person has something to choose, or the game is over."""
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
        self._heard = len(self.moves)
        self._table.end()

    def close(self) -> None:
        """Let the processes of bots go, however far the game has come."""
        self._table.close()

    def choose(self, move: int) -> None:
        """Play one of the person's legal moves."""
        self._marks.append(Mark(len(self.moves), len(self.deeds)))
        self._play_own(move)

    def _roll(self) -> None:
        self._settle("luck has decided since")
        self.moves.append(self.state.sample_chance(self._luck))
        self._perceive(self._events())

    def _ask(self, actor: int) -> None:
        who = self.teller.who(actor)
        self._settle(f"{who} has decided since")
        self._heard = len(self.moves)
        self._asking(who)
        move, _ = self._table.ask()
        self._play(move, Deed(who, self.teller.words(self.state, move)))
        self._perceive(self._events())

    def _play_own(self, move: int, remark: str = "") -> None:
        foreseen = self._foreseen(move)
        words = self.teller.words(self.state, move) + remark
        self._play(move, Deed(self.teller.who(self.seat), words))
        events = self._events()
        if events != foreseen:
            self._settle("it has shown you something that you did not know")
        self._perceive(events)

    def _play(self, move: int, deed: Deed) -> None:
        self.deeds.append(deed)
        self.moves.append(move)
        self.state.play(move)

    def _events(self) -> list[tuple[int, ...]]:
        return self.state.take_events(self.seat)

    def _foreseen(self, move: int) -> list[tuple[int, ...]]:
        """What the person can know beforehand about what the move will bring."""
        imagined = self.view.imagine()
        imagined.record()
        imagined.play(move)
        return imagined.take_events(self.seat)

    def _perceive(self, events: list[tuple[int, ...]]) -> None:
        """Take in what happened, and note what there is to tell of it."""
        for event in events:
            told = self.deeds[-1].words if self.deeds else ""
            news = self.rules.help.news(self.view, event, told)
            self.view.observe(event)
            if not news or self.over:  # how the cards lie at the end is shown at the end
                continue
            if not self.deeds:
                self.deeds.append(Deed("", "the cards are dealt"))
            self.deeds[-1].news.append(news)

    # ---- taking back ----------------------------------------------------------------------

    def _settle(self, why: str) -> None:
        """From here on there is no way back."""
        if self._marks:
            self._marks.clear()
            self._firm = why

    @property
    def may_undo(self) -> bool:
        return bool(self._marks)

    def undo(self) -> None:
        """Go back to the person's last choice; NoUndo says why that is not possible."""
        if not self.may_undo:
            raise NoUndo(f"your last choice stands: {self._firm}")
        mark = self._marks.pop()
        del self.moves[mark.moves :]
        del self.deeds[mark.deeds :]
        state = self._new_state()
        self.view = self._new_view(self.seat)
        for ply, move in enumerate(self.moves):
            if ply == self._heard:
                self._skip(state)
            state.play(move)
        if self._heard == len(self.moves):
            self._skip(state)
        for event in state.take_events(self.seat):
            self.view.observe(event)
        self.state = self._table.state = state

    def _skip(self, state: State) -> None:
        """Pass over what the bots have been told already."""
        for seat in self._table.bots:
            state.take_events(seat)
