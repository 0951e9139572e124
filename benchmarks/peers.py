"""Our compiled engine beside OpenSpiel's C++: random play, decisions per second, interleaved.

    pip install '.[peers]'
    python benchmarks/peers.py

What is counted. On both sides, decisions made by players, and nothing else: chance outcomes
(dealing, drawing, shuffling) are carried out within the measured time but not counted. On both
sides a slice is whole games, from a new game to its last move, every player choosing evenly among
the legal moves, with the loop over the moves inside compiled code and one call per game.

* Ours: Hidden Leaders at four players; `new_game` and `State.playout`, which returns the number of
  decisions.
* Theirs: Hearts, also a four-player card game with hidden hands; `new_initial_state` and
  `evaluate_bots` with four of OpenSpiel's own uniform random bots, all C++. Decisions are counted
  afterwards, outside the measured time, from the state's history (entries of players).

Why it is fair, and where it is not. Both do the same kind of work by the same kind of loop, take
turns on one core, and are told of by their medians. But the games differ: a Hearts decision never
resolves a card text, while a Hearts game deals 52 cards by as many chance nodes for 52 to 64
decisions, more luck per decision than ours. And OpenSpiel's interface hands out lists of legal
actions and keeps the history, conveniences that ours leaves out of its hot loop. It is a
comparison of what a user of either gets, not of languages.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable
from importlib.metadata import version
from statistics import median
from time import perf_counter
from typing import Any

from games.engine import engine_name
from games.hidden_leaders.state import new_game
from games.state import Rng

PLAYERS = 4

Slice = Callable[[float], float]
"""Plays whole games for about so many seconds; returns decisions per second."""


def ours() -> Slice:
    rng = Rng(1)

    def play(seconds: float) -> float:
        decisions = 0
        began = now = perf_counter()
        while now < began + seconds:
            decisions += new_game(PLAYERS).playout(rng)
            now = perf_counter()
        return decisions / (now - began)

    return play


def theirs(pyspiel: Any) -> Slice:
    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(seat, seat + 1) for seat in range(PLAYERS)]
    seeds = Rng(2)

    def play(seconds: float) -> float:
        decisions = 0
        spent = 0.0
        while spent < seconds:
            seed = seeds.below(2**31 - 1)
            began = perf_counter()
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, seed)
            spent += perf_counter() - began
            decisions += sum(entry.player >= 0 for entry in state.full_history())
        return decisions / spent

    return play


def interleave(first: Slice, second: Slice, rounds: int, seconds: float) -> list[list[float]]:
    """Decisions per second of each, slice by slice; who goes first alternates."""
    first(seconds / 4)
    second(seconds / 4)
    rates: list[list[float]] = [[], []]
    for turn in range(rounds):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            rates[side].append((first, second)[side](seconds))
    return rates


def report(rates: list[list[float]], peer: str) -> dict[str, object]:
    sides = {}
    for name, slices in zip(("hidden_leaders", "open_spiel_hearts"), rates, strict=True):
        sides[name] = {
            "median": round(median(slices)),
            "min": round(min(slices)),
            "max": round(max(slices)),
        }
    ratios = sorted(a / b for a, b in zip(*rates, strict=True))
    return {
        "unit": "decisions per second, random play, 4 players",
        "engine": engine_name(),
        "open_spiel": peer,
        "python": platform.python_version(),
        **sides,
        "ratio_of_medians": round(median(rates[0]) / median(rates[1]), 2),
        "ratio_lowest_round": round(ratios[0], 2),
        "ratio_highest_round": round(ratios[-1], 2),
    }


def as_text(found: dict[str, Any]) -> str:
    lines = [f"{found['unit']}: median (lowest-highest slice)"]
    for name in ("hidden_leaders", "open_spiel_hearts"):
        side = found[name]
        lines.append(f"  {name:18} {side['median']:>11,} ({side['min']:,}-{side['max']:,})")
    low, high = found["ratio_lowest_round"], found["ratio_highest_round"]
    lines.append(f"  ratio of medians   {found['ratio_of_medians']} (by round {low}-{high})")
    return "\n".join(lines)


def main() -> int:
    """Exit code 2 if there is nothing to compare."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="slices of each side (15)")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of a slice (0.3)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    try:
        import pyspiel  # noqa: PLC0415 - an extra that most do not have
    except ImportError:
        print("OpenSpiel is not installed: pip install '.[peers]' brings it.", file=sys.stderr)
        return 2
    if engine_name() != "compiled":
        print("Compared is the compiled engine: build it with `make compile`.", file=sys.stderr)
        return 2
    if sys.platform == "linux":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    rates = interleave(ours(), theirs(pyspiel), options.rounds, options.seconds)
    found = report(rates, version("open_spiel"))
    print(json.dumps(found, indent=2) if options.json else as_text(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
