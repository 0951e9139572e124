"""How often a seat's knowledge is exact, and how long it takes to compute.

    python benchmarks/exactness.py --games 10

At every decision of complete games, the acting seat samples a world. The benchmark counts whether
its probabilities are exact (`HiddenLeadersView.exact`) and times the first sample after new events,
which is when knowledge is computed. Random bots are the hard case: their games are long, with
several reshuffles.
"""

import argparse
from statistics import fmean, median
from time import perf_counter

from tabulate import tabulate

from arena.match.referee import run_game
from bots.runtime.loading import load_bot
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.registry import game
from games.state import Rng, State


class Probe:
    """Samples a world for the seat to move, and records time and exactness."""

    def __init__(self, players: int) -> None:
        self.rules = game("hidden-leaders")
        self.players = players
        self.exact: list[bool] = []
        self.seconds: list[float] = []

    def watch(self, bot: str, games: int) -> None:
        """Replay games between copies of a bot."""
        factories = [load_bot(bot)] * self.players
        for seed in range(games):
            result = run_game(self.rules, factories, seed)
            self.follow(result.replay.new(record=True), result.replay.moves, Rng(seed))

    def follow(self, state: State, moves: tuple[int, ...], rng: Rng) -> None:
        views = [self.rules.view(seat, self.players) for seat in range(self.players)]
        for move in moves:
            if state.actor >= 0:
                view = views[state.actor]
                assert isinstance(view, HiddenLeadersView)
                for event in state.take_events(state.actor):
                    view.observe(event)
                began = perf_counter()
                view.sample(rng)
                self.seconds.append(perf_counter() - began)
                self.exact.append(view.exact)
            state.play(move)

    def row(self, bot: str) -> list[object]:
        exact = 100 * sum(self.exact) / len(self.exact)
        cost = [1000 * seconds for seconds in self.seconds]
        costs = [f"{median(cost):.2f}", f"{fmean(cost):.1f}", f"{max(cost):.0f}"]
        return [bot, self.players, len(self.exact), f"{exact:.1f}", *costs]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--games", type=int, default=10, help="games per line (10)")
    games = parser.parse_args().games
    rows = []
    for bot in ("greedy", "random"):
        for players in range(2, 7):
            probe = Probe(players)
            probe.watch(bot, games)
            rows.append(probe.row(bot))
    headers = ["all seats", "players", "decisions", "exact, %", "first draw, ms", "mean", "slowest"]
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"))


if __name__ == "__main__":
    main()
