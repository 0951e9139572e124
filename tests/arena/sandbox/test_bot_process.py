"""Bots in their own process: the same games, every fault classified, nothing left behind."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.match.bot_factory import bot_factory, own_files
from arena.match.referee import BotFault, run_game
from arena.sandbox.bot_process import DEFAULT_MOVE_LIMIT, GRACE, BotProcess, Limits
from arena.sandbox.channel import KEPT_STDERR
from arena.sandbox.submission import Submission
from bots import Budget
from bots.bot import Match
from bots.options import BadOption
from bots.runtime import child_main
from bots.runtime.faults import FaultKind
from bots.runtime.loading import BadBot, load_bot
from games.engine import COMPILED
from games.registry import game
from games.replay import read_replay, write_replay
from tests.support.command_line import RunArena
from tests.support.faulty_program import FAULTS
from tests.support.leftovers import fully_sandboxed, linux, nothing_left
from tests.support.matches import (
    FAILING,
    FIRST,
    RULES,
    cases,
    fault_of,
    played,
    seat_bot,
    without_times,
)
from tests.support.paths import ROOT, SUPPORT

REMOTE = ROOT / "examples" / "remote"
EXAMPLE = f"cmd:{sys.executable} {REMOTE / 'first.py'}"
FAULTY = SUPPORT / "faulty_program.py"
SHORT = Limits(move=0.5)
"""For bots that never answer; others may need longer on a busy machine."""


def faulty(fault: str) -> str:
    return f"cmd:{sys.executable} {FAULTY} {fault}"


def process_of(fault: str, limits: Limits, budget: Budget | None = None) -> BotProcess:
    """The process of a faulty program, before it plays."""
    factory = seat_bot(faulty(fault), limits=limits)
    process = factory.make(0, 1, budget, Match("hidden-leaders", 2))
    assert isinstance(process, BotProcess)
    return process


# ---- the same games -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random", "greedy", "ismcts:iterations=20", "ismcts:tree=mo"])
def test_a_bot_plays_the_same_game_in_its_own_process(name: str) -> None:
    short: dict[str, object] = {"rounds": 20 if COMPILED else 3}
    more: dict[str, Any] = {"options": short, "budget": Budget(iterations=20)}
    here = played(name, "random", name, seed=3, **more)
    there = played(name, "random", name, seed=3, isolated=True, **more)
    assert without_times(here.replay) == without_times(there.replay)
    assert here.winners == there.winners


def test_a_bot_gets_the_same_input_in_its_own_process(tmp_path: Path) -> None:
    """View, events, options and budget: the bot explains its moves by a hash of all of it."""
    file = tmp_path / "diarist.py"
    file.write_text(DIARIST)
    name = f"{file}:Diarist:pages=3"
    options: dict[str, object] = {"threshold": 3, "deck": "beginner"}
    more: dict[str, Any] = {"options": options, "budget": Budget(7, 2.5), "seed": 6}
    here = played(name, "random", **more)
    there = played(name, "random", isolated=True, **more)
    assert here.replay == there.replay
    assert len(here.reasons) > 20
    first = next(iter(here.replay.notes.values()))
    assert first.belief == {"pages": 0.3333, "nothing": 0.5, "B": {"Cyra": 0.25, "other": 0.75}}
    assert [(value, visits) for _, visits, value in first.candidates] == [(0.5, 1), (-1.5, 0)]
    assert read_replay(write_replay(there.replay)) == here.replay


DIARIST = '''
from hashlib import sha256

from bots import Bot, Option


class Diarist(Bot):
    """Hashes everything it receives."""

    pages = Option(1, "pages of its diary", least=1)

    def start(self, view):
        self.view = view
        self.diary = sha256(repr((self.seat, self.budget, view.players, view.threshold)).encode())

    def observe(self, event):
        self.diary.update(repr(event).encode())

    def choose(self, view):
        self.diary.update(view.key() + repr([view.text(move) for move in view.moves]).encode())
        return self.rng.choice(view.moves)

    def explain(self):
        return self.diary.hexdigest()

    def belief(self):
        return {"pages": 1 / self.pages, "nothing": 0.5, "B": {"Cyra": 0.25, "other": 0.75}}

    def considered(self):
        return [(self.view.moves[0], 1, 0.5), (self.view.moves[-1], 0, -1.5)]
'''


@pytest.mark.parametrize(
    ("name", "players"), [("python", 2), ("python", 6), ("node", 2), ("node", 4)]
)
def test_an_example_plays_whole_games(name: str, players: int) -> None:
    if name == "node" and not shutil.which("node"):
        pytest.skip("needs Node")
    bot = EXAMPLE if name == "python" else f"cmd:node {REMOTE / 'first.mjs'}"
    games = [played(bot, *["random"] * (players - 1), seed=2) for _ in range(2)]
    assert games[0].replay == games[1].replay
    assert games[0].decisions > 20
    if name == "python":
        assert all("moves" in reason for reason in games[0].reasons.values())


def test_the_python_example_imports_nothing_of_ours() -> None:
    lines = (REMOTE / "first.py").read_text().splitlines()
    imports = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imports <= sys.stdlib_module_names


def test_printed_text_goes_to_stderr_and_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "chatty.py"
    talk = "print('hm', view.decisions); os.write(1, b'?\\x1b[2J\\n')"
    file.write_text(f"import os\n{FIRST.replace('return', f'{talk}; return')}")
    result = played("random", f"{file}:First", isolated=True)
    assert result.stderr[0] == ""
    assert result.stderr[1].count("?\N{REPLACEMENT CHARACTER}[2J\n") > 10
    assert "hm " in result.stderr[1]


def test_time_and_memory_are_measured() -> None:
    result = played("random", "random", "greedy", isolated=True)
    assert sum(map(len, result.seconds)) == result.decisions
    assert all(seconds > 0 for times in result.seconds for seconds in times)
    assert all(5_000_000 < used < 500_000_000 for used in result.memory)
    here = played("random", "random")
    assert (here.memory, here.stderr) == ((0, 0), ("", ""))


# ---- faults -------------------------------------------------------------------------------------


@linux
@pytest.mark.parametrize(
    ("fault", "kind", "problem"),
    cases(
        (row[:3] for row in FAULTS),
        {"closes-output", "closes-input", "half-a-line", "sleeps", "says-nothing"},
    ),
)
def test_every_fault_is_classified_and_leaves_nothing(fault: str, kind: str, problem: str) -> None:
    with nothing_left(str(FAULTY)):
        limits = SHORT if kind == FaultKind.TIME else None
        impatient = Limits(start=0.5) if fault == "says-nothing" else limits
        raised = fault_of(seat_bot(faulty(fault), limits=impatient))
    assert raised.kind == kind
    assert problem in str(raised)
    in_greeting = any(
        words in problem for words in ("before its first decision", "'ready'", "to start")
    )
    assert (raised.decision == 0) == in_greeting


@pytest.mark.parametrize("isolated", [False, pytest.param(True, marks=fully_sandboxed)])
def test_a_program_that_cannot_be_run_is_at_fault(tmp_path: Path, isolated: bool) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF what is this")
    program.chmod(0o755)
    fault = fault_of(seat_bot(f"cmd:{program}", isolated))
    assert (fault.kind, fault.decision) == (FaultKind.DIED if isolated else FaultKind.START, 0)
    if isolated:
        assert fault.stderr == f"{program} cannot be run in the sandbox: Exec format error\n"
    else:
        assert f"{str(program)!r} cannot be run: " in str(fault)


def test_the_time_of_all_decisions_adds_up(tmp_path: Path) -> None:
    source = (REMOTE / "first.py").read_text().replace("import json", "import json, time")
    asked = '        moves = message["moves"]\n'
    slow = tmp_path / "slow.py"
    slow.write_text(source.replace(asked, f"        time.sleep(0.1)\n{asked}"))
    fault = fault_of(seat_bot(f"cmd:{sys.executable} {slow}", limits=Limits(game=1.0)))
    assert fault.kind == FaultKind.TIME
    assert fault.decision > 0


def test_a_fault_carries_stderr_and_the_game_so_far_and_can_be_pickled() -> None:
    fault = fault_of(seat_bot(faulty("dies")))
    assert fault.stderr == "so tired\n"
    assert fault.replay is not None
    state = fault.replay.state()
    assert state.actor == 1
    assert read_replay(write_replay(fault.replay)) == fault.replay
    copy = pickle.loads(pickle.dumps(fault))  # noqa: S301
    assert str(copy) == str(fault)
    assert vars(copy) == vars(fault)


def test_the_end_of_a_long_stderr_is_kept() -> None:
    fault = fault_of(seat_bot(faulty("talkative")))
    assert len(fault.stderr) == KEPT_STDERR
    assert fault.stderr.endswith(("and then\n", "and then", "and", "an", "a", "t", "e", "n", " "))


def test_the_bot_receives_its_fault() -> None:
    process = process_of("illegal", Limits())
    process.start(RULES.view(0, 2))
    process.report_fault(FaultKind.ILLEGAL, "chose 0")
    process.close()
    assert process.stderr == "told: illegal chose 0\n"


SAME = "Raises Exits Disguise Words Huge Riddle Boaster Seer Stillborn LateRiser Blind Hungry"


@pytest.mark.parametrize("bot", SAME.split())
def test_a_class_has_the_same_fault_here_and_in_its_own_process(bot: str) -> None:
    here = fault_of(seat_bot(f"{FAILING}:{bot}"))
    there = fault_of(seat_bot(f"{FAILING}:{bot}", isolated=True))
    assert (here.kind, here.problem) == (there.kind, there.problem)
    assert (here.where, here.frames) == (there.where, there.frames)
    if bot != "Blind":  # a process receives events only when it must choose
        assert here.decision == there.decision


def test_a_class_that_raises_keyboard_interrupt_is_at_fault() -> None:
    fault = fault_of(seat_bot(f"{FAILING}:Presses", isolated=True))
    assert (fault.kind, fault.problem) == (FaultKind.EXCEPTION, "raised KeyboardInterrupt")
    assert Path(child_main.__file__).name not in fault.stderr


@pytest.mark.slow
def test_a_class_that_never_returns_times_out() -> None:
    assert fault_of(seat_bot(f"{FAILING}:Sleeps", True, SHORT)).kind == FaultKind.TIME


@pytest.mark.parametrize(
    ("text", "where", "problem"),
    [
        ("import json\n\njson.loads('{')\n", "line 3, in <module>", "Expecting property name"),
        ("class First(:\n", "line 1", "SyntaxError: invalid syntax"),
    ],
)
def test_a_class_that_does_not_import_shows_the_line(
    tmp_path: Path, text: str, where: str, problem: str
) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    fault = fault_of(seat_bot(f"{file}:First", isolated=True))
    assert (fault.kind, fault.where) == (FaultKind.START, f"broken.py, {where}")
    assert "cannot be imported: " in fault.problem
    assert problem in fault.problem
    assert text.splitlines()[-1] in fault.frames


@pytest.mark.parametrize("isolated", [False, True])
def test_the_frames_show_the_authors_code_only(isolated: bool) -> None:
    fault = fault_of(seat_bot(f"{FAILING}:Raises", isolated))
    outer, _, _, _, inner, line = fault.frames.splitlines()
    assert outer == f"  {FAILING.name}, line {line_of('else self.fail')}, in choose"
    assert inner == f"  {FAILING.name}, line {line_of('1 // 0')}, in <lambda>"
    assert "1 // 0" in line
    assert fault.where == inner.strip()
    assert fault.stderr == ""


def line_of(source: str) -> int:
    """The number of the first line of the failing bots that contains this."""
    lines = FAILING.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if source in line)


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Nobody", "has no 'Nobody'"),
        ("Wrong:pages=1", "Wrong has no option 'pages' (it has no options)"),
        ("Sphinx", "is not a bot; a bot is a subclass of bots.Bot"),
    ],
)
def test_a_class_that_cannot_be_loaded_is_a_fault_at_the_start(name: str, problem: str) -> None:
    fault = fault_of(seat_bot(f"{FAILING}:{name}", isolated=True))
    assert (fault.kind, fault.decision) == (FaultKind.START, 0)
    assert problem in str(fault)


def test_an_isolated_file_is_not_imported_here(tmp_path: Path) -> None:
    file = tmp_path / "spy.py"
    explain = "    def explain(self):\n        return str(OWN)\n"
    file.write_text(f"import os\nOWN = os.getpid()\n{FIRST}{explain}")
    pids = set(played(f"{file}:First", "random", isolated=True).reasons.values())
    assert len(pids) == 1
    assert pids != {str(os.getpid())}


# ---- names and limits --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "error", "problem"),
    [
        ("cmd:", BadBot, "names no program; write it like 'cmd:node my_bot.js'"),
        ("cmd:no-such-program x", BadBot, "there is no program 'no-such-program', neither"),
        ("cmd:sh 'x", BadBot, "is not a command line: no closing quotation"),
        ("gredy", BadBot, "did you mean 'greedy'?"),
        ("greedy:dept=1", BadOption, "did you mean 'depth'?"),
        ("no/such.py:Bot", BadBot, "there is no file 'no/such.py'"),
    ],
)
def test_wrong_names_are_rejected_at_once(name: str, error: type[Exception], problem: str) -> None:
    with pytest.raises(error, match=problem.replace("?", r"\?")):
        bot_factory(name, isolated=True)


def test_a_file_that_cannot_be_executed_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "mine.sh").write_text("#!/bin/sh\n")
    with pytest.raises(BadBot, match=r"mine\.sh is not executable: chmod"):
        bot_factory(f"cmd:{tmp_path / 'mine.sh'}")


def test_a_package_that_lies_outside_the_installation_is_a_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that pip has installed as editable: its author checks it like any other bot."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "bird.py").write_text(FIRST)
    monkeypatch.syspath_prepend(tmp_path)
    assert own_files("outside.bird:First") == (Submission(tmp_path, ("outside",)),)
    assert own_files("tabulate:First") == own_files("no_such_package:First") == ()
    assert own_files("arena.adapters.openspiel_bots:SpielIsmcts") == ()


def test_a_program_is_not_a_class() -> None:
    with pytest.raises(BadBot, match="is a program; only a Python class can be used here"):
        load_bot("cmd:node x.js")


@pytest.mark.parametrize(
    ("limits", "budget", "seconds"),
    [
        (Limits(), Budget(), DEFAULT_MOVE_LIMIT),
        (Limits(), Budget(seconds=2.0), 2.0 + GRACE),
        (Limits(move=0.5), Budget(seconds=2.0), 0.5),
    ],
    ids=["a minute", "the budget", "its own"],
)
def test_the_move_limit(limits: Limits, budget: Budget, seconds: float) -> None:
    process = process_of("dies", limits, budget)
    process.close()
    assert process.move_limit == seconds


@linux
def test_a_failed_game_ends_the_processes_of_all_bots() -> None:
    with nothing_left(str(FAULTY)), pytest.raises(BotFault):
        played(faulty("sleeps"), faulty("dies"), faulty("sleeps"))


@linux
def test_an_interrupted_game_leaves_no_process() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with nothing_left(str(FAULTY)), pytest.raises(KeyboardInterrupt):
        played(faulty("dies"), faulty("dies"), watch=interrupt)


# ---- the command --------------------------------------------------------------------------------


@pytest.mark.slow
def test_match_plays_the_same_game_isolated(arena: RunArena) -> None:
    words = ("match", "greedy", "random", "--seed", "4")
    assert arena(*words).out == arena(*words, "--isolate").out


def test_match_shows_the_end_of_stderr_above_the_fault(arena: RunArena) -> None:
    _, tail, fault = arena("match", "random", faulty("dies"), code=2).err.splitlines()
    assert tail == "so tired"
    assert fault.startswith("arena: B (cmd:")
    assert fault.endswith(": exited with code 3")


def test_match_stops_a_bot_that_takes_too_long(arena: RunArena) -> None:
    error = arena("match", "random", faulty("sleeps"), "--move-limit", "0.2", code=2).err
    assert error.endswith("gave no answer within 0.2 s per decision\n")


def test_a_program_that_never_answers_is_asked_whether_it_flushes() -> None:
    silent = f"cmd:{sys.executable} -c 'import time; time.sleep(60)'"
    factory = bot_factory(silent, limits=Limits(start=0.3))
    with pytest.raises(BotFault, match=r"within 0.3 s to start; did it flush stdout\?"):
        run_game(game("hidden-leaders"), [factory, bot_factory("random")], 1)


def test_a_limit_is_told_as_it_was_set_and_as_it_is_enforced() -> None:
    factory = bot_factory(faulty("sleeps"), limits=Limits(move=0.3, move_as_set=0.1))
    with pytest.raises(BotFault, match=r"within 0.1 s per decision, with grace 0.3 s$"):
        run_game(game("hidden-leaders"), [bot_factory("random"), factory], 1)
