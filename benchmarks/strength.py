"""How much stronger one bot is than another, with the same deals in every seat.

    python benchmarks/strength.py greedy random
    python benchmarks/strength.py ismcts:iterations=1000 greedy --players 4
    python benchmarks/strength.py ismcts:iterations=4000 ismcts:iterations=1000 --mirror
    python benchmarks/strength.py ismcts:iterations=1000 greedy --game secrets

At each player count the first bot has every seat of every deal once, and the second bot all other
seats: the fair share is 1 / players. In games that several seats can win together, the fair share
is what a seat won on average. With `--mirror` the bots take alternate seats and then swap, so a
deal has two games: the fair share is one half, a game that nobody wins counts half, and one that
seats of both bots win is shared.

The last column is how much processor time the first bot took for a decision, with all that it did
while others decided, as a multiple of the second's: the clock would tell more about what else the
machine does. Deals are numbered from `--from-deal` on; a number is the seed of the deal.

A deal is one observation, the share of its games that the first bot won, so seats and deals are
balanced by design. The interval is the 95 % confidence interval of the mean over deals. Everything
is seeded. With `--keep FILE` every deal is saved, and the same command resumes.
"""

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, stdev
from time import process_time

from tabulate import tabulate

from arena.match.referee import run_game
from arena.worker_processes import worker_pool
from bots import Bot, Budget
from bots.bot import Match
from bots.runtime.loading import load_bot
from bots.runtime.processes import CHILD_CONTEXT
from games.registry import game, game_names
from games.view import EventTuple, View

Task = tuple[str, str, str, int, int, bool]
"""(game, first bot, second bot, players, deal, mirrored)."""

Deal = tuple[float, float, float, float]
"""The first bot's share of the games of a deal, the mean number of winners per game, and the mean
processor time of a decision of each bot, in seconds."""


class Timed:
    """Makes bots of one kind, and adds up the processor time they take."""

    def __init__(self, name: str) -> None:
        self.factory = load_bot(name)
        self.name = name
        self.seconds = 0.0
        self.decisions = 0

    def make(self, seat: int, seed: int, budget: Budget | None, match: Match | None) -> Bot:
        bot = self.factory.make(seat, seed, budget, match)
        choose, observe = bot.choose, bot.observe

        def timed_choose(view: View) -> int:
            began = process_time()
            move = choose(view)
            self.seconds += process_time() - began
            self.decisions += 1
            return move

        def timed_observe(event: EventTuple) -> None:
            began = process_time()
            observe(event)
            self.seconds += process_time() - began

        bot.choose = timed_choose  # type: ignore[method-assign]
        bot.observe = timed_observe  # type: ignore[method-assign]
        return bot


def play_deal(task: Task) -> Deal:
    """Play all games of a deal."""
    name, first, second, players, deal, mirror = task
    bots = (Timed(first), Timed(second))
    won = 0.0
    winner_count = 0
    tables = list(seatings(players, mirror))
    for seats in tables:
        winners = run_game(game(name), [bots[which] for which in seats], deal).winners
        if mirror and not winners:
            won += 0.5
        ours = sum(seats[winner] == 0 for winner in winners)
        won += ours / len(winners) if mirror and winners else ours
        winner_count += len(winners)
    share, winners_per_game = won / len(tables), winner_count / len(tables)
    times = [bot.seconds / max(1, bot.decisions) for bot in bots]
    return share, winners_per_game, times[0], times[1]


def seatings(players: int, mirror: bool) -> Iterator[list[int]]:
    """The seats in each game of a deal: 0 is the first bot, 1 the second."""
    if mirror:
        for swap in range(2):
            yield [(seat + swap) % 2 for seat in range(players)]
    else:
        for own in range(players):
            yield [int(seat != own) for seat in range(players)]


class SavedDeals:
    """Deals already played, by player count and number, in memory or in a file of JSON lines."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.deals: dict[tuple[int, int], Deal] = {}
        if file is not None and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                # Files from before lack the last numbers: one winner each, and no times.
                players, deal, share, *more = json.loads(line)
                winners = more[0] if more else 1.0
                first, second = more[1:] or (0.0, 0.0)
                self.deals[players, deal] = (share, winners, first, second)

    def add(self, players: int, deal: int, result: Deal) -> None:
        self.deals[players, deal] = result
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps([players, deal, *result]) + "\n")


def row(players: int, deals: list[Deal], mirror: bool) -> list[object]:
    """The line of the table for one player count."""
    observed = [deal[0] for deal in deals]
    mean = fmean(observed)
    half = 1.96 * stdev(observed) / len(observed) ** 0.5
    fair = 0.5 if mirror else max(1.0, fmean(deal[1] for deal in deals)) / players
    where = "above" if mean - half > fair else "below" if mean + half < fair else "about"
    interval = f"{mean - half:.3f}-{mean + half:.3f}"
    first, second = fmean(deal[2] for deal in deals), fmean(deal[3] for deal in deals)
    times = f"{first / second:.2f}" if second else ""
    return [players, f"{mean:.3f}", interval, f"{fair:.3f}", where, times]


def main() -> None:
    """Print a line per player count."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--from-deal", type=int, default=0, help="number of the first deal")
    parser.add_argument("--players", type=int, nargs="*", help="default: all the game allows")
    parser.add_argument("--game", choices=game_names(), default="hidden-leaders")
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    saved = SavedDeals(options.keep)
    numbers = range(options.from_deal, options.from_deal + options.deals)
    rows = []
    with worker_pool(options.workers, CHILD_CONTEXT) as pool:
        for players in options.players or game(options.game).player_counts:
            todo = [
                (options.game, options.first, options.second, players, deal, options.mirror)
                for deal in numbers
                if (players, deal) not in saved.deals
            ]
            results = map(play_deal, todo) if pool is None else pool.map(play_deal, todo)
            for task, result in zip(todo, results, strict=True):
                saved.add(players, task[4], result)
            observed = [saved.deals[players, deal] for deal in numbers]
            rows.append(row(players, observed, options.mirror))
    how = "alternate seats, then swapped" if options.mirror else "every seat"
    print(f"{options.first} against {options.second}, {options.deals} deals, {how}")
    headers = ["players", "share won", "95 % interval", "fair", "interval is", "time"]
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"))


if __name__ == "__main__":
    main()
