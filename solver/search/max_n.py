"""Games with all cards open in which each plays for itself (max^n): no bounds, but a table.

What a seat chooses depends on all the chances below, so nothing can be left out by windows; only a
move that cannot be bettered ends the look at a position. `question.OTHERS_WORDS` states the rule
between equal moves; the solving seat itself takes the first of its best.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd
from typing import Final

from games.state import CHANCE, NOBODY, State
from solver.core.budget import DEEPEST, NodeBudget, Spent
from solver.core.question import Question
from solver.search.alpha_beta import ANYTHING, LONGEST_LINE, Interval, Step, after, outcomes

Chances = tuple[int, ...]
"""A common denominator; over it the chance of the goal, and of every seat to win by the horizon."""

GOAL: Final = 1
FIRST_SEAT: Final = 2


class SelfishSearch:
    """One question about one position and all that come from it."""

    def __init__(self, question: Question, root: State, budget: NodeBudget) -> None:
        self.question = question
        self.root = root
        self.budget = budget
        self.deadline = question.deadline(root)
        self.table: dict[bytes, Chances] = {}
        self.spare: list[State | None] = [None] * (DEEPEST + 2)
        """One state for each depth, used again and again."""

    def values(self) -> dict[int, Interval]:
        """The value of every legal move; of those the effort does not suffice for, nothing."""
        found = dict.fromkeys(self.root.moves(), ANYTHING)
        for move in found:
            try:
                chances = self.chances(after(self.root, move), 1)
            except Spent:
                break
            value = Fraction(chances[GOAL], chances[0])
            found[move] = (value, value)
        return found

    def chances(self, state: State, depth: int) -> Chances:
        if not self.budget.spend():
            raise Spent("too many positions")
        settled = self.settled(state)
        if settled is not None:
            return settled
        key = state.equivalence_key(self.deadline)
        known = self.table.get(key)
        if known is None:
            if depth > DEEPEST:
                self.budget.too_deep()
                raise Spent("too deep")
            lucky = state.actor == CHANCE
            known = self.mean(state, depth) if lucky else self.choice(state, depth)[1]
            self.table[key] = known
        return known

    def settled(self, state: State) -> Chances | None:
        """Everybody's chances where nothing is open any more."""
        goal = self.question.verdict(state, self.deadline)
        if goal is None:
            return None
        over = state.actor == NOBODY
        found = [1, 1 if goal else 0]
        for seat in range(state.players):
            found.append(1 if over and state.wins(seat) else 0)
        return tuple(found)

    def mean(self, state: State, depth: int) -> Chances:
        """What luck makes of it."""
        moves, weights = outcomes(state)
        total = [1] + [0] * (state.players + 1)
        for move, weight in zip(moves, weights, strict=True):
            found = self.chances(self.next(state, move, depth), depth + 1)
            common = total[0] * found[0] // gcd(total[0], found[0])
            scale, share = common // total[0], weight * (common // found[0])
            for at in range(1, len(total)):
                total[at] = total[at] * scale + found[at] * share
            total[0] = common
        total[0] *= sum(weights)
        shared = total[0]
        for number in total:
            shared = gcd(shared, number)
        return tuple([number // shared for number in total])

    def choice(self, state: State, depth: int) -> tuple[int, Chances]:
        """What the actor takes, the first of the best in its eyes, and what comes of it."""
        mine = state.actor == self.question.seat
        own: int = GOAL if mine else FIRST_SEAT + state.actor
        chosen = -1
        best: Chances = ()
        for move in state.moves():
            found = self.chances(self.next(state, move, depth), depth + 1)
            if chosen < 0 or better(found, best, own, mine):
                chosen, best = move, found
            if best[own] == best[0] and (mine or best[GOAL] == 0):
                break
        return chosen, best

    def next(self, state: State, move: int, depth: int) -> State:
        """The state after the move, until the next one is asked for at this depth."""
        following = state.copy_into(self.spare[depth])
        self.spare[depth] = following
        following.play(move)
        return following

    def line(self, move: int) -> list[Step]:
        """How it goes on after the move, luck being as bad as it can."""
        steps: list[Step] = [(self.root.actor, move)]
        state = after(self.root, move)
        try:
            while len(steps) < LONGEST_LINE and self.settled(state) is None:
                depth = len(steps)
                luck = state.actor == CHANCE
                step = self.misfortune(state, depth) if luck else self.choice(state, depth)[0]
                steps.append((state.actor, step))
                state = after(state, step)
        except Spent:
            pass
        return steps

    def misfortune(self, state: State, depth: int) -> int:
        """The outcome of luck that is worst for the goal, the first of several."""
        worst = -1
        least: Chances = ()
        for move in state.moves():
            found = self.chances(self.next(state, move, depth), depth + 1)
            if worst < 0 or found[GOAL] * least[0] < least[GOAL] * found[0]:
                worst, least = move, found
        return worst


def better(one: Chances, other: Chances, own: int, mine: bool) -> bool:
    """Whether the first is worth more to whoever looks at that entry.

    Others who are as well off either way take what is worse for the goal.
    """
    gained, kept = one[own] * other[0], other[own] * one[0]
    if gained != kept or mine:
        return gained > kept
    return one[GOAL] * other[0] < other[GOAL] * one[0]
