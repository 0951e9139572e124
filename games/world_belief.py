"""The contract of a belief: which of the worlds that a View allows are likely. Compiled."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from games.state import State
from games.view import EventTuple


def case_at(sums: vec[float], aim: float) -> i64:
    """The number of the case at that share (0 to 1) of all; `sums` are weights, summed up."""
    low: i64 = 0
    high: i64 = len(sums) - 1
    aim *= sums[high]
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] > aim:
            high = middle
        else:
            low = middle + 1
    return low


@mypyc_attr(allow_interpreted_subclasses=True)
class WorldBelief:
    """What one seat makes of the others' moves, where a View knows only what is certain."""

    def observe(self, event: EventTuple) -> None:
        """Account for an event that the View has just taken in."""
        raise TypeError("a belief must define observe(event)")

    def spread(self, world: State, aim: float) -> None:
        """Give a sampled world what is hidden there at that share (0 to 1) of all probability.

        Evenly spread shares give worlds in proportion to how likely they are.
        """
        raise TypeError("a belief must define spread(world, aim)")

    def role_weights(self) -> list[float]:
        """By seat and role, roles of seat 0 first: the probability of that role."""
        raise TypeError("a belief must define role_weights()")
