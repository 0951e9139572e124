"""The cost of isolating a bot: milliseconds to start and end it, and per decision.

    python benchmarks/isolation.py --games 20
    python benchmarks/isolation.py --games 20 --against ../older-checkout

The bot `random` plays four-player games in the arena's process and in isolated processes, in turn.
Start and end are measured with a single bot. With `--against`, another checkout is measured in the
same run, a game here and a game there.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from tabulate import tabulate

from arena.match.bot_factory import bot_factory
from arena.match.referee import run_game
from bots.bot import Match
from games.registry import game

RULES = game("hidden-leaders")
PLAYERS = 4
COLUMNS = (
    "start of an isolated bot",
    "end of an isolated bot",
    "decision in the arena's process",
    "decision in an isolated process",
)


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


def serve() -> None:
    """Measure once for every seed that arrives, and print the four figures."""
    start_and_end("random")  # the first one also starts the fork server
    for line in sys.stdin:
        seed = int(line)
        shared, isolated = decision(isolated=False, seed=seed), decision(isolated=True, seed=seed)
        print(*start_and_end("random"), shared, isolated, flush=True)


class Checkout:
    """A process that measures the code in one folder."""

    def __init__(self, folder: Path) -> None:
        # This script, which may be newer, with all else from that folder.
        paths = os.pathsep.join(map(str, (folder, *filter(None, sys.path[1:]))))
        self.process = subprocess.Popen(  # noqa: S603  (this script)
            [sys.executable, "-P", __file__, "--serve"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": paths},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.figures: list[list[float]] = []

    def measure(self, seed: int) -> None:
        """Measure once."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{seed}\n")
        self.process.stdin.flush()
        self.figures.append([float(word) for word in self.process.stdout.readline().split()])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
        return
    folders = [Path(__file__).resolve().parent.parent]
    folders += [arguments.against.resolve()] if arguments.against else []
    checkouts = [Checkout(folder) for folder in folders]
    for seed in range(arguments.games):
        for checkout in checkouts:
            checkout.measure(seed)
    rows = []
    for number, name in enumerate(COLUMNS):
        digits = 1 if number < 2 else 3
        columns = [[figures[number] for figures in each.figures] for each in checkouts]
        cells = [f"{1000 * median(values):.{digits}f}" for values in columns]
        rows.append([name, *cells])
    heads = ["median", "ms", "ms there"][: 1 + len(checkouts)]
    print(tabulate(rows, headers=heads, disable_numparse=True))
    for checkout in checkouts:
        checkout.process.kill()


if __name__ == "__main__":
    main()
