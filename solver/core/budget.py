"""The budget: how many positions a search may visit and for how long, and why it stopped."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from mypy_extensions import i64

from games.engine import let_signals_in
from games.errors import GameError

USUAL_NODES: Final = 1_000_000
"""Positions visited by default. Each is stored at most once, so this limits memory as well."""

_REPORT_EVERY: Final = 4096
_BETWEEN_LOOKS: Final = 63
"""Positions between two looks at the clock: a power of two, less one."""

MAX_DEPTH: Final = 200
"""Moves in a row that a search follows; more would overflow Python's stack."""


_TOO_DEEP: Final = f"lines longer than {MAX_DEPTH} moves were cut off"


class BudgetExceeded(GameError):
    """The node budget is used up, or the search was stopped."""


class NodeBudget:
    """Counts visited positions. Once it is used up or stopped, no more are visited."""

    def __init__(
        self,
        most: int = USUAL_NODES,
        report: Callable[[int], None] | None = None,
        seconds: float = 0.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`seconds` of this clock are a limit as well, unless that is 0."""
        self.clock = clock
        self.most: i64 = most
        self.seconds = seconds
        self.until = clock() + seconds
        self.nodes: i64 = 0
        self.why = ""
        """Why the answer may be only a bound; "" if nothing was cut short."""
        self.over = False
        """Whether no more positions are visited, for good or until the slice is closed."""
        self.words: Callable[[], str] | None = None
        """Says what is known so far; set by the search."""
        self._slice: i64 = most
        self._stopped = False
        self._report = report

    def spend(self) -> bool:
        """Count one position; False if the budget does not allow it."""
        if self.over:
            return False
        if self.nodes >= self._slice:
            if self.nodes >= self.most:
                self.limit_reached()
            self.over = True
            return False
        self.nodes += 1
        if self.nodes & _BETWEEN_LOOKS == 0:
            return self.look_around()
        return True

    def look_around(self) -> bool:
        """Look at the clock, and report now and then; False if the time is up."""
        if self.out_of_time():
            return False
        if self.nodes % _REPORT_EVERY == 0:
            let_signals_in()
            if self._report is not None:
                self._report(self.nodes)
        return True

    @property
    def found(self) -> str:
        """What is known so far, in words, for progress lines."""
        return self.words() if self.words is not None else ""

    def out_of_time(self) -> bool:
        """Whether the time is up; then nothing more is visited."""
        if self.seconds <= 0.0 or self.clock() <= self.until:
            return False
        self.cut(f"the limit of {self.seconds:g} seconds was reached")
        self.over = self._stopped = True
        return True

    def check_time(self) -> None:
        """BudgetExceeded if the time is up or it was stopped; for long work between positions."""
        let_signals_in()
        if self._stopped or self.out_of_time():
            raise BudgetExceeded("there is no time left")

    def open_slice(self, nodes: i64) -> None:
        """Until the slice is closed, visit only that many positions more."""
        self._slice = min(self.most, self.nodes + nodes)

    def close_slice(self) -> bool:
        """Whether the slice was used up; the search can go on if the whole budget is not."""
        used_up = self.over
        self._slice = self.most
        if self.over and not self._stopped and self.nodes < self.most:
            self.over = False
        return used_up

    def stop(self) -> None:
        """End the search now; the answer is what is known so far."""
        self.cut("it was stopped")
        self.over = self._stopped = True

    def cut(self, why: str) -> None:
        """Record why the answer is not exact: lines cut on the way, and what ended the search."""
        if not self.why:
            self.why = why
        elif self.why == _TOO_DEEP != why:
            self.why = f"{why}, and {_TOO_DEEP}"

    def limit_reached(self) -> None:
        self.cut(f"the limit of {self.most} positions was reached")

    def too_deep(self) -> None:
        self.cut(_TOO_DEEP)
