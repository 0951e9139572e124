"""A question being solved in the background: bounds that tighten, and a way to stop.

The search is repeated with a growing budget, so that bounds of all moves are there early; what one
round has proven stays proven in the next.
"""

from __future__ import annotations

from fractions import Fraction
from threading import Event, Thread
from time import monotonic
from typing import Final

from bots.runtime.mid_game import bot_policy
from games.errors import GameError
from games.forms.picture import PictureChoice
from games.state import State
from solver.answer import MoveValue
from solver.ask import Query, Solution, solve_query
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.line_text import line_text
from solver.search.alpha_beta import ANYTHING, Interval, LineStep

ROUNDS: Final = (2_000, 16_000, 128_000, USUAL_NODES)
"""Positions that each round may visit."""
MOST_SECONDS: Final = 120.0
_LONG: Final = 10_000
"""Fractions with larger denominators are shown as decimals."""


class SolveJob:
    """One question; `snapshot` is what is known so far, and `version` goes up when it changes."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self.version = 0
        self.snapshot: dict[str, object] = {"state": "working", "positions": 0, "seconds": 0.0}
        self._known: dict[int, Interval] = {}
        self._all_equal = False
        """Whether every move is worth the same."""
        self._began = monotonic()
        self._stopped = Event()
        self._budget = NodeBudget(0)
        self._before = 0
        """Positions visited in earlier rounds."""
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the search; the bounds so far remain."""
        self._stopped.set()
        self._budget.stop()

    @property
    def running(self) -> bool:
        return self.snapshot["state"] == "working"

    # ---- in the background ------------------------------------------------------------------

    def _run(self) -> None:
        try:
            for nodes in ROUNDS:
                left = MOST_SECONDS - (monotonic() - self._began)
                self._budget = NodeBudget(nodes, self._report, max(left, 0.01))
                if self._stopped.is_set():
                    self._budget.stop()
                solved = solve_query(self.query, self._budget, bot_policy)
                self._before += self._budget.nodes
                final = solved.answer.exact or self._finished(nodes)
                self._show(solved, final)
                if final:
                    return
        except GameError as error:
            self._update({"state": "failed", "problem": str(error)})
        except Exception as error:  # the page must not wait for ever
            self._update({"state": "failed", "problem": f"the solver failed: {error!r}"})
            raise

    def _finished(self, nodes: int) -> bool:
        """Whether another round would bring nothing."""
        used_up = self._budget.nodes >= nodes
        return nodes == ROUNDS[-1] or not used_up or self._stopped.is_set()

    def _report(self, nodes: int) -> None:
        self._update({"positions": self._before + nodes})

    def _update(self, news: dict[str, object]) -> None:
        seconds = round(monotonic() - self._began, 1)
        self.snapshot = {**self.snapshot, "seconds": seconds, **news}
        self.version += 1

    def _show(self, solved: Solution, final: bool) -> None:
        answer = solved.answer
        for value in answer.values:
            low, high = self._known.get(value.move, ANYTHING)
            found = value.likely
            self._known[value.move] = max(low, found[0]), min(high, found[1])
        exact = all(low == high for low, high in self._known.values())
        stopped = self._stopped.is_set() and not exact
        state = "working" if not final else "stopped" if stopped else "done"
        self._update(
            {
                "state": state,
                "exact": exact,
                "why": "" if exact else "it was stopped" if stopped else answer.why,
                "meaning": answer.sentences(),
                "positions": self._before,
                "moves": self._moves(solved),
            }
        )

    def _moves(self, solved: Solution) -> list[dict[str, object]]:
        """Every move with its bounds, those that may be best first."""
        floor = max(low for low, _ in self._known.values())
        self._all_equal = all(bounds == (floor, floor) for bounds in self._known.values())
        rows = [self._row(solved, value, floor) for value in solved.answer.values]
        return sorted(rows, key=lambda row: (row["high"], row["low"]), reverse=True)

    def _row(self, solved: Solution, value: MoveValue, floor: Fraction) -> dict[str, object]:
        low, high = self._known[value.move]
        estimate = value.estimate
        row: dict[str, object] = {
            "move": value.move,
            "text": solved.text(value),
            "low": float(low),
            "high": float(high),
            "value": interval_text((low, high)),
            "best": low == high == floor and not self._all_equal,
            "perhaps": low < high and high >= floor,
            "estimate": "" if estimate is None else f"about {interval_text(estimate)}",
            "line": _steps(solved, value.line),
        }
        if solved.hidden and value.worlds and min(value.worlds) < 1:
            world = solved.worlds[value.worlds.index(min(value.worlds))]
            position = solved.query.position
            row["fails"] = position.told(world, solved.idle)
            row["failsAt"] = str(position.filled(world))
            row["sure"] = f"{sum(each == 1 for each in value.worlds)} of {len(value.worlds)}"
        return row


def _steps(solved: Solution, line: tuple[LineStep, ...]) -> list[dict[str, str]]:
    """The line in words; each step with the position after it, to go there."""
    positions = solved.query.game.positions
    assert positions is not None
    texts = line_text(solved, line)
    state: State = solved.worlds[0].copy()
    steps = []
    for text, (_, move) in zip(texts, line, strict=False):
        state.play(move)
        steps.append({"text": text, "position": positions.write(state)})
    return [*steps, {"text": texts[-1], "position": ""}] if line else []


def interval_text(value: Interval) -> str:
    """A value, or its bounds, as people read them."""
    low, high = value
    return _short(low) if low == high else f"{_short(low)} to {_short(high)}"


def _short(value: Fraction) -> str:
    """The fraction, or a decimal if that is easier to read."""
    return str(value) if value.denominator <= _LONG else f"{float(value):.4f}"


def outcome_choices(choices: list[PictureChoice], state: State) -> list[dict[str, object]]:
    """Outcomes of chance as choices, with how likely each is."""
    weights = state.weights()
    total = sum(weights)
    return [
        {**choice, "help": f"chance {_short(Fraction(weight, total))}"}
        for choice, weight in zip(choices, weights, strict=True)
    ]
