"""How much work an answer may cost, how much it has cost, and what cut it short."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.engine import let_signals_in
from games.errors import GameError

USUAL_NODES: Final = 1_000_000
"""Positions looked at by default; none is kept twice, so this limits memory as well."""

REPORT_EVERY: Final = 4096

DEEPEST: Final = 250
"""Choices and chances in a row that are looked ahead; more would be too deep for Python's stack."""


class Spent(GameError):
    """There is no effort left."""


class NodeBudget:
    """Counts positions. Once spent or stopped, nothing more is looked at."""

    def __init__(
        self, most: int = USUAL_NODES, report: Callable[[int], None] | None = None
    ) -> None:
        self.most = most
        self.nodes = 0
        self.why = ""
        """Why the answer may be no more than a bound; nothing if it was not cut short."""
        self.over = False
        self._report = report

    def spend(self) -> bool:
        """Count one position; False if there is no effort left for it."""
        if self.over:
            return False
        if self.nodes >= self.most:
            self.cut(f"the limit of {self.most} positions was reached")
            self.over = True
            return False
        self.nodes += 1
        if self.nodes % REPORT_EVERY == 0:
            let_signals_in()
            if self._report is not None:
                self._report(self.nodes)
        return True

    def stop(self) -> None:
        """Somebody has waited long enough: answer with what is known by now."""
        self.cut("it was stopped")
        self.over = True

    def cut(self, why: str) -> None:
        """Note the first reason for an answer that is not exact."""
        self.why = self.why or why

    def too_deep(self) -> None:
        self.cut(f"lines longer than {DEEPEST} choices and chances were cut off")
