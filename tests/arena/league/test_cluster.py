"""Leagues on a Dask cluster: the same games, whatever happens to workers and scheduler."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.league.journal import Journal
from arena.league.outcome import Fault
from arena.league.pool import PoolBroken
from arena.sandbox.protections import protections
from games.extras import how_to_install
from tests.support.clusters import Cluster, cluster
from tests.support.command_line import RunArena
from tests.support.faulty_bots import rogue
from tests.support.leagues import (
    arena_script,
    children,
    command,
    content,
    ended,
    run,
    saved,
    wait_for_exit,
    wait_until,
    workers_of,
)
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
PLAYED = tuple[str, str]
"""The table and the games of a league."""
SLOW = {"DAWDLE": "0.05"}
WORKER_PROCESS = "arena.league.cluster.worker_process"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A scheduler with one worker that no test kills."""
    folder = tmp_path_factory.mktemp("cluster")
    with cluster(folder) as started, started.workers(SLOW) as (worker,):
        started.steady = worker.pid
        yield started


@pytest.fixture(scope="module")
def local(tmp_path_factory: pytest.TempPathFactory) -> PLAYED:
    """The league played on one machine."""
    return played(tmp_path_factory.mktemp("local") / "run.db", "--workers", "2")


def played(file: Path, *words: str) -> PLAYED:
    done = run(*LEAGUE, "--run", file, *words)
    assert done.returncode == 0
    return done.stdout, content(file)


def test_a_killed_worker_changes_nothing(shared: Cluster, local: PLAYED, file: Path) -> None:
    words = [*LEAGUE, "--run", str(file), "--cluster", shared.address]
    with shared.workers(SLOW) as (victim,), command(*words) as league:
        wait_until(lambda: saved(file) > 3 and workers_of(victim.pid, WORKER_PROCESS), "a game")
        orphans = workers_of(victim.pid, WORKER_PROCESS)
        os.kill(victim.pid, signal.SIGKILL)
        assert saved(file) < GAMES
        out, captured = league.communicate(timeout=60)
    assert league.returncode == 0
    assert (out, content(file)) == local
    assert "2 workers with 2 threads in total" in captured
    wait_for_exit(orphans)


def test_a_scheduler_without_workers_and_one_that_is_killed_are_one_sentence_and_cost_no_game(
    local: PLAYED, tmp_path: Path, file: Path
) -> None:
    with cluster(tmp_path) as lost, ExitStack() as stack:
        words = [*LEAGUE, "--run", file, "--cluster", lost.address]
        assert refused(run(*words)) == (
            f"arena: the scheduler at {lost.address} has no workers; "
            f"start one on each machine: dask worker {lost.address}"
        )
        stack.enter_context(lost.workers(SLOW))
        league = stack.enter_context(command(*words))
        wait_until(lambda: saved(file) > 3, "a game")
        lost.process.kill()
        assert refused(ended(league)) == (
            f"arena: the scheduler at {lost.address} is gone; "
            "all finished games are saved, and the same command resumes when it is back"
        )
    assert 3 < saved(file) < GAMES
    assert played(file) == local


def test_games_that_kill_their_workers_are_played_again_by_others(
    shared: Cluster, local: PLAYED, tmp_path: Path, file: Path
) -> None:
    victims = tmp_path / "victims"
    victims.mkdir()
    for number in range(2):
        (victims / str(number)).touch()
    doomed = {"VICTIMS": str(victims)}
    with shared.workers(doomed, doomed):
        assert played(file, "--cluster", shared.address) == local
    assert len(list(victims.iterdir())) < 2


def test_a_bot_that_crashes_its_process_is_charged_as_on_one_machine(
    shared: Cluster, file: Path
) -> None:
    words = ["league", "--bot", "random", "--bot", rogue("Leaver"), "--players", "2"]
    words += ["--deals", "1", "--probation", "1", "--run", str(file)]
    done = run(*words, "--cluster", shared.address)
    assert done.returncode == 0
    problem = "had its worker die 3 times while it was to move (exit code 3)"
    with Journal.read(file) as journal:
        fault = Fault(0, "died", 0, problem)
        assert journal.disqualified() == [("Leaver", 1, 0, fault)]
        assert journal.numbers() == set()
    assert f"warning: A (Leaver): {problem}" in done.stderr


def test_isolated_bots_play_on_workers_with_a_sandbox(shared: Cluster, file: Path) -> None:
    words = ["league", "--bot", "random", "--bot", rogue("Crasher"), "--no-trust", "--players"]
    words += ["2", "--deals", "1", "--run", str(file), "--cluster", shared.address]
    done = run(*words, "--require-sandbox")
    if not all(layer.in_force for layer in protections()):
        assert done.returncode == 2
        assert "this machine cannot isolate bots fully" in done.stderr
        done = run(*words)
    assert done.returncode == 0
    assert "isolated in sandboxes on the workers: Crasher" in done.stderr
    with Journal.read(file) as journal:
        assert [fault.kind for _, _, fault in journal.faults()] == ["exception", "exception"]


def test_ctrl_c_once_finishes_the_games_under_way(shared: Cluster, file: Path) -> None:
    with command(*LEAGUE, "--run", file, "--cluster", shared.address) as league:
        wait_until(lambda: saved(file) > 1, "a game")
        before = saved(file)
        os.killpg(league.pid, signal.SIGINT)
        _, captured = league.communicate(timeout=60)
    assert league.returncode == 130
    assert before < saved(file) < GAMES
    (again,) = re.findall(r"^To resume after a stop: (.*)$", captured, re.MULTILINE)
    assert again.endswith(f"--cluster {shared.address}")
    assert captured.splitlines()[-1] == f"Stopped. To resume: {again}"


@pytest.mark.parametrize("killed", [False, True], ids=["Ctrl-C twice", "SIGKILL"])
def test_a_league_stopped_at_once_leaves_its_workers_free(
    killed: bool, shared: Cluster, file: Path
) -> None:
    words = ["league", "--bot", rogue("Sleeper"), "--bot", "random", "--players", "2"]
    words += ["--run", str(file), "--cluster", shared.address]
    before = set(workers_of(shared.steady, WORKER_PROCESS))

    def started() -> set[int]:
        return set(workers_of(shared.steady, WORKER_PROCESS)) - before

    with command(*words) as league:
        wait_until(started, "a worker process")
        (at_work,) = started()
        wait_until(lambda: children(at_work), "its worker")
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
    wait_for_exit([at_work])


# ---- invalid input -------------------------------------------------------------------------------


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence with which a command failed."""
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_workers_with_a_different_arena_are_named_and_not_used(
    shared: Cluster, local: PLAYED, tmp_path: Path, file: Path
) -> None:
    edited = tmp_path / "edited"
    for name in ("arena", "bots", "games", "solver", "configs"):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, edited / name)
    for library in ROOT.glob("*.so"):
        shutil.copy(library, edited)
    with (edited / "bots" / "random_bot.py").open("a", encoding="utf-8") as source:
        source.write("# edited\n")
    empty = tmp_path / "empty"
    (empty / "arena").mkdir(parents=True)
    (empty / "arena" / "__init__.py").touch()  # also hides an installed arena
    environments = [{"PYTHONPATH": str(edited)}, {"PYTHONPATH": str(empty)}]
    with shared.workers(*environments):
        done = run(*LEAGUE, "--run", file, "--cluster", shared.address)
    assert done.stdout == local[0]
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: tcp://")]
    reasons = sorted(line.partition(" is not used: ")[2] for line in warnings)
    assert len(reasons) == 2
    assert reasons[0].startswith("its arena is missing or of another version (no module 'arena")
    assert reasons[1].endswith("its sources of the arena differ from those at home")


def test_a_different_engine_and_a_missing_bot_are_named(shared: Cluster, file: Path) -> None:
    words = ["league", "--bot", "tests/support/faulty_bots.py:Moody", "--bot", "random"]
    words += ["--run", str(file), "--cluster", shared.address]
    missing = f"it has no file 'tests/support/faulty_bots.py' (in {shared.folder})"
    assert missing in refused(run(*words))
    if os.environ.get("ARENA_PURE") != "1":
        assert "its engine is compiled, but pure at home" in refused(run(*words, ARENA_PURE="1"))


def test_a_missing_scheduler_is_named_with_the_command_that_starts_one(file: Path) -> None:
    nowhere = "tcp://127.0.0.1:9"
    assert refused(run(*LEAGUE, "--run", file, "--cluster", nowhere)) == (
        f"arena: there is no scheduler at {nowhere}; "
        "start one with `dask scheduler`, which prints its address"
    )


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("localhost", "'localhost' is not a scheduler's address; write it like tcp://HOST:8786"),
        ("tls://localhost:8786", "tls://localhost:8786 needs certificates; set distributed.comm."),
    ],
)
def test_invalid_addresses_are_refused(address: str, sentence: str) -> None:
    from arena.league.cluster.pool import connect  # noqa: PLC0415  (an extra)

    with pytest.raises(PoolBroken, match=re.escape(sentence)):
        connect(address)


def test_workers_and_cluster_exclude_each_other(arena: RunArena) -> None:
    refusal = arena(*LEAGUE, "--cluster", "tcp://localhost:8786", "--workers", "2", code=2).err
    assert "arena: --workers is for this machine; with --cluster its workers" in refusal


def test_a_missing_package_is_named(file: Path, tmp_path: Path) -> None:
    start = arena_script(tmp_path, "sys.modules['distributed'] = None")
    words = [*LEAGUE, "--run", file, "--cluster", "tcp://localhost:8786"]
    done = run(*words, START=start)
    assert refused(done) == f"arena: --cluster needs distributed; {how_to_install('cluster')}"
    assert "To resume" not in done.stderr
    assert not file.exists()
