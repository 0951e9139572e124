"""Root parallelization: several independent searches of one decision, whose visits are summed.

Every search has its own generator, so the result depends on the number of searches and not on the
number of processes that run them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import current_process
from typing import NamedTuple

from bots.ismcts.tree import Search
from bots.runtime.processes import process_pool
from games.state import FOREVER, Rng
from games.view import View


@dataclass(frozen=True)
class SearchConfig:
    """The settings of a search."""

    exploration: float
    tree_per_seat: bool
    eager_rollouts: bool
    horizon: int
    """0: play worlds out to the end of the game."""

    def search(self, view: View, move_limit: int) -> Search:
        """A new search for the seat of the View."""
        search = Search(view.seat, view.players, move_limit)
        search.exploration = self.exploration
        search.tree_per_seat = self.tree_per_seat
        search.eager_rollouts = self.eager_rollouts
        search.horizon = self.horizon or FOREVER
        return search


@dataclass(frozen=True)
class SearchTask:
    """One of the searches, as it is sent to a worker."""

    config: SearchConfig
    seed: int
    iterations: int
    seconds: float
    roles: int
    prior: tuple[float, ...]
    """See `Search.set_prior`; empty for no prior."""


MoveStats = dict[int, tuple[int, float]]
"""Move -> visits and wins."""


class SearchResult(NamedTuple):
    """What one search found, or several together."""

    stats: MoveStats
    role_weights: Sequence[float] = ()
    """See `Search.role_tally`."""


def run_search(view: View, task: SearchTask) -> SearchResult:
    rng = Rng(task.seed)
    search = task.config.search(view, view.sample(rng).move_limit)
    search.set_prior(task.roles, list(task.prior))
    search.run(view, rng, task.iterations, task.seconds)
    stats = {move: (visits, rate * visits) for move, visits, rate in search.table()}
    return SearchResult(stats, search.role_tally())


def run_searches(view: View, tasks: list[SearchTask], processes: int) -> SearchResult:
    """Run the searches in that many processes and sum their results."""
    if processes == 1:
        return merged(run_search(view, task) for task in tasks)
    return merged(_pool(processes).map(run_search, [view] * len(tasks), tasks))


def available_processes(wanted: int) -> int:
    """1 in a worker of a league: a daemonic process may not start children."""
    return 1 if current_process().daemon else wanted


@cache
def _pool(processes: int) -> ProcessPoolExecutor:
    """Kept from decision to decision: starting processes takes longer than most decisions."""
    return process_pool(processes)


def merged(results: Iterable[SearchResult]) -> SearchResult:
    total: MoveStats = {}
    tallies: list[Sequence[float]] = []
    for result in results:
        tallies.append(result.role_weights)
        for move, (visits, wins) in result.stats.items():
            visits_before, wins_before = total.get(move, (0, 0.0))
            total[move] = visits + visits_before, wins + wins_before
    return SearchResult(total, [sum(weights) for weights in zip(*tallies, strict=True)])


def most_visited(stats: MoveStats) -> int:
    """Ties go to the move with more wins, then to the lower number."""
    return min(stats, key=lambda move: (-stats[move][0], -stats[move][1], move))
