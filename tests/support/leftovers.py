"""Finds what a test leaves behind: descriptors, scratch folders and processes, only its own.

Other test runs on the machine do not count. tests/arena/sandbox/conftest.py gives every test module
its own TMPDIR, which child processes inherit: it tells whose they are.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from arena.match.bot_factory import isolated_environment
from arena.sandbox.fork_server import fork_server
from arena.sandbox.protections import protections

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
fully_sandboxed = pytest.mark.skipif(
    not all(protection.in_force for protection in protections()), reason="needs every protection"
)

SECONDS_TO_DIE = 10.0
"""How long killed processes may take to exit on a busy machine."""


def open_descriptors() -> set[str]:
    """Number and target of each: numbers alone are reused."""
    descriptors = set()
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the one that lists the folder
            descriptors.add(f"{entry.name} {entry.readlink()}")
    return descriptors


def scratches() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("arena-*"))


def _process_ids(matches: Callable[[Path], bool]) -> list[int]:
    """Processes other than this one whose folder in /proc matches."""
    pids = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            with suppress(OSError):  # it has exited, or is another user's
                pids += [int(entry.name)] if matches(entry) else []
    return pids


def marked_processes(mark: str) -> list[int]:
    """Processes of this test module with the mark in their command line or environment."""
    ours = f"TMPDIR={tempfile.gettempdir()}".encode()

    def matches(entry: Path) -> bool:
        environment = (entry / "environ").read_bytes()
        command = (entry / "cmdline").read_bytes()
        return ours in environment and mark.encode() in command + environment

    return _process_ids(matches)


def sandbox_processes(arena: int) -> list[int]:
    """The fork server of that arena process, and all that was forked from it."""

    def matches(entry: Path) -> bool:
        words = (entry / "cmdline").read_bytes().split(b"\0")
        return b"arena.sandbox.fork_server" in words and str(arena).encode() in words

    return _process_ids(matches)


@contextmanager
def nothing_left(mark: str) -> Iterator[None]:
    """Fails if new descriptors, scratch folders, bots or marked processes are left afterwards."""
    fork_server(isolated_environment())  # outlives its first use
    # Other tests of this process may have started fork servers for other environments.
    servers = set(sandbox_processes(os.getpid()))
    descriptors, folders = open_descriptors(), scratches()
    yield
    assert not marked_processes(mark)
    servers.add(fork_server(isolated_environment()).process.pid)
    killed_by = time.monotonic() + SECONDS_TO_DIE
    while left := set(sandbox_processes(os.getpid())) - servers:
        assert time.monotonic() < killed_by, left
        time.sleep(0.05)
    assert len(open_descriptors()) <= len(descriptors), open_descriptors() - descriptors
    assert scratches() <= folders
