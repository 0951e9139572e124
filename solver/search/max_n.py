"""Max^n with a transposition table, for all cards open and every seat playing for itself.

A seat's choice depends on every chance below, so there is no pruning by windows; only a move that
cannot be improved on ends the loop early. Between moves that are equal for itself, an opponent
takes the one that is worse for the goal, then the first; the solving seat takes its first best.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Final

from games.state import CHANCE, NOBODY, State
from solver.core.budget import MAX_DEPTH, BudgetExceeded, NodeBudget
from solver.core.question import Question
from solver.search.alpha_beta import ANYTHING, LONGEST_LINE, Interval, LineStep, after, outcomes

SeatChances = tuple[int, ...]
"""A common denominator, then as numerators the chance of the goal and of each seat to win."""

GOAL: Final = 1
FIRST_SEAT: Final = 2


class SelfishSearch:
    """Answers one question about one position."""

    def __init__(self, question: Question, root: State, budget: NodeBudget) -> None:
        self.question = question
        self.root = root
        self.budget = budget
        self.deadline = question.deadline(root)
        self.table: dict[bytes, SeatChances] = {}
        self.spare: list[State | None] = [None] * (MAX_DEPTH + 2)
        """One state per depth, reused."""

    def values(self) -> dict[int, Interval]:
        """The value of every legal move; 0 to 1 for those that the budget does not reach."""
        values = dict.fromkeys(self.root.moves(), ANYTHING)
        for move in values:
            try:
                chances = self.chances(after(self.root, move), 1)
            except BudgetExceeded:
                break
            value = Fraction(chances[GOAL], chances[0])
            values[move] = (value, value)
        return values

    def chances(self, state: State, depth: int) -> SeatChances:
        if not self.budget.spend():
            raise BudgetExceeded("too many positions")
        settled = self.settled(state)
        if settled is not None:
            return settled
        key = state.equivalence_key(self.deadline)
        known = self.table.get(key)
        if known is None:
            if depth > MAX_DEPTH:
                self.budget.too_deep()
                raise BudgetExceeded("too deep")
            chance = state.actor == CHANCE
            known = self.mean(state, depth) if chance else self.choice(state, depth)[1]
            self.table[key] = known
        return known

    def settled(self, state: State) -> SeatChances | None:
        """Everyone's chances if the goal is settled, else None."""
        goal = self.question.verdict(state, self.deadline)
        if goal is None:
            return None
        over = state.actor == NOBODY
        chances = [1, 1 if goal else 0]
        for seat in range(state.players):
            chances.append(1 if over and state.wins(seat) else 0)
        return tuple(chances)

    def mean(self, state: State, depth: int) -> SeatChances:
        """The expected chances at a chance node."""
        moves, weights = outcomes(state)
        total = [1] + [0] * (state.players + 1)
        for move, weight in zip(moves, weights, strict=True):
            below = self.chances(self.next(state, move, depth), depth + 1)
            common = total[0] * below[0] // gcd(total[0], below[0])
            scale, share = common // total[0], weight * (common // below[0])
            for at in range(1, len(total)):
                total[at] = total[at] * scale + below[at] * share
            total[0] = common
        total[0] *= sum(weights)
        shared = total[0]
        for number in total:
            shared = gcd(shared, number)
        return tuple([number // shared for number in total])

    def choice(self, state: State, depth: int) -> tuple[int, SeatChances]:
        """The move that the actor takes, the first of its best, and the chances after it."""
        mine = state.actor == self.question.seat
        own: int = GOAL if mine else FIRST_SEAT + state.actor
        chosen = -1
        best: SeatChances = ()
        for move in state.moves():
            below = self.chances(self.next(state, move, depth), depth + 1)
            if chosen < 0 or better(below, best, own, mine):
                chosen, best = move, below
            if best[own] == best[0] and (mine or best[GOAL] == 0):
                break
        return chosen, best

    def next(self, state: State, move: int, depth: int) -> State:
        """The state after the move; valid until the next call at this depth."""
        following = state.copy_into(self.spare[depth])
        self.spare[depth] = following
        following.play(move)
        return following

    def line(self, move: int) -> list[LineStep]:
        """The line after the move, with the worst outcome of chance."""
        steps: list[LineStep] = [(self.root.actor, move)]
        state = after(self.root, move)
        try:
            while len(steps) < LONGEST_LINE and self.settled(state) is None:
                depth = len(steps)
                chance = state.actor == CHANCE
                step = self.worst_outcome(state, depth) if chance else self.choice(state, depth)[0]
                steps.append((state.actor, step))
                state = after(state, step)
        except BudgetExceeded:
            pass
        return steps

    def worst_outcome(self, state: State, depth: int) -> int:
        """The first outcome of chance that is worst for the goal."""
        worst = -1
        least: SeatChances = ()
        for move in state.moves():
            below = self.chances(self.next(state, move, depth), depth + 1)
            if worst < 0 or below[GOAL] * least[0] < least[GOAL] * below[0]:
                worst, least = move, below
        return worst


def better(one: SeatChances, other: SeatChances, own: int, mine: bool) -> bool:
    """Whether the first is better for the seat with that entry.

    If both are equal for an opponent, the one that is worse for the goal is better.
    """
    gained, kept = one[own] * other[0], other[own] * one[0]
    if gained != kept or mine:
        return gained > kept
    return one[GOAL] * other[0] < other[GOAL] * one[0]
