"""Fits the weights of a model to samples, with numpy: the value network, policy and belief."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from arena.training.samples import Array, Choices, TurnStarts
from bots.champion.model import layout_sizes
from games.features import FeatureLayout

ROWS_AT_ONCE = 512
HELD_OUT = 10
"""One game in this many is for testing only."""

TINY = 1e-9


@dataclass
class Adam:
    """The optimizer of that name, for a list of arrays."""

    weights: list[Array]
    decay: float = 0.0

    def __post_init__(self) -> None:
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]
        self.steps = 0

    def step(self, gradients: list[Array], rate: float) -> None:
        self.steps += 1
        fast = 1 - 0.9**self.steps
        slow = 1 - 0.999**self.steps
        for i, gradient in enumerate(gradients):
            self.means[i] = 0.9 * self.means[i] + 0.1 * gradient
            self.squares[i] = 0.999 * self.squares[i] + 0.001 * gradient**2
            change = (self.means[i] / fast) / (np.sqrt(self.squares[i] / slow) + 1e-8)
            self.weights[i] -= rate * (change + self.decay * self.weights[i])


class ValueNet:
    """The network of `bots.champion.network` in numpy, with gradients."""

    def __init__(self, layout: FeatureLayout, hidden: tuple[int, int], seed: int) -> None:
        self.layout = layout
        table, seat, claim, self.claims = layout_sizes(layout)
        self.sizes = table, seat, claim
        rng = np.random.default_rng(seed)
        inputs = table + seat + claim
        first, second = hidden
        self.weights: list[Array] = [
            (rng.standard_normal((inputs, first)) / np.sqrt(inputs / 3)).astype(np.float32),
            np.zeros(first, np.float32),
            (rng.standard_normal((first, second)) * np.sqrt(2 / first)).astype(np.float32),
            np.zeros(second, np.float32),
            (rng.standard_normal(second) * np.sqrt(1 / second)).astype(np.float32),
            np.zeros(1, np.float32),
        ]

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
        table, seat, _ = self.sizes
        w1, b1, w2, b2, w3, b3 = self.weights
        of_table, of_seat, of_claim = self.split(inputs, players)
        first = of_claim @ w1[table + seat :]
        first += (of_seat @ w1[table : table + seat])[:, :, None, :]
        first += (of_table @ w1[:table] + b1)[:, None, None, :]
        first = np.maximum(first, 0)
        second = np.maximum(first @ w2 + b2, 0)
        score = np.clip(second @ w3 + b3, -30, 30)
        odds = np.exp(score) * (of_claim[..., 0] != 0)
        seats = odds.sum(2)
        if self.layout.one_winner:
            chances = seats / (1 + seats.sum(1, keepdims=True))
        else:
            chances = seats / (1 + seats)
        return chances, odds, seats, first, second

    def loss(self, inputs: Array, won: Array, players: int) -> float:
        """The mean log loss; of one winner, or of every seat."""
        chances = self.forward(inputs, players)[0]
        return float(log_loss(chances, won, self.layout.one_winner).mean())

    def gradients(self, inputs: Array, won: Array, players: int) -> list[Array]:
        table, seat, _ = self.sizes
        w1, _, w2, _, w3, _ = self.weights
        of_table, of_seat, of_claim = self.split(inputs, players)
        chances, odds, seats, first, second = self.forward(inputs, players)
        share = odds / np.maximum(seats, TINY)[:, :, None]
        d_score = (chances - won)[:, :, None] * share / len(inputs)
        if not self.layout.one_winner:
            d_score = d_score / players
        d_second = d_score[..., None] * w3 * (second > 0)
        d_first = d_second @ w2.T * (first > 0)
        by_seat = d_first.sum(2)
        by_table = by_seat.sum(1)
        d_w1 = np.empty_like(w1)
        d_w1[:table] = of_table.T @ by_table
        d_w1[table : table + seat] = np.tensordot(of_seat, by_seat, axes=([0, 1], [0, 1]))
        d_w1[table + seat :] = np.tensordot(of_claim, d_first, axes=([0, 1, 2], [0, 1, 2]))
        return [
            d_w1,
            by_table.sum(0),
            np.tensordot(first, d_second, axes=([0, 1, 2], [0, 1, 2])),
            d_second.sum((0, 1, 2)),
            np.tensordot(second, d_score, axes=([0, 1, 2], [0, 1, 2])),
            d_score.sum(keepdims=True).reshape(1),
        ]


def log_loss(chances: Array, won: Array, one_winner: bool) -> Array:
    """Of every sample: minus the logarithm of the chance that was given to what happened."""
    if one_winner:
        nobody = np.maximum(1 - chances.sum(1), TINY)
        happened = np.where(won.sum(1) > 0, (chances * won).sum(1), nobody)
        return -np.log(np.maximum(happened, TINY))
    right = np.where(won > 0, chances, 1 - chances)
    return -np.log(np.maximum(right, TINY)).mean(1)


Curve = list[dict[str, float]]


def fit_value(
    net: ValueNet,
    positions: Mapping[int, TurnStarts],
    epochs: int,
    rate: float,
    seed: int,
    say: Callable[[str], object],
) -> Curve:
    """Train the network; the loss on held-out games after every epoch."""
    rng = np.random.default_rng(seed)
    train: dict[int, tuple[Array, Array]] = {}
    test: dict[int, tuple[Array, Array]] = {}
    for players in sorted(positions):
        inputs, won, game = positions[players].arrays()
        held = game // len(positions) % HELD_OUT == 0
        train[players] = inputs[~held], won[~held]
        test[players] = inputs[held], won[held]
    adam = Adam(net.weights, decay=1e-3)
    batches = [
        (n, at) for n, (rows, _) in train.items() for at in range(0, len(rows), ROWS_AT_ONCE)
    ]
    total = epochs * len(batches)
    curve: Curve = []
    for epoch in range(epochs):
        order = {players: rng.permutation(len(rows)) for players, (rows, _) in train.items()}
        for k in rng.permutation(len(batches)):
            players, at = batches[k]
            chosen = order[players][at : at + ROWS_AT_ONCE]
            rows, won = train[players]
            now = rate * (1 - adam.steps / total) + rate / 50
            adam.step(net.gradients(rows[chosen], won[chosen], players), now)
        losses = {str(n): round(net.loss(*test[n], n), 4) for n in test if len(test[n][0])}
        curve.append({"epoch": epoch + 1, **losses})
        say(
            f"epoch {epoch + 1}: held-out loss " + ", ".join(f"{n}: {x}" for n, x in losses.items())
        )
    return curve


@dataclass(frozen=True)
class ChoiceFit:
    """How long and how fast to fit a ChoiceNet, and how strongly weights are pulled to 0."""

    steps: int
    rate: float
    decay: float


POLICY = ChoiceFit(steps=100, rate=0.1, decay=5e-4)
BELIEF = ChoiceFit(steps=100, rate=0.05, decay=1e-2)


class ChoiceNet:
    """A softmax over options by the weights of their features, as policy and belief use it."""

    def __init__(self, choices: Choices) -> None:
        self.blank = choices.blank
        self.features = np.array(choices.features)
        self.options = np.array(choices.option_starts)
        self.samples = np.array(choices.sample_starts)
        self.right = np.array(choices.right)
        counts = np.diff(np.append(self.samples, len(self.options)))
        self.sample_of = np.repeat(np.arange(len(self.samples)), counts)
        sizes = np.diff(np.append(self.options, len(self.features)))
        self.option_of = np.repeat(np.arange(len(self.options)), sizes)
        self.held = np.array(choices.game) % HELD_OUT == 0
        self.counts = counts

    def chances(self, weights: Array) -> Array:
        """Of every option."""
        scores = np.add.reduceat(weights[self.features], self.options)
        best = np.maximum.reduceat(scores, self.samples)
        odds = np.exp(scores - best[self.sample_of])
        return odds / np.add.reduceat(odds, self.samples)[self.sample_of]

    def losses(self, weights: Array) -> Array:
        """Of every sample."""
        return -np.log(np.maximum(self.chances(weights)[self.right], TINY))

    def fit(self, settings: ChoiceFit) -> tuple[tuple[float, ...], dict[str, float]]:
        """The weights, without the blank's, and the loss on held-out games."""
        weights = np.zeros(self.blank + 1)
        adam = Adam([weights])
        training = ~self.held
        share = training[self.sample_of] / max(1, training.sum())
        for step in range(settings.steps):
            wrong = self.chances(weights)
            wrong[self.right] -= 1
            by_option = (wrong * share)[self.option_of]
            found = np.bincount(self.features, by_option, minlength=self.blank + 1)
            gradient = found + settings.decay * weights
            gradient[self.blank] = 0
            adam.step([gradient], settings.rate * (1 - step / settings.steps))
        tested = self.held if self.held.any() else training
        both = {"loss": self.losses(weights), "even": np.log(self.counts)}
        losses = {name: round(float(each[tested].mean()), 4) for name, each in both.items()}
        return tuple(float(weight) for weight in weights[: self.blank]), losses
