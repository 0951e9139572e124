"""Statistical checks that sampled worlds have the right frequencies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

Odds = Mapping[bytes, Fraction]
"""Key of a world -> its probability."""


def check_frequencies(odds: Odds, counts: Counter[bytes]) -> None:
    """Only possible worlds, all probable ones, and each about as often as expected."""
    check_possible(odds, counts)
    assert chi_square_p(odds, counts) > 1e-4
    samples = counts.total()
    worst = max(
        deviation(counts[key], samples, float(probability)) for key, probability in odds.items()
    )
    assert worst < 5.5
    expected = {key for key, probability in odds.items() if probability * samples > 25}
    assert counts.keys() >= expected


def check_possible(odds: Odds, counts: Counter[bytes]) -> None:
    impossible = counts.keys() - odds.keys()
    assert not impossible, f"{len(impossible)} sampled worlds that no history leads to"


def deviation(count: int, samples: int, probability: float) -> float:
    """From the expected count, in standard deviations with a minimum for rare events."""
    spread = math.sqrt(max(samples * probability * (1 - probability), 5.0))
    return abs(count - samples * probability) / spread


def chi_square_p(odds: Odds, counts: Counter[bytes]) -> float:
    """The p-value of the chi-square test; worlds expected fewer than 5 times are pooled."""
    samples = counts.total()
    terms: list[float] = []
    rare, rare_count = 0.0, 0
    for key, probability in odds.items():
        expected = samples * float(probability)
        if expected < 5:
            rare += expected
            rare_count += counts[key]
        else:
            terms.append((counts[key] - expected) ** 2 / expected)
    if rare >= 5:
        terms.append((rare_count - rare) ** 2 / rare)
    return chi_square_tail(sum(terms), len(terms) - 1)


def chi_square_tail(x: float, freedom: int) -> float:
    """The upper tail probability, by the approximation of Wilson and Hilferty."""
    if freedom < 1:
        return 1.0
    step = 2 / (9 * freedom)
    z = ((x / freedom) ** (1 / 3) - (1 - step)) / math.sqrt(step)
    return math.erfc(z / math.sqrt(2)) / 2
