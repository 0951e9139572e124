"""The bot `champion`: tree search with a learned value and a learned belief about roles."""

from __future__ import annotations

from typing import Final

from bots.bot import Bot
from bots.champion.belief import MoveBelief
from bots.champion.model import Model, load_model, read_model
from bots.champion.network import Network
from bots.champion.policy import Policy
from bots.champion.search import ValueSearch
from bots.ismcts.bot import best_first
from bots.ismcts.role_belief import role_distributions
from bots.options import BadOption, Option
from games.errors import GameError
from games.registry import game_of
from games.replay import Belief, ConsideredMove
from games.state import FOREVER
from games.view import EventTuple, View

LEVELS: Final = (2, 6, 20, 60, 200, 600, 2000, 6000)
"""Iterations of each level."""


def _check_model(path: str) -> None:
    from pathlib import Path  # noqa: PLC0415

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
    exploration = Option(0.4, "exploration constant of the UCB formula", least=0.0)
    trust = Option(0.0, "trust in the learned policy (PUCT constant), 0: plain UCB", least=0.0)
    finish = Option("eager", "moves that finish a turn", choices=("eager", "policy"))
    turns = Option(1, "turns played before a world is judged", least=0)
    inference = Option(True, "infer roles from play with the learned belief")
    model = Option("", "file of your own model, empty: the bundled one", check=_check_model)

    _view: View | None = None
    _search: ValueSearch | None = None
    _network: Network | None = None
    _model: Model | None = None
    _inferred: MoveBelief | None = None
    _decision = -1
    _chosen = -1
    _reason = ""
    _candidates: tuple[ConsideredMove, ...] = ()

    def start(self, view: View) -> None:
        self._view = view
        self._model = load_model(game_of(view).name, self.model)
        self._network = self._model.network(view.players)
        if self.inference and self._model.belief:
            self._inferred = MoveBelief(view, self._model.layout, self._model.belief)

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
        search.run(view, self.rng, self._iterations(), self._seconds())
        self._search = search
        self._chosen = search.best(view.moves)
        self._decision = view.decisions
        # A tree that is reused may have moves that are not legal now.
        self._candidates = best_first(row for row in search.table() if row[0] in view.moves)
        for move, visits, rate in self._candidates:
            if move == self._chosen:
                self._reason = f"wins {rate:.0%} of {visits} worlds of {search.iterations}"
        return self._chosen

    def _iterations(self) -> int:
        if self.budget.iterations:
            return self.budget.iterations
        if self.level:
            return LEVELS[self.level - 1]
        return FOREVER if self._seconds() else self.iterations

    def _seconds(self) -> float:
        return self.budget.seconds or self.seconds

    def _reused_or_new(self, view: View) -> ValueSearch:
        """The tree of the last decision if no other seat has decided since, else a new one."""
        search = self._search
        if search is not None and view.decisions == self._decision + 1:
            search.follow(self._chosen)
            return search
        assert self._network is not None
        assert self._model is not None
        limit = view.imagine().move_limit
        search = ValueSearch(view.seat, view.players, limit, self._network)
        search.exploration = self.exploration
        if self._model.policy:
            search.policy = Policy(list(self._model.policy))
            search.trust = self.trust
            search.policy_finishes = self.finish == "policy"
        search.turns_ahead = self.turns
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
