"""How well unfinished games are judged: `State.win_estimates` against who won in the end.

    python benchmarks/prospects.py --games 400

Games between eager players are looked at now and then. Reported is the mean of -log(chance given to
the seat that won), by how many open heroes the table is short of the end; lower is better, and
giving every seat the same chance would score log(players). Games that nobody won are left out, and
so is the chance given to that.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from math import log
from statistics import fmean

from tabulate import tabulate

from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.scoring import FAR
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.state import CHANCE, NOBODY, Rng

EVERY = 12
"""One decision in so many is looked at."""


def judged(players: int, seed: int) -> tuple[list[tuple[int, list[float]]], int]:
    """(Heroes short of the end, chances) at some decisions of one game, and the winner."""
    state = new_game(players)
    rng = Rng(seed)
    found: list[tuple[int, list[float]]] = []
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            state.sample_chance(rng)
            continue
        if state.turns > 0 and rng.below(EVERY) == 0:
            found.append((short(state), [float(chance) for chance in state.win_estimates()]))
        state.play(state.rollout_move(rng))
    return found, state.winner


def short(state: HiddenLeaders) -> int:
    longest = max(state.size(Zone.OPEN + seat) for seat in range(state.players))
    return min(max(state.threshold - longest, 0), FAR)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--games", type=int, default=400, help="games per player count (400)")
    games = parser.parse_args().games
    rows = []
    for players in range(2, 7):
        losses: dict[int, list[float]] = defaultdict(list)
        for seed in range(games):
            found, winner = judged(players, seed)
            for heroes, chances in found:
                if winner != NOBODY:
                    losses[heroes].append(-log(max(chances[winner] / sum(chances), 1e-9)))
        scores = [f"{fmean(losses[n]):.2f}" if losses[n] else "" for n in range(FAR + 1)]
        rows.append([players, *scores, f"{log(players):.2f}"])
    headers = ["players", *(f"{n} short" for n in range(FAR)), f"{FAR}+ short", "even chances"]
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"))


if __name__ == "__main__":
    main()
