"""Measures one engine, a slice at a time, on demand: the process `arena bench` talks to.

One JSON request per line, one JSON answer per line: {"what": "play", "game": "hidden-leaders",
"players": 4, "seconds": 0.2} is answered by how much was done in how long, after a first line
naming the engine. Two of these,
one compiled and one pure, asked in turn, see the same machine in the same mood.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from time import perf_counter

from bots.ismcts.root_parallel import SearchConfig
from games.engine import engine_name
from games.registry import Game, game
from games.state import CHANCE, Rng, State
from solver.reference.benchmark_endings import endings

MIDDLE = 60
"""Decisions after which a random game is well under way; a short one is, half way through."""

ITERATIONS = 1000
"""Of one search, before the next begins with an empty tree."""

BATCH = 50
"""Iterations between two looks at the clock."""


def play(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Random games from setup to the end, one `playout` call each."""
    rng = Rng(players)
    games = decisions = 0
    began = now = perf_counter()
    while now < began + seconds:
        decisions += rules.new(players).playout(rng)
        games += 1
        now = perf_counter()
    return {"decisions": decisions, "games": games, "seconds": now - began}


def copies(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Copies of one position in the middle of a game, each asked for from interpreted code."""
    state = middle(rules, players)
    many = 0
    began = now = perf_counter()
    while now < began + seconds:
        for _ in range(100):
            state.copy()
        many += 100
        now = perf_counter()
    return {"copies": many, "seconds": now - began}


def samples(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Worlds drawn from one seat's View in the middle of a game, as a searcher draws them."""
    state = middle(rules, players)
    view = rules.view(max(state.actor, 0), players)
    for event in state.take_events(view.seat):
        view.observe(event)
    rng = Rng(players)
    view.sample(rng)  # the first one lays out what is known
    many = 0
    began = now = perf_counter()
    while now < began + seconds:
        for _ in range(100):
            view.sample(rng)
        many += 100
        now = perf_counter()
    return {"samples": many, "seconds": now - began}


def search(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Search as the bot `ismcts` does it for the first decision of a game, over and over."""
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
        for _ in range(BATCH):
            tree.iterate(view.sample(rng), rng)
        if tree.iterations == ITERATIONS:
            simulated += tree.simulated
            tree = config.search(view, state.move_limit)
        iterations += BATCH
        now = perf_counter()
    simulated += tree.simulated
    return {"iterations": iterations, "simulated": simulated, "seconds": now - began}


def solve(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """All endings of that many players on which the solver is measured, over and over."""
    found = [one for one in endings(rules.name) if one.state.players == players]
    if not found:
        return {}
    positions = 0
    began = now = perf_counter()
    while now < began + seconds:
        positions += sum(ending.positions() for ending in found)
        now = perf_counter()
    return {"positions": positions, "seconds": now - began}


def middle(rules: Game, players: int) -> State:
    """A decision in the middle of a random game, with all its events."""
    state = rules.new(players, record=True)
    rng = Rng(players)
    whole = rules.new(players).playout(Rng(players))
    decisions = 0
    while decisions < min(MIDDLE, whole // 2):
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.legal[rng.below(state.count)])
            decisions += 1
    while state.actor == CHANCE:
        state.sample_chance(rng)
    return state


MEASURES: dict[str, Callable[[Game, int, float], dict[str, float]]] = {
    "play": play,
    "copies": copies,
    "samples": samples,
    "search": search,
    "solve": solve,
}
"""What can be asked for; every number in an answer but `seconds` is a count. The answer is empty
where a game has nothing to measure."""


def stay_on_one_core() -> None:
    """Both workers on the same core, where the system allows it: they take turns, never compete."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def serve() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the end of the requests is the end of the work
    stay_on_one_core()
    print(json.dumps({"engine": engine_name()}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        measure = MEASURES[request["what"]]
        answer = measure(game(request["game"]), request["players"], request["seconds"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
