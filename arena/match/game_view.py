"""A saved game to look at: its moves in words and its tables, as a spectator or one seat saw them.

Moves are the choices of seats, numbered from 1. Chance is not counted: what it brought is told with
the move before it. "After N moves" is therefore the moment at which move N + 1 is to be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from arena.match.narrator import Narrator
from games.errors import GameError
from games.registry import game
from games.replay import Note, Replay
from games.state import CHANCE, EVERYBODY, NOBODY, PackedState, State
from games.view import EventTuple, View

SPECTATOR: Final = NOBODY
"""The seat of somebody who watches and is told only what everybody is told."""


@dataclass
class ShownMove:
    """One move as the reader may see it."""

    number: int
    turn: str
    """The turn it belongs to."""
    table: str
    """What lay open to everybody before it."""
    who: str
    text: str
    reason: str
    """Why its player says it chose the move; empty if it is not the reader's to know."""
    news: list[str] = field(default_factory=list)
    """What the move, and chance after it, brought to light."""

    @property
    def line(self) -> str:
        news = f" ({'; '.join(self.news)})" if self.news else ""
        reason = f"   [{self.reason}]" if self.reason else ""
        return f"{self.who}: {self.text}{news}{reason}"


class GameView:
    """A saved game for a reader who sees everything, for one seat, or for a SPECTATOR."""

    def __init__(self, replay: Replay, seat: int | None = None) -> None:
        self.replay = replay
        self.rules = game(replay.game)
        self.seat = seat
        self.narrator = Narrator(self.rules, seat_names(replay), seat)
        self.moves: list[ShownMove] = []
        self._plies: list[int] = []
        """For each number of moves, how many moves and chance outcomes have been played then."""
        self._walk()

    # ---- the story ------------------------------------------------------------------------

    def _walk(self) -> None:
        """Walk through the game and note every move."""
        state = self.replay.new(record=True)
        reader = _Reader(self.replay, self.seat)
        reader.read(state)
        for ply, move in enumerate(self.replay.moves):
            if state.actor != CHANCE:
                self._plies.append(ply)
                self.moves.append(self._shown(state, move, ply))
            state.play(move)
            before = self.moves[-1].text if self.moves else ""
            news = reader.read(state, before)
            if self.moves and state.actor != NOBODY:  # the last table is shown on its own
                self.moves[-1].news += news
        self._plies.append(len(self.replay.moves))

    def _shown(self, state: State, move: int, ply: int) -> ShownMove:
        turn, table = self.rules.text.heading(state)
        narrator = self.narrator
        own = self.seat in (None, state.actor)
        reason = self.replay.notes.get(ply, Note()).reason if own else ""
        who, text = narrator.who(state.actor), narrator.move_text(state, move)
        return ShownMove(len(self.moves) + 1, turn, table, who, text, reason)

    def story(self) -> Iterator[str]:
        """Every move with its number, under the heading of its turn."""
        turn = ""
        for move in self.moves:
            if move.turn != turn:
                turn = move.turn
                yield f"\n{turn}{': ' if move.table else ''}{move.table}"
            yield f"{move.number:5}  {move.line}"

    # ---- the head and the end -------------------------------------------------------------

    def header(self, where: str = "", fault: str = "") -> list[str]:
        """What game it is, who plays, how it ended and why; `fault` says how a bot ended it."""
        replay, rules = self.replay, self.rules
        seed = replay.extra.get("seed") if self.seat is None else None  # it would reveal everything
        facts = [rules.title, f"{replay.players} players"]
        facts += [f"{name} {_words(value)}" for name, value in replay.options.items()]
        facts += [f"seed {seed}"] if seed is not None else []
        facts += [where] if where else []
        lines = [", ".join(facts)]
        if replay.position:
            lines.append("It began from a position.")
        for seat, role in enumerate(self.roles()):
            lines.append(f"{self.narrator.who(seat)}{f': {role}' if role else ''}")
        return [*lines, *self.result(fault)]

    def roles(self) -> list[str]:
        """The role of each seat when the game began; empty where the reader does not know it."""
        if self.seat is None:
            return list(self.rules.roles(self.state(0)))
        known = self.rules.picture.table(self.rules, self.view(0, self.seat).known_table())
        return [seat["role"] for seat in known["seats"]]

    def result(self, fault: str = "") -> list[str]:
        """Who has won, and why the game ended."""
        end = self.replay.state()
        if fault:
            return [fault]
        if end.actor != NOBODY:
            return [f"The game was broken off after {len(self.moves)} moves."]
        flag = " (turn_limit)" if self.rules.hit_turn_limit(end) else ""
        verdict = self.narrator.verdict(end.winners(), len(self.moves))
        return [*self.rules.help.outcome(end).splitlines(), verdict + flag]

    # ---- one moment -----------------------------------------------------------------------

    @property
    def length(self) -> int:
        """How many moves the game has."""
        return len(self.moves)

    def check(self, moves: int) -> None:
        """GameError if the game has not that many moves."""
        if not 0 <= moves <= self.length:
            raise GameError(f"the game has {self.length} moves; there is no table after {moves}")

    def ply(self, moves: int) -> int:
        """How many moves and chance outcomes have been played after that many moves."""
        self.check(moves)
        return self._plies[moves]

    def state(self, moves: int) -> State:
        """The whole truth after that many moves."""
        return self.replay.state(self.ply(moves))

    def view(self, moves: int, seat: int) -> View:
        """What a seat knew after that many moves."""
        view = self.replay.view(seat)
        for event in self.perceived(moves, seat):
            view.observe(event)
        return view

    def perceived(self, moves: int, seat: int) -> list[EventTuple]:
        """What the seat had perceived after that many moves."""
        state = self.replay.new(record=True)
        for move in self.replay.moves[: self.ply(moves)]:
            state.play(move)
        return state.take_events(seat)

    def table(self, moves: int) -> str:
        """The table after that many moves, as far as the reader knows it."""
        state = self.state(moves)
        if self.seat is None or state.actor == NOBODY:
            return self.rules.text.draw(state, None)
        return self.rules.text.draw(self.view(moves, self.seat).known_table(), None)

    def moment(self, moves: int) -> str:
        """When that is: after which move, and who decides now."""
        after = f"After {moves} of {self.length} moves"
        actor = self.state(moves).actor
        if actor < 0:
            return f"{after}, the end." if actor == NOBODY else f"{after}, chance decides."
        return f"{after}, {self.narrator.who(actor)} chooses move {moves + 1}."

    def position(self, moves: int) -> str:
        """The position after that many moves, as far as the reader knows it, as text."""
        positions = self.rules.positions
        if positions is None:
            raise GameError(f"positions of {self.rules.title} cannot be written down")
        if self.seat is None:
            return positions.write(self.state(moves))
        return positions.write_view(self.view(moves, self.seat))


class _Reader:
    """Puts what the reader perceives into words, event by event."""

    def __init__(self, replay: Replay, seat: int | None) -> None:
        self.rules = game(replay.game)
        self.seat = seat
        if seat in (None, SPECTATOR):  # a seat at no table
            self.view = self.rules.view(NOBODY, replay.players, **replay.options)
        else:
            self.view = replay.view(seat)
        self.read_so_far = 0

    def read(self, state: State, before: str = "") -> list[str]:
        """The news of all events since the last call, after a move with that text."""
        news = []
        for event in self._events(state):
            news.append(self.rules.help.news(self.view, event, before))
            self.view.observe(event)
        return [text for text in news if text]

    def _events(self, state: State) -> list[EventTuple]:
        if self.seat not in (None, SPECTATOR):
            return state.take_events(self.seat)
        if not isinstance(state, PackedState):
            return []
        first, self.read_so_far = self.read_so_far, len(state.events)
        if self.seat == SPECTATOR:
            return public_events(state, first)
        return [full for _, full, _ in state.events[first:]]


def public_events(state: PackedState, first: int = 0) -> list[EventTuple]:
    """What everybody was told, from the recorded event with that number on."""
    parts = [
        full if audience == EVERYBODY else rest for audience, full, rest in state.events[first:]
    ]
    return [event for event in parts if event]


def seat_names(replay: Replay) -> list[str]:
    """What the replay calls the players; seats without a name are called `?`."""
    names = replay.extra.get("seats")
    listed = [str(name) for name in names] if isinstance(names, list) else []
    return [*listed, *["?"] * replay.players][: replay.players]


def _words(value: object) -> str:
    """An option's value, with a long list cut."""
    return f"of {len(value)}" if isinstance(value, list) else str(value)
