"""Alpha-beta with bounds, for all cards open, against a coalition, random players or bots.

Every position gets an interval that contains its value; the value is exact if both ends are equal.
Positions not visited are worth between 0 and 1, so intervals hold even if the search is cut short.
The window (alpha, beta) holds the values that still matter to the positions above. At chance nodes
the window of an outcome follows from what the other outcomes can still contribute (Star1).

Iterative deepening goes turn by turn. A transposition table keeps the intervals, which only shrink.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.state import CHANCE, State
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

ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)
Interval = tuple[Fraction, Fraction]
ANYTHING: Final[Interval] = (ZERO, ONE)

Bounds = tuple[Ratio, Ratio]
"""An interval inside the search."""
OPEN: Final[Bounds] = (NEVER, ALWAYS)
TableEntry = tuple[Bounds, int, Ratio, Ratio]
"""Bounds, with the frontier and the window of the visit that gave them."""

LONGEST_LINE: Final = 60
"""Moves of a line that is shown, at most."""

LineStep = tuple[int, int]
"""Who moves (or CHANCE), and the move."""


class OpenSearch:
    """Answers one question about one position."""

    def __init__(self, question: Question, root: State, budget: NodeBudget) -> None:
        self.question = question
        self.seat = question.seat
        self.against = question.others is Others.COALITION
        """Whether the others minimise."""
        self.bots = question.others is Others.BOT
        """Whether the others are bots; if neither, they choose uniformly."""
        self.root = root
        self.budget = budget
        self.deadline = question.deadline(root)
        self.frontier: int = root.turns
        """Completed turns at which this iteration stops."""
        self.beyond = False
        """Whether this iteration stopped at the frontier anywhere."""
        self.table: dict[bytes, TableEntry] = {}
        self.cutoffs: dict[int, int] = {}
        """How often a move caused a cutoff: such moves are tried first (history heuristic)."""
        self.spare: list[State | None] = [None] * (MAX_DEPTH + 2)
        """One state per depth, reused: allocating new ones would cost more."""

    def values(self) -> dict[int, Interval]:
        """The value of every legal move, as exact as the budget allows."""
        values: dict[int, Bounds] = dict.fromkeys(self.root.moves(), OPEN)
        while True:
            self.frontier += 1
            self.beyond = False
            for move, known in values.items():
                if known[0] != known[1]:
                    values[move] = self.bounds(after(self.root, move), NEVER, ALWAYS, 1)
            settled = all(low == high for low, high in values.values())
            if settled or self.budget.over or not self.beyond:
                return {move: as_interval(bounds) for move, bounds in values.items()}

    def bounds(self, state: State, alpha: Ratio, beta: Ratio, depth: int) -> Bounds:
        """Bounds of the value: exact or outside the window, unless the search was cut short."""
        if not self.budget.spend():
            return OPEN
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            return (ALWAYS, ALWAYS) if verdict else (NEVER, NEVER)
        key = self.question.key(state, self.deadline)
        known = self.table.get(key)
        low, high = NEVER, ALWAYS
        if known is not None:
            (low, high), frontier, least, most = known
            if low == high or at_least(alpha, high) or at_least(low, beta):
                return low, high
            if frontier == self.frontier and at_least(alpha, least) and at_least(most, beta):
                return low, high
        if state.turns >= self.frontier:
            self.beyond = True
            return low, high
        if depth > MAX_DEPTH:
            self.budget.too_deep()
            return low, high
        if state.actor == self.seat:
            bounds = self.best(state, alpha, beta, depth)
        elif state.actor != CHANCE and self.against:
            bounds = self.worst(state, alpha, beta, depth)
        elif state.actor != CHANCE and self.bots:
            reply = self.next(state, self.question.reply(state), depth)
            bounds = self.bounds(reply, alpha, beta, depth + 1)
        else:
            bounds = self.mean(state, alpha, beta, depth)
        bounds = larger(low, bounds[0]), smaller(high, bounds[1])
        self.table[key] = bounds, self.frontier, alpha, beta
        return bounds

    def best(self, state: State, alpha: Ratio, beta: Ratio, depth: int) -> Bounds:
        low, high = NEVER, NEVER
        for move in self.ordered(state):
            below = self.bounds(self.next(state, move, depth), larger(alpha, low), beta, depth + 1)
            low, high = larger(low, below[0]), larger(high, below[1])
            if self.budget.over:
                return low, ALWAYS
            if at_least(low, beta):
                self.cutoffs[move] = self.cutoffs.get(move, 0) + 1
                return low, ALWAYS
        return low, high

    def worst(self, state: State, alpha: Ratio, beta: Ratio, depth: int) -> Bounds:
        low, high = ALWAYS, ALWAYS
        for move in self.ordered(state):
            following = self.next(state, move, depth)
            below = self.bounds(following, alpha, smaller(beta, high), depth + 1)
            low, high = smaller(low, below[0]), smaller(high, below[1])
            if self.budget.over:
                return NEVER, high
            if at_least(alpha, high):
                self.cutoffs[move] = self.cutoffs.get(move, 0) + 1
                return NEVER, high
        return low, high

    def mean(self, state: State, alpha: Ratio, beta: Ratio, depth: int) -> Bounds:
        """For speed, sums are scaled by the total weight and windows reused while unchanged."""
        moves, weights = outcomes(state)
        total = sum(weights)
        floor, ceiling = times(alpha, total), times(beta, total)
        low: Ratio = NEVER
        high: Ratio = (total, 1)
        least, most = NEVER, ALWAYS
        last = 0
        for move, weight in zip(moves, weights, strict=True):
            if weight != last:
                # What this outcome must be worth for the mean to reach alpha or beta.
                least = larger(NEVER, divided(plus(minus(floor, high), (weight, 1)), weight))
                most = smaller(ALWAYS, divided(minus(ceiling, low), weight))
                last = weight
            below = self.bounds(self.next(state, move, depth), least, most, depth + 1)
            if below != OPEN:
                low = plus(low, times(below[0], weight))
                high = minus(high, times(minus(ALWAYS, below[1]), weight))
                last = 0
                if at_least(low, ceiling) or at_least(floor, high):
                    break
            if self.budget.over:
                break
        return divided(low, total), divided(high, total)

    def next(self, state: State, move: int, depth: int) -> State:
        """The state after the move; valid until the next call at this depth."""
        following = state.copy_into(self.spare[depth])
        self.spare[depth] = following
        following.play(move)
        return following

    def ordered(self, state: State) -> list[int]:
        """The legal moves, those with the most cutoffs first."""
        moves = state.moves()
        if len(moves) > 1:
            cutoffs = self.cutoffs
            moves.sort(key=lambda move: -cutoffs.get(move, 0))
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

    def proof(self, state: State, value: Ratio, depth: int) -> int | None:
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


def as_interval(bounds: Bounds) -> Interval:
    """The bounds as fractions."""
    (low, lower), (high, higher) = bounds
    return Fraction(low, lower), Fraction(high, higher)


def after(state: State, move: int) -> State:
    """A copy of the state after the move."""
    following = state.copy()
    following.play(move)
    return following


def outcomes(state: State) -> tuple[list[int], list[int]]:
    """The outcomes of chance, or of a random player, with their weights."""
    moves = state.moves()
    return moves, state.weights() if state.actor == CHANCE else [1] * len(moves)
