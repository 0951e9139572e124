"""The Glicko-2 rating system (Mark Glickman, 2013), for people and puzzles.

A rating comes with a deviation, how uncertain it is, and a volatility, how much it tends to jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Final

START_RATING: Final = 1500.0
START_DEVIATION: Final = 350.0
START_VOLATILITY: Final = 0.06
SYSTEM_CONSTANT: Final = 0.5
"""Glickman's tau: how much volatilities may change."""
_SCALE: Final = 173.7178
_CLOSE: Final = 1e-6


@dataclass(frozen=True)
class Glicko:
    """A rating on the usual scale."""

    rating: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY

    @property
    def interval(self) -> tuple[float, float]:
        """The range that has the true strength with 95 % confidence."""
        return self.rating - 1.96 * self.deviation, self.rating + 1.96 * self.deviation

    def expected(self, other: Glicko) -> float:
        """The chance to beat the other, as far as its rating is certain."""
        return _expected((self.rating - START_RATING) / _SCALE, other)

    def idle(self, periods: float) -> Glicko:
        """After that many rating periods without a game: as strong, but less certain."""
        deviation = sqrt(self.deviation**2 + periods * (_SCALE * self.volatility) ** 2)
        return Glicko(self.rating, min(deviation, START_DEVIATION), self.volatility)

    def after(self, results: Sequence[tuple[Glicko, float]]) -> Glicko:
        """After a rating period with these opponents and scores from 0 to 1."""
        if not results:
            return self.idle(1)
        strength = (self.rating - START_RATING) / _SCALE
        information = surprise = 0.0
        for other, score in results:
            weight, expected = _weight(other), _expected(strength, other)
            information += weight**2 * expected * (1.0 - expected)
            surprise += weight * (score - expected)
        variance = 1.0 / information
        volatility = self._volatility(variance, variance * surprise)
        before = (self.deviation / _SCALE) ** 2 + volatility**2
        deviation = 1.0 / sqrt(1.0 / before + information)
        strength += deviation**2 * surprise
        return Glicko(
            START_RATING + _SCALE * strength, min(_SCALE * deviation, START_DEVIATION), volatility
        )

    def _volatility(self, variance: float, change: float) -> float:
        """The new volatility, by the Illinois algorithm that Glickman gives."""
        spread = (self.deviation / _SCALE) ** 2
        centre = log(self.volatility**2)

        def slope(x: float) -> float:
            total = spread + variance + exp(x)
            pull = exp(x) * (change**2 - total) / (2.0 * total**2)
            return pull - (x - centre) / SYSTEM_CONSTANT**2

        low = centre
        if change**2 > spread + variance:
            high = log(change**2 - spread - variance)
        else:
            high = centre - SYSTEM_CONSTANT
            while slope(high) < 0.0:
                high -= SYSTEM_CONSTANT
        at_low, at_high = slope(low), slope(high)
        while abs(high - low) > _CLOSE:
            middle = low + (low - high) * at_low / (at_high - at_low)
            at_middle = slope(middle)
            if at_middle * at_high <= 0.0:
                low, at_low = high, at_high
            else:
                at_low /= 2.0
            high, at_high = middle, at_middle
        return exp(low / 2.0)


def _weight(other: Glicko) -> float:
    """How much a result against an opponent of that uncertainty says."""
    return 1.0 / sqrt(1.0 + 3.0 * (other.deviation / _SCALE / pi) ** 2)


def _expected(strength: float, other: Glicko) -> float:
    gap = strength - (other.rating - START_RATING) / _SCALE
    return 1.0 / (1.0 + exp(-_weight(other) * gap))
