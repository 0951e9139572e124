"""The plain checker of equilibria: plans without dice answer each other until none is better.

Either seat has a list of such plans, at first of one. What mixing them is worth is a game of rows
and columns, solved exactly. Then either seat looks through the whole tree for the best plan against
the other's mix and, if it is better than the mix, adds it. Once neither is, no plan at all betters
the mixes: they are an equilibrium. Only fractions are used. It shares
with `solver.equilibrium.solve` the question and nothing else. Only for small endings.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from games.state import CHANCE, NOBODY, State
from solver.core.question import Question

Plan = dict[int, int]
"""By what the seat has perceived: which of the moves it takes; the first where nothing is said."""
Mix = list[tuple[Fraction, Plan]]
Row = list[Fraction]


class TooLarge(Exception):
    """The checker would take too long over this ending."""


@dataclass(frozen=True)
class End:
    """The goal is reached, or not."""

    value: Fraction


@dataclass(frozen=True)
class Luck:
    """One of these comes, each with its share."""

    branches: list[tuple[Fraction, Node]]


@dataclass(frozen=True)
class Turn:
    """A seat decides, having perceived what has that number."""

    seat: int
    seen: int
    branches: list[Node]


Node = End | Luck | Turn


def brute_equilibrium(
    question: Question,
    worlds: Sequence[State],
    sight: Callable[[State, int], Hashable],
    most_nodes: int,
) -> Fraction:
    """The value for the seat that asks; TooLarge if there are more positions than that."""
    root = grown(question, worlds, sight, most_nodes)
    mine, theirs = question.seat, 1 - question.seat
    rows: list[Plan] = [{}]
    columns: list[Plan] = [{}]
    table = [[_worth(root, {mine: rows[0], theirs: columns[0]})]]
    while True:
        value, row_mix, column_mix = matrix_game(table)
        most, row = _answer([(root, list(zip(column_mix, columns, strict=True)))], mine, 1)
        least, column = _answer([(root, list(zip(row_mix, rows, strict=True)))], theirs, -1)
        if most == value == -least:
            return value
        if most > value:
            rows.append(row)
            table.append([_worth(root, {mine: row, theirs: one}) for one in columns])
        if -least < value:
            columns.append(column)
            for one, known in zip(rows, table, strict=True):
                known.append(_worth(root, {mine: one, theirs: column}))


def grown(
    question: Question,
    worlds: Sequence[State],
    sight: Callable[[State, int], Hashable],
    most_nodes: int,
) -> Luck:
    """The tree: luck picks a world, and then it is played. What is all the same is left out."""
    grower = _Grower(question, worlds[0], most_nodes)
    share = Fraction(1, len(worlds))
    return Luck([(share, grower.grown(world, _sights(world, sight))) for world in worlds])


class _Grower:
    """Makes the tree, and numbers what seats perceive."""

    def __init__(self, question: Question, start: State, most: int) -> None:
        self.question = question
        self.until = start.turns + question.horizon if question.horizon else None
        self.most = most
        self.numbers: dict[Hashable, int] = {}

    def grown(self, state: State, seen: list[tuple[Hashable, ...]]) -> Node:
        self.most -= 1
        if self.most < 0:
            raise TooLarge
        if state.actor == NOBODY:
            return End(Fraction(self.question.goal.reached(state)))
        if state.turns == self.until:
            return End(Fraction(self.question.goal.unless_decided))
        branches = []
        for move in state.moves():
            following = state.copy()
            following.record()
            following.play(move)
            news = [old + tuple(following.take_events(i)) for i, old in enumerate(seen)]
            branches.append(self.grown(following, news))
        ends = {branch.value for branch in branches if isinstance(branch, End)}
        if len(ends) == 1 and all(isinstance(branch, End) for branch in branches):
            return End(ends.pop())  # whatever is chosen here, it is all the same
        if state.actor == CHANCE:
            weights = state.weights()
            shares = [Fraction(weight, sum(weights)) for weight in weights]
            return Luck(list(zip(shares, branches, strict=True)))
        seat = int(state.actor)
        number = self.numbers.setdefault((seat, seen[seat]), len(self.numbers))
        return Turn(seat, number, branches)


def _sights(world: State, sight: Callable[[State, int], Hashable]) -> list[tuple[Hashable, ...]]:
    return [(sight(world, seat),) for seat in range(2)]


def _worth(node: Node, plans: dict[int, Plan]) -> Fraction:
    """The chance of the goal if both follow these plans."""
    if isinstance(node, End):
        return node.value
    if isinstance(node, Luck):
        return sum((share * _worth(branch, plans) for share, branch in node.branches), Fraction())
    return _worth(node.branches[plans[node.seat].get(node.seen, 0)], plans)


def _answer(lot: list[tuple[Node, Mix]], seat: int, sign: int) -> tuple[Fraction, Plan]:
    """The best the seat can make of a lot of nodes, times its sign, and a plan that does.

    With every node come the other seat's plans that lead there, each with its share.
    """
    value = Fraction()
    plan: Plan = {}
    alike: dict[int, list[tuple[Turn, Mix]]] = {}
    waiting = list(lot)
    while waiting:
        node, mix = waiting.pop()
        if isinstance(node, End):
            value += sign * node.value * sum((share for share, _ in mix), Fraction())
        elif isinstance(node, Luck):
            for chance, branch in node.branches:
                waiting.append((branch, [(chance * share, one) for share, one in mix]))
        elif node.seat == seat:
            alike.setdefault(node.seen, []).append((node, mix))
        else:
            for i, branch in enumerate(node.branches):
                taking = [
                    (share, one) for share, one in mix if share and one.get(node.seen, 0) == i
                ]
                if taking:
                    waiting.append((branch, taking))
    for seen, nodes in alike.items():
        found = [
            _answer([(node.branches[i], mix) for node, mix in nodes], seat, sign)
            for i in range(len(nodes[0][0].branches))
        ]
        best = max(range(len(found)), key=lambda i: found[i][0])
        value += found[best][0]
        plan |= {seen: best, **found[best][1]}
    return value, plan


# ---- games of rows and columns ----------------------------------------------------------------


def matrix_game(payoffs: list[Row]) -> tuple[Fraction, Row, Row]:
    """The value of the game for the rows, and how either side mixes: the simplex method, exactly.

    Payoffs are raised by one, so that the value is positive. Then, over columns weighted by mix
    divided by value, no row may come to more than one, and the weights are as large as possible.
    All numbers are whole ones, over the last pivot as their common denominator.
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
        # The first that helps, and of equal rows the one of the first: so it never goes in circles.
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
    """Clear the column in all rows but one; returns the new common denominator."""
    kept = table[leaving]
    pivot = kept[entering]
    for i, row in enumerate(table):
        if i != leaving:
            factor = row[entering]
            # Divisible without a rest: every number is a determinant of the first table.
            table[i] = [
                (pivot * one - factor * other) // common
                for one, other in zip(row, kept, strict=True)
            ]
    return pivot
