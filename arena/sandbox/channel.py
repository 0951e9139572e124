"""Exchanges lines with a process that may stall, flood us or exit at any time."""

from __future__ import annotations

import os
import select
import signal
import time
from contextlib import suppress
from typing import Final

from arena.sandbox.process import EXIT_TIMEOUT, ProcessHandle
from bots.runtime.faults import BotFailure, FaultKind, MachineFault, one_line
from bots.runtime.processes import pauses, signal_name
from bots.runtime.protocol import MOST_LINE

MAX_STDERR: Final = 1 << 20
"""Bytes a process may write to stderr in one game."""

KEPT_STDERR: Final = 1 << 13
"""How many of them are kept: the last ones."""

CHUNK: Final = 1 << 16


class Channel:
    """The pipes of one process; whatever it does wrong raises BotFailure."""

    def __init__(self, process: ProcessHandle) -> None:
        self.process = process
        self.unsent = b""
        self.answers = b""
        self.stderr = b""
        """The end of what was written there."""
        self.stderr_bytes = 0
        """How much was written there so far."""
        self.stderr_closed = False
        for pipe in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(pipe, False)

    def ask(self, message: bytes, seconds: float, limit: str) -> bytes:
        """Send a line and return the line that answers it within that many seconds.

        `limit`: the time as it was set, in words.
        """
        self.unsent = message
        before = pauses()
        deadline = time.monotonic() + seconds
        while self.unsent or b"\n" not in self.answers:
            left = deadline - time.monotonic()
            if left <= 0 and pauses() != before:
                raise MachineFault("the arena was stopped and continued while a bot was thinking")
            if left <= 0:
                part = f": {_shown(self.answers)}" if self.answers else ""
                problem = "wrote only part of a line" if part else "gave no answer"
                raise BotFailure(FaultKind.TIME, f"{problem} within {limit}{part}")
            self._transfer(left)
        line, _, self.answers = self.answers.partition(b"\n")
        return line

    def _transfer(self, seconds: float) -> None:
        """Wait until a pipe is ready, then read or write once."""
        poll = select.poll()
        if not self.stderr_closed:
            poll.register(self.process.stderr, select.POLLIN)
        if b"\n" not in self.answers:
            poll.register(self.process.stdout, select.POLLIN)
        if self.unsent:
            poll.register(self.process.stdin, select.POLLOUT)
        transfers = {self.process.stdin: self._write, self.process.stdout: self._read}
        for descriptor, _ in poll.poll(1 + int(1000 * seconds)):
            transfers.get(descriptor, self._read_stderr)()

    def _write(self) -> None:
        try:
            self.unsent = self.unsent[os.write(self.process.stdin, self.unsent) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            raise self._closed("stdin") from None

    def _read(self) -> None:
        chunk = os.read(self.process.stdout, CHUNK)
        if not chunk:
            raise self._closed("stdout")
        self.answers += chunk
        if b"\n" not in self.answers and len(self.answers) > MOST_LINE:
            start = _shown(self.answers[:100])
            problem = f"wrote a line of more than {MOST_LINE} bytes, starting {start}"
            raise BotFailure(FaultKind.OUTPUT, problem)

    def _read_stderr(self) -> None:
        chunk = os.read(self.process.stderr, CHUNK)
        self.stderr_closed = not chunk
        self.stderr = (self.stderr + chunk)[-KEPT_STDERR:]
        self.stderr_bytes += len(chunk)
        if self.stderr_bytes > MAX_STDERR:
            raise BotFailure(FaultKind.OUTPUT, f"wrote more than {MAX_STDERR} bytes to stderr")

    def drain_stderr(self) -> None:
        """Read what is left on stderr without waiting for more."""
        with suppress(OSError, BotFailure):
            while not self.stderr_closed and self.stderr_bytes <= MAX_STDERR:
                self._read_stderr()

    def _closed(self, pipe: str) -> BotFailure:
        """Why a pipe was closed: most likely the process has exited."""
        status = self.process.exit_status(EXIT_TIMEOUT)
        if status is None:
            return BotFailure(FaultKind.PROTOCOL, f"closed its {pipe} but kept running")
        if self.process.killed_for is not None:
            return BotFailure(*self.process.killed_for)
        if status == -signal.SIGXCPU:
            return BotFailure(FaultKind.TIME, "used up its CPU time for the game")
        if status == -signal.SIGKILL:
            return BotFailure(FaultKind.KILLED, "was killed by the system or a person")
        if status < 0:
            return BotFailure(FaultKind.DIED, f"was killed by {signal_name(-status)}")
        return BotFailure(FaultKind.DIED, f"exited with code {status}")


def _shown(line: bytes) -> str:
    return one_line(line.decode("utf-8", "replace"))
