"""Alpha-beta with bounds, for all cards open, against a coalition, random players or bots.

Every position gets an interval that contains its value; the value is exact if both ends are equal.
Positions not visited are worth between 0 and 1, so intervals hold even if the search is cut short.
The window (alpha, beta) holds the values that still matter to the positions above. At chance nodes
the window of an outcome follows from what the other outcomes can still contribute (Star1).

Iterative deepening goes turn by turn. A transposition table keeps the intervals, which only shrink.

Every bound comes with the parts of the table that its proof read (`State.reads`). At the start of a
turn it is stored under a key of these parts alone, as in the partition search of bridge solvers, so
it is found again however the rest lies. Drawing and discarding at the end of a turn are therefore
skipped first: if the proof after that reads nothing that they change, it holds whatever is drawn.
Without `jumps` there is none of this, and every proof is a tree that a certificate can show.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from librt.vecs import vec
from mypy_extensions import i16, i64

from games.errors import GameError
from games.state import ALL_PARTS, CHANCE, NO_MOVE, LastTurn, State
from solver.core.budget import MAX_DEPTH, NodeBudget
from solver.core.question import Others, Question
from solver.core.ratio import (
    ALWAYS,
    NEVER,
    Ratio,
    at_least,
    divided,
    larger,
    minus,
    plus,
    smaller,
    times,
)
from solver.search.any_hand import MANY_CARDS, AnyHand
from solver.search.proofs import (
    NO_EFFORT,
    NOTHING_PROVEN,
    Partitions,
    ReadProof,
    TableEntry,
    decided,
    holds_for_all,
    tighter,
    without,
)

ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)
Interval = tuple[Fraction, Fraction]
ANYTHING: Final[Interval] = (ZERO, ONE)

Bounds = tuple[Ratio, Ratio]
"""An interval inside the search."""
OPEN: Final[Bounds] = (NEVER, ALWAYS)

ANY_MOVE: Final = -1
"""The set of all moves, as bits."""

MOST_UNDRAWN: Final = 8
"""Turns ahead that are searched without drawing before anything is drawn."""

FIRST_SHARE: Final = 20_000
"""Positions for each root move before the next one is searched; four times as many next time."""

LONGEST_LINE: Final = 60
"""Moves of a line that is shown, at most."""

LineStep = tuple[int, int]
"""Who moves (or CHANCE), and the move."""

# While moves are sorted, each is one number: parts that it reads (how many), cutoffs, move, parts.
_CUTOFF_BITS: Final = 15
_MOST_CUTOFFS: Final = 32767
_MOVE_BITS: Final = 16
_MOVE: Final = 65535
_READ_BITS: Final = 24


class OpenSearch:
    """Answers one question about one position."""

    def __init__(
        self,
        question: Question,
        root: State,
        budget: NodeBudget,
        jumps: bool = False,
        helped: bool = False,
        many: int = MANY_CARDS,
    ) -> None:
        """`helped`: whether the others do what is best for the goal, whatever the question says.

        `many`: see `any_hand`.
        """
        if root.move_limit > _MOVE:
            raise GameError(f"the solver can handle {_MOVE} moves, not {root.move_limit}")
        self.question = question
        self.helped = helped
        self.jumps = jumps and question.others is not Others.BOT  # a bot may look at anything
        self.seat: i64 = question.seat
        self.against = question.others is Others.COALITION
        """Whether the others minimise."""
        self.bots = question.others is Others.BOT
        """Whether the others are bots; if neither, they choose uniformly."""
        self.root = root
        self.budget = budget
        self.deadline: i64 = question.deadline(root)
        if self.jumps and not helped:
            self.deadline = question.last_turn(root)
        self.any_hand: AnyHand | None = None
        """Finds what the others can do against any hand that the seat may draw."""
        if (
            self.jumps
            and self.against
            and not helped
            and question.watch is None  # it would be shown positions with stand-ins
            and not question.goal.unless_decided
        ):
            self.any_hand = AnyHand(question, self.deadline, budget, many)
        self.refutations: dict[bytes, list[int]] = {}
        """By position at the end of a turn: sets of cards; a hand without any of them has lost."""
        self.refuting: list[int] | None = None
        """Those of the position whose drawing is searched now; None if none is."""
        self.last: LastTurn | None = None
        """From the end of the turn before the last one on: what can matter then."""
        self.partitions_by_loose: dict[int, Partitions] = {}
        self.helpful = ANY_MOVE
        """The moves that may help in the last turn that begins now, as bits."""
        self.frontier: i64 = root.turns
        """Completed turns at which this iteration stops."""
        self.beyond = False
        """Whether this iteration stopped at the frontier anywhere."""
        self.draws = True
        """Whether this iteration follows what is drawn at the end of a turn, if that matters."""
        self.undrawn = False
        """Whether this iteration left out anything drawn that may matter."""
        self.table: dict[bytes, TableEntry] = {}
        self.partitions = Partitions(self.deadline)
        self.cutoffs: vec[i16] = vec[i16]([0] * root.move_limit)
        """How often a move caused a cutoff: such moves are tried first (history heuristic)."""
        self.spare: list[State | None] = [None] * (MAX_DEPTH + 2)
        """One state per depth, reused: allocating new ones would cost more."""

    def values(self) -> dict[int, Interval]:
        """The value of every legal move, as exact as the budget allows."""
        values: dict[int, Bounds] = dict.fromkeys(self.root.moves(), OPEN)
        self.budget.words = lambda: so_far([as_interval(bounds) for bounds in values.values()])
        start = self.root.turns
        if self.jumps and self.deadline > 0:
            # Nothing is decided at a nearer frontier, so nothing could be cut off there.
            start = self.deadline - 1
        for draws in [False, True] if self.jumps else [True]:
            self.draws = draws
            self.frontier = start
            self.beyond = self.undrawn = True
            while self.beyond or (self.draws and self.undrawn):
                self.frontier += 1
                self.beyond = self.undrawn = False
                if self.deepened(values) or self.budget.over:
                    break
                if not self.draws and self.frontier >= self.root.turns + MOST_UNDRAWN:
                    break
            if self.budget.over or (not self.undrawn and not self.beyond):
                break
            if not self.beyond:
                start = self.frontier - 1  # as far as any line went
        self.draws = True  # lines and certificates follow whatever is drawn
        return {move: as_interval(bounds) for move, bounds in values.items()}

    def deepened(self, values: dict[int, Bounds]) -> bool:
        """Narrow the values up to the frontier; returns whether all are exact now.

        The moves take turns, each time with more positions, so that none uses up the budget alone.
        """
        share = FIRST_SHARE
        waiting = [move for move, (low, high) in values.items() if low != high]
        while waiting and not self.budget.over:
            unfinished = []
            for move in waiting:
                self.budget.open_slice(share)
                found = self.bounds(after(self.root, move), NEVER, ALWAYS, 1)
                cut_short = self.budget.close_slice()
                low, high = values[move]
                values[move] = low, high = larger(low, found[0]), smaller(high, found[1])
                if cut_short and low != high:
                    unfinished.append(move)
            waiting = unfinished
            share *= 4
        return all(low == high for low, high in values.values())

    def bounds(self, state: State, alpha: Ratio, beta: Ratio, depth: i64) -> Bounds:
        """Bounds of the value: exact or outside the window, unless the search was cut short."""
        proof = self.proven(state, alpha, beta, depth, False, 0)
        return proof[0], proof[1]

    def proven(
        self, state: State, alpha: Ratio, beta: Ratio, depth: i64, begins: bool, needed: i64
    ) -> ReadProof:
        """The same, with what the proofs read.

        `begins`: whether a turn begins; `needed`: parts known to matter after this turn.
        """
        if not self.budget.spend():
            return NOTHING_PROVEN
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            return (ALWAYS, ALWAYS, 0, 0) if verdict else (NEVER, NEVER, 0, 0)
        parts: i64 = 0
        if self.jumps and not begins:
            parts = state.cleanup_parts()
        if parts and self.refuting is not None and self.last is None:
            any_hand = self.any_hand
            if any_hand is not None and any_hand.is_before_last(state):
                return self.before_last(any_hand, state, alpha, beta, depth, needed)
        partitioned = begins and self.jumps and self.last is None
        known = self.partitions.remembered(state) if partitioned else NOTHING_PROVEN
        if decided(known, alpha, beta):
            return known
        key = self.key(state, begins or parts != 0)
        entry = self.table.get(key)
        if entry is not None:
            known = tighter(known, entry.known)
            if decided(known, alpha, beta) or entry.answers(self.effort(), alpha, beta):
                return known
        if state.turns >= self.frontier:
            self.beyond = True
            return known
        if depth > MAX_DEPTH:
            self.budget.too_deep()
            return known
        if parts and state.turns + 1 >= self.frontier:
            self.beyond = True  # what is drawn matters only beyond the frontier
            return known
        any_hand = self.any_hand
        if any_hand is not None:
            if parts and self.refuting is None and any_hand.applies(state):
                return self.drawing(any_hand, state, alpha, beta, depth, needed)
            if self.refuting is not None:
                known = tighter(known, self.for_any_hand(any_hand, state, begins, parts))
        if parts and not decided(known, alpha, beta):
            if not parts & needed:
                skipped = self.after_cleanup(state, alpha, beta, depth)
                known = tighter(known, without(skipped, parts))
                needed |= (skipped[2] | skipped[3]) & parts
            if not self.draws and not decided(known, alpha, beta):
                self.undrawn = True
                return known
        if not decided(known, alpha, beta) and not self.budget.over:
            known = tighter(known, self.searched(state, alpha, beta, depth, needed, parts))
        self.helpful = ANY_MOVE
        # A visit that was cut short must be made again.
        effort: i64 = NO_EFFORT
        if not self.budget.over:
            effort = self.effort()
        self.table[key] = TableEntry(known, effort, alpha, beta)
        if partitioned:
            self.partitions.remember(state, known)
        return known

    # ---- whatever is drawn ----------------------------------------------------------------

    def drawing(
        self,
        any_hand: AnyHand,
        state: State,
        alpha: Ratio,
        beta: Ratio,
        depth: i64,
        needed: i64,
    ) -> ReadProof:
        """The same, where a turn of the seat ends that has only one more."""
        any_hand.enter(state)
        key = state.key()
        refutations = self.refutations.get(key)
        if refutations is None:
            refutations = any_hand.refutations(state)
            if not self.budget.over:
                self.refutations[key] = refutations
        partitions = self.partitions
        self.refuting = refutations
        # Which cards may help depends on what is loose, so proofs hold only where the same is.
        there = self.partitions_by_loose.get(any_hand.loose)
        if there is None:
            there = self.partitions_by_loose[any_hand.loose] = Partitions(self.deadline)
        self.partitions = there
        proof = self.proven(state, alpha, beta, depth, False, needed)
        self.refuting = None
        self.partitions = partitions
        return proof

    def before_last(
        self,
        any_hand: AnyHand,
        state: State,
        alpha: Ratio,
        beta: Ratio,
        depth: i64,
        needed: i64,
    ) -> ReadProof:
        """The same at the end of the turn before the last one."""
        following = state.copy()
        following.skip_cleanup()
        last = any_hand.last_turn(following)
        if last is None:
            return NOTHING_PROVEN
        if last.acting == 0:
            return NEVER, NEVER, 0, following.reads(NO_MOVE)
        sure = any_hand.sure_card(following, last.acting)
        if sure != NO_MOVE:
            return ALWAYS, ALWAYS, following.last_reads(sure), 0
        self.last = last
        proof = self.proven(state, alpha, beta, depth, False, needed)
        self.last = None
        return proof

    def for_any_hand(self, any_hand: AnyHand, state: State, begins: bool, parts: i64) -> ReadProof:
        """What the refutations prove of the hand that the seat has, or may still draw.

        At the start of the last turn, notes which cards may help.
        """
        turns_to_go = self.deadline - state.turns
        if begins and turns_to_go == 1:
            last = self.last
            helpful = any_hand.helpful_in_hand(state) if last is None else last.acting
            if helpful == 0:
                return NEVER, NEVER, 0, state.reads(NO_MOVE)
            if last is not None and state.has_sure_card(last):
                return ALWAYS, ALWAYS, ALL_PARTS, 0
            self.helpful = helpful
        elif begins and turns_to_go == state.players:
            held = state.cards_held(self.seat)
            if self.is_refuted(held):
                return NEVER, NEVER, 0, ALL_PARTS
        elif parts and turns_to_go == state.players + 1 and self.is_refuted(state.next_hand()):
            reads: i64 = ALL_PARTS
            if self.refuting is not None and 0 in self.refuting:
                reads &= ~parts  # whatever is drawn
            return NEVER, NEVER, 0, reads
        return NOTHING_PROVEN

    def is_refuted(self, held: int) -> bool:
        return any(refutation & held == 0 for refutation in self.refuting or ())

    def key(self, state: State, between: bool) -> bytes:
        """`between`: whether no hero is acting."""
        if self.last is not None and between:
            return state.late_key(self.last)
        if self.jumps:
            return state.value_key(self.deadline)
        return self.question.key(state, self.deadline)

    def effort(self) -> i64:
        """Numbers the iterations."""
        if self.draws:
            return self.frontier * 2 + 1
        return self.frontier * 2

    def searched(
        self, state: State, alpha: Ratio, beta: Ratio, depth: i64, needed: i64, parts: i64
    ) -> ReadProof:
        """What the positions after this one prove."""
        if state.actor == self.seat or (self.helped and state.actor != CHANCE):
            return self.best(state, alpha, beta, depth, needed, parts)
        if state.actor == CHANCE or not (self.against or self.bots):
            return self.mean(state, alpha, beta, depth, needed, parts)
        if self.against:
            return self.worst(state, alpha, beta, depth, needed, parts)
        reply = self.question.reply(state)
        return self.below(state, reply, ALL_PARTS, alpha, beta, depth, needed, parts)

    def below(
        self,
        state: State,
        move: i64,
        reads: i64,
        alpha: Ratio,
        beta: Ratio,
        depth: i64,
        needed: i64,
        parts: i64,
    ) -> ReadProof:
        """What is proven after the move; what was read to make it (`reads`) is included.

        Not so if moves here differ only in `parts` and these do not matter.
        """
        following = self.next(state, move, depth)
        begins = following.turns != state.turns
        if begins:
            needed = 0
        proof = self.proven(following, alpha, beta, depth + 1, begins, needed)
        if not self.jumps or holds_for_all(proof, parts):
            return proof
        return proof[0], proof[1], proof[2] | reads, proof[3] | reads

    def best(
        self, state: State, alpha: Ratio, beta: Ratio, depth: i64, needed: i64, parts: i64
    ) -> ReadProof:
        low, high = NEVER, NEVER
        read_for_low: i64 = 0
        read_for_high = state.reads(NO_MOVE)
        moves = self.sorted_moves(state)
        helpful, self.helpful = self.helpful, ANY_MOVE
        for i in range(len(moves)):
            move, reads = unpacked(moves[i])
            if helpful != ANY_MOVE and not helpful >> int(move) & 1:
                continue
            below = self.below(state, move, reads, larger(alpha, low), beta, depth, needed, parts)
            if helpful != ANY_MOVE:
                reads = state.last_reads(move)
                below = below[0], below[1], reads, reads
            if holds_for_all(below, parts):
                return below
            if not at_least(low, below[0]):
                low, read_for_low = below[0], below[2]
            high = larger(high, below[1])
            read_for_high |= below[3]
            if self.budget.over:
                return low, ALWAYS, read_for_low, 0
            if at_least(low, beta):
                self.note_cutoff(move)
                return low, ALWAYS, read_for_low, 0
        return low, high, read_for_low, read_for_high

    def worst(
        self, state: State, alpha: Ratio, beta: Ratio, depth: i64, needed: i64, parts: i64
    ) -> ReadProof:
        low, high = ALWAYS, ALWAYS
        read_for_low = state.reads(NO_MOVE)
        read_for_high: i64 = 0
        moves = self.sorted_moves(state)
        for i in range(len(moves)):
            move, reads = unpacked(moves[i])
            below = self.below(state, move, reads, alpha, smaller(beta, high), depth, needed, parts)
            if holds_for_all(below, parts):
                return below
            low = smaller(low, below[0])
            read_for_low |= below[2]
            if not at_least(below[1], high):
                high, read_for_high = below[1], below[3]
            if self.budget.over:
                return NEVER, high, 0, read_for_high
            if at_least(alpha, high):
                self.note_cutoff(move)
                return NEVER, high, 0, read_for_high
        return low, high, read_for_low, read_for_high

    def mean(
        self, state: State, alpha: Ratio, beta: Ratio, depth: i64, needed: i64, parts: i64
    ) -> ReadProof:
        """For speed, sums are scaled by the total weight and windows reused while unchanged."""
        if self.last is not None and state.cleanup_parts():
            moves, weights = state.late_outcomes(self.last)
        elif self.jumps and state.actor == CHANCE:
            moves, weights = state.merged_outcomes(self.deadline)
        else:
            moves, weights = outcomes(state)
        total = sum(weights)
        floor, ceiling = times(alpha, total), times(beta, total)
        low: Ratio = NEVER
        high: Ratio = (total, 1)
        read_for_low = read_for_high = state.reads(NO_MOVE)
        least, most = NEVER, ALWAYS
        last = 0
        for i in range(len(moves)):
            move: i64 = moves[i]
            weight = weights[i]
            if weight != last:
                # What this outcome must be worth for the mean to reach alpha or beta.
                least = larger(NEVER, divided(plus(minus(floor, high), (weight, 1)), weight))
                most = smaller(ALWAYS, divided(minus(ceiling, low), weight))
                last = weight
            below = self.below(state, move, state.reads(move), least, most, depth, needed, parts)
            if holds_for_all(below, parts):
                return below
            if below[0] != NEVER:
                low = plus(low, times(below[0], weight))
                read_for_low |= below[2]
                last = 0
            if below[1] != ALWAYS:
                high = minus(high, times(minus(ALWAYS, below[1]), weight))
                read_for_high |= below[3]
                last = 0
            if last == 0 and (at_least(low, ceiling) or at_least(floor, high)):
                break
            if self.budget.over:
                break
        return divided(low, total), divided(high, total), read_for_low, read_for_high

    # ---- what proofs read -----------------------------------------------------------------

    def after_cleanup(self, state: State, alpha: Ratio, beta: Ratio, depth: i64) -> ReadProof:
        """What is proven at the start of the next turn if nothing is drawn or discarded."""
        following = state.copy_into(self.spare[depth])
        self.spare[depth] = following
        following.skip_cleanup()
        return self.proven(following, alpha, beta, depth + 1, True, 0)

    def next(self, state: State, move: i64, depth: i64) -> State:
        """The state after the move; valid until the next call at this depth."""
        following = state.copy_into(self.spare[depth])
        self.spare[depth] = following
        following.play(move)
        return following

    def note_cutoff(self, move: i64) -> None:
        if self.cutoffs[move] < _MOST_CUTOFFS:
            self.cutoffs[move] += 1

    def ordered(self, state: State) -> list[int]:
        """The legal moves: those that read little first, then those with the most cutoffs."""
        moves = self.sorted_moves(state)
        return [int(unpacked(moves[i])[0]) for i in range(len(moves))]

    def sorted_moves(self, state: State) -> vec[i64]:
        """The same, each packed into one number with what it reads."""
        count = state.count
        moves = vec[i64]([0] * count)
        for i in range(count):
            move = state.legal[i]
            reads = state.reads(move)
            rank = (bit_count(reads) << _CUTOFF_BITS) + _MOST_CUTOFFS - i64(self.cutoffs[move])
            packed = (((rank << _MOVE_BITS) + move) << _READ_BITS) + reads
            at = i
            while at > 0 and moves[at - 1] > packed:
                moves[at] = moves[at - 1]
                at -= 1
            moves[at] = packed
        return moves

    # ---- lines ----------------------------------------------------------------------------

    def line(self, move: int) -> list[LineStep]:
        """The line after the move, with the worst outcome of chance and of random players."""
        steps: list[LineStep] = [(self.root.actor, move)]
        state = after(self.root, move)
        while len(steps) < LONGEST_LINE and self.question.verdict(state, self.deadline) is None:
            low, high = self.bounds(state, NEVER, ALWAYS, len(steps))
            step = self.proof(state, low, len(steps)) if low == high else None
            if step is None:
                break
            steps.append((state.actor, step))
            state = after(state, step)
        return steps

    def proof(self, state: State, value: Ratio, depth: i64) -> int | None:
        """A move that proves the state to be worth at most, or at least, this value."""
        if state.actor == self.seat:
            for move in self.ordered(state):
                if at_least(self.bounds(after(state, move), NEVER, value, depth + 1)[0], value):
                    return move
        elif state.actor != CHANCE and self.against:
            for move in self.ordered(state):
                if at_least(value, self.bounds(after(state, move), value, ALWAYS, depth + 1)[1]):
                    return move
        elif state.actor != CHANCE and self.bots:
            return self.question.reply(state)
        else:
            worth = [
                (as_interval(self.bounds(after(state, move), NEVER, ALWAYS, depth + 1)), move)
                for move in state.moves()
            ]
            return min(worth)[1]
        return None


def bit_count(bits: i64) -> i64:
    """How many of the bits are set."""
    count: i64 = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def unpacked(packed: i64) -> tuple[i64, i64]:
    """A move, and what it reads, of `OpenSearch.sorted_moves`."""
    return (packed >> _READ_BITS) & _MOVE, packed & ALL_PARTS


def as_interval(bounds: Bounds) -> Interval:
    """The bounds as fractions."""
    (low, lower), (high, higher) = bounds
    return Fraction(low, lower), Fraction(high, higher)


def so_far(values: list[Interval]) -> str:
    """What is known of the moves, in words."""
    exact = sum(low == high for low, high in values)
    low, high = max(low for low, _ in values), max(high for _, high in values)
    best = f"{low}" if low == high else f"{float(low):.3g} to {float(high):.3g}"
    return f"{exact} of {len(values)} moves exact, the best is worth {best}"


def after(state: State, move: int) -> State:
    """A copy of the state after the move."""
    following = state.copy()
    following.play(move)
    return following


def outcomes(state: State) -> tuple[list[int], list[int]]:
    """The outcomes of chance, or of a random player, with their weights."""
    moves = state.moves()
    return moves, state.weights() if state.actor == CHANCE else [1] * len(moves)
