"""The sequential test: coverage of its bounds at all times, verdicts, and error rates."""

import random
from math import exp
from statistics import fmean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.sequential_test import SequentialTest, Verdict, simulate, wealth

EVEN = {-1.0: 0.12, -0.5: 0.08, 0.0: 0.6, 0.5: 0.08, 1.0: 0.12}
BETTER = {-1.0: 0.05, -0.5: 0.05, 0.0: 0.6, 0.5: 0.1, 1.0: 0.2}
SKEWED = {-1.0: 0.1, 0.0: 0.7, 0.5: 0.2}

differences = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=80)


@pytest.mark.parametrize("distribution", [EVEN, SKEWED])
def test_equal_bots_are_rarely_told_apart(distribution: dict[float, float]) -> None:
    assert sum(value * chance for value, chance in distribution.items()) == pytest.approx(0.0)
    verdicts = [simulate(distribution, 600, random.Random(i), margin=0.2)[0] for i in range(300)]
    assert verdicts.count(Verdict.EQUAL) > 200
    assert verdicts.count(Verdict.BETTER) + verdicts.count(Verdict.WORSE) <= 15


@pytest.mark.parametrize("sign", [1, -1])
def test_the_better_bot_is_found(sign: int) -> None:
    law = {sign * value: chance for value, chance in BETTER.items()}
    found = [simulate(law, 1000, random.Random(i)) for i in range(100)]
    right = Verdict.BETTER if sign == 1 else Verdict.WORSE
    assert [verdict for verdict, _ in found].count(right) >= 98
    assert 40 < median(deals for _, deals in found) < 250


def test_a_difference_as_large_as_the_margin_is_rarely_called_equal() -> None:
    law = {-1.0: 0.3, 0.0: 0.2, 1.0: 0.5}  # mean 0.2
    verdicts = [simulate(law, 2000, random.Random(i), margin=0.2)[0] for i in range(100)]
    assert verdicts.count(Verdict.EQUAL) <= 5


@pytest.mark.slow
def test_bounds_nearly_always_contain_the_truth_at_all_times() -> None:
    rng = random.Random(3)
    missed = 0
    for _ in range(40):
        test = SequentialTest()
        for value in rng.choices(list(BETTER), list(BETTER.values()), k=60):
            test.add(value)
            test.bounds()
        low, high = test.bounds()
        missed += not low <= 0.175 <= high
    assert missed <= 5


def test_wealth_does_not_grow_on_average_if_the_mean_is_true() -> None:
    """The property that the test rests on, summed over all sequences of three observations."""
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


@pytest.mark.slow
@given(differences)
def test_bounds_never_widen_and_verdicts_follow_from_them(observed: list[float]) -> None:
    test = SequentialTest(risk=0.2, margin=0.3)
    before = (-1.0, 1.0)
    for value in observed:
        test.add(value)
        low, high = test.bounds()
        assert before[0] <= low
        assert high <= before[1]
        before = low, high
        if test.verdict is not None:
            break
    verdict = test.verdict
    near = 2e-4  # precision of the bounds
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
def test_swapping_the_bots_reverses_everything(observed: list[float]) -> None:
    test, swapped = SequentialTest(), SequentialTest()
    for value in observed:
        test.add(value)
        swapped.add(-value)
    mirrored = {Verdict.BETTER: Verdict.WORSE, Verdict.WORSE: Verdict.BETTER}
    assert swapped.verdict is (mirrored.get(test.verdict, test.verdict) if test.verdict else None)
    assert swapped.mean == -test.mean
    assert [-bound for bound in reversed(swapped.bounds())] == pytest.approx(test.bounds())


def test_the_forecast_is_right_if_the_rest_is_like_the_start() -> None:
    pattern = [1.0, 0.0, 0.0, -0.5, 0.0, 0.5, 0.0, 0.0]
    test = SequentialTest()
    for value in pattern * 2:
        test.add(value)
    total = test.forecast(4000)
    assert total is not None
    while test.verdict is None:
        test.add(pattern[test.seen % len(pattern)])
    assert test.verdict is Verdict.BETTER
    assert abs(test.seen - total) <= len(pattern)


def test_there_is_no_forecast_beyond_the_limit() -> None:
    test = SequentialTest()
    assert test.forecast(4000) is None
    for value in [1.0, -1.0] * 20:
        test.add(value)
    assert test.forecast(100) is None
    assert (test.forecast(100_000) or 0) > 4000


def test_an_observation_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"between -1 and 1, not 1\.5"):
        SequentialTest().add(1.5)


def test_a_smaller_risk_needs_more_deals() -> None:
    deals = [
        fmean(simulate(BETTER, 2000, random.Random(i), risk)[1] for i in range(30))
        for risk in (0.2, 0.05, 0.001)
    ]
    assert deals[0] < deals[1] < deals[2]
