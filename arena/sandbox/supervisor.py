"""The process that watches a confined bot from outside and reports how it ended.

It kills the bot when the arena closes the control socket, or when the bot uses more memory or CPU
time than it may; resource limits should prevent that, but do not count everything. It answers the
system calls that the filter refuses, and counts them.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import struct
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn

from arena.sandbox.cgroup import out_of_memory, remove_group
from arena.sandbox.scratch import remove_scratch
from arena.sandbox.seccomp import MOST_COUNTED, refuse_one

EXIT_REPORT: Final = struct.Struct("iqdi")
"""What the arena gets: the bot's wait status, peak memory in kilobytes, CPU seconds and why it was
killed, followed by the refused system calls as JSON, and the end of the stream."""

ENDED: Final = struct.Struct("iqd")
"""What the init process sends the supervisor: the first three of them."""

NOT_KILLED, TOO_MUCH_MEMORY, TOO_MUCH_TIME = range(3)
"""Why the supervisor killed it."""

LOOK_EVERY: Final = 100
"""Milliseconds between two looks at what the bot uses."""

SLACK: Final = 32 << 20
"""Bytes over the limit before the supervisor acts: resource limits come first."""

_COUNTED: Final = ("RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:")
"""Lines of /proc/PID/status: memory of its own, and the page tables for it, in kilobytes."""

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_MESSAGE: Final = 64


class Supervisor:
    """Watches one bot; `child` is the bot itself or the init process of its namespace."""

    def __init__(
        self, child: int, control: int, link: socket.socket, restrictions: Mapping[str, Any]
    ) -> None:
        self.child = child
        self.control = control
        self.link = link
        self.restrictions = restrictions
        self.bot = 0
        """The bot's process ID here; 0 until it has said so."""
        self.listener = -1
        self.refused: Counter[str] = Counter()
        self.why = NOT_KILLED
        self.ended = b""
        """How the bot ended, if the init process has told."""

    def run(self) -> NoReturn:
        """Wait until the child exits, report and exit."""
        poll = select.poll()
        child = os.pidfd_open(self.child)
        for descriptor in (child, self.control, self.link.fileno()):
            poll.register(descriptor, select.POLLIN)
        ready: dict[int, int] = {}
        while child not in ready:
            watching = self.bot and "watch" in self.restrictions["walls"]
            ready = dict(poll.poll(LOOK_EVERY if watching else None))
            if self.link.fileno() in ready and not self._receive(poll):
                poll.unregister(self.link)
            if self.listener in ready:
                self._refuse(poll)
            if self.control in ready:  # closed by the arena
                poll.unregister(self.control)
                self._kill(self.child)
            if not ready and self.why == NOT_KILLED:
                self._look()
        while self._receive(poll):
            pass
        self._report()

    def _receive(self, poll: select.poll) -> bool:
        """Take a message of the bot's process before it runs the bot, or of the init process."""
        try:
            words, descriptors, _, _ = socket.recv_fds(self.link, _MESSAGE, 1, socket.MSG_DONTWAIT)
        except OSError:
            return False
        if descriptors:
            self.listener = descriptors[0]
            poll.register(self.listener, select.POLLIN)
        elif len(words) == ENDED.size:
            self.ended = words
        elif words:
            self.bot = int(words)
        return bool(words)

    def _refuse(self, poll: select.poll) -> None:
        refuse_one(self.listener, self.refused)
        if self.refused.total() >= MOST_COUNTED:
            poll.unregister(self.listener)
            os.close(self.listener)
            self.listener = -1

    def _look(self) -> None:
        """Kill the bot if it uses more than it may."""
        with suppress(OSError, ValueError, IndexError):  # it is gone, or /proc is not readable
            if memory_of(self.bot) > self.restrictions["memory"] + SLACK:
                self._kill(self.bot, TOO_MUCH_MEMORY)
            elif cpu_seconds_of(self.bot) > self.restrictions["cpu_seconds"] + 2:
                self._kill(self.bot, TOO_MUCH_TIME)

    def _kill(self, process: int, why: int = NOT_KILLED) -> None:
        self.why = why
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)

    def _report(self) -> NoReturn:
        _, status, usage = os.wait4(self.child, 0)
        ended = (status, usage.ru_maxrss, usage.ru_utime + usage.ru_stime)
        if self.ended:
            ended = ENDED.unpack(self.ended)
        group = self.restrictions["group"]
        if self.why == NOT_KILLED and group and out_of_memory(group):
            self.why = TOO_MUCH_MEMORY
        refused = json.dumps(self.refused).encode()
        with suppress(OSError):
            os.write(self.control, EXIT_REPORT.pack(*ended, self.why) + refused)
        remove_group(group)
        # The arena does this as well, unless it was killed.
        remove_scratch(self.restrictions["scratch"])
        os._exit(0)


def report_exit(child: int, link: socket.socket) -> NoReturn:
    """As the init process: wait for the bot, tell the supervisor how it ended, and exit."""
    status, usage = 0, None
    ended = 0
    while ended != child:  # it also inherits orphans
        ended, status, usage = os.wait4(-1, 0)
    assert usage is not None
    cpu_seconds = usage.ru_utime + usage.ru_stime
    with suppress(OSError):
        link.send(ENDED.pack(status, usage.ru_maxrss, cpu_seconds))
    os._exit(0)


def fail(link: socket.socket) -> NoReturn:
    """As the init process: exit because the sandbox cannot be built, which is no bot's fault."""
    with suppress(OSError):
        link.send(ENDED.pack(signal.SIGKILL, 0, 0.0))
    os._exit(1)


def memory_of(process: int) -> int:
    """Bytes of memory that a process has to itself, page tables included."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(_COUNTED))


def cpu_seconds_of(process: int) -> float:
    """CPU time that a process has used, in user mode and in the kernel."""
    words = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / _TICKS
