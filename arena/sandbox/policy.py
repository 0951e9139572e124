"""What an untrusted bot may use, and which protections hold on this machine.

The sandbox has several layers, and not every system has all of them: resource limits (everywhere),
Landlock (files, signals), a seccomp filter (no sockets, no child processes), and namespaces
(processes, network, mounts), created by the arena itself or, where only that is permitted, by
bubblewrap. `protections` does not ask the kernel what it supports; it runs a probe that tries to
break out.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

import librt

from bots.runtime.faults import MachineFault
from games.engine import ROOT

DEPENDENCIES: Final = Path(librt.__path__[0]).parent
"""The folder our packages import their dependencies from."""

PYTHON_PATH: Final = os.pathsep.join(map(str, (ROOT, DEPENDENCIES)))
PROBE_SCRIPT: Final = Path(__file__).with_name("probe.py")
DEFAULT_MEMORY: Final = 1 << 30
SCRATCH_BYTES: Final = 16 << 20
MAX_OPEN_FILES: Final = 64
MAX_THREADS: Final = 64
MAX_READABLE_PATHS: Final = 200
"""Paths in a bot's folder that Landlock allows one by one."""

BOT_MODE: Final = "bot"
EXEC_MODE: Final = "exec"
"""What a confined process becomes, as the first word of its command: see confine.py."""

SYSTEM_PATHS: Final = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives"),
    *("/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/dev/urandom", "/dev/random"),
)
"""What programs need in order to run at all. Not /proc: it reveals other processes."""


class NoSandbox(MachineFault):
    """This system cannot isolate a bot as required."""


@dataclass(frozen=True)
class SandboxPolicy:
    """What one bot may use."""

    readable: tuple[Path, ...] = ()
    """Its own files and folders; those of the system are always readable."""
    listable: tuple[Path, ...] = ()
    """Folders whose names it may list without reading what they hold."""
    hidden: tuple[Path, ...] = ()
    """Unreadable even inside a readable folder, such as the league's journal."""
    memory: int = DEFAULT_MEMORY
    cpu_seconds: int = 700
    """CPU time for a game."""

    def restrictions(self, command: Sequence[str], scratch: str) -> dict[str, object]:
        """What arena/sandbox/confine.py is to apply before it becomes that command."""
        hidden = [path.absolute() for path in self.hidden]
        return {
            "namespaces": namespace_maker() == "own",
            "scratch": scratch,
            "scratch_bytes": SCRATCH_BYTES,
            "masked": ["/proc", *(str(path) for path in hidden if path.exists())],
            "readable": [str(path) for path in self._readable_paths(hidden)],
            "listable": [str(path) for path in self.listable],
            "limits": self.resource_limits(command),
        }

    def command_line(
        self, command: Sequence[str], restrictions: Mapping[str, object], control: int
    ) -> list[str]:
        """The command line that applies the restrictions and becomes that command."""
        confine = [sys.executable, "-s", "-P", "-m", "arena.sandbox.confine"]
        words = [*confine, str(control), json.dumps(restrictions), *command]
        if namespace_maker() != "bubblewrap":
            return words
        hidden = [path for path in self.hidden if path.exists()]
        return [*bubblewrap(str(restrictions["scratch"]), hidden), *words]

    def resource_limits(self, command: Sequence[str]) -> dict[str, int]:
        """Limits, named as in the resource module."""
        limits = {
            "RLIMIT_CPU": self.cpu_seconds,
            "RLIMIT_DATA": self.memory,
            "RLIMIT_NOFILE": MAX_OPEN_FILES,
            "RLIMIT_FSIZE": SCRATCH_BYTES,
            "RLIMIT_NPROC": MAX_THREADS,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 0,
        }
        # Runtimes of other languages reserve far more address space than they will use.
        return {**limits, "RLIMIT_AS": self.memory} if command[0] == BOT_MODE else limits

    def _readable_paths(self, hidden: Sequence[Path]) -> Iterator[Path]:
        yield from map(Path, SYSTEM_PATHS)
        yield from python_paths()
        for place in map(Path.absolute, self.readable):
            paths = list(islice(paths_without(place, hidden), MAX_READABLE_PATHS + 1))
            if len(paths) <= MAX_READABLE_PATHS:
                yield from paths
            elif namespace_maker():
                yield place  # mounts mask what is hidden in it
            else:
                raise NoSandbox(
                    f"{place} has more than {MAX_READABLE_PATHS} files next to hidden ones; "
                    "put the bot into a folder of its own"
                )


def python_paths() -> Iterator[Path]:
    """Where Python, installed packages and our own packages are."""
    for name in ("stdlib", "platstdlib", "purelib", "platlib"):
        yield Path(sysconfig.get_path(name))
    for folder in {sys.prefix, sys.base_prefix, sys.exec_prefix}:
        yield from (Path(folder, name) for name in ("bin", "lib", "lib64", "pyvenv.cfg"))
    yield DEPENDENCIES
    yield from (ROOT / name for name in ("arena", "bots", "games", "solver"))
    yield from ROOT.glob("*.so")
    yield from ROOT.glob("*.egg-info")


def paths_without(place: Path, hidden: Sequence[Path]) -> Iterator[Path]:
    """The path itself, or what is left below it if something there is hidden."""
    if place in hidden:
        return
    if not any(place in path.parents for path in hidden):
        yield place
    elif place.is_dir():
        for inner in place.iterdir():
            yield from paths_without(inner, hidden)


def command_folders(words: Iterable[str]) -> tuple[Path, ...]:
    """The folders of all files on a command line, and the library folders of its program."""
    folders: dict[Path, None] = {}
    for word in words:
        path = Path(word)
        if path.is_file():
            for folder in (path.absolute().parent, path.resolve().parent):
                folders[folder] = None
                if folder.name == "bin":
                    folders |= dict.fromkeys(folder.parent / name for name in ("lib", "share"))
    return tuple(folders)


# ---- namespaces ---------------------------------------------------------------------------------


@cache
def namespace_maker() -> str:
    """What can create namespaces here: "own" code, "bubblewrap" or nothing ("")."""
    if not sys.platform.startswith("linux"):
        return ""
    trial = "from arena.sandbox.confine import enter_namespaces; enter_namespaces()"
    if _output([sys.executable, "-s", "-P", "-c", trial]) is not None:
        return "own"
    if _output([*bubblewrap("/tmp", []), "true"]) is not None:  # noqa: S108
        return "bubblewrap"
    return ""


def _output(command: Sequence[str], *descriptors: int) -> bytes | None:
    """What the command prints; None if it cannot be run or fails."""
    try:
        return subprocess.run(  # noqa: S603  (our own commands)
            command,
            env={"PYTHONPATH": PYTHON_PATH, "PATH": os.environ.get("PATH", "")},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=60,
            pass_fds=descriptors,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None


def bubblewrap(scratch: str, hidden: Iterable[Path]) -> list[str]:
    """The start of a command line that creates namespaces with bubblewrap."""
    words = [
        *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/proc"),
        *("--size", str(SCRATCH_BYTES), "--tmpfs", scratch),
    ]
    for path in hidden:
        place = str(path.absolute())
        words += ["--tmpfs", place] if path.is_dir() else ["--ro-bind", os.devnull, place]
    return [*words, "--"]


# ---- scratch folders ----------------------------------------------------------------------------


def new_scratch() -> str:
    return tempfile.mkdtemp(prefix="arena-")


def remove_scratch(scratch: str) -> None:
    """Remove a scratch folder, whatever the bot did to it."""
    for folder, inner, _ in os.walk(scratch):
        for path in (Path(folder, name) for name in inner):
            if not path.is_symlink():  # its target is not ours to change
                path.chmod(0o700)
    shutil.rmtree(scratch, ignore_errors=True)


# ---- which protections hold ---------------------------------------------------------------------


@dataclass(frozen=True)
class Protection:
    """One thing that a bot must not be able to do."""

    name: str
    meaning: str
    in_force: bool


PROTECTIONS: Final = {
    "memory": "memory limit",
    "processor": "CPU time limit",
    "files": "limit on open files",
    "processes": "no child processes",
    "network": "no sockets, not even to localhost",
    "writing": "no writes outside its scratch folder",
    "reading": "no reads except its own and system files",
    "others": "no access to other processes, through /proc or otherwise",
    "signals": "no signals to the arena or other processes",
    "cleanup": "no process outlives the bot",
}
"""Name -> what it means. The probe reports what it defeats under these names."""


@cache
def protections() -> tuple[Protection, ...]:
    """The protections, each tested on this machine."""
    defeated = run_probe()
    return tuple(
        Protection(name, meaning, name not in defeated) for name, meaning in PROTECTIONS.items()
    )


def run_probe() -> set[str]:
    """The names of all protections that the probe defeats; all of them if it cannot run."""
    scratch = new_scratch()
    control, probe_end = socket.socketpair()
    policy = SandboxPolicy(memory=256 << 20)
    try:
        with control, probe_end, tempfile.TemporaryDirectory(prefix="arena-") as folder:
            Path(folder, "secret").write_text("treasure", encoding="ascii")
            python = (sys.executable, "-s", "-P", str(PROBE_SCRIPT))
            command = [EXEC_MODE, *python, folder, str(os.getpid())]
            restrictions = policy.restrictions(command, scratch)
            descriptor = probe_end.fileno()
            printed = _output(policy.command_line(command, restrictions, descriptor), descriptor)
    finally:
        remove_scratch(scratch)
    if not printed:
        return set(PROTECTIONS)
    defeated = set(json.loads(printed))
    if not namespace_maker() and "processes" in defeated:
        defeated.add("cleanup")
    return defeated


def require_sandbox() -> None:
    """Raise NoSandbox, naming what is missing, unless every protection holds."""
    missing = [protection.meaning for protection in protections() if not protection.in_force]
    if missing:
        raise NoSandbox(
            f"this machine cannot isolate bots fully; missing: {'; '.join(missing)}. "
            "Use a Linux kernel with Landlock and user namespaces, or install bubblewrap"
        )
