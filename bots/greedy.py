"""The bot that does what looks best right now: no luck, no worlds, no opponents."""

from __future__ import annotations

from bots.bot import Bot
from bots.options import Option
from games.state import State
from games.view import View


class Greedy(Bot):
    """Looks ahead over its own choices of this turn and takes the most promising.

    It plays on the table as it sees it, with blanks for unknown cards, until somebody else or luck
    must decide, and judges what it sees there (`State.heuristic`).
    """

    depth = Option(4, "own choices looked ahead", least=1, most=12)
    positions = Option(3000, "positions looked at per decision, at most", least=1)

    def choose(self, view: View) -> int:
        table = view.imagine()
        self._left = self.positions
        scores = {move: self._score(table, move, self.depth) for move in view.moves}
        best = max(scores.values())
        return self.rng.choice([move for move, score in scores.items() if score == best])

    def _score(self, table: State, move: int, depth: int) -> float:
        ahead = table.copy()
        ahead.play(move)
        self._left -= 1
        if ahead.actor != self.seat or depth == 1 or self._left <= 0:
            return ahead.heuristic(self.seat)
        return max(self._score(ahead, further, depth - 1) for further in ahead.moves())
