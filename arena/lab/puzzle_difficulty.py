"""How hard a position is to get right: how often bots of rising strength find a best move.

The bots join the table as it is, and see what lies open and their own cards: of a puzzle with all
cards open they know less than its solver. Each tries with several seeds. A rung of the ladder fails
if fewer than half of its tries find a best move, and the difficulty is 1 and the number of rungs
that fail: what is found less often is never easier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from bots.runtime.loading import ClassFactory, load_bot
from bots.runtime.mid_game import choose_mid_game, mid_game_view
from games.registry import Game
from games.state import State

LADDER: Final = ("random", "greedy", "ismcts:iterations=50", "ismcts:iterations=500")
SEEDS: Final = 9
"""Tries of every rung by which the difficulty of a puzzle is told."""
ENOUGH: Final = Fraction(1, 2)
"""Of its tries that must succeed, or the rung fails."""


@dataclass(frozen=True)
class SolveRates:
    """What came of the tries."""

    seeds: int
    found: tuple[int, ...]
    """Tries of each rung that chose a best move."""

    @property
    def shares(self) -> dict[str, Fraction]:
        """Of each rung, the share of its tries that succeeded."""
        tried = zip(LADDER, self.found, strict=True)
        return {name: Fraction(found, self.seeds) for name, found in tried}

    @property
    def failed(self) -> list[str]:
        """The rungs that fail."""
        return [name for name, share in self.shares.items() if share < ENOUGH]

    @property
    def difficulty(self) -> int:
        """From 1, if no rung fails, to one more than there are rungs."""
        return 1 + len(self.failed)


def solve_rates(
    game: Game, worlds: Sequence[State], best: set[int], seeds: int = SEEDS
) -> SolveRates:
    """Let every rung choose with the seeds from 0 on; the seat cannot tell the worlds apart."""
    return SolveRates(
        seeds,
        tuple(
            sum(
                choose_mid_game(
                    game, bot_factory, mid_game_view(game, worlds[seed % len(worlds)]), seed
                )
                in best
                for seed in range(seeds)
            )
            for bot_factory in ladder()
        ),
    )


@cache
def ladder() -> tuple[ClassFactory, ...]:
    """The bots, from weak to strong."""
    return tuple(load_bot(name) for name in LADDER)
