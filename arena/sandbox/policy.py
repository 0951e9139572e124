"""What an untrusted bot may use, and how that becomes restrictions for its process.

The sandbox has several walls, and not every system has all of them: resource limits and a watching
supervisor (everywhere), Landlock (files, signals), an allow-list of system calls, and namespaces
(a root folder, process table and network of its own), made by the arena itself or, where only that
is permitted, by bubblewrap. protections.py tests which protections they give on this machine.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import librt

from arena.sandbox.cgroup import new_group, parent_group
from arena.sandbox.scratch import new_scratch, remove_scratch
from arena.sandbox.submission import Submission, copy_of, submission_of
from arena.sandbox.system_calls import MOST_THREADS
from bots.runtime.faults import MachineFault
from bots.runtime.loading import BadBot
from games.engine import ROOT

DEPENDENCIES: Final = Path(librt.__path__[0]).parent
"""The folder our packages import their dependencies from."""

PYTHON_PATH: Final = os.pathsep.join(map(str, (ROOT, DEPENDENCIES)))
DEFAULT_MEMORY: Final = 1 << 30
SCRATCH_BYTES: Final = 16 << 20
STACK_BYTES: Final = 8 << 20
PROGRAM_ADDRESSES: Final = 64 << 30
"""Bytes of address space that a program may reserve on top of its memory: runtimes of other
languages reserve far more than they use. Page tables for all of it take 128 MB."""
MAX_OPEN_FILES: Final = 64
MAX_PENDING_SIGNALS: Final = 64
MAX_READABLE_PATHS: Final = 200
"""Paths in a bot's folder that Landlock allows one by one."""

_IN_GROUP: Final = ("/bin/sh", "-c", 'echo 0 > "$0"; exec "$@"')
"""The start of a command line that joins a control group first."""

BOT_MODE: Final = "bot"
EXEC_MODE: Final = "exec"
"""What a confined process becomes, as the first word of its command: see confine.py."""

SYSTEM_PATHS: Final = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives"),
    *("/etc/ssl/openssl.cnf", "/etc/ssl/certs", "/dev/urandom", "/dev/random"),
)
"""What programs need in order to run at all. Not /proc: it reveals other processes."""

DEVICES: Final = ("/dev/null", "/dev/full")
"""What a bot may write to besides its scratch folder."""

WALLS: Final = {
    "namespaces": "namespaces",
    "landlock": "Landlock",
    "seccomp": "system call filter",
    "limits": "resource limits",
    "watch": "watching supervisor",
}
"""Name -> what it is called."""


class CommandLine(NamedTuple):
    """How a confined process is started."""

    words: list[str]
    passed: tuple[int, ...]
    """The descriptors that it inherits."""


class NoSandbox(MachineFault):
    """This system cannot isolate a bot as required."""


@dataclass(frozen=True)
class SandboxPolicy:
    """What one bot may use."""

    submissions: tuple[Submission, ...] = ()
    """Its own files."""
    readable: tuple[Path, ...] = ()
    """Folders of the host that it needs, such as those of its program's libraries."""
    listable: tuple[Path, ...] = ()
    """Folders of the host whose names it may list."""
    hidden: tuple[Path, ...] = ()
    """Unreadable even inside its own folder, such as the league's journal."""
    memory: int = DEFAULT_MEMORY
    cpu_seconds: int = 700
    """CPU time for a game."""
    walls: tuple[str, ...] = tuple(WALLS)
    """Those to apply; fewer only to test each of them alone."""
    maker: str | None = None
    """What makes the namespaces, as in `namespace_maker`; None for what that finds."""

    @property
    def namespaces(self) -> str:
        """What makes its namespaces; empty if it has none."""
        if "namespaces" not in self.walls:
            return ""
        return namespace_maker() if self.maker is None else self.maker

    def check(self) -> None:
        """BadBot if something in the bot's folder must not be there."""
        for submission in self.submissions:
            submission.parts(self._hidden)

    @property
    def _hidden(self) -> tuple[Path, ...]:
        return tuple(path.absolute() for path in self.hidden)

    def restrictions(self, command: Sequence[str], scratch: str) -> dict[str, object]:
        """What arena/sandbox/confine.py is to apply before it becomes that command."""
        rooted = bool(self.namespaces)
        parent = parent_group() if "limits" in self.walls else ""
        return {
            "walls": self.walls,
            "namespaces": self.namespaces == "own",
            "root": self.root() if rooted else {},
            "own_user": self.has_own_user(),
            "scratch": scratch,
            "readable": [str(path) for path in self._readable_paths(rooted)],
            "listable": [str(path) for path in self._listable_paths(rooted)],
            "limits": self.resource_limits(command),
            "memory": self.memory,
            "cpu_seconds": self.cpu_seconds,
            "group": new_group(parent, self.memory) if parent else "",
            "program": command[0] == EXEC_MODE,
        }

    @contextmanager
    def command_line(
        self, command: Sequence[str], restrictions: Mapping[str, object], control: int
    ) -> Iterator[CommandLine]:
        """The command line that applies the restrictions and becomes that command."""
        table = os.open("/proc", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            confine = [sys.executable, "-s", "-P", "-m", "arena.sandbox.confine"]
            text = json.dumps({**restrictions, "process_table": table})
            words = [*confine, str(control), text, *command]
            if self.namespaces == "bubblewrap":
                words = [*bubblewrap(str(restrictions["scratch"]), self.root()), *words]
                if group := restrictions["group"]:
                    words = [*_IN_GROUP, f"{group}/cgroup.procs", *words]
            yield CommandLine(words, (control, table))
        finally:
            os.close(table)

    def resource_limits(self, command: Sequence[str]) -> dict[str, int]:
        """Limits, named as in the resource module."""
        more = 0 if command[0] == BOT_MODE else PROGRAM_ADDRESSES
        return {
            "RLIMIT_CPU": self.cpu_seconds,
            "RLIMIT_DATA": self.memory,
            "RLIMIT_AS": self.memory + more,
            "RLIMIT_STACK": STACK_BYTES,
            "RLIMIT_NOFILE": MAX_OPEN_FILES,
            "RLIMIT_FSIZE": SCRATCH_BYTES,
            "RLIMIT_NPROC": MOST_THREADS,
            "RLIMIT_SIGPENDING": MAX_PENDING_SIGNALS,
            "RLIMIT_CORE": 1,  # of 0, the kernel still gives a dump to a program of the host's
            "RLIMIT_MEMLOCK": 0,
        }

    # ---- what it may read ----------------------------------------------------------------------

    def root(self) -> dict[str, Any]:
        """The root folder of its own: what is mounted where, for private_root.py."""
        links, binds = _system_root()
        binds = {**binds, **{str(path): str(path) for path in self.readable if path.exists()}}
        mounted = [Path(path) for path in binds]
        for submission in self.submissions:
            folder = submission.folder
            if not any(path in (folder, *folder.parents) for path in mounted):
                binds[str(folder)] = copy_of(submission, self._hidden, mounted).place
        return {
            "links": links,
            "binds": [(source, path) for path, source in sorted(binds.items())],
            "masked": [str(path) for path in self._hidden if path.exists()],
            "folders": ["/proc", "/tmp", str(Path.cwd())],  # noqa: S108
            "scratch_bytes": SCRATCH_BYTES,
            "folder": str(Path.cwd()),
        }

    def _readable_paths(self, rooted: bool) -> Iterator[Path]:
        """What Landlock allows."""
        yield from _system_paths()
        yield from (path.resolve() for path in self.readable)
        for submission in self.submissions:
            if rooted:
                yield submission.folder  # a copy with nothing else in it
                continue
            paths = list(islice(_plain_paths(submission, self._hidden), MAX_READABLE_PATHS + 1))
            if len(paths) > MAX_READABLE_PATHS:
                raise NoSandbox(
                    f"{submission.folder} has more than {MAX_READABLE_PATHS} files next to hidden "
                    "ones; put the bot into a folder of its own"
                )
            yield from paths

    def _listable_paths(self, rooted: bool) -> Iterator[Path]:
        """Where Landlock allows to list names: Python looks for modules that way."""
        yield from self.listable
        if not rooted:
            yield from (submission.folder for submission in self.submissions)

    def has_own_user(self) -> bool:
        """Whether the bot can run as a user of its own: root's can, if that user can read."""
        if os.geteuid() != 0 or self.namespaces == "bubblewrap":
            return False
        rooted = bool(self.namespaces)
        places = [path for path in self.readable if path.exists()]
        if not rooted:
            places += [place.folder for place in self.submissions]
        return _others_may_read(_system_paths(), rooted) and _others_may_read(tuple(places), rooted)


def _plain_paths(submission: Submission, hidden: Sequence[Path]) -> Iterator[Path]:
    """The folder of a submission, or what is left below it if something there is left out."""
    names = [part.name for part in submission.parts(hidden)]
    kept = {os.path.join(submission.folder, name) for name in names}
    yield from _kept_below(submission.folder, kept)


def _kept_below(folder: Path, kept: set[str]) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        listed = list(entries)
    inner = [path for path in listed if path.path in kept]
    parts = [
        list(_kept_below(Path(path.path), kept))
        if path.is_dir(follow_symlinks=False)
        else [Path(path.path)]
        for path in inner
    ]
    whole = len(inner) == len(listed) and all(
        part == [Path(path.path)] for path, part in zip(inner, parts, strict=True)
    )
    if whole:
        yield folder
    else:
        for part in parts:
            yield from part


@cache
def _others_may_read(places: tuple[Path, ...], alone: bool) -> bool:
    """Whether any user may read all of them; `alone`: the folders above do not matter."""
    for path in places:
        mode = path.stat().st_mode
        needed = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
        above = [] if alone else [folder.stat().st_mode for folder in path.parents]
        if mode & needed != needed or not all(each & stat.S_IXOTH for each in above):
            return False
    return True


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


@cache
def _system_paths() -> tuple[Path, ...]:
    """What every bot may read, where it really is, without what lies in another of them."""
    places = {path.resolve() for path in (*map(Path, SYSTEM_PATHS), *python_paths())}
    existing = [path for path in sorted(places) if path.exists()]
    return tuple(path for path in existing if not any(outer in path.parents for outer in existing))


@cache
def _system_root() -> tuple[list[tuple[str, str]], dict[str, str]]:
    """Links (path, target) and mounts (path -> source) of what every bot may read."""
    links: list[tuple[str, str]] = []
    wanted: set[Path] = set()
    for path in (*map(Path, (*SYSTEM_PATHS, *DEVICES)), *python_paths()):
        if path.is_symlink() and path.parent == Path("/"):
            links.append((str(path), os.readlink(path)))
            wanted.add(path.resolve())
        elif path.exists():
            wanted.add(path)
    binds = {
        str(path): str(path)
        for path in wanted
        if not any(outer in path.parents for outer in wanted)
    }
    return links, binds


def command_paths(
    words: Sequence[str], by_name: bool
) -> tuple[tuple[Submission, ...], tuple[Path, ...]]:
    """What a program with that command line may read: its own files, and what is installed.

    `by_name`: whether the program was found on the PATH, where the host's own programs are.
    """
    installed: dict[Path, None] = {}
    submissions: dict[Submission, None] = {}
    program = Path(words[0]).absolute()
    places = [program]
    if program.is_symlink() and (by_name or _is_system(program.resolve())):
        places.append(program.resolve())
    for path in places:
        if path.parent.name == "bin":
            installed |= dict.fromkeys(_installation(path.parent.parent, by_name))
        elif by_name or _is_system(path):
            installed[path.parent] = None
        else:
            submissions[submission_of(path)] = None
    if len(places) == 1:
        submission_of(program)  # a link that leads out is refused
    for word in words[1:]:
        if Path(word).is_file():
            submissions[submission_of(Path(word))] = None
    return tuple(submissions), tuple(installed)


def _installation(prefix: Path, by_name: bool) -> Iterator[Path]:
    """What a program in the folder `bin` may read; BadBot if a stranger's leads elsewhere."""
    for folder in (prefix / name for name in ("bin", "lib", "share")):
        inside = folder.resolve().is_relative_to(prefix.resolve())
        if not inside and not by_name and not _is_system(folder):
            raise BadBot(f"{folder} is a link that leads out of {prefix}; replace it by a copy")
        if folder.is_dir():
            yield folder


def _is_system(path: Path) -> bool:
    """Whether every bot may read it anyway."""
    places = (*map(Path, SYSTEM_PATHS), Path(sys.prefix), Path(sys.base_prefix))
    return any(place in path.parents for place in places)


# ---- namespaces ---------------------------------------------------------------------------------

_TRIAL: Final = """
import json, os, sys
from arena.sandbox.private_root import *
enter_process_namespace()
if child := os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
enter_other_namespaces()
enter_private_root(json.loads(sys.argv[1]), sys.argv[2], 0)
"""


@cache
def namespace_maker() -> str:
    """What can create namespaces here: "own" code, "bubblewrap" or nothing ("")."""
    if not sys.platform.startswith("linux"):
        return ""
    scratch, root = new_scratch(), SandboxPolicy().root()
    try:
        own = [sys.executable, "-s", "-P", "-c", _TRIAL, json.dumps(root), scratch]
        if run_quietly(own) is not None:
            return "own"
        if has_bubblewrap():
            return "bubblewrap"
    finally:
        remove_scratch(scratch)
    return ""


@cache
def has_bubblewrap() -> bool:
    """Whether bubblewrap is installed and can make namespaces."""
    scratch = new_scratch()
    try:
        return run_quietly([*bubblewrap(scratch, SandboxPolicy().root()), "true"]) is not None
    finally:
        remove_scratch(scratch)


def run_quietly(command: Sequence[str], *descriptors: int) -> bytes | None:
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


def bubblewrap(scratch: str, root: Mapping[str, Any]) -> list[str]:
    """The start of a command line that makes namespaces with bubblewrap, and that root folder."""
    words = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    for path, target in root["links"]:
        words += ["--symlink", target, path]
    for source, path in root["binds"]:
        words += ["--dev-bind" if path.startswith("/dev/") else "--ro-bind", source, path]
    for path in root["masked"]:
        # Not in a copy, from which they were left out: nothing can be mounted where nothing is.
        inside = [
            os.path.join(source, os.path.relpath(path, place))
            for source, place in root["binds"]
            if os.path.commonpath([path, place]) == place
        ]
        if any(map(os.path.exists, inside)):
            mask = ["--tmpfs", path, "--remount-ro", path]
            words += mask if os.path.isdir(path) else ["--ro-bind", os.devnull, path]
    for path in root["folders"]:
        words += ["--dir", path]
    words += ["--size", str(root["scratch_bytes"]), "--tmpfs", scratch]
    return [*words, "--remount-ro", "/", "--chdir", root["folder"], "--"]
