"""Tries to break out of a sandbox and prints, as a JSON list, what it managed to do.

    python arena/sandbox/probe.py FOLDER PID

FOLDER holds a file `secret` that must not be read and where nothing may be written; PID is a
process of the same user, outside. Nothing here does any harm where it succeeds.
"""

from __future__ import annotations

import json
import mmap
import os
import resource
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

PLENTY: Final = 512 << 20
"""Bytes, more than the sandbox it is sent into allows."""


def memory(_folder: Path, _pid: int) -> bool:
    return any(gets(way) for way in (own_memory, shared_memory, zeros, file_in_memory))


def own_memory() -> None:
    bytearray(PLENTY)


def shared_memory() -> None:
    mmap.mmap(-1, PLENTY).close()


def zeros() -> None:
    with open("/dev/zero", "r+b", buffering=0) as file:
        mmap.mmap(file.fileno(), PLENTY).close()


def file_in_memory() -> None:
    os.close(os.memfd_create("hoard"))


def gets(way: Callable[[], None]) -> bool:
    try:
        way()
    except (OSError, MemoryError):
        return False
    return True


def processor(_folder: Path, _pid: int) -> bool:
    return resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY


def files(_folder: Path, _pid: int) -> bool:
    many = [os.open(os.devnull, os.O_RDONLY) for _ in range(500)]
    return len(many) == 500


def processes(_folder: Path, _pid: int) -> bool:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def network(_folder: Path, _pid: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.sendto(b"hello", ("127.0.0.1", 9))
    return True


def writing(folder: Path, _pid: int) -> bool:
    (folder / "new").write_text("x")
    return True


def reading(folder: Path, _pid: int) -> bool:
    return bool((folder / "secret").read_text())


def others(_folder: Path, pid: int) -> bool:
    return bool(Path(f"/proc/{pid}/cmdline").read_bytes())


def signals(_folder: Path, pid: int) -> bool:
    os.kill(pid, 0)
    return True


TRICKS: Final[tuple[Callable[[Path, int], bool], ...]] = (
    *(memory, processor, files, processes, network),
    *(writing, reading, others, signals),
)


def succeeds(trick: Callable[[Path, int], bool], folder: Path, pid: int) -> bool:
    try:
        return trick(folder, pid)
    except OSError:
        return False


def main() -> None:
    """Try everything, and tell."""
    folder, pid = Path(sys.argv[1]), int(sys.argv[2])
    print(json.dumps([trick.__name__ for trick in TRICKS if succeeds(trick, folder, pid)]))


if __name__ == "__main__":
    main()
