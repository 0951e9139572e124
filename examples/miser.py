"""A first bot, in ten lines: it reads its moves as text.

arena match examples/miser.py:Miser random greedy
"""

from bots import Bot
from games import View


class Miser(Bot):
    """Plays what it holds, takes open cards, and avoids throwing anything away."""

    def choose(self, view: View) -> int:
        """A random move that starts with the first verb for which there is one."""
        for verb in ("play", "draw", "take"):
            moves = [move for move in view.moves if view.text(move).startswith(verb)]
            if moves:
                return self.rng.choice(moves)
        return self.rng.choice(view.moves)
