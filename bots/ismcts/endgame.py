"""Handing a small enough position over: to a function that finishes games better than a search.

Any function will do that takes a View and returns one of its moves, or None while the position is
too large for it. It is named by its dotted path, as in `ismcts:endgame=my_package.finish`; `solver`
is the one that comes along.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from bots.options import BadOption
from bots.runtime.faults import heed, told
from games.view import View

Finisher = Callable[[View], int | None]


SOLVER: Final = "solver"


def finisher(path: str) -> Finisher:
    """The function of that dotted path, or the solver; BadOption says what is missing."""
    if path == SOLVER:
        # Here, since few bots need it.
        from bots.ismcts.finishing import sure_win  # noqa: PLC0415

        return sure_win
    module, _, name = path.rpartition(".")
    if not module:
        raise BadOption(f"endgame {path!r} is neither solver nor a dotted path: my_package.finish")
    try:
        found = getattr(import_module(module), name, None)
    except BaseException as error:  # noqa: BLE001  (whatever somebody's module does)
        heed(error)
        raise BadOption(f"endgame {path!r} cannot be had: {told(error, str)}") from None
    if not callable(found):
        raise BadOption(f"endgame {path!r} is not there: {module} has no function {name!r}")
    function: Finisher = found
    return function
