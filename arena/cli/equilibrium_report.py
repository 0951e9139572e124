"""An equilibrium that the solver found, as text for people and as JSON for programs."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

from tabulate import tabulate

from arena.cli.solve_report import WIDTH, shown
from games.engine import engine_name
from games.seats import seat_name
from solver.ask import EQUILIBRIUM, Balanced
from solver.equilibrium.solve import Equilibrium, FirstMove, Holding

READABLE: Final = 1000
"""Fractions with larger denominators are shown as decimals."""
MILLION: Final = 10**6
NOT_EXACT: Final = "rounding to fractions did not give plans that meet"


@dataclass(frozen=True)
class EquilibriumReport:
    """An equilibrium with the time it took."""

    balanced: Balanced
    seconds: float

    @property
    def found(self) -> Equilibrium:
        return self.balanced.equilibrium

    # ---- for people -----------------------------------------------------------------------

    def as_text(self) -> str:
        said = (textwrap.fill(one, WIDTH) for one in self.balanced.sentences())
        return "\n".join([*said, "", self._table(), "", self._value(), self._footer()])

    def _table(self) -> str:
        rows = []
        for holding in self.found.holdings:
            name = [self._seen(holding), readable(self._share(holding))]
            for one in sorted(holding.moves, key=lambda one: (-one.share, -one.value)):
                played = readable(one.share) if one.share else ""
                rows.append([*name, self._words(holding, one), played, readable(one.value)])
                name = ["", ""]
        other = seat_name(1 - self.found.form.question.seat)
        headers = ["seen", "how often", "move", "played", f"value against {other}"]
        first = 0 if any(row[0] for row in rows) else 2
        return tabulate(
            [row[first:] for row in rows], headers=headers[first:], disable_numparse=True
        )

    def _seen(self, holding: Holding) -> str:
        """What the seat to move sees of what is written as unknown."""
        world = self.balanced.worlds[holding.worlds[0]]
        return self.balanced.position.seen(world, self.found.form.question.seat)

    def _share(self, holding: Holding) -> Fraction:
        return Fraction(len(holding.worlds), len(self.balanced.worlds))

    def _words(self, holding: Holding, one: FirstMove) -> str:
        world = self.balanced.worlds[holding.worlds[0]]
        return self.balanced.asked.game.text.move(world, one.move)

    def _value(self) -> str:
        seat = self.found.form.question.seat
        me, other = seat_name(seat), seat_name(1 - seat)
        low, high = self.found.value
        if self.found.exact:
            told = shown((low, low)) if low.denominator <= READABLE else readable(low)
            said = f"Value: {told}. {me} can be sure of that much, and {other} can hold {me} to it."
        else:
            # Rounded outwards, so that both stay true.
            least, most = floor(low * MILLION) / MILLION, ceil(high * MILLION) / MILLION
            said = (
                f"Value: from {least:.6f} to {most:.6f}. {me} can be sure of the first, and "
                f"{other} can hold {me} to the second."
            )
        return textwrap.fill(said, WIDTH)

    def _footer(self) -> str:
        exact = "Exact" if self.found.exact else f"Not exact, a bound: {NOT_EXACT}"
        nodes = self.found.form.budget.nodes
        return f"{exact}; {nodes} positions, {self.seconds:.1f} s, {engine_name()} engine."

    # ---- for programs ---------------------------------------------------------------------

    def as_json(self) -> dict[str, object]:
        asked = self.balanced.asked
        return {
            "game": asked.game.name,
            "position": str(asked.position),
            "goal": asked.goal,
            "horizon": asked.horizon,
            "others": EQUILIBRIUM,
            "sight": "own",
            "meaning": self.balanced.sentences(),
            "worlds": len(self.balanced.worlds),
            "exact": self.found.exact,
            "why_not_exact": "" if self.found.exact else NOT_EXACT,
            "nodes": self.found.form.budget.nodes,
            "seconds": round(self.seconds, 3),
            "engine": engine_name(),
            "value": [str(bound) for bound in self.found.value],
            "first_moves": [
                {
                    "seen": self._seen(holding),
                    "share": str(self._share(holding)),
                    "moves": [
                        {
                            "move": self._words(holding, one),
                            "played": str(one.share),
                            "value": str(one.value),
                        }
                        for one in holding.moves
                    ],
                }
                for holding in self.found.holdings
            ],
        }


def readable(value: Fraction) -> str:
    """A fraction, or a decimal that is near it if the fraction would be long."""
    return str(value) if value.denominator <= READABLE else f"{float(value):.6f}"
