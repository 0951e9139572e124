"""The process in which `arena bench` measures one engine, one slice at a time.

Its first line of output names the engine. Then it answers one JSON request per line, like {"what":
"play", "game": "hidden-leaders", "players": 4, "seconds": 0.2}, with counts and a duration. A
compiled and a pure process take turns, so that both run under the same load.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Final

from bots.ismcts.root_parallel import SearchConfig
from games.engine import engine_name
from games.registry import Game, game
from games.state import CHANCE, Rng, State
from solver.reference.benchmark_endings import endings

MIDDLE: Final = 60
"""Decisions to the middle of a random game; half of its decisions if it is shorter."""

TREE_ITERATIONS: Final = 1000
"""Iterations before the search starts again with an empty tree."""

CLOCK_EVERY: Final = 50
"""Iterations between reads of the clock."""


def measure_play(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Complete random games, one `playout` call each."""
    rng = Rng(players)
    games = decisions = 0
    began = now = perf_counter()
    while now < began + seconds:
        decisions += rules.new(players).playout(rng)
        games += 1
        now = perf_counter()
    return {"decisions": decisions, "games": games, "seconds": now - began}


def measure_copies(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Copies of a position in the middle of a game, each called from interpreted code."""
    state = middle(rules, players)
    count = 0
    began = now = perf_counter()
    while now < began + seconds:
        for _ in range(100):
            state.copy()
        count += 100
        now = perf_counter()
    return {"copies": count, "seconds": now - began}


def measure_samples(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Worlds sampled from a seat's View in the middle of a game, as a search does it."""
    state = middle(rules, players)
    view = rules.view(max(state.actor, 0), players)
    for event in state.take_events(view.seat):
        view.observe(event)
    rng = Rng(players)
    view.sample(rng)  # the first sample also prepares tables
    count = 0
    began = now = perf_counter()
    while now < began + seconds:
        for _ in range(100):
            view.sample(rng)
        count += 100
        now = perf_counter()
    return {"samples": count, "seconds": now - began}


def measure_search(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Search the first decision of a game repeatedly, as the bot `ismcts` does it."""
    rng = Rng(players)
    state = rules.new(players, record=True)
    while state.actor == CHANCE:
        state.sample_chance(rng)
    view = rules.view(state.actor, players)
    for event in state.take_events(view.seat):
        view.observe(event)
    config = SearchConfig(exploration=0.7, tree_per_seat=False, eager_rollouts=True, horizon=24)
    tree = config.search(view, state.move_limit)
    iterations = simulated = 0
    began = now = perf_counter()
    while now < began + seconds:
        for _ in range(CLOCK_EVERY):
            tree.iterate(view.sample(rng), rng)
        if tree.iterations == TREE_ITERATIONS:
            simulated += tree.simulated
            tree = config.search(view, state.move_limit)
        iterations += CLOCK_EVERY
        now = perf_counter()
    simulated += tree.simulated
    return {"iterations": iterations, "simulated": simulated, "seconds": now - began}


def measure_solve(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Solve the benchmark's endings of that player count repeatedly."""
    own = [ending for ending in endings(rules.name) if ending.state.players == players]
    if not own:
        return {}
    positions = 0
    began = now = perf_counter()
    while now < began + seconds:
        positions += sum(ending.positions() for ending in own)
        now = perf_counter()
    return {"positions": positions, "seconds": now - began}


def middle(rules: Game, players: int) -> State:
    """A decision in the middle of a random game, with its events so far."""
    state = rules.new(players, record=True)
    rng = Rng(players)
    length = rules.new(players).playout(Rng(players))
    decisions = 0
    while decisions < min(MIDDLE, length // 2):
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.legal[rng.below(state.count)])
            decisions += 1
    while state.actor == CHANCE:
        state.sample_chance(rng)
    return state


MEASURES: Final[dict[str, Callable[[Game, int, float], dict[str, float]]]] = {
    "play": measure_play,
    "copies": measure_copies,
    "samples": measure_samples,
    "search": measure_search,
    "solve": measure_solve,
}
"""The measures by name. All numbers in an answer but `seconds` are counts; the answer is empty if
the game has nothing to measure."""


def stay_on_one_core() -> None:
    """Pin the process to one core if possible; the two processes never run at the same time."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def answer_requests() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it exits when stdin is closed
    stay_on_one_core()
    print(json.dumps({"engine": engine_name()}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        measure = MEASURES[request["what"]]
        answer = measure(game(request["game"]), request["players"], request["seconds"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    answer_requests()
