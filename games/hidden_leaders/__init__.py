"""Hidden Leaders: 2 to 6 players, a secret leader each, two markers on a track, 77 heroes."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from games.hidden_leaders.knowledge.view import HiddenLeadersView
    from games.hidden_leaders.rules.cards import HEROES, LEADERS
    from games.hidden_leaders.rules.constants import FACTIONS, Zone
    from games.hidden_leaders.rules.scoring import steps_to
    from games.hidden_leaders.rules.state import HiddenLeaders

__all__ = [
    "FACTIONS",
    "HEROES",
    "LEADERS",
    "HiddenLeaders",
    "HiddenLeadersView",
    "Zone",
    "steps_to",
]

RULES_VERSION = 1
"""Rises whenever the same moves could lead elsewhere than before."""

_HOMES: Final = {
    "FACTIONS": "games.hidden_leaders.rules.constants",
    "HEROES": "games.hidden_leaders.rules.cards",
    "HiddenLeaders": "games.hidden_leaders.rules.state",
    "HiddenLeadersView": "games.hidden_leaders.knowledge.view",
    "LEADERS": "games.hidden_leaders.rules.cards",
    "Zone": "games.hidden_leaders.rules.constants",
    "steps_to": "games.hidden_leaders.rules.scoring",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'games.hidden_leaders' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
