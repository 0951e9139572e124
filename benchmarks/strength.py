"""How much stronger one bot is than another: its share of wins, one against the field.

    python benchmarks/strength.py greedy random --deals 400
    python benchmarks/strength.py ismcts:iterations=1000 greedy --deals 400 --players 4

At each player count the first bot sits once in every seat of every deal, the second in all others;
the same deal seed gives the same luck wherever the game goes the same way. A deal counts as one
observation, the share of its games that the first bot won, so seats and deals are balanced by
design. The interval is the 95 % one of the mean over deals. Fair is the share of a seat among
equals that always have a winner: 1 / players.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from statistics import fmean, stdev
from time import perf_counter

from tabulate import tabulate

from arena.check_rules import workers
from arena.referee import play_game
from bots.loading import load
from games.registry import game

BATCH = 4
"""Deals handed to a worker at once."""

Task = tuple[str, str, int, int, int]
"""First bot, second bot, players, first deal, deals."""


def shares(task: Task) -> list[float]:
    """The first bot's share of the games of each deal."""
    first, second, players, start, deals = task
    challenger, field = load(first), load(second)
    rules = game("hidden-leaders")
    found = []
    for deal in range(start, start + deals):
        won = 0
        for seat in range(players):
            entrants = [field] * players
            entrants[seat] = challenger
            won += seat in play_game(rules, entrants, deal).winners
        found.append(won / players)
    return found


def tasks(first: str, second: str, players: int, deals: int) -> Iterator[Task]:
    for start in range(0, deals, BATCH):
        yield first, second, players, start, min(BATCH, deals - start)


def main() -> None:
    """Print a line per player count as it is done."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4, 5, 6])
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    rows = []
    with workers(options.workers) as pool:
        for players in options.players:
            began = perf_counter()
            todo = tasks(options.first, options.second, players, options.deals)
            results = map(shares, todo) if pool is None else pool.map(shares, todo)
            observed = [share for batch in results for share in batch]
            mean = fmean(observed)
            half = 1.96 * stdev(observed) / len(observed) ** 0.5
            interval = f"{mean - half:.3f}-{mean + half:.3f}"
            verdict = "above" if mean - half > 1 / players else "not above"
            seconds = f"{perf_counter() - began:.0f}"
            rows.append([players, f"{mean:.3f}", interval, f"{1 / players:.3f}", verdict, seconds])
    headers = ["players", "share won", "95 % interval", "fair", "interval is", "seconds"]
    print(f"{options.first} against {options.second}, {options.deals} deals, every seat")
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"))


if __name__ == "__main__":
    main()
