"""Hidden cards: what a seat can achieve whose choices depend only on what it has perceived.

A plan says what the seat chooses after everything it may perceive; it uses no dice. A situation is
the set of states that the seat cannot tell apart. What a plan achieves from there is one chance
per state of the set, and of all plans only those matter that no other equals or betters in every
state: the front. The fronts of the situations that may follow are combined, plan by plan, and each
state's chance is worked out through what luck (mean) and the others (least, mean, or what their bot
does) do until the seat decides again. A coalition is taken to know the state and the plan.

The front of the first situation answers two questions: how likely the goal is over all worlds, and
what is guaranteed whichever of the worlds is the true one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from games.state import CHANCE, State
from solver.core.budget import DEEPEST, NodeBudget, Spent
from solver.core.question import BadQuestion, Others, Question
from solver.search.alpha_beta import ONE, ZERO, outcomes

Chances = tuple[Fraction, ...]
"""What one plan achieves in each state of a situation."""
Front = list[Chances]
Perceived = tuple[tuple[int, ...], ...]


@dataclass
class Situation:
    """States the seat cannot tell apart."""

    states: list[State] = field(default_factory=list)
    numbers: dict[bytes, int] = field(default_factory=dict)

    def number(self, state: State, key: bytes) -> int:
        """Which of the situation's states this is; it becomes one if it was none."""
        if key not in self.numbers:
            self.numbers[key] = len(self.states)
            self.states.append(state)
        return self.numbers[key]


@dataclass(frozen=True)
class Settled:
    """Nothing is open any more."""

    value: Fraction


@dataclass(frozen=True)
class Decision:
    """The seat must decide again: in that situation, the state being that one of it."""

    seen: Perceived
    number: int


@dataclass(frozen=True)
class Luck:
    """One of these comes, each with its share."""

    branches: tuple[tuple[Fraction, Course], ...]


@dataclass(frozen=True)
class Threat:
    """Somebody chooses who wants the worst."""

    branches: tuple[Course, ...]


Course = Settled | Decision | Luck | Threat
"""What may happen in one state until the seat decides again."""


class PlanSearch:
    """One question about a set of worlds, all alike to the seat that asks."""

    def __init__(self, question: Question, worlds: Sequence[State], budget: NodeBudget) -> None:
        if question.others is Others.SELFISH:
            raise BadQuestion(
                "others who play for themselves can be answered only with all cards open; "
                "with hidden cards the others can be a coalition, random or bots"
            )
        if len({tuple(world.moves()) for world in worlds}) != 1:
            raise BadQuestion("the seat to move must know its own cards and leader")
        self.question = question
        self.worlds = list(worlds)
        self.budget = budget
        self.deadline = question.deadline(worlds[0])
        self.table: dict[tuple[bytes, ...], Front] = {}

    def fronts(self) -> dict[int, Front | None]:
        """What can be achieved with each move, per world; None where the effort ran out."""
        found: dict[int, Front | None] = dict.fromkeys(self.worlds[0].moves())
        for move in found:
            try:
                found[move] = self.following(self.worlds, move, 1)
            except Spent:
                break
        return found

    def front(self, states: list[State], depth: int) -> Front:
        """What plans can achieve in a situation in which the seat decides."""
        key = tuple(self.question.key(state, self.deadline) for state in states)
        known = self.table.get(key)
        if known is None:
            known = []
            for move in states[0].moves():
                known = undominated(known + self.following(states, move, depth))
                if len(known) == 1 and set(known[0]) == {ONE}:
                    break
            self.table[key] = known
        return known

    def following(self, states: list[State], move: int, depth: int) -> Front:
        """What plans can achieve that begin with this move."""
        situations: dict[Perceived, Situation] = {}
        courses = [self.course(state, move, (), situations, depth) for state in states]
        seen = list(situations)
        fronts = [self.front(situations[one].states, depth + 1) for one in seen]
        found: Front = []
        for plans in product(*fronts):
            self.pay()
            chosen = dict(zip(seen, plans, strict=True))
            found.append(tuple(achieved(course, chosen) for course in courses))
        return undominated(found)

    def course(
        self,
        state: State,
        move: int,
        seen: Perceived,
        situations: dict[Perceived, Situation],
        depth: int,
    ) -> Course:
        """What may happen after the move; situations it may lead to are added to those."""
        if depth > DEEPEST:
            self.budget.too_deep()
            raise Spent("too deep")
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
            return Threat(
                tuple(self.course(state, one, seen, situations, depth + 1) for one in state.moves())
            )
        moves, weights = outcomes(state)
        return Luck(
            tuple(
                (
                    Fraction(weight, sum(weights)),
                    self.course(state, one, seen, situations, depth + 1),
                )
                for one, weight in zip(moves, weights, strict=True)
            )
        )

    def pay(self) -> None:
        if not self.budget.spend():
            raise Spent("too many positions")


def achieved(course: Course, chosen: dict[Perceived, Chances]) -> Fraction:
    """The chance of the goal if the seat goes on with these plans."""
    if isinstance(course, Settled):
        return course.value
    if isinstance(course, Decision):
        return chosen[course.seen][course.number]
    if isinstance(course, Threat):
        return min(achieved(branch, chosen) for branch in course.branches)
    return sum((share * achieved(branch, chosen) for share, branch in course.branches), ZERO)


def undominated(front: Front) -> Front:
    """Without what something else equals or betters everywhere."""
    kept: Front = []
    for one in sorted(set(front), key=sum, reverse=True):
        # Whatever betters it has a larger sum, and so comes before it.
        if not any(all(a >= b for a, b in zip(other, one, strict=True)) for other in kept):
            kept.append(one)
    return kept
