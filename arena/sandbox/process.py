"""Processes of bots: started with three pipes, and ended for certain with all they have started."""

from __future__ import annotations

import errno
import os
import select
import signal
import socket
import struct
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import chain
from typing import Final

from arena.sandbox.fork_server import fork_server
from arena.sandbox.policy import Sandbox, namespace_maker, new_scratch, sweep
from bots.runtime.faults import BotFailure, FaultKind

PATIENCE: Final = 1.0
"""Seconds to wait for what is about to happen."""

SHORTAGES: Final = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
"""Of the machine; no program is to blame for them."""

REPORT: Final = struct.Struct("iqd")
"""What a cell's keeper tells of the bot's process: its status, and the kilobytes and seconds of
processor time it used."""


class Child(ABC):
    """A process at the other end of three pipes."""

    def __init__(self) -> None:
        (theirs_in, self.to), (self.back, theirs_out), (self.errors, theirs_err) = three_pipes()
        self.theirs: tuple[int, ...] = (theirs_in, theirs_out, theirs_err)
        self.memory = 0
        """Bytes it used at most, if that is known."""

    def let_go(self) -> None:
        """Keep only our ends of the pipes."""
        for descriptor in self.theirs:
            os.close(descriptor)
        self.theirs = ()

    def close_input(self) -> None:
        """Let it know that nothing more will come."""
        if self.to >= 0:
            os.close(self.to)
            self.to = -1

    def close(self) -> None:
        """Close what is open of the pipes."""
        self.close_input()
        for descriptor in (self.back, self.errors, *self.theirs):
            os.close(descriptor)
        # Their numbers may soon be somebody else's, and must not be read from by mistake.
        self.back = self.errors = -1
        self.theirs = ()

    @abstractmethod
    def status(self, seconds: float) -> int | None:
        """The exit code, or minus the signal; None if it still runs after so many seconds."""

    @abstractmethod
    def end(self) -> None:
        """Kill it and all it has started, and close everything; whatever state it is in."""


class Program(Child):
    """A process of the user's own, in a session of its own."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        super().__init__()
        try:
            self.process = started(command, environment, self.theirs)
        except (OSError, ValueError) as error:
            self.close()
            if isinstance(error, OSError) and error.errno in SHORTAGES:
                raise
            problem = f"{command[0]!r} cannot be run: {error}"
            raise BotFailure(FaultKind.START, problem) from None
        self.let_go()

    def status(self, seconds: float) -> int | None:
        # Left unreaped: until its group has been killed, its number must stay its own.
        deadline = time.monotonic() + seconds
        what = os.WEXITED | os.WNOWAIT | os.WNOHANG
        while (ended := os.waitid(os.P_PID, self.process.pid, what)) is None:
            if time.monotonic() >= deadline:
                return None
            time.sleep(0.002)
        status = ended.si_status
        if ended.si_code != os.CLD_EXITED:
            return -status
        # Shells pass on a signal as 128 and its number.
        return 128 - status if status - 128 in signal.valid_signals() else status

    def end(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.close()


class ConfinedProcess(Child):
    """A process in a sandbox, on a leash: see arena/sandbox/confine.py."""

    def __init__(
        self, words: Sequence[str], environment: Mapping[str, str], sandbox: Sandbox
    ) -> None:
        super().__init__()
        self.report = b""
        self.processor = sandbox.processor
        self.process: subprocess.Popen[bytes] | None = None
        with ExitStack() as undo:
            undo.callback(self.close)
            self.scratch = new_scratch()
            undo.callback(sweep, self.scratch)
            self.leash, theirs = socket.socketpair()
            undo.callback(self.leash.close)
            with theirs:
                self.enter(words, environment, sandbox, theirs.fileno())
            undo.pop_all()  # nothing has gone wrong, so nothing is undone
        self.let_go()

    def enter(
        self, words: Sequence[str], environment: Mapping[str, str], sandbox: Sandbox, leash: int
    ) -> None:
        """Start the process, by the quickest way there is."""
        walls = sandbox.walls(words, self.scratch)
        own = {"HOME": self.scratch, "TMPDIR": self.scratch}
        bubblewrapped = namespace_maker() == "bubblewrap"
        if words[0] == "guest" and environment["PYTHONHASHSEED"] == "0" and not bubblewrapped:
            fork_server(environment).bear(words[1:], walls, own, [*self.theirs, leash])
        else:
            command = sandbox.command(words, walls, leash)
            self.process = started(command, {**environment, **own}, self.theirs, leash)

    def status(self, seconds: float) -> int | None:
        if not self.report:
            if not self.heard_within(seconds):
                return None
            with suppress(ConnectionError):
                self.report = self.leash.recv(REPORT.size)
            # Nothing at all if the keeper itself was killed.
            self.report = self.report or REPORT.pack(signal.SIGKILL, 0, 0.0)
        status, kilobytes, seconds = REPORT.unpack(self.report[: REPORT.size])
        self.memory = 1024 * kilobytes
        if os.WIFSIGNALED(status) and seconds >= self.processor:
            return -signal.SIGXCPU  # also of who would not hear that and was killed
        return os.waitstatus_to_exitcode(status)

    def end(self) -> None:
        with suppress(OSError):
            self.leash.shutdown(socket.SHUT_WR)
        self.status(PATIENCE)
        self.await_silence()
        self.leash.close()
        if self.process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.close()
        sweep(self.scratch)

    def await_silence(self) -> None:
        """Until the keeper has gone, and with it everybody."""
        deadline = time.monotonic() + PATIENCE
        with suppress(OSError):
            while (left := deadline - time.monotonic()) > 0:
                if self.heard_within(left) and not self.leash.recv(REPORT.size):
                    return

    def heard_within(self, seconds: float) -> bool:
        """Whether there is something on the leash, if only that its other end was let go of."""
        poll = select.poll()
        poll.register(self.leash, select.POLLIN)
        return bool(poll.poll(int(1000 * seconds)))


def three_pipes() -> list[tuple[int, int]]:
    """Each as its reading and writing end; all or none."""
    made: list[tuple[int, int]] = []
    try:
        while len(made) < 3:
            made.append(os.pipe())
    except OSError:
        for descriptor in chain.from_iterable(made):
            os.close(descriptor)
        raise
    return made


def started(
    command: Sequence[str],
    environment: Mapping[str, str],
    pipes: Sequence[int],
    *kept: int,
) -> subprocess.Popen[bytes]:
    """The process, in a session of its own, with nothing of ours but these descriptors."""
    return subprocess.Popen(  # noqa: S603  (running what others wrote is what this is for)
        command,
        stdin=pipes[0],
        stdout=pipes[1],
        stderr=pipes[2],
        env=dict(environment),
        start_new_session=True,
        pass_fds=kept,
    )
