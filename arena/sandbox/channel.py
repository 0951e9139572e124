"""Lines to and from another process, which can make us neither wait, nor swell, nor stumble."""

from __future__ import annotations

import os
import select
import signal
import time
from contextlib import suppress
from typing import Final

from arena.sandbox.process import PATIENCE, Child
from bots.runtime.faults import BotFailure, FaultKind, one_line
from bots.runtime.processes import signal_name
from bots.runtime.protocol import MOST_LINE

MOST_STDERR: Final = 1 << 20
"""Bytes a process may write to stderr in one game."""

KEPT_STDERR: Final = 1 << 13
"""Bytes of it that are kept: the last ones."""

CHUNK: Final = 1 << 16


class Channel:
    """The pipes of one process; every way in which it can misbehave is a Breakdown."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.unsent = b""
        self.answers = b""
        self.stderr = b""
        """The last of what was written there."""
        self.received = 0
        """Bytes written there so far."""
        self.deaf = False
        """Whether nothing can come from there any more."""
        for pipe in (child.to, child.back, child.errors):
            os.set_blocking(pipe, False)

    def ask(self, message: bytes, seconds: float) -> bytes:
        """Send a line and get one back within so many seconds."""
        self.unsent = message
        deadline = time.monotonic() + seconds
        while self.unsent or b"\n" not in self.answers:
            left = deadline - time.monotonic()
            if left <= 0:
                raise BotFailure(FaultKind.TIME, self.silence(seconds))
            self.wait(left)
        line, _, self.answers = self.answers.partition(b"\n")
        return line

    def silence(self, seconds: float) -> str:
        within = f"within {seconds:.3g} seconds"
        if self.answers:
            half = one_line(self.answers.decode("utf-8", "replace"))
            return f"wrote half a line {within}, {half}, and not the rest of it"
        return f"gave no answer {within}"

    def wait(self, seconds: float) -> None:
        """Let bytes go to and fro, once, as soon as some can."""
        poll = select.poll()
        if not self.deaf:
            poll.register(self.child.errors, select.POLLIN)
        if b"\n" not in self.answers:
            poll.register(self.child.back, select.POLLIN)
        if self.unsent:
            poll.register(self.child.to, select.POLLOUT)
        for descriptor, _ in poll.poll(1 + int(1000 * seconds)):
            if descriptor == self.child.to:
                self.write()
            elif descriptor == self.child.back:
                self.read()
            else:
                self.listen()

    def write(self) -> None:
        try:
            self.unsent = self.unsent[os.write(self.child.to, self.unsent) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            raise self.gone("input") from None

    def read(self) -> None:
        chunk = os.read(self.child.back, CHUNK)
        if not chunk:
            raise self.gone("output")
        self.answers += chunk
        if b"\n" not in self.answers and len(self.answers) > MOST_LINE:
            start = one_line(self.answers[:100].decode("utf-8", "replace"))
            raise BotFailure(
                FaultKind.OUTPUT, f"wrote a line of more than {MOST_LINE} bytes, beginning {start}"
            )

    def listen(self) -> None:
        """Take in what the process writes to stderr; of much of it, the end."""
        chunk = os.read(self.child.errors, CHUNK)
        self.deaf = not chunk
        self.stderr = (self.stderr + chunk)[-KEPT_STDERR:]
        self.received += len(chunk)
        if self.received > MOST_STDERR:
            raise BotFailure(FaultKind.OUTPUT, f"wrote more than {MOST_STDERR} bytes to stderr")

    def drain(self) -> None:
        """Take in what is left on stderr without waiting for more."""
        with suppress(OSError, BotFailure):
            while not self.deaf and self.received <= MOST_STDERR:
                self.listen()

    def gone(self, pipe: str) -> BotFailure:
        """Why a pipe was closed: most likely the process has ended."""
        status = self.child.status(PATIENCE)
        if status is None:
            return BotFailure(FaultKind.PROTOCOL, f"closed its {pipe} and went on running")
        if status == -signal.SIGXCPU:
            return BotFailure(FaultKind.TIME, "used up the processor time it may have in a game")
        if status == -signal.SIGKILL:
            return BotFailure(FaultKind.KILLED, "was killed by the system or a person")
        if status < 0:
            return BotFailure(FaultKind.DIED, f"was ended by {signal_name(-status)}")
        return BotFailure(FaultKind.DIED, f"exited with code {status}")
