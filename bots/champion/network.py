"""A small network that gives every seat's chance to win. Compiled.

Every claim of a seat (`games.features.FeatureLayout`) gets a score from the same network: a first
layer that adds up what the table, the seat and the claim bring, a second one, and one output. The
table's part is added once for all claims, the seat's once for all of the seat's. Scores become
chances by a softmax over all claims and a nobody of score 0; or, in games that several seats can
win, each by itself.
"""

from __future__ import annotations

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.state import State

MOST_SCORE: Final = 30.0
"""Scores are cut here, far beyond certainty, so that no exponential overflows."""


class Network:
    """The weights of a network, and room to evaluate it."""

    def __init__(
        self,
        sizes: tuple[int, int, int, int],
        hidden: tuple[int, int],
        one_winner: bool,
        players: i64,
        weights: list[float],
    ) -> None:
        """`sizes` are those of a layout: table, seat, claim, claims; `hidden` those of the layers.

        The weights: by input and hidden unit, then hidden biases, the second layer by unit of the
        first and unit of the second, its biases, the output's weights and its bias.
        """
        self.table: i64 = sizes[0]
        self.seat: i64 = sizes[1]
        self.claim: i64 = sizes[2]
        self.claims: i64 = sizes[3]
        self.first: i64 = hidden[0]
        self.second: i64 = hidden[1]
        self.one_winner: bool = one_winner
        self.players: i64 = players
        self.weights: vec[float] = vec[float](weights)
        room = self.table + players * (self.seat + self.claims * self.claim)
        self.inputs: vec[float] = vec[float]([0.0] * room)
        self.of_table: vec[float] = vec[float]([0.0] * hidden[0])
        self.of_seat: vec[float] = vec[float]([0.0] * hidden[0])
        self.of_claim: vec[float] = vec[float]([0.0] * hidden[0])
        self.after: vec[float] = vec[float]([0.0] * hidden[1])
        self.evaluations: i64 = 0

    def evaluate(self, world: State, chances: vec[float]) -> None:
        """Every seat's chance to win an unfinished game, given the complete state."""
        world.fill_features(self.inputs)
        self.evaluations += 1
        inputs = self.inputs
        first = self.first
        claims_at = self.table + self.players * self.seat
        bias = (self.table + self.seat + self.claim) * first
        for j in range(first):
            self.of_table[j] = self.weights[bias + j]
        self.add(self.of_table, 0, self.table, 0)
        total = 1.0
        for seat in range(self.players):
            of_seat = self.of_seat
            for j in range(first):
                of_seat[j] = self.of_table[j]
            self.add(of_seat, self.table + seat * self.seat, self.seat, self.table)
            chance = 0.0
            for c in range(self.claims):
                at = claims_at + (seat * self.claims + c) * self.claim
                if inputs[at] != 0.0:
                    chance += exp(self.score(at))
            chances[seat] = chance
            total += chance
        for seat in range(self.players):
            chances[seat] /= total if self.one_winner else 1.0 + chances[seat]

    def add(self, sums: vec[float], at: i64, count: i64, row: i64) -> None:
        """Add what `count` inputs from `at` on bring to the first layer; most inputs are 0."""
        inputs = self.inputs
        weights = self.weights
        first = self.first
        for i in range(count):
            x = inputs[at + i]
            if x != 0.0:
                w = (row + i) * first
                for j in range(first):
                    sums[j] += x * weights[w + j]

    def score(self, at: i64) -> float:
        """The score of the claim whose inputs begin at `at`."""
        weights = self.weights
        first = self.first
        second = self.second
        sums = self.of_claim
        for j in range(first):
            sums[j] = self.of_seat[j]
        self.add(sums, at, self.claim, self.table + self.seat)
        w = (self.table + self.seat + self.claim + 1) * first
        after = self.after
        for k in range(second):
            after[k] = weights[w + first * second + k]
        for j in range(first):
            x = sums[j]
            if x > 0.0:
                row = w + j * second
                for k in range(second):
                    after[k] += x * weights[row + k]
        w += (first + 1) * second
        score = weights[w + second]
        for k in range(second):
            if after[k] > 0.0:
                score += after[k] * weights[w + k]
        return MOST_SCORE if score > MOST_SCORE else -MOST_SCORE if score < -MOST_SCORE else score

    def judged(self, world: State) -> list[float]:
        """Every seat's chance to win, as a list."""
        chances = vec[float]([0.0] * self.players)
        self.evaluate(world, chances)
        return list(chances)
