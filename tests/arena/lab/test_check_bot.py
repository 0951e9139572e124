"""arena check: good bots pass; every way to fail is found, named, and can be seen again."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as cli
from bots.runtime.audit import places_of
from tests.support.paths import ROOT

Capture = pytest.CaptureFixture[str]
EXAMPLE = ROOT / "examples" / "remote" / "first.py"

BOTS = '''
import collections
import gc
import inspect
import logging
import os
import random
import socket
import subprocess
import sys
import time
import typing
from pathlib import Path

from bots import Bot
from games.hidden_leaders.rules.cards import HEROES


class Good(Bot):
    """Does all sorts of harmless things."""

    def choose(self, view):
        Pair = collections.namedtuple("Pair", "a b")
        logging.getLogger("good").warning("hm")
        inspect.signature(self.choose)
        Path(__file__).read_text()
        [path for path in Path(__file__).parent.iterdir()]
        open("/dev/null", "w").close()
        import decimal, html.parser, sqlite3, uuid
        words = sorted({hero.name for hero in HEROES})
        return self.rng.choice(view.moves)


class Moody(Bot):
    def choose(self, view):
        return random.choice(view.moves)


class Setty(Bot):
    """Would play the same all day, and otherwise tomorrow."""

    def choose(self, view):
        words = {view.text(move): move for move in view.moves}
        return words[next(iter(set(words)))]


class Hurried(Bot):
    def choose(self, view):
        return view.moves[time.perf_counter_ns() % len(view.moves)]


class Late(Bot):
    def choose(self, view):
        if view.decisions > 5:
            time.sleep(60)
        return view.moves[0]


class Hasty(Bot):
    def choose(self, view):
        return 0


class Hungry(Bot):
    def choose(self, view):
        self.fat = getattr(self, "fat", None) or bytearray(100_000_000)
        return view.moves[0]


class Thief(Bot):
    def choose(self, view):
        open("/etc/passwd").close()
        raise RuntimeError("caught")


class Curious(Bot):
    """Reaches for what its subclass says, once."""

    done = False

    def choose(self, view):
        if not self.done:
            self.done = True
            try:
                self.reach()
            except OSError:
                pass
        return view.moves[0]


class Reads(Curious):
    def reach(self):
        open("/etc/passwd").read()


class ReadsByHelp(Curious):
    def reach(self):
        Path("/etc/passwd").read_text()


class Lists(Curious):
    def reach(self):
        os.listdir("/etc")


class Writes(Curious):
    def reach(self):
        Path(__file__).with_name("diary.txt").write_text("dear diary")


class Removes(Curious):
    def reach(self):
        os.remove("/no/such/file")


class Calls(Curious):
    def reach(self):
        socket.create_connection(("127.0.0.1", 9), 0.1)


class Starts(Curious):
    def reach(self):
        subprocess.run(["true"])


class Forks(Curious):
    def reach(self):
        if os.fork() == 0:
            os._exit(0)


class Kills(Curious):
    def reach(self):
        os.kill(os.getpid(), 0)


class Native(Curious):
    def reach(self):
        import ctypes
        ctypes.CDLL(None)


class Collects(Curious):
    def reach(self):
        gc.get_objects()


class Frames(Curious):
    def reach(self):
        sys._getframe(1)


class Stack(Curious):
    def reach(self):
        inspect.currentframe()
'''


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    file = tmp_path / "bots.py"
    file.write_text(BOTS)
    return file


def checked(capsys: Capture, name: str, *more: str) -> dict[str, Any]:
    """The report on a bot; the exit code must agree with it."""
    arguments = ["check", name, "--players", "2", "--games", "1", "--json", *more]
    try:
        code: object = cli.run(arguments)
    except SystemExit as left:
        code = left.code
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert code == (0 if report["passed"] else 1)
    return report


@pytest.mark.parametrize("name", ["random", "greedy", "ismcts:iterations=3"])
def test_built_in_bots_pass(capsys: Capture, name: str) -> None:
    report = checked(capsys, name)
    assert report["passed"]
    assert (report["legal"], report["repeatable"], report["touched"]) == (True, True, [])
    (count,) = report["counts"]
    assert 0 < count["median_ms"] <= count["p95_ms"] <= count["worst_ms"]
    assert count["decisions"] > 20


def test_harmless_things_are_harmless(capsys: Capture, bots: Path) -> None:
    assert checked(capsys, f"{bots}:Good")["passed"]


def test_every_player_count_is_played_unless_told_otherwise(capsys: Capture) -> None:
    assert cli.run(["check", "random", "--games", "1"]) == 0
    said = capsys.readouterr().out
    assert [int(line.split()[0]) for line in said.splitlines()[2:7]] == [2, 3, 4, 5, 6]
    assert "verdict: PASS\nnext: arena match random greedy ismcts --show\n" in said


@pytest.mark.parametrize("name", ["Moody", "Setty", "Hurried"])
def test_what_cannot_be_repeated_is_found(capsys: Capture, bots: Path, name: str) -> None:
    report = checked(capsys, f"{bots}:{name}")
    assert report["repeatable"] is False
    assert report["legal"] is True
    assert "played another move after" in report["differences"][0]["problem"]


def test_who_is_told_to_think_by_the_clock_need_not_be_repeatable(
    capsys: Capture, bots: Path
) -> None:
    report = checked(capsys, f"{bots}:Moody", "--seconds", "1")
    assert report["repeatable"] is None
    assert report["passed"]


def faulty(capsys: Capture, name: str, *more: str) -> dict[str, str]:
    report = checked(capsys, name, *more)
    assert (report["legal"], report["repeatable"]) == (False, None)
    (fault,) = report["faults"]
    return dict(fault)


def test_a_fault_can_be_seen_again_by_its_command(capsys: Capture, bots: Path) -> None:
    fault = faulty(capsys, f"{bots}:Hasty")
    assert fault["kind"] == "illegal"
    program, *arguments = shlex.split(fault["command"])
    assert program == "arena"
    assert cli.run(arguments) == 2
    assert capsys.readouterr().err == f"arena: {fault['problem']}\n"


def test_who_takes_too_long_is_found(capsys: Capture, bots: Path) -> None:
    fault = faulty(capsys, f"{bots}:Late", "--move-limit", "0.3")
    assert fault["kind"] == "time"
    assert fault["command"].endswith("--isolate --move-limit 0.3")


def test_a_bot_that_cannot_start_is_not_tried_again(capsys: Capture, bots: Path) -> None:
    report = checked(capsys, f"{bots}:Nobody", "--players", "2-6", "--games", "5")
    assert [fault["kind"] for fault in report["faults"]] == ["start"]
    assert [count["games"] for count in report["counts"]] == [1]


def test_memory_is_that_of_the_bot(capsys: Capture, bots: Path) -> None:
    (modest,) = checked(capsys, f"{bots}:Good")["counts"]
    (hungry,) = checked(capsys, f"{bots}:Hungry")["counts"]
    assert hungry["memory_bytes"] > modest["memory_bytes"] + 80_000_000


REACHED = [
    ("Reads", ["opens /etc/passwd for reading"]),
    ("ReadsByHelp", ["opens /etc/passwd for reading"]),
    ("Lists", ["lists /etc"]),
    ("Writes", ["opens DIR/diary.txt for writing"]),
    ("Removes", ["changes /no/such/file"]),
    ("Calls", ["opens a network socket"]),
    ("Starts", ["starts a process"]),
    ("Forks", ["starts a process"]),
    ("Kills", ["sends a signal"]),
    ("Native", ["uses ctypes"]),
    ("Collects", ["searches memory through gc"]),
    ("Frames", ["inspects frames"]),
    ("Stack", ["inspects frames"]),
]


@pytest.mark.parametrize(("bot", "deeds"), REACHED, ids=[bot for bot, _ in REACHED])
def test_reaching_beyond_the_view_is_noticed(
    capsys: Capture, bots: Path, bot: str, deeds: list[str]
) -> None:
    report = checked(capsys, f"{bots}:{bot}")
    assert not report["passed"]
    assert report["watched"]
    assert report["touched"] == [deed.replace("DIR", str(bots.parent)) for deed in deeds]


def test_what_a_bot_reached_for_before_it_broke_down_is_told(capsys: Capture, bots: Path) -> None:
    report = checked(capsys, f"{bots}:Thief")
    assert report["faults"]
    assert report["touched"] == ["opens /etc/passwd for reading"]


def test_the_next_step_is_a_game_that_can_be_played(capsys: Capture) -> None:
    words = ["check", "random", "--game", "secrets", "--players", "4", "--games", "1"]
    assert cli.run(words) == 0
    step = capsys.readouterr().out.splitlines()[-1]
    assert step == "next: arena match random greedy ismcts greedy --show --game secrets"


def test_a_program_is_examined_but_not_watched(capsys: Capture) -> None:
    report = checked(capsys, f"cmd:{sys.executable} {EXAMPLE}")
    assert (report["passed"], report["watched"]) == (True, False)


def fail(name: str) -> None:
    with pytest.raises(SystemExit) as left:
        cli.run(["check", name, "--players", "2", "--games", "2"])
    assert left.value.code == 1


def test_a_person_reads_what_is_wrong_and_what_to_do(capsys: Capture, bots: Path) -> None:
    for name, words in (
        ("Hasty", ["legal:       no, 2 faults", "see it again: arena match", "mend that"]),
        ("Moody", ["repeatable:  no", "use self.rng"]),
        ("Reads", ["own view:    no", "  opens /etc/passwd", "by its View alone"]),
    ):
        fail(f"{bots}:{name}")
        said = capsys.readouterr().out
        assert "verdict: FAIL" in said
        for word in words:
            assert word in said


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["gredy"], "there is no bot 'gredy'; did you mean 'greedy'?"),
        (["no.py:Bot"], "there is no file 'no.py'"),
        (["cmd:"], "names no program"),
        (["random", "--players", "9"], "2 to 6 players"),
        (["random", "--games", "0"], "0 is not in the range"),
        (["random", "--players", "6-2"], "'6-2' is an empty range; put the smaller number first"),
        (["random", "--move-limit", "nan"], "'nan' is not a finite number"),
        ([], "missing argument"),
    ],
)
def test_mistakes_get_one_sentence_and_code_2(
    capsys: Capture, arguments: list[str], complaint: str
) -> None:
    assert cli.run(["check", *arguments]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_a_bot_may_read_where_its_own_files_lie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package").mkdir()
    (tmp_path / "alone.py").touch()
    assert set(places_of("sub/file.py:Bot:a=1")) == {tmp_path / "sub"}
    assert places_of("package.module:Bot") == [tmp_path / "package"]
    assert places_of("alone:Bot") == [tmp_path / "alone.py"]
    assert places_of("greedy:depth=3") == []
