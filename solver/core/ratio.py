"""Exact shares of one as pairs of whole numbers: what Fractions are, at a price a search can pay.

A pair is numerator and denominator, the latter at least 1, without a common factor.
"""

from __future__ import annotations

from math import gcd
from typing import Final

Ratio = tuple[int, int]

NEVER: Final[Ratio] = (0, 1)
ALWAYS: Final[Ratio] = (1, 1)


def at_least(one: Ratio, other: Ratio) -> bool:
    return one[0] * other[1] >= other[0] * one[1]


def larger(one: Ratio, other: Ratio) -> Ratio:
    return one if at_least(one, other) else other


def smaller(one: Ratio, other: Ratio) -> Ratio:
    return other if at_least(one, other) else one


def plus(one: Ratio, other: Ratio) -> Ratio:
    if one[1] == 1 and other[1] == 1:
        return one[0] + other[0], 1
    return lowest(one[0] * other[1] + other[0] * one[1], one[1] * other[1])


def minus(one: Ratio, other: Ratio) -> Ratio:
    return plus(one, (-other[0], other[1]))


def times(one: Ratio, many: int) -> Ratio:
    return (one[0] * many, 1) if one[1] == 1 else lowest(one[0] * many, one[1])


def parted(one: Ratio, many: int) -> Ratio:
    """One of so many equal parts."""
    return lowest(one[0], one[1] * many)


def lowest(numerator: int, denominator: int) -> Ratio:
    common = gcd(numerator, denominator)
    return numerator // common, denominator // common
