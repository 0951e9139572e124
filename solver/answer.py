"""Asks the right search and puts together the answer: every move's value, and what proves it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from games.state import State
from solver.core.budget import NodeBudget
from solver.core.question import Others, Question, check_question
from solver.search.alpha_beta import ANYTHING, Interval, OpenSearch, Step
from solver.search.hidden_plans import Chances, Front, PlanSearch
from solver.search.max_n import SelfishSearch

CARDS_OPEN: Final = "All cards are open to {whom}, also those drawn later."


@dataclass(frozen=True)
class MoveValue:
    """What a move is worth."""

    move: int
    likely: Interval
    """The chance of the goal, over all worlds."""
    sure: Interval
    """The chance of the goal in the worst of the worlds; with one world, the same."""
    line: tuple[Step, ...] = ()
    """How it goes on, the move first, luck being as bad as it can; with all cards open only."""
    worlds: Chances = ()
    """The chance of the goal in each world, with the plan that is likeliest over all of them."""


@dataclass(frozen=True)
class Answer:
    """What was asked, and what is known about it."""

    question: Question
    sight: str
    """Who sees what, in a sentence."""
    values: tuple[MoveValue, ...]
    """Every legal move, in order."""
    nodes: int
    why: str
    """Why it is not exact; nothing if it is."""

    @property
    def exact(self) -> bool:
        return all(one.likely[0] == one.likely[1] for one in self.values)

    @property
    def best(self) -> list[MoveValue]:
        """The moves likeliest to reach the goal; if not exact, all that may be."""
        return self._top(lambda one: one.likely)

    @property
    def surest(self) -> list[MoveValue]:
        """The moves that guarantee most in the worst world; if not exact, all that may."""
        return self._top(lambda one: one.sure)

    def _top(self, value: Callable[[MoveValue], Interval]) -> list[MoveValue]:
        least = max(value(one)[0] for one in self.values)
        return [one for one in self.values if value(one)[1] >= least]

    def sentences(self) -> list[str]:
        """The question in words, as it was understood."""
        return [*self.question.sentences(), self.sight]


def solve_open(question: Question, state: State, budget: NodeBudget, lines: bool = True) -> Answer:
    """The answer with all cards open."""
    check_question(question, state)
    selfish = question.others is Others.SELFISH
    search = (SelfishSearch if selfish else OpenSearch)(question, state, budget)
    found = search.values()
    values = []
    for move, interval in found.items():
        shown = lines and interval[0] == interval[1]
        line = tuple(search.line(move)) if shown else ()
        values.append(MoveValue(move, interval, interval, line))
    # Bots are not told; so the seat that is to move alone knows all cards.
    whom = "the seat to move" if question.others is Others.BOT else "all"
    return answered(question, CARDS_OPEN.format(whom=whom), values, budget)


def solve_hidden(
    question: Question, worlds: Sequence[State], budget: NodeBudget, name: str = "the seat"
) -> Answer:
    """The answer for a seat that cannot tell these worlds apart, all being equally likely."""
    for world in worlds:
        check_question(question, world)
    fronts = PlanSearch(question, worlds, budget).fronts()
    values = [judged(move, front) for move, front in fronts.items()]
    sight = f"{name} knows the cards that are given, and later what it perceives."
    if len(worlds) > 1:
        sight += f" Of {len(worlds)} equally likely worlds it does not know which is the true one."
    return answered(question, sight, values, budget)


def judged(move: int, front: Front | None) -> MoveValue:
    """A move's values by what its plans can achieve."""
    if front is None:
        return MoveValue(move, ANYTHING, ANYTHING)
    plan = max(front, key=sum)
    likely = sum(plan, Fraction(0)) / len(plan)
    sure = max(min(chances) for chances in front)
    return MoveValue(move, (likely, likely), (sure, sure), worlds=plan)


def answered(question: Question, sight: str, values: list[MoveValue], budget: NodeBudget) -> Answer:
    exact = all(one.likely[0] == one.likely[1] for one in values)
    # Lines are looked for after the values; what cuts them short leaves the values exact.
    return Answer(question, sight, tuple(values), budget.nodes, "" if exact else budget.why)
