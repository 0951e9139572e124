"""`--browser`: commands that open a page instead of talking in the terminal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from arena.cli.browser import open_page
from games.replay import read_replay
from solver.puzzles.files import PUZZLE_FOLDER

pytestmark = pytest.mark.slow
PATIENCE = 60
CRASHER = '''\
from bots import Bot
from games import View


class Crasher(Bot):
    """Gives up at its second decision."""

    asked = 0

    def choose(self, view: View) -> int:
        self.asked += 1
        if self.asked > 1:
            raise RuntimeError("no more ideas")
        return view.moves[0]
'''


@contextmanager
def started(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command with a page, and the address of the page; Ctrl-C ends it."""
    hidden = {"DISPLAY", "WAYLAND_DISPLAY"}
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=folder,
        env={**env, "XDG_DATA_HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if found := re.search(r"Open in a browser: (http://127\.0\.0\.1:\d+\S+)", line):
                yield process, found[1]
                return
        pytest.fail("the command named no address")
    finally:
        process.kill()
        process.wait(PATIENCE)
        process.stdout.close()


def read(address: str) -> str:
    with urlopen(address, timeout=PATIENCE) as answer:  # noqa: S310
        return str(answer.read().decode())


def press_ctrl_c(process: subprocess.Popen[str]) -> int:
    process.send_signal(signal.SIGINT)
    return process.wait(PATIENCE)


def test_play_opens_the_table_and_ctrl_c_saves_the_replay(tmp_path: Path) -> None:
    words = ("play", "--browser", "--seed", "4", "--seat", "B", "--replay", "game.jsonl")
    with started(tmp_path, *words) as (process, address):
        state = json.loads(read(f"{address}/state"))
        assert state["observer"] == 1
        assert state["choices"]
        assert press_ctrl_c(process) == 0
    replay = read_replay((tmp_path / "game.jsonl").read_text(encoding="utf-8"))
    assert replay.extra["seed"] == 4


def test_a_bot_that_crashes_says_so_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "crasher.py").write_text(CRASHER, encoding="utf-8")
    words = ("play", "--browser", "--seed", "4", "--bots", "crasher.py:Crasher,greedy")
    with started(tmp_path, *words) as (_, address):
        state = json.loads(read(f"{address}/state"))
        for _ in range(60):
            said = [each["text"] for each in state["story"] if "failed" in each["text"]]
            if said and state["story"][-1]["text"] != said[0]:
                break
            state = choose(address, state["choices"][0]["move"])
    assert "B (crasher.py:Crasher) failed: " in said[0]
    assert "no more ideas" in said[0]
    assert said[0].endswith("greedy takes over its seat")
    assert state["problem"] == ""
    assert state["choices"] or state["over"]


def choose(address: str, move: int) -> dict[str, list[dict[str, object]]]:
    origin = re.match(r"http://[^/]+", address)
    assert origin is not None
    request = Request(  # noqa: S310
        f"{address}/choose",
        json.dumps({"move": move}).encode(),
        {"Content-Type": "application/json", "Origin": origin[0]},
    )
    with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
        state: dict[str, list[dict[str, object]]] = json.load(answer)
        return state


def test_the_list_of_puzzles_opens_with_its_filters(tmp_path: Path) -> None:
    words = ("puzzles", "--browser", "--level", "2", "--game", "secrets")
    with started(tmp_path, *words) as (process, address):
        assert address.endswith("/puzzles?game=secrets&level=2")
        assert "Hidden Leaders, " not in read(address)
        assert press_ctrl_c(process) == 0


def test_a_puzzle_of_one_s_own_is_tried_in_the_browser(tmp_path: Path) -> None:
    puzzle = (PUZZLE_FOLDER / "doubt.toml").read_text(encoding="utf-8")
    mine = re.sub('title = ".*"', 'title = "My very own"', puzzle)
    (tmp_path / "mine.toml").write_text(mine, encoding="utf-8")
    with started(tmp_path, "puzzles", "try", "mine.toml", "--browser") as (process, address):
        assert address.endswith("/puzzles/mine")
        assert "My very own" in read(address)
        assert press_ctrl_c(process) == 0


def test_a_league_s_page_follows_it_and_stays_until_ctrl_c(tmp_path: Path) -> None:
    bots = ("--bot", "random", "--bot", "random as other", "--players", "2", "--deals", "2")
    with started(tmp_path, "league", *bots, "--run", "mine.db", "--browser") as (process, address):
        assert address.endswith("/runs/mine")
        assert process.stdout is not None
        for line in process.stdout:
            if "stay at" in line:
                break
        assert "4 of 4 games played" in read(address)
        assert press_ctrl_c(process) == 0
        with pytest.raises(OSError, match="refused"):
            read(address)


def test_the_page_s_server_ends_with_a_league_that_is_killed(tmp_path: Path) -> None:
    bots = ("--bot", "random", "--bot", "random as other", "--players", "2", "--deals", "2")
    with started(tmp_path, "league", *bots, "--run", "mine.db", "--browser") as (process, address):
        process.kill()
        process.wait(PATIENCE)
        for _ in range(600):
            try:
                read(address)
            except OSError:
                return
    pytest.fail("the server outlived the league")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["league", "quick", "--browser", "--dry-run"], "--browser follows games"),
        (["league", "quick", "--browser", "--run", "x.sqlite"], "a run file that ends in .db"),
        (["puzzles", "try", "nonsense", "--browser"], "there is no puzzle 'nonsense'"),
        (["play", "--browser", "--seat", "F"], "there is no seat 'F'"),
    ],
)
def test_what_cannot_be_opened_is_said(words: list[str], problem: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "arena", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=tmp_path
    )
    assert done.returncode == 2
    assert problem in done.stderr


def test_a_league_that_no_page_can_follow_is_refused_before_its_games_are_moved(
    tmp_path: Path,
) -> None:
    (tmp_path / "x.sqlite").write_bytes(b"")
    words = ["league", "quick", "--browser", "--restart", "--run", "x.sqlite"]
    command = [sys.executable, "-m", "arena", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=tmp_path
    )
    assert done.returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["x.sqlite"]
    assert done.stderr.startswith("arena: --browser needs a run file that ends in .db")


def test_a_browser_is_opened_only_where_windows_are(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def note(page: str) -> bool:
        opened.append(page)
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not open_page("http://here/")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert open_page("http://here/")
    assert opened == ["http://here/"]
