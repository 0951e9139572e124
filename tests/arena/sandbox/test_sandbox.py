"""Hostile bots in real games: each fault is classified, no harm is done, nothing is left."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.match.bot_factory import RUNS, ProcessFactory, isolated_environment
from arena.match.referee import BotFactory, BotFault, Result
from arena.sandbox import policy, protections
from arena.sandbox.bot_process import START_FREE, Limits
from arena.sandbox.channel import MAX_STDERR
from arena.sandbox.confine import FIRST_USER
from arena.sandbox.fork_server import ForkServer, fork_server
from arena.sandbox.policy import NoSandbox, SandboxPolicy
from arena.sandbox.protections import PROTECTIONS, Protection
from arena.sandbox.scratch import remove_scratch
from arena.sandbox.submission import MOST_COPIED, MOST_FILES, Submission
from arena.sandbox.system_calls import ALLOWED, CHECKED, MOST_PIPES, MOST_THREADS, NUMBERS
from bots.runtime.faults import FaultKind
from bots.runtime.notes import MOST_NOTES
from bots.runtime.protocol import MOST_LINE
from tests.support.command_line import RunArena
from tests.support.hostile_bots import FAULTS
from tests.support.leftovers import fully_sandboxed, nothing_left, sandbox_processes
from tests.support.matches import FIRST, cases, played, run_python, seat_bot, without_times
from tests.support.matches import fault_of as fault_of_bot
from tests.support.pages import page
from tests.support.paths import ROOT, SUPPORT

HOSTILE = SUPPORT / "hostile_bots.py"
LIMITS = Limits(move=20, start=20, memory=300 << 20)
SLOW = ("Loops", "LoopsDeaf", "Sleeps", "EndsItsFirstThread")
"""Bots that never answer: the test waits for their limit."""

pytestmark = fully_sandboxed


@pytest.fixture(autouse=True)
def nothing_remains() -> Iterator[None]:
    """Whatever the bot does: no process, descriptor or scratch folder outlives its game."""
    with nothing_left(str(HOSTILE)):
        yield


def hostile(
    bot: str, target: object = "", file: Path = HOSTILE, hidden: Sequence[Path] = (RUNS,)
) -> BotFactory:
    name = f"{file}:{bot}" + (f":target={target}" if target else "")
    return seat_bot(name, True, replace(LIMITS, move=0.5) if bot in SLOW else LIMITS, hidden)


def game_of(bot: str, *more: Any) -> Result:
    return played("random", hostile(bot, *more))


def fault_of(bot: str, *more: Any) -> BotFault:
    return fault_of_bot(hostile(bot, *more))


def test_an_honest_bot_plays_in_the_sandbox() -> None:
    assert game_of("Hostile").decisions > 20


@pytest.mark.parametrize(
    ("bot", "kind", "problem"),
    cases((row[:3] for row in FAULTS), {*SLOW, "RecursesDeep", "ClosesAndStays"}),
)
def test_a_hostile_bot_is_classified_and_leaves_nothing(bot: str, kind: str, problem: str) -> None:
    fault = fault_of(bot)
    assert fault.kind == kind, fault
    assert problem in fault.problem


def test_closing_all_pipes_is_a_fault() -> None:
    assert fault_of("Closes").kind in {FaultKind.DIED, FaultKind.PROTOCOL}


def test_a_fork_bomb_starts_no_process() -> None:
    assert set(game_of("Storms").reasons.values()) == {"started 0"}


def test_a_bot_cannot_write_outside_its_scratch_folder(tmp_path: Path) -> None:
    target = tmp_path / "graffiti"
    assert fault_of("Writes", target).kind == FaultKind.EXCEPTION
    assert not target.exists()
    assert not HOSTILE.with_name("graffiti.py").exists()


MEETING = """
import ctypes, os, threading
from bots import Bot
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype, PLACE = ctypes.c_void_p, ctypes.c_void_p

def futex(operation, value, seconds):
    # In a page of a file that every Python maps.
    file = os.open(os.__file__, os.O_RDONLY)
    page = libc.mmap(None, 4096, 1, 1, file, ctypes.c_long(0))
    os.close(file)
    time = (ctypes.c_long * 2)(seconds, 0)
    call = ctypes.c_long(202 if os.uname().machine == "x86_64" else 98)
    return libc.syscall(call, PLACE(page), ctypes.c_long(operation), value, time, None, 0)

class Waits(Bot):
    def choose(self, view):
        if not hasattr(self, "waits"):
            value = int.from_bytes(open(os.__file__, "rb").read(4), "little")
            self.waits = threading.Thread(target=futex, args=(0, value, 3600), daemon=True)
            self.waits.start()
        return view.moves[0]

class Wakes(Bot):
    def choose(self, view):
        self.woken = futex(1, 100, 0)
        return view.moves[0]
    def explain(self):
        return f"{self.woken} woken"
"""


def test_two_bots_cannot_wake_each_other(tmp_path: Path) -> None:
    """Whether somebody waits would be a message: a card that the other must not see."""
    for bot in ("Waits", "Wakes"):
        (tmp_path / bot).mkdir()
        (tmp_path / bot / "bot.py").write_text(MEETING)
    game = played(*(f"{tmp_path}/{bot}/bot.py:{bot}" for bot in ("Waits", "Wakes")), isolated=True)
    assert set(game.reasons.values()) == {"0 woken"}
    assert game.refused == ({}, {})


INHERITS = """
import json, os, sys
from contextlib import ExitStack, suppress
found = []
for descriptor in range(3, 4000):
    with suppress(OSError):
        os.fstat(descriptor)
        found.append(descriptor)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 1}
    elif message["type"] == "choose":
        move = message["moves"][0]["move"]
        answer = {"type": "move", "decision": message["decision"], "move": move}
        answer["reason"] = f"inherited {found}"
    else:
        break
    print(json.dumps(answer), flush=True)
"""


def test_a_program_inherits_no_descriptor_of_an_arena_with_many(tmp_path: Path) -> None:
    """The control socket, through which it could tell how it died, and the folder /proc."""
    (tmp_path / "inherits.py").write_text(INHERITS)
    name = f"cmd:{sys.executable} {tmp_path / 'inherits.py'}"
    with ExitStack() as stack:
        for _ in range(400):
            stack.enter_context(open(os.devnull, encoding="ascii"))
        game = played(seat_bot(name, isolated=True), "random")
    assert set(game.reasons.values()) == {"inherited []"}


def test_the_scratch_folder_is_removed_after_the_game() -> None:
    (scratch,) = set(game_of("Scribbles").reasons.values())
    assert "arena-" in scratch
    assert not Path(scratch).exists()


@pytest.mark.parametrize(
    ("bot", "kind"), [("Calls", socket.SOCK_STREAM), ("CallsByUdp", socket.SOCK_DGRAM)]
)
def test_no_connection_is_made(bot: str, kind: socket.SocketKind) -> None:
    with socket.socket(socket.AF_INET, kind) as server:
        server.bind(("127.0.0.1", 0))
        if kind == socket.SOCK_STREAM:
            server.listen()
        assert fault_of(bot, server.getsockname()[1]).kind == FaultKind.EXCEPTION
        assert not select.select([server], [], [], 0.2)[0]


def test_a_bot_cannot_read_a_journal_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "league.db").write_text("all hands of all games")
    fault = fault_of("Reads", tmp_path / "league.db")
    assert fault.kind == FaultKind.EXCEPTION
    assert "all hands" not in str(fault) + fault.stderr


@pytest.mark.parametrize("name", ["runs/league.db", "league.db"], ids=["folder", "file"])
def test_a_bot_cannot_read_hidden_paths_next_to_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    journal, own, bot = tmp_path / name, tmp_path / "own.txt", tmp_path / "hostile.py"
    journal.parent.mkdir(exist_ok=True)
    journal.write_text("all hands of all games")
    own.write_text("my weights")
    bot.write_text(HOSTILE.read_text())
    hidden = (RUNS if journal.parent != tmp_path else journal,)
    assert "my weights" in game_of("Reads", own, bot, hidden).reasons.values()
    assert "all hands of all games" in game_of("Reads", journal, bot, ()).reasons.values()
    try:
        reasons = game_of("Reads", journal, bot, hidden).reasons
    except BotFault as fault:
        leaked = "all hands" in str(fault) + fault.stderr
        assert (fault.kind, leaked) == (FaultKind.EXCEPTION, False)  # noqa: PT017
    else:  # with namespaces, a hidden file reads as empty
        assert (name, reasons) == ("league.db", {})


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process that has nothing to do with the game."""
    with subprocess.Popen(["/bin/sleep", "60"]) as process:
        yield process
        process.kill()


def test_a_bot_cannot_kill_other_processes(bystander: subprocess.Popen[bytes]) -> None:
    assert game_of("Kills", bystander.pid).decisions > 20
    assert bystander.poll() is None


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_every_bot_of_root_has_a_user_of_its_own(tmp_path: Path) -> None:
    explain = "    def explain(self):\n        return str(os.getuid())\n"
    (tmp_path / "bot.py").write_text(f"import os\n{FIRST}{explain}")
    name = f"{tmp_path / 'bot.py'}:First"
    users = set(played(name, name, isolated=True).reasons.values())
    assert len(users) == 2
    assert all(int(user) >= FIRST_USER for user in users)


def test_tampering_with_modules_affects_no_other_game() -> None:
    honest = game_of("Hostile")
    try:
        tampered = game_of("Tampers")
    except BotFault as fault:
        assert fault.kind in {FaultKind.EXCEPTION, FaultKind.DIED}  # noqa: PT017
    else:
        assert tampered.replay.moves == honest.replay.moves
    again = game_of("Hostile")
    assert without_times(again.replay) == without_times(honest.replay)


@pytest.mark.slow
@pytest.mark.parametrize("bot", ["Works", "WorksDeaf"])
def test_cpu_time_is_limited_as_well_as_time_on_the_clock(bot: str) -> None:
    limits = replace(LIMITS, start=0.6, game=0.2)  # one second of CPU time
    worker = seat_bot(f"{HOSTILE}:{bot}", True, limits)
    assert isinstance(worker, ProcessFactory)
    fault = fault_of_bot(replace(worker, limits=replace(LIMITS, move=60.0, game=60.0)))
    assert fault.kind == FaultKind.TIME
    assert fault.problem == "used up its CPU time for the game"


@pytest.mark.slow
def test_a_failed_game_with_a_hostile_bot_does_not_change_the_next_one() -> None:
    before = played("random", "greedy", isolated=True, seed=3)
    fault_of("Prints")
    after = played("random", "greedy", isolated=True, seed=3)
    assert without_times(before.replay) == without_times(after.replay)


@pytest.mark.slow
def test_bots_die_with_a_killed_arena() -> None:
    """Even those that never read from their pipes."""
    command = [sys.executable, "-m", "arena", "match", "random", f"{HOSTILE}:LoopsDeaf"]
    with subprocess.Popen([*command, "--isolate"], cwd=ROOT, stdout=subprocess.PIPE) as arena:
        processes = 1 + 2 * 2  # the fork server; for each bot a supervisor and the bot
        wait_until(lambda: len(sandbox_processes(arena.pid)) == processes)
        arena.send_signal(signal.SIGKILL)
    wait_until(lambda: not sandbox_processes(arena.pid))


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.slow
def test_a_killed_fork_server_is_replaced() -> None:
    before = fork_server(isolated_environment())
    before.process.kill()
    before.process.wait()
    assert game_of("Hostile").decisions > 20
    assert fork_server(isolated_environment()).process.pid != before.process.pid


def test_a_fork_server_that_cannot_start_is_the_machines_fault(tmp_path: Path) -> None:
    broken = tmp_path / "arena"
    broken.mkdir()
    (broken / "__init__.py").write_text("import nothing_of_the_kind", encoding="utf-8")
    with pytest.raises(NoSandbox, match=r"cannot be started: .*No module named"):
        ForkServer({"PYTHONPATH": str(tmp_path)})


@pytest.mark.slow
def test_a_bot_is_not_blamed_for_a_shortage_of_descriptors() -> None:
    printed = run_python(
        "import resource\n"
        "from arena import play_game\n"
        "from bots.runtime.faults import MachineFault\n"
        "play_game(['random'] * 6, isolate=True)\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))\n"
        "try:\n    play_game(['random'] * 6, isolate=True)\n"
        "except MachineFault as fault:\n    print(fault)\n"
    )
    assert printed.startswith("a bot's process cannot be started: ")
    assert "Too many open files" in printed


def test_a_bot_killed_from_outside_is_classified_as_killed() -> None:
    def kill(*_: object) -> None:
        server = fork_server(isolated_environment()).process.pid
        for pid in set(sandbox_processes(os.getpid())) - {server}:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    assert fault_of_bot(hostile("Hostile"), watch=kill).kind == FaultKind.KILLED


def test_a_crash_writes_none_of_a_bots_memory_to_the_hosts_disk() -> None:
    """No core dump, and where the host takes them in spite of all limits, none of its memory."""
    found = set()

    def look(*_: object) -> None:
        for pid in sandbox_processes(os.getpid()):
            with suppress(OSError):
                limits = Path(f"/proc/{pid}/limits").read_text()
                core = re.findall(r"Max core file size\s+(\S+)\s+(\S+)", limits)
                found.add((*core, Path(f"/proc/{pid}/coredump_filter").read_text().strip()))

    played("random", hostile("Hostile"), watch=look)
    assert found & {((limit, limit), "00000000") for limit in "01"}


def test_an_isolated_bot_is_loaded_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_of("Hostile")  # so that the fork server was started elsewhere
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alone.py").write_text(HOSTILE.read_text())
    for name in ("alone.py:Hostile", "alone:Hostile"):
        assert played(name, "random", isolated=True).decisions > 20


# ---- every maker of namespaces ------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("maker", ["own", "bubblewrap", ""])
def test_hostile_bots_are_held_with_every_maker_of_namespaces(
    monkeypatch: pytest.MonkeyPatch, maker: str
) -> None:
    if maker == "bubblewrap" and not policy.has_bubblewrap():
        pytest.skip("needs bubblewrap")
    monkeypatch.setattr(policy, "namespace_maker", lambda: maker)
    for bot, kind, problem, _ in FAULTS:
        if bot in {"Exits", "Crashes", "Loops", "Hogs", "StormsAnyway", "Threads"}:
            fault = fault_of(bot)
            assert fault.kind == kind, fault
            assert problem in fault.problem
    if maker == "own":
        assert "No space left" in fault_of("Digs").problem
    else:  # nothing limits how deep its folders are, but they go when the game ends
        assert game_of("Digs").decisions > 20


# ---- what is in force ---------------------------------------------------------------------------


def test_the_command_shows_what_is_in_force(arena: RunArena) -> None:
    printed = arena("sandbox").out
    assert all(meaning in printed for meaning in PROTECTIONS.values())
    assert "All protections are in force." in printed


def test_missing_protections_are_named_when_they_are_required(
    monkeypatch: pytest.MonkeyPatch, arena: RunArena
) -> None:
    protections.require_sandbox()
    assert policy.namespace_maker() in {"own", "bubblewrap", ""}
    missing = {"network", "reading"}
    partial = [Protection(name, PROTECTIONS[name], name not in missing) for name in PROTECTIONS]
    monkeypatch.setattr(protections, "protections", lambda: partial)
    with pytest.raises(NoSandbox, match="missing: no sockets, not even to localhost; no reads"):
        protections.require_sandbox()
    assert "NO" in arena("sandbox", "--namespaces", "none", code=1).out


def test_the_page_on_isolation_lists_every_protection_and_limit() -> None:
    text = page("isolation")
    rows = text.partition("| protection | how |")[2].partition("\n\n")[0].splitlines()[2:]
    shown = [row.split("|")[1].strip().replace("`", "") for row in rows]
    assert shown == list(PROTECTIONS.values())
    for words in (
        f"{policy.DEFAULT_MEMORY >> 20} MB",
        f"{policy.SCRATCH_BYTES >> 20} MB of memory",
        f"resource limit: {policy.MAX_OPEN_FILES}",
        f"up to {MOST_THREADS}",
        f"at most {MOST_PIPES} pipes in a game",
        f"at most {MOST_LINE} bytes, stderr at most {MAX_STDERR}",
        f"The folder `{RUNS}`",
        f"may take {START_FREE:g} seconds for free",
        f"{MOST_NOTES} characters are kept in a game",
        f"more than {MOST_FILES} files or more than {MOST_COPIED >> 20} MB are refused",
        f"about {len(ALLOWED) + len(CHECKED)} of {len(NUMBERS['x86_64'])}",
        f"for {len(CHECKED)} of them which arguments",
    ):
        assert words in " ".join(text.split())


@pytest.mark.parametrize(
    ("hidden", "left"),
    [([], {"."}), (["runs"], {"a", "deep"}), (["deep/file"], {"a", "runs"})],
)
def test_hidden_paths_are_cut_out_of_readable_ones(
    tmp_path: Path, hidden: list[str], left: set[str]
) -> None:
    for name in ("a", "runs", "deep"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").touch()
    paths = tuple(tmp_path / name for name in hidden)
    sandbox = SandboxPolicy((Submission(tmp_path),), hidden=paths, maker="")
    readable = sandbox.restrictions(["bot"], "scratch")["readable"]
    assert isinstance(readable, list)
    ours = {path for path in readable if path.startswith(str(tmp_path))}
    assert ours == {str(tmp_path / name) for name in left}


def test_a_bot_in_a_large_folder_can_play(tmp_path: Path) -> None:
    for number in range(2 * policy.MAX_READABLE_PATHS):
        (tmp_path / f"{number}.txt").touch()
    (tmp_path / "runs").mkdir()
    (tmp_path / "bot.py").write_text(FIRST)
    hidden = (tmp_path / "runs",)
    assert game_of("First", "", tmp_path / "bot.py", hidden).decisions > 20
    sandbox = SandboxPolicy((Submission(tmp_path),), hidden=hidden, maker="")
    with pytest.raises(NoSandbox, match="has more than 200 files next to hidden ones"):
        sandbox.restrictions(["bot"], "scratch")


def test_removing_a_scratch_folder_does_not_follow_links(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o500)
    scratch = tmp_path / "scratch"
    (scratch / "deep" / "er").mkdir(parents=True)
    (scratch / "deep" / "link").symlink_to(outside)
    (scratch / "deep" / "er").chmod(0)
    remove_scratch(str(scratch))
    assert not scratch.exists()
    assert outside.stat().st_mode & 0o777 == 0o500


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_node_plays_in_the_sandbox() -> None:
    name = f"cmd:node {ROOT / 'examples' / 'remote' / 'first.mjs'}"
    here, there = (played(seat_bot(name, isolated), "random", seed=2) for isolated in (False, True))
    assert here.replay == there.replay


def test_a_programs_own_files_are_readable(tmp_path: Path) -> None:
    script = tmp_path / "bot.sh"
    script.touch()
    words = ["/bin/sh", str(script), "--fast", "no-such-file"]
    own, installed = policy.command_paths(words, by_name=True)
    assert own == (Submission(tmp_path),)
    assert Path("/bin") in installed or Path("/usr/bin") in installed
    addresses = SandboxPolicy(own).resource_limits(["exec"])["RLIMIT_AS"]
    assert addresses == policy.DEFAULT_MEMORY + policy.PROGRAM_ADDRESSES
