"""Derives independent seeds from one seed and the name of their use."""

import hashlib
from typing import Final

MOST_SEED: Final = 2**30  # the largest seed of a single game on the command line
MOST_GAME_SEED: Final = 2**56  # of a game that a league has dealt, or of `arena match`
MOST_LEAGUE_SEED: Final = 2**128
"""The largest seed of a league: competitions need seeds that cannot be found by trying."""


def derive_seed(seed: int, *names: object) -> int:
    """The seed for one use, like the deal, a bot, or a game of a league."""
    words = "/".join(str(name) for name in (seed, *names))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:7], "big")
