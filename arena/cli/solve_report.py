"""The solver's answer, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from arena.cli.console import format_table, wrap
from games.engine import engine_name
from games.state import State
from solver.answer import MoveValue
from solver.ask import EquilibriumSolution, Solution
from solver.line_text import ending_text, line_text
from solver.search.alpha_beta import ANYTHING, Interval, LineStep

_LONG: Final = 10**6
"""Fractions with larger denominators are shown as decimals."""


@dataclass(frozen=True)
class SolveReport:
    """An answer with the time it took."""

    solved: Solution
    seconds: float

    def as_text(self) -> str:
        answer = self.solved.answer
        lines = [*map(wrap, answer.sentences()), "", self._table(), ""]
        lines.append(self._verdict("Best", self._best, [value.likely for value in self._best]))
        if self.solved.hidden:
            most = max(value.sure[0] for value in answer.values)
            surest = [value for value in answer.surest if value.interval[1] >= most]
            lines.append(self._verdict("Surest", surest, [value.sure for value in surest]))
        proven = all(value.sure[0] == value.sure[1] for value in answer.values)
        exact = "Exact" if proven else "Values exact, worst world bounded"
        lines.append(footer(answer.why, answer.nodes, self.seconds, exact))
        return "\n".join(lines)

    @property
    def _best(self) -> list[MoveValue]:
        """The moves that may be best, as far as estimates tell."""
        answer = self.solved.answer
        most = max(value.interval[0] for value in answer.values)
        return [value for value in answer.best if value.interval[1] >= most]

    def _table(self) -> str:
        answer = self.solved.answer
        best = {value.move for value in self._best}
        rows = []
        for value in sorted(answer.values, key=lambda v: (v.likely, v.sure), reverse=True):
            words = self.solved.text(value)
            row = ["*" if value.move in best else "", words, value_text(value.likely)]
            if self.solved.blind:
                row += [value_text(value.sure), estimate_text(value.estimate)]
                rows.append(row if answer.estimated else row[:-1])
                continue
            if self.solved.hidden:
                sure = sum(chance == 1 for chance in value.worlds)
                sure_in = f"{sure} of {len(self.solved.worlds)}" if value.worlds else "?"
                row += [value_text(value.sure), sure_in]
            row.append(self._proof(value))
            rows.append(row)
        if self.solved.blind:
            estimate = ["estimate"] if answer.estimated else []
            return format_table(rows, ["", "move", "value", "worst\nworld", *estimate])
        hidden = ["worst\nworld", "sure\nin"] if self.solved.hidden else []
        return format_table(rows, ["", "move", "value", *hidden, self._proof_name])

    @property
    def _proof_name(self) -> str:
        """The head of the last column."""
        if self.solved.hidden:
            return "fails for example if"
        # A line that fails would look odd beside a good chance.
        lucky = any(0 < value.likely[0] < 1 for value in self.solved.answer.values)
        return "then, with bad luck" if lucky else "then"

    def _proof(self, value: MoveValue) -> str:
        """What follows the move; with hidden cards, a world in which it fails."""
        if not self.solved.hidden:
            return "; ".join(self.line(value.line)[1:])
        worst = min(value.worlds, default=Fraction(1))
        if worst == 1:
            return ""
        world = self.solved.worlds[value.worlds.index(worst)]
        return self.solved.query.position.told(world, self.solved.idle)

    def line(self, line: tuple[LineStep, ...]) -> list[str]:
        """The moves of the line in words, each with its seat."""
        return line_text(self.solved, line)

    def ending(self, state: State) -> str:
        """What the line leads to, which shows why the move has its value."""
        return ending_text(self.solved, state)

    def _verdict(self, name: str, moves: list[MoveValue], values: list[Interval]) -> str:
        """The moves proven to be best, then those that may be."""
        least = max(high for _, high in values)
        proven = [move for move, (low, _) in zip(moves, values, strict=True) if low == least]
        unproven = [self.solved.text(move) for move in moves if move not in proven]
        told = all(move.interval != ANYTHING for move in moves if move not in proven)
        if len(proven) == len(self.solved.answer.values) > 1:
            return f"{name}: all moves are worth the same ({_short(least)})."
        text = f"{name}: {', '.join(self.solved.text(move) for move in proven) or 'not proven'}"
        text += f" ({_short(least)})" if proven else ""
        if unproven and len(unproven) < len(self.solved.answer.values):
            guess = "by the estimates" if self.solved.answer.estimated and told else "perhaps"
            text += f"; {guess} {', '.join(unproven)}"
        return wrap(f"{text}.")

    def as_json(self) -> dict[str, object]:
        solved, answer = self.solved, self.solved.answer
        return {
            **question_json(solved, "own" if solved.hidden else "all", answer.sentences()),
            **work_json(answer.why, answer.nodes, self.seconds),
            "confidence": answer.confidence,
            "best": solved.best,
            "surest": [solved.text(value) for value in answer.surest],
            "moves": [
                {
                    "move": solved.text(value),
                    "value": [str(bound) for bound in value.likely],
                    "worst_world": [str(bound) for bound in value.sure],
                    "line": self.line(value.line),
                    "in_each_world": [str(chance) for chance in value.worlds],
                    "estimate": [str(bound) for bound in value.estimate or ()],
                }
                for value in answer.values
            ],
        }


def footer(why_not_exact: str, nodes: int, seconds: float, exact: str = "Exact") -> str:
    """The last line of an answer; `exact`: what to say if nothing was cut short."""
    kind = f"Not exact, a bound: {why_not_exact}" if why_not_exact else exact
    positions = "1 position" if nodes == 1 else f"{nodes} positions"
    return wrap(f"{kind}; {positions}, {seconds:.1f} s, {engine_name()} engine.")


def question_json(
    solved: Solution | EquilibriumSolution, sight: str, meaning: list[str]
) -> dict[str, object]:
    query = solved.query
    return {
        "game": query.game.name,
        "position": str(query.position),
        "goal": query.goal,
        "horizon": query.horizon,
        "others": query.others,
        "sight": sight,
        "meaning": meaning,
        "worlds": len(solved.worlds),
    }


def work_json(why_not_exact: str, nodes: int, seconds: float) -> dict[str, object]:
    return {
        "exact": not why_not_exact,
        "why_not_exact": why_not_exact,
        "nodes": nodes,
        "seconds": round(seconds, 3),
        "engine": engine_name(),
    }


def estimate_text(estimate: Interval | None) -> str:
    """An interval from sampled worlds; empty if there is none."""
    return f"{float(estimate[0]):.3f} to {float(estimate[1]):.3f}" if estimate else ""


def value_text(value: Interval) -> str:
    """A value as a fraction and, unless it is whole, as a decimal; or its bounds."""
    low, high = value
    if low != high:
        return f"{_short(low)} to {_short(high)}"
    if low.denominator > _LONG:
        return _short(low)
    return str(low) if low.denominator == 1 else f"{low} ({float(low):.3f})"


def _short(value: Fraction) -> str:
    """The fraction, or a decimal if that is easier to read."""
    if value.denominator <= _LONG:
        return str(value)
    text = f"{float(value):.6f}"
    # What is not certain must not look as if it were.
    return {"0.000000": "<0.000001", "1.000000": ">0.999999"}.get(text, text)
