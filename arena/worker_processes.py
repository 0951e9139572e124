"""Worker processes that can be started from any script.

Python's spawned processes import the main script again, so a script without an
`if __name__ == "__main__"` guard would start itself over and over. Our workers need nothing from
it and skip that import, which also makes them start faster.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any, Final, ParamSpec, TypeVar

from bots.runtime.processes import ChildContext, ChildProcess, start_child


class _Process(ChildProcess):
    def start(self) -> None:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            super().start()
        finally:
            sys.modules["__main__"] = main


class _Context(ChildContext):
    Process = _Process


_P = ParamSpec("_P")
_T = TypeVar("_T")


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[_P, _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        with _ctrl_c_deferred():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _ctrl_c_deferred() -> Iterator[None]:
    """A Ctrl-C inside `submit` would leave the pool's lock held, and its shutdown waiting."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    pressed: list[FrameType | None] = []
    signal.signal(signal.SIGINT, lambda _number, frame: pressed.append(frame))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            before(signal.SIGINT, pressed[0])


WORKERS: Final = _Context()  # the multiprocessing context of all workers


@contextmanager
def worker_pool(count: int, context: ChildContext = WORKERS) -> Iterator[Executor | None]:
    """A pool of that many processes; None for one worker, which is this process.

    A script that has its own functions called by workers passes CHILD_CONTEXT of
    `bots.runtime.processes`.
    """
    if count == 1:
        yield None
        return
    pool = _Pool(count, mp_context=context, initializer=start_child)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
