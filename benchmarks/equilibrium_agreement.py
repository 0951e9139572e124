"""Checks equilibria against brute force and OpenSpiel, on random small endings.

    pip install 'hidden-leaders-arena[equilibrium,openspiel]'
    python benchmarks/equilibrium_agreement.py --cases 40

Brute force finds the value as a fraction by another method (double oracle). OpenSpiel gets the
ending in Gambit's format (efg) and runs CFR+ on it; its best responses to the resulting policy
enclose the value, so ours must lie between them. Without OpenSpiel that half is skipped, and the
last line says so. Exit code 1 at the first disagreement.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from time import perf_counter

from games.extras import how_to_install
from games.registry import game
from solver.reference.brute_equilibrium import TreeChance, TreeEnd, TreeNode, build_tree
from solver.reference.equilibrium_cross_check import EquilibriumCase, equilibrium_cases, mixes

try:
    import pyspiel
except ModuleNotFoundError:
    pyspiel = None

SLACK = 1e-9
"""Tolerance for sums of floating-point numbers."""


def main() -> None:
    """Compare and print a summary."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--cases", type=int, default=40, help="number of endings (40)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--nodes", type=int, default=3000, help="largest size of an ending (3000)")
    parser.add_argument("--worlds", type=int, default=30, help="largest number of worlds (30)")
    parser.add_argument("--rounds", type=int, default=300, help="rounds of CFR+ (300)")
    options = parser.parse_args()
    began = perf_counter()
    exact = mixed = between = 0
    widest = 0.0
    rules = game("hidden-leaders")
    cases = equilibrium_cases(rules, options.first, options.nodes, options.worlds)
    for case in islice(cases, options.cases):
        if not case.agrees:
            sys.exit(f"{case}: solver {case.equilibrium.value}, brute force {case.expected}")
        exact += case.equilibrium.exact
        mixed += mixes(case.equilibrium)
        between += 0 < case.expected < 1
        if pyspiel is not None:
            low, high = by_openspiel(case, options.nodes, options.rounds)
            widest = max(widest, high - low)
            if not low - SLACK <= float(case.expected) <= high + SLACK:
                sys.exit(f"{case}: value {case.expected}, OpenSpiel {low} to {high}")
    print(
        f"{options.cases} endings agree with brute force, {exact} exactly; {between} values are "
        f"neither 0 nor 1, and {mixed} of the plans are mixed; {perf_counter() - began:.0f} s"
    )
    if pyspiel is None:
        print(f"OpenSpiel is not installed and was not used; {how_to_install('openspiel')}")
    else:
        print(f"All lie between OpenSpiel's best responses, at most {widest:.2g} apart.")


def by_openspiel(case: EquilibriumCase, most_nodes: int, rounds: int) -> tuple[float, float]:
    """The values of OpenSpiel's best responses to its CFR+ policy, which enclose the value."""
    root = build_tree(case.question, case.worlds, case.position.sight, most_nodes)
    efg = pyspiel.load_efg_game("\n".join(gambit(root)) + "\n")
    solver = pyspiel.CFRPlusSolver(efg)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    start = efg.new_initial_state()
    mine, theirs = (
        pyspiel.TabularBestResponse(efg, seat, policy).value_from_state(start) for seat in (0, 1)
    )
    return -theirs, mine


def gambit(root: TreeNode) -> Iterator[str]:
    """The tree in Gambit's format, line by line; seat 0 wants the goal."""
    yield 'EFG 2 R "ending" { "A" "B" }'
    numbers: tuple[dict[int, int], dict[int, int]] = ({}, {})
    lucky = 0
    waiting: list[TreeNode] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, TreeEnd):
            yield 't "" 1 "reached" { 1 -1 }' if node.value else 't "" 2 "missed" { 0 0 }'
        elif isinstance(node, TreeChance):
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
