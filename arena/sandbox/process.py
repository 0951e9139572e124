"""Starts bot processes with three pipes, and kills them with everything they have started."""

from __future__ import annotations

import errno
import json
import os
import select
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import chain
from typing import Final

from arena.sandbox.cgroup import out_of_memory, remove_group
from arena.sandbox.fork_server import fork_server
from arena.sandbox.policy import BOT_MODE, SandboxPolicy
from arena.sandbox.scratch import new_scratch, remove_scratch
from arena.sandbox.supervisor import (
    EXIT_REPORT,
    NOT_KILLED,
    TOO_MUCH_MEMORY,
    TOO_MUCH_TIME,
)
from bots.runtime.faults import BotFailure, FaultKind

EXIT_TIMEOUT: Final = 1.0
"""Seconds to wait for a process that is about to exit."""

SHORTAGES: Final = (errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM)
"""Errors of the machine, for which no program is to blame."""

_MOST_REPORT: Final = 1 << 16
_KILLED_FOR: Final = {
    TOO_MUCH_MEMORY: (FaultKind.MEMORY, "used more memory than it may have"),
    TOO_MUCH_TIME: (FaultKind.TIME, "used up its CPU time for the game"),
}


class ProcessHandle(ABC):
    """A process, and our ends of its three pipes."""

    def __init__(self) -> None:
        (child_in, self.stdin), (self.stdout, child_out), (self.stderr, child_err) = _three_pipes()
        self.child_ends: tuple[int, ...] = (child_in, child_out, child_err)
        self.peak_memory = 0
        """Bytes; 0 if unknown."""
        self.killed_for: tuple[FaultKind, str] | None = None
        """Why we have killed it: the kind of fault, and the problem; known at its end."""
        self.refused: dict[str, int] = {}
        """System calls that were refused to a confined process, and how often; known at its end."""

    def close_child_ends(self) -> None:
        for descriptor in self.child_ends:
            os.close(descriptor)
        self.child_ends = ()

    def close_stdin(self) -> None:
        """Signal the end of input."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def close_pipes(self) -> None:
        """Close every end that is still open."""
        self.close_stdin()
        for descriptor in (self.stdout, self.stderr):
            os.close(descriptor)
        # The numbers may soon be reused, and must not be read from by mistake.
        self.stdout = self.stderr = -1
        self.close_child_ends()

    @abstractmethod
    def exit_status(self, seconds: float) -> int | None:
        """The exit code, or minus the signal; None if it still runs after that many seconds."""

    @abstractmethod
    def kill(self) -> None:
        """Kill it with all it has started, in whatever state they are, and close everything."""


class PlainProcess(ProcessHandle):
    """A process with the user's own rights, in its own session."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        super().__init__()
        try:
            self.process = _start(command, environment, self.child_ends)
        except (OSError, ValueError) as error:
            self.close_pipes()
            if isinstance(error, OSError) and error.errno in SHORTAGES:
                raise
            problem = f"{command[0]!r} cannot be run: {error}"
            raise BotFailure(FaultKind.START, problem) from None
        self.close_child_ends()

    def exit_status(self, seconds: float) -> int | None:
        # Not reaped yet: its PID must not be reused before its group has been killed.
        deadline = time.monotonic() + seconds
        options = os.WEXITED | os.WNOWAIT | os.WNOHANG
        while (ended := os.waitid(os.P_PID, self.process.pid, options)) is None:
            if time.monotonic() >= deadline:
                return None
            time.sleep(0.002)
        return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status

    def kill(self) -> None:
        _kill_group(self.process)
        self.close_pipes()


class ConfinedProcess(ProcessHandle):
    """A sandboxed process, steered through a control socket: see arena/sandbox/confine.py."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], policy: SandboxPolicy
    ) -> None:
        super().__init__()
        self.report = b""
        self.cpu_seconds = policy.cpu_seconds
        self.group = ""
        self.process: subprocess.Popen[bytes] | None = None
        with ExitStack() as undo:
            undo.callback(self.close_pipes)
            self.scratch = new_scratch()
            undo.callback(remove_scratch, self.scratch)
            self.control, child_end = socket.socketpair()
            undo.callback(self.control.close)
            with child_end:
                control = child_end.fileno()
                restrictions = policy.restrictions(command, self.scratch)
                self.group = str(restrictions["group"])
                undo.callback(remove_group, self.group)
                own = {"HOME": self.scratch, "TMPDIR": self.scratch}
                if _can_fork(command, environment, policy):
                    order = {"arguments": command[1:], "restrictions": restrictions}
                    server, descriptors = fork_server(environment), [*self.child_ends, control]
                    server.fork_bot({**order, "environment": own}, descriptors)
                else:
                    with policy.command_line(command, restrictions, control) as line:
                        everything = {**environment, **own}
                        self.process = _start(line.words, everything, self.child_ends, *line.passed)
            undo.pop_all()  # it started, so nothing is undone
        self.close_child_ends()

    def exit_status(self, seconds: float) -> int | None:
        if not self.report:
            if not self._control_ready(seconds):
                return None
            with suppress(ConnectionError):
                self.report = self.control.recv(_MOST_REPORT)
            # Empty if the supervisor itself was killed.
            self.report = self.report or EXIT_REPORT.pack(signal.SIGKILL, 0, 0.0, NOT_KILLED)
        status, kilobytes, cpu_seconds, why = EXIT_REPORT.unpack(self.report[: EXIT_REPORT.size])
        self.peak_memory = 1024 * kilobytes
        self.refused = json.loads(self.report[EXIT_REPORT.size :] or b"{}")
        if why == NOT_KILLED and os.WIFSIGNALED(status):
            if cpu_seconds >= self.cpu_seconds:
                why = TOO_MUCH_TIME  # by SIGXCPU, or by SIGKILL if it ignored that
            elif self.group and out_of_memory(self.group):
                why = TOO_MUCH_MEMORY
        self.killed_for = _KILLED_FOR.get(why)
        return os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        with suppress(OSError):
            self.control.shutdown(socket.SHUT_WR)
        self.exit_status(EXIT_TIMEOUT)
        self._await_supervisor()
        self.control.close()
        if self.process is not None:
            _kill_group(self.process)
        self.close_pipes()
        remove_group(self.group)
        remove_scratch(self.scratch)

    def _await_supervisor(self) -> None:
        """Wait until the supervisor has exited, which is the last process to do so."""
        deadline = time.monotonic() + EXIT_TIMEOUT
        with suppress(OSError):
            while (left := deadline - time.monotonic()) > 0:
                if self._control_ready(left) and not self.control.recv(EXIT_REPORT.size):
                    return

    def _control_ready(self, seconds: float) -> bool:
        """Whether the control socket has data, or was closed at the other end."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        return bool(poll.poll(int(1000 * seconds)))


def _can_fork(
    command: Sequence[str], environment: Mapping[str, str], policy: SandboxPolicy
) -> bool:
    """Whether the fork server can start it, which is faster."""
    python_bot = command[0] == BOT_MODE and environment["PYTHONHASHSEED"] == "0"
    return python_bot and policy.namespaces != "bubblewrap"


def _three_pipes() -> list[tuple[int, int]]:
    """Three (read end, write end); all or none."""
    pipes: list[tuple[int, int]] = []
    try:
        while len(pipes) < 3:
            pipes.append(os.pipe())
    except OSError:
        for descriptor in chain.from_iterable(pipes):
            os.close(descriptor)
        raise
    return pipes


def _start(
    command: Sequence[str],
    environment: Mapping[str, str],
    pipes: Sequence[int],
    *descriptors: int,
) -> subprocess.Popen[bytes]:
    """Start a process in its own session that inherits only these descriptors."""
    return subprocess.Popen(  # noqa: S603  (running other people's programs is the point)
        command,
        stdin=pipes[0],
        stdout=pipes[1],
        stderr=pipes[2],
        env=dict(environment),
        start_new_session=True,
        pass_fds=descriptors,
    )


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
