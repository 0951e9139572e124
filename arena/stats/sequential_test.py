"""A sequential test: it can be evaluated after every observation, and stopped once it is clear.

An observation is a difference between -1 and 1, what one bot won of a deal minus what the other
won. To test whether the mean is at most m, start with a wealth of 1 and bet a fixed fraction of it
on every observation to exceed m. If the mean really is at most m, the wealth does not grow on
average (it is a supermartingale), so by Ville's inequality it ever reaches 1 / r with probability
at most r, no matter how often one looks. Several bettors with different fractions split the initial
wealth; together they detect large and small differences.

Every m whose bets have ever reached a wealth of 2 / risk is ruled out as too low, and likewise in
the other direction as too high. The rest is a confidence sequence: an interval that contains the
true mean at all times with probability 1 - risk. It assumes nothing about the distribution but its
range. Verdicts follow from the interval, so all of them share the one risk.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import exp, inf, log, log1p
from operator import add
from random import Random
from typing import Final

FRACTIONS: Final = tuple(2.0**-k for k in range(1, 9))
"""What the bettors stake: at most half, so that no observation, at most 2 away, can ruin one."""

BOUND_PRECISION: Final = 1e-4  # precision of the bounds


class Verdict(StrEnum):
    """The result for the first bot."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    """Neither is better by the margin or more."""


@dataclass
class _Bet:
    """Bets on observations above a mean, or below it if `side` is -1."""

    mean: float
    side: int
    goal: float
    logs: list[float] = field(default_factory=lambda: [0.0] * len(FRACTIONS))
    reached: bool = False
    gains: dict[float, list[float]] = field(default_factory=dict)
    """Observation -> what it adds to the logarithms; only few values ever occur."""

    def observe(self, observation: float) -> None:
        if self.reached:
            return
        if observation not in self.gains:
            gap = self.side * (observation - self.mean)
            self.gains[observation] = [log1p(fraction * gap) for fraction in FRACTIONS]
        self.logs = list(map(add, self.logs, self.gains[observation]))
        # The mean cannot have reached the goal if not even the maximum has.
        self.reached = max(self.logs) >= self.goal and log_mean(self.logs) >= self.goal


class SequentialTest:
    """The observations so far, with their confidence interval and verdict."""

    def __init__(self, risk: float = 0.05, margin: float = 0.05) -> None:
        self.risk = risk
        self.margin = margin
        self.goal = log(2 / risk)
        self.counts: dict[float, int] = {}
        """Observation -> how often it occurred."""
        self.low = -1.0
        self.high = 1.0
        self._above = {mean: _Bet(mean, 1, self.goal) for mean in (0.0, -margin)}
        self._below = {mean: _Bet(mean, -1, self.goal) for mean in (0.0, margin)}

    def add(self, observation: float) -> None:
        if not -1.0 <= observation <= 1.0:
            raise ValueError(f"a difference must be between -1 and 1, not {observation}")
        self.counts[observation] = self.counts.get(observation, 0) + 1
        for bet in (*self._above.values(), *self._below.values()):
            bet.observe(observation)

    @property
    def seen(self) -> int:
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        return sum(value * count for value, count in self.counts.items()) / max(1, self.seen)

    @property
    def verdict(self) -> Verdict | None:
        """None while the result is not clear."""
        if self._above[0.0].reached:
            return Verdict.BETTER
        if self._below[0.0].reached:
            return Verdict.WORSE
        if self._above[-self.margin].reached and self._below[self.margin].reached:
            return Verdict.EQUAL
        return None

    def bounds(self) -> tuple[float, float]:
        """The confidence interval of the mean; it never widens from one call to the next."""
        self.low = max(self.low, self._bound(1))
        self.high = min(self.high, self._bound(-1))
        return self.low, self.high

    def _bound(self, side: int) -> float:
        """The last mean that the bets on this side rule out; the end of the range if none."""
        excluded, possible = -1.0 * side, 1.0 * side
        if wealth(self.counts, excluded, side) < self.goal:
            return excluded
        while abs(possible - excluded) > BOUND_PRECISION:
            middle = (excluded + possible) / 2
            if wealth(self.counts, middle, side) >= self.goal:
                excluded = middle
            else:
                possible = middle
        return excluded

    def forecast(self, most: int) -> int | None:
        """Estimated total of observations until a verdict, if the rest are like those so far.

        None if that is more than `most`. A rough guess that may change with every observation.
        """
        if not self.seen or not self._clear(most):
            return None
        least = self.seen
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (least, middle) if self._clear(middle) else (middle, most)
        return most

    def _clear(self, observations: int) -> bool:
        """Whether that many observations like those so far would give a verdict."""
        times = observations / self.seen

        def reaches(mean: float, side: int) -> bool:
            return wealth(self.counts, mean, side, times) >= self.goal

        above, below = self._above[-self.margin], self._below[self.margin]
        equal = (above.reached or reaches(-self.margin, 1)) and (
            below.reached or reaches(self.margin, -1)
        )
        return equal or reaches(0.0, 1) or reaches(0.0, -1)


def wealth(counts: Mapping[float, int], mean: float, side: int, times: float = 1.0) -> float:
    """The logarithm of the wealth after these observations, each repeated `times` times."""
    logs = [
        times
        * sum(count * _log1p(fraction * side * (value - mean)) for value, count in counts.items())
        for fraction in FRACTIONS
    ]
    return log_mean(logs)


def log_mean(logs: Sequence[float]) -> float:
    """The logarithm of the mean of numbers given by their logarithms."""
    most = max(logs)
    if most == -inf:
        return most
    return most + log(sum(exp(value - most) for value in logs) / len(logs))


def _log1p(x: float) -> float:
    return log1p(x) if x > -1 else -inf


# ---- simulation ---------------------------------------------------------------------------------


def simulate(
    distribution: Mapping[float, float],
    most: int,
    rng: Random,
    risk: float = 0.05,
    margin: float = 0.05,
) -> tuple[Verdict | None, int]:
    """The verdict of a simulated test and its number of observations; None after `most`.

    `distribution` maps differences to probabilities.
    """
    test = SequentialTest(risk, margin)
    values, weights = list(distribution), list(distribution.values())
    while test.seen < most:
        for observation in rng.choices(values, weights, k=64)[: most - test.seen]:
            test.add(observation)
            if test.verdict is not None:
                return test.verdict, test.seen
    return None, most
