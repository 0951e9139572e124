"""What `champion` saves by not waiting for the last iteration, and how often that costs the move.

    python benchmarks/patience.py
    python benchmarks/patience.py --players 4 --games 20

Seats of `champion` play games against each other. Every decision is searched with all its
iterations, and on the way it is noted when a search with less patience would have stopped, and
with which move. A line says which share of the iterations such searches take, in how many
decisions they choose the move of the whole search, and how much worse their move is on average, by
the chances that the whole search gave. Seeded: the same on any machine.
"""

import argparse
from dataclasses import dataclass
from statistics import fmean

from tabulate import tabulate

from arena.match.referee import run_game
from bots import Bot, Budget
from bots.bot import Match
from bots.champion.bot import Champion
from bots.champion.search import ValueSearch
from bots.ismcts.tree import CHECK_INTERVAL
from games.registry import game
from games.state import Rng
from games.view import View

PATIENCE = (1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
FIRST_DEAL = 70_000


@dataclass(frozen=True)
class Stopped:
    """Where a search with less patience would have ended."""

    iterations: int
    """Of the whole search."""
    done: int
    is_same: bool
    loss: float


class Watched(Champion):
    """Notes at every look when it could have stopped."""

    decisions: list[dict[float, Stopped]]

    def iterate(self, search: ValueSearch, view: View, iterations: int) -> None:
        stops: dict[float, tuple[int, int]] = {}
        for done in range(1, iterations + 1):
            search.iterate(search.determinize(view, self.rng), self.rng)
            if done % CHECK_INTERVAL == 0 or done == iterations:
                for patience in PATIENCE:
                    search.patience = patience
                    if patience not in stops and search.is_settled(iterations - done):
                        stops[patience] = done, search.best(view.moves)
        best = search.best(view.moves)
        chance = {move: rate for move, _, rate in search.table()}
        noted = {}
        for patience in PATIENCE:
            done, move = stops.get(patience, (iterations, best))
            noted[patience] = Stopped(iterations, done, move == best, chance[best] - chance[move])
        self.decisions.append(noted)


class WatchedSeats:
    """Makes watched bots, which share one list of decisions."""

    name = "champion"

    def __init__(self) -> None:
        self.decisions: list[dict[float, Stopped]] = []

    def make(self, seat: int, seed: int, budget: Budget | None, _match: Match | None) -> Bot:
        bot = Watched(seat, Rng(seed), budget)
        bot.decisions = self.decisions
        return bot


def table(decisions: list[dict[float, Stopped]]) -> str:
    """A line for each degree of patience."""
    rows = []
    for patience in PATIENCE:
        stops = [noted[patience] for noted in decisions]
        used = sum(stop.done for stop in stops) / sum(stop.iterations for stop in stops)
        same = fmean(stop.is_same for stop in stops)
        loss = fmean(stop.loss for stop in stops)
        rows.append([patience, f"{used:.3f}", f"{same:.3f}", f"{loss:.5f}"])
    headers = ["patience", "iterations used", "same move", "chance lost"]
    return tabulate(rows, headers=headers, disable_numparse=True)


def main() -> None:
    """Print a table for each player count."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--players", type=int, nargs="*", default=[2, 4, 6])
    parser.add_argument("--games", type=int, default=10, help="at each number of players (10)")
    options = parser.parse_args()
    for players in options.players:
        seats = WatchedSeats()
        for deal in range(options.games):
            run_game(game("hidden-leaders"), [seats] * players, FIRST_DEAL + deal)
        print(f"{players} players, {len(seats.decisions)} decisions\n{table(seats.decisions)}\n")


if __name__ == "__main__":
    main()
