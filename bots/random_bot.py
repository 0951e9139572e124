"""The bot that plays any legal move: the floor that every other bot has to clear."""

from __future__ import annotations

from bots.bot import Bot
from games.view import View


class Random(Bot):
    """Plays any legal move, each equally likely."""

    def choose(self, view: View) -> int:
        return self.rng.choice(view.moves)
