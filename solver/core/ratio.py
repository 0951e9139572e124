"""Exact fractions as pairs of integers: like `Fraction`, but fast enough for a search.

A pair is a numerator and a positive denominator in lowest terms.
"""

from __future__ import annotations

from typing import Final

Ratio = tuple[int, int]

NEVER: Final[Ratio] = (0, 1)
ALWAYS: Final[Ratio] = (1, 1)


def at_least(a: Ratio, b: Ratio) -> bool:
    return a[0] * b[1] >= b[0] * a[1]


def larger(a: Ratio, b: Ratio) -> Ratio:
    return a if at_least(a, b) else b


def smaller(a: Ratio, b: Ratio) -> Ratio:
    return b if at_least(a, b) else a


def plus(a: Ratio, b: Ratio) -> Ratio:
    if a[1] == 1 and b[1] == 1:
        return a[0] + b[0], 1
    return lowest(a[0] * b[1] + b[0] * a[1], a[1] * b[1])


def minus(a: Ratio, b: Ratio) -> Ratio:
    return plus(a, (-b[0], b[1]))


def times(a: Ratio, factor: int) -> Ratio:
    return (a[0] * factor, 1) if a[1] == 1 else lowest(a[0] * factor, a[1])


def divided(a: Ratio, divisor: int) -> Ratio:
    return lowest(a[0], a[1] * divisor)


def lowest(numerator: int, denominator: int) -> Ratio:
    common, rest = denominator, numerator % denominator
    while rest != 0:  # Euclid; a call of math.gcd would take longer
        common, rest = rest, common % rest
    return (numerator, denominator) if common == 1 else (numerator // common, denominator // common)
