"""An equilibrium, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

from arena.cli.console import format_table, wrap
from arena.cli.solve_report import footer, question_json, value_text, work_json
from games.seats import seat_name
from solver.ask import EquilibriumSolution
from solver.equilibrium.solve import Equilibrium, FirstMove, Holding

READABLE: Final = 1000
"""Fractions with larger denominators are shown as decimals."""
NOT_PROVEN: Final = "rounding to fractions did not give plans with equal bounds"


@dataclass(frozen=True)
class EquilibriumReport:
    """An equilibrium with the time it took."""

    balanced: EquilibriumSolution
    seconds: float

    @property
    def equilibrium(self) -> Equilibrium:
        return self.balanced.equilibrium

    @property
    def _work(self) -> tuple[str, int, float]:
        """Why it is not exact, positions visited and time."""
        why = "" if self.equilibrium.exact else NOT_PROVEN
        return why, self.equilibrium.form.budget.nodes, self.seconds

    def as_text(self) -> str:
        question = map(wrap, self.balanced.sentences())
        end = [self._table(), "", self._value(), footer(*self._work)]
        return "\n".join([*question, "", *end])

    def _table(self) -> str:
        rows = []
        for holding in self.equilibrium.holdings:
            name = [self._seen(holding), fraction_text(self._share(holding))]
            for move in sorted(holding.moves, key=lambda move: (-move.share, -move.value)):
                played = fraction_text(move.share) if move.share else ""
                value = fraction_text(move.value)
                rows.append([*name, self._words(holding, move), played, value])
                name = ["", ""]
        other = seat_name(1 - self.equilibrium.form.question.seat)
        headers = ["seen", "how often", "move", "played", f"value\nagainst {other}"]
        first = 0 if any(row[0] for row in rows) else 2
        return format_table([row[first:] for row in rows], headers[first:])

    def _seen(self, holding: Holding) -> str:
        """What the seat to move sees of the cards written as unknown."""
        world = self.balanced.worlds[holding.worlds[0]]
        return self.balanced.position.seen(world, self.equilibrium.form.question.seat)

    def _share(self, holding: Holding) -> Fraction:
        return Fraction(len(holding.worlds), len(self.balanced.worlds))

    def _words(self, holding: Holding, move: FirstMove) -> str:
        world = self.balanced.worlds[holding.worlds[0]]
        return self.balanced.query.game.text.move(world, move.move)

    def _value(self) -> str:
        seat = self.equilibrium.form.question.seat
        me, other = seat_name(seat), seat_name(1 - seat)
        low, high = self.equilibrium.value
        if self.equilibrium.exact:
            short = low.denominator <= READABLE
            value = value_text((low, low)) if short else fraction_text(low)
            text = f"Value: {value}. {me} can guarantee this much, and {other} can hold {me} to it."
        else:
            # Rounded outwards, so that both bounds stay true.
            least, most = floor(low * 10**6) / 10**6, ceil(high * 10**6) / 10**6
            text = (
                f"Value: from {least:.6f} to {most:.6f}. {me} can guarantee the first, and "
                f"{other} can hold {me} to the second."
            )
        return wrap(text)

    def as_json(self) -> dict[str, object]:
        return {
            **question_json(self.balanced, "own", self.balanced.sentences()),
            **work_json(*self._work),
            "value": [str(bound) for bound in self.equilibrium.value],
            "first_moves": [
                {
                    "seen": self._seen(holding),
                    "share": str(self._share(holding)),
                    "moves": [
                        {
                            "move": self._words(holding, move),
                            "played": str(move.share),
                            "value": str(move.value),
                        }
                        for move in holding.moves
                    ],
                }
                for holding in self.equilibrium.holdings
            ],
        }


def fraction_text(value: Fraction) -> str:
    """A fraction, or its decimal if the fraction would be long."""
    return str(value) if value.denominator <= READABLE else f"{float(value):.6f}"
