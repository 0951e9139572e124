"""What a test has left behind: file descriptors, and processes that came from it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.match.bot_factory import environment
from arena.sandbox.fork_server import fork_server

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def descriptors() -> set[str]:
    """What is open here: the targets, since numbers are used again."""
    found = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            found.add(f"{entry.name} {entry.readlink()}")
        except FileNotFoundError:
            continue  # the one used for looking
    return found


def processes(mark: str) -> list[int]:
    """Processes, other than this one, whose command line or environment has the mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal() or int(entry.name) == os.getpid():
            continue
        try:
            told = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if mark.encode() in told:
            found.append(int(entry.name))
    return found


def guests(arena: int) -> list[int]:
    """Processes that were forked for the guests of that arena."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"arena.sandbox.fork_server" in words and str(arena).encode() in words:
            found.append(int(entry.name))
    return found


@contextmanager
def nothing_left(mark: str) -> Iterator[None]:
    """Fails if afterwards descriptors, guests or processes with the mark are left."""
    fork_server(environment())  # stays, once it has been needed
    before = descriptors()
    yield
    assert not processes(mark)
    assert guests(os.getpid()) == [fork_server(environment()).process.pid]
    assert len(descriptors()) <= len(before), descriptors() - before
