"""Notices what a bot's code reaches for besides its View, by Python's own audit events.

It is there to tell honest authors, not to stop anybody: code in another language (an extension, a
function called through ctypes) raises no events, and whoever wants to can hide from it. Keeping
bots from doing harm is the sandbox's business.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Final

from bots.runtime.faults import plain
from games.engine import ROOT

OURS: Final = tuple(str(ROOT / name) for name in ("games", "bots", "solver"))
LIBRARY: Final = (
    *(sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")),
    *(place for place in sys.path if place.endswith(".zip")),
)
INSTALLED: Final = (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
CTYPES: Final = (str(Path(os.__file__).with_name("ctypes")),)
INSPECT: Final = str(Path(os.__file__).with_name("inspect.py"))
HARMLESS: Final = (os.devnull, "/dev/urandom")

MOST_NOTICED: Final = 50
LONGEST: Final = 200

MEANINGS: Final = {
    "socket.": "opens a network socket",
    "subprocess.Popen": "starts a process",
    "os.system": "starts a process",
    "os.exec": "starts a process",
    "os.posix_spawn": "starts a process",
    "os.spawn": "starts a process",
    "os.fork": "starts a process",
    "os.kill": "sends a signal",
    "signal.pthread_kill": "sends a signal",
    "gc.get_": "looks through memory by gc",
    "sys._current_": "looks at frames of threads",
    "sys.settrace": "traces what is run",
    "sys.setprofile": "traces what is run",
}
"""Beginning of an event's name -> what it means, whoever does it."""

CHANGES: Final = (
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink"),
    *("os.chmod", "os.chown", "os.truncate", "os.utime"),
)
"""Events that change files, whose first argument is the path."""

WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class AuditHook:
    """Listens to audit events from now on, to the end of the process."""

    def __init__(self, own: Iterable[Path]) -> None:
        self.own = tuple(str(path) for path in own)
        """Where the author's files lie; these may be read."""
        self.noticed: dict[str, None] = {}
        """In the order it happened, each once."""
        self._told = 0
        self._busy = False
        sys.addaudithook(self._hear)

    def news(self) -> list[str]:
        """What was noticed since this was last asked."""
        found = list(self.noticed)[self._told :]
        self._told += len(found)
        return found

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._busy:
            return  # our own looking at frames
        self._busy = True
        try:
            deed = self._deed(event, arguments)
            if deed and len(self.noticed) < MOST_NOTICED:
                self.noticed[plain(deed, LONGEST)] = None
        finally:
            self._busy = False

    def _deed(self, event: str, arguments: tuple[object, ...]) -> str:
        """What the event means, if it is worth telling."""
        for start, meaning in MEANINGS.items():
            if event.startswith(start):
                return meaning
        if event in CHANGES:
            return f"changes {absolute(arguments[0])}"
        if event == "open":
            return self._opened(*arguments)
        if event in {"os.listdir", "os.scandir"} and not self._may_read(arguments[0]):
            return f"lists {absolute(arguments[0])}"
        if event == "sys._getframe":
            near = frame_of_event().f_code.co_filename
            return "looks at frames" if near == INSPECT or self._is_authors(near) else ""
        if event.startswith("ctypes.") and self._is_authors(culprit(CTYPES)):
            return "uses ctypes"
        return ""

    def _opened(self, path: object, _mode: object = None, flags: object = 0) -> str:
        if isinstance(path, int):
            return ""  # a descriptor that is open already
        if isinstance(flags, int) and flags & WRITING and path != os.devnull:
            return f"opens {absolute(path)} for writing"
        return "" if self._may_read(path) else f"opens {absolute(path)} for reading"

    def _may_read(self, path: object) -> bool:
        """Whether there is nothing to it, or it is not the author's code that does it."""
        places = (*self.own, *LIBRARY, *INSTALLED, *OURS, *HARMLESS)
        return within(absolute(path), places) or not self._is_authors(culprit())

    def _is_authors(self, file: str) -> bool:
        if within(file, self.own):
            return True
        return not file.startswith("<frozen") and not within(file, (*LIBRARY, *INSTALLED, *OURS))


def absolute(path: object) -> str:
    """The path an event is about, as a person would look for it."""
    if path is None:
        return str(Path.cwd())
    if isinstance(path, str | bytes | os.PathLike):
        return os.path.abspath(os.fsdecode(path))
    return f"descriptor {path}"


def within(path: str, places: Iterable[str]) -> bool:
    return any(path == place or path.startswith(place + os.sep) for place in places)


def frame_of_event() -> FrameType:
    """The frame of the code that raised the event we are being told of."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001  (nobody else knows who asked)
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    assert frame is not None
    return frame


def culprit(library: Iterable[str] = LIBRARY) -> str:
    """The file of the innermost code that does not belong to the standard library."""
    frame: FrameType | None = frame_of_event()
    while frame is not None:
        file = frame.f_code.co_filename
        passed_on = within(file, library) and not within(file, INSTALLED)
        if not passed_on and not file.startswith("<frozen"):
            return file
        frame = frame.f_back
    return "<frozen start>"


def places_of(name: str) -> list[Path]:
    """Where the files of the bot so named lie, as far as the name tells: what it may read."""
    place, _, _ = name.partition(".py:")
    if place != name:
        return [Path(f"{place}.py").absolute().parent, Path(f"{place}.py").resolve().parent]
    package = Path(name.partition(":")[0].partition(".")[0])
    return [path.absolute() for path in (package, package.with_suffix(".py")) if path.exists()]
