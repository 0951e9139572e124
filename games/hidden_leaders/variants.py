"""Small games of Hidden Leaders: options under one name, on which equilibria can be computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.errors import GameError, did_you_mean

VARIANTS: Final[Mapping[str, Mapping[str, object]]] = {
    "tiny": {
        "deck": ["Short-Sighted Soldier", "Slaughtered Slime", "Bored Goblin"],
        "dealt": 1,
        "threshold": 1,
        "rounds": 1,
        "first": 0,
    },
}
"""Name -> what it stands for; the secret leaders are all six. docs/learning.md has their values."""


def variant_options(name: object) -> Mapping[str, object]:
    """The options that a variant stands for; GameError if there is none of that name."""
    if name is None:
        return {}
    if not isinstance(name, str) or name not in VARIANTS:
        known, hint = ", ".join(VARIANTS), did_you_mean(str(name), VARIANTS)
        raise GameError(f"there is no variant '{name}' (known: {known}){hint}")
    return VARIANTS[name]
