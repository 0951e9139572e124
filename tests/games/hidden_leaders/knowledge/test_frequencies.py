"""The frequency check passes correct samples and detects wrong ones."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from tests.support.frequencies import check_frequencies

ODDS = {b"one": Fraction(1, 2), b"two": Fraction(1, 3), b"three": Fraction(1, 6)}


def draws(count: int, *weights: int) -> Counter[bytes]:
    return Counter(Random(count).choices(list(ODDS), weights, k=count))


def test_correct_draws_pass() -> None:
    for count in (100, 1_000, 20_000):
        check_frequencies(ODDS, draws(count, 3, 2, 1))


@pytest.mark.parametrize("weights", [(1, 1, 1), (3, 2, 0), (10, 7, 4)])
def test_wrong_odds_are_detected(weights: tuple[int, ...]) -> None:
    with pytest.raises(AssertionError):
        check_frequencies(ODDS, draws(20_000, *weights))


def test_an_impossible_world_is_detected() -> None:
    with pytest.raises(AssertionError, match="1 sampled worlds that no history leads to"):
        check_frequencies(ODDS, draws(1_000, 3, 2, 1) + Counter([b"four"]))
