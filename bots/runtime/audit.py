"""Notices what a bot's code uses besides its View, through Python's audit events.

It informs honest authors and stops nobody: extensions and functions called through ctypes raise no
events, and code can hide from it. The sandbox is what keeps bots from doing harm.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Final

from bots.runtime.faults import clean_line
from bots.runtime.loading import bot_package
from games.engine import ROOT

_OUR_CODE: Final = tuple(str(ROOT / name) for name in ("games", "bots", "solver", "arena"))
_STDLIB: Final = (
    *(sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")),
    *(place for place in sys.path if place.endswith(".zip")),
)
_INSTALLED: Final = (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
_CTYPES: Final = (str(Path(os.__file__).with_name("ctypes")),)
_INSPECT: Final = str(Path(os.__file__).with_name("inspect.py"))
_HARMLESS: Final = (os.devnull, "/dev/urandom")

_MOST_NOTICED: Final = 50
_MOST_LETTERS: Final = 200

_MEANINGS: Final = {
    "socket.": "opens a network socket",
    "subprocess.Popen": "starts a process",
    "os.system": "starts a process",
    "os.exec": "starts a process",
    "os.posix_spawn": "starts a process",
    "os.spawn": "starts a process",
    "os.fork": "starts a process",
    "os.kill": "sends a signal",
    "signal.pthread_kill": "sends a signal",
    "gc.get_": "searches memory through gc",
    "sys._current_": "inspects frames of threads",
    "sys.settrace": "traces the code that runs",
    "sys.setprofile": "traces the code that runs",
}
"""Start of an event's name -> what it means, no matter whose code raises it."""

_CHANGES: Final = (
    *("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink"),
    *("os.chmod", "os.chown", "os.truncate", "os.utime"),
)
"""Events that change a file; their first argument is its path."""

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class AuditHook:
    """Listens to audit events until the process ends."""

    def __init__(self, own: Iterable[Path]) -> None:
        self.own = tuple(str(path) for path in own)
        """Folders and files of the bot's author, which the bot may read."""
        self.noticed: dict[str, None] = {}
        """In order of time, each once."""
        self._taken = 0
        self._busy = False
        sys.addaudithook(self._listen)

    def take_new(self) -> list[str]:
        """What was noticed since the last call."""
        new = list(self.noticed)[self._taken :]
        self._taken += len(new)
        return new

    def _listen(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._busy:
            return  # raised by our own inspection of frames
        self._busy = True
        try:
            action = self._action(event, arguments)
            if action and len(self.noticed) < _MOST_NOTICED:
                self.noticed[clean_line(action, _MOST_LETTERS)] = None
        finally:
            self._busy = False

    def _action(self, event: str, arguments: tuple[object, ...]) -> str:
        """What the event means, if it is worth reporting."""
        for start, meaning in _MEANINGS.items():
            if event.startswith(start):
                return meaning
        if event in _CHANGES:
            return f"changes {absolute(arguments[0])}"
        if event == "open":
            return self._opened(*arguments)
        if event in {"os.listdir", "os.scandir"} and not self._may_list(arguments[0]):
            return f"lists {absolute(arguments[0])}"
        if event == "sys._getframe":
            file = frame_of_event().f_code.co_filename
            return "inspects frames" if file == _INSPECT or self._is_authors(file) else ""
        if event.startswith("ctypes.") and self._is_authors(responsible_file(_CTYPES)):
            return "uses ctypes"
        return ""

    def _opened(self, path: object, _mode: object = None, flags: object = 0) -> str:
        if isinstance(path, int):
            return ""  # a file descriptor that is already open
        if isinstance(flags, int) and flags & _WRITING and path != os.devnull:
            return f"opens {absolute(path)} for writing"
        return "" if self._may_read(path) else f"opens {absolute(path)} for reading"

    def _may_read(self, path: object) -> bool:
        """Whether any bot may read it, or it is not the author's code that reads it."""
        places = (*self.own, *_STDLIB, *_INSTALLED, *_OUR_CODE, *_HARMLESS)
        # A link beside the bot may lead anywhere.
        inside = within(absolute(path), places) and within(os.path.realpath(absolute(path)), places)
        return inside or not self._is_authors(responsible_file())

    def _may_list(self, path: object) -> bool:
        """Like reading; and an import statement may look for its module anywhere."""
        importing = frame_of_event().f_code.co_filename.startswith("<frozen importlib")
        return importing or self._may_read(path)

    def _is_authors(self, file: str) -> bool:
        if within(file, self.own):
            return True
        return not file.startswith("<frozen") and not within(
            file, (*_STDLIB, *_INSTALLED, *_OUR_CODE)
        )


def absolute(path: object) -> str:
    """The path of an event, for a person to read."""
    if path is None:
        return str(Path.cwd())
    if isinstance(path, str | bytes | os.PathLike):
        return os.path.abspath(os.fsdecode(path))
    return f"descriptor {path}"


def within(path: str, places: Iterable[str]) -> bool:
    return any(path == place or path.startswith(place + os.sep) for place in places)


def frame_of_event() -> FrameType:
    """The frame of the code that raised the event being handled."""
    frame: FrameType | None = sys._getframe()  # noqa: SLF001  (the only way to know the caller)
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    assert frame is not None
    return frame


def responsible_file(library: Iterable[str] = _STDLIB) -> str:
    """The file of the innermost frame outside the standard library."""
    frame: FrameType | None = frame_of_event()
    while frame is not None:
        file = frame.f_code.co_filename
        in_library = within(file, library) and not within(file, _INSTALLED)
        if not in_library and not file.startswith("<frozen"):
            return file
        frame = frame.f_back
    return "<frozen start>"


def places_of(name: str) -> list[Path]:
    """The folders or files that hold the bot of that name: what it may read."""
    stem, _, _ = name.partition(".py:")
    if stem != name:
        return [Path(f"{stem}.py").absolute().parent, Path(f"{stem}.py").resolve().parent]
    package = bot_package(name)
    return [] if package is None else [package]
