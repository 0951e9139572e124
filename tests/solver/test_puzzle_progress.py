"""Progress through the puzzles: Glicko-2, streaks, a file that survives crashes and company."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.puzzles.glicko2 import Glicko
from solver.puzzles.progress import (
    Attempt,
    BadProgress,
    Progress,
    load_progress,
    progress_file,
    record_attempt,
    reset_progress,
)
from tests.support.paths import ROOT

DAY = 86_400


def folded(*attempts: Attempt) -> Progress:
    progress = Progress()
    for attempt in attempts:
        progress = progress.after(attempt)
    return progress


# ---- ratings ----------------------------------------------------------------------------------


def test_the_example_in_glickmans_paper() -> None:
    results = [(Glicko(1400, 30), 1.0), (Glicko(1550, 100), 0.0), (Glicko(1700, 300), 0.0)]
    after = Glicko(1500, 200, 0.06).after(results)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_an_upset_raises_the_volatility() -> None:
    certain = Glicko(1500, 50)
    assert certain.after([(Glicko(2400, 50), 1.0)]).volatility > certain.volatility
    assert certain.after([]).deviation > certain.deviation
    assert Glicko().idle(100_000).deviation == Glicko().deviation


def test_a_hard_puzzle_is_worth_more_and_a_missed_easy_one_costs_more() -> None:
    easy, hard = 900, 2100
    gains = [folded(Attempt("p", True, rating)).rating.rating for rating in (easy, hard)]
    losses = [folded(Attempt("p", False, rating)).rating.rating for rating in (easy, hard)]
    assert 1500 < gains[0] < gains[1]
    assert losses[0] < losses[1] < 1500


def test_only_the_first_attempt_counts_and_help_makes_it_a_miss() -> None:
    helped = folded(Attempt("p", True, 1500, helped=True))
    assert helped.rating.rating < 1500
    assert (helped.marks, helped.streak) == ({"p": "missed"}, 0)
    again = helped.after(Attempt("p", True, 1500))
    assert (again.rating, again.streak) == (helped.rating, 0)
    assert again.marks == {"p": "later"}
    assert again.after(Attempt("p", False, 1500)).marks == {"p": "later"}


def test_the_streak_ends_with_a_miss_and_the_best_one_is_kept() -> None:
    solved = [Attempt(name, True, 1500) for name in "abc"]
    progress = folded(*solved, Attempt("d", False, 1500), Attempt("e", True, 1500))
    assert (progress.streak, progress.best_streak) == (1, 3)


def test_days_without_puzzles_make_the_rating_less_certain() -> None:
    first = Attempt("a", True, 1500, time=0)
    soon = folded(first, Attempt("b", True, 1500, time=60))
    late = folded(first, Attempt("b", True, 1500, time=400 * DAY))
    assert late.rating.deviation > soon.rating.deviation


# ---- the file ---------------------------------------------------------------------------------


def test_attempts_are_kept_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "progress.jsonl"
    assert load_progress(file) == Progress()
    attempts = [Attempt("a", True, 1400, time=5), Attempt("b", False, 1600, helped=True, time=9)]
    for attempt in attempts:
        last = record_attempt(attempt, file)
    assert load_progress(file) == last == folded(*attempts)


@pytest.mark.slow
def test_half_a_line_of_a_write_cut_short_is_dropped(tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    record_attempt(Attempt("a", True, 1400), file)
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        assert load_progress(file) == Progress()
        assert record_attempt(Attempt("b", True, 1400), file).marks == {"b": "solved"}
        assert load_progress(file).marks == {"b": "solved"}


@pytest.mark.slow
def test_two_programs_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    code = (
        "import sys; from pathlib import Path; "
        "from solver.puzzles.progress import Attempt, record_attempt; "
        "[record_attempt(Attempt(f'{sys.argv[2]}{i}', True, 1500), Path(sys.argv[1])) "
        "for i in range(25)]"
    )
    programs = [
        subprocess.Popen([sys.executable, "-c", code, str(file), name], cwd=ROOT) for name in "ab"
    ]
    assert [program.wait(timeout=100) for program in programs] == [0, 0]
    assert len(load_progress(file).marks) == 50


GOOD = json.dumps({"puzzle": "a", "solved": True, "rating": 1500, "helped": False, "time": 1})


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["{}"], "is no progress file; start anew with"),
        (["["], "is no progress file"),
        (['{"format": "arena-puzzle-progress", "version": 2}'], "has version 2, but this arena"),
    ],
)
def test_a_spoilt_file_is_named_with_its_line_and_left_alone(
    lines: list[str], problem: str, tmp_path: Path
) -> None:
    file = tmp_path / "progress.jsonl"
    header = '{"format": "arena-puzzle-progress", "version": 1}'
    text = "".join(f"{line}\n" for line in lines).replace("HEADER", header)
    file.write_text(text)
    uses: list[Callable[[], Progress]] = [
        lambda: load_progress(file),
        lambda: record_attempt(Attempt("a", True, 1), file),
    ]
    for use in uses:
        with pytest.raises(BadProgress) as captured:
            use()
        assert str(file) in str(captured.value)
        assert problem in str(captured.value)
    assert file.read_text() == text


@pytest.mark.parametrize(
    "line",
    [
        GOOD.replace("1500", "1e9"),
        GOOD.replace("true", "1"),
        GOOD.replace('"time"', '"tide"'),
        GOOD.replace("1500", "-1"),
        "[" * 100_000,
        "\x00",
        "",
    ],
)
def test_a_damaged_line_is_left_out_and_stays_in_the_file(line: str, tmp_path: Path) -> None:
    """It blocked everything that reads the progress."""
    file = tmp_path / "progress.jsonl"
    text = f'{{"format": "arena-puzzle-progress", "version": 1}}\n{GOOD}\n{line}\n'
    file.write_text(text)
    before = load_progress(file)
    assert before.marks == {"a": "solved"}
    assert before.damage == f"{file}, line 3, is not an attempt at a puzzle; it does not count"
    after = record_attempt(Attempt("b", True, 1500), file)
    assert after == load_progress(file) == before.after(after.attempts[-1])
    assert file.read_text().startswith(text)
    file.write_text(file.read_text() + "what?\n" * 9)
    assert "lines 3, 5, 6, 7, 8, ..., are not attempts" in load_progress(file).damage


def test_a_reset_keeps_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "progress.jsonl"
    assert reset_progress(file) is None
    record_attempt(Attempt("a", True, 1400), file)
    old = reset_progress(file)
    assert old is not None
    assert load_progress(file) == Progress()
    assert load_progress(old).marks == {"a": "solved"}


def test_progress_is_kept_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert progress_file().is_relative_to(tmp_path)
    record_attempt(Attempt("a", True, 1400))
    assert load_progress().marks == {"a": "solved"}
    monkeypatch.setenv("XDG_DATA_HOME", str(progress_file()))
    with pytest.raises(BadProgress, match="cannot be written"):
        record_attempt(Attempt("a", True, 1400))
