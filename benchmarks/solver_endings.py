"""Measures how many fewer positions the solver visits than plain recursion, on fifty endings.

    python benchmarks/solver_endings.py
    python benchmarks/solver_endings.py --speed
    python benchmarks/solver_endings.py --make > configs/endings.toml

Counts both and prints the reduction for each kind of question and over all, as geometric means.
Exit code 1 if plain recursion visits another number of positions than the file says. `--speed`
times the solver alone: the best of 20 runs of each ending, and the most that a run has allocated at
a time. `--make` shows how the endings were chosen: the cases of `solver.reference.cross_check` in
the order of seeds, with the goal to win, if plain recursion visits 10,000 to 300,000 positions. How
many positions the solver visits plays no part in the choice.
"""

import argparse
import gc
import sys
import tracemalloc
from collections import defaultdict
from dataclasses import replace
from itertools import count
from math import exp, log
from statistics import fmean
from time import perf_counter

from tabulate import tabulate

from games.registry import game, game_names
from solver.core.question import win
from solver.reference.benchmark_endings import BenchmarkEnding, endings
from solver.reference.cross_check import random_case, tree_size

MANY = 50
LEAST = 10_000
MOST = 300_000
RUNS = 20


def plain(ending: BenchmarkEnding) -> int:
    """Positions that plain recursion visits, counted up to a limit."""
    until = ending.question.deadline(ending.state)
    return tree_size(ending.state, until, MOST)


def make() -> None:
    """Print the file."""
    print("# Endings on which the solver is measured: made by benchmarks/solver_endings.py.")
    rules = game("hidden-leaders")
    assert rules.positions is not None
    made = 0
    for seed in count():
        case = random_case(rules, seed, hidden=False)
        if case is None:
            continue
        state = case.worlds[0]
        question = replace(case.question, goal=win(case.question.seat, "the seat"))
        nodes = plain(BenchmarkEnding(state, question, 0))
        if not LEAST <= nodes < MOST:
            continue
        print(f'\n[[hidden-leaders]]\nposition = "{rules.positions.write(state)}"')
        print(f'horizon = "{question.horizon or "end"}"\nothers = "{question.others.value}"')
        print(f"plain = {nodes}")
        made += 1
        if made == MANY:
            return


def compare() -> bool:
    """Print the table; whether all counts of plain recursion are those of the file."""
    saved: dict[str, list[float]] = defaultdict(list)
    right = True
    for name in game_names():
        for ending in endings(name):
            if plain(ending) != ending.plain:
                print(f"plain recursion visits {plain(ending)} positions, not {ending.plain}")
                right = False
            saved[f"{name}, {ending.question.others.value}"].append(
                ending.plain / ending.positions()
            )
    saved["all"] = [factor for group in saved.values() for factor in group]
    rows = [
        [kind, len(factors), f"{exp(fmean(map(log, factors))):.0f}", f"{min(factors):.0f}"]
        for kind, factors in saved.items()
    ]
    print(tabulate(rows, headers=["others", "endings", "times fewer positions", "least"]))
    return right


def speed() -> None:
    """Print positions, seconds and memory of the solver by kind of question."""
    groups: dict[str, list[tuple[int, float, int]]] = defaultdict(list)
    for name in game_names():
        for ending in endings(name):
            measured = ending.positions(), min(seconds(ending) for _ in range(RUNS)), peak(ending)
            groups[f"{name}, {ending.question.others.value}"].append(measured)
    groups["all"] = [measured for group in groups.values() for measured in group]
    rows = []
    for kind, group in groups.items():
        positions, spent, memory = (sum(column) for column in zip(*group, strict=True))
        rows.append(
            [kind, len(group), positions, f"{1e3 * spent:.1f}", f"{positions / spent:,.0f}"]
        )
        rows[-1].append(f"{memory / len(group) / 1024:.0f}")
    print(tabulate(rows, headers=["others", "endings", "positions", "ms", "per second", "kB each"]))


def seconds(ending: BenchmarkEnding) -> float:
    began = perf_counter()
    ending.positions()
    return perf_counter() - began


def peak(ending: BenchmarkEnding) -> int:
    """Bytes that one run allocates, at most at a time."""
    gc.collect()  # also empties the free lists of tuples, which would not be counted
    tracemalloc.start()
    ending.positions()
    memory = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return memory


def main() -> None:
    """Make the endings, or measure them."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument(
        "--make", action="store_true", help="choose the endings again and print them"
    )
    parser.add_argument("--speed", action="store_true", help="time the solver")
    options = parser.parse_args()
    if options.make:
        make()
    elif options.speed:
        speed()
    elif not compare():
        sys.exit(1)


if __name__ == "__main__":
    main()
