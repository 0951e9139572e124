"""The supervisor: memory that no limit counts, refused calls, and folders that are left."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from arena.match.bot_factory import ProcessFactory, isolated_environment
from arena.sandbox import cgroup
from arena.sandbox.bot_process import BotProcess, Limits
from arena.sandbox.cgroup import find_parent, new_group, out_of_memory, parent_group, remove_group
from arena.sandbox.policy import BOT_MODE, SandboxPolicy, has_bubblewrap
from arena.sandbox.process import ConfinedProcess
from arena.sandbox.scratch import new_scratch, remove_scratch
from arena.sandbox.seccomp import MOST_COUNTED
from arena.sandbox.submission import Submission
from arena.sandbox.supervisor import cpu_seconds_in, memory_in, threads_in
from bots.bot import Match
from bots.runtime.faults import BotFailure, FaultKind
from tests.support.leftovers import fully_sandboxed, linux
from tests.support.matches import FIRST, RULES, fault_of, played

pytestmark = linux

EATS = f"""\
{FIRST}
class Eats(First):
    def choose(self, view):
        self.hoard = bytearray(200 << 20)
        self.hoard[::4096] = bytes(len(self.hoard) // 4096)
        import time; time.sleep(20)
class Hides(First):
    # Its first thread ends, and with it what /proc shows of the process.
    def choose(self, view):
        import ctypes, threading
        threading.Thread(target=Eats.choose, args=(self, view)).start()
        ctypes.CDLL(None).pthread_exit(None)
class Distracts(Eats):
    # Keeps the supervisor busy.
    def choose(self, view):
        import threading
        threading.Thread(target=Eats.choose, args=(self, view)).start()
        while True: threading.Thread(target=int).start()
class Works(First):
    def choose(self, view):
        while True: pass
class Calls(First):
    def choose(self, view):
        import os
        for _ in range(self.often):
            try: os.memfd_create("x")
            except OSError: pass
        try: os.fork()
        except OSError: pass
        return view.moves[0]
    often = 3
class CallsOften(Calls):
    often = 3000
class Joins(First):
    # The C library waits for the end of a thread in a way that other processes could end.
    def choose(self, view):
        import ctypes, time
        libc, thread, ended = ctypes.CDLL(None), ctypes.c_void_p(), []
        @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        def run(_):
            time.sleep(0.02)
            ended.append(True)
        assert libc.pthread_create(ctypes.byref(thread), None, run, None) == 0
        assert libc.pthread_join(thread, None) == 0
        assert ended
        return view.moves[0]
"""


def bot_with(folder: Path, bot: str, **policy: object) -> ProcessFactory:
    """A bot under a policy of the test's own."""
    (folder / "bot.py").write_text(EATS)
    name = f"{folder / 'bot.py'}:{bot}"
    sandbox = replace(SandboxPolicy((Submission(folder),)), **policy)  # type: ignore[arg-type]

    def launch() -> ConfinedProcess:
        return ConfinedProcess((BOT_MODE, name), isolated_environment(), sandbox)

    return ProcessFactory(name, launch, Limits(move=30))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "walls"),
    [
        ("Eats", ("watch",)),
        ("Hides", ("watch",)),
        ("Distracts", ("watch", "seccomp")),
        ("Eats", ("watch", "namespaces")),
    ],
)
def test_memory_is_watched_without_any_limit(
    tmp_path: Path, bot: str, walls: tuple[str, ...]
) -> None:
    fault = fault_of(bot_with(tmp_path, bot, walls=walls, memory=100 << 20))
    assert (fault.kind, fault.problem) == (FaultKind.MEMORY, "used more memory than it may have")


@pytest.mark.slow
def test_memory_is_watched_in_a_root_folder_of_bubblewraps(tmp_path: Path) -> None:
    """There is no /proc in it."""
    if not has_bubblewrap():
        pytest.skip("needs bubblewrap")
    walls = ("watch", "namespaces")
    factory = bot_with(tmp_path, "Eats", walls=walls, memory=100 << 20, maker="bubblewrap")
    assert fault_of(factory).kind == FaultKind.MEMORY


@pytest.mark.slow
def test_cpu_time_is_watched_without_any_limit(tmp_path: Path) -> None:
    fault = fault_of(bot_with(tmp_path, "Works", walls=("watch",), cpu_seconds=-1))
    assert (fault.kind, fault.problem) == (FaultKind.TIME, "used up its CPU time for the game")


@fully_sandboxed
@pytest.mark.parametrize(("bot", "times"), [("Calls", 3), ("CallsOften", MOST_COUNTED)])
def test_refused_calls_are_counted_by_name(tmp_path: Path, bot: str, times: int) -> None:
    factory = bot_with(tmp_path, bot)
    process = factory.make(0, 1, None, Match("hidden-leaders", 2))
    view = RULES.view(0, 2)
    process.start(view)
    with pytest.raises(BotFailure):  # the view of a game that has not begun has no moves
        process.choose(view)
    process.close()
    assert isinstance(process, BotProcess)
    if bot == "Calls":
        assert process.refused == {"memfd_create": times, "clone": 1}
    else:
        assert process.refused == {"memfd_create": times}


@fully_sandboxed
@pytest.mark.parametrize("bot", ["First", "Joins"])
def test_honest_bots_are_refused_nothing(tmp_path: Path, bot: str) -> None:
    factory = bot_with(tmp_path, bot)
    assert played(factory, factory).refused == ({}, {})


def test_what_a_process_uses_can_be_read() -> None:
    folder = os.open("/proc/self", os.O_PATH)
    try:
        assert 1 << 20 < memory_in(folder) < 1 << 34
        assert 0 < cpu_seconds_in(folder) < 10_000
        before = threads_in(folder)
        done = threading.Event()
        threading.Thread(target=done.wait).start()
        assert threads_in(folder) == before + 1
        done.set()
    finally:
        os.close(folder)
    with pytest.raises(OSError, match="Bad file descriptor"):
        memory_in(folder)


# ---- folders of killed arenas -------------------------------------------------------------------


def test_folders_of_killed_processes_are_removed(tmp_path: Path) -> None:
    code = "from arena.sandbox.scratch import new_scratch; print(new_scratch())"
    left = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout.strip()
    assert Path(left).is_dir()
    (Path(left) / "deep").mkdir(mode=0)
    ours = tempfile.mkdtemp(prefix="arena-mine", dir=tmp_path)
    elsewhere = tmp_path / "arena-1-2-3-container"  # of a process that cannot be seen from here
    elsewhere.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path))
        made = new_scratch()
    assert not Path(left).exists()
    assert Path(ours).is_dir()
    assert elsewhere.is_dir()
    assert Path(made).parent == tmp_path
    remove_scratch(made)


def test_folders_nested_deeper_than_python_calls_itself_are_removed(tmp_path: Path) -> None:
    """A bot left such a folder, and every arena after it ended in a traceback."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "closed").mkdir(mode=0)
    os.symlink(tmp_path, scratch / "link")
    here = os.open(".", os.O_PATH)
    try:
        os.chdir(scratch)
        for _ in range(150):
            os.mkdir("d" * 50)  # so that the path is too long as well
            os.chdir("d" * 50)
        Path("file").touch()
    finally:
        os.fchdir(here)
        os.close(here)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 100)
    try:
        remove_scratch(str(scratch))
    finally:
        sys.setrecursionlimit(limit)
    assert list(tmp_path.iterdir()) == []


# ---- control groups -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("membership", "parent"),
    [
        ("0::/user/app.scope\n", "user"),
        ("12:memory:/x\n0::/user/app.scope\n", "user"),
        ("0::/other/app.scope\n", ""),
        ("0::/\n", ""),
        ("12:memory:/x\n", ""),
    ],
)
def test_groups_are_made_where_memory_limits_are_handed_out(
    tmp_path: Path, membership: str, parent: str
) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu memory")
    for name, controllers in (("", "cpu"), ("user", "cpu memory"), ("other", "cpu")):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "cgroup.subtree_control").write_text(controllers)
        (folder / "cgroup.procs").touch()
    assert find_parent(tmp_path, membership) == (str(tmp_path / parent) if parent else "")


needs_group = pytest.mark.skipif(
    not parent_group(), reason="needs a writable cgroup v2 with memory limits"
)


@needs_group
def test_a_group_has_a_memory_limit() -> None:
    group = new_group(parent_group(), 1 << 28)
    assert (Path(group) / "memory.max").read_text().strip() == str(1 << 28)
    assert not out_of_memory(group)
    remove_group(group)
    assert not Path(group).exists()


@needs_group
@pytest.mark.parametrize("maker", ["own", "bubblewrap", ""])
def test_a_group_caps_memory_that_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, maker: str
) -> None:
    if maker == "bubblewrap" and not has_bubblewrap():
        pytest.skip("needs bubblewrap")
    monkeypatch.setattr(SandboxPolicy, "resource_limits", lambda *_: {})
    groups = set(Path(parent_group()).iterdir())
    walls = ("namespaces", "limits") if maker else ("limits",)
    factory = bot_with(tmp_path, "Eats", walls=walls, memory=100 << 20, maker=maker)
    fault = fault_of(factory)
    assert (fault.kind, fault.problem) == (FaultKind.MEMORY, "used more memory than it may have")
    assert set(Path(parent_group()).iterdir()) == groups


@needs_group
def test_groups_of_killed_arenas_are_removed() -> None:
    left = Path(parent_group()) / "arena-4000000000-left"
    left.mkdir()
    cgroup._sweep_once.cache_clear()
    remove_group(new_group(parent_group(), 1 << 28))
    assert not left.exists()
