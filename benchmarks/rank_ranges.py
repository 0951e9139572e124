"""How often the ranges of ranks contain the true ranks: simulated leagues with known strengths.

    python benchmarks/rank_ranges.py
    python benchmarks/rank_ranges.py --leagues 50 --deals 20

Kinds of leagues are those of `TRUTHS`. A league is right if the ranges of *all* its bots contain
their true ranks; equal bots share all their ranks, and each range must contain them all. At least
95 % of leagues should be right. Width is the mean number of ranks in a range. In brackets is the
95 % interval of the share.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from random import Random
from statistics import fmean

from tabulate import tabulate

from arena.stats.intervals import wilson
from arena.stats.rank_ranges import rank_ranges
from arena.stats.trueskill_ratings import rate_games
from arena.worker_processes import worker_pool
from bots.runtime.processes import CHILD_CONTEXT
from tests.support.simulated_league import World, league

PLACES = (0.3, 0.1, 0.0, -0.1, -0.1, -0.2)
STEPS = {"one": -1.0, "two": -0.5, "three": 0.0, "four": 0.25, "five": 0.5}
PAIRS = {"one": -0.5, "two": -0.5, "three": 0.0, "four": 0.5, "five": 0.5}
EQUAL = dict.fromkeys(STEPS, 0.0)

TRUTHS: dict[str, tuple[World, int]] = {
    "5 equal bots, 2 players": (World(EQUAL, PLACES, shared=0.5), 2),
    "5 equal bots, 4 players, luck not shared": (World(EQUAL, PLACES, shared=0.0), 4),
    "5 bots, 2 pairs equal, 3 players": (World(PAIRS, PLACES, nobody=-1.0, shared=0.5), 3),
    "5 bots, 2 players": (World(STEPS, PLACES, shared=0.5), 2),
    "5 bots, 4 players": (World(STEPS, PLACES, shared=0.5), 4),
    "2 equal bots and their copies, 4 players": (
        World({"one": 0.0, "two": 0.0}, PLACES, shared=0.5),
        4,
    ),
}


@dataclass
class Ranges:
    """The ranges of one simulated league."""

    right: bool
    width: float
    games: int


def one_league(task: tuple[str, int, int]) -> Ranges:
    """Rank the bots of one simulated league."""
    name, deals, seed = task
    world, players = TRUTHS[name]
    games = league(world, players, deals, Random(f"{name}/{deals}/{seed}"))
    ranges = rank_ranges(games, rate_games(games, world.strengths))
    strengths = world.strengths.values()
    right = True
    for bot, (best, worst) in ranges.items():
        own = world.strengths[bot]
        right &= best <= 1 + sum(other > own for other in strengths)
        right &= worst >= len(ranges) - sum(other < own for other in strengths)
    width = fmean(worst - best + 1 for best, worst in ranges.values())
    return Ranges(right, width, len(games))


def main() -> None:
    """Print a table with a line per kind of league and number of deals."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--leagues", type=int, default=300)
    parser.add_argument("--deals", type=int, nargs="*", default=[20, 100])
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    rows = []
    with worker_pool(options.workers, CHILD_CONTEXT) as pool:
        for name in TRUTHS:
            for deals in options.deals:
                tasks = [(name, deals, seed) for seed in range(options.leagues)]
                mapped = map if pool is None else pool.map
                every = list(mapped(one_league, tasks))
                right = sum(ranges.right for ranges in every)
                low, high = wilson(right, len(every))
                share = f"{100 * right / len(every):.1f} ({100 * low:.1f}-{100 * high:.1f})"
                width = f"{fmean(ranges.width for ranges in every):.2f}"
                rows.append([name, deals, every[0].games, share, width])
    print(f"{options.leagues} simulated leagues of each kind")
    headers = ["league", "deals", "games", "right, %", "width"]
    print(tabulate(rows, headers=headers, disable_numparse=True))


if __name__ == "__main__":
    main()
