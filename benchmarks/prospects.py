"""How well `State.win_estimates` predicts the winner of unfinished games.

    python benchmarks/prospects.py --games 400

Estimates are taken at random decisions of games played with rollout moves. The result is the mean
log loss, -log(probability given to the winner), by how many open heroes the table is short of
the end. Lower is better; equal probabilities would score log(players). Games without a winner are
left out, and so is the probability given to that.
"""

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
"""One decision in this many is sampled."""


def estimates(players: int, seed: int) -> tuple[list[tuple[int, list[float]]], int]:
    """(heroes short of the end, estimates) at some decisions of one game, and the winner."""
    state = new_game(players)
    rng = Rng(seed)
    samples: list[tuple[int, list[float]]] = []
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            state.sample_chance(rng)
            continue
        if state.turns > 0 and rng.below(EVERY) == 0:
            samples.append((short(state), [float(chance) for chance in state.win_estimates()]))
        state.play(state.rollout_move(rng))
    return samples, state.winner


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
            samples, winner = estimates(players, seed)
            for heroes, chances in samples:
                if winner != NOBODY:
                    losses[heroes].append(-log(max(chances[winner] / sum(chances), 1e-9)))
        scores = [f"{fmean(losses[n]):.2f}" if losses[n] else "" for n in range(FAR + 1)]
        rows.append([players, *scores, f"{log(players):.2f}"])
    headers = ["players", *(f"{n} short" for n in range(FAR)), f"{FAR}+ short", "even chances"]
    print(tabulate(rows, headers=headers, disable_numparse=True, stralign="right"))


if __name__ == "__main__":
    main()
