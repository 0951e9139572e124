"""The table as a seat's events tell it: what the seat has seen lie where, and what it has not."""

from __future__ import annotations

from typing import Final

from games.hidden_leaders.recount.parts import OPEN_ZONES, BadEvents
from games.hidden_leaders.rules.bytecode import PROGRAM, START
from games.hidden_leaders.rules.cards import EMPEROR, HEROES
from games.hidden_leaders.rules.constants import (
    ALL_FACTIONS,
    UNKNOWN_INDEX,
    Event,
    Limit,
    Move,
    Track,
    Zone,
)
from games.hidden_leaders.rules.opcodes import Op, Row
from games.hidden_leaders.rules.table import FRAME, MOST_FRAMES, ROOM
from games.state import UNSEEN
from games.view import EventTuple

_LENGTHS: Final = {
    Event.LEADER: 3,
    Event.FIRST: 2,
    Event.MOVED: 6,
    Event.SEEN: 4,
    Event.MARKERS: 3,
    Event.RESHUFFLED: 1,
    Event.NONE_HELD: 3,
    Event.CHOSE: 3,
    Event.OVER: 3,
}


_MOST: Final = 100_000
"""No number of an event is as large."""
_STEPS: Final = range(0, int(START[0]), Row.SIZE)
"""The steps of setup and of a turn, in the program of the rules."""


def _rows_of(card: int) -> range:
    """The steps of a hero; none if there is no such hero."""
    if not 0 <= card < len(HEROES):
        return range(0)
    end = int(START[card])
    while PROGRAM[end] != Op.END:
        end += Row.SIZE
    return range(int(START[card]), end + 1, Row.SIZE)


class Layout:
    """What one seat has seen of the table."""

    def __init__(
        self, seat: int, players: int, deck: tuple[int, ...], events: list[EventTuple]
    ) -> None:
        self.seat = seat
        self.players = players
        self.leaders = [UNSEEN] * players
        self.led: set[int] = set()
        """Seats that got a leader."""
        self.red = self.green = int(Track.START)
        self.first = self.turn_player = 0
        self.pending: EventTuple = ()
        """The decision that the seat must make, and the moves that it was offered."""
        self.offers: tuple[int, ...] = ()
        heroes = [card for card in deck if card != EMPEROR]
        self.piles: list[list[int]] = [[] for _ in range(Zone.COUNT)]
        self.piles[Zone.TAVERN] = [UNSEEN] * Limit.TAVERN
        self.piles[Zone.HARBOR] = [UNSEEN] * len(heroes)
        self.piles[Zone.GRAVEYARD] = [EMPEROR] * (len(deck) - len(heroes))
        for number, event in enumerate(events):
            if not self._well_formed(event):
                raise BadEvents(f"event {number} is not an event of this game: {list(event)}")
            try:
                self._take(event)
            except (IndexError, ValueError):
                raise BadEvents(f"event {number} does not fit what came before it") from None

    def _well_formed(self, event: EventTuple) -> bool:
        kind = event[0] if event else -1
        if not all(-_MOST < number < _MOST for number in event):
            return False
        if kind == Event.PENDING:
            return self._is_decision(event)
        if kind == Event.LEGAL_MOVES:
            return len(event) > 1
        if _LENGTHS.get(kind) != len(event):
            return False
        if kind in (Event.LEADER, Event.FIRST) and not 0 <= event[1] < self.players:
            return False
        if kind == Event.LEADER:
            return UNSEEN <= event[2] < Limit.LEADERS
        if kind == Event.MARKERS:
            return all(Track.FIRST <= space <= Track.LAST for space in event[1:])
        if kind in (Event.MOVED, Event.SEEN):
            zones = (event[1], event[3]) if kind == Event.MOVED else (event[1],)
            return all(0 <= zone < Zone.COUNT for zone in zones) and (
                all(index >= UNKNOWN_INDEX for index in event[1:])
                and UNSEEN <= event[-1] < len(HEROES)
            )
        return True

    def _is_decision(self, event: EventTuple) -> bool:
        frames = event[4:]
        if not 0 < len(frames) <= FRAME * MOST_FRAMES or len(frames) % FRAME:
            return False
        good = all(0 <= seat < self.players for seat in event[1:3]) and event[3] >= 0
        for at in range(0, len(frames), FRAME):
            row, card, head, who, pick, count, faction, dealt = frames[at : at + FRAME]
            good = good and row in (_rows_of(card) if at else _STEPS)
            good = good and ((card, head) == (-1, 1) if at == 0 else head in (0, 1))
            good = good and -1 <= who < self.players and -1 <= pick < Move.COUNT
            good = good and 0 <= count < Move.COUNT and 0 <= faction <= ALL_FACTIONS
            good = good and 0 <= dealt <= Limit.DEALT
        return good

    def _take(self, event: EventTuple) -> None:
        kind = event[0]
        if kind == Event.MOVED:
            self._moved(*event[1:])
        elif kind == Event.SEEN and event[3] != UNSEEN:
            self._seen(event[1], event[2], event[3])
        elif kind == Event.RESHUFFLED:
            if self.piles[Zone.HARBOR]:
                raise ValueError
            self.piles[Zone.HARBOR] = [UNSEEN] * len(self.piles[Zone.WILDERNESS])
            self.piles[Zone.WILDERNESS] = []
        elif kind == Event.LEADER:
            self.led.add(event[1])
            if event[2] != UNSEEN:
                self.leaders[event[1]] = event[2]
        elif kind == Event.FIRST:
            self.first = self.turn_player = event[1]
        elif kind == Event.MARKERS:
            self.red, self.green = event[1:]
        elif kind == Event.PENDING:
            self.pending, self.offers, self.turn_player = event, (), event[2]
        elif kind == Event.LEGAL_MOVES:
            self.offers = event[1:]
        elif kind in (Event.CHOSE, Event.OVER):
            self.pending = ()

    def _private(self, zone: int) -> bool:
        """Whether the seat cannot tell the cards of this zone apart."""
        if zone == Zone.DRAWN:
            return self.turn_player != self.seat
        return zone == Zone.HARBOR or (
            Zone.HAND <= zone < Zone.OPEN and zone != Zone.HAND + self.seat
        )

    def _moved(self, source: int, i: int, target: int, j: int, card: int) -> None:
        pile = self.piles[source]
        if self._private(source):
            pile.pop()
        elif source == Zone.GRAVEYARD and i == UNKNOWN_INDEX:
            self.piles[source] = [UNSEEN] * (len(pile) - 2) + [pile[-1]]
        elif source == Zone.TAVERN:
            self._seen(source, i, card)
            pile[i] = UNSEEN
        else:
            at = pile.index(card) if i == UNKNOWN_INDEX else i
            if card != UNSEEN:
                self._seen(source, at, card)
            card = pile.pop(at)
        self._laid(target, j, UNSEEN if self._private(target) else card)

    def _laid(self, target: int, j: int, card: int) -> None:
        pile = self.piles[target]
        if target in (Zone.TAVERN, *OPEN_ZONES) and card == UNSEEN:
            raise ValueError
        if target == Zone.TAVERN:
            if pile[j] != UNSEEN:
                raise ValueError
            pile[j] = card
        elif j == UNKNOWN_INDEX:
            pile.append(card)
        elif j > len(pile):
            raise ValueError
        else:
            pile.insert(j, card)
        if len(pile) > ROOM[target]:
            raise ValueError

    def _seen(self, zone: int, index: int, card: int) -> None:
        if self.piles[zone][index] not in (UNSEEN, card):
            raise ValueError
        self.piles[zone][index] = card
