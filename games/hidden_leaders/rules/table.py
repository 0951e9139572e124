"""The table: cards in their zones, markers on the track, and the events that seats see."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import FACTION_OF, ints
from games.hidden_leaders.rules.constants import (
    EMPTY,
    MOST_PLAYERS,
    TAVERN_SLOTS,
    UNKNOWN_INDEX,
    Event,
    Limit,
    Move,
    Track,
    Zone,
)
from games.state import EVERYBODY, NOBODY, UNSEEN, PackedState

# Layout of Table.m: one packed vector, so that a copy is one block. The lengths of the zones come
# first, then the zones themselves, each with room for the most it can ever hold. The compiler folds
# numbers and names of one module only; any other sum would be looked up and added in every loop.
_ZONES: Final = 24
_SEATS: Final = 6
LENGTH: Final = 0
LEADERS_AT: Final = LENGTH + _ZONES
FRAMES: Final = LEADERS_AT + _SEATS
FRAME: Final = 8
MOST_FRAMES: Final = 32
PILES: Final = FRAMES + FRAME * MOST_FRAMES
PILE_ROOM: Final = 80
TAVERN_AT: Final = PILES + 3 * PILE_ROOM

_ROOM: Final = [
    *([PILE_ROOM] * 3),
    TAVERN_SLOTS,
    *([8] * (2 + MOST_PLAYERS)),  # cards set aside, cards drawn, hands
    *([16] * MOST_PLAYERS),  # open heroes
    *([Move.STACK_ROOM] * MOST_PLAYERS),
]
ROOM: Final[vec[i64]] = ints(_ROOM)
"""The most cards each zone can ever hold."""
SIZE: Final = PILES + sum(_ROOM)
AT: Final[vec[i64]] = ints([PILES + sum(_ROOM[:zone]) for zone in range(_ZONES)])
"""Where in Table.m each zone begins."""

LAST: Final = -1
"""As an index: on top, or newest."""


def clip(space: i64) -> i64:
    """The space, or the end of the track that it lies beyond."""
    if space < Track.FIRST:
        return Track.FIRST
    if space > Track.LAST:
        return Track.LAST
    return space


def _bare_table() -> vec[i64]:
    m = ints([0] * SIZE)
    for slot in range(TAVERN_AT, TAVERN_AT + TAVERN_SLOTS):
        m[slot] = EMPTY
    return m


BARE_TABLE: Final[vec[i64]] = _bare_table()
"""Table.m without a card."""


class Table(PackedState):
    """Where every card is. Hands and open heroes are sorted: their order does not matter."""

    def __init__(self, players: i64, m: vec[i64], room: i64) -> None:
        super().__init__(players, m, room)
        self.move_limit = Move.COUNT
        self.roles = Limit.LEADERS
        self.red: i64 = Track.START
        self.green: i64 = Track.START
        self.turn_limit: i64 = 0
        self.faction: i64 = 0
        """The winning faction; 0 while the game runs and at the turn limit."""
        self.winner: i64 = NOBODY

    # ---- reading --------------------------------------------------------------------------

    def size(self, zone: i64) -> i64:
        return self.m[LENGTH + zone]

    def cards(self, zone: i64) -> list[int]:
        """The cards of a zone, oldest or bottom first; the tavern with EMPTY for empty slots."""
        at = AT[zone]
        size = self.m[LENGTH + zone]
        if zone == Zone.TAVERN:
            size = TAVERN_SLOTS
        cards: list[int] = []
        for i in range(at, at + size):
            cards.append(self.m[i])
        return cards

    def leader(self, seat: i64) -> i64:
        return self.m[LEADERS_AT + seat]

    def find(self, zone: i64, card: i64) -> i64:
        """Index of the card in the zone, or -1."""
        m = self.m
        at = AT[zone]
        size = m[LENGTH + zone]
        if zone == Zone.TAVERN:
            size = TAVERN_SLOTS
        for i in range(size):
            if m[at + i] == card:
                return i
        return -1

    def owner_of_open(self, card: i64) -> i64:
        for seat in range(self.players):
            if self.find(Zone.OPEN + seat, card) >= 0:
                return seat
        return -1

    def count_open(self, seat: i64, faction: i64) -> i64:
        """Open heroes of any of the given factions; the Emperor is of every faction (R70)."""
        m = self.m
        at = AT[Zone.OPEN + seat]
        count: i64 = 0
        for i in range(at, at + m[LENGTH + Zone.OPEN + seat]):
            if FACTION_OF[m[i]] & faction:
                count += 1
        return count

    # ---- moving cards ---------------------------------------------------------------------

    def lift(self, zone: i64, index: i64) -> i64:
        """Take the card at the index out of the zone; the cards after it move down."""
        m = self.m
        at = AT[zone]
        i = at + index
        card = m[i]
        if zone == Zone.TAVERN:
            m[i] = EMPTY
            m[LENGTH + Zone.TAVERN] -= 1
            return card
        last = m[LENGTH + zone] - 1
        m[LENGTH + zone] = last
        last += at
        if zone == Zone.HARBOR:
            m[i] = m[last]  # the harbor has no order (R92)
            return card
        while i < last:
            m[i] = m[i + 1]
            i += 1
        return card

    def lay(self, zone: i64, index: i64, card: i64) -> None:
        """Put the card into the zone at the index; LAST: on top, newest, or in sorted order."""
        m = self.m
        at = AT[zone]
        size = m[LENGTH + zone]
        m[LENGTH + zone] = size + 1
        if zone == Zone.TAVERN:
            m[at + index] = card
            return
        i = at + size
        if zone >= Zone.HAND and zone < Zone.HIDDEN:
            while i > at and m[i - 1] > card:
                m[i] = m[i - 1]
                i -= 1
        elif index >= 0:
            while i > at + index:
                m[i] = m[i - 1]
                i -= 1
        m[i] = card

    def move(self, source: i64, i: i64, target: i64, j: i64, audience: i64) -> i64:
        """Move a card; `audience` are the seats that see which card it is."""
        card = self.lift(source, i)
        self.lay(target, j, card)
        if self.watched:
            self.tell_move(source, i, target, j, audience, card)
        return card

    def note(self, card: i64, source: i64, audience: i64) -> None:
        """Note who saw a card move; whoever knew a face-down card can follow it."""
        if source >= Zone.HIDDEN or source == Zone.ASIDE:
            audience |= self.notes[card]
        self.notes[card] = audience

    def move_card(self, source: i64, card: i64, target: i64, audience: i64) -> None:
        """Move a card from wherever it is in `source` to the last place of `target`."""
        i = self.find(source, card)
        self.lift(source, i)
        self.lay(target, LAST, card)
        if self.watched:
            self.tell_move(source, i, target, LAST, audience, card)

    def reshuffle(self) -> None:
        """Turn the wilderness into the harbor, which has no order (R16, P39)."""
        m = self.m
        size = m[LENGTH + Zone.WILDERNESS]
        for i in range(size):
            m[PILES + PILE_ROOM * Zone.HARBOR + i] = m[PILES + PILE_ROOM * Zone.WILDERNESS + i]
        m[LENGTH + Zone.HARBOR] = size
        m[LENGTH + Zone.WILDERNESS] = 0
        if self.recording:
            self.tell(EVERYBODY, (Event.RESHUFFLED,), ())

    def harbor_ready(self) -> bool:
        """Whether there is a harbor card to draw; reshuffles if needed (R16, R17)."""
        m = self.m
        if m[LENGTH + Zone.HARBOR] > 0:
            return True
        if m[LENGTH + Zone.WILDERNESS] == 0:
            return False
        self.reshuffle()
        return True

    def set_markers(self, red: i64, green: i64) -> None:
        """Markers stop at either end of the track (R30)."""
        red = clip(red)
        green = clip(green)
        moved = red != self.red or green != self.green
        self.red = red
        self.green = green
        if moved and self.recording:
            self.tell(EVERYBODY, (Event.MARKERS, red, green), ())

    # ---- events ---------------------------------------------------------------------------

    def tell_move(self, a: int, i: int, b: int, j: int, audience: int, card: int) -> None:
        """Note and record that a card has moved, as far as anybody wants to know."""
        if self.noting:
            self.note(card, a, audience)
        if not self.recording:
            return
        if not (
            a == Zone.TAVERN
            or a == Zone.WILDERNESS
            or a == Zone.ASIDE
            or a == Zone.GRAVEYARD
            or a >= Zone.HIDDEN
        ):
            i = UNKNOWN_INDEX  # bags and open heroes have no positions
        if b == Zone.TAVERN or (b >= Zone.HIDDEN and j >= 0):
            pass
        else:
            j = UNKNOWN_INDEX
        shown = i
        if a == Zone.GRAVEYARD and i != self.size(Zone.GRAVEYARD):
            shown = UNKNOWN_INDEX  # the others do not see which card below the top it was (R93)
        self.tell(audience, (Event.MOVED, a, i, b, j, card), (Event.MOVED, a, shown, b, j, UNSEEN))
        if a == Zone.GRAVEYARD and shown > 0:  # everybody now sees the next card on top (R93)
            below = self.m[AT[Zone.GRAVEYARD] + shown - 1]
            self.tell(EVERYBODY, (Event.SEEN, Zone.GRAVEYARD, shown - 1, below), ())
