"""The bot `greedy`: a search of its own choices within the turn, without sampling or opponents."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bots.bot import Bot
from bots.options import Option
from games.state import State
from games.view import View


class Greedy(Bot):
    """Looks ahead over its own choices of this turn and takes the most promising.

    It plays on the table as it sees it, with blanks for unknown cards, until another seat or chance
    must decide, and scores the result (`State.heuristic`).
    """

    depth = Option(4, "own choices to look ahead", least=1, most=12)
    positions = Option(3000, "maximum number of positions per decision", least=1)

    _scores: Mapping[int, float] = MappingProxyType({})
    """Of the moves of the last choice."""

    def choose(self, view: View) -> int:
        table = view.imagine()
        self._left = self.positions
        scores = {move: self._score(table, move, self.depth) for move in view.moves}
        best = max(scores.values())
        self._scores = scores
        return self.rng.choice([move for move, score in scores.items() if score == best])

    def considered(self) -> list[tuple[int, int, float]]:
        """Every move with its score, unless there was nothing to choose from."""
        scores = self._scores
        if len(scores) == 1:
            return []
        best_first = sorted(scores, key=scores.__getitem__, reverse=True)
        return [(move, 0, scores[move]) for move in best_first]

    def _score(self, table: State, move: int, depth: int) -> float:
        after = table.copy()
        after.play(move)
        self._left -= 1
        if after.actor != self.seat or depth == 1 or self._left <= 0:
            return after.heuristic(self.seat)
        return max(self._score(after, next_move, depth - 1) for next_move in after.moves())
