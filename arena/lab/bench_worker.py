"""The process in which `arena bench` measures one engine, one slice at a time.

Its first line of output names the engine. Then it answers one JSON request per line, like {"what":
"play", "game": "hidden-leaders", "players": 4, "seconds": 0.2}, with counts and a duration. A
compiled and a pure process take turns, so that both run under the same load.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Final

from bots.champion.bot import Champion
from bots.champion.model import bundled_model, load_model
from bots.champion.search import ValueSearch
from bots.ismcts.root_parallel import SearchConfig
from games.engine import engine_name
from games.registry import Game, game
from games.state import CHANCE, Rng, State
from games.view import View
from solver.reference.benchmark_endings import endings

MIDDLE: Final = 60
"""Decisions to the middle of a random game; half of its decisions if it is shorter."""

TREE_ITERATIONS: Final = 1000  # iterations before the search starts again with an empty tree
CLOCK_EVERY: Final = 50  # iterations between reads of the clock
VISITS: Final = 160  # iterations of each search of champion
VISITS_PER_WORLD: Final = 5  # as many as in a search of the default size
CALLS: Final = 100  # copies or samples between reads of the clock


def repeat(seconds: float, count: str, step: Callable[[], int]) -> dict[str, float]:
    """Repeat a step, which returns how much it did, until the time is up."""
    done = 0
    began = now = perf_counter()
    while now < began + seconds:
        done += step()
        now = perf_counter()
    return {count: done, "seconds": now - began}


def measure_play(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Complete random games, one `playout` call each."""
    rng = Rng(players)
    lengths: list[int] = []

    def play() -> int:
        lengths.append(rules.new(players).playout(rng))
        return 1

    return {**repeat(seconds, "games", play), "decisions": sum(lengths)}


def measure_copies(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Copies of a position in the middle of a game, each called from interpreted code."""
    state = middle(rules, players)

    def copy() -> int:
        for _ in range(CALLS):
            state.copy()
        return CALLS

    return repeat(seconds, "copies", copy)


def measure_samples(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Worlds sampled from a seat's View in the middle of a game, as a search does it."""
    view = seen(rules, middle(rules, players))
    rng = Rng(players)
    view.sample(rng)  # the first sample also prepares tables

    def sample() -> int:
        for _ in range(CALLS):
            view.sample(rng)
        return CALLS

    return repeat(seconds, "samples", sample)


def measure_search(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Search the first decision of a game repeatedly, as the bot `ismcts` does it."""
    state = state_after(rules, players, 0)
    view = seen(rules, state)
    rng = Rng(players)
    config = SearchConfig(exploration=0.7, tree_per_seat=False, eager_rollouts=True, horizon=24)
    tree = config.search(view, state.move_limit)
    simulated = 0

    def search() -> int:
        nonlocal tree, simulated
        if tree.iterations == TREE_ITERATIONS:
            simulated += tree.simulated
            tree = config.search(view, state.move_limit)
        for _ in range(CLOCK_EVERY):
            tree.iterate(view.sample(rng), rng)
        return CLOCK_EVERY

    counts = repeat(seconds, "iterations", search)
    return {**counts, "simulated": int(simulated + tree.simulated)}


def measure_evaluate(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Ask the bundled model of `champion` about a position, each time from interpreted code."""
    if not bundled_model(rules.name).is_file():
        return {}
    state = middle(rules, players)
    network = load_model(rules.name).network(players)

    def evaluate() -> int:
        for _ in range(CALLS):
            network.judged(state)
        return CALLS

    return repeat(seconds, "evaluations", evaluate)


def measure_weigh(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Ask the bundled policy of `champion` about a decision, each time from interpreted code."""
    if not has_policy(rules):
        return {}
    state = middle(rules, players)
    policy = load_model(rules.name).move_policy

    def weigh() -> int:
        for _ in range(CALLS):
            policy.weigh(state)
        return CALLS

    return repeat(seconds, "priors", weigh)


def measure_champion(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Search a decision in the middle of a game repeatedly, as the bot `champion` does it."""
    if not bundled_model(rules.name).is_file():
        return {}
    state = middle(rules, players)
    view, rng, model = seen(rules, state), Rng(players), load_model(rules.name)
    network, policy = model.network(players), model.move_policy

    def search() -> int:
        tree = ValueSearch(view.seat, players, state.move_limit, state.roles, network)
        tree.policy, tree.trust = (policy if model.policy else None), Champion.trust.default
        tree.draw_worlds(view, rng, VISITS // VISITS_PER_WORLD)
        tree.run(view, rng, VISITS, 0.0)
        return VISITS

    values, priors = int(network.evaluations), int(policy.decisions)
    found = repeat(seconds, "visits", search)
    found["values asked"] = int(network.evaluations) - values
    found["priors asked"] = int(policy.decisions) - priors
    return found


def has_policy(rules: Game) -> bool:
    """Whether the game has a bundled model with a policy."""
    return bundled_model(rules.name).is_file() and bool(load_model(rules.name).policy)


def measure_solve(rules: Game, players: int, seconds: float) -> dict[str, float]:
    """Solve the benchmark's endings of that player count repeatedly."""
    own = [ending for ending in endings(rules.name) if ending.state.players == players]
    if not own:
        return {}
    return repeat(seconds, "positions", lambda: sum(ending.positions() for ending in own))


def middle(rules: Game, players: int) -> State:
    """A decision in the middle of a random game."""
    length = rules.new(players).playout(Rng(players))
    return state_after(rules, players, min(MIDDLE, length // 2))


def state_after(rules: Game, players: int, decisions: int) -> State:
    """The next decision of a random game after some decisions, with its events so far."""
    state = rules.new(players, record=True)
    rng = Rng(players)
    while state.actor == CHANCE or decisions:
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            state.play(state.legal[rng.below(state.count)])
            decisions -= 1
    return state


def seen(rules: Game, state: State) -> View:
    """The view of the seat to move."""
    view = rules.view(max(state.actor, 0), int(state.players))
    for event in state.take_events(view.seat):
        view.observe(event)
    return view


MEASURES: Final[dict[str, Callable[[Game, int, float], dict[str, float]]]] = {
    "play": measure_play,
    "copies": measure_copies,
    "samples": measure_samples,
    "search": measure_search,
    "evaluate": measure_evaluate,
    "weigh": measure_weigh,
    "champion": measure_champion,
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
