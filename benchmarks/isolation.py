"""The cost of isolating a bot: milliseconds to start and end it, and per decision.

    python benchmarks/isolation.py --games 20

The bot `random` plays four-player games in the arena's process and in isolated processes, in turn.
Start and end are measured with a single bot.
"""

import argparse
from statistics import median
from time import perf_counter

from tabulate import tabulate

from arena.match.bot_factory import bot_factory
from arena.match.referee import run_game
from bots.bot import Match
from games.registry import game

RULES = game("hidden-leaders")
PLAYERS = 4


def start_and_end(name: str) -> tuple[float, float]:
    """Seconds until a bot is ready, and until it has ended."""
    began = perf_counter()
    bot = bot_factory(name, isolated=True).make(0, 1, None, Match(RULES.name, PLAYERS))
    bot.start(RULES.view(0, PLAYERS))
    ready = perf_counter()
    bot.close()  # type: ignore[attr-defined]
    return ready - began, perf_counter() - ready


def decision(isolated: bool, seed: int) -> float:
    """Seconds of the median decision of a game."""
    seats = [bot_factory("random", isolated)] * PLAYERS
    result = run_game(RULES, seats, seed)
    return median(seconds for times in result.seconds for seconds in times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    games = parser.parse_args().games
    start_and_end("random")  # the first one also starts the fork server
    edges = [start_and_end("random") for _ in range(games)]
    shared: list[float] = []
    isolated: list[float] = []
    for seed in range(games):
        shared.append(decision(isolated=False, seed=seed))
        isolated.append(decision(isolated=True, seed=seed))
    starts, ends = zip(*edges, strict=True)
    rows = [
        ["start of an isolated bot", f"{1000 * median(starts):.1f}"],
        ["end of an isolated bot", f"{1000 * median(ends):.1f}"],
        ["decision in the arena's process", f"{1000 * median(shared):.3f}"],
        ["decision in an isolated process", f"{1000 * median(isolated):.3f}"],
    ]
    print(tabulate(rows, headers=["median", "ms"], disable_numparse=True))


if __name__ == "__main__":
    main()
