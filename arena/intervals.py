"""How sure we are of a share, seen from a finite number of games."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.959964
"""Standard deviations either side that hold 95 % of a normal distribution."""


def wilson(hits: float, trials: float) -> tuple[float, float]:
    """The 95 % interval of Wilson for a share; it stays within 0 and 1, and is honest near them."""
    if trials == 0:
        return 0.0, 1.0
    share = hits / trials
    z2 = Z_95 * Z_95 / trials
    centre = (share + z2 / 2) / (1 + z2)
    spread = Z_95 / (1 + z2) * sqrt(share * (1 - share) / trials + z2 / (4 * trials))
    return max(0.0, centre - spread), min(1.0, centre + spread)
