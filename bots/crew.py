"""Processes to share work with, which end when whoever started them does."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor


def crew(many: int) -> ProcessPoolExecutor:
    """A pool of that many fresh processes."""
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(many, mp_context=context, initializer=settle_in)


def settle_in() -> None:
    """Ctrl-C reaches the whole group, but only the parent speaks of it; without it, we end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """A parent that is killed cannot shut its pool down, and its workers would wait forever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
