"""Equilibria by double oracle, in exact fractions; for small endings only.

Each seat has a list of pure plans, at first one. Mixing them is a matrix game, which is solved
exactly. Then each seat searches the whole tree for its best response to the other's mix and adds it
if it improves on the mix. When neither does, the mixes are an equilibrium. It shares only the
question with `solver.equilibrium.solve`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from games.state import CHANCE, NOBODY, State
from solver.core.question import Question

_Plan = dict[int, int]
"""The index of the move by information set; 0 where the plan names none."""
_Mix = list[tuple[Fraction, _Plan]]
_Row = list[Fraction]


class TooLarge(Exception):
    """The ending has too many positions."""


@dataclass(frozen=True)
class TreeEnd:
    """The goal is reached, or not."""

    value: Fraction


@dataclass(frozen=True)
class TreeChance:
    """Each branch with its probability."""

    branches: list[tuple[Fraction, TreeNode]]


@dataclass(frozen=True)
class TreeDecision:
    """A seat decides in the information set of that number."""

    seat: int
    seen: int
    branches: list[TreeNode]


TreeNode = TreeEnd | TreeChance | TreeDecision


def brute_equilibrium(
    question: Question,
    worlds: Sequence[State],
    sight: Callable[[State, int], Hashable],
    most_nodes: int,
) -> Fraction:
    """The value for the solving seat; TooLarge if there are more positions than that."""
    root = build_tree(question, worlds, sight, most_nodes)
    mine, theirs = question.seat, 1 - question.seat
    rows: list[_Plan] = [{}]
    columns: list[_Plan] = [{}]
    table = [[_worth(root, {mine: rows[0], theirs: columns[0]})]]
    while True:
        value, row_mix, column_mix = matrix_game(table)
        most, row = _answer([(root, list(zip(column_mix, columns, strict=True)))], mine, 1)
        least, column = _answer([(root, list(zip(row_mix, rows, strict=True)))], theirs, -1)
        if most == value == -least:
            return value
        if most > value:
            rows.append(row)
            table.append([_worth(root, {mine: row, theirs: plan}) for plan in columns])
        if -least < value:
            columns.append(column)
            for plan, payoffs in zip(rows, table, strict=True):
                payoffs.append(_worth(root, {mine: plan, theirs: column}))


def build_tree(
    question: Question,
    worlds: Sequence[State],
    sight: Callable[[State, int], Hashable],
    most_nodes: int,
) -> TreeChance:
    """The game tree: chance picks a world first."""
    grower = _Grower(question, worlds[0], most_nodes)
    sights = [[(sight(world, 0),), (sight(world, 1),)] for world in worlds]
    trees = [grower.tree(world, seen) for world, seen in zip(worlds, sights, strict=True)]
    return TreeChance([(Fraction(1, len(worlds)), tree) for tree in trees])


class _Grower:
    """Builds game trees without choices that cannot matter; numbers the information sets."""

    def __init__(self, question: Question, start: State, most: int) -> None:
        self.question = question
        self.until = start.turns + question.horizon if question.horizon else None
        self.most = most
        self.numbers: dict[Hashable, int] = {}

    def tree(self, state: State, seen: Sequence[tuple[Hashable, ...]]) -> TreeNode:
        self.most -= 1
        if self.most < 0:
            raise TooLarge
        if state.actor == NOBODY:
            return TreeEnd(Fraction(self.question.goal.reached(state)))
        if state.turns == self.until:
            return TreeEnd(Fraction(self.question.goal.unless_decided))
        branches = []
        for move in state.moves():
            following = state.copy()
            following.record()
            following.play(move)
            news = [old + tuple(following.take_events(i)) for i, old in enumerate(seen)]
            branches.append(self.tree(following, news))
        ends = {branch.value for branch in branches if isinstance(branch, TreeEnd)}
        if len(ends) == 1 and all(isinstance(branch, TreeEnd) for branch in branches):
            return TreeEnd(ends.pop())  # the choice makes no difference
        if state.actor == CHANCE:
            weights = state.weights()
            shares = [Fraction(weight, sum(weights)) for weight in weights]
            return TreeChance(list(zip(shares, branches, strict=True)))
        seat = int(state.actor)
        number = self.numbers.setdefault((seat, seen[seat]), len(self.numbers))
        return TreeDecision(seat, number, branches)


def _worth(node: TreeNode, plans: dict[int, _Plan]) -> Fraction:
    """The chance of the goal if both follow these plans."""
    if isinstance(node, TreeEnd):
        return node.value
    if isinstance(node, TreeChance):
        return sum((share * _worth(branch, plans) for share, branch in node.branches), Fraction())
    return _worth(node.branches[plans[node.seat].get(node.seen, 0)], plans)


def _answer(nodes: list[tuple[TreeNode, _Mix]], seat: int, sign: int) -> tuple[Fraction, _Plan]:
    """The best value the seat can reach from these nodes, times its sign, and a plan for it.

    Each node comes with the plans of the other seat that lead there and their probabilities.
    """
    value = Fraction()
    plan: _Plan = {}
    alike: dict[int, list[tuple[TreeDecision, _Mix]]] = {}
    waiting = list(nodes)
    while waiting:
        node, mix = waiting.pop()
        if isinstance(node, TreeEnd):
            value += sign * node.value * sum((share for share, _ in mix), Fraction())
        elif isinstance(node, TreeChance):
            for chance, branch in node.branches:
                waiting.append((branch, [(chance * share, other) for share, other in mix]))
        elif node.seat == seat:
            alike.setdefault(node.seen, []).append((node, mix))
        else:
            for i, branch in enumerate(node.branches):
                taking = [
                    (share, other) for share, other in mix if share and other.get(node.seen, 0) == i
                ]
                if taking:
                    waiting.append((branch, taking))
    for seen, turns in alike.items():
        answers = [
            _answer([(node.branches[i], mix) for node, mix in turns], seat, sign)
            for i in range(len(turns[0][0].branches))
        ]
        best = max(range(len(answers)), key=lambda i: answers[i][0])
        value += answers[best][0]
        plan |= {seen: best, **answers[best][1]}
    return value, plan


# ---- matrix games -----------------------------------------------------------------------------


def matrix_game(payoffs: list[_Row]) -> tuple[Fraction, _Row, _Row]:
    """The value for the row player and both optimal mixes, by the simplex method in integers.

    One is added to all payoffs so that the value is positive. The variables are the column mix
    divided by the value: their sum is maximised while no row exceeds one. All numbers are integers
    over the last pivot as common denominator.
    """
    rows, columns = len(payoffs), len(payoffs[0])
    scale = lcm(*(one.denominator for row in payoffs for one in row))
    table = [
        [int((one + 1) * scale) for one in row] + [int(i == j) for j in range(rows)] + [1]
        for i, row in enumerate(payoffs)
    ]
    table.append([-1] * columns + [0] * (rows + 1))
    basis = list(range(columns, columns + rows))
    common = 1
    while True:
        # Bland's rule: the first improving column, ties by the lowest index. It cannot cycle.
        entering = next((j for j, one in enumerate(table[-1]) if one < 0), None)
        if entering is None:
            break
        leaving = min(
            (i for i in range(rows) if table[i][entering] > 0),
            key=lambda i: (Fraction(table[i][-1], table[i][entering]), basis[i]),
        )
        common = _pivot(table, leaving, entering, common)
        basis[leaving] = entering
    total = table[-1][-1]
    column_mix = [Fraction(0)] * columns
    for i, j in enumerate(basis):
        if j < columns:
            column_mix[j] = Fraction(table[i][-1], total)
    row_mix = [Fraction(one, total) for one in table[-1][columns:-1]]
    return Fraction(common, total * scale) - 1, row_mix, column_mix


def _pivot(table: list[list[int]], leaving: int, entering: int, common: int) -> int:
    """Eliminate the column from all other rows; returns the new common denominator."""
    kept = table[leaving]
    pivot = kept[entering]
    for i, row in enumerate(table):
        if i != leaving:
            factor = row[entering]
            # Exact division (Bareiss): every number is a determinant of the first table.
            table[i] = [
                (pivot * one - factor * other) // common
                for one, other in zip(row, kept, strict=True)
            ]
    return pivot
