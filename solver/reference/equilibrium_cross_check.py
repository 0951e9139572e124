"""Compares equilibria with those of `brute_equilibrium` on random two-player endings."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, islice
from typing import Final

from games.questions import PosedEquilibrium
from games.registry import Game
from games.state import State
from solver.core.budget import NodeBudget
from solver.core.question import BadQuestion, Question, deny, win
from solver.equilibrium.solve import Equilibrium, solve_equilibrium
from solver.reference.brute_equilibrium import TooLarge, brute_equilibrium
from solver.reference.cross_check import random_endings

_FEWEST_NODES: Final = 60
"""Smaller trees would test nothing."""
_DULL_SHARE: Final = 8
"""Of the endings whose value is 0 or 1, one in this many is compared."""


@dataclass
class EquilibriumCrossCheck:
    """What was compared, and with what result."""

    cases: int = 0
    between: int = 0
    """Cases whose value is neither 0 nor 1."""
    mixed: int = 0
    """Cases in which the plans mix moves at random."""
    exact: int = 0
    """Cases in which the value is exact and not only bounded."""
    disagreements: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class EquilibriumCase:
    """An ending, a question about it, and its value by both methods."""

    seed: int
    position: PosedEquilibrium
    question: Question
    worlds: tuple[State, ...]
    equilibrium: Equilibrium
    expected: Fraction

    @property
    def agrees(self) -> bool:
        low, high = self.equilibrium.value
        return low <= self.expected <= high

    def __str__(self) -> str:
        words = " ".join(self.question.sentences()[:2])
        return f"seed {self.seed}, {len(self.worlds)} worlds, {self.position}: {words}"


def cross_check_equilibria(
    rules: Game, first: int, cases: int, most_nodes: int, most_worlds: int
) -> EquilibriumCrossCheck:
    """Compare that many endings, from the first seed on, skipping those that are too large."""
    result = EquilibriumCrossCheck()
    for case in islice(equilibrium_cases(rules, first, most_nodes, most_worlds), cases):
        result.cases += 1
        result.between += 0 < case.expected < 1
        result.mixed += mixes(case.equilibrium)
        result.exact += case.equilibrium.exact
        if not case.agrees:
            result.disagreements.append(
                f"{case}: solver {case.equilibrium.value}, brute force {case.expected}"
            )
    return result


def equilibrium_cases(
    rules: Game, first: int, most_nodes: int, most_worlds: int
) -> Iterator[EquilibriumCase]:
    """Endings from the first seed on that are small enough, without end."""
    endings = random_endings(rules)
    for seed in count(first):
        position = endings.duel(random.Random(seed))
        assert position is not None, f"{rules.title} has no endings for equilibria"
        if not 1 < position.world_count() <= most_worlds:
            continue
        worlds = tuple(position.worlds(most_worlds))
        goal = win(0, "A") if seed % 2 else deny(1, "B")
        question = Question(0, goal, 1 + seed % 3 % 2)
        budget = NodeBudget(most_nodes)
        try:
            equilibrium = solve_equilibrium(question, worlds, position.sight, budget)
            dull = equilibrium.value[0] in {0, 1} and seed % _DULL_SHARE
            if budget.nodes < _FEWEST_NODES or dull:
                continue
            expected = brute_equilibrium(question, worlds, position.sight, most_nodes)
        except (BadQuestion, TooLarge):
            continue
        yield EquilibriumCase(seed, position, question, worlds, equilibrium, expected)


def mixes(equilibrium: Equilibrium) -> bool:
    """Whether a plan mixes moves at random."""
    shares = (*equilibrium.mine.shares, *equilibrium.theirs.shares)
    return any(0 < share < 1 for information_set in shares for share in information_set)
