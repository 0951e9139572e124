"""How often worlds were drawn, held against how often they should have been."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

Odds = Mapping[bytes, Fraction]
"""Key of a world -> how likely it is."""


def check_frequencies(odds: Odds, found: Counter[bytes]) -> None:
    """Only possible worlds, all likely ones, and each about as often as it should come."""
    check_possible(odds, found)
    assert chi_square_p(odds, found) > 1e-4
    samples = found.total()
    worst = max(deviation(found[key], samples, float(likely)) for key, likely in odds.items())
    assert worst < 5.5
    expected_once = {key for key, likely in odds.items() if likely * samples > 25}
    assert found.keys() >= expected_once


def check_possible(odds: Odds, found: Counter[bytes]) -> None:
    impossible = found.keys() - odds.keys()
    assert not impossible, f"{len(impossible)} worlds drawn that no history leads to"


def deviation(many: int, samples: int, likely: float) -> float:
    """In standard deviations; rare things count as if they spread a little more."""
    spread = math.sqrt(max(samples * likely * (1 - likely), 5.0))
    return abs(many - samples * likely) / spread


def chi_square_p(odds: Odds, found: Counter[bytes]) -> float:
    """How likely frequencies at least so far off are; worlds expected below 5 are pooled."""
    samples = found.total()
    terms: list[float] = []
    rare, rare_found = 0.0, 0
    for key, likely in odds.items():
        expected = samples * float(likely)
        if expected < 5:
            rare += expected
            rare_found += found[key]
        else:
            terms.append((found[key] - expected) ** 2 / expected)
    if rare >= 5:
        terms.append((rare_found - rare) ** 2 / rare)
    return chi_square_tail(sum(terms), len(terms) - 1)


def chi_square_tail(x: float, freedom: int) -> float:
    """The upper tail, by the cube root that makes it nearly normal (Wilson and Hilferty)."""
    if freedom < 1:
        return 1.0
    step = 2 / (9 * freedom)
    z = ((x / freedom) ** (1 / 3) - (1 - step)) / math.sqrt(step)
    return math.erfc(z / math.sqrt(2)) / 2
