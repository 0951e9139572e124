"""Endgame functions: play a position better than a search can, once it is small enough.

An endgame function takes a View and returns one of its moves, or None if it cannot tell. A bot
names one by its dotted path, `ismcts:endgame=my_package.finish`; `solver` names the bundled one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from bots.options import BadOption
from bots.runtime.faults import one_line, reraise_ctrl_c
from games.registry import game_of
from games.seats import seat_name
from games.view import View

EndgameFunction = Callable[[View], int | None]

SOLVER: Final = "solver"

ENDGAME_NODES: Final = 4000
"""Positions the solver may visit for one decision."""


def endgame_function(path: str) -> EndgameFunction:
    """The function with that dotted path, or the solver; BadOption says what is missing."""
    if path == SOLVER:
        return sure_win
    module, _, name = path.rpartition(".")
    if not module:
        raise BadOption(
            f"endgame {path!r} is not a function; write solver, or a dotted path: my_package.finish"
        )
    try:
        function = getattr(import_module(module), name, None)
    except BaseException as error:  # noqa: BLE001  (the module is somebody else's code)
        reraise_ctrl_c(error)
        raise BadOption(f"endgame {path!r} cannot be imported: {one_line(error, str)}") from None
    if not callable(function):
        raise BadOption(f"endgame {path!r} does not exist; {module} has no function {name!r}")
    checked: EndgameFunction = function
    return checked


def sure_win(view: View) -> int | None:
    """A move proven to win this turn whatever the unseen cards are; None if there is no such move,
    or no proof within `ENDGAME_NODES`.
    """
    # Imported here because few bots need the solver.
    from solver.core.budget import NodeBudget  # noqa: PLC0415
    from solver.core.question import Question, win  # noqa: PLC0415
    from solver.search.sure_win import sure_move  # noqa: PLC0415

    cases = game_of(view).analysis.worst_cases(view)
    if cases is None:
        return None
    question = Question(view.seat, win(view.seat, seat_name(view.seat)), horizon=1)
    return sure_move(question, cases.worlds, cases.moves, NodeBudget(ENDGAME_NODES))
