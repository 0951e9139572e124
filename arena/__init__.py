"""Plays games between bots: single games, leagues and A/B tests.

    from arena import compare, play_game, run_league

The names are imported when they are first used, so that `import arena` stays fast.
"""

from importlib import import_module
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.lab.compare import compare
    from arena.league.start import run_league
    from arena.match.api import play_game
    from arena.match.referee import BotFault, Result

# First, and by its path: a folder of the user's called `games` would break all other imports.
run_path(str(Path(__file__).parents[1] / "games/shadowing.py"))["require"](
    "games", "bots", "solver"
)

__all__ = ["BotFault", "Result", "compare", "play_game", "run_league"]

_HOMES: Final = {
    "BotFault": "arena.match.referee",
    "Result": "arena.match.referee",
    "compare": "arena.lab.compare",
    "play_game": "arena.match.api",
    "run_league": "arena.league.start",
}


if not TYPE_CHECKING:  # or type checkers would accept any name

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'arena' has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
