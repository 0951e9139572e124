"""A bot that plays every move out in imagined worlds and takes the one that wins most often.

It needs no idea of the game: `view.sample` draws a world that agrees with all it has seen, and
a world is an ordinary State that can be copied and played to its end.

arena match examples/sampler.py:Sampler random random
"""

from bots import Bot, Option
from games.state import State
from games.view import View


class Sampler(Bot):
    """Draws worlds, plays each move out in all of them and counts its wins."""

    worlds = Option(30, "worlds per decision", least=1)

    def choose(self, view: View) -> int:
        """The move that won most of its worlds."""
        if len(view.moves) == 1:
            return view.moves[0]
        wins = dict.fromkeys(view.moves, 0)
        for _ in range(self.budget.iterations or self.worlds):
            world = view.sample(self.rng)
            for move in view.moves:  # every move in the same worlds, so that they compare fairly
                wins[move] += self.play_out(world.copy(), move)
        best = max(wins.values())
        self.reason = f"won {best} worlds of {self.budget.iterations or self.worlds}"
        return self.rng.choice([move for move in view.moves if wins[move] == best])

    def play_out(self, world: State, move: int) -> bool:
        """Whether the seat wins when everybody plays at random after the move."""
        world.play(move)
        world.playout(self.rng)
        return world.wins(self.seat)

    reason = ""

    def explain(self) -> str:
        """How often the move won."""
        return self.reason
