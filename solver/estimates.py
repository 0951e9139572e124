"""Rigorous intervals from sampled worlds, for questions with too many worlds to go through.

In one world, a seat that sees all cards can do no worse than one that follows a plan, unless the
others are selfish: these count as helpers here. So the mean over all worlds of what it could reach
with open cards bounds the value of every plan from above. That mean is estimated from sampled
worlds, with an upper confidence bound that holds for any numbers between 0 and 1 (the Chernoff
bound in terms of the Kullback-Leibler divergence): with a probability of at least the stated
confidence, the bounds of all moves are true at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import log, sqrt
from typing import Final

from games.state import State
from solver.core.budget import NodeBudget
from solver.core.question import Others, Question
from solver.search.alpha_beta import OpenSearch

ESTIMATE_CONFIDENCE: Final = 0.99
MOST_SAMPLES: Final = 1000
_WORLD_NODES: Final = 5000
"""Positions visited in one world, at most; a value left open there counts as its upper bound."""


@dataclass(frozen=True)
class Ceilings:
    """Upper bounds at a stated confidence."""

    upper: dict[int, float]
    samples: int


def ceilings(
    question: Question, draw: Callable[[], State], moves: Iterable[int], budget: NodeBudget
) -> Ceilings:
    """Upper bounds of these moves from as many worlds as the budget allows."""
    sums = dict.fromkeys(moves, 0.0)
    samples = 0
    # Selfish others choose by what the seat will do, so it may do better if it sees less. It does
    # no better than if they helped.
    helped = question.others is Others.SELFISH
    asked = replace(question, others=Others.COALITION) if helped else question
    while sums and samples < MOST_SAMPLES and not budget.over:
        world = draw()
        limit = NodeBudget(min(_WORLD_NODES, budget.most - budget.nodes))
        values = OpenSearch(asked, world, limit, True, helped).values()
        for _ in range(limit.nodes + 1):
            budget.spend()
        samples += 1
        for move in sums:
            sums[move] += float(values[move][1])
    risk = (1.0 - ESTIMATE_CONFIDENCE) / max(1, len(sums))
    return Ceilings(
        {move: upper_mean(total / samples, samples, risk) for move, total in sums.items()}
        if samples
        else dict.fromkeys(sums, 1.0),
        samples,
    )


def upper_mean(mean: float, samples: int, risk: float) -> float:
    """What the true mean exceeds with a probability of at most `risk`."""
    low, high = mean, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if samples * divergence(mean, middle) > log(1.0 / risk):
            high = middle
        else:
            low = middle
    return high


def divergence(p: float, q: float) -> float:
    """The Kullback-Leibler divergence of two coins."""
    total = 0.0
    if p > 0.0:
        total += p * log(p / q)
    if p < 1.0:
        total += (1.0 - p) * log((1.0 - p) / (1.0 - q)) if q < 1.0 else float("inf")
    return total


def margin(samples: int, questions: int) -> float:
    """How far that many shares of the same sample can be off, all at once (Hoeffding)."""
    return sqrt(log(2.0 * max(1, questions) / (1.0 - ESTIMATE_CONFIDENCE)) / (2.0 * samples))
