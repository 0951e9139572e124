"""Processes to share work with, which end when whoever started them does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Final

CTRL_C: Final = (signal.SIGINT,)


class ChildProcess(SpawnProcess):
    """A fresh process that Ctrl-C cannot end before it has settled in."""

    def start(self) -> None:
        """Signals that are blocked here are blocked in the child from its first moment."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, CTRL_C)
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class ChildContext(SpawnContext):
    """Makes such processes."""

    Process = ChildProcess


CHILDREN: Final = ChildContext()


def signal_name(number: int) -> str:
    """What a signal is called; some have but a number."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def process_pool(many: int) -> ProcessPoolExecutor:
    """A pool of that many fresh processes."""
    return ProcessPoolExecutor(many, mp_context=CHILDREN, initializer=start_child)


def start_child() -> None:
    """Ctrl-C reaches the whole group, but only the parent speaks of it; without it, we end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, CTRL_C)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed cannot shut its pool down, and its workers would wait forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
