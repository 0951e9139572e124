"""What a game's observations hold: the layout that `State.fill_observation` and learners agree on.

An observation is a row of small numbers, 0 to 127, with what one seat sees: first what lies open to
everybody, then what the seat alone has seen. It is the same for all numbers of players. Seats are
counted from the seat itself: 0 is the seat, 1 the next in turn order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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

    @property
    def public_size(self) -> int:
        """How many numbers an onlooker has: the first ones."""
        return sizes(self.public)

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        return self.public_size + sizes(self.private)

    @property
    def words(self) -> int:
        """How many words `State.fill_observation` writes."""
        return self.size // PER_WORD

    def describe(self, numbers: Sequence[int], *, private: bool = True) -> str:
        """The numbers that are not 0, part by part: `red marker 4; own hand 3=1 17=1`."""
        words: list[str] = []
        for name, first, end in self.parts():
            if first >= len(numbers) or (not private and first >= self.public_size):
                break
            values = [(i - first, numbers[i]) for i in range(first, end) if numbers[i]]
            if end - first == 1:
                words.extend(f"{name} {value}" for _, value in values)
            elif values:
                words.append(f"{name} " + " ".join(f"{i}={value}" for i, value in values))
        return "; ".join(words)

    def parts(self) -> list[tuple[str, int, int]]:
        """Every part: what it is, its first number, and the number after its last."""
        rows: list[tuple[str, int, int]] = []
        for start, parts in ((0, self.public), (self.public_size, self.private)):
            at = start
            for name, size in parts:
                rows.append((name, at, at + size))
                at += size
        return rows
