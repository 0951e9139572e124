"""Games that other packages provide, found by their entry points of the group `arena.games`.

A package lists its game in its pyproject.toml; docs/adding-a-game.md has a whole example:

    [project.entry-points."arena.games"]
    kuhn-poker = "arena_kuhn_poker.game:GAME"
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from games.errors import GameError

GAME_ENTRY_POINTS: Final = "arena.games"
GAME_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class BadGame(GameError):
    """An installed game that cannot be used; the message names it and its package."""

    def __init__(self, name: str, problem: str) -> None:
        place = installed_games()[name]
        super().__init__(f"the installed game '{name}' ({place}) cannot be used: {problem}")


@cache
def installed_games() -> dict[str, str]:
    """Name -> module:object of every game that an installed package provides."""
    # Imported here because it is slow to load and most commands name a bundled game.
    from importlib.metadata import entry_points  # noqa: PLC0415

    return {point.name: point.value for point in entry_points(group=GAME_ENTRY_POINTS)}


def import_installed(name: str) -> object:
    """What the entry point of that name names; BadGame if it does not load."""
    place = installed_games()[name]
    module, _, attribute = place.partition(":")
    try:
        loaded: object = getattr(import_module(module), attribute or "GAME")
    except (Exception, SystemExit) as error:  # noqa: BLE001  (somebody else's module may raise anything)
        reason = f"{type(error).__name__}: {error}".rstrip(": ")
        raise BadGame(name, f"it does not load ({reason})") from None
    return loaded


def package_of(name: str) -> str:
    """The package or module that the game's classes live in."""
    module = installed_games()[name].partition(":")[0]
    return module.rpartition(".")[0] or module


def source_files(name: str) -> list[Path]:
    """The source files of an installed game's package."""
    spec = find_spec(package_of(name))
    if spec is None or spec.origin is None:
        return []
    if spec.submodule_search_locations is None:
        return [Path(spec.origin)]
    folders = spec.submodule_search_locations
    return sorted(path for folder in folders for path in Path(folder).rglob("*.py"))
