"""`arena review` and `arena standings --review`."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena import play_game
from games.engine import COMPILED
from games.replay import write_replay
from tests.support.command_line import RunArena, check_refusal
from tests.support.json_schema import problems, schemas
from tests.support.leagues import command, play, small
from tests.support.paths import ROOT
from tests.support.reviewed_games import CERTAIN_WIN, lost_game_from

CRASHING = """
from bots import Bot
class Crashing(Bot):
    def choose(self, view):
        if view.decisions > 12:
            raise ValueError("no idea")
        return view.moves[0]
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replays") / "game.jsonl"
    path.write_text(write_replay(play_game(["greedy", "random", "random"], seed=3).replay))
    return path


@pytest.fixture(scope="module")
def missed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replays") / "missed.jsonl"
    path.write_text(write_replay(lost_game_from(CERTAIN_WIN, "do nothing")))
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run.db"
    play(path, small("random", "greedy:depth=1 as hasty", players=2, options=[]))
    return path


def test_the_move_that_lost_the_game_is_named_first(missed: Path, arena: RunArena) -> None:
    lines = arena("review", str(missed), "--turns", "99", "--iterations", "40").lines
    assert lines[0].startswith("A lost the game with move ")
    assert any(line.startswith("Move ") and line.endswith("??") for line in lines)
    assert any("what followed: " in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_game_of_a_run(run: Path, arena: RunArena) -> None:
    words = ("review", str(run), "0", "--turns", "2", "--iterations", "20")
    text = " ".join(arena(*words, "--all", "--hindsight").out.split())
    assert f"game 0 of {run}" in text
    assert "Hindsight: as if all cards had been open" in text
    alone = json.loads(arena(*words, "--json", "--seat", "b").out)
    assert {one["seat"] for one in alone["decisions"]} <= {"B"}
    assert problems(alone, schemas()["arena-review"]) == []


@pytest.mark.slow
def test_a_game_that_a_fault_has_ended(folder: Path, arena: RunArena) -> None:
    (folder / "crashing.py").write_text(CRASHING)
    league = "league --bot greedy --bot crashing.py:Crashing --players 2 --deals 1 --workers 1"
    arena(*league.split(), "--run", "run.db", "--trust")
    words = ("review", "run.db", "0", "--iterations", "10")
    report = json.loads(arena(*words, "--json").out)
    assert "ValueError: no idea" in report["fault"]
    assert report["verdict"].endswith("lost the game by a fault, not by a move.")
    assert report["lost_at"] is None
    assert report["decisions"]


def test_a_review_stopped_by_the_clock_prints_what_is_known(file: Path, arena: RunArena) -> None:
    text = " ".join(arena("review", str(file), "--seconds", "0.001", code=1).out.split())
    assert " were not reviewed." in text
    assert re.search(r"Stopped early: the first (\d+) of \d+ were not reviewed\.", text)
    assert ("No decision was reviewed." in text) == ("Reviewed: 0 decisions" in text)
    assert "In no decision did the moves differ" not in text


@pytest.mark.slow
def test_ctrl_c_prints_what_is_known(file: Path) -> None:
    words = ("review", str(file), "--turns", "999", "--iterations", "3000", "--json")
    with command(*words, START=_pressing_ctrl_c(file.parent)) as process:
        out, err = process.communicate(timeout=120)
    report = json.loads(out)
    assert (process.returncode, report["complete"]) == (1, False), err
    assert len(report["decisions"]) >= 1


def _pressing_ctrl_c(folder: Path) -> str:
    """A script that runs `arena` and presses Ctrl-C once a decision has been reviewed."""
    script = folder / "start.py"
    script.write_text(
        "import os, signal\n"
        "from arena.cli.main import main\n"
        "from arena.review import reviewer\n"
        "review = reviewer._review\n"
        "def pressing(*words):\n"
        "    try:\n"
        "        return review(*words)\n"
        "    finally:\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "reviewer._review = pressing\n"
        "main()\n"
    )
    return str(script)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="compares the compiled engine with the pure one")
def test_both_engines_print_the_same_review(missed: Path, arena: RunArena) -> None:
    words = ("review", str(missed), "--turns", "99", "--iterations", "10", "--hindsight", "--json")
    pure = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        cwd=ROOT,
        env={**os.environ, "ARENA_PURE": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    assert pure.stdout == arena(*words).out


REFUSED = [
    ("review {run}", "; give the number of one"),
    ("review {run} 999", "has no game 999; it has"),
    ("review {file} 3", "is a replay, which has only one game: omit 3"),
    ("review {file} --seat D", "there is no seat 'D'; seats are A, B, C"),
    ("review {file} --turns 0", "0 is not in the range x>=1"),
    ("review {file} --seconds nan", "is not a finite number"),
    ("review nothing.jsonl", "there is no file 'nothing.jsonl'; name a run file or a replay"),
    ("standings {run} --review --csv", "--csv has no columns for --review; use --json"),
    ("standings {results} --review", "--review needs the moves of the games"),
]


@pytest.mark.parametrize(("line", "problem"), REFUSED, ids=[line for line, _ in REFUSED])
def test_bad_input_is_one_sentence(
    line: str, problem: str, file: Path, run: Path, tmp_path: Path, arena: RunArena
) -> None:
    if "{results}" in line:
        arena("export", str(run), str(tmp_path / "out"))
    files = {"file": file, "run": run, "results": tmp_path / "out" / "results.jsonl"}
    check_refusal(arena(*line.format(**files).split(), code=2), problem)


# ---- standings ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_standings_with_a_review(run: Path, arena: RunArena) -> None:
    words = ("standings", str(run), "--review", "--games", "2", "--workers")
    text = arena(*words, "1").out
    assert "Review of 2 of 4 games" in text
    assert "decisions  kept, %" in text
    report = json.loads(arena(*words, "2", "--json").out)
    review = report["review"]
    assert (review["games"], review["of"]) == (2, 4)
    assert {bot["bot"] for bot in review["bots"]} == {"random", "hasty"}
    for bot in review["bots"]:  # workers do not change the result
        assert f" {100 * bot['accuracy']:.1f} {bot['loss']:.4f} " in " ".join(text.split())
    assert problems(report, schemas()["arena-standings"]) == []
