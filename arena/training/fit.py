"""Fits the weights of a model to samples, with numpy: the value network, policy and belief."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from arena.training.nets import ROWS_AT_ONCE, TINY, ValueNet
from arena.training.samples import Array, Choices, TurnStarts

DECAY = 1.0
"""How strongly the weights of the value network are pulled to 0."""

SHARPER = 1.05
"""The step of the search for a temperature."""


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
        inputs, won, aims, held = positions[players].arrays()
        train[players] = inputs[~held], aims[~held]
        test[players] = inputs[held], won[held]
    adam = Adam(net.weights, decay=DECAY)
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
            rows, aims = train[players]
            now = rate * (1 - adam.steps / total) + rate / 50
            adam.step(net.gradients(rows[chosen], aims[chosen], players), now)
            net.settle()
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
    calibrate: bool = False
    """Whether to scale the weights until their probabilities are right in held-out games."""


POLICY = ChoiceFit(steps=100, rate=0.1, decay=5e-5)
BELIEF = ChoiceFit(steps=100, rate=0.05, decay=1e-3, calibrate=True)


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
        self.held = np.array(choices.held) > 0
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
        if settings.calibrate:
            losses["sharper"] = self.best_scale(weights, tested)
            weights *= losses["sharper"]
        return tuple(float(weight) for weight in weights[: self.blank]), losses

    def best_scale(self, weights: Array, tested: Array) -> float:
        """By how much to multiply the weights for the least loss; 1 if they are calibrated."""

        def loss(power: int) -> float:
            return float(self.losses(weights * SHARPER**power)[tested].mean())

        power, least = 0, loss(0)
        for step in (1, -1):
            while (further := loss(power + step)) < least:
                power, least = power + step, further
        return round(SHARPER**power, 4)
