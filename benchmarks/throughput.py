"""The throughput of a league compared to a bare loop of games.

    python benchmarks/throughput.py

The same random games in four ways, interleaved round by round so that all meet the same load: a
bare loop of `run_game` in one process, such loops on all cores at once (the machine's limit, since
cores may share hardware), a league with one worker, and a league with a worker per core. A league
saves every game with its moves; its time is measured from the first result to the last, which
leaves out starting Python. The numbers are medians over the rounds.
"""

import argparse
import os
import tempfile
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter

from tabulate import tabulate

from arena.league.config import League, read_league
from arena.league.journal import Journal
from arena.league.plan import first_games
from arena.league.pool import LocalPool
from arena.league.runner import LeagueProgress, StopRequest, play_league
from arena.match.referee import run_game
from bots.runtime.loading import load_bot
from bots.runtime.processes import process_pool
from games.engine import engine_name
from games.registry import game

Loop = tuple[int, float, float]
"""(games, start time, end time) of a loop."""


def loop(league: League) -> Loop:
    """Only play games."""
    rules, bots = game(league.game), [load_bot(spec.bot) for spec in league.bots]
    keys = [game.key for game in first_games(league)]
    began = perf_counter()
    for key in keys:
        run_game(rules, [bots[bot] for bot in key.seats], key.seed)
    return len(keys), began, perf_counter()


def speed(loops: list[Loop]) -> float:
    """Games per second of loops that ran in parallel."""
    games, began, ended = zip(*loops, strict=True)
    return float(sum(games) / (max(ended) - min(began)))


def arena(league: League, workers: int) -> float:
    """Games per second of a league."""
    seen: list[tuple[float, int]] = []

    def show(progress: LeagueProgress) -> None:
        if progress.done:
            seen.append((perf_counter(), progress.done))

    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.write(Path(folder, "run.db"), league) as journal,
        closing(LocalPool(league, workers)) as pool,
    ):
        play_league(journal, pool, show, lambda: StopRequest.NONE)
    (start, first), (end, last) = seen[0], seen[-1]
    return (last - first) / (end - start)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument(
        "--deals",
        type=int,
        default=800,
        help="deals per line-up; fewer take too little time to measure",
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    config = {"bots": ["random", "random as other"], "players": "2,4", "deals": options.deals}
    league = read_league(None, config)
    cores = options.workers
    few = read_league(None, {**config, "deals": 1})
    speeds: list[list[float]] = []
    with process_pool(cores) as pool:
        for _ in range(options.rounds):
            list(pool.map(loop, [few] * cores))  # warm up
            speeds.append(
                [
                    speed([loop(league)]),
                    speed(list(pool.map(loop, [league] * cores))),
                    arena(league, 1),
                    arena(league, cores),
                ]
            )
    alone, together, one, every = (median(values) for values in zip(*speeds, strict=True))
    rows = [
        ["bare loop, 1 process", f"{alone:.0f}", ""],
        [f"bare loops, {cores} processes", f"{together:.0f}", f"{together / alone:.2f} times one"],
        ["league, 1 worker", f"{one:.0f}", f"{one / alone:.0%} of the loop"],
        [
            f"league, {cores} workers",
            f"{every:.0f}",
            (
                f"{every / (alone * cores):.0%} of {cores} times the loop, "
                f"{every / one:.2f} times one worker"
            ),
        ],
    ]
    print(f"random bots at 2 and 4 players, {engine_name()} engine, {options.rounds} rounds")
    print(tabulate(rows, headers=["", "games/s", ""], disable_numparse=True))


if __name__ == "__main__":
    main()
