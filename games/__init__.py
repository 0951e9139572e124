"""Rules of the games. Knows nothing of who plays, runs or solves them.

    from games import Rng, State, View, game

The names are imported when they are first used, so that `import games` stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

# First of all, so that with ARENA_PURE=1 no compiled module is loaded.
from games import engine

if TYPE_CHECKING:
    from games.registry import game, game_names
    from games.state import Rng, State
    from games.view import View

__all__ = ["Rng", "State", "View", "engine", "game", "game_names"]

_HOMES: Final = {
    "Rng": "games.state",
    "State": "games.state",
    "View": "games.view",
    "game": "games.registry",
    "game_names": "games.registry",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'games' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
