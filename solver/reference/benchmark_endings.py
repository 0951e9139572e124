"""The fixed endings that solver speed is measured on.

They are in `configs/endings.toml`, each with the number of positions that plain recursion visits.
`benchmarks/solver_endings.py` counts these again and shows how the endings were chosen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log
from typing import Final

from games.bundled import bundled
from games.registry import game
from games.state import State
from solver.answer import solve_open
from solver.ask import Query, question_of
from solver.core.budget import NodeBudget
from solver.core.question import Question

_FILE: Final = bundled("endings.toml")
_NODE_LIMIT: Final = 1_000_000
"""Positions that may be visited per ending; none comes close."""


@dataclass(frozen=True)
class BenchmarkEnding:
    """A position with all cards open, and a question about it."""

    state: State
    question: Question
    plain: int
    """Positions that plain recursion visits."""

    def positions(self) -> int:
        """Positions that the solver visits."""
        budget = NodeBudget(_NODE_LIMIT)
        answer = solve_open(self.question, self.state, budget, lines=False)
        assert answer.exact, answer.why
        return budget.nodes


def endings(name: str) -> list[BenchmarkEnding]:
    """The endings of that game; empty if it has none."""
    entries = tomllib.loads(_FILE.read_text(encoding="utf-8")).get(name, [])
    return [_ending(name, entry) for entry in entries]


def _ending(name: str, entry: dict[str, object]) -> BenchmarkEnding:
    rules = game(name)
    assert rules.positions is not None
    words = {key: str(value) for key, value in entry.items()}
    position = rules.positions.read(words["position"])
    query = Query(rules, position, "win", words["horizon"], words["others"])
    (state,) = position.worlds(most=1)
    return BenchmarkEnding(state, question_of(query, state), int(words["plain"]))


def reduction(measured: Sequence[BenchmarkEnding]) -> float:
    """How many times fewer positions the solver visits, as a geometric mean."""
    return exp(sum(log(one.plain / one.positions()) for one in measured) / len(measured))
