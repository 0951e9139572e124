"""How accurate fitted strengths are: simulated leagues with known strengths.

    python benchmarks/fit.py
    python benchmarks/fit.py --leagues 50 --deals 20

Six kinds of leagues (`TRUTHS`), many leagues each. The error is the root mean square difference
between fitted and true strength, in Elo points. Coverage is the share of 95 % confidence intervals
that contain the truth: of the bots' strengths, of the difference between two bots (from the chance
of superiority, which must not be below 2.5 % for the better one), and of the values of places and
roles. In brackets is the 95 % interval of the coverage itself.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass, field
from itertools import permutations
from math import sqrt
from random import Random
from statistics import fmean

from tabulate import tabulate

from arena.stats.intervals import wilson
from arena.stats.plackett_luce import POINTS, fit
from arena.worker_processes import worker_pool
from bots.runtime.processes import CHILD_CONTEXT
from tests.support.simulated_league import ROLES, World, league

PLACES = (0.3, 0.1, 0.0, -0.1, -0.1, -0.2)
LEADERS = dict(zip(ROLES, (0.4, 0.2, 0.1, -0.1, -0.2, -0.4), strict=True))
SHARED = 0.5
"""Half of a seat's luck stays with the deal while bots change seats."""
THREE = {"one": -1.0, "two": 0.0, "three": 1.0}
FIVE = {"one": -2.0, "two": -0.5, "three": 0.0, "four": 0.2, "five": 1.0}

TRUTHS: dict[str, tuple[World, int]] = {
    "3 bots, 2 players, often nobody wins": (
        World(THREE, PLACES, LEADERS, nobody=-0.5, shared=SHARED),
        2,
    ),
    "5 bots, 2 players": (World(FIVE, PLACES, LEADERS, shared=SHARED), 2),
    "5 bots, 3 players, sometimes nobody": (
        World(FIVE, PLACES, LEADERS, nobody=-2.0, shared=SHARED),
        3,
    ),
    "5 bots, 4 players": (World(FIVE, PLACES, LEADERS, shared=SHARED), 4),
    "2 bots and their copies, 4 players": (
        World({"one": 0.0, "two": 0.7}, PLACES, LEADERS, shared=SHARED),
        4,
    ),
    "2 equal bots and their copies, 6 players": (
        World({"one": 0.0, "two": 0.0}, PLACES, LEADERS, shared=SHARED),
        6,
    ),
}


@dataclass
class Accuracy:
    """The results of simulated leagues of one kind."""

    squares: list[float] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    bots: list[bool] = field(default_factory=list)
    pairs: list[bool] = field(default_factory=list)
    terms: list[bool] = field(default_factory=list)
    games: int = 0

    def add(self, other: Accuracy) -> None:
        for name in ("squares", "widths", "bots", "pairs", "terms"):
            getattr(self, name).extend(getattr(other, name))
        self.games = other.games


def one_league(task: tuple[str, int, int]) -> Accuracy:
    """Fit one simulated league."""
    name, deals, seed = task
    world, players = TRUTHS[name]
    games = league(world, players, deals, Random(f"{name}/{deals}/{seed}"))
    bots = list(world.strengths)
    fitted = fit(games, bots)
    accuracy = Accuracy(games=len(games))
    average = fmean(world.strengths.values())
    for bot, estimate in fitted.bots.items():
        true = (world.strengths[bot] - average) * POINTS
        accuracy.squares.append((estimate.value - true) ** 2)
        accuracy.widths.append((estimate.high - estimate.low) / 2)
        accuracy.bots.append(estimate.low <= true <= estimate.high)
    for bot, other in permutations(bots, 2):
        if world.strengths[bot] > world.strengths[other]:
            accuracy.pairs.append(fitted.superior[bot, other] >= 0.025)
        elif world.strengths[bot] == world.strengths[other] and bot < other:
            accuracy.pairs.append(0.025 <= fitted.superior[bot, other] <= 0.975)
    for (_, place), estimate in fitted.places.items():
        true = (world.places[place] - fmean(world.places[:players])) * POINTS
        accuracy.terms.append(estimate.low <= true <= estimate.high)
    for (_, role), estimate in fitted.roles.items():
        true = (world.roles[role] - fmean(world.roles.values())) * POINTS
        accuracy.terms.append(estimate.low <= true <= estimate.high)
    return accuracy


def covered(held: list[bool]) -> str:
    low, high = wilson(sum(held), len(held))
    return f"{100 * fmean(held):.1f} ({100 * low:.1f}-{100 * high:.1f})"


def main() -> None:
    """Print a table with a line per kind of league and number of deals."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--leagues", type=int, default=200)
    parser.add_argument("--deals", type=int, nargs="*", default=[20, 100])
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    rows = []
    with worker_pool(options.workers, CHILD_CONTEXT) as pool:
        for name in TRUTHS:
            for deals in options.deals:
                accuracy = Accuracy()
                tasks = [(name, deals, seed) for seed in range(options.leagues)]
                mapped = map if pool is None else pool.map
                for single in mapped(one_league, tasks):
                    accuracy.add(single)
                error = f"{sqrt(fmean(accuracy.squares)):.0f}"
                half = f"{fmean(accuracy.widths):.0f}"
                cells = [covered(held) for held in (accuracy.bots, accuracy.pairs, accuracy.terms)]
                rows.append([name, deals, accuracy.games, error, half, *cells])
    headers = ["league", "deals", "games", "error", "half width", "bots, %", "pairs, %", "terms, %"]
    print(f"{options.leagues} simulated leagues of each kind; error and width in points")
    print(tabulate(rows, headers=headers, disable_numparse=True))


if __name__ == "__main__":
    main()
