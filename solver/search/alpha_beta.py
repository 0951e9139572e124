"""Games with all cards open, against a coalition, random players or bots: bounds that close in.

Every position gets an interval that holds its value; an exact one has equal ends. What is not
looked at is worth something between 0 and 1: whatever cuts the search short, intervals stay true.
Windows (alpha, beta) say which values would still make a difference to the positions above, also
through luck, where the window of an outcome follows from what the others can still add.

The search deepens turn by turn. Positions that come up again, in the same or a later round, are
looked up; intervals only ever shrink.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from games.state import CHANCE, State
from solver.core.budget import DEEPEST, NodeBudget
from solver.core.question import Others, Question
from solver.core.ratio import (
    ALWAYS,
    NEVER,
    Ratio,
    at_least,
    larger,
    minus,
    parted,
    plus,
    smaller,
    times,
)

ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)
Interval = tuple[Fraction, Fraction]
ANYTHING: Final[Interval] = (ZERO, ONE)
FAILS: Final[Interval] = (ZERO, ZERO)
HOLDS: Final[Interval] = (ONE, ONE)

Bounds = tuple[Ratio, Ratio]
"""An interval within the search."""
OPEN: Final[Bounds] = (NEVER, ALWAYS)
Known = tuple[Bounds, int, Ratio, Ratio]
"""Bounds, and the round and the window of the look that gave them."""

LONGEST_LINE: Final = 60
"""Choices and chances of a line that is shown."""

Step = tuple[int, int]
"""Who decides (or CHANCE), and what."""


class OpenSearch:
    """One question about one position and all that come from it."""

    def __init__(self, question: Question, root: State, budget: NodeBudget) -> None:
        self.question = question
        self.seat = question.seat
        self.against = question.others is Others.COALITION
        """Whether the others want the worst."""
        self.bots = question.others is Others.BOT
        """Whether the others do what their bot does; else they choose evenly."""
        self.root = root
        self.budget = budget
        self.deadline = question.deadline(root)
        self.frontier: int = root.turns
        """Turns completed at which this round of the search looks no further."""
        self.beyond = False
        """Whether anything lay beyond the frontier."""
        self.table: dict[bytes, Known] = {}
        self.cutoffs: dict[int, int] = {}
        """How often a move has settled its position: such moves are tried first elsewhere."""
        self.spare: list[State | None] = [None] * (DEEPEST + 2)
        """One state for each depth, used again and again: making new ones would cost more."""

    def values(self) -> dict[int, Interval]:
        """The value of every legal move, as exactly as the effort allows."""
        found: dict[int, Bounds] = dict.fromkeys(self.root.moves(), OPEN)
        while True:
            self.frontier += 1
            self.beyond = False
            for move, known in found.items():
                if known[0] != known[1]:
                    found[move] = self.bounds(after(self.root, move), NEVER, ALWAYS, 1)
            settled = all(low == high for low, high in found.values())
            if settled or self.budget.over or not self.beyond:
                return {move: told(bounds) for move, bounds in found.items()}

    def bounds(self, state: State, alpha: Ratio, beta: Ratio, depth: int) -> Bounds:
        """Hold the state's value; exact, or outside the window, unless the search was cut."""
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
        if depth > DEEPEST:
            self.budget.too_deep()
            return low, high
        if state.actor == self.seat:
            found = self.best(state, alpha, beta, depth)
        elif state.actor != CHANCE and self.against:
            found = self.worst(state, alpha, beta, depth)
        elif state.actor != CHANCE and self.bots:
            reply = self.next(state, self.question.reply(state), depth)
            found = self.bounds(reply, alpha, beta, depth + 1)
        else:
            found = self.mean(state, alpha, beta, depth)
        found = larger(low, found[0]), smaller(high, found[1])
        self.table[key] = found, self.frontier, alpha, beta
        return found

    def best(self, state: State, alpha: Ratio, beta: Ratio, depth: int) -> Bounds:
        low, high = NEVER, NEVER
        for move in self.ordered(state):
            one = self.bounds(self.next(state, move, depth), larger(alpha, low), beta, depth + 1)
            low, high = larger(low, one[0]), larger(high, one[1])
            if self.budget.over:
                return low, ALWAYS
            if at_least(low, beta):
                self.cutoffs[move] = self.cutoffs.get(move, 0) + 1
                return low, ALWAYS
        return low, high

    def worst(self, state: State, alpha: Ratio, beta: Ratio, depth: int) -> Bounds:
        low, high = ALWAYS, ALWAYS
        for move in self.ordered(state):
            one = self.bounds(self.next(state, move, depth), alpha, smaller(beta, high), depth + 1)
            low, high = smaller(low, one[0]), smaller(high, one[1])
            if self.budget.over:
                return NEVER, high
            if at_least(alpha, high):
                self.cutoffs[move] = self.cutoffs.get(move, 0) + 1
                return NEVER, high
        return low, high

    def mean(self, state: State, alpha: Ratio, beta: Ratio, depth: int) -> Bounds:
        """Sums are kept times all weights, and windows while nothing changes: both save time."""
        moves, weights = outcomes(state)
        total = sum(weights)
        floor, ceiling = times(alpha, total), times(beta, total)
        low: Ratio = NEVER
        high: Ratio = (total, 1)
        least, most = NEVER, ALWAYS
        last = 0
        for move, weight in zip(moves, weights, strict=True):
            if weight != last:
                # What this outcome must be worth for the whole to come out at alpha or at beta.
                least = larger(NEVER, parted(plus(minus(floor, high), (weight, 1)), weight))
                most = smaller(ALWAYS, parted(minus(ceiling, low), weight))
                last = weight
            one = self.bounds(self.next(state, move, depth), least, most, depth + 1)
            if one != OPEN:
                low = plus(low, times(one[0], weight))
                high = minus(high, times(minus(ALWAYS, one[1]), weight))
                last = 0
                if at_least(low, ceiling) or at_least(floor, high):
                    break
            if self.budget.over:
                break
        return parted(low, total), parted(high, total)

    def next(self, state: State, move: int, depth: int) -> State:
        """The state after the move, until the next one is asked for at this depth."""
        following = state.copy_into(self.spare[depth])
        self.spare[depth] = following
        following.play(move)
        return following

    def ordered(self, state: State) -> list[int]:
        """The moves that have settled most elsewhere first."""
        moves = state.moves()
        if len(moves) > 1:
            cutoffs = self.cutoffs
            moves.sort(key=lambda move: -cutoffs.get(move, 0))
        return moves

    # ---- lines ----------------------------------------------------------------------------

    def line(self, move: int) -> list[Step]:
        """How it goes on after the move, luck and random players being as bad as they can."""
        steps: list[Step] = [(self.root.actor, move)]
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
        """A move that shows the state to be worth no more, or no less, than this."""
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
                (told(self.bounds(after(state, move), NEVER, ALWAYS, depth + 1)), move)
                for move in state.moves()
            ]
            return min(worth)[1]
        return None


def told(bounds: Bounds) -> Interval:
    """The bounds as everybody else reads them."""
    (low, lower), (high, higher) = bounds
    return Fraction(low, lower), Fraction(high, higher)


def after(state: State, move: int) -> State:
    """The state once the move has been made."""
    following = state.copy()
    following.play(move)
    return following


def outcomes(state: State) -> tuple[list[int], list[int]]:
    """What luck, or a random player, may bring, and how often each comes."""
    moves = state.moves()
    return moves, state.weights() if state.actor == CHANCE else [1] * len(moves)
