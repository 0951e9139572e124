"""How long ratings and standings take, and how this grows with the number of games.

    python benchmarks/standings.py
    python benchmarks/standings.py --games 10000

Simulated leagues of eight bots at two to six players, each line-up with deals of its own, as in a
real league. Seconds of processor time for the ratings alone, for the table after a league, and for
all tables of `arena standings`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import Random
from time import process_time

from tabulate import tabulate

from arena.stats.game_record import GameRecord
from arena.stats.ranking_table import ranking_text
from arena.stats.report import tables
from arena.stats.run import Run
from arena.stats.standings import standings_of
from arena.stats.trueskill_ratings import rate_games
from tests.support.simulated_league import World, league

BOTS = {f"bot {i}": 0.25 * i for i in range(8)}


def simulated(games: int) -> Run:
    """About so many games, a fifth of them at each player count."""
    drawn: list[GameRecord] = []
    numbers = count()
    for players in (2, 3, 4, 5, 6):
        own: list[GameRecord] = []
        line_ups: dict[tuple[int, tuple[str, ...]], int] = {}
        for turn in count():
            if len(own) >= games / 5:
                break
            for one in league(World(BOTS, shared=0.5), players, 1, Random(f"{players}/{turn}")):
                line_up = (turn, tuple(sorted(one.seats)))
                deal = line_ups.setdefault(line_up, len(line_ups))
                own.append(replace(one, number=next(numbers), deal=deal))
        drawn += own
    return Run(tuple(BOTS), tuple(drawn))


def all_tables(run: Run) -> None:
    """What `arena standings` prints."""
    for table in tables(standings_of(run)):
        table.text()


def seconds(work: Callable[[Run], object], run: Run) -> str:
    start = process_time()
    work(run)
    return f"{process_time() - start:.1f}"


def main() -> None:
    """Print a line for each number of games."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--games", type=int, nargs="*", default=[1000, 10_000, 100_000])
    rows = []
    for games in parser.parse_args().games:
        run = simulated(games)
        deals = len({(game.players, game.deal) for game in run.games})
        works = (lambda run: rate_games(run.games, run.bots), ranking_text, all_tables)
        times = [seconds(work, run) for work in works]
        rows.append([f"{len(run.games):,}", f"{deals:,}", *times])
    headers = ["games", "deals", "ratings, s", "table, s", "all tables, s"]
    print(tabulate(rows, headers=headers, disable_numparse=True))


if __name__ == "__main__":
    main()
