"""Child processes that survive Ctrl-C and exit with their parent; process pools made of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Final

CTRL_C: Final = (signal.SIGINT,)

_pauses = 0


def count_pauses() -> None:
    """Count from now on how often this process is stopped and continued (SIGSTOP, Ctrl-Z)."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGCONT, _continued)


def _continued(_signal: int, _frame: object) -> None:
    global _pauses  # noqa: PLW0603  (signal handlers have no object)
    _pauses += 1


def pauses() -> int:
    """How often this process was continued; clocks went on while it was stopped."""
    return _pauses


class ChildProcess(SpawnProcess):
    """A spawned process in which SIGINT stays blocked until `start_child` has run."""

    def start(self) -> None:
        """Block SIGINT here while spawning: the child inherits the signal mask."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, CTRL_C)
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class ChildContext(SpawnContext):
    """A multiprocessing context that starts ChildProcesses."""

    Process = ChildProcess


CHILD_CONTEXT: Final = ChildContext()


def process_pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=CHILD_CONTEXT, initializer=start_child)


def start_child() -> None:
    """Ignore Ctrl-C, which reaches the whole process group, and exit when the parent does.

    What is printed here goes to stderr: stdout is for the results, which the parent prints.
    """
    with suppress(OSError):  # one of them is closed
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, CTRL_C)
    count_pauses()
    threading.Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """A parent that was killed could not shut its pool down; its workers would wait forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def signal_name(number: int) -> str:
    """The name of a signal, such as SIGKILL; some signals only have a number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
