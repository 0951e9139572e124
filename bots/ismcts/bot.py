"""Information set Monte Carlo tree search as a bot: thin over the compiled search."""

from __future__ import annotations

from bots.bot import Bot
from bots.ismcts.endgame import SOLVER, Finisher, finisher
from bots.ismcts.role_belief import Belief
from bots.ismcts.root_parallel import SearchConfig, Task, grow_all, hands, most_visited
from bots.ismcts.tree import Search
from bots.options import Option
from games.view import View

SEEDS = 1 << 30


class Ismcts(Bot):
    """Samples worlds that agree with what it has seen and searches them in one tree.

    The same seed and number of iterations give the same move on any machine and in any number of
    processes; a time limit does not.
    """

    iterations = Option(1000, "worlds per decision", least=1)
    seconds = Option(0.0, "time per decision, 0 for no limit", least=0.0)
    exploration = Option(0.7, "how much to try what looks worse", least=0.0)
    tree = Option("so", "one tree for all seats, or a tree for each", choices=("so", "mo"))
    rollout = Option("eager", "how worlds are played out", choices=("eager", "random"))
    horizon = Option(24, "decisions played out before the table is judged, 0: all", least=0)
    reuse = Option(True, "go on in the same tree within a turn, if it is one for all seats")
    suspicion = Option(0.15, "how much others' play says about their roles, 0: nothing", least=0.0)
    searches = Option(1, "searches the iterations are shared out to, which then vote", least=1)
    processes = Option(1, "processes that do these searches", least=1)
    endgame = Option(
        "",
        "solver, or dotted path of a function, that may finish the game",
        check=finisher,
        ours=(SOLVER,),
    )

    _view: View | None = None
    _search: Search | None = None
    _decision = -1
    _chosen = -1
    _reason = ""
    _suspicion: Belief | None = None
    _finish: Finisher | None = None

    def start(self, view: View) -> None:
        self._view = view
        if self.suspicion:
            self._suspicion = Belief(self.seat, view.players)
        if self.endgame:
            self._finish = finisher(self.endgame)

    def observe(self, event: tuple[int, ...]) -> None:  # noqa: ARG002  (the View has taken it in)
        if self._suspicion is not None and self._view is not None:
            self._suspicion.notice(self._view)

    def choose(self, view: View) -> int:
        self._reason = ""
        if len(view.moves) == 1:
            return view.moves[0]
        finished = self._finish(view) if self._finish is not None else None
        if finished is not None:
            self._reason = f"{self.endgame} says so"
            return finished
        self._chosen = self._vote(view) if self.searches > 1 else self._look_ahead(view)
        self._decision = view.decisions
        return self._chosen

    def _look_ahead(self, view: View) -> int:
        """One search in this process, continued from the last decision if possible."""
        search = self._continued(view)
        if self._suspicion is not None:
            roles = view.imagine().roles
            search.lean(roles, self._suspicion.credence(roles, self.suspicion))
        search.run(view, self.rng, self._iterations(), self._seconds())
        self._search = search
        chosen = search.best(view.moves)
        for move, visits, share in search.table():
            if move == chosen:
                self._reason = f"wins {share:.0%} of {visits} worlds of {search.iterations}"
        if self._suspicion is not None:
            self._reason += f", {search.effective():.0%} of the worlds count"
        return chosen

    def _vote(self, view: View) -> int:
        """Several searches, which share the iterations."""
        roles = view.imagine().roles if self._suspicion is not None else 0
        credence: tuple[float, ...] = ()
        if self._suspicion is not None:
            credence = tuple(self._suspicion.credence(roles, self.suspicion))
        each = -(-self._iterations() // self.searches)
        processes = hands(self.processes)
        seconds = self._seconds() / -(-self.searches // processes)  # they take turns
        tasks = [
            Task(self._manner(), self.rng.below(SEEDS), each, seconds, roles, credence)
            for _ in range(self.searches)
        ]
        tally = grow_all(view, tasks, processes)
        chosen = most_visited({move: tally.get(move, (0, 0.0)) for move in view.moves})
        visits, wins = tally[chosen]
        self._reason = f"wins {wins / visits:.0%} of {visits} worlds in {self.searches} searches"
        return chosen

    def _iterations(self) -> int:
        return self.budget.iterations or self.iterations

    def _seconds(self) -> float:
        return self.budget.seconds or self.seconds

    def _manner(self) -> SearchConfig:
        return SearchConfig(
            self.exploration, self.tree == "mo", self.rollout == "eager", self.horizon
        )

    def _continued(self, view: View) -> Search:
        """The tree of the last decision if nobody has decided in between, else a new one."""
        search = self._search
        if search is not None and self.reuse and self.tree == "so":
            if view.decisions == self._decision + 1:
                search.follow(self._chosen)
                return search
        return self._manner().search(view, view.sample(self.rng).move_limit)

    def explain(self) -> str:
        return self._reason

    def belief(self) -> dict[str, float]:
        """Of every other seat the role that its play speaks for most, and how clearly."""
        if self._suspicion is None or self._view is None or not self._reason:
            return {}
        return self._suspicion.favourites(self._view, self.suspicion)
