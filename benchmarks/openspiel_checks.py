"""OpenSpiel's own checks of our games, at length: simulations with serialization at every count.

    python benchmarks/openspiel_checks.py [--games 100] [--game secrets] [--players 4]

`random_sim_test` plays whole games. At every state of them it compares clones, checks legal
actions, action strings, and for every player the information state and the observation, as strings
and as tensors; it serializes the first ten states and every state whose number is a power of two.
The test suite plays one short game at every count (tests/arena/adapters/test_openspiel.py).
"""

from __future__ import annotations

import argparse
import os
import sys
from time import process_time

import pyspiel

from arena.adapters.openspiel import load
from games.registry import all_games


def simulate(name: str, players: int, games: int) -> float:
    """Seconds of the processor for so many games; OpenSpiel ends the process if a check fails."""
    spiel = load(name, players)
    start = process_time()
    # Its tests are talkative.
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        pyspiel.random_sim_test(spiel, games, True, False)
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)
    return process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=100, help="at each number of players")
    parser.add_argument("--game", action="append", help="by default all that are installed")
    parser.add_argument("--players", type=int, action="append", help="by default every count")
    options = parser.parse_args()
    print("| game | players | games | seconds |\n|---|---|---|---|")
    for rules in all_games():
        if options.game and rules.name not in options.game:
            continue
        for players in rules.player_counts:
            if options.players and players not in options.players:
                continue
            seconds = simulate(rules.name, players, options.games)
            print(f"| {rules.title} | {players} | {options.games} | {seconds:.0f} |")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
