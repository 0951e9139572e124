"""A policy: how likely a seat is to choose each of its moves, by the moves' features. Compiled."""

from __future__ import annotations

from math import exp

from librt.vecs import vec
from mypy_extensions import i64

from games.state import MOST_MOVE_FEATURES, MOST_MOVES, Rng, State


class MovePolicy:
    """A softmax over the legal moves: every feature of a move has a weight."""

    def __init__(self, weights: list[float]) -> None:
        self.weights: vec[float] = vec[float](weights)
        self.odds: vec[float] = vec[float]([0.0] * MOST_MOVES)
        """What `weigh` found, in the order of `State.legal`."""
        self.scratch: vec[i64] = vec[i64]([0] * MOST_MOVE_FEATURES)
        self.decisions: i64 = 0
        """How many were weighed."""

    def weigh(self, world: State) -> float:
        """Fill `odds` for the legal moves; returns their sum."""
        odds = self.odds
        self.decisions += 1
        world.score_moves(world.role(world.actor), self.weights, self.scratch, odds)
        total = 0.0
        for i in range(world.count):
            odds[i] = exp(odds[i])
            total += odds[i]
        return total

    def sample(self, world: State, rng: Rng) -> i64:
        """One of the legal moves, as likely as the policy says."""
        if world.count == 1:
            return world.legal[0]
        odds = self.odds
        aim = (float(rng.below(1 << 26)) + 0.5) / 67108864.0 * self.weigh(world)
        for i in range(world.count):
            aim -= odds[i]
            if aim <= 0.0:
                return world.legal[i]
        return world.legal[world.count - 1]

    def shares(self, world: State) -> list[float]:
        """The probability of every move, in the order of `State.moves`."""
        total = self.weigh(world)
        by_move: dict[int, float] = {}
        for i in range(world.count):
            by_move[world.legal[i]] = self.odds[i] / total
        return [by_move[move] for move in world.moves()]
