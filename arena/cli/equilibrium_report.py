"""An equilibrium, as text and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

from arena.cli.console import format_table, wrap
from arena.cli.solve_report import value_text
from games.engine import engine_name
from games.seats import seat_name
from solver.ask import EQUILIBRIUM, EquilibriumSolution
from solver.equilibrium.solve import Equilibrium, FirstMove, Holding

READABLE: Final = 1000
"""Fractions with larger denominators are shown as decimals."""
MILLION: Final = 10**6
NOT_PROVEN: Final = "rounding to fractions did not give plans with equal bounds"


@dataclass(frozen=True)
class EquilibriumReport:
    """An equilibrium with the time it took."""

    balanced: EquilibriumSolution
    seconds: float

    @property
    def equilibrium(self) -> Equilibrium:
        return self.balanced.equilibrium

    # ---- for people -----------------------------------------------------------------------

    def as_text(self) -> str:
        question = map(wrap, self.balanced.sentences())
        return "\n".join([*question, "", self._table(), "", self._value(), self._footer()])

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
        headers = ["seen", "how often", "move", "played", f"value against {other}"]
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
            least, most = floor(low * MILLION) / MILLION, ceil(high * MILLION) / MILLION
            text = (
                f"Value: from {least:.6f} to {most:.6f}. {me} can guarantee the first, and "
                f"{other} can hold {me} to the second."
            )
        return wrap(text)

    def _footer(self) -> str:
        exact = "Exact" if self.equilibrium.exact else f"Not exact, a bound: {NOT_PROVEN}"
        nodes = self.equilibrium.form.budget.nodes
        return f"{exact}; {nodes} positions, {self.seconds:.1f} s, {engine_name()} engine."

    # ---- for programs ---------------------------------------------------------------------

    def as_json(self) -> dict[str, object]:
        asked = self.balanced.query
        return {
            "game": asked.game.name,
            "position": str(asked.position),
            "goal": asked.goal,
            "horizon": asked.horizon,
            "others": EQUILIBRIUM,
            "sight": "own",
            "meaning": self.balanced.sentences(),
            "worlds": len(self.balanced.worlds),
            "exact": self.equilibrium.exact,
            "why_not_exact": "" if self.equilibrium.exact else NOT_PROVEN,
            "nodes": self.equilibrium.form.budget.nodes,
            "seconds": round(self.seconds, 3),
            "engine": engine_name(),
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
