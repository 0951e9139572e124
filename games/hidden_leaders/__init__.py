"""Hidden Leaders: 2 to 6 players, a secret leader each, two markers on a track, 77 heroes."""

from typing import TYPE_CHECKING

from games import engine

if TYPE_CHECKING:
    from games.hidden_leaders.knowledge.view import HiddenLeadersView
    from games.hidden_leaders.positions.notation import read as read_position
    from games.hidden_leaders.positions.notation import write as write_position
    from games.hidden_leaders.rules.cards import HEROES, LEADERS
    from games.hidden_leaders.rules.constants import (
        EMPIRE,
        FACTION_NAMES,
        FACTIONS,
        TRIBES,
        UNDEAD,
        WATER,
        Zone,
    )
    from games.hidden_leaders.rules.scoring import steps_to
    from games.hidden_leaders.rules.state import HiddenLeaders

__all__ = [
    "EMPIRE", "FACTIONS", "FACTION_NAMES", "HEROES", "LEADERS", "RULES_VERSION", "TRIBES", "UNDEAD",
    "WATER", "HiddenLeaders", "HiddenLeadersView", "Zone", "read_position", "steps_to",
    "write_position",
]  # fmt: skip

RULES_VERSION = 1
"""Goes up whenever the same moves could lead to a different game; replays carry it."""

if not TYPE_CHECKING:
    _FACTIONS = ("EMPIRE", "FACTIONS", "FACTION_NAMES", "TRIBES", "UNDEAD", "WATER")
    _HOMES = {
        **dict.fromkeys((*_FACTIONS, "Zone"), "rules.constants"),
        "HEROES": "rules.cards",
        "LEADERS": "rules.cards",
        "HiddenLeaders": "rules.state",
        "HiddenLeadersView": "knowledge.view",
        "read_position": "positions.notation:read",
        "steps_to": "rules.scoring",
        "write_position": "positions.notation:write",
    }

    def __getattr__(name):
        return engine.load_public_name(__name__, _HOMES, name)
