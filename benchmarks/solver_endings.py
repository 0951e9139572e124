"""How many positions the solver saves against plain recursion, on fifty endings.

    python benchmarks/solver_endings.py
    python benchmarks/solver_endings.py --make > configs/endings.toml

Counts both, and prints the reduction for each kind of question and over all, as geometric means.
Exit code 1 if a count of the plain recursion is not the one in the file. `--make` shows how the
endings were chosen: positions of `solver.reference.cross_check` in the order of their seeds, the question being
who wins, with that case's horizon and others, if plain recursion looks at 10,000 to 300,000
positions. How many the solver looks at plays no part in the choice.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import replace
from itertools import count
from math import exp, log
from statistics import fmean

from tabulate import tabulate

from games.hidden_leaders.positions.notation import write
from games.hidden_leaders.rules.state import HiddenLeaders
from games.registry import game_names
from solver.core.question import win
from solver.reference.benchmark_endings import Ending, endings
from solver.reference.cross_check import open_case, size

MANY = 50
LEAST = 10_000
MOST = 300_000


def plain(ending: Ending) -> int:
    """Positions of the plain recursion, counted up to a limit."""
    until = ending.question.deadline(ending.state)
    return size(ending.question, ending.state, until, MOST)


def make() -> None:
    """Print the file."""
    print("# Endings on which the solver is measured: made by benchmarks/solver_endings.py.")
    found = 0
    for seed in count():
        case = open_case(seed)
        if case is None:
            continue
        state = case.worlds[0]
        assert isinstance(state, HiddenLeaders)
        question = replace(case.question, goal=win(case.question.seat, "the seat"))
        nodes = plain(Ending(state, question, 0))
        if not LEAST <= nodes < MOST:
            continue
        print(f'\n[[hidden-leaders]]\nposition = "{write(state)}"')
        print(f'horizon = "{question.horizon or "end"}"\nothers = "{question.others.value}"')
        print(f"plain = {nodes}")
        found += 1
        if found == MANY:
            return


def compare() -> bool:
    """Print the table; whether all plain counts are as the file says."""
    saved: dict[str, list[float]] = defaultdict(list)
    right = True
    for name in game_names():
        for ending in endings(name):
            if plain(ending) != ending.plain:
                print(f"plain recursion looks at {plain(ending)} positions, not {ending.plain}")
                right = False
            saved[f"{name}, {ending.question.others.value}"].append(
                ending.plain / ending.positions()
            )
    saved["all"] = [one for group in saved.values() for one in group]
    rows = [
        [who, len(all_of), f"{exp(fmean(map(log, all_of))):.0f}", f"{min(all_of):.0f}"]
        for who, all_of in saved.items()
    ]
    print(tabulate(rows, headers=["others", "endings", "times fewer positions", "least"]))
    return right


def main() -> None:
    """Make the endings, or measure them."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--make", action="store_true", help="print the endings, chosen anew")
    if parser.parse_args().make:
        make()
    elif not compare():
        sys.exit(1)


if __name__ == "__main__":
    main()
