"""Secrets: 4 to 8 players, identity tokens that change hands, cards offered face down."""

from typing import TYPE_CHECKING

from games import engine

if TYPE_CHECKING:
    from games.secrets.constants import CENTRE, CHARACTER_NAMES, COPIES, SIDE_NAMES, VALUES
    from games.secrets.notation import read as read_position
    from games.secrets.notation import write as write_position
    from games.secrets.state import Secrets
    from games.secrets.view import SecretsView

__all__ = [
    "CENTRE", "CHARACTER_NAMES", "COPIES", "RULES_VERSION", "SIDE_NAMES", "VALUES", "Secrets",
    "SecretsView", "read_position", "write_position",
]  # fmt: skip

RULES_VERSION = 1
"""Goes up whenever the same moves could lead to a different game; replays carry it."""

if not TYPE_CHECKING:
    _CARDS = ("CENTRE", "CHARACTER_NAMES", "COPIES", "SIDE_NAMES", "VALUES")
    _HOMES = {
        **dict.fromkeys(_CARDS, "constants"),
        "Secrets": "state",
        "SecretsView": "view",
        "read_position": "notation:read",
        "write_position": "notation:write",
    }

    def __getattr__(name):
        return engine.load_public_name(__name__, _HOMES, name)
