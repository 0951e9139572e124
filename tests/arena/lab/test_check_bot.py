"""arena check: good bots pass; every kind of problem is found, named and reproducible."""

import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bots.runtime.audit import places_of
from tests.support.command_line import RunArena
from tests.support.paths import ROOT

EXAMPLE = ROOT / "examples" / "remote" / "first.py"

HARMLESS = """
import collections, gc, inspect, logging, os, random, socket, subprocess, sys, time
from pathlib import Path
from bots import Bot
from games.hidden_leaders.rules.cards import HEROES

class Good(Bot):
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

class Curious(Bot):
    done = False

    def choose(self, view):
        if not self.done:
            self.done = True
            try:
                self.act()
            except OSError:
                pass
        return view.moves[0]
"""

CHOICES = {
    "Unseeded": "return random.choice(view.moves)",
    # Depends on the hash seed.
    "Unsorted": "return max((hash(view.text(move)), move) for move in view.moves)[1]",
    "Hurried": "return view.moves[time.perf_counter_ns() % len(view.moves)]",
    "Late": "time.sleep(60 if view.decisions > 5 else 0); return view.moves[0]",
    "Illegal": "return 0",
    "Large": "self.fat = getattr(self, 'fat', 0) or bytearray(10**8); return view.moves[0]",
    "Thief": "open('/etc/passwd').close(); raise RuntimeError('caught')",
}
"""Bots by what they do at every decision."""

ACTIONS = {
    "Reads": ("open('/etc/passwd').read()", "opens /etc/passwd for reading"),
    "ReadsByHelp": ("Path('/etc/passwd').read_text()", "opens /etc/passwd for reading"),
    "Lists": ("os.listdir('/etc')", "lists /etc"),
    "Writes": (
        "Path(__file__).with_name('diary.txt').write_text('dear diary')",
        "opens DIR/diary.txt for writing",
    ),
    "Removes": ("os.remove('/no/such/file')", "changes /no/such/file"),
    "Calls": ("socket.create_connection(('127.0.0.1', 9), 0.1)", "opens a network socket"),
    "Starts": ("subprocess.run(['true'])", "starts a process"),
    "Forks": ("os.fork() or os._exit(0)", "starts a process"),
    "Kills": ("os.kill(os.getpid(), 0)", "sends a signal"),
    "Native": ("import ctypes; ctypes.CDLL(None)", "uses ctypes"),
    "Collects": ("gc.get_objects()", "searches memory through gc"),
    "Frames": ("sys._getframe(1)", "inspects frames"),
    "Stack": ("inspect.currentframe()", "inspects frames"),
}
"""Bots by what they do once, and how that is reported."""

LIBRARIES = """
class Greedy(Curious):
    def act(self):
        for number in range(1, 41):
            try:
                open(f"/no/{number}")
            except OSError:
                pass

class Numerical(Bot):
    def choose(self, view):
        import numpy
        return view.moves[numpy.zeros(3).argmin()]

class Solving(Bot):
    def choose(self, view):
        from solver import BadQuestion, solve
        return view.moves[0]

class Learned(Bot):
    def choose(self, view):
        from arena.adapters.policy_bots import observation_of
        assert observation_of(view).any()
        return view.moves[0]
"""

Report = dict[str, Any]
Checked = Callable[..., Report]


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    file = tmp_path / "bots.py"
    choices = [
        f"class {name}(Bot):\n    def choose(self, view):\n        {code}\n"
        for name, code in CHOICES.items()
    ]
    actions = [
        f"class {name}(Curious):\n    def act(self):\n        {code}\n"
        for name, (code, _) in ACTIONS.items()
    ]
    file.write_text("\n".join([HARMLESS, *choices, *actions, LIBRARIES]))
    return file


@pytest.fixture
def checked(arena: RunArena) -> Checked:
    """Gives the report on a bot, which the exit code must agree with."""

    def check(name: str, *more: str, passes: bool = True) -> Report:
        command = ["check", name, "--players", "2", "--games", "1", "--json", *more]
        report: Report = json.loads(arena(*command, code=0 if passes else 1).out)
        assert report["passed"] == passes
        return report

    return check


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "greedy", "ismcts:iterations=3"])
def test_built_in_bots_pass(checked: Checked, name: str) -> None:
    report = checked(name)
    assert (report["legal"], report["repeatable"], report["touched"]) == (True, True, [])
    (count,) = report["counts"]
    assert 0 < count["median_ms"] <= count["p95_ms"] <= count["worst_ms"]
    assert count["decisions"] > 20


@pytest.mark.slow
def test_harmless_things_are_harmless(checked: Checked, bots: Path) -> None:
    checked(f"{bots}:Good")


@pytest.mark.slow
def test_every_player_count_is_played_by_default(arena: RunArena) -> None:
    outcome = arena("check", "random", "--games", "1")
    assert [int(line.split()[0]) for line in outcome.lines[3:8]] == [2, 3, 4, 5, 6]
    assert "verdict: PASS\nnext: arena match random greedy ismcts --show\n" in outcome.out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Unseeded", "Unsorted", "Hurried"])
def test_a_bot_that_is_not_deterministic_is_found(
    checked: Checked, arena: RunArena, bots: Path, name: str
) -> None:
    report = checked(f"{bots}:{name}", passes=False)
    assert (report["legal"], report["repeatable"]) == (True, False)
    (difference,) = report["differences"]
    assert re.search(r"after \d+ moves .*: '.+', then '.+'$", difference["problem"])
    command = shlex.split(difference["command"])
    assert command[:3] == ["arena", "check", f"{bots}:{name}"]
    if name == "Unsorted":  # the others may by chance play the same game twice
        again = json.loads(arena(*command[1:], "--json", code=1).out)
        assert again["differences"] == report["differences"]


@pytest.mark.slow
def test_a_bot_with_a_time_budget_need_not_be_deterministic(checked: Checked, bots: Path) -> None:
    assert checked(f"{bots}:Unseeded", "--seconds", "1")["repeatable"] is None


@pytest.fixture
def faulty(checked: Checked, bots: Path) -> Checked:
    """Gives the one fault of a bot."""

    def fault(name: str, *more: str) -> dict[str, str]:
        report = checked(f"{bots}:{name}", *more, passes=False)
        assert (report["legal"], report["repeatable"]) == (False, None)
        (only,) = report["faults"]
        return dict(only)

    return fault


def test_a_fault_can_be_reproduced_with_its_command(faulty: Checked, arena: RunArena) -> None:
    fault = faulty("Illegal")
    assert fault["kind"] == "illegal"
    program, *arguments = shlex.split(fault["command"])
    assert program == "arena"
    assert arena(*arguments, code=2).err == f"arena: {fault['problem']}\n"


def test_a_bot_that_takes_too_long_is_found(faulty: Checked) -> None:
    fault = faulty("Late", "--move-limit", "0.3")
    assert fault["kind"] == "time"
    assert fault["command"].endswith("--isolate --move-limit 0.3")


def test_a_bot_that_cannot_start_is_not_tried_again(checked: Checked, bots: Path) -> None:
    report = checked(f"{bots}:Nobody", "--players", "2-6", "--games", "5", passes=False)
    assert [fault["kind"] for fault in report["faults"]] == ["start"]
    assert [count["games"] for count in report["counts"]] == [1]


@pytest.mark.slow
def test_memory_is_that_of_the_bot(checked: Checked, bots: Path) -> None:
    small, large = (
        checked(f"{bots}:{name}")["counts"][0]["memory_bytes"] for name in ("Good", "Large")
    )
    assert large > small + 80_000_000


@pytest.mark.slow
@pytest.mark.parametrize("bot", ACTIONS)
def test_actions_beyond_the_view_are_noticed(checked: Checked, bots: Path, bot: str) -> None:
    report = checked(f"{bots}:{bot}", passes=False)
    assert report["watched"]
    assert report["touched"] == [ACTIONS[bot][1].replace("DIR", str(bots.parent))]


def test_accesses_are_listed_up_to_a_number_with_a_command_that_shows_them(
    arena: RunArena, bots: Path
) -> None:
    """A thousand lines were printed, and no command."""
    words = ("check", f"{bots}:Greedy", "--players", "2-3", "--games", "1")
    failed = arena(*words, code=1)
    place = failed.lines.index("own view:    no")
    assert failed.lines[place + 1] == "  opens /no/1 for reading"
    assert failed.lines[place + 11] == "  and 30 more"
    command = shlex.join(["arena", "check", f"{bots}:Greedy", "--players", "2", "--games", "1"])
    assert failed.lines[place + 12] == f"    to reproduce it: {command} --seed 1"
    assert len(json.loads(arena(*words, "--json", code=1).out)["touched"]) == 40


@pytest.mark.parametrize("bot", ["Numerical", "Solving", "Learned"])
def test_a_bot_may_use_numpy_the_solver_and_the_adapters(
    checked: Checked, bots: Path, bot: str
) -> None:
    """In a checkout; numpy tries a system call that the sandbox refuses."""
    if bot != "Solving":
        pytest.importorskip("numpy")
    assert checked(f"{bots}:{bot}", "--iterations", "3")["own_view"]


def test_two_kinds_of_problems_have_two_next_steps(arena: RunArena, bots: Path) -> None:
    failed = arena("check", f"{bots}:Thief", "--players", "2", "--games", "1", code=1)
    starts = [line.partition(": ")[0] for line in failed.lines]
    assert (starts.count("next"), starts.count("then")) == (1, 1)


def test_actions_before_a_fault_are_reported(checked: Checked, bots: Path) -> None:
    report = checked(f"{bots}:Thief", passes=False)
    assert report["faults"]
    assert report["touched"] == ["opens /etc/passwd for reading"]


@pytest.mark.slow
def test_the_next_step_is_a_valid_command(arena: RunArena) -> None:
    words = ["check", "random", "--game", "secrets", "--players", "4", "--games", "1"]
    step = "next: arena match random greedy ismcts greedy --show --game secrets"
    assert arena(*words).lines[-1] == step


@pytest.mark.slow
def test_a_program_is_checked_but_not_observed(checked: Checked) -> None:
    report = checked(f"cmd:{sys.executable} {EXAMPLE}")
    assert (report["watched"], report["own_view"]) == (False, None)


def test_a_bot_that_never_decided_was_not_watched(arena: RunArena, tmp_path: Path) -> None:
    """A file that Python cannot even read was said to use no file."""
    (tmp_path / "broken.py").write_text("class Broken(:\n")
    command = ["check", f"{tmp_path}/broken.py:Broken", "--players", "2", "--games", "1"]
    assert "own view:    not checked, because it decided nothing" in arena(*command, code=1).lines
    report = json.loads(arena(*command, "--json", code=1).out)
    assert (report["legal"], report["repeatable"], report["own_view"]) == (False, None, None)


def test_a_bot_that_finished_no_game_was_not_watched_to_the_end(
    arena: RunArena, tmp_path: Path
) -> None:
    """One that failed at its second decision was said to use its view alone."""
    (tmp_path / "fails.py").write_text(
        "from bots import Bot\n"
        "class Fails(Bot):\n"
        "    decided = 0\n"
        "    def choose(self, view):\n"
        "        self.decided += 1\n"
        "        return view.moves[0] if self.decided < 2 else 1 // 0\n"
    )
    command = ["check", f"{tmp_path}/fails.py:Fails", "--players", "2", "--games", "1"]
    assert "own view:    not checked, because no game was finished" in arena(*command, code=1).lines
    report = json.loads(arena(*command, "--json", code=1).out)
    assert report["counts"][0]["decisions"] == 1
    assert report["own_view"] is None


def test_what_a_program_was_refused_is_listed(arena: RunArena, tmp_path: Path) -> None:
    """It was "not checked", and the program was told to decide by its View alone all the same."""
    program = tmp_path / "caller.py"
    call = "import socket\ntry:\n    socket.socket()\nexcept OSError:\n    pass\n"
    program.write_text(call + EXAMPLE.read_text())
    name = f"cmd:{sys.executable} {program}"
    failed = arena("check", name, "--players", "2", "--games", "1", code=1)
    place = failed.lines.index("own view:    no")
    assert failed.lines[place + 1] == "  makes the system call socket"
    assert "decide by the View alone" in failed.lines[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Illegal", ["legal:       no, 2 faults", "to reproduce it: arena match", "and fix it"]),
        ("Unseeded", ["repeatable:  no", "use self.rng"]),
        ("Reads", ["own view:    no", "  opens /etc/passwd", "by the View alone"]),
    ],
)
def test_the_text_says_what_is_wrong_and_what_to_do(
    arena: RunArena, bots: Path, name: str, words: list[str]
) -> None:
    text = arena("check", f"{bots}:{name}", "--players", "2", "--games", "2", code=1).out
    for word in ("verdict: FAIL", *words):
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
    arena: RunArena, arguments: list[str], complaint: str
) -> None:
    outcome = arena("check", *arguments, code=2)
    assert outcome.out == ""
    assert complaint in outcome.err


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


@pytest.mark.slow
def test_a_crash_shows_the_lines_of_the_bot(arena: RunArena, bots: Path) -> None:
    words = ("check", f"{bots}:Thief", "--players", "2", "--games", "1")
    text = arena(*words, code=1).out
    number = bots.read_text().splitlines().index("class Thief(Bot):") + 3
    assert f"    bots.py, line {number}, in choose\n      open(" in text
    (fault,) = json.loads(arena(*words, "--json", code=1).out)["faults"]
    assert fault["where"] == f"bots.py, line {number}, in choose"
    assert fault["trace"][0] == f"  bots.py, line {number}, in choose"


@pytest.mark.slow
def test_a_program_that_dies_shows_the_end_of_its_stderr(arena: RunArena, tmp_path: Path) -> None:
    file = tmp_path / "dies.py"
    file.write_text("import sys\nsys.exit('out of ideas')\n")
    name = f"cmd:{sys.executable} {file}"
    text = arena("check", name, "--players", "2", "--games", "1", code=1).out
    assert "    out of ideas\n" in text
