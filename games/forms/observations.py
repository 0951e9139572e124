"""What a game's observations hold: the layout that `State.fill_observation` and learners agree on.

An observation is a row of small numbers, 0 to 127, with what one seat sees: first what lies open to
everybody, then what the seat alone has seen. It is the same for all numbers of players. Seats are
counted from the seat itself: 0 is the seat, 1 the next in turn order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

ObservedPart = tuple[str, int]
"""Some numbers of an observation: what they are, and how many."""

PER_WORD = 8
"""Numbers in a word of the packed vector."""


def sizes(parts: Sequence[ObservedPart]) -> int:
    """How many numbers the parts have, rounded up to whole words."""
    return -(-sum(size for _, size in parts) // PER_WORD) * PER_WORD


@dataclass(frozen=True)
class ObservationLayout:
    """The parts of a game's observations, in the order of `State.fill_observation`.

    `version` goes up whenever a number changes its meaning or place.
    """

    version: int
    public: tuple[ObservedPart, ...]
    """What everybody sees."""
    private: tuple[ObservedPart, ...]
    """What the seat alone sees; 0 for an onlooker."""

    @cached_property
    def public_size(self) -> int:
        """How many numbers an onlooker has: the first ones."""
        return sizes(self.public)

    @cached_property
    def size(self) -> int:
        """How many numbers an observation has."""
        return self.public_size + sizes(self.private)

    @property
    def words(self) -> int:
        """How many words `State.fill_observation` writes."""
        return self.size // PER_WORD

    def describe(self, numbers: Sequence[int]) -> str:
        """The numbers that are not 0, part by part: `red marker 4; own hand 3=1 17=1`."""
        words: list[str] = []
        parts = iter(self._parts)
        name, first, end = next(parts)
        open_part = -1
        for i in compress(range(len(numbers)), numbers):
            while i >= end:
                name, first, end = next(parts)
            if end - first == 1:
                words.append(f"; {name} {numbers[i]}")
            else:
                start = "" if open_part == first else f"; {name}"
                words.append(f"{start} {i - first}={numbers[i]}")
                open_part = first
        return "".join(words).removeprefix("; ")

    def parts(self) -> list[tuple[str, int, int]]:
        """Every part: what it is, its first number, and the number after its last."""
        return list(self._parts)

    @cached_property
    def _parts(self) -> list[tuple[str, int, int]]:
        rows: list[tuple[str, int, int]] = []
        for start, parts in ((0, self.public), (self.public_size, self.private)):
            at = start
            for name, size in parts:
                rows.append((name, at, at + size))
                at += size
        return rows
