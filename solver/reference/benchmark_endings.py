"""Endings on which the solver is measured: always the same, so that figures can be compared.

`configs/endings.toml` has them, each with the number of positions that the plain recursion looks
at; `benchmarks/solver_endings.py` counts them anew, and says how they were chosen.
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
from solver.ask import Asked, asked_question
from solver.core.budget import NodeBudget
from solver.core.question import Question

FILE: Final = bundled("endings.toml")
ROOM: Final = 1_000_000
"""Positions that may be looked at for one of them; none comes near."""


@dataclass(frozen=True)
class Ending:
    """A position with all cards open, and a question about it."""

    state: State
    question: Question
    plain: int
    """Positions that the plain recursion looks at."""

    def positions(self) -> int:
        """Positions that the solver looks at."""
        budget = NodeBudget(ROOM)
        answer = solve_open(self.question, self.state, budget, lines=False)
        assert answer.exact, answer.why
        return budget.nodes


def endings(name: str) -> list[Ending]:
    """Those of the game of that name; none if it has none."""
    found = tomllib.loads(FILE.read_text(encoding="utf-8")).get(name, [])
    return [_ending(name, entry) for entry in found]


def _ending(name: str, entry: dict[str, object]) -> Ending:
    rules = game(name)
    assert rules.positions is not None
    words = {key: str(value) for key, value in entry.items()}
    posed = rules.positions.read(words["position"])
    asked = Asked(rules, posed, "win", words["horizon"], words["others"])
    (state,) = posed.worlds(most=1)
    return Ending(state, asked_question(asked, state), int(words["plain"]))


def reduction(found: Sequence[Ending]) -> float:
    """How many times fewer positions the solver looks at, as a geometric mean."""
    return exp(sum(log(one.plain / one.positions()) for one in found) / len(found))
