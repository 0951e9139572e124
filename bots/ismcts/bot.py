"""The bot `ismcts`: information set Monte Carlo tree search, over the compiled tree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bots.bot import Bot
from bots.ismcts.endgame import SOLVER, EndgameFunction, endgame_function
from bots.ismcts.role_belief import RoleBelief, role_distributions
from bots.ismcts.root_parallel import (
    SearchConfig,
    SearchTask,
    available_processes,
    most_visited,
    run_searches,
)
from bots.ismcts.tree import Search
from bots.options import Option
from games.replay import Belief, ConsideredMove
from games.view import View

_SEED_RANGE = 1 << 30


class Ismcts(Bot):
    """Samples worlds that agree with what it has seen and searches them in one tree.

    The same seed and number of iterations give the same move on any machine and in any number of
    processes; a time limit does not.
    """

    iterations = Option(1000, "worlds sampled per decision", least=1)
    seconds = Option(0.0, "time limit per decision, 0: none", least=0.0)
    exploration = Option(0.7, "exploration constant of the UCB formula", least=0.0)
    tree = Option("so", "one tree (SO-ISMCTS) or one per seat (MO-ISMCTS)", choices=("so", "mo"))
    rollout = Option("eager", "rollout policy", choices=("eager", "random"))
    horizon = Option(24, "decisions per rollout before it is evaluated, 0: all", least=0)
    reuse = Option(True, "reuse the tree within a turn; one tree only")
    suspicion = Option(0.15, "how much to infer roles from play, 0: nothing", least=0.0)
    searches = Option(1, "independent searches that share the iterations and vote", least=1)
    processes = Option(1, "processes that run these searches", least=1)
    endgame = Option(
        "",
        "solver, or the dotted path of a function, to ask before searching",
        check=endgame_function,
        ours=(SOLVER,),
    )

    _view: View | None = None
    _search: Search | None = None
    _decision = -1
    _chosen = -1
    _reason = ""
    _candidates: tuple[ConsideredMove, ...] = ()
    _roles = 0
    _role_weights: Sequence[float] = ()
    """Of the worlds of the last search: see `Search.role_tally`."""
    _belief: RoleBelief | None = None
    _ask_endgame: EndgameFunction | None = None

    def start(self, view: View) -> None:
        self._view = view
        if self.suspicion:
            self._belief = RoleBelief(self.seat, view.players)
        if self.endgame:
            self._ask_endgame = endgame_function(self.endgame)

    def observe(self, event: tuple[int, ...]) -> None:  # noqa: ARG002  (the View has it already)
        if self._belief is not None and self._view is not None:
            self._belief.update(self._view)

    def choose(self, view: View) -> int:
        self._reason, self._candidates, self._role_weights = "", (), ()
        if len(view.moves) == 1:
            return view.moves[0]
        move = self._ask_endgame(view) if self._ask_endgame is not None else None
        if move is not None:
            self._reason = f"{self.endgame} says so"
            return move
        self._chosen = self._vote(view) if self.searches > 1 else self._search_once(view)
        self._decision = view.decisions
        return self._chosen

    def _search_once(self, view: View) -> int:
        """One search in this process, in the tree of the last decision if possible."""
        search = self._reused_or_new(view)
        roles, prior = self._prior(view)
        search.set_prior(roles, list(prior))
        search.run(view, self.rng, self._iterations(), self._seconds())
        self._search = search
        chosen = search.best(view.moves)
        # A tree that is reused may have moves that are not legal now.
        self._candidates = best_first(row for row in search.table() if row[0] in view.moves)
        for move, visits, rate in self._candidates:
            if move == chosen:
                self._reason = f"wins {rate:.0%} of {visits} worlds of {search.iterations}"
        if self._belief is not None:
            self._reason += f", {search.effective_share():.0%} of the worlds count"
            self._roles, self._role_weights = roles, search.role_tally()
        return chosen

    def _vote(self, view: View) -> int:
        """Several searches that share the iterations."""
        roles, prior = self._prior(view)
        each = -(-self._iterations() // self.searches)
        processes = available_processes(self.processes)
        rounds = -(-self.searches // processes)  # searches that one process runs in a row
        seconds = self._seconds() / rounds
        tasks = [
            SearchTask(self._config(), self.rng.below(_SEED_RANGE), each, seconds, roles, prior)
            for _ in range(self.searches)
        ]
        stats, self._role_weights = run_searches(view, tasks, processes)
        self._roles = roles
        chosen = most_visited({move: stats.get(move, (0, 0.0)) for move in view.moves})
        rows = ((move, visits, wins / max(1, visits)) for move, (visits, wins) in stats.items())
        self._candidates = best_first(rows)
        visits, wins = stats[chosen]
        self._reason = f"wins {wins / visits:.0%} of {visits} worlds in {self.searches} searches"
        return chosen

    def _prior(self, view: View) -> tuple[int, tuple[float, ...]]:
        """The number of roles and their likelihoods, for `Search.set_prior`."""
        if self._belief is None:
            return 0, ()
        roles = view.imagine().roles
        return roles, tuple(self._belief.prior(roles, self.suspicion))

    def _iterations(self) -> int:
        return self.budget.iterations or self.iterations

    def _seconds(self) -> float:
        return self.budget.seconds or self.seconds

    def _config(self) -> SearchConfig:
        return SearchConfig(
            self.exploration, self.tree == "mo", self.rollout == "eager", self.horizon
        )

    def _reused_or_new(self, view: View) -> Search:
        """The tree of the last decision if no other seat has decided since, else a new one."""
        search = self._search
        if search is not None and self.reuse and self.tree == "so":
            if view.decisions == self._decision + 1:
                search.follow(self._chosen)
                return search
        return self._config().search(view, view.sample(self.rng).move_limit)

    def explain(self) -> str:
        return self._reason

    def considered(self) -> tuple[ConsideredMove, ...]:
        return self._candidates

    def belief(self) -> Belief:
        """The roles of the other seats in the worlds it searched, weighted by their play."""
        if self._view is None or not self._role_weights:
            return {}
        return role_distributions(self._view, self._roles, self._role_weights)


def best_first(rows: Iterable[tuple[int, int, float]]) -> tuple[ConsideredMove, ...]:
    """(move, visits, share of wins) in the order of preference: the first is played."""
    ranked = sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))
    return tuple(ConsideredMove(*row) for row in ranked)
