"""Seeds: every stream of randomness is derived from one seed and the name of its use."""

from __future__ import annotations

import hashlib
from typing import Final

MOST_SEED: Final = 2**30
"""The largest seed that commands take for single games."""
MOST_LEAGUE_SEED: Final = 2**56
"""A league's seed may be larger: competitions need seeds that nobody can guess."""


def derive_seed(seed: int, *names: object) -> int:
    """The seed of one of the independent streams: the deal, each bot, each game of a league."""
    words = "/".join(str(name) for name in (seed, *names))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:7], "big")
