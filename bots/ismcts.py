"""Information set Monte Carlo tree search as a bot: thin over the compiled search."""

from __future__ import annotations

from bots.base import Bot
from bots.options import Option
from bots.search import Search
from games.view import View


class Ismcts(Bot):
    """Samples worlds that agree with what it has seen and searches them in one tree.

    The same seed and number of iterations give the same move on any machine; a time limit does not.
    """

    iterations = Option(1000, "worlds per decision", least=1)
    seconds = Option(0.0, "time per decision, 0 for no limit", least=0.0)
    exploration = Option(0.7, "how much to try what looks worse", least=0.0)
    tree = Option("so", "one tree for all seats, or a tree for each", choices=("so", "mo"))
    rollout = Option("eager", "how worlds are played out", choices=("eager", "random"))
    reuse = Option(True, "go on in the same tree within a turn, if it is one for all seats")

    _search: Search | None = None
    _decision = -1
    _chosen = -1
    _view: View | None = None

    def choose(self, view: View) -> int:
        if len(view.moves) == 1:
            self._chosen = -1
            return view.moves[0]
        search = self._continued(view)
        seconds = self.budget.seconds or self.seconds
        iterations = self.budget.iterations or self.iterations
        search.run(view, self.rng, iterations, seconds)
        self._search = search
        self._decision = view.decisions
        self._chosen = search.best(view.moves)
        self._view = view
        return self._chosen

    def _continued(self, view: View) -> Search:
        """The tree of the last decision if nobody has decided in between, else a new one."""
        search = self._search
        if search is not None and self.reuse and self.tree == "so":
            if view.decisions == self._decision + 1:
                search.follow(self._chosen)
                return search
        search = Search(self.seat, view.players, view.sample(self.rng).span)
        search.exploration = self.exploration
        search.own_trees = self.tree == "mo"
        search.eager = self.rollout == "eager"
        return search

    def explain(self) -> str:
        if self._search is None or self._view is None:
            return ""
        rows = [row for row in self._search.table() if row[0] == self._chosen]
        if not rows:
            return ""
        _, visits, share = rows[0]
        return f"wins {share:.0%} of {visits} worlds of {self._search.iterations}"
