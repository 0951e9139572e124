"""The bot `random`: the baseline that every other bot should beat."""

from __future__ import annotations

from bots.bot import Bot
from games.view import View


class Random(Bot):
    """Plays a legal move, chosen uniformly at random."""

    def choose(self, view: View) -> int:
        return self.rng.choice(view.moves)
