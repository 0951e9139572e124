"""The sandbox for bots that nobody has reason to trust: what it keeps in, and how we know.

Walls are of several kinds, and each system has some of them: resource limits (everywhere), Landlock
(which files, no signals to others), a filter of system calls (no sockets, no child processes), and
namespaces (own processes, network, mounts), made by ourselves or, where only that is allowed to, by
bubblewrap. `protections` says which hold, not by asking what there is but by sending a burglar in.
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
"""Where the packages that ours need are found from."""

PYTHON_PATH: Final = os.pathsep.join(map(str, (ROOT, DEPENDENCIES)))
BURGLAR: Final = Path(__file__).with_name("probe.py")
MEMORY: Final = 1 << 30
SCRATCH: Final = 16 << 20
DESCRIPTORS: Final = 64
THREADS: Final = 64
MOST_PLACES: Final = 200
"""Files of a bot's folder that are allowed one by one."""

SYSTEM: Final = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives"),
    *("/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/dev/urandom", "/dev/random"),
)
"""What programs need in order to run at all. /proc is not among it: it tells of others."""


@dataclass(frozen=True)
class Sandbox:
    """What one bot may use."""

    readable: tuple[Path, ...] = ()
    """Its own files and folders; the system's are readable anyway."""
    listable: tuple[Path, ...] = ()
    """Folders of which it may know the names, without reading what is in them."""
    hidden: tuple[Path, ...] = ()
    """What must not be seen even if it lies in a readable folder: the league's journal."""
    memory: int = MEMORY
    processor: int = 700
    """Seconds of processor time in a game."""

    def walls(self, words: Sequence[str], scratch: str) -> dict[str, object]:
        """What arena/sandbox/confine.py shall build around what it becomes."""
        hidden = [path.absolute() for path in self.hidden]
        return {
            "namespaces": namespace_maker() == "own",
            "scratch": scratch,
            "size": SCRATCH,
            "covered": ["/proc", *(str(path) for path in hidden if path.exists())],
            "readable": [str(path) for path in self.places(hidden)],
            "listable": [str(path) for path in self.listable],
            "limits": self.limits(words),
        }

    def command(self, words: Sequence[str], walls: Mapping[str, object], leash: int) -> list[str]:
        """The command line that builds the walls and becomes what the words say."""
        cell = [
            sys.executable,
            "-s",
            "-P",
            "-m",
            "arena.sandbox.confine",
            str(leash),
            json.dumps(walls),
        ]
        if namespace_maker() != "bubblewrap":
            return [*cell, *words]
        there = [path for path in self.hidden if path.exists()]
        return [*bubblewrap(str(walls["scratch"]), there), *cell, *words]

    def limits(self, words: Sequence[str]) -> dict[str, int]:
        """Resource limits, by the names of the resource module."""
        limits = {
            "RLIMIT_CPU": self.processor,
            "RLIMIT_DATA": self.memory,
            "RLIMIT_NOFILE": DESCRIPTORS,
            "RLIMIT_FSIZE": SCRATCH,
            "RLIMIT_NPROC": THREADS,
            "RLIMIT_CORE": 0,
            "RLIMIT_MEMLOCK": 0,
        }
        # Other languages' engines set aside more addresses than they will ever fill.
        return {**limits, "RLIMIT_AS": self.memory} if words[0] == "guest" else limits

    def places(self, hidden: Sequence[Path]) -> Iterator[Path]:
        """Every file and folder that may be read."""
        yield from map(Path, SYSTEM)
        yield from interpreter()
        for path in self.readable:
            yield from self.own_places(path.absolute(), hidden)

    def own_places(self, place: Path, hidden: Sequence[Path]) -> Sequence[Path]:
        """The place without what is hidden in it, or all of it if that is covered up anyway."""
        found = list(islice(without(place, hidden), MOST_PLACES + 1))
        if len(found) <= MOST_PLACES:
            return found
        if not namespace_maker():
            raise NoSandbox(
                f"{place} holds too many files beside what must stay hidden there: "
                "give the bot a folder of its own"
            )
        return [place]


def interpreter() -> Iterator[Path]:
    """Where Python, installed packages and our own packages lie."""
    for name in ("stdlib", "platstdlib", "purelib", "platlib"):
        yield Path(sysconfig.get_path(name))
    for folder in {sys.prefix, sys.base_prefix, sys.exec_prefix}:
        yield from (Path(folder, name) for name in ("bin", "lib", "lib64", "pyvenv.cfg"))
    yield DEPENDENCIES
    yield from (ROOT / name for name in ("arena", "bots", "games", "solver"))
    yield from ROOT.glob("*.so")
    yield from ROOT.glob("*.egg-info")


def without(place: Path, hidden: Sequence[Path]) -> Iterator[Path]:
    """The place, or what of it is left if something in it is hidden."""
    if place in hidden:
        return
    if not any(place in path.parents for path in hidden):
        yield place
    elif place.is_dir():
        for inner in place.iterdir():
            yield from without(inner, hidden)


def files_of(words: Iterable[str]) -> tuple[Path, ...]:
    """The folders of all files that a command line names, and what belongs to its program."""
    found: dict[Path, None] = {}
    for word in words:
        path = Path(word)
        if path.is_file():
            for file in (path.absolute(), path.resolve()):
                found[file.parent] = None
                if file.parent.name == "bin":
                    found.update(
                        dict.fromkeys(file.parent.parent / sub for sub in ("lib", "share"))
                    )
    return tuple(found)


# ---- which walls there are ----------------------------------------------------------------------


@cache
def namespace_maker() -> str:
    """Who can make namespaces here: "own", "bubblewrap" or nobody ("")."""
    if not sys.platform.startswith("linux"):
        return ""
    trial = "from arena.sandbox.confine import own_namespaces; own_namespaces()"
    command = [sys.executable, "-s", "-P", "-c", trial]
    if runs(command):
        return "own"
    if shutil.which("bwrap") and runs([*bubblewrap("/tmp", []), "true"]):  # noqa: S108
        return "bubblewrap"
    return ""


def runs(command: Sequence[str]) -> bool:
    try:
        return run(command).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def run(command: Sequence[str], *kept: int) -> subprocess.CompletedProcess[bytes]:
    environment = {"PYTHONPATH": PYTHON_PATH, "PATH": os.environ.get("PATH", "")}
    return subprocess.run(  # noqa: S603  (our own commands)
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=60,
        pass_fds=kept,
    )


def bubblewrap(scratch: str, hidden: Iterable[Path]) -> list[str]:
    """The beginning of a command line that makes namespaces by bubblewrap."""
    words = [
        *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/proc"),
        *("--size", str(SCRATCH), "--tmpfs", scratch),
    ]
    for path in hidden:
        place = str(path.absolute())
        words += ["--tmpfs", place] if path.is_dir() else ["--ro-bind", os.devnull, place]
    return [*words, "--"]


def new_scratch() -> str:
    return tempfile.mkdtemp(prefix="arena-")


def sweep(scratch: str) -> None:
    """Remove a scratch folder, whatever has been done to it."""
    for folder, inner, _ in os.walk(scratch):
        for path in (Path(folder, name) for name in inner):
            if not path.is_symlink():  # which would lead to what is not ours
                path.chmod(0o700)
    shutil.rmtree(scratch, ignore_errors=True)


# ---- which walls hold ---------------------------------------------------------------------------


class NoSandbox(MachineFault):
    """This system cannot keep a bot in as asked."""


@dataclass(frozen=True)
class Protection:
    """One thing that a bot must not be able to do."""

    name: str
    meaning: str
    in_force: bool


MEANINGS: Final = {
    "memory": "no more memory than a bot may have",
    "processor": "no more processor time than a game may take",
    "files": "no more open files than a bot needs",
    "processes": "no child processes",
    "network": "no sockets, not even to this machine",
    "writing": "no file changed outside its scratch folder",
    "reading": "no file read that is not its own or the system's",
    "others": "no look at other processes, by /proc or otherwise",
    "signals": "no signal to the arena or anybody else",
    "sweeping": "nothing it leaves behind goes on running",
}


@cache
def protections() -> tuple[Protection, ...]:
    """What holds on this machine, found out by trying it."""
    broken = burgle()
    return tuple(
        Protection(name, meaning, name not in broken) for name, meaning in MEANINGS.items()
    )


def burgle() -> set[str]:
    """The names of all walls that a burglar could break through, by its own account."""
    scratch = new_scratch()
    leash, theirs = socket.socketpair()
    box = Sandbox(memory=256 << 20)
    try:
        with leash, theirs, tempfile.TemporaryDirectory(prefix="arena-") as folder:
            Path(folder, "secret").write_text("treasure", encoding="ascii")
            python = (sys.executable, "-s", "-P", str(BURGLAR))
            words = ["run", *python, folder, str(os.getpid())]
            command = box.command(words, box.walls(words, scratch), theirs.fileno())
            done = run(command, theirs.fileno())
    except (OSError, subprocess.TimeoutExpired):
        return set(MEANINGS)
    finally:
        sweep(scratch)
    if not done.stdout:
        return set(MEANINGS)
    broken = set(json.loads(done.stdout))
    return broken | ({"sweeping"} if not namespace_maker() and "processes" in broken else set())


def require_sandbox() -> None:
    """NoSandbox, naming what is missing, unless every wall holds."""
    missing = [one.meaning for one in protections() if not one.in_force]
    if missing:
        raise NoSandbox(
            f"this machine cannot keep bots in as required; missing: {'; '.join(missing)}. "
            "A Linux kernel with Landlock and user namespaces, or bubblewrap, would do it"
        )
