"""The bot `champion`: tree search with a learned value and a learned belief about roles."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

from bots.bot import Bot, Match
from bots.champion.model import load_model, read_model
from bots.champion.network import Network
from bots.champion.policy import MovePolicy
from bots.champion.search import ValueSearch
from bots.champion.watch import MoveWatch
from bots.ismcts.bot import best_first
from bots.ismcts.role_belief import role_distributions
from bots.options import BadOption, Option
from games.errors import GameError
from games.registry import game_of
from games.replay import Belief, ConsideredMove
from games.view import EventTuple, View

LEVELS: Final = ((1, 60), (1, 30), (2, 15), (6, 5), (30, 0), (150, 0), (800, 0), (4000, 0))
"""Of each level: iterations, and how many decisions in a hundred are left to chance."""


@dataclass(frozen=True)
class Habits:
    """Settings of a game, for options that are not set."""

    iterations: int
    inference: float
    others: str
    reach: int
    patience: float


HABITS: Final = Habits(3000, 0.5, "best", 0, 0.3)
HABITS_BY_GAME: Final = {"secrets": Habits(1000, 1.5, "policy", 1, 1.0)}
"""The iterations take about the time of 1000 of `ismcts`."""

SLICE: Final = 256
"""Iterations between two looks at how much time is left."""

LEAST_ROUNDS: Final = 4
"""Visits to each world, if the number of iterations is given: drawing one costs as much."""

LEAST_SHARE: Final = 8
"""A decision in a tree that is reused gets at least this part of the iterations."""

SHORTEST: Final = 1e-4
"""Seconds for which it searches in any case."""

WORLDS_PER_SECOND: Final = 20_000
"""Worlds drawn at most, for each second of a time limit."""


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
    iterations = Option(
        0,
        "visits to worlds for a decision, less what the tree has, 0: 3000, in Secrets 1000",
        least=0,
    )
    seconds = Option(0.0, "time limit per decision, 0: none", least=0.0)
    worlds = Option(256, "worlds drawn for a decision, each visited several times", least=1)
    trust = Option(1.0, "trust in the learned policy (PUCT constant), 0: plain UCB", least=0.0)
    exploration = Option(0.4, "exploration constant of the UCB formula", least=0.0)
    ahead = Option(0, "turns played on after the running one before a world is judged", least=0)
    contrast = Option(1.0, "how much of a world's worth before the move is taken off", least=0.0)
    prior = Option(0.5, "sharpness of the learned policy, 1: as trained", least=0.0)
    inference = Option(
        -1.0,
        "sharpness of inferred roles, 1: as trained, 0: none, -1: 0.5, in Secrets 1.5",
        least=-1.0,
    )
    others = Option(
        "game",
        "other seats move as suits them best or as the policy says, game: policy in Secrets only",
        choices=("game", "best", "policy"),
    )
    reach = Option(
        -1, "turns that the tree reaches into, 0: no limit, -1: 0, in Secrets 1", least=-1
    )
    patience = Option(
        -1.0,
        "stops once the runner-up needs more than this share of the iterations left, -1: 0.3, in "
        "Secrets and with a level 1",
        least=-1.0,
        most=1.0,
    )
    model = Option("", "file of your own model, empty: the bundled one", check=_check_model)

    _habits = HABITS
    _view: View | None = None
    _search: ValueSearch | None = None
    _network: Network | None = None
    _policy: MovePolicy | None = None
    _watch: MoveWatch | None = None
    _decision = -1
    _chosen = -1
    _reason = ""
    _candidates: tuple[ConsideredMove, ...] = ()

    def check_match(self, match: Match) -> None:
        """A level is a number of iterations; a model is of one game, and not all have one."""
        if self.level and (self.iterations or self.seconds):
            other = "iterations" if self.iterations else "seconds"
            raise BadOption(f"level and {other} both say how long it thinks; leave out one of them")
        load_model(match.game, self.model)

    def start(self, view: View) -> None:
        self._view = view
        name = game_of(view).name
        self._habits = HABITS_BY_GAME.get(name, HABITS)
        model = load_model(name, self.model)
        self._network = model.network(view.players)
        if model.policy:
            self._policy = MovePolicy([weight * self.prior for weight in model.policy])
        self._watch = MoveWatch(model, view, self._sharpness) if self._sharpness else None

    def observe(self, event: EventTuple) -> None:
        if self._watch is not None:
            self._watch.observe(event)

    def choose(self, view: View) -> int:
        self._reason, self._candidates = "", ()
        if len(view.moves) == 1:
            if self._policy is not None and self.trust and view.decisions == self._decision + 1:
                self._decision += 1  # with a policy, the tree has no node for it
            return view.moves[0]
        idle = int(view.imagine().idle_move())
        if idle >= 0:
            self._reason = "all moves come to the same"
            if view.decisions == self._decision + 1:
                self._decision += 1  # nor for this
            return idle
        if self.level and int(self.rng.below(100)) < LEVELS[self.level - 1][1]:
            self._reason = "left to chance"
            return self.rng.choice(view.moves)
        search = self._reused_or_new(view)
        if self._watch is not None:
            self._watch.guide(search)
        self._think(search, view)
        self._search = search
        self._chosen = search.best(view.moves)
        self._decision = view.decisions
        # A tree that is reused may have moves that are not legal now; and a mean of differences may
        # lie a little beyond what a chance can be.
        self._candidates = best_first(
            (move, visits, min(1.0, max(0.0, rate)))
            for move, visits, rate in search.table()
            if move in view.moves
        )
        for move, visits, rate in self._candidates:
            if move == self._chosen:
                self._reason = f"wins {rate:.0%} of {visits} worlds of {search.iterations}"
        return self._chosen

    def _think(self, search: ValueSearch, view: View) -> None:
        """Search for as long as allowed, or until no other move can become the most visited."""
        seconds = self.budget.seconds or self.seconds
        iterations = self.budget.iterations or (0 if seconds else self._own_iterations())
        if not seconds:
            before = sum(visits for _, visits, _ in search.table())
            iterations = max(-(-iterations // LEAST_SHARE), iterations - before)
            worlds = min(self.worlds, -(-iterations // LEAST_ROUNDS))
            search.draw_worlds(view, self.rng, worlds)
            self.iterate(search, view, iterations)
            return
        began = perf_counter()
        search.draw_worlds(view, self.rng, min(self.worlds, 1 + int(seconds * WORLDS_PER_SECOND)))
        before, done, left = int(search.iterations), 0, seconds - perf_counter() + began
        while not done or (left > 0 and (not iterations or done < iterations)):
            some = min(SLICE, iterations - done) if iterations else SLICE
            search.run(view, self.rng, some, max(left, SHORTEST))
            done = int(search.iterations) - before
            spent = perf_counter() - began
            left = seconds - spent
            if search.is_settled(int(done * left / spent)):
                return

    def iterate(self, search: ValueSearch, view: View, iterations: int) -> None:
        """Search that often, or until the runner-up is too far behind."""
        search.patience = self._own_patience()
        search.run(view, self.rng, iterations, 0.0)

    def _own_iterations(self) -> int:
        if self.level:
            return LEVELS[self.level - 1][0]
        return self.iterations or self._habits.iterations

    def _own_patience(self) -> float:
        if self.patience >= 0:
            return self.patience
        return 1.0 if self.level else self._habits.patience

    @property
    def _sharpness(self) -> float:
        return self.inference if self.inference >= 0 else self._habits.inference

    def _reused_or_new(self, view: View) -> ValueSearch:
        """The tree of the last decision if no other seat has decided since, else a new one."""
        search = self._search
        if search is not None and view.decisions == self._decision + 1:
            search.follow(self._chosen)
            search.stand_at(view.imagine().moment())
            return search
        assert self._network is not None
        table = view.imagine()
        limit, roles = table.move_limit, table.roles
        search = ValueSearch(view.seat, view.players, limit, roles, self._network)
        search.contrast = self.contrast
        search.ahead = self.ahead
        search.exploration = self.exploration
        search.policy = self._policy
        search.trust = self.trust
        others = self._habits.others if self.others == "game" else self.others
        search.modelled = others == "policy"
        search.reach = self.reach if self.reach >= 0 else self._habits.reach
        return search

    def explain(self) -> str:
        return self._reason

    def considered(self) -> tuple[ConsideredMove, ...]:
        return self._candidates

    def belief(self) -> Belief:
        """The roles of the other seats, inferred from their play."""
        weights = self._watch.role_weights() if self._watch is not None else None
        if self._view is None or weights is None:
            return {}
        return role_distributions(self._view, int(self._view.imagine().roles), weights)
