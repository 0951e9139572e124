"""Games with all cards open in which each plays for itself (max^n): no bounds, but a table.

What a seat chooses depends on all the chances below, so nothing can be left out by windows; only a
move that cannot be bettered ends the look at a position. `question.OTHERS_WORDS` states the rule
between equal moves; the solving seat itself takes the first of its best.
"""

from __future__ import annotations

from fractions import Fraction

from games.state import CHANCE, NOBODY, State
from solver.effort import DEEPEST, Effort, Spent
from solver.question import Question
from solver.search import ANYTHING, LONGEST_LINE, ONE, ZERO, Interval, Step, after, outcomes

Chances = tuple[Fraction, ...]
"""Of the goal, and then of every seat to win by the horizon."""


class SelfishSearch:
    """One question about one position and all that come from it."""

    def __init__(self, question: Question, root: State, effort: Effort) -> None:
        self.question = question
        self.root = root
        self.effort = effort
        self.deadline = question.deadline(root)
        self.table: dict[bytes, Chances] = {}

    def values(self) -> dict[int, Interval]:
        """The value of every legal move; of those the effort does not suffice for, nothing."""
        found = dict.fromkeys(self.root.moves(), ANYTHING)
        for move in found:
            try:
                value = self.chances(after(self.root, move), 1)[0]
            except Spent:
                break
            found[move] = (value, value)
        return found

    def chances(self, state: State, depth: int) -> Chances:
        if not self.effort.spend():
            raise Spent("too many positions")
        settled = self.settled(state)
        if settled is not None:
            return settled
        key = state.gist(self.deadline)
        known = self.table.get(key)
        if known is None:
            if depth > DEEPEST:
                self.effort.too_deep()
                raise Spent("too deep")
            known = self.table[key] = self.expanded(state, depth)
        return known

    def settled(self, state: State) -> Chances | None:
        """Everybody's chances where nothing is open any more."""
        goal = self.question.verdict(state, self.deadline)
        if goal is None:
            return None
        winners = state.winners() if state.actor == NOBODY else ()
        wins = (ONE if seat in winners else ZERO for seat in range(state.players))
        return (ONE if goal else ZERO, *wins)

    def expanded(self, state: State, depth: int) -> Chances:
        if state.actor == CHANCE:
            total = [ZERO] * (state.players + 1)
            moves, weights = outcomes(state)
            for move, weight in zip(moves, weights, strict=True):
                found = self.chances(after(state, move), depth + 1)
                total = [so_far + weight * one for so_far, one in zip(total, found, strict=True)]
            return tuple(one / sum(weights) for one in total)
        return self.chances(after(state, self.choice(state, depth)), depth + 1)

    def choice(self, state: State, depth: int) -> int:
        """What the actor takes: the first of the best in its eyes."""
        chosen, top = -1, (-ONE, -ONE)
        for move in state.moves():
            found = self.chances(after(state, move), depth + 1)
            worth = self.worth(state.actor, found)
            if worth > top:
                chosen, top = move, worth
            if top == (ONE, ZERO):
                break
        return chosen

    def worth(self, actor: int, chances: Chances) -> tuple[Fraction, Fraction]:
        if actor == self.question.seat:
            return chances[0], ZERO
        return chances[1 + actor], -chances[0]

    def line(self, move: int) -> list[Step]:
        """How it goes on after the move, luck being as bad as it can."""
        steps: list[Step] = [(self.root.actor, move)]
        state = after(self.root, move)
        try:
            while len(steps) < LONGEST_LINE and self.settled(state) is None:
                depth = len(steps)
                luck = state.actor == CHANCE
                step = self.misfortune(state, depth) if luck else self.choice(state, depth)
                steps.append((state.actor, step))
                state = after(state, step)
        except Spent:
            pass
        return steps

    def misfortune(self, state: State, depth: int) -> int:
        """The outcome of luck that is worst for the goal."""
        return min(state.moves(), key=lambda move: self.chances(after(state, move), depth + 1)[0])
