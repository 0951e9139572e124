"""Whether the move of `champion` depends on its effort: decisions that are searched again.

    python benchmarks/effort.py
    python benchmarks/effort.py --players 4 5 --games 14

Games of `champion(600)` and `ismcts(300)` in alternate seats. At every other turn start of a
champion seat, champions with several settings search eight times each, with seeds and worlds of
their own. A line tells how often they chose the move that was chosen most with that setting, and
what a choice costs: how much less it is worth than the best move, by the mean of all searches of
that decision. Seeded; the last column, processor time, is not the same everywhere.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from copy import copy
from statistics import fmean
from time import process_time

from tabulate import tabulate

from arena.match.referee import LiveGame
from arena.seeds import derive_seed
from bots import Bot, Budget
from bots.bot import Match
from bots.champion.bot import Champion
from bots.runtime.loading import load_bot
from games.registry import game
from games.replay import ConsideredMove, Replay
from games.state import CHANCE, NOBODY, Rng
from games.view import View

SETTINGS: dict[str, dict[str, float]] = {
    "default": {},
    "iterations=800": {"iterations": 800},
    "iterations=12000,worlds=1024": {"iterations": 12000, "worlds": 1024},
    "worlds=64": {"worlds": 64},
    "worlds=750": {"worlds": 750},
    "contrast=0": {"contrast": 0.0},
}
RUNS = 8
FIRST_DEAL = 9000

Searches = dict[str, list[tuple[int, float]]]
"""By setting: the moves that were chosen, and the time that each search took."""


class Repeated(Champion):
    """A champion that can search a decision again as another champion would."""

    def again(
        self, view: View, settings: dict[str, float], seed: int
    ) -> tuple[int, tuple[ConsideredMove, ...]]:
        other = copy(self)
        # No tree of an earlier decision, and the default number of iterations.
        vars(other).update({"_search": None, "rng": Rng(seed), "iterations": 0, **settings})
        return other.choose(view), other.considered()


class Repeaters:
    """Makes them."""

    name = "champion"

    def __init__(self) -> None:
        self.factory = load_bot("champion:iterations=600")

    def make(self, seat: int, seed: int, budget: Budget | None, match: Match | None) -> Bot:
        bot = self.factory.make(seat, seed, budget, match)
        bot.__class__ = Repeated  # built like any champion, options included
        return bot


def decisions(players: int, deal: int) -> Iterator[tuple[Repeated, View, int]]:
    """Turn starts of champion seats in one game, each with a number."""
    rules = game("hidden-leaders")
    bots = (Repeaters(), load_bot("ismcts:iterations=300"))
    factories = {seat: bots[(seat + deal) % 2] for seat in range(players)}
    live = LiveGame(rules, Replay(rules.name, players, (), {}), factories, deal)
    live.begin(None)
    turn = -1
    while live.state.actor != NOBODY:
        if live.state.actor == CHANCE:
            live.sample_chance()
            continue
        live.inform()
        bot, view = live.bots[live.state.actor], live.views[live.state.actor]
        if isinstance(bot, Repeated) and live.state.turns != turn:
            turn = int(live.state.turns)
            if len(view.moves) > 1 and Rng(derive_seed(deal, "asked", turn)).below(2) == 0:
                yield bot, view, turn
        live.play(live.ask()[0])
    live.close()


def searched(bot: Repeated, view: View, name: str) -> tuple[Searches, dict[int, float]]:
    """All searches of one decision, and what each move is worth by their mean."""
    searches: Searches = {}
    visits, worth = Counter[int](), defaultdict[int, float](float)
    for setting, values in SETTINGS.items():
        searches[setting] = []
        for run in range(RUNS):
            began = process_time()
            move, considered = bot.again(view, values, derive_seed(run, name, setting))
            searches[setting].append((move, process_time() - began))
            for each in considered:
                visits[each.move] += each.visits
                worth[each.move] += each.visits * each.value
    return searches, {move: worth[move] / visits[move] for move in visits if visits[move]}


def rows(players: int, games: int) -> list[list[object]]:
    """A line for every setting."""
    agreed, cost, spent = (defaultdict[str, list[float]](list) for _ in range(3))
    for deal in range(FIRST_DEAL, FIRST_DEAL + games):
        for bot, view, turn in decisions(players, deal):
            searches, worth = searched(bot, view, f"{players} {deal} {turn}")
            best = max(worth.values())
            for setting, found in searches.items():
                moves = [move for move, _ in found]
                agreed[setting].append(Counter(moves).most_common(1)[0][1] / RUNS)
                cost[setting].append(fmean(best - worth[move] for move in moves))
                spent[setting].append(fmean(seconds for _, seconds in found))
    return [
        [
            players,
            setting,
            len(cost[setting]),
            f"{fmean(agreed[setting]):.3f}",
            f"{fmean(cost[setting]):.4f}",
            f"{1000 * fmean(spent[setting]):.0f}",
        ]
        for setting in SETTINGS
    ]


def main() -> None:
    """Print a line for every player count and setting."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--players", type=int, nargs="+", default=[4, 5])
    parser.add_argument("--games", type=int, default=10)
    options = parser.parse_args()
    table = [row for players in options.players for row in rows(players, options.games)]
    headers = ["players", "champion with", "decisions", "same move", "cost of a choice", "ms"]
    print(tabulate(table, headers=headers, disable_numparse=True))


if __name__ == "__main__":
    main()
