"""How much stronger `champion` would be if it saw what is secret: what better beliefs could bring.

    python benchmarks/ceiling.py
    python benchmarks/ceiling.py --players 4 --sees leaders cards --deals 100

Mirrored games like those of `strength.py` against `ismcts:iterations=1000`, but `champion` is given
worlds with the true leaders of the others, or the true table (but not what will be drawn later).
Everything else is as it is by default, except that what a world is worth before the move is not
taken off. No such bot can play in a league: it is handed the referee's state.
"""

import argparse
from statistics import fmean, stdev

from tabulate import tabulate

from arena.match.referee import LiveGame
from bots import Bot, Budget
from bots.bot import Match
from bots.champion.bot import Champion
from bots.champion.search import ValueSearch
from bots.runtime.loading import load_bot
from games.registry import game
from games.replay import Replay
from games.state import CHANCE, NOBODY, State
from games.view import View

WORLDS = {"leaders": 256, "cards": 16}
NEVER = -(10**6)
"""Rounds before the first: other worlds are never drawn."""


class Seer(Champion):
    """A champion that is shown what is secret."""

    sees = "leaders"
    truth: State | None = None
    """The true table, set before every decision."""

    def _think(self, search: ValueSearch, view: View) -> None:
        assert self.truth is not None
        before = sum(visits for _, visits, _ in search.table())
        iterations = max(-(-self._own_iterations() // 8), self._own_iterations() - before)
        search.contrast = 0.0
        search.draw_worlds(view, self.rng, WORLDS[self.sees])
        if self.sees == "cards":
            search.worlds = [self.truth.copy() for _ in search.worlds]
        else:
            for world in search.worlds:
                for seat in range(view.players):
                    world.assume_role(seat, self.truth.role(seat))
        search.world, search.rounds = -1, NEVER
        self.iterate(search, view, iterations)


class Seers:
    """Makes them."""

    name = "champion that sees"

    def __init__(self, sees: str) -> None:
        self.sees = sees
        self.factory = load_bot("champion")

    def make(self, seat: int, seed: int, budget: Budget | None, match: Match | None) -> Bot:
        bot = self.factory.make(seat, seed, budget, match)
        bot.__class__ = Seer  # built like any champion, options included
        assert isinstance(bot, Seer)
        bot.sees = self.sees
        return bot


def share_of(players: int, deal: int, sees: str) -> float:
    """The share of a deal's two games that the seers win."""
    rules = game("hidden-leaders")
    bots = (Seers(sees), load_bot("ismcts:iterations=1000"))
    won = 0.0
    for swap in range(2):
        factories = {seat: bots[(seat + swap) % 2] for seat in range(players)}
        live = LiveGame(rules, Replay(rules.name, players, (), {}), factories, deal)
        live.begin(None)
        while live.state.actor != NOBODY:
            if live.state.actor == CHANCE:
                live.sample_chance()
                continue
            for bot in live.bots.values():
                if isinstance(bot, Seer):
                    bot.truth = live.state
            live.play(live.ask()[0])
        winners = live.state.winners()
        ours = sum((seat + swap) % 2 == 0 for seat in winners)
        won += ours / len(winners) if winners else 0.5
        live.close()
    return won / 2


def main() -> None:
    """Print a line for every player count and secret."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--players", type=int, nargs="+", default=[4])
    parser.add_argument("--sees", choices=list(WORLDS), nargs="+", default=list(WORLDS))
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--from-deal", type=int, default=300_000)
    options = parser.parse_args()
    rows = []
    for players in options.players:
        for sees in options.sees:
            deals = range(options.from_deal, options.from_deal + options.deals)
            shares = [share_of(players, deal, sees) for deal in deals]
            half = 1.96 * stdev(shares) / len(shares) ** 0.5 if len(shares) > 1 else 1.0
            rows.append([players, sees, len(shares), f"{fmean(shares):.3f} ±{half:.3f}"])
    print(tabulate(rows, headers=["players", "sees", "deals", "share won"], disable_numparse=True))


if __name__ == "__main__":
    main()
