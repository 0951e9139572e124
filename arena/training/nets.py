"""The networks of `bots.champion.network` in numpy, with gradients, to be fitted."""

from __future__ import annotations

import numpy as np

from arena.training.samples import Array
from bots.champion.model import layout_sizes, most_weight
from bots.champion.network import UNIT
from games.features import FeatureLayout, PatternLayout
from games.state import NO_PATTERN

ROWS_AT_ONCE = 512

TINY = 1e-9


class ValueNet:
    """A network of `bots.champion.network` in numpy, with gradients; this one sees numbers."""

    missing: float = 0
    """What the first input of a claim is if the seat does not have it."""

    def __init__(self, layout: FeatureLayout, hidden: tuple[int, int], seed: int) -> None:
        self.layout = layout
        table, seat, claim, self.claims = layout_sizes(layout)
        self.sizes = table, seat, claim
        rng = np.random.default_rng(seed)
        first, second = hidden
        self.weights: list[Array] = [
            self.first_weights(rng, first),
            np.zeros(first, np.float32),
            (rng.standard_normal((first, second)) * np.sqrt(2 / first)).astype(np.float32),
            np.zeros(second, np.float32),
            (rng.standard_normal(second) * np.sqrt(1 / second)).astype(np.float32),
            np.zeros(1, np.float32),
        ]

    def first_weights(self, rng: np.random.Generator, units: int) -> Array:
        inputs = sum(self.sizes)
        return (rng.standard_normal((inputs, units)) / np.sqrt(inputs / 3)).astype(np.float32)

    def flat(self) -> tuple[float, ...]:
        """All weights in the order that `Network` wants."""
        return tuple(float(weight) for each in self.weights for weight in each.reshape(-1))

    def split(self, inputs: Array, players: int) -> tuple[Array, Array, Array]:
        """The parts of a batch for the table, the seats and the claims."""
        table, seat, claim = self.sizes
        middle = table + players * seat
        seats = inputs[:, table:middle].reshape(-1, players, seat)
        claims = inputs[:, middle:].reshape(-1, players, self.claims, claim)
        return inputs[:, :table], seats, claims

    def forward(self, inputs: Array, players: int) -> tuple[Array, ...]:
        """The chances of a batch, and what `gradients` needs besides."""
        _, _, w2, b2, w3, b3 = self.weights
        parts = self.split(inputs, players)
        first = np.maximum(self.first_layer(*parts), 0)
        second = np.maximum(first @ w2 + b2, 0)
        score = np.clip(second @ w3 + b3, -30, 30)
        odds = np.exp(score) * (parts[2][..., 0] != self.missing)
        seats = odds.sum(2)
        if self.layout.one_winner:
            chances = seats / (1 + seats.sum(1, keepdims=True))
        else:
            chances = seats / (1 + seats)
        return chances, odds, seats, first, second

    def first_layer(self, of_table: Array, of_seat: Array, of_claim: Array) -> Array:
        """The sums of the first layer, by sample, seat and claim."""
        table, seat, _ = self.sizes
        w1, b1 = self.weights[:2]
        first = of_claim @ w1[table + seat :]
        first += (of_seat @ w1[table : table + seat])[:, :, None, :]
        first += (of_table @ w1[:table] + b1)[:, None, None, :]
        return first

    def loss(self, inputs: Array, won: Array, players: int) -> float:
        """The mean log loss; of one winner, or of every seat."""
        return float(log_loss(self.chances(inputs, players), won, self.layout.one_winner).mean())

    def chances(self, inputs: Array, players: int) -> Array:
        """Of many samples, a part at a time."""
        parts = np.array_split(inputs, 1 + len(inputs) // ROWS_AT_ONCE)
        return np.concatenate([self.forward(part, players)[0] for part in parts])

    def gradients(self, inputs: Array, won: Array, players: int) -> list[Array]:
        w2, w3 = self.weights[2], self.weights[4]
        chances, odds, seats, first, second = self.forward(inputs, players)
        share = odds / np.maximum(seats, TINY)[:, :, None]
        d_score = (chances - won)[:, :, None] * share / len(inputs)
        if not self.layout.one_winner:
            d_score = d_score / players
        d_second = d_score[..., None] * w3 * (second > 0)
        d_first = d_second @ w2.T * (first > 0)
        by_seat = d_first.sum(2)
        by_table = by_seat.sum(1)
        return [
            self.first_gradients(self.split(inputs, players), (by_table, by_seat, d_first)),
            by_table.sum(0),
            np.tensordot(first, d_second, axes=([0, 1, 2], [0, 1, 2])),
            d_second.sum((0, 1, 2)),
            np.tensordot(second, d_score, axes=([0, 1, 2], [0, 1, 2])),
            d_score.sum(keepdims=True).reshape(1),
        ]

    def first_gradients(
        self, parts: tuple[Array, Array, Array], slopes: tuple[Array, Array, Array]
    ) -> Array:
        """Of the weights of the first layer; both by table, seat and claim."""
        found = []
        for part, slope in zip(parts, slopes, strict=True):
            axes = list(range(part.ndim - 1))
            found.append(np.tensordot(part, slope, axes=(axes, axes)))
        return np.concatenate(found)

    def settle(self) -> None:
        """Called after every step: keep the weights where a model may have them."""


class PatternNet(ValueNet):
    """The network that sees patterns: a row of weights for each, and a blank row of zeros."""

    missing = NO_PATTERN

    def __init__(
        self,
        layout: FeatureLayout,
        hidden: tuple[int, int],
        seed: int,
        patterns: PatternLayout,
    ) -> None:
        self.patterns = patterns
        super().__init__(layout, hidden, seed)

    def first_weights(self, rng: np.random.Generator, units: int) -> Array:
        count = self.patterns.count
        rows = rng.standard_normal((count + 1, units)) / np.sqrt(self.patterns.slots)
        rows[count] = 0
        return rows.astype(np.float32)

    def flat(self) -> tuple[float, ...]:
        rows = np.round(self.weights[0][:-1].astype(np.float64) * UNIT) / UNIT
        biases = np.round(self.weights[1].astype(np.float64) * UNIT) / UNIT
        parts = [rows, biases, *self.weights[2:]]
        return tuple(float(weight) for each in parts for weight in each.reshape(-1))

    def first_layer(self, of_table: Array, of_seat: Array, of_claim: Array) -> Array:
        rows, biases = self.weights[:2]  # NO_PATTERN is -1, the blank row
        first = rows[of_claim].sum(3)
        first += rows[of_seat].sum(2)[:, :, None, :]
        first += (rows[of_table].sum(1) + biases)[:, None, None, :]
        return first

    def first_gradients(
        self, parts: tuple[Array, Array, Array], slopes: tuple[Array, Array, Array]
    ) -> Array:
        count, units = self.weights[0].shape
        found = np.zeros((count, units), np.float32)
        for part, slope in zip(parts, slopes, strict=True):
            slots = part.shape[-1]
            which = part.reshape(-1).astype(np.int64) % count
            each = slope.reshape(-1, units)
            for unit in range(units):
                by_slot = np.repeat(each[:, unit], slots)
                found[:, unit] += np.bincount(which, by_slot, minlength=count)
        found[-1] = 0
        return found

    def settle(self) -> None:
        most = 0.95 * most_weight(self.patterns)
        np.clip(self.weights[0], -most, most, out=self.weights[0])
        np.clip(self.weights[1], -most, most, out=self.weights[1])


def new_net(layout: FeatureLayout, hidden: tuple[int, int], seed: int) -> ValueNet:
    """A network for the layout, with random weights."""
    if layout.patterns is None:
        return ValueNet(layout, hidden, seed)
    return PatternNet(layout, hidden, seed, layout.patterns)


def log_loss(chances: Array, won: Array, one_winner: bool) -> Array:
    """Of every sample: minus the logarithm of the chance that was given to what happened."""
    if one_winner:
        nobody = np.maximum(1 - chances.sum(1), TINY)
        happened = np.where(won.sum(1) > 0, (chances * won).sum(1), nobody)
        return -np.log(np.maximum(happened, TINY))
    right = np.where(won > 0, chances, 1 - chances)
    return -np.log(np.maximum(right, TINY)).mean(1)
