"""A comparison that may be judged after every observation, and stopped whenever it is clear.

Observations are differences between -1 and 1 with a common mean: what one bot won of a deal minus
what the other won. For every mean that might be the true one, imagine a purse of 1 that bets on
every observation to come out above it, a fixed part of the purse each time. If the mean is the true
one, the purse can only lose or stay, on average, so by Ville's inequality the chance that it ever
holds more than 1 / r is at most r, however often one looks. Several purses that bet different parts
and share the 1 at the start keep that promise, and find large and small differences alike.

So every mean whose purse has ever held 2 / risk is too low, every mean against which betting the
other way has is too high, and those between are an interval that holds the truth at all times, with
probability 1 - risk. Nothing is assumed about the distribution but its range, and nothing is lost
by looking. Verdicts follow from the interval alone, so that all of them share the one risk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice
from math import exp, inf, log, log1p
from operator import add
from random import Random
from typing import Final

PARTS: Final = tuple(2.0**-k for k in range(1, 9))
"""What the purses bet: at most a half, so that no observation, 2 away at worst, can ruin one."""

FINE: Final = 1e-4
"""How exactly bounds are found."""


class Verdict(Enum):
    """What can be said of the first bot."""

    BETTER = "better"
    WORSE = "worse"
    EQUAL = "equal"
    """Neither is better by as much as the margin."""


@dataclass
class _Purse:
    """Bets that observations come out above a mean, or below it if `side` is -1."""

    mean: float
    side: int
    goal: float
    logs: list[float] = field(default_factory=lambda: [0.0] * len(PARTS))
    reached: bool = False
    gains: dict[float, list[float]] = field(default_factory=dict)
    """Observation -> what it adds to the logarithms; few different ones ever come."""

    def bet(self, observation: float) -> None:
        if self.reached:
            return
        if observation not in self.gains:
            gap = self.side * (observation - self.mean)
            self.gains[observation] = [log1p(part * gap) for part in PARTS]
        self.logs = list(map(add, self.logs, self.gains[observation]))
        # The average cannot have reached what not even the fullest purse has.
        self.reached = max(self.logs) >= self.goal and held(self.logs) >= self.goal


class Comparison:
    """The observations so far, and what they allow to say."""

    def __init__(self, risk: float = 0.05, margin: float = 0.05) -> None:
        self.risk = risk
        self.margin = margin
        self.goal = log(2 / risk)
        self.counts: dict[float, int] = {}
        """How often each difference was observed."""
        self.low = -1.0
        self.high = 1.0
        self._above = {mean: _Purse(mean, 1, self.goal) for mean in (0.0, -margin)}
        self._below = {mean: _Purse(mean, -1, self.goal) for mean in (0.0, margin)}

    def add(self, observation: float) -> None:
        """Take in the next observation."""
        if not -1.0 <= observation <= 1.0:
            raise ValueError(f"a difference is between -1 and 1, not {observation}")
        self.counts[observation] = self.counts.get(observation, 0) + 1
        for purse in (*self._above.values(), *self._below.values()):
            purse.bet(observation)

    @property
    def seen(self) -> int:
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        return sum(value * many for value, many in self.counts.items()) / max(1, self.seen)

    @property
    def verdict(self) -> Verdict | None:
        """What is clear by now, if anything."""
        if self._above[0.0].reached:
            return Verdict.BETTER
        if self._below[0.0].reached:
            return Verdict.WORSE
        if self._above[-self.margin].reached and self._below[self.margin].reached:
            return Verdict.EQUAL
        return None

    def bounds(self) -> tuple[float, float]:
        """The interval that holds the mean; it never widens from one call to the next."""
        self.low = max(self.low, self._bound(1))
        self.high = min(self.high, self._bound(-1))
        return self.low, self.high

    def _bound(self, side: int) -> float:
        """The last mean that betting on this side refutes; the end of the range if none."""
        refuted, open_ = -1.0 * side, 1.0 * side
        if wealth(self.counts, refuted, side) < self.goal:
            return refuted
        while abs(open_ - refuted) > FINE:
            middle = (refuted + open_) / 2
            if wealth(self.counts, middle, side) >= self.goal:
                refuted = middle
            else:
                open_ = middle
        return refuted

    def forecast(self, most: int) -> int | None:
        """How many observations in all it takes if the rest is like those seen; None beyond most.

        A guess, and only that: it may change with every observation.
        """
        if not self.seen or not self._clear(most):
            return None
        least = self.seen
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (least, middle) if self._clear(middle) else (middle, most)
        return most

    def _clear(self, observations: int) -> bool:
        """Whether so many observations like those seen would allow a verdict."""
        times = observations / self.seen

        def reaches(mean: float, side: int) -> bool:
            return wealth(self.counts, mean, side, times) >= self.goal

        above, below = self._above[-self.margin], self._below[self.margin]
        equal = (above.reached or reaches(-self.margin, 1)) and (
            below.reached or reaches(self.margin, -1)
        )
        return equal or reaches(0.0, 1) or reaches(0.0, -1)


def wealth(counts: Mapping[float, int], mean: float, side: int, times: float = 1.0) -> float:
    """The logarithm of what the purses hold after these observations, each so many times."""
    logs = [
        times * sum(many * _log1p(part * side * (value - mean)) for value, many in counts.items())
        for part in PARTS
    ]
    return held(logs)


def held(logs: Sequence[float]) -> float:
    """The logarithm of the average of the purses."""
    most = max(logs)
    return most if most == -inf else most + log(sum(exp(one - most) for one in logs) / len(logs))


def _log1p(x: float) -> float:
    return log1p(x) if x > -1 else -inf


# ---- prediction ---------------------------------------------------------------------------------


def draws(law: Mapping[float, float], rng: Random) -> Iterator[float]:
    """Endless observations from a law: difference -> how likely."""
    values, weights = list(law), list(law.values())
    while True:
        yield from rng.choices(values, weights, k=64)


def simulate(
    law: Mapping[float, float], most: int, rng: Random, risk: float = 0.05, margin: float = 0.05
) -> tuple[Verdict | None, int]:
    """The verdict on observations from a law, and how many it took; None if more than most."""
    comparison = Comparison(risk, margin)
    for number, observation in enumerate(islice(draws(law, rng), most), 1):
        comparison.add(observation)
        if comparison.verdict is not None:
            return comparison.verdict, number
    return None, most
