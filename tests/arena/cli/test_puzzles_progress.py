"""`arena puzzles next`, `random`, `daily` and `progress`: attempts are kept and rated."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from solver.puzzles.files import find_puzzle
from solver.puzzles.progress import load_progress, progress_file
from tests.support.command_line import RunArena, check_refusal
from tests.support.paths import ROOT


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_a_solved_puzzle_raises_the_rating_once(arena: RunArena) -> None:
    solved = ("puzzles", "try", "doubt")
    text = arena(*solved, typed="1\n1\n1\n").out
    assert "Your rating: 1" in text
    rating = load_progress().rating.rating
    assert rating > 1500
    text = arena(*solved, typed="1\n1\n1\n").out
    assert "only the first attempt at a puzzle counts" in text
    progress = load_progress()
    assert (progress.rating.rating, len(progress.attempts)) == (rating, 2)
    assert progress.marks == {"doubt": "solved"}


@pytest.mark.parametrize(
    ("typed", "code", "mark"),
    [
        ("hint\n1\n1\n1\n", 0, "missed"),
        ("play leery\nundo\n1\n1\n1\n", 0, "missed"),
        ("play leery\nq\n", 1, "missed"),
        ("q\n", 1, None),
        ("?\ntable\nq\n", 1, None),
    ],
    ids=["hint", "undo", "left after a miss", "left at once", "only looked"],
)
def test_what_counts_as_an_attempt(
    typed: str, code: int, mark: str | None, arena: RunArena
) -> None:
    arena("puzzles", "try", "doubt", typed=typed, code=code)
    assert load_progress().marks.get("doubt") == mark


def test_files_and_lines_of_others_are_not_rated(arena: RunArena, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(find_puzzle("doubt").read_text(encoding="utf-8"), encoding="utf-8")
    assert "rating" not in arena("puzzles", "try", str(path), typed="1\n1\n1\n").out
    assert not progress_file().exists()


def test_a_shared_line_of_a_bundled_puzzle_is_rated(arena: RunArena) -> None:
    line = arena("puzzles", "share", "doubt").out.strip()
    arena("puzzles", "try", line, typed="1\n1\n1\n")
    assert load_progress().marks == {"doubt": "solved"}


def test_next_goes_on_to_untried_puzzles(arena: RunArena) -> None:
    for _ in range(2):  # a hint makes each an attempt
        arena("puzzles", "next", typed="h\nq\nn\nh\nq\nq\n", code=1)
    marks = load_progress().marks
    assert list(marks.values()) == ["missed"] * 4
    listed = json.loads(arena("puzzles", "list", "--json").out)["puzzles"]
    assert {one["name"] for one in listed if one["mark"] == "missed"} == set(marks)


def test_the_daily_puzzle_is_the_same_for_everybody(arena: RunArena) -> None:
    first = arena("puzzles", "daily", "--date", "2030-01-31", typed="q\n", code=1).out
    assert arena("puzzles", "daily", "--date", "2030-01-31", typed="q\n", code=1).out == first
    assert arena("puzzles", "daily", "--date", "2030-02-01", typed="q\n", code=1).out != first


def test_a_random_puzzle_follows_the_seed_and_the_filter(arena: RunArena) -> None:
    words = ("puzzles", "random", "--game", "secrets", "--level", "1", "--seed", "3")
    first = arena(*words, typed="q\n", code=1).out
    assert arena(*words, typed="q\n", code=1).out == first
    assert "token" in first


def test_progress_is_shown_and_reset(arena: RunArena) -> None:
    assert "No attempts yet." in arena("puzzles", "progress").out
    arena("puzzles", "try", "doubt", typed="1\n1\n1\n")
    text = arena("puzzles", "progress").out
    assert "Streak: 1, longest: 1" in text
    told = json.loads(arena("puzzles", "progress", "--json").out)
    assert told["marks"]["solved"] == told["streak"] == told["attempts"] == 1
    assert told["file"] == str(progress_file())
    assert "the old progress is in" in " ".join(arena("puzzles", "progress", "--reset").out.split())
    assert load_progress().attempts == ()


def test_bad_input_gets_one_sentence(arena: RunArena) -> None:
    refused = ("puzzles", "next", "--theme", "bullet", "--players", "2")
    check_refusal(arena(*refused, code=2), "no puzzles match; `arena puzzles list` shows")
    check_refusal(arena("puzzles", "daily", "--date", "tomorrow", code=2), "'tomorrow'")
    progress_file().parent.mkdir()
    progress_file().write_text("what?\n")
    check_refusal(arena("puzzles", "progress", code=2), "is no progress file; start anew with")
    check_refusal(arena("puzzles", "list", code=2), "is no progress file; start anew with")


def test_a_puzzle_can_be_played_although_progress_cannot_be_kept(arena: RunArena) -> None:
    progress_file().parent.mkdir()
    progress_file().mkdir()
    outcome = arena("puzzles", "try", "doubt", typed="1\n1\n1\n")
    assert "Solved: every move was best" in outcome.out
    assert "arena: this attempt will not be kept: " in outcome.err


@pytest.mark.parametrize(
    ("words", "typed", "code"),
    [
        (("list", "--level", "1"), "", 0),
        (("progress",), "", 0),
        (("next",), "q\nn\nq\nq\n", 1),
        (("daily",), "q\n", 1),
    ],
)
def test_a_damaged_line_is_named_once_and_stops_nothing(
    arena: RunArena, words: tuple[str, ...], typed: str, code: int
) -> None:
    arena("puzzles", "try", "doubt", typed="1\n1\n1\n")
    with progress_file().open("a") as stream:
        stream.write("what?\n")
    outcome = arena("puzzles", *words, typed=typed, code=code)
    assert (
        outcome.err
        == f"{progress_file()}, line 3, is not an attempt at a puzzle; it does not count\n"
    )
    assert load_progress().marks == {"doubt": "solved"}


NAMELESS = ("unshare", "--user", "--map-user=12345", "--map-group=12345")
"""Runs a command as a user that has no name and no home, as in many containers."""


def homeless(*words: str) -> subprocess.CompletedProcess[str]:
    unset = [word for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME") for word in ("-u", name)]
    command = [*NAMELESS, "env", *unset, sys.executable, *words]
    return subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_user_without_a_home_is_told_what_to_set() -> None:
    if (
        shutil.which("unshare") is None
        or subprocess.run([*NAMELESS, "true"], check=False).returncode
    ):
        pytest.skip("needs user namespaces")
    refused = homeless("-m", "arena", "puzzles", "list")
    assert refused.returncode == 2
    assert refused.stderr == (
        "arena: progress in puzzles is kept in your home folder, which is unknown; set HOME or "
        "XDG_DATA_HOME\n"
    )
    results = "from arena.stats.kept_results import kept; print(kept(['x'], lambda: 7))"
    assert homeless("-c", results).stdout == "7\n"
