"""The sequential test: bounds that hold at all times, verdicts that follow, and few errors."""

import random
from math import exp
from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.sequential_test import Comparison, Verdict, simulate, wealth

EVEN = {-1.0: 0.12, -0.5: 0.08, 0.0: 0.6, 0.5: 0.08, 1.0: 0.12}
BETTER = {-1.0: 0.05, -0.5: 0.05, 0.0: 0.6, 0.5: 0.1, 1.0: 0.2}
SKEWED = {-1.0: 0.1, 0.0: 0.7, 0.5: 0.2}

differences = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=80)


@pytest.mark.parametrize("law", [EVEN, SKEWED])
def test_equals_are_seldom_told_apart(law: dict[float, float]) -> None:
    assert sum(value * chance for value, chance in law.items()) == pytest.approx(0.0)
    verdicts = [simulate(law, 600, random.Random(i), margin=0.2)[0] for i in range(300)]
    assert verdicts.count(Verdict.EQUAL) > 200
    assert verdicts.count(Verdict.BETTER) + verdicts.count(Verdict.WORSE) <= 15


@pytest.mark.parametrize("sign", [1, -1])
def test_the_better_one_is_found(sign: int) -> None:
    law = {sign * value: chance for value, chance in BETTER.items()}
    found = [simulate(law, 1000, random.Random(i)) for i in range(100)]
    right = Verdict.BETTER if sign == 1 else Verdict.WORSE
    assert [verdict for verdict, _ in found].count(right) >= 98
    assert 40 < median(deals for _, deals in found) < 250


def test_a_difference_as_large_as_the_margin_is_seldom_called_equal() -> None:
    law = {-1.0: 0.3, 0.0: 0.2, 1.0: 0.5}  # mean 0.2
    verdicts = [simulate(law, 2000, random.Random(i), margin=0.2)[0] for i in range(100)]
    assert verdicts.count(Verdict.EQUAL) <= 5


def test_bounds_hold_the_truth_at_all_times_in_nearly_all_tests() -> None:
    rng = random.Random(3)
    lost = 0
    for _ in range(40):
        comparison = Comparison()
        for value in rng.choices(list(BETTER), list(BETTER.values()), k=60):
            comparison.add(value)
            comparison.bounds()
        low, high = comparison.bounds()
        lost += not low <= 0.175 <= high
    assert lost <= 5


def test_on_average_no_purse_grows_if_its_mean_is_the_true_one() -> None:
    """The promise behind everything, summed over every course that three observations can take."""
    for law in (EVEN, SKEWED, BETTER):
        mean = sum(value * chance for value, chance in law.items())
        for side in (1, -1):
            total = 0.0
            for a, p in law.items():
                for b, q in law.items():
                    for c, r in law.items():
                        counts: dict[float, int] = {}
                        for value in (a, b, c):
                            counts[value] = counts.get(value, 0) + 1
                        total += p * q * r * exp(wealth(counts, mean, side))
            assert total == pytest.approx(1.0)


@given(differences)
def test_bounds_never_widen_and_verdicts_follow_from_them(observed: list[float]) -> None:
    comparison = Comparison(risk=0.2, margin=0.3)
    before = (-1.0, 1.0)
    for value in observed:
        comparison.add(value)
        low, high = comparison.bounds()
        assert before[0] <= low
        assert high <= before[1]
        before = low, high
        if comparison.verdict is not None:
            break
    verdict = comparison.verdict
    near = 2e-4  # how exactly bounds are found
    if low > near or verdict is Verdict.BETTER:
        assert verdict is Verdict.BETTER
        assert low > -near
    if high < -near or verdict is Verdict.WORSE:
        assert verdict is Verdict.WORSE
        assert high < near
    if verdict is Verdict.EQUAL:
        assert low > -0.3 - near
        assert high < 0.3 + near


@given(differences)
def test_seen_from_the_other_side_everything_is_reversed(observed: list[float]) -> None:
    one, other = Comparison(), Comparison()
    for value in observed:
        one.add(value)
        other.add(-value)
    mirrored = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    assert other.verdict is (mirrored.get(one.verdict, one.verdict) if one.verdict else None)
    assert other.mean == -one.mean
    assert [-bound for bound in reversed(other.bounds())] == pytest.approx(one.bounds())


def test_the_forecast_comes_true_if_the_rest_is_like_what_was_seen() -> None:
    pattern = [1.0, 0.0, 0.0, -0.5, 0.0, 0.5, 0.0, 0.0]
    comparison = Comparison()
    for value in pattern * 2:
        comparison.add(value)
    total = comparison.forecast(4000)
    assert total is not None
    while comparison.verdict is None:
        comparison.add(pattern[comparison.seen % len(pattern)])
    assert comparison.verdict is Verdict.BETTER
    assert abs(comparison.seen - total) <= len(pattern)


def test_the_forecast_knows_what_it_cannot_see() -> None:
    comparison = Comparison()
    assert comparison.forecast(4000) is None
    for value in [1.0, -1.0] * 20:
        comparison.add(value)
    assert comparison.forecast(100) is None
    assert (comparison.forecast(100_000) or 0) > 4000


def test_what_is_no_difference_is_refused() -> None:
    with pytest.raises(ValueError, match=r"between -1 and 1, not 1\.5"):
        Comparison().add(1.5)


def test_a_smaller_risk_asks_for_more() -> None:
    deals = [
        fmean(simulate(BETTER, 2000, random.Random(i), risk)[1] for i in range(30))
        for risk in (0.2, 0.05, 0.001)
    ]
    assert deals[0] < deals[1] < deals[2]
