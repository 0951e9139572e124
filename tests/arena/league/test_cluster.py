"""Leagues on several machines: the same games, whatever happens to the machines."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.league.journal import Journal
from arena.league.outcome import Fault
from arena.sandbox.policy import protections
from tests.arena.league.test_killing import gone, kept
from tests.support.clusters import Cluster, cluster, offspring, wait_until
from tests.support.faulty_bots import rogue
from tests.support.leagues import command, command_line, content, ended, run
from tests.support.paths import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
    pytest.mark.skipif(
        importlib.util.find_spec("distributed") is None,
        reason="needs Dask distributed: pip install '.[cluster]'",
    ),
]

BOTS = ["--bot", "random", "--bot", "greedy:depth=1", "--bot", rogue("Assassin")]
LEAGUE = ["league", *BOTS, "--players", "2,3", "--deals", "8", "--option", "rounds=1"]
GAMES = 72
SLOW = {"DAWDLE": "0.05"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler with one worker that nobody kills."""
    with cluster(tmp_path_factory.mktemp("cluster")) as found, found.workers(SLOW) as (worker,):
        found.steady = worker.pid
        yield found


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Table and games of the league as this machine plays it alone."""
    file = tmp_path_factory.mktemp("local") / "run.db"
    done = run(*LEAGUE, "--workers", "2", "--run", file)
    assert done.returncode == 0
    return done.stdout, content(file)


def stations(pid: int) -> list[int]:
    """The processes that play for a worker."""
    return [
        one for one in offspring(pid) if "arena.league.cluster.worker_process" in command_line(one)
    ]


def test_a_worker_killed_in_the_middle_changes_nothing(
    shared: Cluster, local: tuple[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "run.db"
    words = [*LEAGUE, "--run", str(file), "--cluster", shared.address]
    with shared.workers(SLOW) as (victim,), command(*words) as league:
        wait_until(lambda: kept(file) > 3 and stations(victim.pid), "a game")
        orphans = stations(victim.pid)
        os.kill(victim.pid, signal.SIGKILL)
        assert kept(file) < GAMES
        out, captured = league.communicate(timeout=60)
    assert league.returncode == 0
    assert (out, content(file)) == local
    assert "2 workers with 2 threads in all" in captured
    assert gone(orphans)


def test_a_lost_scheduler_is_one_sentence_and_loses_no_game(
    local: tuple[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "run.db"
    with (
        cluster(tmp_path) as lost,
        lost.workers(SLOW),
        command(*LEAGUE, "--run", file, "--cluster", lost.address) as league,
    ):
        wait_until(lambda: kept(file) > 3, "a game")
        lost.process.kill()
        _, captured = league.communicate(timeout=60)
    assert league.returncode == 2
    assert captured.splitlines()[-1] == (
        f"arena: the scheduler at {lost.address} is gone; "
        "every finished game is kept, and the same command goes on when it is back"
    )
    assert "Traceback" not in captured
    assert 3 < kept(file) < GAMES
    done = run(*LEAGUE, "--run", file)
    assert (done.stdout, content(file)) == local


def test_games_that_kill_their_workers_are_played_again_by_others(
    shared: Cluster, local: tuple[str, str], tmp_path: Path
) -> None:
    victims = tmp_path / "victims"
    victims.mkdir()
    for number in range(2):
        (victims / str(number)).touch()
    doomed = {"VICTIMS": str(victims)}
    file = tmp_path / "run.db"
    with shared.workers(doomed, doomed):
        done = run(*LEAGUE, "--run", file, "--cluster", shared.address)
    assert done.returncode == 0
    assert len(list(victims.iterdir())) < 2
    assert (done.stdout, content(file)) == local


def test_a_bot_that_takes_processes_down_is_judged_as_at_home(
    shared: Cluster, tmp_path: Path
) -> None:
    file = tmp_path / "run.db"
    words = ["league", "--bot", "random", "--bot", rogue("Leaver"), "--players", "2"]
    words += ["--deals", "1", "--probation", "1", "--run", str(file)]
    done = run(*words, "--cluster", shared.address)
    assert done.returncode == 0
    problem = "its worker ended 3 times while it was asked (exit code 3)"
    with Journal.read(file) as journal:
        assert journal.faults() == [(0, "Leaver", Fault(1, "died", 0, problem))]
        assert journal.forfeits() == [(1, "Leaver")]
    assert f"warning: game 0: B (Leaver): {problem}" in done.stderr


def test_isolated_bots_play_on_workers_that_can_keep_them_in(
    shared: Cluster, tmp_path: Path
) -> None:
    file = tmp_path / "run.db"
    words = ["league", "--bot", "random", "--bot", rogue("Crasher"), "--no-trust", "--players"]
    words += ["2", "--deals", "1", "--run", str(file), "--cluster", shared.address]
    done = run(*words, "--require-sandbox")
    if not all(one.in_force for one in protections()):
        assert done.returncode == 2
        assert "cannot keep bots in as required" in done.stderr
        done = run(*words)
    assert done.returncode == 0
    assert "isolated in sandboxes on the workers: Crasher" in done.stderr
    with Journal.read(file) as journal:
        assert [fault.kind for _, _, fault in journal.faults()] == ["exception", "exception"]


def test_ctrl_c_once_finishes_the_games_under_way(shared: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    with command(*LEAGUE, "--run", file, "--cluster", shared.address) as league:
        wait_until(lambda: kept(file) > 1, "a game")
        before = kept(file)
        os.killpg(league.pid, signal.SIGINT)
        _, captured = league.communicate(timeout=60)
    assert league.returncode == 130
    assert before < kept(file) < GAMES
    again = captured.splitlines()[0].partition(": ")[2]
    assert again.endswith(f"--cluster {shared.address}")
    assert captured.splitlines()[-1] == f"Stopped. To resume: {again}"


@pytest.mark.parametrize("killed", [False, True], ids=["Ctrl-C twice", "SIGKILL"])
def test_a_league_stopped_at_once_leaves_its_workers_free(
    killed: bool, shared: Cluster, tmp_path: Path
) -> None:
    words = ["league", "--bot", rogue("Sleeper"), "--bot", "random", "--players", "2"]
    words += ["--run", str(tmp_path / "run.db"), "--cluster", shared.address]
    before = stations(shared.steady)
    with command(*words) as league:
        wait_until(lambda: set(stations(shared.steady)) - set(before), "a station")
        (at_work,) = set(stations(shared.steady)) - set(before)
        wait_until(lambda: offspring(at_work), "a player")
        time.sleep(0.5)
        if killed:
            league.kill()
        else:
            os.killpg(league.pid, signal.SIGINT)
            time.sleep(0.5)
            assert league.poll() is None
            os.killpg(league.pid, signal.SIGINT)
        _, captured = league.communicate(timeout=60)
    assert league.returncode == (-signal.SIGKILL if killed else 130)
    assert "Traceback" not in captured
    assert gone([at_work])


# ---- what can be wrong --------------------------------------------------------------------------


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence in which a command has given up."""
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_workers_with_another_arena_are_named_and_not_used(
    shared: Cluster, local: tuple[str, str], tmp_path: Path
) -> None:
    edited = tmp_path / "edited"
    for name in ("arena", "bots", "games", "solver", "configs"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, edited / name)
    for library in ROOT.glob("*.so"):
        shutil.copy(library, edited)
    with (edited / "bots" / "random_bot.py").open("a", encoding="utf-8") as file:
        file.write("# edited\n")
    empty = tmp_path / "empty"
    (empty / "arena").mkdir(parents=True)
    (empty / "arena" / "__init__.py").touch()  # also hides an arena that is installed
    misfits = [{"PYTHONPATH": str(edited)}, {"PYTHONPATH": str(empty)}]
    with shared.workers(*misfits):
        done = run(*LEAGUE, "--run", tmp_path / "run.db", "--cluster", shared.address)
    assert done.stdout == local[0]
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: tcp://")]
    reasons = sorted(line.partition(" is not used: ")[2] for line in warnings)
    assert len(reasons) == 2
    assert reasons[0].startswith("its arena is missing, or another version (no module 'arena")
    assert reasons[1].endswith("its sources of the arena are not those at home")


def test_another_engine_and_a_bot_that_is_not_there_are_named(
    shared: Cluster, tmp_path: Path
) -> None:
    words = ["league", "--bot", "tests/support/faulty_bots.py:Moody", "--bot", "random"]
    words += ["--run", str(tmp_path / "run.db"), "--cluster", shared.address]
    said = refused(run(*words))
    assert (
        f"it has no file 'tests/support/faulty_bots.py' (looked for from {shared.folder})" in said
    )
    if os.environ.get("ARENA_PURE") != "1":
        assert "its engine is compiled, and pure at home" in refused(run(*words, ARENA_PURE="1"))


def test_nobody_there_is_said_with_the_command_that_helps(tmp_path: Path) -> None:
    nowhere = "tcp://127.0.0.1:9"
    with (
        cluster(tmp_path) as found,
        command(*LEAGUE, "--run", tmp_path / "one.db", "--cluster", found.address) as idle,
        command(*LEAGUE, "--run", tmp_path / "two.db", "--cluster", nowhere) as lost,
    ):
        assert refused(ended(idle)) == (
            f"arena: the scheduler at {found.address} has no workers; "
            f"start one on each machine: dask worker {found.address}"
        )
        assert refused(ended(lost)) == (
            f"arena: there is no scheduler at {nowhere}: "
            "start one with `dask scheduler`, which prints its address"
        )


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    words = [*LEAGUE, "--run", tmp_path / "run.db", "--cluster"]
    assert refused(run(*words, "localhost")) == (
        "arena: a scheduler's address is like tcp://HOST:8786, not 'localhost'"
    )
    assert refused(run(*words, "tls://localhost:8786")) == (
        "arena: tls://localhost:8786 needs certificates: set distributed.comm.tls of Dask's config"
    )
    assert refused(run(*words, "tcp://localhost:8786", "--workers", "2")) == (
        "arena: --workers is for this machine; with --cluster its workers play"
    )


def test_without_the_extra_it_is_named(tmp_path: Path) -> None:
    start = tmp_path / "without.py"
    start.write_text(
        "import sys\nsys.modules['distributed'] = None\n"
        "from arena.cli.main import main\nif __name__ == '__main__':\n    main()\n",
        encoding="utf-8",
    )
    words = [*LEAGUE, "--run", tmp_path / "run.db", "--cluster", "tcp://localhost:8786"]
    assert refused(run(*words, START=str(start))) == (
        "arena: --cluster needs the package 'distributed': "
        "pip install 'hidden-leaders-arena[cluster]'"
    )
