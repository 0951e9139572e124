"""How hard a puzzle is: how often bots of increasing strength find a best move.

The bots join the game in the given position and see only public cards and their own; in a puzzle
with open cards they know less than its solver. Each bot tries with several seeds. A bot fails if
fewer than half of its tries find a best move, and the difficulty is 1 plus the number of bots that
fail. So a lower success rate never means an easier puzzle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final

from bots.greedy import Greedy
from bots.runtime.loading import ClassFactory, load_bot
from bots.runtime.mid_game import choose_mid_game, mid_game_view
from games.registry import Game
from games.state import Rng, State
from solver.ask import Solution

LADDER: Final = ("random", "greedy", "ismcts:iterations=50", "ismcts:iterations=500")
"""The bots, from weak to strong."""
TRIES: Final = 9  # tries of each bot for the difficulty of a puzzle
ENOUGH: Final = Fraction(1, 2)  # share of its tries that must succeed, or the bot fails
GREEDY_TRIES: Final = 6
"""Tries of the greedy bot, which chooses at random between moves that look equal."""


@dataclass(frozen=True)
class SolveRates:
    """How often each bot of the ladder chose a best move."""

    seeds: int
    """Tries of each bot."""
    found: tuple[int, ...]
    """Tries of each bot that chose a best move."""

    @property
    def shares(self) -> dict[str, Fraction]:
        """Bot -> share of its tries that succeeded."""
        counts = zip(LADDER, self.found, strict=True)
        return {name: Fraction(count, self.seeds) for name, count in counts}

    @property
    def failed(self) -> list[str]:
        return [name for name, share in self.shares.items() if share < ENOUGH]

    @property
    def difficulty(self) -> int:
        """From 1, if no bot fails, to one more than the number of bots."""
        return 1 + len(self.failed)


def solve_rates(
    game: Game, worlds: Sequence[State], best: set[int], seeds: int = TRIES
) -> SolveRates:
    """Let every bot choose with the seeds 0, 1, ...; the seat cannot tell the worlds apart."""

    def finds(factory: ClassFactory, seed: int) -> bool:
        view = mid_game_view(game, worlds[seed % len(worlds)])
        return choose_mid_game(game, factory, view, seed) in best

    found = (sum(finds(factory, seed) for seed in range(seeds)) for factory in ladder())
    return SolveRates(seeds, tuple(found))


@cache
def ladder() -> tuple[ClassFactory, ...]:
    return tuple(load_bot(name) for name in LADDER)


def difficulty(solved: Solution, answer: int) -> int:
    return solve_rates(solved.query.game, solved.worlds, {answer}).difficulty


def tempting(solved: Solution, answer: int) -> bool:
    """Whether the greedy bot always chooses another move."""
    view = mid_game_view(solved.query.game, solved.worlds[0])
    return all(Greedy(view.seat, Rng(seed)).choose(view) != answer for seed in range(GREEDY_TRIES))
