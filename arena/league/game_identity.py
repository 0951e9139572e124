"""The identity of a game: a digest of everything its course depends on.

A run file stores games under their identity. So a league that was changed finds the games it has
in common with the league before, and plays only the others.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from arena.league.bot_sources import bot_identities
from arena.league.config import League
from games.registry import game

_BYTES: Final = 16


class GameIdentity:
    """Computes the identities of a league's games."""

    def __init__(self, league: League, bots: Mapping[str, str] | None = None) -> None:
        """`bots`: name -> digest of each bot; by default of the bots as they are now."""
        self.bots = bot_identities(league) if bots is None else bots
        self.rules = game(league.game).rules_version
        budgets = (league.iterations, league.seconds_per_move, league.seconds_per_game)
        shared = [league.game, self.rules, dict(sorted(league.options.items())), *budgets]
        self._shared = json.dumps(shared).encode()

    def of(self, seed: int, seats: tuple[str, ...]) -> bytes:
        """The identity of one game: the number of players and the rotation are in its seats."""
        parts = " ".join((str(seed), *(self.bots[name] for name in seats)))
        return sha256(self._shared + parts.encode()).digest()[:_BYTES]
