"""OpenSpiel's own checks of our games, at length: simulations with serialization at every count.

    python benchmarks/openspiel_checks.py [--games 100]

The test suite runs the same with one or two games (tests/arena/adapters/test_openspiel.py).
"""

from __future__ import annotations

import argparse
from time import perf_counter

import pyspiel

from arena.adapters.openspiel import load
from games.registry import all_games


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=100, help="at each number of players")
    parser.add_argument("--max-decisions", type=int, default=0, help="cut games there; 0: do not")
    options = parser.parse_args()
    for rules in all_games():
        for players in rules.player_counts:
            start = perf_counter()
            spiel = load(rules.name, players, max_decisions=options.max_decisions)
            pyspiel.random_sim_test(spiel, options.games, True, False)
            seconds = perf_counter() - start
            print(
                f"{rules.name} {players} players: {options.games} games in {seconds:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
