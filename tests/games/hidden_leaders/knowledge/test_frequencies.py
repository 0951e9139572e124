"""What holds draws against odds must let honest draws pass and notice wrong ones."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from tests.support.frequencies import check_frequencies

ODDS = {b"one": Fraction(1, 2), b"two": Fraction(1, 3), b"three": Fraction(1, 6)}


def draws(many: int, *weights: int) -> Counter[bytes]:
    return Counter(Random(many).choices(list(ODDS), weights, k=many))


def test_honest_draws_pass() -> None:
    for many in (100, 1_000, 20_000):
        check_frequencies(ODDS, draws(many, 3, 2, 1))


@pytest.mark.parametrize("weights", [(1, 1, 1), (3, 2, 0), (10, 7, 4)])
def test_other_odds_are_noticed(weights: tuple[int, ...]) -> None:
    with pytest.raises(AssertionError):
        check_frequencies(ODDS, draws(20_000, *weights))


def test_an_impossible_world_is_noticed() -> None:
    with pytest.raises(AssertionError, match="1 sampled worlds that no history leads to"):
        check_frequencies(ODDS, draws(1_000, 3, 2, 1) + Counter([b"four"]))
