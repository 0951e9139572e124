"""What bots print in our process never reaches a command's stdout: real processes, real pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.match.bot_output import bots_print_to_stderr
from tests.support.leagues import run
from tests.support.paths import ROOT

NOISY = """\
import atexit, ctypes, os, subprocess, sys, threading, time
from bots import Bot
print("NOISE import")
os.write(1, b"NOISE import fd\\n")
held = sys.stdout

class Noisy(Bot):
    def __init__(self, seat, rng, budget=None):
        super().__init__(seat, rng, budget)
        print("NOISE init")
        atexit.register(print, "NOISE exit")
    def start(self, view):
        print("NOISE start", file=sys.__stdout__)
    def observe(self, event):
        print("NOISE observe", file=held)
    def choose(self, view):
        print("NOISE choose", flush=True)
        os.write(1, b"NOISE fd\\n")
        ctypes.CDLL(None).puts(b"NOISE libc")
        return view.moves[0]
    def explain(self):
        print("NOISE explain")
        return "a reason"

class Starter(Noisy):
    def start(self, view):
        subprocess.run(["echo", "NOISE child"])

class Threaded(Bot):
    def start(self, view):
        def talk():
            for _ in range(20):
                print("NOISE thread")
                os.write(1, b"NOISE thread fd\\n")
                time.sleep(0.05)
        threading.Thread(target=talk).start()
    def choose(self, view):
        return view.moves[0]
"""


@pytest.fixture
def noisy(tmp_path: Path) -> str:
    file = tmp_path / "noisy.py"
    file.write_text(NOISY)
    return str(file)


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["Noisy", "Starter", "Threaded"])
@pytest.mark.parametrize("isolate", [[], ["--isolate"]], ids=["trusted", "isolated"])
def test_match_as_json_stays_json(noisy: str, bot: str, isolate: list[str]) -> None:
    if isolate and bot != "Noisy":
        pytest.skip("the sandbox allows neither processes nor threads that outlive the game")
    done = run("match", f"{noisy}:{bot}", "random", "--json", "--option", "rounds=1", *isolate)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["games"]) == 1
    assert "NOISE" not in done.stdout
    if not isolate:
        assert "NOISE" in done.stderr


def test_match_prints_its_lines_and_nothing_else(noisy: str) -> None:
    done = run("match", f"{noisy}:Noisy", "random", "--show", "--option", "rounds=1")
    assert done.returncode == 0
    assert "NOISE" not in done.stdout
    assert f"A ({noisy}:Noisy): " in done.stdout
    assert "[a reason]" in done.stdout
    assert done.stdout.splitlines()[-1].startswith(("Winner after", "Nobody wins after"))
    for what in [
        "import",
        "import fd",
        "init",
        "start",
        "observe",
        "choose",
        "fd",
        "libc",
        "explain",
        "exit",
    ]:
        assert f"NOISE {what}\n" in done.stderr


def test_a_reader_that_leaves_early_is_no_internal_error(noisy: str) -> None:
    words = [sys.executable, "-m", "arena", "match", f"{noisy}:Noisy", "random", "--show"]
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" 2>/dev/null | head -n 1', "sh", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_compare_as_json_stays_json(noisy: str, workers: str) -> None:
    words = ("compare", f"{noisy}:Noisy", "random", "--json", "--deals", "2", "--workers", workers)
    done = run(*words)
    assert done.returncode == 4, done.stderr
    assert json.loads(done.stdout)["games"] == 4
    assert "NOISE choose" in done.stderr


@pytest.mark.slow
def test_check_as_json_stays_json(noisy: str) -> None:
    done = run("check", f"{noisy}:Noisy", "--json", "--players", "2", "--games", "1")
    assert json.loads(done.stdout)["bot"] == f"{noisy}:Noisy"


@pytest.mark.slow
def test_the_table_of_a_league_stays_clean(noisy: str, tmp_path: Path) -> None:
    bots = ("--bot", f"{noisy}:Noisy as noisy", "--bot", "random")
    short = ("--deals", "1", "--players", "2", "--option", "rounds=1", "--workers", "1")
    done = run("league", *bots, *short, "--run", tmp_path / "run.db")
    assert done.returncode == 0, done.stderr
    assert "NOISE choose" not in done.stdout
    assert "NOISE fd" not in done.stdout


@pytest.mark.parametrize("closed", [1, 2])
def test_a_closed_stream_is_no_problem(noisy: str, closed: int) -> None:
    words = [sys.executable, "-m", "arena", "match", f"{noisy}:Noisy", "random"]
    line = f'"$@" --option rounds=1 {closed}>&-'
    done = subprocess.run(
        ["/bin/sh", "-c", line, "sh", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "NOISE" not in done.stdout
    assert "Traceback" not in done.stderr


def test_stdout_is_as_before_afterwards(capfd: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout
    with bots_print_to_stderr() as ours:
        print("a bot")
        os.write(1, b"its library\n")
        print("the command", file=ours)
    assert sys.stdout is before
    print("later", flush=True)
    os.write(1, b"and later\n")
    out, err = capfd.readouterr()
    assert sorted(out.splitlines()) == ["and later", "later", "the command"]
    assert sorted(err.splitlines()) == ["a bot", "its library"]
