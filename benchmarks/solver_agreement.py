"""Checks that the solver agrees with plain recursion, on thousands of random small positions.

    python benchmarks/solver_agreement.py --cases 2000
    python benchmarks/solver_agreement.py --game secrets --cases 500

Of ten cases three have all cards open, two have hidden cards, one has many cards to draw in two
turns, one lasts three or four turns so that seats draw and act again, one is searched for what any
hand can do, and two are about what a seat sees in its own turn; the last four kinds only where the
game has them. The values of all moves are
compared as fractions, those of the last kind within 1e-9. `--start` skips cases, so that a long run
can be made in parts. Exit code 1 at the first disagreement, which is printed with its position.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from time import perf_counter

from tabulate import tabulate

from games.registry import Game, game, game_names
from solver.reference.cross_check import (
    CrossCheck,
    cross_check,
    drawing_check,
    lasting_check,
    own_check,
    wide_check,
)

CHUNK = 50
SPREAD = 1_000_000
"""Seeds from one chunk to the next: more than a chunk ever uses."""
WIDE_NODES = 40_000
"""Positions that plain recursion may remember where many cards may be drawn."""
LASTING_NODES = 20_000
"""The same for endings of three and four turns."""

Check = Callable[[Game, int, int, int], CrossCheck]
CHECKS: dict[str, tuple[int, Check]] = {
    "open": (3, lambda rules, first, count, most: cross_check(rules, first, count, most, False)),
    "hidden": (2, lambda rules, first, count, most: cross_check(rules, first, count, most, True)),
    "wide": (1, lambda rules, first, count, _: wide_check(rules, first, count, WIDE_NODES)),
    "lasting": (
        1,
        lambda rules, first, count, _: lasting_check(rules, first, count, LASTING_NODES),
    ),
    "drawing": (
        1,
        lambda rules, first, count, _: drawing_check(rules, first, count, LASTING_NODES),
    ),
    "own view": (2, lambda rules, first, count, _: own_check(rules, first, count)),
}
"""Kinds of cases: how many of ten, and how to compare them."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--cases", type=int, default=2000, help="number of positions (2000)")
    parser.add_argument("--start", type=int, default=0, help="cases before the first (0)")
    parser.add_argument("--nodes", type=int, default=4000, help="largest size of a case (4000)")
    parser.add_argument("--game", choices=game_names(), default="hidden-leaders")
    parser.add_argument("--skip", choices=list(CHECKS), nargs="+", default=[])
    options = parser.parse_args()
    rules = game(options.game)
    counts = rules.player_counts
    until = options.start + options.cases
    rows = []
    for kind, (tenths, check) in CHECKS.items():
        if kind in options.skip:
            continue
        began = perf_counter()
        result = CrossCheck()
        start, end = (cases * tenths // 10 for cases in (options.start, until))
        for chunk in range(start, end, CHUNK):
            part = check(rules, chunk * SPREAD, min(CHUNK, end - chunk), options.nodes)
            if part.disagreements:
                sys.exit(part.disagreements[0])
            result.compared += part.compared
            result.telling += part.telling
            result.chancy += part.chancy
            result.open += part.open
            if not part.cases:
                break
        for others in sorted({others for _, others, _ in result.compared}):
            by_players: Counter[int] = Counter()
            for (players, one, _), count in result.compared.items():
                by_players[players] += count if one == others else 0
            cells = [by_players[players] for players in counts]
            rows.append([kind, others, *cells, sum(cells)])
        seconds = perf_counter() - began
        print(
            f"{kind}: {result.cases} cases agree, in {result.telling} of them moves differ in "
            f"value, in {result.chancy} chance matters, {result.open} moves have only bounds; "
            f"{seconds:.0f} s",
            flush=True,
        )
    headers = ["cards", "others", *(f"{players} players" for players in counts), "all"]
    print(tabulate(rows, headers=headers))


if __name__ == "__main__":
    main()
