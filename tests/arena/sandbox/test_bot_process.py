"""Bots in processes of their own: the same games, every fault classed, nothing left behind."""

from __future__ import annotations

import os
import pickle
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as cli
from arena.match.bot_factory import bot_factory
from arena.match.referee import BotFault, Result, play_game
from arena.sandbox.bot_process import GRACE, USUAL, BotProcess, Limits
from arena.sandbox.channel import KEPT_STDERR, MOST_STDERR
from bots import Budget
from bots.bot import Match
from bots.options import BadOption
from bots.runtime.faults import FaultKind
from bots.runtime.loading import BadBot, load_bot
from bots.runtime.protocol import MOST_LINE
from games.engine import COMPILED
from games.registry import game
from games.replay import read_replay, write_replay
from tests.support.leftovers import linux, nothing_left
from tests.support.paths import ROOT, SUPPORT

RULES = game("hidden-leaders")
REMOTE = ROOT / "examples" / "remote"
CLUMSY = SUPPORT / "faulty_program.py"
QUICK = Limits(move=0.3, start=20.0)
"""For bots that keep us waiting on purpose."""


def clumsy(fault: str) -> str:
    return f"cmd:{sys.executable} {CLUMSY} {fault}"


def played(*names: str, seed: int = 1, isolated: bool = False, **more: Any) -> Result:
    return play_game(RULES, [bot_factory(name, isolated) for name in names], seed, **more)


def fault_of(name: str, limits: Limits | None = None, isolated: bool = False) -> BotFault:
    seats = [bot_factory("random"), bot_factory(name, isolated, limits)]
    with pytest.raises(BotFault) as found:
        play_game(RULES, seats, seed=1)
    fault = found.value
    assert (fault.seat, fault.name) == (1, name)
    assert str(fault) == f"B ({name}) at decision {fault.decision}: {fault.problem}"
    assert "\n" not in str(fault)
    return fault


# ---- the same games -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["random", "greedy", "ismcts:iterations=20", "ismcts:tree=mo"])
def test_a_bot_plays_the_same_game_in_a_process_of_its_own(name: str) -> None:
    short: dict[str, object] = {"rounds": 20 if COMPILED else 3}
    more: dict[str, Any] = {"options": short, "budget": Budget(iterations=20)}
    here = played(name, "random", name, seed=3, **more)
    there = played(name, "random", name, seed=3, isolated=True, **more)
    assert write_replay(here.replay) == write_replay(there.replay)
    assert here.winners == there.winners


def test_what_a_bot_is_told_is_the_same_in_a_process_of_its_own(tmp_path: Path) -> None:
    """The View, the events, the options, the budget: all it can see goes into what it says."""
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
    assert first.belief == {"pages": 1 / 3, "nothing": 0.5}
    assert read_replay(write_replay(there.replay)) == here.replay


DIARIST = '''
from hashlib import sha256

from bots import Bot, Option


class Diarist(Bot):
    """Sums up all it is told."""

    pages = Option(1, "of its diary", least=1)

    def start(self, view):
        self.diary = sha256(repr((self.seat, self.budget, view.players, view.threshold)).encode())

    def observe(self, event):
        self.diary.update(repr(event).encode())

    def choose(self, view):
        self.diary.update(view.key() + repr([view.text(move) for move in view.moves]).encode())
        return self.rng.choice(view.moves)

    def explain(self):
        return self.diary.hexdigest()

    def belief(self):
        return {"pages": 1 / self.pages, "nothing": 0.5}
'''


@pytest.mark.parametrize("players", [2, 6])
def test_the_python_example_plays_whole_games(players: int) -> None:
    name = f"cmd:{sys.executable} {REMOTE / 'first.py'}"
    games = [played(name, *["random"] * (players - 1), seed=2) for _ in range(2)]
    assert games[0].replay == games[1].replay
    assert games[0].decisions > 20
    assert all("moves" in reason for reason in games[0].reasons.values())


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize("players", [2, 4])
def test_the_node_example_plays_whole_games(players: int) -> None:
    name = f"cmd:node {REMOTE / 'first.mjs'}"
    games = [played(name, *["random"] * (players - 1), seed=2) for _ in range(2)]
    assert games[0].replay == games[1].replay
    assert games[0].decisions > 20


def test_the_python_example_needs_nothing_of_ours() -> None:
    lines = (REMOTE / "first.py").read_text().splitlines()
    imports = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
    assert imports <= sys.stdlib_module_names


def test_prints_go_to_stderr_and_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "chatty.py"
    file.write_text(
        "import os\nfrom bots import Bot\n\nclass Chatty(Bot):\n    def choose(self, view):\n"
        "        print('hm', view.decisions)\n        os.write(1, b'?\\x1b[2J\\n')\n"
        "        return view.moves[0]\n"
    )
    result = played("random", f"{file}:Chatty", isolated=True)
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

FAULTS = [
    ("rubbish", FaultKind.PROTOCOL, "wrote 'I would rather not', which is not a JSON object"),
    ("empty-line", FaultKind.PROTOCOL, "wrote '', which is not"),
    ("bytes", FaultKind.PROTOCOL, "which is not a JSON object"),
    ("list", FaultKind.PROTOCOL, "wrote '[1, 2]', which is not a JSON object"),
    ("nested", FaultKind.PROTOCOL, "which is not a JSON object"),
    ("big-number", FaultKind.PROTOCOL, "which is not a JSON object"),
    (
        "half-a-line",
        FaultKind.TIME,
        'wrote half a line within 0.3 seconds, \'{"type": "mo\', and not',
    ),
    ("megabyte", FaultKind.OUTPUT, f"wrote a line of more than {MOST_LINE} bytes, beginning 'xxx"),
    ("endless-line", FaultKind.OUTPUT, f"wrote a line of more than {MOST_LINE} bytes"),
    ("talkative", FaultKind.OUTPUT, f"wrote more than {MOST_STDERR} bytes to stderr"),
    ("dies", FaultKind.DIED, "exited with code 3"),
    ("killed", FaultKind.DIED, "was ended by SIGSEGV"),
    ("nameless", FaultKind.DIED, "was ended by signal 35"),
    ("closes-output", FaultKind.PROTOCOL, "closed its output and went on running"),
    ("closes-input", FaultKind.PROTOCOL, "answered decision -1"),
    ("illegal", FaultKind.ILLEGAL, "chose 100000, which is not legal; legal are ["),
    ("negative", FaultKind.ILLEGAL, "chose -1, which is not legal"),
    ("string", FaultKind.NOT_A_MOVE, "chose 'play Keen Koi', which is not a move number"),
    ("none", FaultKind.NOT_A_MOVE, "chose None, which is not a move number"),
    ("true", FaultKind.NOT_A_MOVE, "chose True, which is not a move number"),
    ("no-move", FaultKind.NOT_A_MOVE, "chose None, which is not a move number"),
    ("sleeps", FaultKind.TIME, "gave no answer within 0.3 seconds"),
    ("raises", FaultKind.EXCEPTION, "raised ValueError: \N{REPLACEMENT CHARACTER}[31m no"),
    ("odd-error", FaultKind.EXCEPTION, "None"),
    ("hurt-by-others", FaultKind.EXCEPTION, "it was not me"),
    ("other-type", FaultKind.PROTOCOL, "where a message 'move' was expected"),
    ("other-decision", FaultKind.PROTOCOL, "answered decision 1, not "),
    ("odd-reason", FaultKind.PROTOCOL, "gave the reason [1], which is not text"),
    ("odd-belief", FaultKind.PROTOCOL, "gave 'B is Cyra' the probability 7"),
    ("dies-at-once", FaultKind.DIED, "at decision 0: exited with code 7"),
    ("old", FaultKind.PROTOCOL, "at decision 0: speaks protocol 0; spoken here is 1"),
    ("unversioned", FaultKind.PROTOCOL, "at decision 0: speaks protocol None; spoken here is 1"),
    ("moves-at-once", FaultKind.PROTOCOL, "where a message 'ready' was expected"),
]


@linux
@pytest.mark.parametrize(("fault", "kind", "problem"), FAULTS, ids=[name for name, *_ in FAULTS])
def test_every_fault_is_classed_and_leaves_nothing(
    fault: str, kind: FaultKind, problem: str
) -> None:
    with nothing_left(str(CLUMSY)):
        found = fault_of(clumsy(fault), QUICK)
    assert found.kind == kind
    assert problem in str(found)
    assert (found.decision == 0) == ("at decision 0" in problem or "'ready'" in problem)


def test_who_never_greets_is_out_of_time() -> None:
    found = fault_of(clumsy("says-nothing"), Limits(start=0.3))
    assert (found.kind, found.decision) == (FaultKind.TIME, 0)


def test_a_program_that_cannot_be_run_is_a_fault_at_the_start(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF what is this")
    program.chmod(0o755)
    found = fault_of(f"cmd:{program}")
    assert (found.kind, found.decision) == (FaultKind.START, 0)
    assert f"{str(program)!r} cannot be run: " in str(found)


def test_time_of_a_game_adds_up() -> None:
    found = fault_of(f"cmd:{sys.executable} {REMOTE / 'first.py'}", Limits(game=0.002))
    assert found.kind == FaultKind.TIME
    assert found.decision > 0


def test_a_fault_carries_what_was_written_to_stderr_and_the_game_so_far() -> None:
    found = fault_of(clumsy("dies"))
    assert found.stderr == "so tired\n"
    assert found.replay is not None
    state = found.replay.state()
    assert state.actor == 1
    assert read_replay(write_replay(found.replay)) == found.replay


def test_of_much_stderr_the_end_is_kept() -> None:
    found = fault_of(clumsy("talkative"))
    assert len(found.stderr) == KEPT_STDERR
    assert found.stderr.endswith(("and then\n", "and then", "and", "an", "a", "t", "e", "n", " "))


def test_the_bot_is_told_of_its_fault(capfd: pytest.CaptureFixture[str]) -> None:
    process = bot_factory(clumsy("illegal")).make(0, 1, None, Match("hidden-leaders", 2))
    assert isinstance(process, BotProcess)
    process.start(RULES.view(0, 2))
    process.refuse(FaultKind.ILLEGAL, "chose 0")
    process.close()
    assert process.stderr == "told: illegal chose 0\n"


def test_faults_cross_processes() -> None:
    found = fault_of(clumsy("dies"))
    again = pickle.loads(pickle.dumps(found))  # noqa: S301
    assert str(again) == str(found)
    assert vars(again) == vars(found)


CLASSES = '''
import sys
from bots import Bot


class Wrong(Bot):
    """Plays well three times; then something happens."""

    asked = 0

    def choose(self, view):
        self.asked += 1
        return self.rng.choice(view.moves) if self.asked <= 3 else self.fail(view)


class Raises(Wrong):
    def fail(self, view):
        return 1 // 0


class Exits(Wrong):
    def fail(self, view):
        sys.exit(0)


class Presses(Wrong):
    def fail(self, view):
        raise KeyboardInterrupt


class Chameleon(int):
    def __eq__(self, other):
        return True

    __hash__ = int.__hash__

    def __repr__(self):
        raise RuntimeError("no")


class Disguise(Wrong):
    def fail(self, view):
        return Chameleon(99999)


class Word(Wrong):
    def fail(self, view):
        return view.text(view.moves[0])


class Huge(Wrong):
    def fail(self, view):
        return 10 ** 5000


class Sphinx:
    def __repr__(self):
        raise RuntimeError("no")


class Riddle(Wrong):
    def fail(self, view):
        return Sphinx()


class Boaster(Wrong):
    def fail(self, view):
        return view.moves[0]

    def explain(self):
        return 42 if self.asked > 3 else ""


class Seer(Boaster):
    def explain(self):
        return ""

    def belief(self):
        return {"all": 2.0} if self.asked > 3 else {}


class Sleeps(Wrong):
    def fail(self, view):
        while True:
            pass


class Stillborn(Wrong):
    def __init__(self, seat, rng, budget=None):
        raise KeyError("no")


class LateRiser(Wrong):
    def start(self, view):
        raise KeyError("no")


class Blind(Wrong):
    def observe(self, event):
        raise KeyError("no")


class Hungry(Wrong):
    def fail(self, view):
        raise MemoryError
'''

CLASSED = [
    ("Raises", FaultKind.EXCEPTION, "raised ZeroDivisionError: "),
    ("Exits", FaultKind.EXCEPTION, "raised SystemExit: 0"),
    ("Disguise", FaultKind.ILLEGAL, "chose 99999, which is not legal"),
    ("Word", FaultKind.NOT_A_MOVE, "which is not a move number"),
    ("Huge", FaultKind.ILLEGAL, "chose a number of 16610 bits, which is not legal"),
    ("Riddle", FaultKind.NOT_A_MOVE, "chose a Sphinx, which is not a move number"),
    ("Boaster", FaultKind.PROTOCOL, "gave the reason 42, which is not text"),
    ("Seer", FaultKind.PROTOCOL, "gave 'all' the probability 2.0"),
    ("Stillborn", FaultKind.EXCEPTION, "raised KeyError"),
    ("LateRiser", FaultKind.EXCEPTION, "raised KeyError"),
    ("Blind", FaultKind.EXCEPTION, "raised KeyError"),
    ("Hungry", FaultKind.MEMORY, "raised MemoryError"),
]


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bots") / "classes.py"
    file.write_text(CLASSES)
    return file


@pytest.mark.parametrize(("bot", "kind", "problem"), CLASSED, ids=[bot for bot, *_ in CLASSED])
def test_a_class_has_the_same_fault_here_and_in_a_process_of_its_own(
    classes: Path, bot: str, kind: FaultKind, problem: str
) -> None:
    here = fault_of(f"{classes}:{bot}")
    there = fault_of(f"{classes}:{bot}", isolated=True)
    assert here.kind == there.kind == kind
    assert problem in here.problem
    assert problem in there.problem
    if bot != "Blind":  # which is told of events only when it must choose
        assert str(here) == str(there)


def test_a_class_that_presses_ctrl_c_itself_is_at_fault(classes: Path) -> None:
    found = fault_of(f"{classes}:Presses", isolated=True)
    assert (found.kind, found.problem) == (FaultKind.EXCEPTION, "raised KeyboardInterrupt")
    assert "child_main.py" not in found.stderr


def test_a_class_that_never_returns_is_out_of_time(classes: Path) -> None:
    found = fault_of(f"{classes}:Sleeps", QUICK, isolated=True)
    assert found.kind == FaultKind.TIME


def test_the_authors_own_lines_are_on_stderr(classes: Path) -> None:
    found = fault_of(f"{classes}:Raises", isolated=True)
    assert "return 1 // 0" in found.stderr
    assert f'"{classes}", line ' in found.stderr
    assert "child_main.py" not in found.stderr


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Nobody", "has no 'Nobody'"),
        ("Wrong:pages=1", "Wrong has no option 'pages' (it has no options)"),
        ("Sphinx", "is not a bot; a bot is a subclass of bots.Bot"),
    ],
)
def test_a_class_that_cannot_be_loaded_is_a_fault_at_the_start(
    classes: Path, name: str, problem: str
) -> None:
    found = fault_of(f"{classes}:{name}", isolated=True)
    assert (found.kind, found.decision) == (FaultKind.START, 0)
    assert problem in str(found)


def test_an_isolated_file_is_not_even_imported_here(tmp_path: Path) -> None:
    file = tmp_path / "spy.py"
    file.write_text(
        "import os\nfrom bots import Bot\n\nOWN = os.getpid()\n\nclass Spy(Bot):\n"
        "    def choose(self, view):\n        return view.moves[0]\n"
        "    def explain(self):\n        return str(OWN)\n"
    )
    told = set(played(f"{file}:Spy", "random", isolated=True).reasons.values())
    assert len(told) == 1
    assert told != {str(os.getpid())}


# ---- naming, limits -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "error", "problem"),
    [
        ("cmd:", BadBot, "names no program: write it like 'cmd:node my_bot.js'"),
        ("cmd:no-such-program x", BadBot, "there is no program 'no-such-program' to run"),
        ("cmd:sh 'x", BadBot, "is not a command line: no closing quotation"),
        ("gredy", BadBot, "did you mean 'greedy'?"),
        ("greedy:dept=1", BadOption, "did you mean 'depth'?"),
        ("no/such.py:Bot", BadBot, "there is no file 'no/such.py'"),
    ],
)
def test_names_that_lead_nowhere_are_refused_at_once(
    name: str, error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem.replace("?", r"\?")):
        bot_factory(name, isolated=True)


def test_a_program_is_no_class() -> None:
    with pytest.raises(BadBot, match="is a program; only a Python class can be used here"):
        load_bot("cmd:node x.js")


def test_without_a_limit_the_budget_counts_and_without_a_budget_patience() -> None:
    def limit(limits: Limits, budget: Budget) -> float:
        process = bot_factory(clumsy("dies"), limits=limits).make(
            0, 1, budget, Match("hidden-leaders", 2)
        )
        assert isinstance(process, BotProcess)
        process.close()
        return process.move_limit

    assert limit(Limits(), Budget()) == USUAL
    assert limit(Limits(), Budget(seconds=2.0)) == 2.0 + GRACE
    assert limit(Limits(move=0.5), Budget(seconds=2.0)) == 0.5


@linux
def test_other_processes_end_with_a_broken_game(tmp_path: Path) -> None:
    with nothing_left(str(CLUMSY)), pytest.raises(BotFault):
        played(clumsy("sleeps"), clumsy("dies"), clumsy("sleeps"))


@linux
def test_an_interrupted_game_leaves_no_process() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with nothing_left(str(CLUMSY)), pytest.raises(KeyboardInterrupt):
        played(clumsy("dies"), clumsy("dies"), watch=interrupt)


# ---- the command --------------------------------------------------------------------------------


def test_match_isolates_and_gives_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for more in ([], ["--isolate"]):
        assert cli.run(["match", "greedy", "random", "--seed", "4", *more]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]


def test_match_shows_the_end_of_stderr_above_the_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["match", "random", clumsy("dies")]) == 2
    tail, fault = capsys.readouterr().err.splitlines()
    assert tail == "so tired"
    assert fault.startswith("arena: B (cmd:")
    assert fault.endswith(": exited with code 3")


def test_match_stops_who_takes_too_long(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["match", "random", clumsy("sleeps"), "--move-limit", "0.2"]) == 2
    assert capsys.readouterr().err.endswith("gave no answer within 0.2 seconds\n")
