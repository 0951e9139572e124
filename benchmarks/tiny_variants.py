"""Tiny games of Hidden Leaders: exact values, OpenSpiel's CFR+, and how exploitable bots are.

    python benchmarks/tiny_variants.py [--bot random --bot greedy ...] [--variant tiny ...]

Values are what seat A gets on average (1 for a win, -1 for a loss, 0 if nobody wins). Ours come
from linear programs and are proven by exact best responses; CFR+ runs on the same tree. A bot's
exploitability is what best responses win against it; it is asked at every information set.
"""

from __future__ import annotations

import argparse
from time import perf_counter

import pyspiel

from arena.adapters.openspiel import NO_RECALL, load
from arena.adapters.openspiel_tree import tree_of
from arena.lab.exploitability import ASKED, exploitability_in
from games.hidden_leaders.variants import VARIANTS
from games.registry import game
from solver.whole_games import solve_whole_game

BOTS = ["random", "greedy", "ismcts:iterations=100", "ismcts:iterations=1000"]
ITERATIONS = 500


def cfr_plus(variant: str) -> tuple[float, float]:
    """The value that CFR+ finds, and the exploitability of its plans."""
    spiel = load("hidden-leaders", 2, recall=NO_RECALL, variant=variant)
    tree = tree_of(spiel)
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    value, _ = pyspiel.expected_returns(tree.new_initial_state(), average, -1, True)
    return value, pyspiel.exploitability(tree, average)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--variant", action="append", choices=list(VARIANTS))
    parser.add_argument("--bot", action="append", help=f"by default {', '.join(BOTS)}")
    options = parser.parse_args()
    rules = game("hidden-leaders")
    for variant in options.variant or VARIANTS:
        start = perf_counter()
        whole = solve_whole_game(variant=variant)
        sets = sum(whole.information_sets)
        exact = "exactly" if whole.exact else f"to {whole.value[1]}"
        print(
            f"{variant}: {whole.nodes} positions, {sets} information sets, {whole.mixed()} mixed; "
            f"value {whole.value[0]} = {float(whole.value[0]):.4f} {exact}, "
            f"{perf_counter() - start:.1f} s",
            flush=True,
        )
        start = perf_counter()
        value, off = cfr_plus(variant)
        print(f"  CFR+ {value:.4f}, exploitability {off:.4f}, {perf_counter() - start:.1f} s")
        for bot in options.bot or BOTS:
            start = perf_counter()
            lost = exploitability_in(whole, rules, bot, ASKED, {"variant": variant})
            print(f"  {bot}: exploitability {float(lost):.4f}, {perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
