"""Writes certificates: turns what the searches found into proofs that anyone can check.

A proof of a bound has one move where one is enough and all moves where all are needed; equivalent
positions share a node. For selfish players it is the whole tree with every choice, and for hidden
cards the likeliest and the surest plan.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import product
from typing import Final

from games.errors import GameError
from games.state import CHANCE, State
from solver.answer import MoveValue
from solver.ask import Solution
from solver.certificates.format import (
    END_LINK,
    MOST_CERTIFIED_WORLDS,
    MOST_NODES,
    Certificate,
    Claim,
    Link,
    ProofNode,
    kind_of,
)
from solver.core.budget import BudgetExceeded, NodeBudget
from solver.core.question import Others
from solver.core.ratio import ALWAYS, NEVER, Ratio
from solver.search.alpha_beta import OpenSearch, after
from solver.search.hidden_plans import Observations, PlanSearch, Situation, WorldChances, achieved
from solver.search.max_n import SelfishSearch


class Uncertified(GameError):
    """An answer that cannot be certified."""


def check_others(others: str) -> None:
    """Uncertified if certificates do not support such others."""
    if others not in (Others.COALITION.value, Others.RANDOM.value, Others.SELFISH.value):
        raise Uncertified(
            f"others '{others}' cannot be certified; use coalition, random or selfish"
        )


def certify(solution: Solution, budget: NodeBudget) -> Certificate:
    """The certificate of an exact answer; Uncertified says why there is none."""
    query, answer = solution.query, solution.answer
    if not answer.exact:
        raise Uncertified(f"only exact answers can be certified, and this one is not: {answer.why}")
    check_others(query.others)
    if solution.blind:
        raise Uncertified("an answer that did not go through all worlds cannot be certified")
    if len(solution.worlds) > MOST_CERTIFIED_WORLDS:
        raise Uncertified(
            f"{len(solution.worlds)} worlds are too many to certify; "
            f"the limit is {MOST_CERTIFIED_WORLDS}"
        )
    sight = "own" if solution.hidden else "all"
    writer = _WRITERS[kind_of(query.others, sight)](solution, budget)
    try:
        claims = writer.claims()
    except BudgetExceeded:
        raise writer.failed() from None
    return Certificate(
        query.game.name,
        query.game.rules_version,
        str(query.position),
        query.goal,
        query.horizon,
        query.others,
        sight,
        solution.idle,
        claims,
        tuple(writer.nodes),
    )


class Writer(ABC):
    """Collects the nodes of one certificate."""

    def __init__(self, solution: Solution, budget: NodeBudget) -> None:
        self.solution = solution
        self.question = solution.answer.question
        self.deadline = self.question.deadline(solution.worlds[0])
        self.budget = budget
        self.nodes: list[ProofNode] = []

    def claims(self) -> tuple[Claim, ...]:
        """The values of every first move, with links to their proofs."""
        state = self.solution.worlds[0]
        return tuple(
            Claim(self.words(state, one.move), one.likely[0], one.sure[0], self.proofs(one))
            for one in self.solution.answer.values
        )

    @abstractmethod
    def proofs(self, value: MoveValue) -> tuple[Link, ...]:
        """Links to the proofs of the value."""

    def words(self, state: State, move: int) -> str:
        return self.solution.query.game.text.move(state, move)

    def settled(self, state: State) -> bool:
        return self.question.verdict(state, self.deadline) is not None

    def add(self, node: ProofNode) -> int:
        if len(self.nodes) == MOST_NODES:
            most = f"the certificate would have more than {MOST_NODES} nodes"
            raise Uncertified(f"{most}; ask about fewer turns or cards")
        self.nodes.append(node)
        return len(self.nodes) - 1

    def failed(self) -> Uncertified:
        why = self.budget.why or "the search has no self-contained proof"
        return Uncertified(f"no certificate can be written: {why}")


class BoundsWriter(Writer):
    """Proves a lower and an upper bound for each move."""

    def __init__(self, solution: Solution, budget: NodeBudget) -> None:
        super().__init__(solution, budget)
        self.root = solution.worlds[0]
        self.search = OpenSearch(self.question, self.root, budget)
        self.search.values()
        if budget.over:
            raise self.failed()
        self.known: dict[tuple[bytes, Ratio, bool], int] = {}

    def proofs(self, value: MoveValue) -> tuple[Link, ...]:
        state, bound = after(self.root, value.move), value.likely[0].as_integer_ratio()
        return tuple(self.link(state, bound, low, 1) for low in (True, False))

    def link(self, state: State, bound: Ratio, low: bool, depth: int) -> Link:
        """A link to the proof that the state is worth at least (low) or at most the bound."""
        if bound == (NEVER if low else ALWAYS):
            return None
        if self.settled(state):
            return END_LINK
        key = (state.equivalence_key(), bound, low)
        if key not in self.known:
            self.known[key] = self.add(self.node(state, bound, low, depth))
        return self.known[key]

    def node(self, state: State, bound: Ratio, low: bool, depth: int) -> ProofNode:
        mine = state.actor == self.question.seat
        theirs = not mine and state.actor != CHANCE and self.search.against
        moves = state.moves()
        if mine if low else theirs:
            taken = self.search.proof(state, bound, depth)
            if taken is None:
                raise self.failed()
            moves = [taken]
        then: dict[str, Link] = {}
        for move in moves:
            following = after(state, move)
            need = bound
            if not (mine or theirs):
                need = self.search.bounds(following, NEVER, ALWAYS, depth + 1)[0 if low else 1]
                if self.budget.over:
                    raise self.failed()  # bounds that were cut short prove too little
            then[self.words(state, move)] = self.link(following, need, low, depth + 1)
        return ProofNode(then=then)


class ChoicesWriter(Writer):
    """Writes the whole tree below a move, with the choice of every seat."""

    def __init__(self, solution: Solution, budget: NodeBudget) -> None:
        super().__init__(solution, budget)
        self.root = solution.worlds[0]
        self.search = SelfishSearch(self.question, self.root, budget)
        self.known: dict[bytes, int] = {}

    def proofs(self, value: MoveValue) -> tuple[Link, ...]:
        return (self.link(after(self.root, value.move), 1),)

    def link(self, state: State, depth: int) -> Link:
        if self.settled(state):
            return END_LINK
        key = state.equivalence_key()
        if key not in self.known:
            choice = ""
            if state.actor != CHANCE:
                choice = self.words(state, self.search.choice(state, depth)[0])
            then = {
                self.words(state, move): self.link(after(state, move), depth + 1)
                for move in state.moves()
            }
            self.known[key] = self.add(ProofNode(choice, then))
        return self.known[key]


class PlansWriter(Writer):
    """Writes the likeliest and the surest plan that begin with a move."""

    def __init__(self, solution: Solution, budget: NodeBudget) -> None:
        super().__init__(solution, budget)
        self.search = PlanSearch(self.question, solution.worlds, budget)
        self.known: dict[tuple[tuple[bytes, ...], WorldChances], int] = {}

    def proofs(self, value: MoveValue) -> tuple[Link, ...]:
        worlds = list(self.solution.worlds)
        front = self.search.following(worlds, value.move, 1)
        goals = (max(front, key=sum), max(front, key=min))
        plans = {goal: self.plan(worlds, value.move, goal, 1) for goal in dict.fromkeys(goals)}
        return tuple(plans[goal] for goal in goals)

    def plan(self, states: list[State], move: int, goal: WorldChances, depth: int) -> int:
        """The node of a plan that begins with the move and achieves the goal in every state."""
        situations: dict[Observations, Situation] = {}
        courses = [self.search.course(state, move, (), situations, depth) for state in states]
        fronts = [self.search.front(item.states, depth + 1) for item in situations.values()]
        for plans in product(*fronts):
            chosen = dict(zip(situations, plans, strict=True))
            if all(
                achieved(course, chosen) >= part for course, part in zip(courses, goal, strict=True)
            ):
                break
        else:
            raise self.failed()
        following = {
            seen: self.decision(situation.states, chosen[seen], depth + 1)
            for seen, situation in situations.items()
        }
        return self.add(
            ProofNode(self.words(states[0], move), after=dict[Observations, Link](following))
        )

    def decision(self, states: list[State], goal: WorldChances, depth: int) -> int:
        """The node of a plan that achieves the goal, whatever move it begins with.

        Only equal states share a node; in states that are merely equivalent, the seat may observe
        something else.
        """
        key = (tuple(state.key() for state in states), goal)
        if key not in self.known:
            self.known[key] = self.plan(states, self.first(states, goal, depth), goal, depth)
        return self.known[key]

    def first(self, states: list[State], goal: WorldChances, depth: int) -> int:
        """The first move of a plan that achieves the goal."""
        for move in states[0].moves():
            if goal in self.search.following(states, move, depth):
                return move
        raise self.failed()


_WRITERS: Final[dict[str, Callable[[Solution, NodeBudget], Writer]]] = {
    "bounds": BoundsWriter,
    "choices": ChoicesWriter,
    "plans": PlansWriter,
}
