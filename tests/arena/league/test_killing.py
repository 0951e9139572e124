"""A league killed at any moment resumes, with the same result as an undisturbed one."""

import os
import random
import signal
import sys
import time
from pathlib import Path

import pytest

from arena.league.database import BadRun
from arena.league.journal import Journal
from tests.support.clusters import wait_until
from tests.support.faulty_bots import rogue
from tests.support.leagues import command, run, workers_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
]

KILLS = 24
BOTS = ["--bot", rogue("Dawdler"), "--bot", "random", "--bot", rogue("Moody")]
LEAGUE = ["league", *BOTS, "--players", "2", "--deals", "150", "--option", "rounds=1"]
WORKERS = ["--workers", "2"]


def saved(file: Path) -> int:
    """The number of games in the run so far."""
    try:
        with Journal.read(file) as journal:
            return len(journal.numbers())
    except BadRun:
        return 0  # not started


def gone(pids: list[int]) -> bool:
    """Whether the processes end within half a minute."""
    deadline = time.monotonic() + 30
    while alive := any(Path(f"/proc/{pid}").exists() for pid in pids):
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    return not alive


def test_kills_at_random_moments_change_nothing(tmp_path: Path) -> None:
    whole = run(*LEAGUE, *WORKERS, "--probation", 5, "--run", tmp_path / "whole.db")
    assert whole.returncode == 0
    dice = random.Random(4)
    file = tmp_path / "run.db"
    killed = {"league": 0, "worker": 0}
    while sum(killed.values()) < KILLS:
        # Slow enough that the league is not complete before the last kill.
        with command(*LEAGUE, *WORKERS, "--probation", 5, "--run", file, DAWDLE="0.05") as league:
            dead = False
            while not dead and sum(killed.values()) < KILLS:
                # Mostly while games are played, sometimes while workers are still starting.
                if dice.random() < 0.35:
                    wait_for_games(file, saved(file) + 1)
                time.sleep(dice.uniform(0.0, 0.12))
                assert league.poll() is None
                workers = workers_of(league.pid)
                dead = not workers or dice.random() < 0.2
                os.kill(league.pid if dead else dice.choice(workers), signal.SIGKILL)
                killed["league" if dead else "worker"] += 1
            assert not dead or gone(workers)
    assert min(killed.values()) >= 4
    assert 0 < saved(file) < 900
    resumed = run(*LEAGUE, *WORKERS, "--probation", 5, "--run", file)
    assert resumed.returncode == 0
    assert resumed.stdout == whole.stdout
    with Journal.read(file) as journal, Journal.read(tmp_path / "whole.db") as undisturbed:
        assert journal.played() == undisturbed.played()
        assert journal.content_digest() == undisturbed.content_digest()


def wait_for_games(file: Path, games: int) -> None:
    """Wait until that many games are saved."""
    wait_until(lambda: saved(file) >= games, f"game {games}")


def test_ctrl_c_once_finishes_the_games_under_way_and_prints_how_to_resume(tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    words = ["league", "--bot", rogue("Dawdler"), "--bot", "random", "--players", "2"]
    words += ["--deals", "15", "--option", "rounds=1", *WORKERS, "--run", str(file)]
    with command(*words, DAWDLE="0.5") as league:
        wait_for_games(file, 2)
        before = saved(file)
        time.sleep(0.2)  # the next games are under way
        os.killpg(league.pid, signal.SIGINT)
        _, captured = league.communicate(timeout=60)
    assert league.returncode == 130
    lines = captured.splitlines()
    assert lines[0].startswith("To resume after a stop: arena league --bot ")
    again = lines[0].partition(": ")[2]
    assert lines[-1] == f"Stopped. To resume: {again}"
    assert "finishing the games in progress; Ctrl-C again stops at once" in captured
    assert "Traceback" not in captured
    assert saved(file) > before
    assert f"{saved(file)} of 30 games are saved in {file}" in captured
    done = run(*words)
    assert done.returncode == 0
    assert saved(file) == 30


def test_ctrl_c_twice_stops_at_once(tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    words = ["league", "--bot", rogue("Sleeper"), "--bot", "random", "--players", "2"]
    words += ["--deals", "50", *WORKERS, "--run", str(file)]
    with command(*words) as league:
        wait_until(lambda: len(workers_of(league.pid)) == 2, "two workers")
        workers = workers_of(league.pid)
        time.sleep(1.0)
        os.killpg(league.pid, signal.SIGINT)
        time.sleep(0.5)
        assert league.poll() is None
        os.killpg(league.pid, signal.SIGINT)
        _, captured = league.communicate(timeout=30)
    assert league.returncode == 130
    assert f"0 of 100 games are saved in {file}" in captured
    assert "Traceback" not in captured
    assert gone(workers)


def test_a_second_league_on_the_same_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    with command(*LEAGUE, *WORKERS, "--run", file, DAWDLE="0.2") as league:
        wait_for_games(file, 1)
        second = run(*LEAGUE, *WORKERS, "--run", file)
        assert second.returncode == 2
        assert f"{file} is in use by another league" in second.stderr
        assert league.poll() is None


def test_a_full_disk_ends_the_league_with_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "run.db"
    limited = "import resource, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (150_000,) * 2)\n"
    start = tmp_path / "limited.py"
    start.write_text(
        limited + "from arena.cli.main import main\nif __name__ == '__main__':\n    main()\n",
        encoding="utf-8",
    )
    words = [*LEAGUE[1:], *WORKERS, "--run", str(file)]
    # Slow enough that the first games fit, however fast the machine is.
    done = run("league", *words, START=str(start), DAWDLE="0.005")
    assert done.returncode == 2
    assert "games saved before are safe" in done.stderr
    assert "Traceback" not in done.stderr
    safe = saved(file)
    assert 0 < safe < 900
    assert run("league", *words).returncode == 0
    assert saved(file) == 900
