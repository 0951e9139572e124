"""arena check: good bots pass; every kind of problem is found, named and reproducible."""

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
    """Does many harmless things."""

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


class Unseeded(Bot):
    def choose(self, view):
        return random.choice(view.moves)


class Unsorted(Bot):
    """Depends on the hash seed."""

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


class Illegal(Bot):
    def choose(self, view):
        return 0


class Large(Bot):
    def choose(self, view):
        self.fat = getattr(self, "fat", None) or bytearray(100_000_000)
        return view.moves[0]


class Thief(Bot):
    def choose(self, view):
        open("/etc/passwd").close()
        raise RuntimeError("caught")


class Curious(Bot):
    """Does what its subclass defines, once."""

    done = False

    def choose(self, view):
        if not self.done:
            self.done = True
            try:
                self.act()
            except OSError:
                pass
        return view.moves[0]


class Reads(Curious):
    def act(self):
        open("/etc/passwd").read()


class ReadsByHelp(Curious):
    def act(self):
        Path("/etc/passwd").read_text()


class Lists(Curious):
    def act(self):
        os.listdir("/etc")


class Writes(Curious):
    def act(self):
        Path(__file__).with_name("diary.txt").write_text("dear diary")


class Removes(Curious):
    def act(self):
        os.remove("/no/such/file")


class Calls(Curious):
    def act(self):
        socket.create_connection(("127.0.0.1", 9), 0.1)


class Starts(Curious):
    def act(self):
        subprocess.run(["true"])


class Forks(Curious):
    def act(self):
        if os.fork() == 0:
            os._exit(0)


class Kills(Curious):
    def act(self):
        os.kill(os.getpid(), 0)


class Native(Curious):
    def act(self):
        import ctypes
        ctypes.CDLL(None)


class Collects(Curious):
    def act(self):
        gc.get_objects()


class Frames(Curious):
    def act(self):
        sys._getframe(1)


class Stack(Curious):
    def act(self):
        inspect.currentframe()
'''


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    file = tmp_path / "bots.py"
    file.write_text(BOTS)
    return file


def checked(capsys: Capture, name: str, *more: str) -> dict[str, Any]:
    """The report on a bot, which the exit code must agree with."""
    arguments = ["check", name, "--players", "2", "--games", "1", "--json", *more]
    try:
        code: object = cli.run(arguments)
    except SystemExit as error:
        code = error.code
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


def test_every_player_count_is_played_by_default(capsys: Capture) -> None:
    assert cli.run(["check", "random", "--games", "1"]) == 0
    text = capsys.readouterr().out
    assert [int(line.split()[0]) for line in text.splitlines()[2:7]] == [2, 3, 4, 5, 6]
    assert "verdict: PASS\nnext: arena match random greedy ismcts --show\n" in text


@pytest.mark.parametrize("name", ["Unseeded", "Unsorted", "Hurried"])
def test_a_bot_that_is_not_deterministic_is_found(capsys: Capture, bots: Path, name: str) -> None:
    report = checked(capsys, f"{bots}:{name}")
    assert report["repeatable"] is False
    assert report["legal"] is True
    assert "played a different move after" in report["differences"][0]["problem"]


def test_a_bot_with_a_time_budget_need_not_be_deterministic(capsys: Capture, bots: Path) -> None:
    report = checked(capsys, f"{bots}:Unseeded", "--seconds", "1")
    assert report["repeatable"] is None
    assert report["passed"]


def faulty(capsys: Capture, name: str, *more: str) -> dict[str, str]:
    report = checked(capsys, name, *more)
    assert (report["legal"], report["repeatable"]) == (False, None)
    (fault,) = report["faults"]
    return dict(fault)


def test_a_fault_can_be_reproduced_with_its_command(capsys: Capture, bots: Path) -> None:
    fault = faulty(capsys, f"{bots}:Illegal")
    assert fault["kind"] == "illegal"
    program, *arguments = shlex.split(fault["command"])
    assert program == "arena"
    assert cli.run(arguments) == 2
    assert capsys.readouterr().err == f"arena: {fault['problem']}\n"


def test_a_bot_that_takes_too_long_is_found(capsys: Capture, bots: Path) -> None:
    fault = faulty(capsys, f"{bots}:Late", "--move-limit", "0.3")
    assert fault["kind"] == "time"
    assert fault["command"].endswith("--isolate --move-limit 0.3")


def test_a_bot_that_cannot_start_is_not_tried_again(capsys: Capture, bots: Path) -> None:
    report = checked(capsys, f"{bots}:Nobody", "--players", "2-6", "--games", "5")
    assert [fault["kind"] for fault in report["faults"]] == ["start"]
    assert [count["games"] for count in report["counts"]] == [1]


def test_memory_is_that_of_the_bot(capsys: Capture, bots: Path) -> None:
    (small,) = checked(capsys, f"{bots}:Good")["counts"]
    (large,) = checked(capsys, f"{bots}:Large")["counts"]
    assert large["memory_bytes"] > small["memory_bytes"] + 80_000_000


ACTIONS = [
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


@pytest.mark.parametrize(("bot", "actions"), ACTIONS, ids=[bot for bot, _ in ACTIONS])
def test_actions_beyond_the_view_are_noticed(
    capsys: Capture, bots: Path, bot: str, actions: list[str]
) -> None:
    report = checked(capsys, f"{bots}:{bot}")
    assert not report["passed"]
    assert report["watched"]
    assert report["touched"] == [action.replace("DIR", str(bots.parent)) for action in actions]


def test_actions_before_a_fault_are_reported(capsys: Capture, bots: Path) -> None:
    report = checked(capsys, f"{bots}:Thief")
    assert report["faults"]
    assert report["touched"] == ["opens /etc/passwd for reading"]


def test_the_next_step_is_a_valid_command(capsys: Capture) -> None:
    words = ["check", "random", "--game", "secrets", "--players", "4", "--games", "1"]
    assert cli.run(words) == 0
    step = capsys.readouterr().out.splitlines()[-1]
    assert step == "next: arena match random greedy ismcts greedy --show --game secrets"


def test_a_program_is_checked_but_not_observed(capsys: Capture) -> None:
    report = checked(capsys, f"cmd:{sys.executable} {EXAMPLE}")
    assert (report["passed"], report["watched"]) == (True, False)


def fail(name: str) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.run(["check", name, "--players", "2", "--games", "2"])
    assert caught.value.code == 1


def test_the_text_says_what_is_wrong_and_what_to_do(capsys: Capture, bots: Path) -> None:
    for name, words in (
        ("Illegal", ["legal:       no, 2 faults", "to reproduce it: arena match", "and fix it"]),
        ("Unseeded", ["repeatable:  no", "use self.rng"]),
        ("Reads", ["own view:    no", "  opens /etc/passwd", "by the View alone"]),
    ):
        fail(f"{bots}:{name}")
        text = capsys.readouterr().out
        assert "verdict: FAIL" in text
        for word in words:
            assert word in text


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
def test_invalid_input_is_one_sentence_and_exit_code_2(
    capsys: Capture, arguments: list[str], complaint: str
) -> None:
    assert cli.run(["check", *arguments]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_a_bot_may_read_the_folder_of_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "package").mkdir()
    (tmp_path / "alone.py").touch()
    assert set(places_of("sub/file.py:Bot:a=1")) == {tmp_path / "sub"}
    assert places_of("package.module:Bot") == [tmp_path / "package"]
    assert places_of("alone:Bot") == [tmp_path / "alone.py"]
    assert places_of("greedy:depth=3") == []
