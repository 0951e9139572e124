"""Several searches of one decision, side by side, whose results are added up.

Every search has a generator of its own, so what comes out depends on how many searches there are
and not on how many processes do them.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import current_process

from bots.ismcts.tree import Search
from bots.runtime.processes import process_pool
from games.state import FOREVER, Rng
from games.view import View


@dataclass(frozen=True)
class SearchConfig:
    """How a search is done."""

    exploration: float
    own_trees: bool
    eager: bool
    horizon: int
    """0 means to the end of the game."""

    def search(self, view: View, move_limit: int) -> Search:
        """A new search for the seat of the View."""
        search = Search(view.seat, view.players, move_limit)
        search.exploration = self.exploration
        search.own_trees = self.own_trees
        search.eager = self.eager
        search.horizon = self.horizon or FOREVER
        return search


@dataclass(frozen=True)
class Task:
    """One of the searches."""

    config: SearchConfig
    seed: int
    iterations: int
    seconds: float
    roles: int
    credence: tuple[float, ...]
    """See `Search.lean`; empty for none."""


Tally = dict[int, tuple[int, float]]
"""Move -> visits and wins."""


def grow(view: View, task: Task) -> Tally:
    """Do one search."""
    rng = Rng(task.seed)
    search = task.config.search(view, view.sample(rng).move_limit)
    if task.credence:
        search.lean(task.roles, list(task.credence))
    search.run(view, rng, task.iterations, task.seconds)
    return {move: (visits, share * visits) for move, visits, share in search.table()}


def hands(processes: int) -> int:
    """How many of the processes can be had: workers of a league may have none of their own."""
    return 1 if current_process().daemon else processes


def grow_all(view: View, tasks: list[Task], processes: int) -> Tally:
    """Do the searches in that many processes, and add up what they found."""
    if processes == 1:
        return added(grow(view, task) for task in tasks)
    return added(_crew(processes).map(grow, [view] * len(tasks), tasks))


@cache
def _crew(processes: int) -> ProcessPoolExecutor:
    """Starting processes takes longer than most decisions, so they are kept."""
    return process_pool(processes)


def added(found: Iterable[Tally]) -> Tally:
    total: Tally = {}
    for tally in found:
        for move, (visits, wins) in tally.items():
            more, further = total.get(move, (0, 0.0))
            total[move] = visits + more, wins + further
    return total


def most_visited(tally: Tally) -> int:
    """Among equals the more successful, then the lowest."""
    return min(tally, key=lambda move: (-tally[move][0], -tally[move][1], move))
