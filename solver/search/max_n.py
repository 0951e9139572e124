"""Max^n with a transposition table, for all cards open and every seat playing for itself.

A seat's choice depends on every chance below, so there is no pruning by windows; only a move that
cannot be improved on ends the loop early. Between moves that are equal for itself, an opponent
takes the one that is worse for the goal; then everybody takes the one that is worse for the first
seat, then for the second, and so on. So positions that differ only in cards that come to the same
are worth the same, in whatever order their moves are listed.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import gcd
from typing import Final

from games.state import CHANCE, NOBODY, State
from solver.core.budget import MAX_DEPTH, BudgetExceeded, NodeBudget
from solver.core.question import Others, Question
from solver.search.alpha_beta import (
    ANYTHING,
    FIRST_SHARE,
    LONGEST_LINE,
    Interval,
    LineStep,
    OpenSearch,
    after,
    so_far,
)

SeatChances = tuple[int, ...]
"""A common denominator, then as numerators the chance of the goal and of each seat to win."""

BOUNDING_NODES: Final = 20_000
"""Positions for the bounds of moves whose value was not found."""

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
        """The value of every legal move, or bounds for those that the budget does not reach.

        The moves take turns, each time with more positions, as in alpha-beta.
        """
        values = dict.fromkeys(self.root.moves(), ANYTHING)
        self.budget.words = lambda: so_far(list(values.values()))
        share = FIRST_SHARE
        most = self.budget.most
        if most >= 20 * BOUNDING_NODES:
            most -= 2 * BOUNDING_NODES
        waiting = list(values)
        while waiting and not self.budget.over and self.budget.nodes < most:
            unfinished = []
            for move in waiting:
                self.budget.open_slice(min(share, most - self.budget.nodes))
                try:
                    chances = self.chances(after(self.root, move), 1)
                    value = Fraction(chances[GOAL], chances[0])
                    values[move] = (value, value)
                except BudgetExceeded:
                    pass
                if self.budget.close_slice() and is_open(values[move]):
                    unfinished.append(move)
            waiting = unfinished
            share *= 4
        if any(is_open(value) for value in values.values()):
            self.bound(values)
        return values

    def bound(self, values: dict[int, Interval]) -> None:
        """Bounds where nothing better is known.

        Whatever selfish players do, the goal is no less likely than against a coalition, and no
        more likely than with their help.
        """
        self.budget.limit_reached()
        against = replace(self.question, others=Others.COALITION)
        for helped in (False, True):
            budget = NodeBudget(min(BOUNDING_NODES, self.budget.most - self.budget.nodes))
            found = OpenSearch(against, self.root, budget, True, helped).values()
            self.budget.nodes += budget.nodes
            for move, (low, high) in values.items():
                if is_open((low, high)):
                    values[move] = (low, found[move][1]) if helped else (found[move][0], high)

    def chances(self, state: State, depth: int) -> SeatChances:
        if not self.budget.spend():
            raise BudgetExceeded("too many positions")
        settled = self.settled(state)
        if settled is not None:
            return settled
        key = state.value_key(self.deadline)
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
        moves, weights = state.merged_outcomes(self.deadline)
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
            if self.cannot_improve(best, own, mine):
                break
        return chosen, best

    def cannot_improve(self, chances: SeatChances, own: int, mine: bool) -> bool:
        """Whether the seat surely gets what it wants, and everybody else nothing.

        A seat whose win is what is wanted wins after every move that is as good. With other goals
        the solving seat need not win, and its own chance breaks ties like that of everybody else.
        """
        if chances[own] != chances[0] or not (mine or chances[GOAL] == 0):
            return False
        wanted = FIRST_SEAT + self.question.goal.winner if mine else own
        return not any(chances[at] and at != wanted for at in range(FIRST_SEAT, len(chances)))

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


def is_open(value: Interval) -> bool:
    return value[0] != value[1]


def better(one: SeatChances, other: SeatChances, own: int, mine: bool) -> bool:
    """Whether the first is better for the seat with that entry.

    If both are equal for it, the one is better that is worse for the goal, then for each seat.
    """
    gained, kept = one[own] * other[0], other[own] * one[0]
    if gained != kept:
        return gained > kept
    for at in range(FIRST_SEAT if mine else GOAL, len(one)):
        gained, kept = one[at] * other[0], other[at] * one[0]
        if gained != kept:
            return gained < kept
    return False
