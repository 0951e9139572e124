"""The bot `champion`: tree search with a learned value and a learned belief about roles."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Final

from bots.bot import Bot
from bots.champion.belief import MoveBelief
from bots.champion.model import load_model, read_model
from bots.champion.network import Network
from bots.champion.policy import MovePolicy
from bots.champion.search import ValueSearch
from bots.ismcts.bot import best_first
from bots.ismcts.role_belief import role_distributions
from bots.options import BadOption, Option
from games.errors import GameError
from games.registry import game_of
from games.replay import Belief, ConsideredMove
from games.view import EventTuple, View

LEVELS: Final = (2, 6, 20, 60, 200, 600, 2000, 6000)
"""Iterations of each level."""

SLICE: Final = 256
"""Iterations between two looks at how much time is left."""


def _check_model(path: str) -> None:
    try:
        read_model(Path(path))
    except GameError as error:
        raise BadOption(f"model: {error}") from None


class Champion(Bot):
    """Searches sampled worlds like ismcts, but judges them by a model trained on its own games.

    The same seed and number of iterations give the same move on any machine; a time limit does not.
    """

    level = Option(0, "strength from 1 to 8 instead of iterations, 0: unset", least=0, most=8)
    iterations = Option(1000, "worlds sampled per decision", least=1)
    seconds = Option(0.0, "time limit per decision, 0: none", least=0.0)
    trust = Option(1.0, "trust in the learned policy (PUCT constant), 0: plain UCB", least=0.0)
    exploration = Option(0.4, "exploration constant of the UCB formula", least=0.0)
    inference = Option(True, "infer roles from play with the learned belief")
    model = Option("", "file of your own model, empty: the bundled one", check=_check_model)

    _view: View | None = None
    _search: ValueSearch | None = None
    _network: Network | None = None
    _policy: MovePolicy | None = None
    _inferred: MoveBelief | None = None
    _decision = -1
    _chosen = -1
    _reason = ""
    _candidates: tuple[ConsideredMove, ...] = ()

    def start(self, view: View) -> None:
        self._view = view
        model = load_model(game_of(view).name, self.model)
        self._network = model.network(view.players)
        if model.policy:
            self._policy = MovePolicy(list(model.policy))
        if self.inference and model.belief:
            self._inferred = model.watch(view)

    def observe(self, event: EventTuple) -> None:
        if self._inferred is not None:
            self._inferred.observe(event)

    def choose(self, view: View) -> int:
        self._reason, self._candidates = "", ()
        if len(view.moves) == 1:
            return view.moves[0]
        search = self._reused_or_new(view)
        if self._inferred is not None:
            search.set_belief(*self._inferred.assignments())
        self._think(search, view)
        self._search = search
        self._chosen = search.best(view.moves)
        self._decision = view.decisions
        # A tree that is reused may have moves that are not legal now.
        self._candidates = best_first(row for row in search.table() if row[0] in view.moves)
        for move, visits, rate in self._candidates:
            if move == self._chosen:
                self._reason = f"wins {rate:.0%} of {visits} worlds of {search.iterations}"
        return self._chosen

    def _think(self, search: ValueSearch, view: View) -> None:
        """Search for as long as allowed, or until no other move can become the most visited."""
        seconds = self.budget.seconds or self.seconds
        iterations = self.budget.iterations or (0 if seconds else self._own_iterations())
        if not seconds:
            search.run(view, self.rng, iterations, 0.0)
            return
        began = perf_counter()
        left, before, done = seconds, int(search.iterations), 0
        while left > 0 and (not iterations or done < iterations):
            search.run(view, self.rng, min(SLICE, iterations - done) if iterations else SLICE, left)
            done = int(search.iterations) - before
            spent = perf_counter() - began
            left = seconds - spent
            if search.is_settled(int(done * left / spent)):
                return

    def _own_iterations(self) -> int:
        return LEVELS[self.level - 1] if self.level else self.iterations

    def _reused_or_new(self, view: View) -> ValueSearch:
        """The tree of the last decision if no other seat has decided since, else a new one."""
        search = self._search
        if search is not None and view.decisions == self._decision + 1:
            search.follow(self._chosen)
            return search
        assert self._network is not None
        limit = view.imagine().move_limit
        search = ValueSearch(view.seat, view.players, limit, self._network)
        search.exploration = self.exploration
        search.policy = self._policy
        search.trust = self.trust
        return search

    def explain(self) -> str:
        return self._reason

    def considered(self) -> tuple[ConsideredMove, ...]:
        return self._candidates

    def belief(self) -> Belief:
        """The roles of the other seats, inferred from their play."""
        if self._view is None or self._inferred is None:
            return {}
        return role_distributions(self._view, self._inferred.roles, self._inferred.role_weights())
