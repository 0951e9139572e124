"""One comparison in the TrueSkill model: the numbers of the package, and the mathematics below."""

import random
from itertools import pairwise
from math import inf

import mpmath
import pytest
import trueskill

from arena.stats.linear_equations import Matrix, cholesky, solve_linear
from arena.stats.trueskill_game import BETA, MU, SIGMA, Ranking, draw_margin, truncated


def test_the_constants_are_those_of_the_package() -> None:
    assert (MU, SIGMA, BETA) == (trueskill.MU, trueskill.SIGMA, trueskill.BETA)
    assert draw_margin(0.3) == pytest.approx(
        trueskill.calc_draw_margin(0.3, 2, trueskill.TrueSkill()), abs=1e-6
    )


@pytest.mark.parametrize("ranks", [(0, 1), (0, 0), (0, 1, 1), (0, 0, 1, 1), (0, 1, 1, 1, 1, 1)])
def test_skills_move_as_in_the_package(ranks: tuple[int, ...]) -> None:
    means = [25.0 + i for i in range(len(ranks))]
    sigmas = [3.0 - 0.3 * i for i in range(len(ranks))]
    groups = [(trueskill.Rating(*skill),) for skill in zip(means, sigmas, strict=True)]
    plain = trueskill.TrueSkill(tau=0.0, draw_probability=0.5)
    after = plain.rate(groups, ranks=ranks, min_delta=1e-12)
    tied = [a == b for a, b in pairwise(ranks)]
    comparison = Ranking(tied, draw_margin(0.5))
    variances = [sigma**2 for sigma in sigmas]
    for _ in range(30):
        learned = comparison.learn(means, variances)
    for i, (move, precision) in enumerate(learned):
        assert means[i] + move * variances[i] == pytest.approx(after[i][0].mu, abs=1e-5)
        sigma = (1 / variances[i] + precision) ** -0.5
        assert sigma == pytest.approx(after[i][0].sigma, abs=1e-5)
    # Nothing is created: what one skill gains, others lose.
    assert sum(move for move, _ in learned) == pytest.approx(0.0, abs=1e-12)


def reference(low: float, high: float) -> tuple[float, float]:
    """Mean and variance between two bounds, with as many digits as it takes."""
    if low + high < 0:
        mean, variance = reference(-high, -low)
        return -mean, variance
    with mpmath.workdps(400):
        start, end = mpmath.npdf(low), mpmath.npdf(high)
        top = 0 if high == inf else high * end
        chance = (mpmath.erfc(low / mpmath.sqrt(2)) - mpmath.erfc(high / mpmath.sqrt(2))) / 2
        mean = (start - end) / chance
        return float(mean), float(1 - mean**2 + (low * start - top) / chance)


@pytest.mark.slow
def test_the_mean_and_variance_between_two_bounds_are_exact() -> None:
    rng = random.Random(1)
    for _ in range(100):
        low = rng.choice([rng.uniform(-8, 8), rng.uniform(-30, 30)])
        high = rng.choice([inf, low + 10 ** rng.uniform(-5, 2)])
        mean, variance = truncated(low, high)
        expected, spread = reference(low, high)
        assert mean == pytest.approx(expected, rel=1e-9, abs=1e-9)
        # Far out, an interval that is neither wide nor narrow costs digits.
        assert variance == pytest.approx(spread, rel=1e-4 if abs(low) < 9 else 0.2)


def test_the_strangest_results_are_finite() -> None:
    for gap in (-1e4, -400.0, 0.0, 400.0, 1e4):
        for tied in (True, False):
            comparison = Ranking([tied], 0.5)
            for move, precision in comparison.learn([25.0 + gap, 25.0], [1.0, 1.0]):
                assert abs(move) < 1e4
                assert 0 <= precision < 1


def test_links_are_how_the_moves_depend_on_the_skills() -> None:
    """The inverse of the covariance of the gaps between neighbours, seen from the bots."""
    comparison = Ranking([False, True, True, False], 1.0)
    for _ in range(5):
        comparison.learn([25.0, 26.0, 22.0, 27.0, 24.0], [3.0, 4.0, 5.0, 6.0, 7.0])
    gaps = range(4)
    noise: Matrix = [[BETA**2 * (2 * (a == b) - (abs(a - b) == 1)) for b in gaps] for a in gaps]
    for i in gaps:
        noise[i][i] += 1 / comparison.weights[i]
    lower = cholesky(noise)
    inverse = [solve_linear(lower, [float(a == b) for b in gaps]) for a in gaps]
    links = comparison.links()
    for a in range(5):
        for b in range(5):
            expected = sum(
                ((i == a) - (i + 1 == a)) * inverse[i][j] * ((j == b) - (j + 1 == b))
                for i in gaps
                for j in gaps
            )
            assert a == b or links[a][b] == pytest.approx(-expected)
