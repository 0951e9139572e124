"""`arena match --games`, and the commands that repeat a game."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
from pathlib import Path

import pytest

from arena import play_game
from arena.match.repeat import repeat_command
from arena.seeds import MOST_GAME_SEED
from bots import Budget
from tests.support.command_line import RunArena, check_refusal
from tests.support.leagues import command, ended
from tests.support.matches import FIRST

SHORT = ("--option", "rounds=1")
CRASHING = """\
from bots import Bot

class Crashing(Bot):
    def choose(self, view):
        return self.rate(view) if view.decisions > 9 else view.moves[0]
    def rate(self, view):
        raise RuntimeError("no idea")
"""


@pytest.fixture
def crashing(folder: Path) -> str:
    (folder / "my bot.py").write_text(CRASHING)
    return "my bot.py:Crashing"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_seeds_follow_each_other_and_seats_rotate(arena: RunArena) -> None:
    bots = ("random", "greedy")
    report = json.loads(arena("match", *bots, "--games", "4", "--seed", "7", *SHORT, "--json").out)
    assert [game["seed"] for game in report["games"]] == [7, 8, 9, 10]
    assert [game["seats"] for game in report["games"]] == 2 * [list(bots), list(bots[::-1])]
    assert report["options"] == {"rounds": 1}
    for game in report["games"]:
        alone = play_game(game["seats"], seed=game["seed"], options={"rounds": 1})
        assert game["winners"] == ["AB"[seat] for seat in alone.winners]
        assert game["decisions"] == alone.decisions


def test_a_line_per_game_and_a_table_of_all(arena: RunArena) -> None:
    lines = arena("match", "greedy", "random", "random", "--games", "6").lines
    assert [line.partition(":")[0] for line in lines[:6]] == [f"seed {n}" for n in range(1, 7)]
    assert all("after" in line for line in lines[:6])
    assert lines[7].split("  ")[0] == "bot"
    greedy, rand = (line.split() for line in lines[9:11])
    assert (greedy[:2], rand[:2]) == (["greedy", "6"], ["random", "12"])
    assert greedy[-1] == rand[-1] == "0"
    report = json.loads(arena("match", "greedy", "random", "random", "--games", "6", "--json").out)
    row = report["bots"][0]
    assert 0 <= row["low"] <= row["share"] <= row["high"] <= 1
    assert greedy[2:5] == [f"{row['share']:.1%}", f"{row['low']:.1%}", "to"]


def test_one_game_as_json(arena: RunArena) -> None:
    report = json.loads(arena("match", "greedy", "random", "--seed", "3", "--json").out)
    assert len(report["games"]) == 1
    assert report["games"][0]["command"] == "arena match greedy random --seed 3"


def test_a_fault_ends_its_game_only_and_the_command_repeats_it(
    arena: RunArena, crashing: str
) -> None:
    outcome = arena("match", "random", crashing, "--games", "3", "--iterations", "5", code=2)
    lines = outcome.lines
    crash = "raised RuntimeError: no idea (my bot.py, line 7, in rate)"
    assert all(crash in line for line in lines[:3])
    (row,) = [line.split() for line in lines if line.startswith("my bot.py:Crashing ")]
    assert row[-1] == "3"
    at = lines.index('    raise RuntimeError("no idea")')
    assert lines[at - 3 : at] == [
        "  my bot.py, line 5, in choose",
        "    return self.rate(view) if view.decisions > 9 else view.moves[0]",
        "  my bot.py, line 7, in rate",
    ]
    assert sum(line.startswith("  to reproduce it: ") for line in lines) == 1
    again = shlex.split(lines[at + 1].removeprefix("  to reproduce it: arena "))
    assert again == ["match", "random", crashing, "--seed", "1", "--iterations", "5"]
    assert lines[at - 4] in arena(*again, code=2).err
    assert "my bot.py, line 7, in rate" in arena(*again, "--isolate", code=2).err


def test_a_fault_as_json(arena: RunArena, crashing: str) -> None:
    (game,) = json.loads(arena("match", "random", crashing, "--json", code=2).out)["games"]
    fault = game["fault"]
    assert (fault["seat"], fault["kind"], fault["where"]) == (
        "B",
        "exception",
        "my bot.py, line 7, in rate",
    )
    assert fault["trace"][-1] == '    raise RuntimeError("no idea")'
    assert game["winners"] == []
    assert game["decisions"] > 9


def test_the_end_of_stderr_stands_in_for_the_frames_of_a_program(
    arena: RunArena, folder: Path
) -> None:
    (folder / "dies.py").write_text("import sys\nsys.exit('line 3: out of ideas')\n")
    program = f"cmd:{sys.executable} dies.py"
    lines = arena("match", "random", program, "--games", "2", code=2).lines
    assert "  line 3: out of ideas" in lines


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["--games", "2", "--show"],
            "--replay are for one game; leave out --games",
        ),
        (["--games", "2", "--replay", "x"], "are for one game; leave out --games"),
        (["--json", "--view", "A"], "are for one game; leave out --json"),
        (["--games", "0"], "0 is not in the range"),
        (["--games", "2", "--seed", str(MOST_GAME_SEED)], "the seed of the last game is above"),
    ],
)
def test_invalid_input_is_one_sentence(arena: RunArena, words: list[str], problem: str) -> None:
    check_refusal(arena("match", "random", "random", *words, code=2), problem)


@pytest.mark.slow
def test_ctrl_c_reports_the_games_that_are_finished() -> None:
    words = ("match", "random", "random", "--games", "1000000")
    with command(*words, PYTHONUNBUFFERED="1") as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("seed 1: ")
        os.kill(process.pid, signal.SIGINT)
        done = ended(process)
    assert done.returncode == 130
    assert "95 % confidence" in done.stdout
    assert "Traceback" not in done.stderr


# ---- commands that repeat a game ----------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [{}, {"deck": "beginner", "first": 1}, {"deck": ["KeKo", "CrCa", "ShSh", "HaHe", "FlKn"]}],
    ids=["plain", "words and numbers", "a list"],
)
def test_a_command_plays_the_game_it_describes(
    arena: RunArena, folder: Path, options: dict[str, object]
) -> None:
    (folder / "it's mine.py").write_text(FIRST)
    bots = ["it's mine.py:First", "ismcts:iterations=3"]
    budget = Budget(iterations=2)
    words = shlex.split(repeat_command(bots, 11, "hidden-leaders", options, budget))
    assert words[:2] == ["arena", "match"]
    report = json.loads(arena(*words[1:], "--json").out)
    alone = play_game(bots, seed=11, options=options, budget=budget)
    assert report["options"] == options
    assert report["games"][0]["decisions"] == alone.decisions
    assert shlex.split(report["games"][0]["command"]) == words


def test_a_command_has_all_limits() -> None:
    line = repeat_command(
        ["a b.py:C"], 5, "secrets", {"first": 2}, Budget(7, 0.25), isolate=True, move_limit=1.5
    )
    assert line == (
        "arena match 'a b.py:C' --seed 5 --game secrets --option first=2 --iterations 7 "
        "--seconds 0.25 --isolate --move-limit 1.5"
    )
