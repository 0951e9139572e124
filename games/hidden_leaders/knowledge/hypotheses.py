"""Weighted tables of the ways unseen cards can lie in some bags and places."""

from __future__ import annotations

from typing import Final

from games.errors import Contradiction
from games.state import Rng

Kinds = tuple[int, ...]
"""Sorted. A number from 0 is a named card; below 0 an unnamed one of group UNNAMED - number."""

RowKey = tuple[tuple[Kinds, ...], Kinds, Kinds, Kinds, Kinds, Kinds]
"""One row of a cluster: contents of its bags, of its tracked places, of untracked places in the
wilderness, of other untracked places, identities set free by a reshuffle, cards sunk or used."""

FIRST_UNNAMED: Final = -2
"""The kind of the first group of unnamed cards; further groups count downwards from here."""

PLACE: Final = 1000
"""PLACE + p: in a pile, the uncertain card at place p of some cluster."""

LIMIT: Final = 1000
"""A table with more rows than this is thinned to half as many."""

EVEN: Final = 0.125
"""In thinning, the share spread evenly over all rows, against 1 spread by weight."""

FREED: Final = 128
"""A freed identity is card + FREED * harbor number."""

SUNK: Final = 65536
"""A sunk card is its group * SUNK + the harbor it went into; a used one is ~ of that."""


class Branch:
    """How a row came about: one of several ways, each with what it puts on untracked places."""

    def __init__(self) -> None:
        self.weights: list[float] = []
        self.before: list[Branch | None] = []
        self.beside: list[Branch | None] = []
        self.placed: list[list[tuple[int, int]]] = []

    def add(
        self,
        weight: float,
        before: Branch | None,
        beside: Branch | None,
        placed: list[tuple[int, int]],
    ) -> None:
        self.weights.append(weight)
        self.before.append(before)
        self.beside.append(beside)
        self.placed.append(placed)


class WeightedRow:
    """The weight of a row and the branch behind it."""

    def __init__(self, weight: float, branch: Branch | None) -> None:
        self.weight = weight
        self.branch = branch


class Cluster:
    """A weighted table of the ways named and unnamed cards can lie in some bags and places."""

    def __init__(self) -> None:
        self.bags: list[int] = []
        self.places: list[int] = []
        self.rows: dict[RowKey, WeightedRow] = {((), (), (), (), (), ()): WeightedRow(1.0, None)}
        self.tidied: dict[RowKey, WeightedRow] = {}
        """The rows that `tidy` last went through."""

    def cards(self) -> set[int]:
        """Every card that some row names or sets free."""
        cards: set[int] = set()
        for key in self.rows:
            for bag in key[0]:
                cards.update(bag)
            cards.update(key[1], key[2], key[3])
            for freed in key[4]:
                cards.add(freed % FREED)
        return cards


class Rows:
    """Rows under construction: the same key may be reached in several ways."""

    def __init__(self) -> None:
        self.ways: dict[RowKey, list[tuple[float, Branch | None, list[tuple[int, int]]]]] = {}

    def add(
        self, key: RowKey, weight: float, branch: Branch | None, placed: list[tuple[int, int]]
    ) -> None:
        ways = self.ways.get(key)
        if ways is None:
            self.ways[key] = [(weight, branch, placed)]
        else:
            ways.append((weight, branch, placed))

    def finished(self) -> dict[RowKey, WeightedRow]:
        rows: dict[RowKey, WeightedRow] = {}
        largest = 0.0
        for key, ways in self.ways.items():
            if len(ways) == 1 and not ways[0][2]:
                row = WeightedRow(ways[0][0], ways[0][1])
            elif all(before is None and not placed for _, before, placed in ways):
                row = WeightedRow(sum(weight for weight, _, _ in ways), None)
            else:
                branch = Branch()
                total = 0.0
                for weight, before, placed in ways:
                    branch.add(weight, before, None, placed)
                    total += weight
                row = WeightedRow(total, branch)
            rows[key] = row
            largest = max(largest, row.weight)
        if not rows:
            raise Contradiction
        if largest > 1e100:
            for row in rows.values():
                row.weight /= largest
        return rows


def evenly_drawn(weights: list[float], most: int, luck: float) -> list[float]:
    """Systematic sampling: at most `most` of the weights, at even distances; `luck` is the offset.

    Returns the new weights, 0 where not drawn; each is unchanged on average. Even the smallest
    weight has a chance to be drawn, because a share of EVEN goes to all alike.
    """
    total = sum(weights)
    alike = EVEN * total / len(weights)
    stride = (1.0 + EVEN) * total / most
    aim = stride * luck
    passed = 0.0
    drawn: list[float] = []
    for weight in weights:
        room = weight + alike
        passed += room
        hits = 0
        while aim < passed:
            hits += 1
            aim += stride
        drawn.append(hits * stride * weight / room)
    return drawn


def thinned(rows: dict[RowKey, WeightedRow], most: int, rng: Rng) -> dict[RowKey, WeightedRow]:
    """At most `most` of the rows, drawn by weight; every row has a chance."""
    if len(rows) <= most:
        return rows
    drawn = evenly_drawn([row.weight for row in rows.values()], most, fraction(rng))
    return {
        key: WeightedRow(weight, row.branch)
        for (key, row), weight in zip(rows.items(), drawn, strict=True)
        if weight > 0.0
    }


def fraction(rng: Rng) -> float:
    """A random number above 0 and below 1."""
    return (float(rng.below(1 << 24)) + 0.5) / (1 << 24)


def with_kind(kinds: Kinds, kind: int) -> Kinds:
    return tuple(sorted((*kinds, kind)))


def without_kind(kinds: Kinds, kind: int) -> Kinds:
    at = kinds.index(kind)
    return kinds[:at] + kinds[at + 1 :]


def replaced(bags: tuple[Kinds, ...], at: int, bag: Kinds) -> tuple[Kinds, ...]:
    return (*bags[:at], bag, *bags[at + 1 :])


def born_in(freed: Kinds, card: int) -> int:
    """The harbor since which the identity is free in this row; 0 if it is not."""
    for f in freed:
        if f % FREED == card:
            return f // FREED
    return 0
