"""The maximin plan by linear programming, in floating point: a guess that is proven elsewhere.

The variables are the realization weights of a seat's plan; the equations say that they are split up
at every information set. The best response of the other seat is itself a linear program. By duality
it adds one variable per information set of the other seat, the value from there, and one inequality
per sequence of the other seat. scipy's HiGHS solves it.
"""

from __future__ import annotations

from typing import Final

from scipy.optimize import linprog
from scipy.sparse import coo_array

from solver.core.budget import BudgetExceeded
from solver.equilibrium.sequence_form import Side

TOLERANCE: Final = 1e-10
"""The smallest tolerance that HiGHS accepts."""

Entry = tuple[int, int, float]


def best_plan(side: Side, other: Side, payoffs: list[Entry]) -> list[float]:
    """The weights of the side's plan with the largest payoff against the best response.

    A payoff is a sequence of the side, one of the other, and what the pair is worth to the side.
    """
    mine, theirs = side.sequences, other.sequences
    values = len(other.information_sets) + 1
    # Per sequence of the other: the values that follow it, minus what the pair itself is worth.
    entries = [(0, mine, 1.0)]
    for number, decision in enumerate(other.information_sets, 1):
        entries.append((decision.after, mine + number, -1.0))
        entries += [(sequence, mine + number, 1.0) for sequence in decision.sequences]
    entries += [(answer, sequence, -worth) for sequence, answer, worth in payoffs]
    splits = [(0, 0, 1.0)]
    for number, decision in enumerate(side.information_sets, 1):
        splits.append((number, decision.after, -1.0))
        splits += [(number, sequence, 1.0) for sequence in decision.sequences]
    target = [0.0] * (mine + values)
    target[mine] = -1.0
    result = linprog(
        target,
        A_ub=_matrix(entries, theirs, mine + values),
        b_ub=[0.0] * theirs,
        A_eq=_matrix(splits, len(side.information_sets) + 1, mine + values),
        b_eq=[1.0] + [0.0] * len(side.information_sets),
        bounds=[(0, None)] * mine + [(None, None)] * values,
        method="highs",
        options={
            "primal_feasibility_tolerance": TOLERANCE,
            "dual_feasibility_tolerance": TOLERANCE,
        },
    )
    if result.x is None:
        raise BudgetExceeded(f"the linear program was not solved: {result.message}")
    return [max(0.0, float(weight)) for weight in result.x[:mine]]


def _matrix(entries: list[Entry], rows: int, columns: int) -> coo_array:
    """The sparse matrix with these entries; entries at the same place add up."""
    at = ([row for row, _, _ in entries], [column for _, column, _ in entries])
    return coo_array(([value for _, _, value in entries], at), shape=(rows, columns)).tocsr()
