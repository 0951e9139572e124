"""Our compiled engine compared to OpenSpiel's C++: random play and tree search, interleaved.

    pip install 'hidden-leaders-arena[openspiel]'
    python benchmarks/peers.py

What is counted: on both sides, only decisions per second. Chance outcomes (dealing, drawing,
shuffling) happen within the measured time but are not counted. The two engines take turns on one
core; the numbers are medians.

*Random play.* A slice is a number of complete games with uniformly random legal moves. The loop
over the moves is in compiled code.

* Ours: Hidden Leaders at four players; `new_game` and `State.playout`, which returns the number of
  decisions.
* Theirs: Hearts, also a four-player card game with hidden hands; `new_initial_state` and
  `evaluate_bots` with four of OpenSpiel's own uniform random bots, all C++. Decisions are counted
  afterwards, outside the measured time, from the state's history (entries of players).

*Tree search.* A slice is a number of searches of 1,000 iterations for the first decision of a game.
Every iteration samples a world, walks down the tree and plays random moves to the end. All of these
decisions are counted, in the tree and after it.

* Ours: `Search` with one tree and random playouts to the end, which counts them itself.
* Theirs: `ISMCTSBot` with one random rollout per iteration, all C++. Every iteration ends with the
  game, and a game of Hearts always has the same number of decisions from there, so iterations are
  multiplied by that number.

How fair it is. Both sides do the same kind of work in the same kind of loop. But the games differ:
a Hearts decision never resolves a card text, while a Hearts game deals 52 cards with as many chance
nodes for 52 to 64 decisions, which is more chance per decision than in ours. OpenSpiel's interface
also returns lists of legal actions and records the history, which ours leaves out of its hot loop.
So this compares what users of the two get, not languages. Our bot's own settings (heuristic
rollouts, cut off early) are not used here, because OpenSpiel has no counterpart.
"""

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

from bots.ismcts.tree import Search
from games.engine import engine_name
from games.extras import how_to_install
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.state import new_game
from games.state import CHANCE, Rng

PLAYERS = 4
ITERATIONS = 1000

Slice = Callable[[float], float]
"""Runs for about that many seconds and returns decisions per second."""


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


def our_search() -> Slice:
    rng = Rng(3)
    state = new_game(PLAYERS, record=True)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    view = HiddenLeadersView(state.actor, PLAYERS)
    for event in state.take_events(view.seat):
        view.observe(event)

    def search(seconds: float) -> float:
        decisions = 0
        began = now = perf_counter()
        while now < began + seconds:
            tree = Search(view.seat, PLAYERS, state.move_limit)
            for _ in range(ITERATIONS):
                tree.iterate(view.sample(rng), rng)
            decisions += tree.simulated
            now = perf_counter()
        return decisions / (now - began)

    return search


def their_search(pyspiel: Any) -> Slice:
    state = pyspiel.load_game("hearts").new_initial_state()
    rng = Rng(4)
    while state.is_chance_node():
        outcomes = [outcome for outcome, _ in state.chance_outcomes()]
        state.apply_action(rng.choice(outcomes))
    length = decisions_left(state.clone(), rng)
    seeds = Rng(5)

    def search(seconds: float) -> float:
        decisions = 0
        spent = 0.0
        while spent < seconds:
            evaluator = pyspiel.RandomRolloutEvaluator(1, seeds.below(2**31 - 1))
            most_visited = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            bot = pyspiel.ISMCTSBot(
                seeds.below(2**31 - 1), evaluator, 0.7, ITERATIONS, -1, most_visited, False, True
            )
            began = perf_counter()
            bot.step(state)
            spent += perf_counter() - began
            decisions += ITERATIONS * length
        return decisions / spent

    return search


def decisions_left(state: Any, rng: Rng) -> int:
    """The number of decisions from this state to the end."""
    decisions = 0
    while not state.is_terminal():
        decisions += not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return decisions


def interleave(first: Slice, second: Slice, rounds: int, seconds: float) -> list[list[float]]:
    """Decisions per second of each side, slice by slice; the first side alternates."""
    first(seconds / 4)
    second(seconds / 4)
    rates: list[list[float]] = [[], []]
    for turn in range(rounds):
        for side in (0, 1) if turn % 2 == 0 else (1, 0):
            rates[side].append((first, second)[side](seconds))
    return rates


def report(unit: str, rates: list[list[float]], peer: str) -> dict[str, object]:
    sides = {}
    for name, slices in zip(("hidden_leaders", "open_spiel_hearts"), rates, strict=True):
        sides[name] = {
            "median": round(median(slices)),
            "min": round(min(slices)),
            "max": round(max(slices)),
        }
    ratios = sorted(a / b for a, b in zip(*rates, strict=True))
    return {
        "unit": unit,
        "engine": engine_name(),
        "open_spiel": peer,
        "python": platform.python_version(),
        **sides,
        "ratio_of_medians": round(median(rates[0]) / median(rates[1]), 2),
        "ratio_lowest_round": round(ratios[0], 2),
        "ratio_highest_round": round(ratios[-1], 2),
    }


def as_text(result: dict[str, Any]) -> str:
    lines = [f"{result['unit']}: median (lowest-highest slice)"]
    for name in ("hidden_leaders", "open_spiel_hearts"):
        side = result[name]
        lines.append(f"  {name:18} {side['median']:>11,} ({side['min']:,}-{side['max']:,})")
    low, high = result["ratio_lowest_round"], result["ratio_highest_round"]
    lines.append(f"  ratio of medians   {result['ratio_of_medians']} (by round {low}-{high})")
    return "\n".join(lines)


def main() -> int:
    """Run the benchmark; exit code 2 if an engine is missing."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="slices of each side (15)")
    parser.add_argument("--seconds", type=float, default=0.3, help="length of a slice (0.3)")
    parser.add_argument("--json", action="store_true", help="print a JSON list")
    options = parser.parse_args()
    try:
        import pyspiel  # noqa: PLC0415 - an optional package
    except ImportError:
        print(f"OpenSpiel is not installed; {how_to_install('openspiel')}", file=sys.stderr)
        return 2
    if engine_name() != "compiled":
        print("The compiled engine is not built; run make compile.", file=sys.stderr)
        return 2
    if sys.platform == "linux":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    work = {
        "decisions per second, random play, 4 players": (ours(), theirs(pyspiel)),
        "decisions per second, tree search, 4 players": (our_search(), their_search(pyspiel)),
    }
    results = []
    for unit, (first, second) in work.items():
        rates = interleave(first, second, options.rounds, options.seconds)
        results.append(report(unit, rates, version("open_spiel")))
    print(json.dumps(results, indent=2) if options.json else "\n".join(map(as_text, results)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
