"""Puzzles tried out: a person chooses, the others answer as well as they can, luck goes by a seed.

Before every choice it is known what can still be had, and after it what is left. Nothing that
happens depends on what was taken back: the same choices meet the same luck.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

from games.errors import GameError
from games.state import CHANCE, Rng, State
from solver.ask import Solved
from solver.core.budget import NodeBudget, Spent
from solver.core.question import Others
from solver.core.ratio import ALWAYS, NEVER
from solver.search.alpha_beta import OpenSearch, after, outcomes, told
from solver.search.hidden_plans import (
    Chances,
    Course,
    Decision,
    Front,
    Luck,
    Perceived,
    PlanSearch,
    Settled,
    Situation,
    Threat,
    achieved,
    undominated,
)
from solver.search.max_n import GOAL, SelfishSearch

STRIDE: Final = 1009
"""Between the luck of one seed and the next: more moves than a puzzle has."""


@dataclass(frozen=True)
class Deed:
    """A move that was made."""

    table: State
    """Before it."""
    move: int
    seen: bool
    """Whether the person perceives which it was."""


@dataclass(frozen=True)
class Choice:
    """A choice of the person's."""

    table: State
    move: int
    had: Fraction
    """What could be had before it."""
    left: Fraction
    best: tuple[int, ...]
    """The moves that would have kept it."""

    @property
    def kept(self) -> bool:
        return self.left == self.had


class Trial(ABC):
    """One attempt at a puzzle."""

    def __init__(self, solved: Solved, seed: int, unkind: bool, budget: NodeBudget) -> None:
        self.solved = solved
        self.question = solved.answer.question
        self.seat = self.question.seat
        self.seed = seed
        self.unkind = unkind
        """Whether luck is as bad as it can be, instead of drawn."""
        self.budget = budget
        self.state: State = solved.worlds[0]
        """The table as it truly is."""
        self.deadline = self.question.deadline(self.state)
        self.reached: bool | None = None
        """Whether the goal was reached, once that is settled."""
        self.deeds: list[Deed] = []
        self.choices: list[Choice] = []

    @property
    def moves(self) -> list[int]:
        """What the person can choose from."""
        return self.state.moves()

    def options(self) -> dict[int, Fraction]:
        """What can still be had with each choice; GameError if that is too much work."""
        try:
            return {move: self.worth(move) for move in self.moves}
        except Spent:
            raise GameError(f"{self.budget.why}: raise --nodes") from None

    def choose(self, move: int) -> None:
        """Make the choice, and let the others and luck answer until the next one."""
        options = self.options()
        had = max(options.values())
        best = tuple(one for one, value in options.items() if value == had)
        self.mark()
        self.choices.append(Choice(self.state, move, had, options[move], best))
        try:
            self.go_on(move)
        except Spent:
            self.undo()
            raise GameError(f"{self.budget.why}: raise --nodes") from None

    @property
    def solved_so_far(self) -> bool:
        return all(choice.kept for choice in self.choices)

    def possible(self) -> list[State]:
        """The worlds that agree with all that the person has perceived."""
        return list(self.solved.worlds)

    def drawn(self, weights: Sequence[int]) -> int:
        """One of as many outcomes, by the seed and by how far the puzzle has come."""
        ticket = Rng(self.seed * STRIDE + len(self.deeds)).below(sum(weights))
        for number, weight in enumerate(weights):
            ticket -= weight
            if ticket < 0:
                return number
        raise AssertionError("a ticket is below the sum of the weights")

    def play(self, move: int, seen: bool = True) -> None:
        self.deeds.append(Deed(self.state, move, seen))
        self.state = after(self.state, move)

    @abstractmethod
    def worth(self, move: int) -> Fraction:
        """What can be had after the move."""

    @abstractmethod
    def go_on(self, move: int) -> None:
        """Play the move and the answers to it."""

    @abstractmethod
    def mark(self) -> None:
        """Remember how things stand."""

    @abstractmethod
    def undo(self) -> None:
        """Go back to the last choice; only if there was one."""


def begin(solved: Solved, seed: int, unkind: bool, budget: NodeBudget) -> Trial:
    """An attempt at the puzzle that has been solved; GameError if nobody could answer there."""
    if solved.answer.question.others is Others.BOT and solved.hidden:
        raise GameError(
            f"puzzles with hidden cards and others who are '{solved.asked.others}' cannot be tried"
        )
    kind = HiddenTrial if solved.hidden else OpenTrial
    return kind(solved, seed, unkind, budget)


class OpenTrial(Trial):
    """All cards are open."""

    def __init__(self, solved: Solved, seed: int, unkind: bool, budget: NodeBudget) -> None:
        super().__init__(solved, seed, unkind, budget)
        self.selfish: SelfishSearch | None = None
        if self.question.others is Others.SELFISH:
            self.selfish = SelfishSearch(self.question, self.state, budget)
        self.search = OpenSearch(self.question, self.state, budget)
        self.marks: list[tuple[State, int]] = []

    def worth(self, move: int) -> Fraction:
        return self.value(after(self.state, move))

    def value(self, state: State) -> Fraction:
        """What the state is worth, exactly."""
        if self.selfish is not None:
            chances = self.selfish.chances(state, 1)
            return Fraction(chances[GOAL], chances[0])
        search = self.search
        deeper = False
        while True:
            search.beyond = False
            low, high = told(search.bounds(state, NEVER, ALWAYS, 1))
            if low == high:
                return low
            # Bounds kept from an earlier look are no sign that nothing lies beyond.
            if self.budget.over or (deeper and not search.beyond):
                raise Spent("too many positions")
            search.frontier += 1
            deeper = True

    def go_on(self, move: int) -> None:
        self.play(move)
        while self.open() and self.state.actor != self.seat:
            self.play(self.answer())

    def open(self) -> bool:
        """Whether the goal is not settled yet."""
        self.reached = self.question.verdict(self.state, self.deadline)
        return self.reached is None

    def answer(self) -> int:
        """What the others, or luck, do."""
        state = self.state
        moves, weights = outcomes(state)
        luck = state.actor == CHANCE
        if self.question.others is Others.BOT and not luck:
            return self.question.reply(state)
        if self.selfish is not None and not luck:
            return self.selfish.choice(state, 1)[0]
        if (luck and self.unkind) or (not luck and self.question.others is Others.COALITION):
            return min(moves, key=self.worth)
        return moves[self.drawn(weights)]

    def mark(self) -> None:
        self.marks.append((self.state, len(self.deeds)))

    def undo(self) -> None:
        self.state, many = self.marks.pop()
        del self.deeds[many:]
        self.choices.pop()
        self.reached = None


@dataclass(frozen=True)
class Where:
    """What the person knows: states it cannot tell apart, one of which is the true one."""

    states: list[State]
    number: int
    roots: list[set[int]]
    """For every state the worlds from which it can have come."""
    made: tuple[tuple[int, Perceived], ...] = ()
    """Choices so far, each with what was perceived after it."""
    deeds: int = 0


class HiddenTrial(Trial):
    """Some cards are not known to the person; the true world is drawn by the seed."""

    def __init__(self, solved: Solved, seed: int, unkind: bool, budget: NodeBudget) -> None:
        super().__init__(solved, seed, unkind, budget)
        worlds = list(solved.worlds)
        self.search = PlanSearch(self.question, worlds, budget)
        number = self.drawn([1] * len(worlds))
        self.where = Where(worlds, number, [{world} for world in range(len(worlds))])
        self.state = worlds[number]
        self.marks: list[Where] = []

    def possible(self) -> list[State]:
        found = set[int]().union(*self.where.roots)
        return [self.solved.worlds[world] for world in sorted(found)]

    def worth(self, move: int) -> Fraction:
        """Of the plans that agree with all choices made, and then this, what the best achieves."""
        front = self.front(list(self.solved.worlds), (*self.where.made, (move, ())), 1)
        return max(self.judged(chances) for chances in front)

    def judged(self, chances: Chances) -> Fraction:
        return min(chances) if self.unkind else sum(chances, Fraction(0)) / len(chances)

    def front(
        self, states: list[State], made: tuple[tuple[int, Perceived], ...], depth: int
    ) -> Front:
        """What plans achieve that make these choices."""
        (move, seen), *rest = made
        situations: dict[Perceived, Situation] = {}
        courses = [self.search.course(state, move, (), situations, depth) for state in states]
        fronts = [
            self.front(one.states, tuple(rest), depth + 1)
            if rest and what == seen
            else self.search.front(one.states, depth + 1)
            for what, one in situations.items()
        ]
        plans = (dict(zip(situations, plan, strict=True)) for plan in product(*fronts))
        return undominated([tuple(achieved(one, plan) for one in courses) for plan in plans])

    def go_on(self, move: int) -> None:
        where = self.where
        situations: dict[Perceived, Situation] = {}
        courses = [self.search.course(state, move, (), situations, 1) for state in where.states]
        fronts = [self.search.front(one.states, 2) for one in situations.values()]
        plans = [dict(zip(situations, plan, strict=True)) for plan in product(*fronts)]
        # The others expect the person to go on as well as possible.
        plan = max(plans, key=lambda one: self.judged(tuple(achieved(c, one) for c in courses)))
        self.play(move)
        course = courses[where.number]
        while isinstance(course, (Luck, Threat)):
            course = self.answered(course, plan)
        if isinstance(course, Settled):
            self.reached = course.value == 1
            return
        states = situations[course.seen].states
        roots: list[set[int]] = [set() for _ in states]
        for one, origin in zip(courses, where.roots, strict=True):
            for end in decisions(one):
                if end.seen == course.seen:
                    roots[end.number] |= origin
        made = (*where.made, (move, course.seen))
        self.where = Where(states, course.number, roots, made, len(self.deeds))
        self.state = states[course.number]

    def answered(self, course: Luck | Threat, plan: dict[Perceived, Chances]) -> Course:
        """What follows what the others, or luck, do."""
        moves, weights = outcomes(self.state)
        branches = [one[1] if isinstance(one, tuple) else one for one in course.branches]
        luck = self.state.actor == CHANCE
        if isinstance(course, Threat) or (luck and self.unkind):
            number = min(range(len(moves)), key=lambda one: achieved(branches[one], plan))
        else:
            number = self.drawn(weights)
        self.play(moves[number], seen=self.perceives(moves[number]))
        return branches[number]

    def perceives(self, move: int) -> bool:
        """Whether the person perceives what this move has brought, apart from all others.

        Where there are no others here, there may be some in other worlds.
        """
        moves = self.state.moves()
        if len(moves) > 1:
            return all(self.news(other) != self.news(move) for other in moves if other != move)
        if self.state.actor != CHANCE:
            return self.state.observed_move(move) == move
        return any(move in event for event in self.news(move))

    def news(self, move: int) -> list[tuple[int, ...]]:
        state = self.state.copy()
        state.record()
        state.play(move)
        return state.take_events(self.seat)

    def mark(self) -> None:
        self.marks.append(self.where)

    def undo(self) -> None:
        self.where = self.marks.pop()
        self.state = self.where.states[self.where.number]
        del self.deeds[self.where.deeds :]
        self.choices.pop()
        self.reached = None


def decisions(course: Course) -> Iterator[Decision]:
    """All points of the course at which the seat decides again."""
    if isinstance(course, Decision):
        yield course
    elif isinstance(course, Luck):
        for _, branch in course.branches:
            yield from decisions(branch)
    elif isinstance(course, Threat):
        for branch in course.branches:
            yield from decisions(branch)
