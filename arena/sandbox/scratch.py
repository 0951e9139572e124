"""Temporary folders of sandboxes; those that a killed arena left behind are removed."""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from contextlib import suppress
from functools import cache
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
    """Remove a scratch folder, whatever the bot did to it."""
    for folder, inner, _ in os.walk(scratch):
        for path in (Path(folder, name) for name in inner):
            if not path.is_symlink():  # its target is not ours to change
                with suppress(OSError):
                    path.chmod(0o700)
    shutil.rmtree(scratch, ignore_errors=True)


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
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


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
