"""The plan that guarantees most, by linear programming: in floating point, a guess to be proven.

The weights of a seat's plan are the variables; that they split up at every choice without loss are
the equations. What the other seat can hold the plan down to is itself a linear program over the
other's weights, and by duality it becomes one more variable per choice of the other, the least
value from there, with one inequality per sequence of the other. scipy's HiGHS solves the whole.
"""

from __future__ import annotations

from typing import Final

from scipy.optimize import linprog
from scipy.sparse import coo_array

from solver.core.budget import Spent
from solver.equilibrium.sequence_form import Side

TOLERANCE: Final = 1e-10
"""The finest that HiGHS works to."""

Entry = tuple[int, int, float]


def best_plan(side: Side, other: Side, payoffs: list[Entry]) -> list[float]:
    """The weights of the side's plan whose payoff against the best answer is largest.

    An entry is a sequence of the side, one of the other, and what the pair is worth to the side.
    """
    mine, theirs = side.sequences, other.sequences
    choices = len(other.choices) + 1
    # Row by row: what goes on from a sequence of the other, less what the pair itself is worth.
    entries = [(0, mine, 1.0)]
    for number, choice in enumerate(other.choices, 1):
        entries.append((choice.after, mine + number, -1.0))
        entries += [(sequence, mine + number, 1.0) for sequence in choice.sequences]
    entries += [(answer, sequence, -worth) for sequence, answer, worth in payoffs]
    splits = [(0, 0, 1.0)]
    for number, choice in enumerate(side.choices, 1):
        splits.append((number, choice.after, -1.0))
        splits += [(number, sequence, 1.0) for sequence in choice.sequences]
    target = [0.0] * (mine + choices)
    target[mine] = -1.0
    found = linprog(
        target,
        A_ub=_matrix(entries, theirs, mine + choices),
        b_ub=[0.0] * theirs,
        A_eq=_matrix(splits, len(side.choices) + 1, mine + choices),
        b_eq=[1.0] + [0.0] * len(side.choices),
        bounds=[(0, None)] * mine + [(None, None)] * choices,
        method="highs",
        options={
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        },
    )
    if found.x is None:
        raise Spent(f"the linear program was not solved: {found.message}")
    return [max(0.0, float(weight)) for weight in found.x[:mine]]


def _matrix(entries: list[Entry], rows: int, columns: int) -> coo_array:
    """The matrix with these entries; those of the same place add up."""
    at = ([row for row, _, _ in entries], [column for _, column, _ in entries])
    return coo_array(([value for _, _, value in entries], at), shape=(rows, columns)).tocsr()
