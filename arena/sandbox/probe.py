"""Tries to break out of the sandbox and prints, as a JSON list, the protections it defeated.

    python arena/sandbox/probe.py FOLDER PID

FOLDER holds a file `secret` that must not be readable, and must not be writable; PID is a process
of the same user outside the sandbox. An attempt that succeeds does no harm.
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

TOO_MUCH_MEMORY: Final = 512 << 20
"""Bytes, more than the sandbox under test allows."""


def gets_memory() -> bool:
    ways = (_allocate, _map_shared, _map_zeros, _make_memory_file)
    return any(_succeeds(way, (OSError, MemoryError)) for way in ways)


def _allocate() -> bool:
    return bool(bytearray(TOO_MUCH_MEMORY))


def _map_shared() -> bool:
    mmap.mmap(-1, TOO_MUCH_MEMORY).close()
    return True


def _map_zeros() -> bool:
    with open("/dev/zero", "r+b", buffering=0) as file:
        mmap.mmap(file.fileno(), TOO_MUCH_MEMORY).close()
    return True


def _make_memory_file() -> bool:
    os.close(os.memfd_create("probe"))
    return True


def has_no_cpu_limit() -> bool:
    return resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY


def opens_many_files() -> bool:
    return len([os.open(os.devnull, os.O_RDONLY) for _ in range(500)]) == 500


def forks() -> bool:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return True


def sends_a_packet() -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.sendto(b"hello", ("127.0.0.1", 9))
    return True


def _succeeds(
    attempt: Callable[[], bool], failures: tuple[type[Exception], ...] = (OSError,)
) -> bool:
    try:
        return attempt()
    except failures:
        return False


def _main() -> None:
    folder, pid = Path(sys.argv[1]), int(sys.argv[2])

    def sends_a_signal() -> bool:
        os.kill(pid, 0)
        return True

    attempts: dict[str, Callable[[], bool]] = {
        "memory": gets_memory,
        "processor": has_no_cpu_limit,
        "files": opens_many_files,
        "processes": forks,
        "network": sends_a_packet,
        "writing": lambda: (folder / "new").write_text("x") > 0,
        "reading": lambda: bool((folder / "secret").read_text()),
        "others": lambda: bool(Path(f"/proc/{pid}/cmdline").read_bytes()),
        "signals": sends_a_signal,
    }
    print(json.dumps([name for name, attempt in attempts.items() if _succeeds(attempt)]))


if __name__ == "__main__":
    _main()
