"""A bot that plays every move out in sampled worlds and takes the one that wins most often.

It needs no knowledge of the game: `view.sample` draws a world that agrees with everything the seat
has seen, and a world is an ordinary State that can be copied and played to its end.

arena match examples/sampler.py:Sampler random random
"""

from bots import Bot, Option
from games import State, View


class Sampler(Bot):
    """Samples worlds, plays each move out in all of them and counts its wins."""

    worlds = Option(30, "worlds per decision", least=1)
    _reason = ""

    def choose(self, view: View) -> int:
        """The move that won in the most worlds."""
        if len(view.moves) == 1:
            return view.moves[0]
        worlds = self.budget.iterations or self.worlds
        wins = dict.fromkeys(view.moves, 0)
        for _ in range(worlds):
            world = view.sample(self.rng)
            for move in view.moves:  # every move in the same worlds, for a fair comparison
                wins[move] += self.wins_after(world.copy(), move)
        best = max(wins.values())
        self._reason = f"won {best} worlds of {worlds}"
        return self.rng.choice([move for move in view.moves if wins[move] == best])

    def wins_after(self, world: State, move: int) -> bool:
        """Whether the seat wins if everybody plays at random after the move."""
        world.play(move)
        world.playout(self.rng)
        return world.wins(self.seat)

    def explain(self) -> str:
        """How often the move won."""
        return self._reason
