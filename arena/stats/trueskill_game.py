"""One comparison of bots in the TrueSkill model: what it says about the skill of each.

A bot's performance in a game is its skill plus normal noise of standard deviation `BETA`. Bots are
put in the order of their ranks, tied ones next to each other. Each performance exceeds the next by
more than a margin, or differs by less than the margin if the two tie. What is learned is passed
along this chain as normal distributions, forwards and backwards (expectation propagation). These
are the factors and messages of TrueSkill (Herbrich, Minka and Graepel 2007) and of the package
`trueskill`; but messages are kept between calls, so that a comparison that is rated again from
slightly different skills needs one pass.
"""

from collections.abc import Sequence
from math import erf, erfc, exp, inf, pi, sqrt
from statistics import NormalDist
from typing import Final

import trueskill

from arena.stats.linear_equations import Matrix

MU: Final[float] = trueskill.MU
SIGMA: Final[float] = trueskill.SIGMA
"""The skill of a bot that has not played: mean and standard deviation."""
BETA: Final[float] = trueskill.BETA
"""The standard deviation of a performance around the skill."""

_NOISE: Final = BETA * BETA
_ROOT_HALF: Final = sqrt(0.5)
_ROOT_HALF_PI: Final = sqrt(pi / 2)
_FAR: Final = 36.0  # from here on erfc underflows, and its asymptotic series is exact
_NARROW: Final = 1e-2  # over an interval of this width a short series is more exact
_LEAST: Final = 1e-12  # of a variance relative to the one before


def draw_margin(ties: float) -> float:
    """The margin with which equally skilled bots tie with this probability."""
    return NormalDist().inv_cdf((ties + 1) / 2) * sqrt(2) * BETA


class Ranking:
    """Bots in the order of their ranks; tied neighbours are marked."""

    def __init__(self, tied: Sequence[bool], margin: float) -> None:
        """`tied`: for each bot but the last, whether it ties with the next one."""
        self.margin = margin
        self.tied = tuple(tied)
        self.weights = [0.0] * len(tied)
        self.pulls = [0.0] * len(tied)
        """What is known about the gap between neighbours: precision, and precision times mean."""

    def learn(
        self, means: Sequence[float], variances: Sequence[float]
    ) -> list[tuple[float, float]]:
        """What the comparison says about each skill: how it moves the mean, and its precision.

        `means` and `variances` describe the skills without it; a move is in units of the variance.
        One pass along the chain; with two bots that is exact, with more it comes closer with every
        call.
        """
        weights, pulls = self.weights, self.pulls
        spreads = [variance + _NOISE for variance in variances]
        behind = self._behind(means, spreads)
        ahead = [(0.0, 0.0)]
        weight = pull = 0.0
        for i, tied in enumerate(self.tied):
            scale = 1 / (1 + weight * spreads[i])
            mean, variance = (means[i] + pull * spreads[i]) * scale, spreads[i] * scale
            weight, pull = behind[i + 1]
            scale = 1 / (1 + weight * spreads[i + 1])
            gap = mean - (means[i + 1] + pull * spreads[i + 1]) * scale
            weights[i], pulls[i] = self._gap(tied, gap, variance + spreads[i + 1] * scale)
            scale = 1 / (1 + weights[i] * variance)
            weight, pull = weights[i] * scale, (weights[i] * mean - pulls[i]) * scale
            ahead.append((weight, pull))
        learned = []
        messages = zip(means, spreads, ahead, self._behind(means, spreads), strict=True)
        for mean, spread, before, after in messages:
            weight = before[0] + after[0]
            move = (before[1] + after[1] - weight * mean) / (1 + weight * spread)
            learned.append((move, weight / (1 + weight * _NOISE)))
        return learned

    def _behind(
        self, means: Sequence[float], spreads: Sequence[float]
    ) -> list[tuple[float, float]]:
        """What the bots behind each one say about its performance: a weight and a pull."""
        weight = pull = 0.0
        messages = [(weight, pull)]
        for i in range(len(self.tied) - 1, -1, -1):
            mean, spread, known = means[i + 1], spreads[i + 1], self.weights[i]
            scale = 1 / (1 + weight * spread + known * spread)
            pull = (known * (mean + pull * spread) + self.pulls[i] * (1 + weight * spread)) * scale
            weight = known * (1 + weight * spread) * scale
            messages.append((weight, pull))
        messages.reverse()
        return messages

    def _gap(self, tied: bool, mean: float, variance: float) -> tuple[float, float]:
        """What the ranks say about a gap, given what else is known about it."""
        width = sqrt(variance)
        if tied:
            shift, left = truncated((-self.margin - mean) / width, (self.margin - mean) / width)
        else:
            shift, left = truncated((self.margin - mean) / width, inf)
        weight = (1 - left) / left / variance
        return weight, weight * mean + shift / left / width

    def links(self) -> Matrix:
        """How strongly it ties each two of the skills together (symmetric, 0 on the diagonal)."""
        # Given the skills, gaps have this tridiagonal covariance matrix: on its diagonal, twice
        # the noise and what the ranks leave open. From its minors follows its inverse.
        gaps = len(self.tied)
        diagonal = [2 * _NOISE + 1 / max(weight, _LEAST) for weight in self.weights]
        first = [1.0, diagonal[0] / _NOISE]
        last = [1.0, diagonal[-1] / _NOISE]
        for i in range(1, gaps):
            first.append(diagonal[i] / _NOISE * first[-1] - first[-2])
            last.append(diagonal[gaps - 1 - i] / _NOISE * last[-1] - last[-2])
        whole = first[gaps] * _NOISE
        # A gap is the difference of neighbours, so a link is a second difference of the inverse.
        fronts = [first[i] - (first[i - 1] if i else 0.0) for i in range(gaps)]
        backs = [last[i] - (last[i - 1] if i else 0.0) for i in range(gaps)]
        links = [[0.0] * (gaps + 1) for _ in range(gaps + 1)]
        for a in range(gaps):
            for b in range(a + 1, gaps + 1):
                links[a][b] = links[b][a] = fronts[a] * backs[gaps - b] / whole
        return links


def truncated(low: float, high: float) -> tuple[float, float]:
    """Mean and variance of a standard normal variable between two bounds."""
    if low + high < 0:  # the far side is the high one from here on
        mean, variance = truncated(-high, -low)
        return -mean, variance
    if high - low < _NARROW / (1 + abs(low)):
        middle, square = (low + high) / 2, (high - low) ** 2 / 4
        return middle * (1 - square / 3), square / 3 * (1 - square * (3 * middle**2 + 2) / 15)
    # Densities at both bounds and the probability between, all relative to one density: that at
    # the low bound, which may be tiny, or the highest one.
    relative = max(low, 0.0)
    start = exp((relative - low) * (relative + low) / 2)
    end = 0.0 if high == inf else exp((relative - high) * (relative + high) / 2)
    if low > 0:
        chance = _ROOT_HALF_PI * (_scaled_erfc(low) - (end and end * _scaled_erfc(high)))
    else:
        chance = _ROOT_HALF_PI * (erf(high * _ROOT_HALF) - erf(low * _ROOT_HALF))
    mean = (start - end) / chance
    variance = 1 - mean * mean + (low * start - (end and end * high)) / chance
    return mean, max(variance, _LEAST)


def _scaled_erfc(bound: float) -> float:
    """erfc(x) times exp(x * x) at x = bound / sqrt(2), for a positive bound."""
    if bound < _FAR:
        return erfc(bound * _ROOT_HALF) * exp(bound * bound / 2)
    square = bound * bound
    return (1 - (1 - (3 - (15 - 105 / square) / square) / square) / square) / (
        bound * _ROOT_HALF_PI
    )
