"""Checks that the solver agrees with plain recursion, on thousands of random small positions.

    python benchmarks/solver_agreement.py --cases 2000
    python benchmarks/solver_agreement.py --game secrets --cases 500

Half of the cases have all cards open, half have hidden cards. The values of all moves are compared
as fractions. Exit code 1 at the first disagreement, which is printed with its position.
"""

import argparse
import sys
from collections import Counter
from time import perf_counter

from tabulate import tabulate

from games.registry import game, game_names
from solver.reference.cross_check import cross_check

CHUNK = 50
SPREAD = 1_000_000
"""Seeds from one chunk to the next: more than a chunk ever uses."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--cases", type=int, default=2000, help="number of positions (2000)")
    parser.add_argument("--nodes", type=int, default=4000, help="largest size of a case (4000)")
    parser.add_argument("--game", choices=game_names(), default="hidden-leaders")
    options = parser.parse_args()
    rules = game(options.game)
    counts = rules.player_counts
    rows = []
    for hidden in (False, True):
        began = perf_counter()
        compared: Counter[tuple[int, str, int]] = Counter()
        telling = chancy = 0
        for chunk in range(0, options.cases // 2, CHUNK):
            count = min(CHUNK, options.cases // 2 - chunk)
            result = cross_check(rules, chunk * SPREAD, count, options.nodes, hidden)
            if result.disagreements:
                sys.exit(result.disagreements[0])
            compared += result.compared
            telling += result.telling
            chancy += result.chancy
        for others in sorted({kind for _, kind, _ in compared}):
            by_players: Counter[int] = Counter()
            for (players, kind, _), count in compared.items():
                by_players[players] += count if kind == others else 0
            cells = [by_players[players] for players in counts]
            rows.append(["hidden" if hidden else "open", others, *cells, sum(cells)])
        seconds = perf_counter() - began
        print(
            f"{'hidden' if hidden else 'open'}: {compared.total()} cases agree, in {telling} of "
            f"them moves differ in value, in {chancy} chance matters; {seconds:.0f} s"
        )
    headers = ["cards", "others", *(f"{players} players" for players in counts), "all"]
    print(tabulate(rows, headers=headers))


if __name__ == "__main__":
    main()
