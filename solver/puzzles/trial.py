"""A person's attempt at a puzzle: the others play as the puzzle says, chance follows a seed.

The value before and after every choice is known. Undone choices leave no trace: the same choices
always meet the same outcomes of chance.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Final

from games.errors import GameError
from games.state import CHANCE, Rng, State
from solver.ask import Solution
from solver.core.budget import BudgetExceeded, NodeBudget
from solver.core.question import Others
from solver.core.ratio import ALWAYS, NEVER
from solver.search.alpha_beta import OpenSearch, after, as_interval, outcomes
from solver.search.hidden_plans import (
    AdversaryNode,
    ChanceNode,
    Course,
    Decision,
    Front,
    Observations,
    PlanSearch,
    Settled,
    Situation,
    WorldChances,
    achieved,
    undominated,
)
from solver.search.max_n import GOAL, SelfishSearch

STRIDE: Final = 1009
"""Distance between the random streams of two seeds: more than the moves of a puzzle."""


@dataclass(frozen=True)
class TrialMove:
    """A move that was made."""

    table: State
    """The state before it."""
    move: int
    seen: bool
    """Whether the person can see which move it was."""

    @property
    def silent(self) -> bool:
        """Whether it only says nothing, which need not be told."""
        return self.move == self.table.idle_move()


@dataclass(frozen=True)
class TrialChoice:
    """A choice of the person."""

    table: State
    move: int
    had: Fraction
    """The value before the choice."""
    left: Fraction
    """The value after it."""
    best: tuple[int, ...]
    """The moves that would have kept the value."""
    forced: bool
    """Whether there was nothing to choose."""

    @property
    def kept(self) -> bool:
        return self.left == self.had


@dataclass(frozen=True)
class KnownStates:
    """What the person knows: states that it cannot tell apart, one of them the true one."""

    states: list[State]
    number: int
    """The true one."""
    roots: list[set[int]]
    """For each state, the worlds that it can have come from."""
    made: tuple[tuple[int, Observations], ...] = ()
    """The choices so far, each with what was observed after it."""


class Trial(ABC):
    """One attempt at a puzzle."""

    def __init__(self, solution: Solution, seed: int, unkind: bool, budget: NodeBudget) -> None:
        self.solution = solution
        self.question = solution.answer.question
        self.seat = self.question.seat
        self.seed = seed
        self.unkind = unkind
        """Whether chance always picks the worst outcome instead of a random one."""
        self.worst_luck = False
        """Whether chance and random players do what is worst: for lines that refute a choice."""
        self.budget = budget
        self.state: State = solution.worlds[0]
        """The true state."""
        self.known = KnownStates([self.state], 0, [{0}])
        self.deadline = self.question.deadline(self.state)
        self.reached: bool | None = None
        """Whether the goal was reached; None until that is settled."""
        self.history: list[TrialMove] = []
        self.choices: list[TrialChoice] = []
        self.marks: list[tuple[KnownStates, int]] = []
        """What was known at each choice, and how many moves had been made."""

    @property
    def moves(self) -> list[int]:
        """The moves that the person can choose from."""
        return self.state.moves()

    @property
    def forced(self) -> int | None:
        """The move to make without asking: the only one, or one that says nothing. None: several.

        Talk matters to nobody who sees all cards or moves at random; bots may heed it.
        """
        if len(self.moves) == 1:
            return self.moves[0]
        return self.silence(self.state)

    @property
    def last_choice(self) -> TrialChoice | None:
        """The last one among several moves."""
        return next((choice for choice in reversed(self.choices) if not choice.forced), None)

    def silence(self, state: State) -> int | None:
        """The move that says nothing, if the choice is only what to say and nobody heeds it."""
        idle = int(state.idle_move())
        return idle if idle >= 0 and self.question.policy is None else None

    def options(self) -> dict[int, Fraction]:
        """The value of each choice; GameError if the budget is too small."""
        try:
            return {move: self.worth(move) for move in self.moves}
        except BudgetExceeded:
            raise GameError(f"{self.budget.why}; raise --nodes") from None

    def choose(self, move: int) -> None:
        """Make the choice, and let the others and chance move until the next one."""
        options = self.options()
        had = max(options.values())
        best = tuple(option for option, value in options.items() if value == had)
        forced = self.forced is not None
        self.marks.append((self.known, len(self.history)))
        self.choices.append(TrialChoice(self.state, move, had, options[move], best, forced))
        try:
            self.advance(move)
        except BudgetExceeded:
            self.undo()
            raise GameError(f"{self.budget.why}; raise --nodes") from None

    @property
    def solved_so_far(self) -> bool:
        return all(choice.kept for choice in self.choices)

    def alike(self) -> list[State]:
        """The states that the person cannot tell apart now; one of them is the true one."""
        return [self.state]

    def possible(self) -> list[State]:
        """The worlds consistent with everything that the person has observed."""
        possible = set[int]().union(*self.known.roots)
        return [self.solution.worlds[world] for world in sorted(possible)]

    def drawn(self, weights: Sequence[int]) -> int:
        """The number of a random outcome; it depends on the seed and on the moves made so far."""
        ticket = Rng(self.seed * STRIDE + len(self.history)).below(sum(weights))
        for number, weight in enumerate(weights):
            ticket -= weight
            if ticket < 0:
                return number
        raise AssertionError("the ticket is below the sum of the weights")

    def play(self, move: int, seen: bool = True) -> None:
        self.history.append(TrialMove(self.state, move, seen))
        self.state = after(self.state, move)

    @abstractmethod
    def worth(self, move: int) -> Fraction:
        """The value after the move."""

    @abstractmethod
    def advance(self, move: int) -> None:
        """Play the move and the replies to it."""

    def branch(self, number: int, state: int) -> Trial:
        """A trial of its own before that choice, with the worst luck from there on.

        `state`: which of the states that the person could not tell apart is the true one.
        """
        other = copy(self)
        other.worst_luck, other.reached = True, None
        other.history, other.choices, other.marks = [], [], []
        other.known = replace(self.marks[number][0], number=state)
        other.state = self.choices[number].table
        return other

    def prospects(self, number: int) -> Sequence[Fraction]:
        """The value after that choice in each state that could have been the true one."""
        return [self.choices[number].left]

    def undo(self) -> None:
        """Take back the last choice; there must be one."""
        self.known, moves = self.marks.pop()
        self.state = self.choices.pop().table
        del self.history[moves:]
        self.reached = None


def start_trial(solution: Solution, seed: int, unkind: bool, budget: NodeBudget) -> Trial:
    """An attempt at a solved puzzle; GameError if its others cannot be played."""
    if solution.answer.question.others is Others.BOT and solution.hidden:
        raise GameError(
            f"puzzles with hidden cards and others '{solution.query.others}' cannot be tried"
        )
    kind = HiddenTrial if solution.hidden else OpenTrial
    return kind(solution, seed, unkind, budget)


class OpenTrial(Trial):
    """A trial with all cards open."""

    def __init__(self, solution: Solution, seed: int, unkind: bool, budget: NodeBudget) -> None:
        super().__init__(solution, seed, unkind, budget)
        self.selfish: SelfishSearch | None = None
        if self.question.others is Others.SELFISH:
            self.selfish = SelfishSearch(self.question, self.state, budget)
        self.search = OpenSearch(self.question, self.state, budget, jumps=True)

    def worth(self, move: int) -> Fraction:
        return self.value(after(self.state, move))

    def value(self, state: State) -> Fraction:
        """The exact value of the state."""
        if self.selfish is not None:
            chances = self.selfish.chances(state, 1)
            return Fraction(chances[GOAL], chances[0])
        search = self.search
        deeper = False
        while True:
            search.beyond = False
            low, high = as_interval(search.bounds(state, NEVER, ALWAYS, 1))
            if low == high:
                return low
            # Bounds from the table do not show whether anything lies beyond the frontier.
            if self.budget.over or (deeper and not search.beyond):
                raise BudgetExceeded("too many positions")
            search.frontier += 1
            deeper = True

    def advance(self, move: int) -> None:
        self.play(move)
        while self.open() and self.state.actor != self.seat:
            self.play(self.reply())

    def open(self) -> bool:
        """Whether the goal is not settled yet."""
        self.reached = self.question.verdict(self.state, self.deadline)
        return self.reached is None

    def reply(self) -> int:
        """The move of the others or of chance."""
        state = self.state
        moves, weights = outcomes(state)
        chance = state.actor == CHANCE
        if self.question.others is Others.BOT and not chance:
            return self.question.reply(state)
        silence = self.silence(state)
        if silence is not None and self.question.others is not Others.RANDOM:
            return silence
        if self.selfish is not None and not chance:
            return self.selfish.choice(state, 1)[0]
        against = self.unkind if chance else self.question.others is Others.COALITION
        if against or self.worst_luck:
            return min(moves, key=self.worth)
        return moves[self.drawn(weights)]


class HiddenTrial(Trial):
    """A trial with cards unknown to the person; the seed decides which world is the true one."""

    def __init__(self, solution: Solution, seed: int, unkind: bool, budget: NodeBudget) -> None:
        super().__init__(solution, seed, unkind, budget)
        worlds = list(solution.worlds)
        self.search = PlanSearch(self.question, worlds, budget)
        number = self.drawn([1] * len(worlds))
        self.known = KnownStates(worlds, number, [{world} for world in range(len(worlds))])
        self.state = worlds[number]

    def alike(self) -> list[State]:
        return self.known.states if self.reached is None else [self.state]

    def worth(self, move: int) -> Fraction:
        """The value of the best plan that agrees with all choices so far and with this one."""
        front = self.front(list(self.solution.worlds), (*self.known.made, (move, ())), 1)
        return max(self.measure(chances) for chances in front)

    def measure(self, chances: WorldChances) -> Fraction:
        return min(chances) if self.unkind else sum(chances, Fraction(0)) / len(chances)

    def front(
        self, states: list[State], made: tuple[tuple[int, Observations], ...], depth: int
    ) -> Front:
        """The front of the plans that make these choices."""
        (move, seen), *rest = made
        situations: dict[Observations, Situation] = {}
        courses = [self.search.course(state, move, (), situations, depth) for state in states]
        fronts = [
            self.front(situation.states, tuple(rest), depth + 1)
            if rest and observed == seen
            else self.search.front(situation.states, depth + 1)
            for observed, situation in situations.items()
        ]
        plans = (dict(zip(situations, plan, strict=True)) for plan in product(*fronts))
        front = [tuple(achieved(course, plan) for course in courses) for plan in plans]
        return undominated(front, self.budget)

    def branch(self, number: int, state: int) -> Trial:
        other = super().branch(number, state)
        other.state = other.known.states[state]
        return other

    def prospects(self, number: int) -> Sequence[Fraction]:
        courses, plan, _ = self.expected(self.marks[number][0], self.choices[number].move)
        return [achieved(course, plan) for course in courses]

    def expected(
        self, known: KnownStates, move: int
    ) -> tuple[list[Course], dict[Observations, WorldChances], dict[Observations, Situation]]:
        """What may follow the move in each state, the best plan then, and where it may lead."""
        situations: dict[Observations, Situation] = {}
        courses = [self.search.course(state, move, (), situations, 1) for state in known.states]
        fronts = [self.search.front(situation.states, 2) for situation in situations.values()]
        plans = [dict(zip(situations, plan, strict=True)) for plan in product(*fronts)]
        plan = max(plans, key=lambda plan: self.measure(tuple(achieved(c, plan) for c in courses)))
        return courses, plan, situations

    def advance(self, move: int) -> None:
        known = self.known
        # The others expect the person to continue with the best plan.
        courses, plan, situations = self.expected(known, move)
        self.play(move)
        course = courses[known.number]
        while isinstance(course, (ChanceNode, AdversaryNode)):
            course = self.replied(course, plan)
        if isinstance(course, Settled):
            self.reached = course.value == 1
            return
        states = situations[course.seen].states
        roots: list[set[int]] = [set() for _ in states]
        for begun, origin in zip(courses, known.roots, strict=True):
            for end in _decisions(begun):
                if end.seen == course.seen:
                    roots[end.number] |= origin
        made = (*known.made, (move, course.seen))
        self.known = KnownStates(states, course.number, roots, made)
        self.state = states[course.number]

    def replied(
        self, course: ChanceNode | AdversaryNode, plan: dict[Observations, WorldChances]
    ) -> Course:
        """What follows the move of the others or of chance."""
        moves, weights = outcomes(self.state)
        branches = [item[1] if isinstance(item, tuple) else item for item in course.branches]
        against = self.unkind and self.state.actor == CHANCE
        silence = self.silence(self.state)
        if isinstance(course, AdversaryNode) and silence is not None:
            number = moves.index(silence)
        elif isinstance(course, AdversaryNode) or against or self.worst_luck:
            number = min(range(len(moves)), key=lambda i: achieved(branches[i], plan))
        else:
            number = self.drawn(weights)
        self.play(moves[number], seen=self.can_see(moves[number]))
        return branches[number]

    def can_see(self, move: int) -> bool:
        """Whether the person can tell this move from all others.

        Even if it is the only move here, there may be others in other worlds.
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


def _decisions(course: Course) -> Iterator[Decision]:
    """All points of the course at which the seat decides again."""
    if isinstance(course, Decision):
        yield course
    elif isinstance(course, ChanceNode):
        for _, branch in course.branches:
            yield from _decisions(branch)
    elif isinstance(course, AdversaryNode):
        for branch in course.branches:
            yield from _decisions(branch)
