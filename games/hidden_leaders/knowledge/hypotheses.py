"""Weighted tables of the ways cards can lie in some bags and places."""

from __future__ import annotations

from typing import Final

from games.state import Rng

Kinds = tuple[int, ...]
"""Sorted. A number from 0 is a named card; below 0 an unnamed one of group UNNAMED - number."""

Key = tuple[tuple[Kinds, ...], Kinds, Kinds, Kinds, Kinds, Kinds]
"""One row of a cluster: contents of its bags, of its places, of untold places in the wilderness,
of other untold places, identities set free by a reshuffle, and cards sunk in one or used."""

UNNAMED: Final = -2
"""The kind of the first group of unnamed cards; further groups count downwards from here."""

PLACE: Final = 1000
"""PLACE + p: in a pile, the uncertain card that belongs to place p of some cluster."""

LIMIT: Final = 1000
"""Rows of one table, above which it is thinned to half as many."""

EVEN: Final = 0.125
"""Of thinning: how much goes to all rows alike, against 1 that goes to them by weight."""

FREED: Final = 128
"""A freed identity is card + FREED * harbor number."""

SUNK: Final = 65536
"""A sunk card is its group * SUNK + the harbor it went into; ~ of that is one used."""


class Branch:
    """How a row came about: one of several ways, each with what it puts on untold places."""

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


class Row:
    """Weight of a row, and the branch behind it."""

    def __init__(self, weight: float, branch: Branch | None) -> None:
        self.weight = weight
        self.branch = branch


class Cluster:
    """A weighted table of the ways named and unnamed cards can lie in some bags and places."""

    def __init__(self) -> None:
        self.bags: list[int] = []
        self.places: list[int] = []
        self.rows: dict[Key, Row] = {((), (), (), (), (), ()): Row(1.0, None)}
        self.tidied: dict[Key, Row] = {}
        """The rows as last looked through by `tidy`."""

    def cards(self) -> set[int]:
        """Every card some row has by name, or set free."""
        found: set[int] = set()
        for key in self.rows:
            for bag in key[0]:
                found.update(bag)
            found.update(key[1], key[2], key[3])
            for freed in key[4]:
                found.add(freed % FREED)
        return found


class Contradiction(Exception):
    """No row agrees with what was seen."""


class Rows:
    """Rows under construction: the same key may be reached in several ways."""

    def __init__(self) -> None:
        self.found: dict[Key, list[tuple[float, Branch | None, list[tuple[int, int]]]]] = {}

    def add(
        self, key: Key, weight: float, branch: Branch | None, placed: list[tuple[int, int]]
    ) -> None:
        ways = self.found.get(key)
        if ways is None:
            self.found[key] = [(weight, branch, placed)]
        else:
            ways.append((weight, branch, placed))

    def finished(self) -> dict[Key, Row]:
        rows: dict[Key, Row] = {}
        largest = 0.0
        for key, ways in self.found.items():
            if len(ways) == 1 and not ways[0][2]:
                row = Row(ways[0][0], ways[0][1])
            elif all(before is None and not placed for _, before, placed in ways):
                row = Row(sum(weight for weight, _, _ in ways), None)
            else:
                branch = Branch()
                total = 0.0
                for weight, before, placed in ways:
                    branch.add(weight, before, None, placed)
                    total += weight
                row = Row(total, branch)
            rows[key] = row
            largest = max(largest, row.weight)
        if not rows:
            raise Contradiction
        if largest > 1e100:
            for row in rows.values():
                row.weight /= largest
        return rows


def evenly_drawn(weights: list[float], most: int, luck: float) -> list[float]:
    """At most so many of the weights, drawn at even distances from a start between 0 and 1.

    Gives what each weighs now, 0 where not drawn: on average what it weighed. However little that
    is, it has a chance to be drawn, for EVEN of the room is shared out alike.
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


def thinned(rows: dict[Key, Row], most: int, rng: Rng) -> dict[Key, Row]:
    """At most so many of the rows, drawn by weight; every row has a chance."""
    if len(rows) <= most:
        return rows
    drawn = evenly_drawn([row.weight for row in rows.values()], most, fraction(rng))
    return {
        key: Row(weight, row.branch)
        for (key, row), weight in zip(rows.items(), drawn, strict=True)
        if weight > 0.0
    }


def fraction(rng: Rng) -> float:
    """Above 0 and below 1."""
    return (float(rng.below(1 << 24)) + 0.5) / (1 << 24)


def with_kind(kinds: Kinds, kind: int) -> Kinds:
    return tuple(sorted((*kinds, kind)))


def without(kinds: Kinds, kind: int) -> Kinds:
    at = kinds.index(kind)
    return kinds[:at] + kinds[at + 1 :]


def replaced(bags: tuple[Kinds, ...], at: int, bag: Kinds) -> tuple[Kinds, ...]:
    return (*bags[:at], bag, *bags[at + 1 :])


def born_in(freed: Kinds, card: int) -> int:
    """Since which harbor the identity is free in this row; 0 if it is not."""
    for f in freed:
        if f % FREED == card:
            return f // FREED
    return 0
