"""Whether equilibria agree with the plain checker and with OpenSpiel, on random small endings.

    pip install '.[equilibrium,peers]'
    python benchmarks/equilibrium_agreement.py --cases 40

The checker finds the value as a fraction by another method. OpenSpiel gets the ending in Gambit's
format (efg), made from the checker's tree, and plays it against itself with its own CFR+; its own
best responses to what comes out enclose the value, and ours must lie between them. Without
OpenSpiel that half is left out, and the last line says so. Exit code 1 at the first disagreement.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from time import perf_counter

from games.hidden_leaders.positions.worlds import seen_by
from solver.reference.brute_equilibrium import End, Luck, Node, grown
from solver.reference.equilibrium_cross_check import Case, cases, dice_matter

try:
    import pyspiel
except ModuleNotFoundError:
    pyspiel = None

SLACK = 1e-9
"""For sums of floating-point numbers."""


def main() -> None:
    """Compare, and print what was compared."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--cases", type=int, default=40, help="endings in all (40)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--nodes", type=int, default=3000, help="size of an ending, at most (3000)")
    parser.add_argument("--worlds", type=int, default=30, help="worlds, at most (30)")
    parser.add_argument("--rounds", type=int, default=300, help="rounds of CFR+ (300)")
    asked = parser.parse_args()
    began = perf_counter()
    exact = diced = between = 0
    widest = 0.0
    for case in islice(cases(asked.first, asked.nodes, asked.worlds), asked.cases):
        if not case.agrees:
            sys.exit(f"{case}: solver {case.found.value}, checker {case.expected}")
        exact += case.found.exact
        diced += dice_matter(case.found)
        between += 0 < case.expected < 1
        if pyspiel is not None:
            low, high = by_openspiel(case, asked.nodes, asked.rounds)
            widest = max(widest, high - low)
            if not low - SLACK <= float(case.expected) <= high + SLACK:
                sys.exit(f"{case}: value {case.expected}, OpenSpiel {low} to {high}")
    print(
        f"{asked.cases} endings agree with the checker, {exact} exactly; {between} values are "
        f"neither 0 nor 1, and {diced} of the plans use dice; {perf_counter() - began:.0f} s"
    )
    if pyspiel is None:
        print("OpenSpiel is not installed and was not asked (pip install '.[peers]').")
    else:
        print(f"All lie between OpenSpiel's best responses, at most {widest:.2g} apart.")


def by_openspiel(case: Case, most_nodes: int, rounds: int) -> tuple[float, float]:
    """What its best responses make of the plans that its CFR+ comes to: bounds of the value."""
    root = grown(case.question, case.worlds, seen_by, most_nodes)
    game = pyspiel.load_efg_game("\n".join(gambit(root)) + "\n")
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    start = game.new_initial_state()
    mine, theirs = (
        pyspiel.TabularBestResponse(game, seat, policy).value_from_state(start) for seat in (0, 1)
    )
    return -theirs, mine


def gambit(root: Node) -> Iterator[str]:
    """The tree in Gambit's format, line by line; seat 0 wants the goal."""
    yield 'EFG 2 R "ending" { "A" "B" }'
    numbers: tuple[dict[int, int], dict[int, int]] = ({}, {})
    lucky = 0
    waiting: list[Node] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, End):
            yield 't "" 1 "reached" { 1 -1 }' if node.value else 't "" 2 "missed" { 0 0 }'
        elif isinstance(node, Luck):
            lucky += 1
            odds = " ".join(f'"{i}" {float(one)!r}' for i, (one, _) in enumerate(node.branches))
            yield f'c "" {lucky} "luck" {{ {odds} }} 0'
            waiting += [branch for _, branch in reversed(node.branches)]
        else:
            known = numbers[node.seat]
            number = known.setdefault(node.seen, len(known) + 1)
            moves = " ".join(f'"{i}"' for i in range(len(node.branches)))
            yield f'p "" {node.seat + 1} {number} "{number}" {{ {moves} }} 0'
            waiting += reversed(node.branches)


if __name__ == "__main__":
    main()
