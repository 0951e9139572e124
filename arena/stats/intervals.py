"""Confidence intervals of a share."""

from math import inf, sqrt

Z_95 = 1.959964
"""95 % of a normal distribution lie within this many standard deviations of its mean."""


def wilson(hits: float, trials: float, z: float = Z_95) -> tuple[float, float]:
    """Wilson's score interval of a share: stays within 0 and 1, and is accurate near them."""
    if trials == 0 or z == inf:
        return 0.0, 1.0
    share = hits / trials
    z2 = z * z / trials
    centre = (share + z2 / 2) / (1 + z2)
    spread = z / (1 + z2) * sqrt(share * (1 - share) / trials + z2 / (4 * trials))
    return max(0.0, centre - spread), min(1.0, centre + spread)


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t distribution.

    By a Cornish-Fisher expansion from three degrees of freedom on.
    """
    if freedom < 3:
        return {1: 12.7062, 2: 4.30265}.get(freedom, inf)
    z, n = Z_95, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )
