"""One sure move instead of the value of all: for those who must move and not explain."""

from __future__ import annotations

from collections.abc import Sequence

from games.state import State
from solver.core.budget import NodeBudget, Spent
from solver.core.question import Question
from solver.search.hidden_plans import PlanSearch


def sure_move(
    question: Question, worlds: Sequence[State], moves: Sequence[int], budget: NodeBudget
) -> int | None:
    """The first of these moves by which the goal is certain in every world; None if not found.

    The seat cannot tell the worlds apart. With little effort a sure move may be missed, but what
    is returned is one.
    """
    try:
        # Most moves fail in a single world already, which is seen at a fraction of the cost.
        for looked_at in ([worlds[0]], list(worlds)):
            search = PlanSearch(question, looked_at, budget)
            moves = [move for move in moves if is_sure(search, looked_at, move)]
    except Spent:
        return None
    return moves[0] if moves else None


def is_sure(search: PlanSearch, worlds: list[State], move: int) -> bool:
    """Whether some plan that begins with the move reaches the goal for certain in these worlds."""
    return any(min(plan) == 1 for plan in search.following(worlds, move, 1))
