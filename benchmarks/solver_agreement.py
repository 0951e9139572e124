"""Whether the solver and the plain checker agree, on thousands of random small positions.

    python benchmarks/solver_agreement.py --cases 2000
    python benchmarks/solver_agreement.py --game secrets --cases 500

Half of the cases have all cards open, half hidden ones. Compared are the values of all moves, as
fractions. Exit code 1 at the first disagreement, which is printed with its position.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from time import perf_counter

from tabulate import tabulate

from games.registry import game
from solver.reference.cross_check import hidden_leaders_case, secrets_case, sweep

MAKERS = {"hidden-leaders": hidden_leaders_case, "secrets": secrets_case}
CHUNK = 50
SPREAD = 1_000_000
"""Seeds from one chunk to the next: more than a chunk ever passes over."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--cases", type=int, default=2000, help="positions in all (2000)")
    parser.add_argument("--nodes", type=int, default=4000, help="size of a case, at most (4000)")
    parser.add_argument("--game", choices=MAKERS, default="hidden-leaders")
    asked = parser.parse_args()
    counts = game(asked.game).player_counts
    rows = []
    for hidden in (False, True):
        began = perf_counter()
        compared: Counter[tuple[int, str, int]] = Counter()
        telling = chancy = 0
        for chunk in range(0, asked.cases // 2, CHUNK):
            count = min(CHUNK, asked.cases // 2 - chunk)
            tally = sweep(chunk * SPREAD, count, asked.nodes, hidden, MAKERS[asked.game])
            if tally.disagreements:
                sys.exit(tally.disagreements[0])
            compared += tally.compared
            telling += tally.telling
            chancy += tally.chancy
        for others in sorted({one for _, one, _ in compared}):
            by_players: Counter[int] = Counter()
            for (players, one, _), count in compared.items():
                by_players[players] += count if one == others else 0
            cells = [by_players[players] for players in counts]
            rows.append(["hidden" if hidden else "open", others, *cells, sum(cells)])
        seconds = perf_counter() - began
        print(
            f"{'hidden' if hidden else 'open'}: {compared.total()} cases agree, in {telling} of "
            f"them moves differ in value, in {chancy} luck matters; {seconds:.0f} s"
        )
    headers = ["cards", "others", *(f"{players} players" for players in counts), "all"]
    print(tabulate(rows, headers=headers))


if __name__ == "__main__":
    main()
