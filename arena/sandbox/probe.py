"""Tries to break out of the sandbox and prints, as a JSON list, the protections it defeated.

    python arena/sandbox/probe.py FOLDER PID

FOLDER holds a file `secret` that must not be readable, and must not be writable; PID is a process
of the same user outside the sandbox. An attempt that succeeds does no harm.
"""

from __future__ import annotations

import json
import mmap
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_CPU, getrlimit
from typing import Final

TOO_MUCH_MEMORY: Final = 512 << 20
"""Bytes, more than the sandbox under test allows."""


def _map_zeros() -> None:
    with open("/dev/zero", "r+b", buffering=0) as file:
        mmap.mmap(file.fileno(), TOO_MUCH_MEMORY).close()


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _send_packet() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as connection:
        connection.sendto(b"hello", ("127.0.0.1", 9))


def _succeeds(attempt: Callable[[], object]) -> bool:
    """Whether it neither raises nor returns False."""
    try:
        return attempt() is not False
    except (OSError, MemoryError):
        return False


def _main() -> None:
    folder, pid = Path(sys.argv[1]), int(sys.argv[2])
    attempts: list[tuple[str, Callable[[], object]]] = [
        ("memory", lambda: bytearray(TOO_MUCH_MEMORY)),
        ("memory", lambda: mmap.mmap(-1, TOO_MUCH_MEMORY).close()),
        ("memory", _map_zeros),
        ("memory", lambda: os.close(os.memfd_create("probe"))),
        ("processor", lambda: getrlimit(RLIMIT_CPU)[0] == RLIM_INFINITY),
        ("files", lambda: [os.open(os.devnull, os.O_RDONLY) for _ in range(500)]),
        ("processes", _fork),
        ("network", _send_packet),
        ("writing", lambda: (folder / "new").write_text("x")),
        ("reading", lambda: bool((folder / "secret").read_text())),
        ("others", lambda: bool(Path(f"/proc/{pid}/cmdline").read_bytes())),
        ("signals", lambda: os.kill(pid, 0)),
    ]
    defeated = dict.fromkeys(name for name, attempt in attempts if _succeeds(attempt))
    print(json.dumps(list(defeated)))


if __name__ == "__main__":
    _main()
