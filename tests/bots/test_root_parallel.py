"""Root parallelization: the same result in any number of processes."""

from __future__ import annotations

import pickle

import pytest

from arena import play_game
from bots.ismcts.root_parallel import (
    SearchConfig,
    SearchResult,
    SearchTask,
    merged,
    most_visited,
    run_searches,
)
from bots.runtime.loading import load_bot
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.rules.state import HiddenLeaders
from games.state import Rng
from games.view import View
from tests.support.cases import Case, Table
from tests.support.playing import random_move

CONFIG = SearchConfig(exploration=0.7, tree_per_seat=False, eager_rollouts=True, horizon=24)


def mid_game(players: int, turns: int) -> HiddenLeadersView:
    """The View of the seat to move after some turns of random play."""
    table = Table[HiddenLeaders, HiddenLeadersView](Case("hidden-leaders", players, 8))
    rng = Rng(8)
    while True:
        table.fold()
        view = table.views[max(0, table.state.actor)]
        if table.state.actor >= 0 and view.turns >= turns and len(view.moves) > 2:
            return view
        random_move(table.state, rng)


def test_a_view_can_be_pickled() -> None:
    view = mid_game(4, 9)
    copy = pickle.loads(pickle.dumps(view))  # noqa: S301  (our own bytes)
    assert copy.key() == view.key()
    assert copy.moves == view.moves
    assert [copy.sample(Rng(n)).key() for n in range(5)] == [
        view.sample(Rng(n)).key() for n in range(5)
    ]


@pytest.mark.slow
def test_the_number_of_processes_does_not_change_the_result() -> None:
    view = mid_game(3, 5)
    tasks = [SearchTask(CONFIG, seed, 60, 0.0, 0, ()) for seed in range(4)]
    expected = run_searches(view, tasks, 1)
    assert run_searches(view, tasks, 2) == expected
    assert sum(visits for visits, _ in expected.stats.values()) == 240


@pytest.mark.parametrize(("processes", "seconds"), [(1, 0.2), (4, 0.8), (3, 8 / 15)])
def test_searches_of_one_process_share_the_time(
    processes: int, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[SearchTask] = []

    def run(view: View, tasks: list[SearchTask], _processes: int) -> SearchResult:
        started.extend(tasks)
        return SearchResult(dict.fromkeys(view.moves, (1, 0.0)))

    monkeypatch.setattr("bots.ismcts.bot.run_searches", run)
    view = mid_game(3, 5)
    name = f"ismcts:searches=8,processes={processes},seconds=0.2"
    load_bot(name).make(view.seat, 1).choose(view)
    assert len(started) == 8
    assert sum(task.seconds for task in started) == pytest.approx(seconds)


def test_visits_wins_and_weights_of_roles_are_added() -> None:
    one = SearchResult({1: (3, 1.5), 2: (1, 0.0)}, [0.5, 0.0, 1.0])
    other = SearchResult({1: (2, 0.5), 4: (5, 1.0)}, [0.25, 1.0, 1.0])
    stats, role_weights = merged([one, other])
    assert stats == {1: (5, 2.0), 2: (1, 0.0), 4: (5, 1.0)}
    assert role_weights == [0.75, 1.0, 2.0]
    assert most_visited(stats) == 1
    assert most_visited({3: (5, 1.0), 2: (5, 1.0)}) == 2


@pytest.mark.compiled
def test_a_bot_with_several_searches_plays_whole_games() -> None:
    bots = ["ismcts:iterations=12,searches=3,suspicion=0.3", "random"]
    result = play_game(bots, seed=2)
    assert any("in 3 searches" in reason for reason in result.reasons.values())
    assert result.replay == play_game(bots, seed=2).replay
