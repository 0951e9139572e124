"""Temporary folders of sandboxes; those that a killed arena left behind are removed."""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

_NAME: Final = re.compile(r"arena(?:_copy)?-(\d+)-(\d+)-(\d+)-\w+")
"""The PID namespace and process that made a folder, and when that process started, in clock ticks
after boot."""


def new_scratch(kind: str = "arena") -> str:
    """A new folder that only this user can use, named after this process."""
    folder, process = tempfile.gettempdir(), os.getpid()
    _sweep_once(folder, process)
    prefix = f"{kind}-{_namespace()}-{process}-{_started(process)}-"
    return tempfile.mkdtemp(prefix=prefix, dir=folder)


def remove_scratch(scratch: str) -> None:
    """Remove a scratch folder, whatever the bot did to it.

    Its folders may be nested deeper than Python can call itself and than a path can be long, so
    what is inside a folder moves to the top before the folder goes. Links are never followed.
    """
    token = os.urandom(8).hex()
    names = (os.path.join(scratch, f"{token}-{number}") for number in count())
    with suppress(OSError):
        while left := _paths_in(scratch):
            removed = [_remove(path, names) for path in left]
            if not any(removed):
                return
        os.rmdir(scratch)


def _remove(path: str, names: Iterator[str]) -> bool:
    """Remove a file, link or folder, whose inner folders move to new names; False if it fails."""
    try:
        if not _is_folder(path):
            os.unlink(path)
            return True
        for inner in _paths_in(path):
            if _is_folder(inner):
                os.chmod(inner, 0o700)  # or it could not be moved
                os.rename(inner, next(names))
            else:
                os.unlink(inner)
        os.rmdir(path)
    except OSError:
        return False
    return True


def _paths_in(folder: str) -> list[str]:
    os.chmod(folder, 0o700)
    return [os.path.join(folder, name) for name in os.listdir(folder)]


def _is_folder(path: str) -> bool:
    return stat.S_ISDIR(os.lstat(path).st_mode)


@cache
def _sweep_once(folder: str, _process: int) -> None:
    """Sweep when a process makes its first folder."""
    sweep(folder)


def sweep(folder: str = "") -> None:
    """Remove folders whose process has been killed, by default where new ones are made."""
    folder = folder or tempfile.gettempdir()
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            named = _NAME.fullmatch(entry.name)
            # Of a process in another container, nobody here knows whether it lives.
            if named and named[1] == _namespace() and _is_ours(entry):
                if _started(int(named[2])) != named[3]:
                    remove_scratch(entry.path)


def _is_ours(entry: os.DirEntry[str]) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()


def _namespace() -> str:
    """The PID namespace of this process; 0 where there is no /proc."""
    try:
        return str(os.stat("/proc/self/ns/pid").st_ino)
    except OSError:
        return "0"


def _started(process: int) -> str:
    """When the process started; empty if there is none, 0 where there is no /proc."""
    if not os.path.isdir("/proc/self"):
        return "0"
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    except OSError:
        return ""
    return text.rpartition(")")[2].split()[19]
