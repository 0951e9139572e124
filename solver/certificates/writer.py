"""Writes certificates: what the searches have found, as proofs that others can check.

For bounds it takes one move where one will do and all where all are needed; positions that go on
alike share a node. For players who choose for themselves it writes down the whole tree, for hidden
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
from solver.ask import Solved
from solver.certificates.format import (
    END,
    MOST_NODES,
    MOST_WORLDS,
    Certificate,
    Claim,
    Link,
    Node,
    kind_of,
)
from solver.core.budget import NodeBudget, Spent
from solver.core.question import Others
from solver.core.ratio import ALWAYS, NEVER, Ratio
from solver.search.alpha_beta import OpenSearch, after
from solver.search.hidden_plans import Chances, Perceived, PlanSearch, Situation, achieved
from solver.search.max_n import SelfishSearch


class Uncertified(GameError):
    """An answer that no certificate can be written for."""


def check_others(others: str) -> None:
    """Uncertified if no certificate can be about such others, whatever the answer is."""
    if others not in (Others.COALITION.value, Others.RANDOM.value, Others.SELFISH.value):
        raise Uncertified(
            f"there are no certificates about others who are '{others}', "
            f"only about a coalition, random or selfish ones"
        )


def certify(solved: Solved, budget: NodeBudget) -> Certificate:
    """The certificate of an exact answer; Uncertified says why there is none."""
    asked, answer = solved.asked, solved.answer
    if not answer.exact:
        raise Uncertified(f"only exact answers can be certified, and this one is not: {answer.why}")
    check_others(asked.others)
    if len(solved.worlds) > MOST_WORLDS:
        raise Uncertified(
            f"this is about {len(solved.worlds)} worlds, and a certificate can be about at most "
            f"{MOST_WORLDS}"
        )
    sight = "own" if solved.hidden else "all"
    writer = _WRITERS[kind_of(asked.others, sight)](solved, budget)
    try:
        claims = writer.claims()
    except Spent:
        raise writer.failed() from None
    return Certificate(
        asked.game.name,
        asked.game.rules_version,
        str(asked.position),
        asked.goal,
        asked.horizon,
        asked.others,
        sight,
        solved.idle,
        claims,
        tuple(writer.nodes),
    )


class Writer(ABC):
    """Collects the nodes of one certificate."""

    def __init__(self, solved: Solved, budget: NodeBudget) -> None:
        self.solved = solved
        self.question = solved.answer.question
        self.deadline = self.question.deadline(solved.worlds[0])
        self.budget = budget
        self.nodes: list[Node] = []

    def claims(self) -> tuple[Claim, ...]:
        """Every first move with its values, and where their proofs begin."""
        table = self.solved.worlds[0]
        return tuple(
            Claim(
                self.words(table, one.move),
                one.likely[0],
                one.sure[0],
                self.proofs(one),
            )
            for one in self.solved.answer.values
        )

    @abstractmethod
    def proofs(self, one: MoveValue) -> tuple[Link, ...]:
        """What proves the value of the move."""

    def words(self, state: State, move: int) -> str:
        return self.solved.asked.game.text.move(state, move)

    def settled(self, state: State) -> bool:
        return self.question.verdict(state, self.deadline) is not None

    def add(self, node: Node) -> int:
        if len(self.nodes) == MOST_NODES:
            raise Uncertified(
                f"the certificate would have more than {MOST_NODES} nodes: ask about fewer turns "
                f"or cards"
            )
        self.nodes.append(node)
        return len(self.nodes) - 1

    def failed(self) -> Uncertified:
        why = self.budget.why or "the search has no proof of it that stands by itself"
        return Uncertified(f"no certificate can be written: {why}")


class BoundsWriter(Writer):
    """A proof that a move is worth so much at least, and one that it is at most."""

    def __init__(self, solved: Solved, budget: NodeBudget) -> None:
        super().__init__(solved, budget)
        self.root = solved.worlds[0]
        self.search = OpenSearch(self.question, self.root, budget)
        self.search.values()
        self.known: dict[tuple[bytes, Ratio, bool], int] = {}

    def proofs(self, one: MoveValue) -> tuple[Link, ...]:
        state, bound = after(self.root, one.move), one.likely[0].as_integer_ratio()
        return tuple(self.link(state, bound, low, 1) for low in (True, False))

    def link(self, state: State, bound: Ratio, low: bool, depth: int) -> Link:
        """What proves that the state is worth so much at least (low) or at most."""
        if bound == (NEVER if low else ALWAYS):
            return None
        if self.settled(state):
            return END
        key = (state.equivalence_key(), bound, low)
        if key not in self.known:
            self.known[key] = self.add(self.node(state, bound, low, depth))
        return self.known[key]

    def node(self, state: State, bound: Ratio, low: bool, depth: int) -> Node:
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
            then[self.words(state, move)] = self.link(following, need, low, depth + 1)
        return Node(then=then)


class ChoicesWriter(Writer):
    """The whole tree below a move, with what everybody chooses."""

    def __init__(self, solved: Solved, budget: NodeBudget) -> None:
        super().__init__(solved, budget)
        self.root = solved.worlds[0]
        self.search = SelfishSearch(self.question, self.root, budget)
        self.known: dict[bytes, int] = {}

    def proofs(self, one: MoveValue) -> tuple[Link, ...]:
        return (self.link(after(self.root, one.move), 1),)

    def link(self, state: State, depth: int) -> Link:
        if self.settled(state):
            return END
        key = state.equivalence_key()
        if key not in self.known:
            choice = ""
            if state.actor != CHANCE:
                choice = self.words(state, self.search.choice(state, depth)[0])
            then = {
                self.words(state, move): self.link(after(state, move), depth + 1)
                for move in state.moves()
            }
            self.known[key] = self.add(Node(choice, then))
        return self.known[key]


class PlansWriter(Writer):
    """The likeliest and the surest plan that begin with a move."""

    def __init__(self, solved: Solved, budget: NodeBudget) -> None:
        super().__init__(solved, budget)
        self.search = PlanSearch(self.question, solved.worlds, budget)
        self.known: dict[tuple[tuple[bytes, ...], Chances], int] = {}

    def proofs(self, one: MoveValue) -> tuple[Link, ...]:
        worlds = list(self.solved.worlds)
        front = self.search.following(worlds, one.move, 1)
        goals = (max(front, key=sum), max(front, key=min))
        plans = {goal: self.plan(worlds, one.move, goal, 1) for goal in dict.fromkeys(goals)}
        return tuple(plans[goal] for goal in goals)

    def plan(self, states: list[State], move: int, goal: Chances, depth: int) -> int:
        """The node of a plan that begins with the move and achieves the goal in every state."""
        situations: dict[Perceived, Situation] = {}
        courses = [self.search.course(state, move, (), situations, depth) for state in states]
        fronts = [self.search.front(one.states, depth + 1) for one in situations.values()]
        for plans in product(*fronts):
            chosen = dict(zip(situations, plans, strict=True))
            if all(achieved(one, chosen) >= part for one, part in zip(courses, goal, strict=True)):
                break
        else:
            raise self.failed()
        following = {
            seen: self.decision(one.states, chosen[seen], depth + 1)
            for seen, one in situations.items()
        }
        return self.add(Node(self.words(states[0], move), after=dict[Perceived, Link](following)))

    def decision(self, states: list[State], goal: Chances, depth: int) -> int:
        """The node of a plan that achieves the goal, whatever it begins with.

        Only equal states share one: of states that merely come to the same, others are perceived.
        """
        key = (tuple(state.key() for state in states), goal)
        if key not in self.known:
            self.known[key] = self.plan(states, self.first(states, goal, depth), goal, depth)
        return self.known[key]

    def first(self, states: list[State], goal: Chances, depth: int) -> int:
        """A move with which a plan begins that achieves the goal."""
        for move in states[0].moves():
            if goal in self.search.following(states, move, depth):
                return move
        raise self.failed()


_WRITERS: Final[dict[str, Callable[[Solved, NodeBudget], Writer]]] = {
    "bounds": BoundsWriter,
    "choices": ChoicesWriter,
    "plans": PlansWriter,
}
