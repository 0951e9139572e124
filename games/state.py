"""The contract of every game: what searches, solvers and referees may rely on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

NOBODY: Final = -1
"""Actor of a finished game."""

CHANCE: Final = -2
"""Actor of a chance node."""

UNSEEN: Final = -1
"""In a seat's events: a card or number that the seat does not see."""

EVERYBODY: Final = 0xFFFF
"""Audience of a public event: one bit per seat, all set."""

MOST_MOVES: Final = 160
"""Room for the legal moves of one decision."""

MOST_MOVE_FEATURES: Final = 8
"""Room for the features of one move."""

MOMENTS: Final = 128
"""Kinds of decisions at most (`State.moment`)."""

NO_PATTERN: Final = -1
"""In place of a pattern's number: the slot does not apply."""

FOREVER: Final = 1 << 40
"""More moves than any game has."""

ALL_PARTS: Final = 0xFFFFFF
"""Every part of a table, one bit each (`State.reads`)."""

NO_MOVE: Final = -1
"""In place of a move: the list of legal moves itself."""

LOW: Final = 0xFFFFFFFF


class Rng:
    """A small, fast, reproducible generator: the same numbers on every machine and engine.

    Multiply-with-carry: 62 bits of state, all arithmetic within 63 bits, so that compiled and
    interpreted code agree. A State never contains one: callers pass one in.
    """

    def __init__(self, seed: i64) -> None:
        # Both halves are scrambled, because neighbouring seeds must not give similar streams.
        low = scramble(seed & LOW)
        high = scramble(((seed >> 32) & LOW) ^ low ^ 0x9E3779B9) & 0x1FFFFFFF
        self.x: i64 = (high << 32) | (low | 1)

    def below(self, n: i64) -> i64:
        """A whole number from 0 to n - 1, each equally likely to within n / 2**32."""
        x = 698769069 * (self.x & LOW) + (self.x >> 32)
        self.x = x
        return (((x ^ (x >> 32)) & LOW) * n) >> 32

    def choice(self, items: list[int]) -> int:
        """One of the items, each equally likely."""
        return items[self.below(len(items))]

    def __reduce__(self) -> tuple[Callable[[int], Rng], tuple[int]]:
        """Pickles and copies continue the stream from the same point."""
        return rng_at, (self.x,)


def rng_at(x: i64) -> Rng:
    """A generator with this internal state; for unpickling."""
    rng = Rng(0)
    rng.x = x
    return rng


def scramble(x: i64) -> i64:
    """Mix the 32 bits of x; a bijection, so different seeds stay different."""
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & LOW
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & LOW
    return x ^ (x >> 16)


_LOW_BYTES: Final = vec[i64]([(1 << 8 * count) - 1 for count in range(8)])
"""So many bytes, all bits set. A table, because compiled code shifts a literal as 32 bits."""


def put_byte(out: vec[i64], at: i64, index: i64, value: i64) -> None:
    """Set byte number `index` after word `at`, which must be 0 so far, to a value from 0 to 127."""
    out[at + (index >> 3)] |= value << ((index & 7) << 3)


def put_bytes(out: vec[i64], at: i64, index: i64, numbers: i64) -> None:
    """Like `put_byte` for eight values at once, the first one in the lowest byte."""
    word = at + (index >> 3)
    shift = (index & 7) << 3
    if shift == 0:
        out[word] |= numbers
        return
    # Cut before the shift, so that interpreted integers do not outgrow the word.
    out[word] |= (numbers & _LOW_BYTES[8 - (index & 7)]) << shift
    rest = numbers >> (64 - shift)
    if rest != 0:
        out[word + 1] |= rest


def members(cards: int) -> list[int]:
    """The numbers of the bits that are set."""
    found: list[int] = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return found


@mypyc_attr(allow_interpreted_subclasses=True)
class Judge:
    """Asks for something about positions; see `State.may_reach`."""

    def reaches(self, state: State, choices: list[int], reply: int) -> bool:
        """Whether the seat whose turn it is can reach it by the end of this turn, with luck.

        `choices`: sets of moves, as bits. It is enough to try ways on which the seat makes, one
        after the other, the first choice that offers a move of the first set, of the second, and so
        on, as the set says. Until all are made the others make the move of that number, `reply`,
        or their last: after another the seat might choose cards that are not on the table.
        """
        raise TypeError("a judge must define reaches(state, choices, reply)")

    def surely_reaches(self, state: State, choices: list[int]) -> bool:
        """Whether it does so whatever chance and the others do."""
        raise TypeError("a judge must define surely_reaches(state, choices)")


_MOST_CARDS: Final = 128


class LastTurn:
    """What can matter in a seat's last turn, once the turn before it is over but for its end."""

    def __init__(self, seat: i64, acting: int, apart: int, sure: int, scope: i64) -> None:
        self.seat = seat
        self.acting = acting
        """Cards of its hand that may help, as bits."""
        self.sure = sure
        """Cards with which it reaches the goal if they lie where a hero can use them."""
        self.is_sure: vec[bool] = flags(sure)
        self.acts: vec[bool] = flags(acting)
        """The same, one for each card."""
        self.apart: vec[bool] = flags(apart)
        """For each card, whether it is told apart where a hero could use it."""
        self.scope = scope
        """Where cards can matter; what the bits mean is the game's business."""


def flags(cards: int) -> vec[bool]:
    """For each card, whether its bit is set."""
    return vec[bool]([cards >> card & 1 == 1 for card in range(_MOST_CARDS)])


_NONE: Final = vec[i64]()  # shared and never written to, so that copies need not make one


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """The complete state of one game, with all secrets. Seats are numbered from 0.

    Only the referee has the real one. Searches have sampled ones and may do with them what they
    like.
    """

    # ---- the rules: what a game must provide ------------------------------------------------

    def __init__(self, players: i64, room: i64 = MOST_MOVES) -> None:
        self.players: i64 = players
        """Number of seats."""

        self.actor: i64 = CHANCE
        """Who decides now: a seat, CHANCE, or NOBODY when the game is over."""

        self.legal: vec[i64] = vec[i64]([0] * room) if room else _NONE
        """The first `count` entries are the actor's legal moves, in any order. For hot loops."""

        self.count: i64 = 0
        """Number of legal moves; never 0 while a seat acts. Undefined at chance nodes."""

        self.move_limit: i64 = 0
        """Every move, chance outcome and observed move is a number from 0 to move_limit - 1."""

        self.roles: i64 = 0
        """How many secret roles there are, numbered from 0. A seat has at most one."""

        self.roles_move: bool = False
        """Whether roles may pass from seat to seat during the game."""

        self.turns: i64 = 0
        """Turns completed."""

    def moves(self) -> list[int]:
        """The legal moves, ascending and unique; at a chance node the outcomes; [] when over."""
        moves: list[int] = []
        legal = self.legal
        for i in range(self.count):
            moves.append(legal[i])
        moves.sort()
        return moves

    def weights(self) -> list[int]:
        """At a chance node: the relative odds of each of `moves()`, as whole numbers."""
        return [1] * len(self.moves())

    def play(self, move: i64) -> None:
        """Play a legal move or a chance outcome. Does not check that it is legal."""
        raise TypeError("a game must define play()")

    def winners(self) -> tuple[int, ...]:
        """The winning seats of a finished game, ascending; may be empty."""
        raise TypeError("a game must define winners()")

    def copy(self) -> State:
        """An equal, independent State, at any point of the game. Does not record events."""
        raise TypeError("a game must define copy()")

    def key(self) -> bytes:
        """Equal if and only if the positions are equal, however they were reached."""
        raise TypeError("a game must define key()")

    def record(self) -> None:
        """From now on `play` records events, to be fetched with `take_events`."""
        raise TypeError("a game must define record()")

    def take_events(self, seat: i64) -> list[tuple[int, ...]]:
        """What the seat has observed since the last call for that seat."""
        raise TypeError("a game must define take_events()")

    def observed_move(self, move: i64) -> i64:
        """The actor's move as the other seats observe it; one number for all that look alike."""
        return move

    def role(self, seat: i64) -> i64:
        """The seat's secret role; -1 if it has none, or if it is unknown on an imagined table."""
        return -1

    def assume_role(self, seat: i64, role: i64) -> None:
        """Give the seat that role; for imagined tables."""
        raise TypeError("a game with roles must define assume_role()")

    # ---- for search: defaults that a game may replace with better or faster ones -------------

    def wins(self, seat: i64) -> bool:
        """Whether the seat is one of `winners()`."""
        return int(seat) in self.winners()

    def sample_chance(self, rng: Rng) -> i64:
        """At a chance node: draw an outcome with the right odds, play it and return it."""
        moves = self.moves()
        outcome: i64 = moves[rng.below(len(moves))]
        self.play(outcome)
        return outcome

    def copy_into(self, spare: State | None) -> State:
        """Like `copy`, but may overwrite and return `spare`, a copy that is no longer needed."""
        return self.copy()

    def rollout_move(self, rng: Rng) -> i64:
        """A plausible legal move, quickly chosen; makes playouts more realistic."""
        return self.legal[rng.below(self.count)]

    def heuristic(self, seat: i64) -> float:
        """How good the position looks for the seat, given what it sees; higher is better."""
        return 0.0

    def win_estimates(self) -> vec[float]:
        """Every seat's estimated chance to win an unfinished game, given the complete state."""
        return vec[float]([1.0 / float(self.players)] * self.players)

    def fill_features(self, out: vec[float]) -> None:
        """Write the features of a complete, unfinished state; see `games.features.FeatureLayout`.

        First those of the table, then a block for every seat, then the claims of every seat.
        """
        raise TypeError("a game with features must define fill_features(out)")

    def twin(self, seat: i64) -> i64:
        """The first seat that has the same features and claims as this one, maybe this one."""
        return seat

    def features(self, room: i64) -> list[float]:
        """The features as a list; `room` is their number."""
        out = vec[float]([0.0] * room)
        self.fill_features(out)
        return list(out)

    def fill_patterns(self, out: vec[i64]) -> None:
        """Write which patterns a complete, unfinished state shows; see `PatternLayout`.

        In the order of `fill_features`. NO_PATTERN in a slot that does not apply; in the first slot
        of a claim, if the seat has no such claim.
        """
        raise TypeError("a game with patterns must define fill_patterns(out)")

    def patterns(self, room: i64) -> list[int]:
        """The patterns as a list; `room` is their number."""
        out = vec[i64]([0] * room)
        self.fill_patterns(out)
        return list(out)

    def move_features(self, move: i64, role: i64, out: vec[i64]) -> i64:
        """Write the numbers of the features that a legal move has for an actor with that role.

        Returns how many there are, at most MOST_MOVE_FEATURES. Uses nothing that only others see,
        but for the roles of others where roles move.
        """
        return 0

    def score_moves(
        self, role: i64, weights: vec[float], scratch: vec[i64], out: vec[float]
    ) -> None:
        """Write the summed weights of each legal move's features, in the order of `legal`.

        Every feature of `move_features` has a weight. A game may do it faster than this.
        """
        for i in range(self.count):
            score = 0.0
            for j in range(self.move_features(self.legal[i], role, scratch)):
                score += weights[scratch[j]]
            out[i] = score

    def idle_move(self) -> i64:
        """A legal move, if all come to the same for seats that heed no talk; NO_MOVE otherwise."""
        return NO_MOVE

    def moment(self) -> i64:
        """What kind of decision is pending, from 0 to MOMENTS - 1, as far as all seats know.

        For trees: equal moves may lead to decisions of different kinds in different worlds.
        """
        return 0

    def take_notes(self) -> None:
        """From now on remember what each seat has seen, as `fill_observation` needs it.

        Call it before anything is dealt. Called later, every seat knows its own cards only.
        """

    def fill_observation(self, seat: i64, out: vec[i64], at: i64) -> None:
        """Write what the seat sees, eight numbers to a word, from word `at` on (`put_byte`).

        `ObservationLayout` says what the numbers mean. Reads nothing that the seat has not seen;
        NOBODY sees what lies open to all. Needs `take_notes`.
        """
        raise TypeError("a game with observations must define fill_observation(seat, out, at)")

    def playout(self, rng: Rng, limit: i64 = FOREVER) -> i64:
        """Play at most `limit` random moves; returns how many decisions seats made."""
        return self.play_on(rng, limit, False)

    def rollout(self, rng: Rng, limit: i64 = FOREVER) -> i64:
        """Play at most `limit` moves of `rollout_move`; returns how many decisions seats made."""
        return self.play_on(rng, limit, True)

    def play_on(self, rng: Rng, limit: i64, plausible: bool) -> i64:
        """The loop of `playout` and `rollout`."""
        decisions: i64 = 0
        while True:
            actor = self.actor
            if actor >= 0:
                if decisions == limit:
                    return decisions
                if plausible:
                    self.play(self.rollout_move(rng))
                else:
                    self.play(self.legal[rng.below(self.count)])
                decisions += 1
            elif actor == CHANCE:
                self.sample_chance(rng)
            else:
                return decisions

    # ---- for solvers: defaults that a game may replace with ones that prune more -------------

    def equivalence_key(self, deadline: i64 = -1) -> bytes:
        """Equal only for positions that are worth the same to every seat; for transposition tables.

        Like `key`, but may leave out an order that does not matter, and anything that cannot matter
        before `deadline` turns are completed; -1: before the end.
        """
        return self.key()

    def value_key(self, deadline: i64 = -1) -> bytes:
        """Equal only for positions that are worth the same to seats that see all cards.

        May leave out more than `equivalence_key`: cards that come to the same need not be told
        apart, although a seat that sees only some of the cards could learn from which one it was.
        """
        return self.equivalence_key(deadline)

    def merged_outcomes(self, deadline: i64 = -1) -> tuple[list[int], list[int]]:
        """At a chance node: outcomes and their odds, of those with equal `value_key` only one.

        That one has the odds of all it stands for. A game may leave outcomes apart.
        """
        return self.moves(), self.weights()

    def settle_turn(self, deadline: i64) -> bool:
        """Skip to the end of this turn if it is the last and the rest cannot change who wins.

        The last turn is one that ends the game or completes `deadline` turns. Returns whether it
        skipped; if so, only `actor`, `turns` and the winners are valid afterwards.
        """
        return False

    def settled_end(self) -> State | None:
        """The state at the end of this turn if the rest cannot change who wins then, else None."""
        end = self.copy()
        return end if end.settle_turn(self.turns + 1) else None

    def waiting_seat(self, turn: i64) -> i64:
        """The seat that can surely let a later turn pass so that nobody wins in it.

        `turn`: how many turns are completed when it begins. NOBODY if that is not sure.
        """
        return NOBODY

    # A proof that never read a part of the table, such as a hand, holds whatever lies there. What
    # the parts are is the game's business; what is in no part belongs to every proof.

    def reads(self, move: i64) -> i64:
        """The parts on which it can depend that the move is legal here and what it does.

        NO_MOVE: on which the list of legal moves or outcomes can depend.
        """
        return ALL_PARTS

    def part_key(self, parts: i64, deadline: i64 = -1) -> bytes:
        """Equal only for positions that are worth the same to proofs that read only these parts.

        With ALL_PARTS this is `value_key`.
        """
        return self.value_key(deadline)

    def cleanup_parts(self) -> i64:
        """The parts that the rest of the turn can change if it changes nothing else; 0 if it may.

        The turn then ends without an end of the game.
        """
        return 0

    def skip_cleanup(self) -> None:
        """Start the next turn at once; the `cleanup_parts` are not valid afterwards."""
        raise TypeError("a game with cleanup_parts() must define skip_cleanup()")

    # What a seat draws often cannot matter: whatever it is, the others keep it from winning in its
    # last turn. Here a card is known by the number of the move that plays it, and a set of cards is
    # a number with these bits.

    def next_hand(self) -> int:
        """At the end of a turn: the cards that its player may have when its next turn begins.

        Empty if that cannot be said. Then any move but to play one of them leaves the game running.
        """
        return 0

    def cards_held(self, seat: i64) -> int:
        """The cards that the seat has now; asked only if `next_hand` was not empty."""
        return 0

    def loose_cards(self) -> int:
        """At the end of a turn: the cards that a hero may then use though they are in no hand."""
        return 0

    def turn_key(self) -> bytes:
        """At the start of a turn: equal for positions that differ in nothing but hands, draw piles
        and what lies between them.
        """
        return self.key()

    def may_reach(self, move: i64, held: int, loose: int, judge: Judge) -> bool:
        """At the start of a turn: whether the move may lead to what the judge asks for.

        False only if it does not, whatever lies where `turn_key` does not look, as long as the
        player has no cards but those held, and none are loose but these.
        """
        return True

    def needs_company(self, move: i64, loose: int) -> bool:
        """Whether `may_reach` can depend on the other cards held."""
        return True

    def last_reads(self, move: i64) -> i64:
        """At the start of a last turn: the parts on which it can depend what the move leads to."""
        return ALL_PARTS

    def may_use(self, move: i64, held: int, loose: int, judge: Judge) -> int:
        """Like `may_reach`: which loose cards may help it if they lie where a hero can use them."""
        return loose

    def surely_helps(self, move: i64, judge: Judge) -> bool:
        """At the start of a turn: whether the move surely leads to what the judge asks for.

        True only if it does wherever the cards lie that `turn_key` does not look at.
        """
        return False

    def surely_uses(self, move: i64, loose: int, judge: Judge) -> int:
        """Which of these loose cards surely help the move if they lie where a hero can use them."""
        return 0

    def last_turn(self, acting: int, used: int, sure: int) -> LastTurn:
        """At the start of a last turn in which only these cards of the hand may help.

        `used`, `sure`: the cards of `may_use` and of `surely_uses`, for all of them.
        """
        return LastTurn(self.actor, acting, used, sure, 0)

    def has_sure_card(self, last: LastTurn) -> bool:
        """At the start of the last turn: whether a sure card lies where a hero can use it."""
        return False

    def late_key(self, last: LastTurn) -> bytes:
        """From the end of the turn before a last turn to its start: equal only for positions that
        are worth the same.
        """
        return self.value_key(-1)

    def late_outcomes(self, last: LastTurn) -> tuple[list[int], list[int]]:
        """Like `merged_outcomes`, of positions with equal `late_key`."""
        return self.moves(), self.weights()

    # ---- the standard library: copy and pickle ------------------------------------------------

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles everything, recorded events included.

        This serves interpreted games. Compiled ones (PackedState) need another way, because mypyc
        makes no object of a native class without calling __init__.
        """
        return _restore, (type(self), *attributes_of(self))


_VECTOR: Final = type(vec[i64]())


def attributes_of(state: State) -> tuple[dict[str, list[int]], dict[str, object]]:
    """All attributes in a form that can be pickled: vectors as lists, then all others."""
    vectors: dict[str, list[int]] = {}
    others: dict[str, object] = {}
    for name in (*getattr(type(state), "__mypyc_attrs__", ()), *getattr(state, "__dict__", ())):
        value = getattr(state, name)
        if isinstance(value, _VECTOR):
            vectors[name] = list(value)
        else:
            others[name] = value
    return vectors, others


def set_attributes(state: State, vectors: dict[str, list[int]], others: dict[str, object]) -> None:
    """The reverse of `attributes_of`."""
    for name, numbers in vectors.items():
        setattr(state, name, vec[i64](numbers))
    for name, value in others.items():
        setattr(state, name, value)


def _restore(kind: type[State], vectors: dict[str, list[int]], others: dict[str, object]) -> State:
    state = kind.__new__(kind)
    set_attributes(state, vectors, others)
    return state


# ---- for games whose table is a vector --------------------------------------------------------

Recorded = tuple[int, tuple[int, ...], tuple[int, ...]]
"""An event: its audience, what the audience sees, and what everybody else sees or nothing."""

# Shared by all states that record no events and never written to, so that copies need no lists.
_NO_EVENTS: Final[list[Recorded]] = []
_NONE_FETCHED: Final[list[int]] = []


class PackedState(State):
    """A State that keeps its cards in one vector, so that a copy is one block, and records events.

    Its subclasses are made from the same three arguments.
    """

    def __init__(self, players: i64, m: vec[i64], room: i64) -> None:
        super().__init__(players, room)
        self.m: vec[i64] = m
        self.player: i64 = 0
        """Whose turn it is."""
        self.first: i64 = NOBODY
        """Who begins; NOBODY until chance has decided."""
        self.threshold: i64 = 0
        """How many cards of one seat end the game."""
        self.recording: bool = False
        self.events: list[Recorded] = _NO_EVENTS
        self.fetched: list[int] = _NONE_FETCHED
        """For each seat, how many of the recorded events it has taken."""
        self.watched: bool = False
        """Whether events are recorded or notes are taken: one test where cards move."""
        self.noting: bool = False
        self.notes: vec[i64] = _NONE
        """What the seats have seen (`take_notes`); the game says how."""

    def copy_notes(self, other: PackedState) -> None:
        """Give a copy its own notes, if any are taken."""
        if self.noting:
            other.notes = self.notes[:]
        other.noting = self.noting
        other.watched = self.noting

    def record(self) -> None:
        self.recording = True
        self.watched = True
        self.events = []
        self.fetched = [0] * self.players

    def tell(self, audience: int, full: tuple[int, ...], rest: tuple[int, ...]) -> None:
        """Record an event: `full` for the audience, `rest` for the other seats (empty: nothing)."""
        self.events.append((audience, full, rest))

    def take_events(self, seat: i64) -> list[tuple[int, ...]]:
        events: list[tuple[int, ...]] = []
        bit = 1 << seat
        for i in range(self.fetched[seat], len(self.events)):
            audience, full, rest = self.events[i]
            if audience & bit:
                events.append(full)
            elif rest:
                events.append(rest)
        self.fetched[seat] = len(self.events)
        return events

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_packed, (type(self), self.players, *attributes_of(self))


def notes_of(state: PackedState) -> vec[i64]:
    """What the seats have seen; fails where nobody took notes, lest a seat see everything."""
    if len(state.notes) == 0:
        raise ValueError("call take_notes() on a new game before asking what its seats see")
    return state.notes


def _restore_packed(
    kind: type[PackedState], players: int, vectors: dict[str, list[int]], others: dict[str, object]
) -> PackedState:
    state = kind(players, vec[i64](), 0)
    set_attributes(state, vectors, others)
    return state
