"""The process that watches a confined bot from outside and reports how it ended.

It kills the bot when the arena closes the control socket, or when the bot uses more memory or CPU
time than it may; resource limits should prevent that, but do not count everything. It answers the
system calls that the filter refers to it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NoReturn

from arena.sandbox.cgroup import out_of_memory, remove_group
from arena.sandbox.scratch import remove_scratch
from arena.sandbox.seccomp import MOST_COUNTED, Referral
from arena.sandbox.system_calls import MOST_THREADS

EXIT_REPORT: Final = struct.Struct("iqdi")
"""What the arena gets: the bot's wait status, peak memory in kilobytes, CPU seconds and why it was
killed, followed by the refused system calls as JSON, and the end of the stream."""

SEEN_FROM_OUTSIDE: Final = b"process"
LISTENER: Final = b"listener"
CANNOT_BUILD: Final = b"failed"
"""What the bot's process tells the supervisor before it runs the bot: here is its folder in /proc,
and the listener of its filter; or that the sandbox cannot be built."""

NOT_KILLED, TOO_MUCH_MEMORY, TOO_MUCH_TIME = range(3)
"""Why the supervisor killed it."""

LOOK_EVERY: Final = 0.1
"""Seconds between two looks at what the bot uses."""

SLACK: Final = 32 << 20
"""Bytes over the limit before the supervisor acts: resource limits come first."""

NAP: Final = 2
"""Milliseconds that a pretended wait for a futex takes: see seccomp.py."""

_COUNTED: Final = ("RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:")
"""Lines of /proc/PID/status: memory of its own, and the page tables for it, in kilobytes."""

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_MESSAGE: Final = 16


class Supervisor:
    """Watches one bot's process."""

    def __init__(
        self, bot: int, control: int, link: socket.socket, restrictions: Mapping[str, Any]
    ) -> None:
        self.bot = bot
        self.control = control
        self.link = link
        self.restrictions = restrictions
        self.folder = -1
        """The bot's folder in /proc, which need not be mounted where the supervisor is."""
        self.referral = Referral(-1, lambda: threads_in(self.folder) if self.folder >= 0 else 0)
        self.why = NOT_KILLED
        self.failed = False
        """Whether the sandbox could not be built."""

    def run(self) -> NoReturn:
        """Wait until the bot exits, report and exit."""
        poll = select.poll()
        exited = os.pidfd_open(self.bot)
        for descriptor in (exited, self.control, self.link.fileno()):
            poll.register(descriptor, select.POLLIN)
        pause = int(1000 * LOOK_EVERY) if "watch" in self.restrictions["walls"] else None
        ready: dict[int, int] = {}
        looked = time.monotonic()
        while exited not in ready:
            ready = dict(poll.poll(NAP if self.referral.sleeping else pause))
            if not ready or len(self.referral.sleeping) > MOST_THREADS:
                self.referral.wake()
            if self.link.fileno() in ready:
                self._receive(poll)
            if self.referral.listener in ready:
                self._answer(poll, ready[self.referral.listener])
            if self.control in ready:  # closed by the arena
                poll.unregister(self.control)
                self._kill()
            # Also while the bot keeps us busy with calls to refuse.
            if pause and time.monotonic() - looked >= LOOK_EVERY and self.why == NOT_KILLED:
                self._look()
                looked = time.monotonic()
        self._report()

    def _receive(self, poll: select.poll) -> None:
        """Take a message of the bot's process."""
        words, descriptors, _, _ = socket.recv_fds(self.link, _MESSAGE, 1)
        self.failed |= words == CANNOT_BUILD
        for descriptor in descriptors:
            if words == LISTENER:
                self.referral.listener = descriptor
                poll.register(descriptor, select.POLLIN)
            else:
                self.folder = descriptor
        if not words:
            poll.unregister(self.link)

    def _answer(self, poll: select.poll, event: int) -> None:
        if event & select.POLLIN:
            self.referral.answer_one()
        # Without POLLIN, no process is left that the filter applies to.
        if not event & select.POLLIN or self.referral.refused.total() >= MOST_COUNTED:
            poll.unregister(self.referral.listener)
            os.close(self.referral.listener)
            self.referral.listener = -1

    def _look(self) -> None:
        """Kill the bot if it uses more than it may."""
        with suppress(OSError, ValueError, IndexError):  # it is gone, or /proc is not readable
            if memory_in(self.folder) > self.restrictions["memory"] + SLACK:
                self._kill(TOO_MUCH_MEMORY)
            elif cpu_seconds_in(self.folder) > self.restrictions["cpu_seconds"] + 2:
                self._kill(TOO_MUCH_TIME)

    def _kill(self, why: int = NOT_KILLED) -> None:
        self.why = why
        with suppress(ProcessLookupError):
            os.kill(self.bot, signal.SIGKILL)

    def _report(self) -> NoReturn:
        _, status, usage = os.wait4(self.bot, 0)
        if self.failed:
            status = signal.SIGKILL  # no fault of the bot, which has not even started
        ended = (status, usage.ru_maxrss, usage.ru_utime + usage.ru_stime)
        group = self.restrictions["group"]
        if self.why == NOT_KILLED and group and out_of_memory(group):
            self.why = TOO_MUCH_MEMORY
        refused = json.dumps(self.referral.refused).encode()
        with suppress(OSError):
            os.write(self.control, EXIT_REPORT.pack(*ended, self.why) + refused)
        remove_group(group)
        # The arena does this as well, unless it was killed.
        remove_scratch(self.restrictions["scratch"])
        os._exit(0)


def memory_in(folder: int) -> int:
    """Bytes of memory that a process has to itself, page tables included."""
    for status in _statuses(folder):
        kilobytes = [line.split()[1] for line in status.splitlines() if line.startswith(_COUNTED)]
        if kilobytes:
            return 1024 * sum(map(int, kilobytes))
    return 0


def _statuses(folder: int) -> Iterator[str]:
    """The status of a process; then of each thread, as the first one may have ended."""
    yield _text(folder, "status")
    for thread in _threads(folder):
        with suppress(OSError):
            yield _text(folder, f"task/{thread}/status")


def threads_in(folder: int) -> int:
    """How many threads a process has."""
    return len(_threads(folder))


def cpu_seconds_in(folder: int) -> float:
    """CPU time that a process has used, in user mode and in the kernel."""
    words = _text(folder, "stat").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / _TICKS


def _threads(folder: int) -> list[str]:
    task = os.open("task", os.O_RDONLY | os.O_DIRECTORY, dir_fd=folder)
    try:
        return os.listdir(task)
    finally:
        os.close(task)


def _text(folder: int, name: str) -> str:
    with open(os.open(name, os.O_RDONLY, dir_fd=folder), encoding="utf-8") as file:
        return file.read()
