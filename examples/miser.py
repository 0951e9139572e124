"""A first bot, in ten lines: it reads its moves as a person would.

arena match examples/miser.py:Miser random greedy
"""

from bots import Bot
from games.view import View


class Miser(Bot):
    """Plays what it holds, takes what lies open, and never throws anything away if it need not."""

    def choose(self, view: View) -> int:
        """The first kind of move on its list that is there, whichever card it is about."""
        for wish in ("play", "draw", "take"):
            wanted = [move for move in view.moves if view.text(move).startswith(wish)]
            if wanted:
                return self.rng.choice(wanted)
        return self.rng.choice(view.moves)
