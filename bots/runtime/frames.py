"""The bot's own frames of a traceback: where in its own files an exception was raised.

Frames of the arena, of Python and of installed libraries are left out: an author looks for the
line of their own code.
"""

from __future__ import annotations

import linecache
import os
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from traceback import walk_tb
from typing import Final

from bots.runtime.faults import BotFailure, FaultKind, OwnFrame, clean_line, one_line
from games.engine import ROOT

MOST_OWN_FRAMES: Final = 10
"""Frames that are kept of a traceback."""
_OUTERMOST: Final = 3
"""How many of them are the outermost ones, if frames are left out: a bot may call itself."""

_MOST_LETTERS: Final = 120
"""Characters that are kept of a file's name, of a function's and of a line."""


def _real_paths(*folders: str) -> tuple[str, ...]:
    return tuple(os.path.realpath(ROOT / folder) for folder in folders)


_OURS: Final = _real_paths("games", "bots", "solver", "arena")
_AROUND_BOTS: Final = _real_paths("bots/runtime", "arena/match")
"""Our code that calls bots: never a bot's own, not even if the bot is one of ours."""
_CALLERS: Final = ("call", "guarded")
"""The functions in it that catch what a bot raises: LiveGame.call and BotServer.guarded."""
_INSTALLED: Final = _real_paths(*map(sysconfig.get_path, ("purelib", "platlib")))
_STDLIB: Final = _real_paths(*map(sysconfig.get_path, ("stdlib", "platstdlib")))
_LIBRARIES: Final = (*_INSTALLED, *_STDLIB)


@dataclass(frozen=True)
class OwnCode:
    """The files that are a bot's own."""

    place: str
    """A folder, or a single file."""
    base: str
    """The folder that names of files are given relative to."""

    def name(self, file: str) -> str:
        """How a file is called here; empty if it is not the bot's own."""
        path = os.path.realpath(file)
        if file.startswith("<"):
            return ""  # of Python itself, or code without a file
        if not _within(path, (self.place,)) or _within(path, _AROUND_BOTS):
            return ""
        others = [*_OURS, *_LIBRARIES]
        if any(_within(path, (other,)) and not _within(self.place, (other,)) for other in others):
            return ""  # a library in a folder below the bot
        return os.path.relpath(path, self.base)


def _within(path: str, places: Sequence[str]) -> bool:
    return any(path == place or path.startswith(place + os.sep) for place in places)


def own_code(bot: type) -> OwnCode | None:
    """The files of a bot's class: its folder, or its whole package."""
    for each in bot.__mro__:
        code = _code_of(each.__module__)
        in_stdlib = code is not None and _within(code.place, _STDLIB)
        if code is not None and (not in_stdlib or _within(code.place, _INSTALLED)):
            return code  # a class that a function made may claim to be Python's
    return None


def _code_of(name: str) -> OwnCode | None:
    file = getattr(sys.modules.get(name), "__file__", None)
    if not isinstance(file, str):
        return None
    folder = os.path.realpath(Path(file).parent)
    package = sys.modules.get(name.partition(".")[0])
    for path in getattr(package, "__path__", ()):
        whole = os.path.realpath(path)
        if _within(folder, (whole,)):
            return OwnCode(whole, os.path.dirname(whole))
    return OwnCode(os.path.realpath(file) if folder in _LIBRARIES else folder, folder)


def code_beside(file: str) -> OwnCode:
    """The files in the folder of a bot that could not be loaded."""
    folder = os.path.realpath(Path(file).parent)
    return OwnCode(folder, folder)


def failure_from(error: BaseException, code: OwnCode | None) -> BotFailure:
    """The fault of a bot whose code raised this."""
    kind = FaultKind.MEMORY if isinstance(error, MemoryError) else FaultKind.EXCEPTION
    words = one_line(error, str)
    problem = f"raised {type(error).__name__}{words and ': '}{words}"
    return BotFailure(kind, problem, own_frames(error, code))


def own_frames(error: BaseException, code: OwnCode | None) -> tuple[OwnFrame, ...]:
    """The bot's own frames, innermost last; of a long traceback only both ends."""
    if code is None:
        return ()
    try:
        frames = list(_each_frame(error, code))
    except Exception:  # noqa: BLE001  (out of memory, or an odd exception class)
        return ()
    left_out = len(frames) - MOST_OWN_FRAMES
    if left_out > 0:
        gap = OwnFrame(f"... {left_out + 1} more frames ...", 0, "", "")
        frames[_OUTERMOST : _OUTERMOST + left_out + 1] = [gap]
    return tuple(frames)


def _each_frame(error: BaseException, code: OwnCode) -> Iterator[OwnFrame]:
    inside = False
    for frame, line in walk_tb(error.__traceback__):
        file, function = frame.f_code.co_filename, frame.f_code.co_name
        if name := code.name(file):
            inside = True
            yield _frame(name, line, function, file)
        elif inside and function in _CALLERS and _within(os.path.realpath(file), _AROUND_BOTS):
            return  # the same exception was raised before: what follows is of that time
    if isinstance(error, SyntaxError) and isinstance(error.filename, str):
        if name := code.name(error.filename):
            yield _frame(name, error.lineno or 1, "", error.filename)


def _frame(name: str, line: int, function: str, file: str) -> OwnFrame:
    linecache.checkcache(file)
    source = linecache.getline(file, line)
    return OwnFrame(_short(name), line, _short(function), _short(source))


def _short(text: str) -> str:
    return clean_line(text, _MOST_LETTERS)


def read_frames(value: object) -> tuple[OwnFrame, ...]:
    """The frames that a bot's process sent, made safe to print; what is malformed is left out."""
    frames: list[OwnFrame] = []
    for entry in value[:MOST_OWN_FRAMES] if isinstance(value, list) else ():
        match entry:
            case [str(file), int(line), str(function), str(source)]:
                if 0 <= line < 1 << 31:
                    frames.append(
                        OwnFrame(_short(file), int(line), _short(function), _short(source))
                    )
    return tuple(frames)


def innermost(frames: Sequence[OwnFrame]) -> str:
    """The line to look at first, like `my_bot.py, line 12, in choose`; empty if unknown."""
    return str(frames[-1]) if frames else ""


def frames_text(frames: Sequence[OwnFrame]) -> str:
    """The frames for a person to read, innermost last, each with its line of source below it."""
    lines: list[str] = []
    for frame in frames:
        lines.append(f"  {frame}")
        if frame.source:
            lines.append(f"    {frame.source}")
    return "\n".join(lines)
