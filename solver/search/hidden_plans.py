"""Hidden cards: what a seat can achieve if its choices depend only on what it has observed.

A plan (a pure strategy) names the seat's move after everything it may observe. A situation (an
information set) is a set of states that the seat cannot tell apart. From there a plan achieves one
chance per state, and only plans on the Pareto front matter: those that no other plan matches or
beats in every state. The fronts of the situations that may follow are combined, plan by plan. Each
state's chance is then computed through chance (mean) and the others (minimum, mean, or the move of
their bot) up to the seat's next decision. A coalition is assumed to know the state and the plan.

What the seat could reach in each state if it saw all cards is an upper bound (as in alpha-mu
search). If that is 0 in every state, nothing is searched; a plan that reaches it in every state
beats all others, so no more are looked for.

The front of the first situation answers two questions: how likely the goal is over all worlds, and
what is guaranteed whichever world is the true one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Final

from games.state import CHANCE, FOREVER, State
from solver.core.budget import MAX_DEPTH, BudgetExceeded, NodeBudget
from solver.core.question import BadQuestion, Others, Question
from solver.core.ratio import ALWAYS, NEVER
from solver.search.alpha_beta import ONE, ZERO, OpenSearch, as_interval, outcomes

WorldChances = tuple[Fraction, ...]
"""What one plan achieves in each state of a situation."""
Front = list[WorldChances]
Observations = tuple[tuple[int, ...], ...]
_BETWEEN_CHECKS: Final = 32
"""Plans compared between two looks at the clock."""


@dataclass
class Situation:
    """States that the seat cannot tell apart."""

    states: list[State] = field(default_factory=list)
    numbers: dict[bytes, int] = field(default_factory=dict)

    def number(self, state: State, key: bytes) -> int:
        """The number of this state in the situation; it is added if it is new."""
        if key not in self.numbers:
            self.numbers[key] = len(self.states)
            self.states.append(state)
        return self.numbers[key]


@dataclass(frozen=True)
class Settled:
    """The goal is settled."""

    value: Fraction


@dataclass(frozen=True)
class Decision:
    """The seat decides again, in the situation with these observations and this state of it."""

    seen: Observations
    number: int


@dataclass(frozen=True)
class ChanceNode:
    """Chance or a random player: each branch with its probability."""

    branches: tuple[tuple[Fraction, Course], ...]


@dataclass(frozen=True)
class AdversaryNode:
    """An opponent chooses what is worst for the goal."""

    branches: tuple[Course, ...]


Course = Settled | Decision | ChanceNode | AdversaryNode
"""What may happen in one state up to the seat's next decision."""


class PlanSearch:
    """Answers one question about worlds that the seat cannot tell apart."""

    def __init__(self, question: Question, worlds: Sequence[State], budget: NodeBudget) -> None:
        if question.others is Others.SELFISH:
            raise BadQuestion(
                "selfish others are offered only with all cards open; "
                "with hidden cards use coalition, random or bot:NAME"
            )
        if len({tuple(world.moves()) for world in worlds}) != 1:
            raise BadQuestion("the seat to move must know its own cards and leader")
        self.question = question
        self.worlds = list(worlds)
        self.budget = budget
        self.deadline = question.deadline(worlds[0])
        self.table: dict[tuple[bytes, ...], Front] = {}
        self.seeing: OpenSearch | None = None
        """Values positions for a seat that sees all cards; not with bots, who would think twice."""
        if question.others is not Others.BOT:
            self.seeing = OpenSearch(question, worlds[0], budget)
            self.seeing.frontier = FOREVER

    def fronts(self) -> dict[int, Front | None]:
        """The front of each move; None where the budget ran out."""
        fronts: dict[int, Front | None] = dict.fromkeys(self.worlds[0].moves())
        for move in fronts:
            try:
                fronts[move] = self.following(self.worlds, move, 1)
            except BudgetExceeded:
                break
        return fronts

    def front(self, states: list[State], depth: int) -> Front:
        """The front of a situation in which the seat decides."""
        key = tuple(self.question.key(state, self.deadline) for state in states)
        known = self.table.get(key)
        if known is None:
            most = tuple(self.most(state, depth) for state in states)
            known = []
            for move in states[0].moves() if any(most) else []:
                known = undominated(known + self.following(states, move, depth), self.budget)
                if known[0] == most:
                    break
            known = known or [most]
            self.table[key] = known
        return known

    def most(self, state: State, depth: int) -> Fraction:
        """No plan achieves more than this."""
        if self.seeing is None:
            return ONE
        return as_interval(self.seeing.bounds(state, NEVER, ALWAYS, depth))[1]

    def following(self, states: list[State], move: int, depth: int) -> Front:
        """The front of the plans that begin with this move."""
        situations: dict[Observations, Situation] = {}
        courses = [self.course(state, move, (), situations, depth) for state in states]
        fronts = [self.front(situation.states, depth + 1) for situation in situations.values()]
        front: Front = []
        for plans in product(*fronts):
            self.pay()
            chosen = dict(zip(situations, plans, strict=True))
            front.append(tuple(achieved(course, chosen) for course in courses))
        return undominated(front, self.budget)

    def course(
        self,
        state: State,
        move: int,
        seen: Observations,
        situations: dict[Observations, Situation],
        depth: int,
    ) -> Course:
        """What may happen after the move; adds the situations that it may lead to."""
        if depth > MAX_DEPTH:
            self.budget.too_deep()
            raise BudgetExceeded("too deep")
        self.pay()
        state = state.copy()
        state.record()
        state.play(move)
        seen += tuple(state.take_events(self.question.seat))
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            return Settled(ONE if verdict else ZERO)
        if state.actor == self.question.seat:
            situation = situations.setdefault(seen, Situation())
            return Decision(seen, situation.number(state, self.question.key(state, self.deadline)))
        if state.actor != CHANCE and self.question.others is Others.BOT:
            reply = self.question.reply(state)
            return self.course(state, reply, seen, situations, depth + 1)
        if state.actor != CHANCE and self.question.others is Others.COALITION:
            return AdversaryNode(
                tuple(
                    self.course(state, reply, seen, situations, depth + 1)
                    for reply in state.moves()
                )
            )
        moves, weights = outcomes(state)
        return ChanceNode(
            tuple(
                (
                    Fraction(weight, sum(weights)),
                    self.course(state, outcome, seen, situations, depth + 1),
                )
                for outcome, weight in zip(moves, weights, strict=True)
            )
        )

    def pay(self) -> None:
        if not self.budget.spend():
            raise BudgetExceeded("too many positions")


def achieved(course: Course, chosen: dict[Observations, WorldChances]) -> Fraction:
    """The chance of the goal if the seat continues with these plans."""
    if isinstance(course, Settled):
        return course.value
    if isinstance(course, Decision):
        return chosen[course.seen][course.number]
    if isinstance(course, AdversaryNode):
        return min(achieved(branch, chosen) for branch in course.branches)
    return sum((share * achieved(branch, chosen) for share, branch in course.branches), ZERO)


def undominated(front: Front, budget: NodeBudget) -> Front:
    """The Pareto front: without plans that another plan matches or beats in every state.

    Thousands of plans take seconds to compare, in which the search may be stopped as well.
    """
    kept: Front = []
    for number, plan in enumerate(sorted(set(front), key=sum, reverse=True)):
        if number % _BETWEEN_CHECKS == _BETWEEN_CHECKS - 1:
            budget.check_time()
        # A plan that beats this one has a larger sum, so it comes first.
        if not any(all(a >= b for a, b in zip(other, plan, strict=True)) for other in kept):
            kept.append(plan)
    return kept
