"""A seat's View of Secrets: a fold over the events that seat received, with exact odds.

Only three things can be hidden: which token lies where, which of two cards is on offer, and what
the Bullets of others are worth. The order of the deck is not hidden: cards never turned up come by
chance, and those put back are known. The three parts are independent, so each is kept and sampled
separately. For the tokens, every arrangement that agrees with all events is kept with its weight:
at most 630 at the start, and each look leaves fewer.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import (
    BULLETS,
    CENTRE,
    FEWEST_PLAYERS,
    KINDS,
    PLACES,
    SIDE_NAMES,
    TOKENS_IN_USE,
    VALUES,
    Character,
    Event,
    Phase,
    Token,
)
from games.secrets.moves import move_text
from games.secrets.observation import fill_observation, start_notes
from games.secrets.state import Secrets, blank
from games.secrets.table import BAG, BOTTOM, BULLET_NOTES, DOWN, FACELESS, SHOT, TOKENS, UP
from games.state import CHANCE, EVERYBODY, NOBODY, UNSEEN, Rng, State
from games.view import View

# An arrangement of tokens is one number: two bits for each place.
BITS: Final = 2
MASK: Final = 3


class SecretsView(View):
    """What one seat has seen and can therefore know. Unknown things are -1."""

    def __init__(self, seat: int, players: int) -> None:
        super().__init__(seat, players)
        self._board = blank(players)
        self._board.dealt = players + 1
        start_notes(self._board)
        self._board.noting = False  # copies need no notes, and only this seat's are taken
        self._weight: dict[int, int] = dict.fromkeys(arrangements(players), 1)
        """Arrangement of tokens -> its weight; arrangements not listed are impossible."""
        self._cases: vec[i64] = vec[i64]()
        self._sums: vec[i64] = vec[i64]()
        """The same as cumulative weights, for sampling. Empty until needed."""
        self._events: list[tuple[int, ...]] = []

    def __reduce__(self) -> tuple[object, ...]:
        """A View travels as its events."""
        return refolded, (self.seat, self.players, self._events)

    # ---- what is known --------------------------------------------------------------------

    @property
    def side(self) -> int:
        """This seat's side; -1 if its token may have changed unseen (S40)."""
        return self._board.token(self.seat)

    @property
    def tokens(self) -> list[int]:
        """The token of every seat; -1 where it is not certain."""
        return [self._board.token(seat) for seat in range(self.players)]

    @property
    def centre(self) -> int:
        """The token in the centre; -1 if it is not certain."""
        return self._board.token(CENTRE)

    def odds(self, place: int) -> list[float]:
        """The exact probabilities that the token of a seat, or of CENTRE, is CIA, KGB, Hippie."""
        sums = [0] * Token.COUNT
        for case, weight in self._weight.items():
            sums[(case >> (BITS * place)) & MASK] += weight
        total = sum(sums)
        return [part / total for part in sums]

    def token_weights(self) -> dict[int, int]:
        """Every arrangement of tokens that is possible, with its weight; not to be written to."""
        return self._weight

    def display(self, seat: int) -> list[int]:
        """The characters lying face up before a seat, one number for each card."""
        return self._cards(UP, seat)

    def face_down(self, seat: int) -> list[int]:
        """The characters turned down before a seat."""
        return self._cards(DOWN, seat)

    def bullets(self, seat: int) -> list[int]:
        """The value of every Bullet before a seat; 1 where it is unknown."""
        known = [-k for k in range(BULLETS) if (self._board.m[SHOT + seat] >> k) & 1]
        return known + [1] * self._board.m[FACELESS + seat]

    def size(self, seat: int) -> int:
        """Cards in a display, Bullets included."""
        return self._board.size(seat)

    @property
    def unturned(self) -> list[int]:
        """For each character, how many of its cards have never been turned up."""
        return [self._board.m[BAG + c] for c in range(Character.COUNT)]

    @property
    def bottom(self) -> list[int]:
        """The cards that follow once those are used up, the next one first."""
        return self._board.bottom_cards()

    @property
    def turned_up(self) -> list[int]:
        """The two characters of this turn; only one if the deck had no other."""
        both = (self._board.one, self._board.two)
        return [character for character in both if character != UNSEEN]

    @property
    def offered(self) -> int:
        """The card on offer, if this seat offers it; otherwise -1."""
        return self._board.offered

    @property
    def turn_player(self) -> int:
        return self._board.player

    @property
    def target(self) -> int:
        return self._board.target

    @property
    def un(self) -> int:
        """Who holds the UN token; -1 while it lies in the centre."""
        return self._board.un

    @property
    def turns(self) -> int:
        return self._board.turns

    @property
    def threshold(self) -> int:
        return self._board.threshold

    def board(self) -> Secrets:
        """A copy of the table as this seat sees it; for showing it and for move texts."""
        return self._board.copy()

    def key(self) -> bytes:
        """Equal for seats that know the same: it covers everything this View holds."""
        cases = sorted(self._weight.items())
        return self._board.key() + repr((self.seat, self.players, self.moves, cases)).encode()

    def text(self, move: int) -> str:
        return move_text(self._board, move)

    def role_text(self, role: int) -> str:
        return SIDE_NAMES[role]

    def _cards(self, first: int, seat: int) -> list[int]:
        counts = [self._board.m[first + seat * KINDS + c] for c in range(Character.COUNT)]
        return [c for c in range(Character.COUNT) for _ in range(counts[c])]

    def fill_observation(self, out: vec[i64], at: i64) -> None:
        fill_observation(self._board, self.seat, out, at)

    def note_in(self, world: State) -> None:
        assert isinstance(world, Secrets)
        world.take_notes()
        seen = self._board.notes
        first = self.seat * PLACES
        for i in range(first, first + PLACES):
            world.notes[i] = seen[i]
        for bullet in range(BULLET_NOTES, BULLET_NOTES + BULLETS):
            world.notes[bullet] = seen[bullet] & (i64(1) << self.seat)

    # ---- worlds ---------------------------------------------------------------------------

    def imagine(self) -> Secrets:
        """This table with a blank for an unknown card on offer, and tokens only where certain."""
        table = self._board.copy()
        if self.offer_hidden():
            table.offered = Character.BLANK
            table.m[BOTTOM + table.bottom - 1] = Character.BLANK
            table.blank_worth = VALUES[table.one] + VALUES[table.two]
        return table

    def offer_hidden(self) -> bool:
        """Whether the card on offer is unknown to this seat."""
        board = self._board
        return Phase.TARGET <= board.phase <= Phase.ANSWER and board.offered == UNSEEN

    def sample(self, rng: Rng) -> Secrets:
        """A full state that agrees with everything this seat has seen, with exact odds (S38)."""
        self.check_complete()
        world = self._board.copy()
        case = self._draw_case(rng)
        for place in range(i64(PLACES)):
            if place < world.players or place == CENTRE:
                world.m[TOKENS + place] = (case >> (BITS * place)) & MASK
        if self.offer_hidden():
            first = rng.below(2) == 0
            world.offered = world.one if first else world.two
            world.m[BOTTOM + world.bottom - 1] = world.two if first else world.one
        deal_bullets(world, rng)
        if world.actor >= 0:
            world.list_moves()
        return world

    def _draw_case(self, rng: Rng) -> i64:
        if len(self._sums) == 0:
            cases: list[int] = sorted(self._weight)
            sums: list[int] = []
            total = 0
            for case in cases:
                total += self._weight[case]
                sums.append(total)
            self._cases = vec[i64](cases)
            self._sums = vec[i64](sums)
        high = i64(len(self._sums)) - 1
        at = rng.below(self._sums[high])
        low: i64 = 0
        while low < high:
            middle = (low + high) >> 1
            if self._sums[middle] > at:
                high = middle
            else:
                low = middle + 1
        return self._cases[low]

    # ---- folding --------------------------------------------------------------------------

    def observe(self, event: tuple[int, ...]) -> None:
        self._events.append(event)
        kind = event[0]
        if kind == Event.LOOK:
            self._see(event[2], event[3])
        elif kind == Event.SHOW:
            self._see(event[1], event[2])
        elif kind == Event.SWAP:
            self._swap(event[1], event[2], event[3])
        elif kind == Event.PENDING:
            self._pending(event)
        elif kind == Event.LEGAL_MOVES:
            self.moves = list(event[1:])
            for i, move in enumerate(self.moves):
                self._board.legal[i] = move
            self._board.count = len(self.moves)
        elif kind == Event.OVER:
            self._over(event[1], event[2], event[3])
        elif kind == Event.CHOSE:
            self.moves = []
            self.complete = False
        else:
            self._observe_cards(kind, event)

    def _observe_cards(self, kind: int, event: tuple[int, ...]) -> None:
        board = self._board
        if kind == Event.TURN:
            board.clear_offer()
            board.player = event[1]
            board.phase = Phase.REVEAL
            board.actor = CHANCE
        elif kind == Event.UP:
            board.turn_up(event[1])
        elif kind == Event.UNDER:
            self._under(event[1], event[2])
        elif kind == Event.TAKEN:
            self._taken(event[1], event[2])
        elif kind == Event.PASSED:
            board.pass_on(event[1], event[2], Character.POLITICIAN)
        elif kind == Event.DOWN:
            if event[2] == UNSEEN:
                board.turn_all_down(event[1])
            else:
                board.turn_pair_down(event[1], event[2])
        elif kind == Event.BULLET:
            board.draw_bullet(event[1], event[2])
            if event[2] != UNSEEN:
                board.notes[BULLET_NOTES + event[2]] = EVERYBODY  # only this seat's bit is read
        elif kind == Event.GIVEN:
            board.give_bullet(event[1], 0)
        elif kind == Event.UN:
            board.un = event[1]
        elif kind == Event.FIRST:
            board.first = event[1]
            board.player = event[1]
        elif kind == Event.BULLETS:
            board.m[SHOT + event[1]] = event[2]
            board.m[FACELESS + event[1]] = 0
            board.pile &= ~event[2]

    def _under(self, character: int, copies: int) -> None:
        """A seat that knows the card put back knows the card on offer (Q4, Q5)."""
        board = self._board
        board.put_under(character, copies, 0)
        surplus = board.phase != Phase.CHOOSE  # not put back in favour of the card offered
        if board.two != UNSEEN and character != UNSEEN and not surplus:
            board.offered = board.one if character == board.two else board.two

    def _taken(self, seat: int, character: int) -> None:
        """The card on offer lies open now, so the card put back is the other one (Q5)."""
        board = self._board
        if board.offered == UNSEEN and board.two != UNSEEN:
            board.m[BOTTOM + board.bottom - 1] = board.one if character == board.two else board.two
        board.offered = character
        board.taker = seat
        board.lay(seat, character)

    def _see(self, place: int, side: int) -> None:
        """Drop the arrangements that have another token there."""
        if side == UNSEEN:
            return
        if self.seat != NOBODY:
            self._board.note_token(self.seat, place, side)
        shift = BITS * place
        weights = self._weight
        self._weigh({case: weights[case] for case in weights if (case >> shift) & MASK == side})

    def _swap(self, a: int, b: int, taker: int) -> None:
        """Knowledge follows the tokens (S26); an unseen swap goes either way alike (S39)."""
        if self.seat != NOBODY:
            self._board.note_swap(self.seat, a, b, taker)
        swapped: dict[int, int] = {}
        others = [b]
        if b == UNSEEN:
            others = [self._board.left(taker), self._board.right(taker)]
        for case, weight in self._weight.items():
            for other in others:
                after = exchanged(case, a, other)
                swapped[after] = swapped.get(after, 0) + weight
        self._weigh(swapped)

    def _weigh(self, weight: dict[int, int]) -> None:
        """Keep these arrangements, and put the tokens they all agree on onto the board."""
        self._weight = weight
        self._sums = vec[i64]()
        every: i64 = -1
        some: i64 = 0
        for case in weight:
            every &= case
            some |= case
        for place in range(i64(PLACES)):
            if place < self.players or place == CENTRE:
                shift = BITS * place
                token = (every >> shift) & MASK
                certain = token == (some >> shift) & MASK
                self._board.m[TOKENS + place] = token if certain else UNSEEN

    def _pending(self, event: tuple[int, ...]) -> None:
        board = self._board
        self.actor = event[1]
        self.decisions += 1
        self.moves = []
        board.actor = event[1]
        board.phase = event[2]
        board.turns = event[3]
        board.target = event[4]
        board.claim = event[5]
        board.taker = event[6]
        board.count = 0
        self.complete = True
        if board.phase == Phase.TARGET and board.two == UNSEEN:
            board.offered = board.one  # there was nothing to choose from (S7)

    def _over(self, side: int, winning: int, turns: int) -> None:
        board = self._board
        self.actor = NOBODY
        self.moves = []
        self.complete = True
        board.actor = NOBODY
        board.phase = Phase.OVER
        board.count = 0
        board.side = side
        board.winning = winning
        board.turns = turns


def arrangements(players: int) -> list[int]:
    """Every way the tokens in use can lie; all are equally likely when they are dealt (S2)."""
    partial: list[tuple[int, list[int]]] = [(0, list(TOKENS_IN_USE[players - FEWEST_PLAYERS]))]
    for place in [*range(players), CENTRE]:
        longer: list[tuple[int, list[int]]] = []
        for case, left in partial:
            for side in range(Token.COUNT):
                if left[side]:
                    rest = left.copy()
                    rest[side] -= 1
                    longer.append((case | side << (BITS * place), rest))
        partial = longer
    return [case for case, _ in partial]


def exchanged(case: i64, a: i64, b: i64) -> i64:
    """The arrangement after the tokens at two places were swapped."""
    differ = ((case >> (BITS * a)) ^ (case >> (BITS * b))) & MASK
    return case ^ (differ << (BITS * a)) ^ (differ << (BITS * b))


def deal_bullets(world: Secrets, rng: Rng) -> None:
    """Give every unknown Bullet one of the values left, all ways equally likely (Q14)."""
    for seat in range(world.players):
        while world.m[FACELESS + seat] > 0:
            world.m[FACELESS + seat] -= 1
            world.m[SHOT + seat] |= 1 << draw_value(world, rng)
    if world.phase == Phase.GIVE and world.bullet == UNSEEN:
        world.bullet = draw_value(world, rng)


def draw_value(world: Secrets, rng: Rng) -> i64:
    """One of the Bullets in the pile."""
    seen: i64 = 0
    chosen: i64 = 0
    for k in range(i64(BULLETS)):
        if world.pile & (1 << k):
            seen += 1
            if rng.below(seen) == 0:
                chosen = k
    world.pile &= ~(1 << chosen)
    return chosen


def refolded(seat: int, players: int, events: list[tuple[int, ...]]) -> SecretsView:
    """The View that these events make."""
    view = SecretsView(seat, players)
    for event in events:
        view.observe(event)
    return view
