"""A league killed at any moment resumes, with the same result as an undisturbed one."""

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.league.journal import Journal
from tests.support.faulty_bots import rogue
from tests.support.leagues import (
    arena_script,
    command,
    content,
    run,
    saved,
    wait_for_exit,
    wait_until,
    workers_of,
)
from tests.support.volume import volume

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc"),
]

KILLS = volume(50)
PAIR = ["--bot", "random", "--players", "2", "--option", "rounds=1", "--workers", "2"]
LEAGUE = ["league", *PAIR, "--bot", rogue("Dawdler"), "--bot", rogue("Moody"), "--deals", "100"]
GAMES = 200  # without Moody, who is disqualified


def wait_for_games(file: Path, games: int) -> None:
    wait_until(lambda: saved(file) >= games, f"game {games}")


def test_kills_at_random_moments_change_nothing(tmp_path: Path, file: Path) -> None:
    words = [*LEAGUE, "--probation", "5", "--run"]
    whole = run(*words, tmp_path / "whole.db")
    assert whole.returncode == 0
    dice = random.Random(4)
    killed = {"league": 0, "worker": 0}
    while sum(killed.values()) < KILLS:
        # Slow enough that the league is not complete before the last kill.
        with command(*words, file, DAWDLE="0.05") as league:
            dead = False
            while not dead and sum(killed.values()) < KILLS:
                # Often while workers are still starting, sometimes while games are played.
                if dice.random() < 0.2:
                    wait_for_games(file, saved(file) + 1)
                time.sleep(dice.uniform(0.0, 0.08))
                assert league.poll() is None
                workers = workers_of(league.pid)
                dead = not workers or dice.random() < 0.15
                os.kill(league.pid if dead else dice.choice(workers), signal.SIGKILL)
                killed["league" if dead else "worker"] += 1
            if dead:
                wait_for_exit(workers)
    assert min(killed.values()) >= KILLS * 8 // 50
    assert 0 < saved(file) < GAMES
    resumed = run(*words, file)
    assert resumed.returncode == 0
    assert resumed.stdout == whole.stdout
    with Journal.read(file) as journal, Journal.read(tmp_path / "whole.db") as undisturbed:
        assert journal.played() == undisturbed.played()
    assert content(file) == content(tmp_path / "whole.db")


def test_ctrl_c_once_finishes_the_games_under_way_and_prints_how_to_resume(file: Path) -> None:
    words = ["league", *PAIR, "--bot", rogue("Dawdler"), "--deals", "15", "--run", str(file)]
    with command(*words, DAWDLE="0.5") as league:
        wait_for_games(file, 2)
        before = saved(file)
        time.sleep(0.2)  # the next games are under way
        os.killpg(league.pid, signal.SIGINT)
        _, captured = league.communicate(timeout=60)
    assert league.returncode == 130
    lines = captured.splitlines()
    (first,) = [line for line in lines if line.startswith("To resume after a stop: arena ")]
    again = first.partition(": ")[2]
    assert lines[-1] == f"Stopped. To resume: {again}"
    assert "finishing the games in progress; Ctrl-C again stops at once" in captured
    assert "Traceback" not in captured
    assert saved(file) > before
    assert f"{saved(file)} of 30 games are saved in {file}" in captured
    assert run(*words).returncode == 0
    assert saved(file) == 30


@pytest.mark.parametrize(
    ("send", "number", "code"),
    [(os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, 143)],
    ids=["ctrl-c", "sigterm"],
)
def test_a_second_signal_stops_at_once(
    file: Path, tmp_path: Path, send: Callable[[int, int], None], number: int, code: int
) -> None:
    words = ["league", *PAIR, "--bot", rogue("Sleeper"), "--deals", "50", "--run", str(file)]
    (asleep := tmp_path / "asleep").mkdir()
    with command(*words, SLEEPERS=str(asleep)) as league:
        wait_until(lambda: len(list(asleep.iterdir())) == 2, "two workers in a game")
        workers = workers_of(league.pid)
        send(league.pid, number)
        time.sleep(0.5)
        assert league.poll() is None
        send(league.pid, number)
        _, captured = league.communicate(timeout=30)
    assert league.returncode == code
    assert f"0 of 100 games are saved in {file}" in captured
    assert "Stopped. To resume: " in captured
    assert "Traceback" not in captured
    assert "leaked" not in captured
    wait_for_exit(workers)


@pytest.mark.parametrize("group", [False, True], ids=["league", "group"])
def test_sigterm_stops_like_ctrl_c(file: Path, group: bool) -> None:
    """As `docker stop` sends it to the league, and `timeout` or systemd to the workers as well."""
    words = ["league", *PAIR, "--bot", rogue("Dawdler"), "--deals", "15", "--run", str(file)]
    with command(*words, DAWDLE="0.5") as league:
        wait_for_games(file, 2)
        before, workers = saved(file), workers_of(league.pid)
        time.sleep(0.2)  # the next games are under way
        (os.killpg if group else os.kill)(league.pid, signal.SIGTERM)
        _, captured = league.communicate(timeout=60)
    assert league.returncode == 143
    lines = captured.splitlines()
    assert lines[-1].startswith("Stopped. To resume: arena league --bot random ")
    assert "finishing the games in progress; SIGTERM again stops at once" in captured
    assert "Traceback" not in captured
    assert "leaked" not in captured
    assert saved(file) > before or group
    assert f"{saved(file)} of 30 games are saved in {file}" in captured
    wait_for_exit(workers)
    assert run(*words).returncode == 0
    assert saved(file) == 30


def test_sigterm_while_workers_start_leaves_nothing_behind(file: Path) -> None:
    with command(*LEAGUE, "--run", file) as league:
        wait_until(lambda: workers_of(league.pid), "a worker")
        workers = workers_of(league.pid)
        league.terminate()
        _, captured = league.communicate(timeout=30)
    assert league.returncode == 143
    assert "Traceback" not in captured
    assert "leaked" not in captured
    wait_for_exit(workers)


def test_a_second_league_on_the_same_run_is_refused(file: Path) -> None:
    with command(*LEAGUE, "--run", file, DAWDLE="0.2") as league:
        wait_for_games(file, 1)
        second = run(*LEAGUE, "--run", file)
        assert second.returncode == 2
        assert f"{file} is in use by another league" in second.stderr
        assert league.poll() is None


def test_a_full_disk_ends_the_league_with_one_sentence(tmp_path: Path, file: Path) -> None:
    start = arena_script(tmp_path, "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000,) * 2)")
    # Slow enough that the first games fit, however fast the machine is.
    done = run(*LEAGUE, "--run", file, START=start, DAWDLE="0.005")
    assert done.returncode == 2
    assert "games saved before are safe" in done.stderr
    assert "Traceback" not in done.stderr
    assert 0 < saved(file) < GAMES
    assert run(*LEAGUE, "--run", file).returncode == 0
    assert saved(file) == GAMES
