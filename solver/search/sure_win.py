"""Finds one move that surely reaches the goal, without valuing all moves."""

from __future__ import annotations

from collections.abc import Sequence

from games.state import State
from solver.core.budget import BudgetExceeded, NodeBudget
from solver.core.question import Question
from solver.search.hidden_plans import PlanSearch


def sure_move(
    question: Question, worlds: Sequence[State], moves: Sequence[int], budget: NodeBudget
) -> int | None:
    """The first of these moves that is certain to reach the goal in every world, or None.

    The seat cannot tell the worlds apart. A small budget may miss a sure move, but a move that is
    returned is always sure.
    """
    try:
        # Most moves already fail in a single world, which is much cheaper to find out.
        for subset in ([worlds[0]], list(worlds)):
            search = PlanSearch(question, subset, budget)
            moves = [move for move in moves if _is_sure(search, subset, move)]
    except BudgetExceeded:
        return None
    return moves[0] if moves else None


def _is_sure(search: PlanSearch, worlds: list[State], move: int) -> bool:
    """Whether a plan that begins with the move is certain to reach the goal in these worlds."""
    return any(min(plan) == 1 for plan in search.following(worlds, move, 1))
