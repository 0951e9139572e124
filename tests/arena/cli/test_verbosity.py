"""-q, -v and --log; the line about bots that run with the user's rights; closed pipes."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_line import RunArena, check_refusal
from tests.support.paths import ROOT

FEW = ("league", "quick", "--deals", "1", "--players", "2", "--option", "rounds=1")
BOT = """\
from bots import Bot


class Mine(Bot):
    def choose(self, view):
        return view.moves[0]
"""
RIGHTS = "runs with your rights, not in a sandbox"


@pytest.fixture
def mine(folder: Path) -> str:
    (folder / "mine.py").write_text(BOT)
    return "mine.py:Mine"


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_quiet_prints_only_the_result(arena: RunArena) -> None:
    usual, quiet = arena(*FEW), arena(*FEW, "-q", "--run", "other.db")
    assert "games are saved in" in usual.err
    assert quiet.err == ""
    assert quiet.out == usual.out


@pytest.mark.parametrize(
    "words",
    [
        ("random-games", "--games", "2", "--players", "2"),
        ("check-rules", "--games", "2", "--players", "2", "--workers", "1"),
        ("check", "random", "--games", "1", "--players", "2"),
        ("compare", "random", "random", "--deals", "40", "--workers", "1"),
        ("match", "random", "random", "--games", "2"),
    ],
    ids=lambda words: words[0],
)
def test_quiet_hides_progress_of_every_long_command(
    words: tuple[str, ...], arena: RunArena
) -> None:
    codes = {"compare": 4}
    outcome = arena(*words, "-q", code=codes.get(words[0], 0))
    assert outcome.err == ""
    assert outcome.out


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_more_is_told_with_v_and_every_game_with_vv(arena: RunArena) -> None:
    assert "info: " not in arena(*FEW, "--run", "0.db").err
    once = arena(*FEW, "-v", "--run", "1.db").err
    assert re.search(r"^info: worker 1 plays, process \d+$", once, re.MULTILINE)
    assert "debug: " not in once
    twice = arena(*FEW, "-vv", "--run", "2.db").err
    assert re.search(r"^debug: game 0: A \w+, B \w+: .* won; \d+ decisions", twice, re.MULTILINE)


@pytest.mark.slow
def test_everything_is_appended_to_the_log_with_times(folder: Path, arena: RunArena) -> None:
    for run in ("1.db", "2.db"):
        arena(*FEW, "-q", "--log", "league.log", "--run", run)
    lines = (folder / "league.log").read_text().splitlines()
    time = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (DEBUG|INFO) ")
    assert all(time.match(line) for line in lines)
    for text in (
        "started: arena league quick --deals 1",
        "DEBUG game 1: ",
        "are saved in 2.db",
        "INFO ended",
    ):
        assert any(text in line for line in lines), text
    assert sum("DEBUG game " in line for line in lines) == 4


def test_a_failure_is_in_the_log(folder: Path, arena: RunArena) -> None:
    arena("match", "random", "nobody", "--log", "it.log", code=2)
    assert "ended: there is no bot 'nobody'" in (folder / "it.log").read_text()


@pytest.mark.usefixtures("folder")
def test_a_log_file_that_cannot_be_written_is_one_sentence(arena: RunArena) -> None:
    refused = arena(*FEW, "--log", "no/such/folder/it.log", code=2)
    check_refusal(refused, "no/such/folder/it.log cannot be written: No such file or directory")


def test_quiet_and_verbose_exclude_each_other(arena: RunArena) -> None:
    check_refusal(arena(*FEW, "-q", "-v", code=2), "-q and -v do not go together")


# ---- bots of strangers --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("match", "{}", "random"), "use --isolate for"),
        (("compare", "{}", "{}", "--deals", "1", "--workers", "1"), "use --isolate for"),
        (("league", "quick", "--bot", "{}", "--bot", "random", "--deals", "1"), "use --no-trust"),
        (("bots", "{}"), "sandbox\n"),
    ],
    ids=lambda words: words[0] if isinstance(words, tuple) else "",
)
def test_a_bot_that_runs_with_the_user_s_rights_is_named_once(
    words: tuple[str, ...], advice: str, mine: str, arena: RunArena
) -> None:
    filled = [word.format(mine) for word in words]
    code = 4 if words[0] == "compare" else 0
    error = arena(*filled, code=code).err
    assert error.count(f"{mine} {RIGHTS}") == 1
    assert advice in error
    if words[0] != "bots":
        assert RIGHTS not in arena(*filled, "-q", code=code).err


def test_built_in_and_isolated_bots_need_no_warning(mine: str, arena: RunArena) -> None:
    assert RIGHTS not in arena("match", "random", "greedy:depth=1").err
    assert RIGHTS not in arena("match", "random", mine, "--isolate").err


@pytest.mark.slow
def test_compare_can_isolate(mine: str, arena: RunArena) -> None:
    words = ("compare", mine, "random", "--deals", "2", "--workers", "2")
    isolated = arena(*words, "--isolate", code=4)
    assert isolated.out == arena(*words, code=4).out
    assert RIGHTS not in isolated.err


def test_faults_of_an_isolated_comparison_are_reproduced_isolated(
    folder: Path, arena: RunArena
) -> None:
    (folder / "bad.py").write_text(BOT.replace("view.moves[0]", "1 / 0"))
    words = ("compare", "bad.py:Mine", "random", "--deals", "1", "--workers", "1", "--isolate")
    assert re.search(r"to reproduce it: arena match .* --isolate", arena(*words, code=4).out)


# ---- a reader that goes away --------------------------------------------------------------------


@pytest.mark.parametrize("words", ["bots", "cards", "rules --all", "match random random"])
def test_a_closed_pipe_ends_a_command_quietly(words: str, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=120,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.slow
@pytest.mark.parametrize("stderr", ["closed", "without a reader"])
def test_a_league_plays_on_when_nobody_reads_its_notes(tmp_path: Path, stderr: str) -> None:
    words = "league --bot random --bot greedy --players 2 --deals 1 --run run.db -v"
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen(
        ["/bin/sh", "-c", f'"$0" -m arena {words}{" 2>&-" * (stderr == "closed")}', sys.executable],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=writer,
        text=True,
    ) as league:
        os.close(writer)
        out, _ = league.communicate(timeout=120)
    assert (league.returncode, "greedy" in out) == (0, True)
