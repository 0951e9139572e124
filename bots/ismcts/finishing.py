"""The end as the solver sees it: a move that wins in this turn whatever the unseen cards are."""

from __future__ import annotations

from typing import Final

from games.registry import game_of
from games.seats import seat_name
from games.view import View
from solver.core.budget import NodeBudget
from solver.core.question import Question, win
from solver.search.sure_win import sure_move

NODES: Final = 4000
"""Positions looked at for one decision."""


def sure_win(view: View) -> int | None:
    """A move that is proven to win in this turn; None if there is none, or none that is cheap."""
    found = game_of(view).analysis.worst_cases(view)
    if found is None:
        return None
    question = Question(view.seat, win(view.seat, seat_name(view.seat)), horizon=1)
    return sure_move(question, found.worlds, found.moves, NodeBudget(NODES))
