"""The table of Secrets: tokens, displays, deck and Bullets, and the events seats perceive."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import BULLETS, KINDS, PLACES, Character, Event, Phase
from games.state import EVERYBODY, NOBODY, UNSEEN, PackedState

# Layout of Table.m: one packed vector, so that a copy is one block. The compiler folds numbers and
# names of one module only; any other sum would be looked up and added in every loop.
_SEATS: Final = 8
_KINDS: Final = 9
_PLACES: Final = 9
TOKENS: Final = 0
UP: Final = TOKENS + _PLACES
"""UP + seat * KINDS + c: how many of that character lie face up in the display."""
DOWN: Final = UP + _SEATS * _KINDS
SIZE: Final = DOWN + _SEATS * _KINDS
"""SIZE + seat: cards in the display, Bullets and cards turned down included (S25, S30)."""
SHOT: Final = SIZE + _SEATS
"""SHOT + seat: the Bullets in the display whose value is known here, one bit each."""
FACELESS: Final = SHOT + _SEATS
"""FACELESS + seat: how many unknown Bullets lie there; 0 on a table where everything is known."""
BAG: Final = FACELESS + _SEATS
"""BAG + c: cards of that character never turned up. Chance decides their order when they come."""
BOTTOM: Final = BAG + _KINDS
"""The cards put back under the deck, in the order they will come."""
BOTTOM_ROOM: Final = 32
TABLE_ROOM: Final = BOTTOM + BOTTOM_ROOM

# Layout of Table.notes: for each seat and place the side of the token seen there plus 1, then for
# each Bullet the seats that have seen its value, one bit each.
BULLET_NOTES: Final = _SEATS * _PLACES
NOTES_ROOM: Final = BULLET_NOTES + 4


class Table(PackedState):
    """Where every token and card is. UNSEEN and BLANK stand for unknown ones."""

    def __init__(self, players: i64, m: vec[i64], room: i64) -> None:
        super().__init__(players, m, room)
        self.phase: i64 = Phase.FIRST
        self.un: i64 = NOBODY
        """Who holds the UN token; NOBODY while it lies in the centre."""
        self.bag: i64 = 0
        """Cards in the bag."""
        self.bottom: i64 = 0
        """Cards put back under the deck."""
        self.pile: i64 = (1 << BULLETS) - 1
        """Bullets not known to be in a display, one bit each."""
        self.bullets: i64 = BULLETS
        """How many Bullets lie in the pile."""
        # The turn so far: the two characters turned up, and surplus copies of the first.
        self.one: i64 = UNSEEN
        self.two: i64 = UNSEEN
        self.surplus: i64 = 0
        self.offered: i64 = UNSEEN
        self.target: i64 = NOBODY
        self.claim: i64 = UNSEEN
        self.taker: i64 = NOBODY
        self.bullet: i64 = UNSEEN
        """The Bullet that the Assassin is about to give."""
        self.blank_worth: i64 = 0
        """Twice what a blank is worth on average."""

    # ---- reading --------------------------------------------------------------------------

    def token(self, place: i64) -> i64:
        return self.m[TOKENS + place]

    def size(self, seat: i64) -> i64:
        return self.m[SIZE + seat]

    def up(self, seat: i64, character: i64) -> i64:
        return self.m[UP + seat * KINDS + character]

    def down(self, seat: i64, character: i64) -> i64:
        return self.m[DOWN + seat * KINDS + character]

    def bottom_cards(self) -> list[int]:
        """The cards put back under the deck, the next one first."""
        cards: list[int] = []
        for i in range(self.bottom):
            cards.append(self.m[BOTTOM + i])
        return cards

    def left(self, seat: i64) -> i64:
        """The next player in turn order."""
        return seat + 1 if seat + 1 < self.players else i64(0)

    def right(self, seat: i64) -> i64:
        return seat - 1 if seat > 0 else self.players - 1

    # ---- the deck -------------------------------------------------------------------------

    def clear_offer(self) -> None:
        """Forget the last turn."""
        self.one = UNSEEN
        self.two = UNSEEN
        self.surplus = 0
        self.offered = UNSEEN
        self.target = NOBODY
        self.claim = UNSEEN
        self.taker = NOBODY
        self.bullet = UNSEEN

    def turn_up(self, character: i64) -> None:
        """The next card of the deck: from the bag, or from the bottom once the bag is empty."""
        m = self.m
        if self.bag > 0:
            m[BAG + character] -= 1
            self.bag -= 1
        else:
            self.bottom -= 1
            for i in range(self.bottom):
                m[BOTTOM + i] = m[BOTTOM + i + 1]
        if self.one == UNSEEN:
            self.one = character
        elif self.one == character:
            self.surplus += 1
        else:
            self.two = character
        if self.recording:
            self.tell(EVERYBODY, (Event.UP, character), ())

    def put_under(self, character: i64, copies: i64, audience: i64) -> None:
        """Cards go face down under the deck; `audience` knows which."""
        for _ in range(copies):
            self.m[BOTTOM + self.bottom] = character
            self.bottom += 1
        if self.recording and copies > 0:
            event: tuple[int, ...] = (Event.UNDER, character, copies)
            self.tell(audience, event, (Event.UNDER, UNSEEN, copies))

    # ---- displays -------------------------------------------------------------------------

    def lay(self, seat: i64, character: i64) -> None:
        """The card offered goes face up into a display."""
        self.m[UP + seat * KINDS + character] += 1
        self.m[SIZE + seat] += 1
        if self.recording:
            self.tell(EVERYBODY, (Event.TAKEN, seat, character), ())

    def pass_on(self, seat: i64, other: i64, character: i64) -> None:
        """A face-up card goes into another display (S17)."""
        m = self.m
        m[UP + seat * KINDS + character] -= 1
        m[SIZE + seat] -= 1
        m[UP + other * KINDS + character] += 1
        m[SIZE + other] += 1
        if self.recording:
            self.tell(EVERYBODY, (Event.PASSED, seat, other), ())

    def turn_pair_down(self, seat: i64, character: i64) -> None:
        self.m[UP + seat * KINDS + character] -= 2
        self.m[DOWN + seat * KINDS + character] += 2
        if self.recording:
            self.tell(EVERYBODY, (Event.DOWN, seat, character), ())

    def turn_all_down(self, seat: i64) -> None:
        """Every character card of the display, but no Bullet (S22, S25)."""
        m = self.m
        at = UP + seat * KINDS
        for c in range(i64(KINDS)):
            m[at + DOWN - UP + c] += m[at + c]
            m[at + c] = 0
        if self.recording:
            self.tell(EVERYBODY, (Event.DOWN, seat, UNSEEN), ())

    # ---- Bullets --------------------------------------------------------------------------

    def draw_bullet(self, seat: i64, bullet: i64) -> None:
        """The top Bullet; only its taker sees it (S23)."""
        self.bullets -= 1
        self.bullet = bullet
        if bullet != UNSEEN:
            self.pile &= ~(1 << bullet)
            if self.noting:
                self.notes[BULLET_NOTES + bullet] |= 1 << seat
        if self.recording:
            self.tell(1 << seat, (Event.BULLET, seat, bullet), (Event.BULLET, seat, UNSEEN))

    def give_bullet(self, seat: i64, audience: i64) -> None:
        """The Bullet just drawn goes face down into a display."""
        m = self.m
        bullet = self.bullet
        m[SIZE + seat] += 1
        if bullet == UNSEEN:
            m[FACELESS + seat] += 1
        else:
            m[SHOT + seat] |= 1 << bullet
        self.bullet = UNSEEN
        if self.recording:
            self.tell(audience, (Event.GIVEN, seat, bullet), (Event.GIVEN, seat, UNSEEN))

    # ---- tokens ---------------------------------------------------------------------------

    def swap(self, a: i64, b: i64, audience: i64) -> None:
        """Swap two tokens; seats outside the audience see only the first place."""
        m = self.m
        kept = m[TOKENS + a]
        m[TOKENS + a] = m[TOKENS + b]
        m[TOKENS + b] = kept
        if self.noting:
            for seat in range(self.players):
                seen = (audience >> seat) & 1 == 1
                self.note_swap(seat, a, b if seen else i64(UNSEEN), self.taker)
        if self.recording:
            self.tell(audience, (Event.SWAP, a, b, self.taker), (Event.SWAP, a, UNSEEN, self.taker))

    # ---- what seats have seen -------------------------------------------------------------

    def note_token(self, seat: i64, place: i64, side: i64) -> None:
        """The seat has seen the token that lies there."""
        self.notes[seat * PLACES + place] = side + 1

    def note_swap(self, seat: i64, a: i64, b: i64, taker: i64) -> None:
        """Tokens seen move on; of a swap with an unknown neighbour of the taker, all are lost."""
        notes = self.notes
        at = seat * PLACES
        if b == UNSEEN:
            notes[at + a] = 0
            notes[at + self.left(taker)] = 0
            notes[at + self.right(taker)] = 0
            return
        kept = notes[at + a]
        notes[at + a] = notes[at + b]
        notes[at + b] = kept


def bare_table(bag: tuple[int, ...]) -> vec[i64]:
    """The numbers of an empty table with all cards in the bag and no token dealt."""
    m = vec[i64]([0] * TABLE_ROOM)
    for place in range(i64(PLACES)):
        m[TOKENS + place] = UNSEEN
    for c in range(i64(Character.COUNT)):
        m[BAG + c] = bag[c]
    return m
