"""How many decisions a second learners get: one environment, and self-play in a batch.

    python benchmarks/adapters.py [--seconds 3] [--rounds 3]

A decision is a move of a seat at random among the legal ones, with the observation and the mask of
the seat that moves next, as numpy arrays. `environment` is the PettingZoo environment, through
`last` and `step`; choosing the move is not counted. `self-play` is `SelfPlay` with 128 and with
1024 games (14 MB, which spill out of most caches), moves chosen by it included. Seconds are those
of the processor, so that other programs count little. Rounds are interleaved; the median counts.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np

from arena.adapters.pettingzoo import env
from arena.adapters.selfplay import SelfPlay
from games.engine import engine_name
from games.registry import game

GAMES = (128, 1024)
BETWEEN_LOOKS = 8192
"""Decisions between two looks at the clock."""

Measure = Callable[[float], float]


def environment(name: str, players: int) -> Measure:
    """Decisions/s through `last` and `step`, without the time for choosing moves."""
    table = env(name, players)
    dice = np.random.default_rng(1)

    def measure(seconds: float) -> float:
        decisions, spent = 0, 0.0
        while spent < seconds:
            moves = scripted_game(name, players, int(dice.integers(2**30)))
            table.reset(seed=moves[0])
            start = process_time()
            for move in moves[1:]:
                table.last()
                table.step(move)
            spent += process_time() - start
            decisions += len(moves) - 1
        return decisions / spent

    return measure


def scripted_game(name: str, players: int, seed: int) -> list[int]:
    """A seed, and the moves of a random game that is dealt with it."""
    table = env(name, players)
    table.reset(seed=seed)
    dice = np.random.default_rng(seed)
    moves = [seed]
    while not any(table.terminations.values()):
        mask = table.infos[table.agent_selection]["action_mask"]
        moves.append(int(dice.choice(np.flatnonzero(mask))))
        table.step(moves[-1])
    return moves


def self_play(name: str, players: int, count: int) -> Measure:
    """Decisions/s of a batch of so many games, moves chosen at random included."""
    games = SelfPlay(name, players, games=count, seed=1)

    def measure(seconds: float) -> float:
        decisions = 0
        start = process_time()
        while (spent := process_time() - start) < seconds:
            for _ in range(BETWEEN_LOOKS // count):
                games.step(games.random_actions())
            decisions += BETWEEN_LOOKS
        return decisions / spent

    return measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=3.0, help="for each measurement")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    measures: dict[tuple[str, int, str], Measure] = {}
    for name, players in (("hidden-leaders", 4), ("hidden-leaders", 6), ("secrets", 6)):
        measures[name, players, "environment"] = environment(name, players)
        for count in GAMES:
            measures[name, players, f"self-play, {count} games"] = self_play(name, players, count)
    found: dict[tuple[str, int, str], list[float]] = {key: [] for key in measures}
    for _ in range(options.rounds):
        for key, measure in measures.items():
            found[key].append(measure(options.seconds))
    print(f"engine {engine_name()}, decisions/s, median (lowest to highest) of {options.rounds}")
    for (name, players, what), speeds in found.items():
        layout = game(name).observation
        assert layout is not None
        print(
            f"{name:15} {players} players  {what:21} {median(speeds):11,.0f}"
            f"  ({min(speeds):,.0f} to {max(speeds):,.0f}), {layout.size} numbers"
        )


if __name__ == "__main__":
    main()
