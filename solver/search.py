"""Games with all cards open, against a coalition or random players: bounds that close in.

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
from solver.effort import DEEPEST, Effort
from solver.question import Others, Question

ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)
Interval = tuple[Fraction, Fraction]
ANYTHING: Final[Interval] = (ZERO, ONE)
FAILS: Final[Interval] = (ZERO, ZERO)
HOLDS: Final[Interval] = (ONE, ONE)

LONGEST_LINE: Final = 60
"""Choices and chances of a line that is shown."""

Step = tuple[int, int]
"""Who decides (or CHANCE), and what."""


class OpenSearch:
    """One question about one position and all that come from it."""

    def __init__(self, question: Question, root: State, effort: Effort) -> None:
        self.question = question
        self.root = root
        self.effort = effort
        self.deadline = question.deadline(root)
        self.frontier = question.turns(root)
        """Turns completed at which this round of the search looks no further."""
        self.beyond = False
        """Whether anything lay beyond the frontier."""
        self.table: dict[bytes, Interval] = {}
        self.cutoffs: dict[int, int] = {}
        """How often a move has settled its position: such moves are tried first elsewhere."""

    def values(self) -> dict[int, Interval]:
        """The value of every legal move, as exactly as the effort allows."""
        found = dict.fromkeys(self.root.moves(), ANYTHING)
        while True:
            self.frontier += 1
            self.beyond = False
            for move, known in found.items():
                if known[0] != known[1]:
                    found[move] = self.interval(after(self.root, move), ZERO, ONE, 1)
            settled = all(low == high for low, high in found.values())
            if settled or self.effort.over or not self.beyond:
                return found

    def interval(self, state: State, alpha: Fraction, beta: Fraction, depth: int) -> Interval:
        """Holds the state's value; exact, or outside the window, unless the search was cut."""
        if not self.effort.spend():
            return ANYTHING
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            return HOLDS if verdict else FAILS
        key = state.key() + b"%d" % self.question.turns(state)
        known = self.table.get(key)
        low, high = known or ANYTHING
        if known is not None and (low == high or high <= alpha or low >= beta):
            return known
        if self.question.turns(state) >= self.frontier:
            self.beyond = True
            return low, high
        if depth > DEEPEST:
            self.effort.too_deep()
            return low, high
        if state.actor == self.question.seat:
            found = self.best(state, alpha, beta, depth)
        elif state.actor != CHANCE and self.question.others is Others.COALITION:
            found = self.worst(state, alpha, beta, depth)
        else:
            found = self.mean(state, alpha, beta, depth)
        found = max(low, found[0]), min(high, found[1])
        self.table[key] = found
        return found

    def best(self, state: State, alpha: Fraction, beta: Fraction, depth: int) -> Interval:
        low = high = ZERO
        for move in self.ordered(state):
            one = self.interval(after(state, move), max(alpha, low), beta, depth + 1)
            low, high = max(low, one[0]), max(high, one[1])
            if self.effort.over:
                return low, ONE
            if low >= beta:
                self.cutoffs[move] = self.cutoffs.get(move, 0) + 1
                return low, ONE
        return low, high

    def worst(self, state: State, alpha: Fraction, beta: Fraction, depth: int) -> Interval:
        low = high = ONE
        for move in self.ordered(state):
            one = self.interval(after(state, move), alpha, min(beta, high), depth + 1)
            low, high = min(low, one[0]), min(high, one[1])
            if self.effort.over:
                return ZERO, high
            if high <= alpha:
                self.cutoffs[move] = self.cutoffs.get(move, 0) + 1
                return ZERO, high
        return low, high

    def mean(self, state: State, alpha: Fraction, beta: Fraction, depth: int) -> Interval:
        """Sums are kept times all weights, and windows while nothing changes: both save time."""
        moves, weights = outcomes(state)
        total = sum(weights)
        floor, ceiling = alpha * total, beta * total
        low, high = ZERO, Fraction(total)
        last = 0
        for move, weight in zip(moves, weights, strict=True):
            if weight != last:
                # What this outcome must be worth for the whole to come out at alpha or at beta.
                least = max(ZERO, (floor - high + weight) / weight)
                most = min(ONE, (ceiling - low) / weight)
                last = weight
            one = self.interval(after(state, move), least, most, depth + 1)
            if one[0] or one[1] != ONE:
                low += weight * one[0]
                high -= weight * (ONE - one[1])
                last = 0
                if low >= ceiling or high <= floor:
                    break
            if self.effort.over:
                break
        return low / total, high / total

    def ordered(self, state: State) -> list[int]:
        return sorted(state.moves(), key=lambda move: -self.cutoffs.get(move, 0))

    # ---- lines ----------------------------------------------------------------------------

    def line(self, move: int) -> list[Step]:
        """How it goes on after the move, luck and random players being as bad as they can."""
        steps: list[Step] = [(self.root.actor, move)]
        state = after(self.root, move)
        while len(steps) < LONGEST_LINE and self.question.verdict(state, self.deadline) is None:
            low, high = self.interval(state, ZERO, ONE, len(steps))
            step = self.proof(state, low, len(steps)) if low == high else None
            if step is None:
                break
            steps.append((state.actor, step))
            state = after(state, step)
        return steps

    def proof(self, state: State, value: Fraction, depth: int) -> int | None:
        """A move that shows the state to be worth no more, or no less, than this."""
        if state.actor == self.question.seat:
            for move in self.ordered(state):
                if self.interval(after(state, move), ZERO, value, depth + 1)[0] >= value:
                    return move
        elif state.actor != CHANCE and self.question.others is Others.COALITION:
            for move in self.ordered(state):
                if self.interval(after(state, move), value, ONE, depth + 1)[1] <= value:
                    return move
        else:
            worth = {
                move: self.interval(after(state, move), ZERO, ONE, depth + 1)
                for move in state.moves()
            }
            return min(worth, key=lambda move: worth[move])
        return None


def after(state: State, move: int) -> State:
    """The state once the move has been made."""
    following = state.copy()
    following.play(move)
    return following


def outcomes(state: State) -> tuple[list[int], list[int]]:
    """What luck, or a random player, may bring, and how often each comes."""
    moves = state.moves()
    return moves, state.weights() if state.actor == CHANCE else [1] * len(moves)
