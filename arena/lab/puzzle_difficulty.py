"""How hard a puzzle is: a rating from how often programs solve it, its traps and its size.

The programs know the goal and see what the puzzle shows (`puzzle_solvers`). Each has a rating of
its own and tries the puzzle with several seeds, as if it played rated games against it; the
puzzle's performance in these games is the main part of its rating. Every trap adds to it, and so
does a large game tree. A puzzle that all programs solve is of level 2 at most.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from math import log10
from typing import Final

from arena.lab.puzzle_solvers import (
    MovePicker,
    PuzzleTask,
    TreeSearch,
    glance,
    playout_shares,
    playouts,
    puzzle_task,
)
from games.state import Rng, State
from solver.ask import Solution
from solver.puzzles.files import level_of
from solver.search.alpha_beta import after

SOLVERS: Final[dict[str, tuple[int, MovePicker]]] = {
    "glance": (1300, glance),
    "playouts": (1400, playouts),
    "search 50": (1550, TreeSearch(50)),
    "search 500": (1850, TreeSearch(500)),
}
"""Name -> its own rating, and how it picks a first move; from weak to strong."""
GUESSER: Final = 900
"""The rating of a program that picks any first move; how often it is right is computed."""
TRIES: Final = 5
"""Tries of each program for the rating of a puzzle."""
ENOUGH: Final = Fraction(1, 2)
"""Share of its tries that must succeed, or the program has failed."""
TRAP: Final = 1 / 3
"""A wrong first move is a trap if this share of its random playouts reach the goal."""
TRAP_POINTS: Final = 25
MOST_TRAPS: Final = 6
TREE_POINTS: Final = 100
"""For every factor of ten between the smallest and the largest tree that counts."""
SMALLEST_TREE: Final = 10
LARGEST_TREE: Final = 20_000
_TYPICAL: Final = 1500.0
"""One draw against this rating keeps performances finite."""
_ALL_SOLVE: Final = 1399
"""The highest rating of level 2."""
_LOWEST: Final = 600
_HIGHEST: Final = 2600


@dataclass(frozen=True)
class PuzzleRates:
    """What the programs made of a puzzle."""

    tries: int
    """Of each program."""
    found: tuple[int, ...]
    """Tries of each program that chose a best move."""
    guess: Fraction
    """The chance that any first move is a best one."""
    traps: int
    tree: int
    """Positions of the game tree up to the horizon, LARGEST_TREE at most."""

    @property
    def shares(self) -> dict[str, Fraction]:
        """Program -> share of its tries that succeeded."""
        counts = zip(SOLVERS, self.found, strict=True)
        return {name: Fraction(count, self.tries) for name, count in counts}

    @property
    def failed(self) -> list[str]:
        return [name for name, share in self.shares.items() if share < ENOUGH]

    @property
    def rating(self) -> int:
        """The puzzle's rating, to the nearest ten."""
        points = _performance([*self._results(), (_TYPICAL, 0.5, 1)])
        points += TRAP_POINTS * min(self.traps, MOST_TRAPS)
        points += TREE_POINTS * log10(max(self.tree, SMALLEST_TREE) / SMALLEST_TREE)
        rating = round(min(max(points, _LOWEST), _HIGHEST) / 10) * 10
        return rating if self.failed else min(rating, _ALL_SOLVE // 10 * 10)

    @property
    def difficulty(self) -> int:
        """The level, from 1 to 5."""
        return level_of(self.rating)

    def _results(self) -> list[tuple[float, float, int]]:
        """Each program's rating, the share that it solved, and its tries."""
        shares = [float(share) for share in self.shares.values()]
        ratings = [float(rating) for rating, _ in SOLVERS.values()]
        results = [(rating, share, TRIES) for rating, share in zip(ratings, shares, strict=True)]
        return [(float(GUESSER), float(self.guess), TRIES), *results]


def _performance(results: list[tuple[float, float, int]]) -> float:
    """The rating that would be expected to lose just as often."""
    low, high = 0.0, 4000.0
    for _ in range(40):
        middle = (low + high) / 2
        surplus = sum(
            tries * (share - 1 / (1 + 10 ** ((middle - rating) / 400)))
            for rating, share, tries in results
        )
        # A puzzle solved more often than expected is easier than that.
        low, high = (low, middle) if surplus > 0 else (middle, high)
    return (low + high) / 2


def puzzle_rates(solution: Solution, best: Collection[int], tries: int = TRIES) -> PuzzleRates:
    """Let every program try with the seeds 0, 1, ...; the same on every machine."""
    task = puzzle_task(solution)
    found = tuple(
        sum(choose(task, Rng(seed)) in best for seed in range(tries))
        for _, choose in SOLVERS.values()
    )
    shares = playout_shares(task, Rng(tries))
    traps = sum(share >= TRAP for move, share in shares.items() if move not in best)
    guess = Fraction(len(best), len(task.moves))
    return PuzzleRates(tries, found, guess, traps, _tree_size(task))


def _tree_size(task: PuzzleTask) -> int:
    """Positions of the game tree of one world up to the horizon, as far as they count."""
    deadline = task.deadline()
    waiting: list[State] = [task.worlds[0].copy()]
    count = 0
    while waiting and count < LARGEST_TREE:
        state = waiting.pop()
        count += 1
        if task.question.verdict(state, deadline) is None:
            waiting += [after(state, move) for move in state.moves()]
    return count


def puzzle_rating(solution: Solution, best: Collection[int]) -> int:
    """The rating of a puzzle with these best first moves."""
    return puzzle_rates(solution, best).rating


def tempting(solution: Solution, best: Collection[int]) -> bool:
    """Whether a glance or random playouts, or both, lead to another move."""
    task = puzzle_task(solution)
    return any(choose(task, Rng(0)) not in best for choose in (glance, playouts))
