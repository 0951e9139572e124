"""Secret seeds of leagues: drawn, committed to before the first game, and revealed at the end."""

from dataclasses import dataclass
from hashlib import sha256
from secrets import randbits
from typing import Final

from arena.seeds import MOST_LEAGUE_SEED

GUESSABLE: Final = 2**64
"""Smaller seeds can be found by trying them all, or are known to everybody."""


@dataclass(frozen=True)
class SecretSeed:
    """The seed of a league that was drawn, not chosen."""

    seed: int
    revealed: bool = False
    """Whether it has been printed."""

    @property
    def commitment(self) -> str:
        return commitment_to(self.seed)


def draw_seed() -> SecretSeed:
    """A seed of 128 random bits, too many to find it from its commitment or from a deal."""
    seed = randbits(MOST_LEAGUE_SEED.bit_length() - 1)
    return SecretSeed(max(seed, GUESSABLE))


def commitment_to(seed: int) -> str:
    """The SHA-256 of the seed's decimal digits, as `printf %s SEED | sha256sum` gives it."""
    return sha256(str(seed).encode()).hexdigest()
