"""Small games of Hidden Leaders: options under one name, on which equilibria can be computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.errors import GameError, did_you_mean

_ENDS_AT_ONCE: Final = {"threshold": 1, "first": 0}
"""The first open hero ends the game, and seat A begins."""

VARIANTS: Final[Mapping[str, Mapping[str, object]]] = {
    "tiny": {
        "deck": ["Depressed Druid", "Doubtful Priest", "Underestimated Squire"],
        "dealt": 1,
        "rounds": 1,
        **_ENDS_AT_ONCE,
    },
    "tiny-hidden": {
        "deck": ["Nagging Northman", "Heart-Bending Bard", "Deep Sea Squire", "Saltwater Sage"],
        "dealt": 2,
        "rounds": 1,
        **_ENDS_AT_ONCE,
    },
    "tiny-long": {
        "deck": ["Resurrected Ram", "Short-Sighted Soldier", "Nagging Northman"],
        "dealt": 1,
        "rounds": 2,
        **_ENDS_AT_ONCE,
    },
}
"""Name -> what it stands for, for two players and all six leaders. docs/learning.md has the values.
"""


def variant_options(name: object) -> Mapping[str, object]:
    """The options that a variant stands for; GameError if there is none of that name."""
    if name is None:
        return {}
    if not isinstance(name, str) or name not in VARIANTS:
        known, hint = ", ".join(VARIANTS), did_you_mean(str(name), VARIANTS)
        raise GameError(f"there is no variant '{name}' (known: {known}){hint}")
    return VARIANTS[name]
