"""Worker processes that can be started from any script.

Python's spawned processes import the main script again, so a script without an
`if __name__ == "__main__"` guard would start itself over and over. Our workers need nothing from
it and skip that import, which also makes them start faster.
"""

import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
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
_Task = TypeVar("_Task")


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[_P, _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        with _deferred(signal.SIGINT), _deferred(signal.SIGTERM):
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _deferred(number: signal.Signals) -> Iterator[None]:
    """A Ctrl-C inside `submit` would leave the pool's lock held, and its shutdown waiting."""
    before = signal.getsignal(number)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    received: list[FrameType | None] = []
    signal.signal(number, lambda _number, frame: received.append(frame))
    try:
        yield
    finally:
        signal.signal(number, before)
        if received:
            before(number, received[0])


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


AHEAD: Final = 64
"""Tasks queued at the workers."""


def results_in_order(
    pool: Executor | None,
    work: Callable[[_Task], _T],
    tasks: Iterable[_Task],
    ahead: int = AHEAD,
) -> Iterator[_T]:
    """The results in the order of the tasks; BrokenProcessPool if a worker was killed."""
    if pool is None:
        yield from map(work, tasks)
        return
    left = iter(tasks)
    queue: deque[Future[_T]] = deque()
    try:
        while True:
            for task in islice(left, ahead - len(queue)):
                queue.append(pool.submit(work, task))
            if not queue:
                return
            yield queue.popleft().result()
    except BrokenProcessPool:
        wait(queue)  # shutting the pool down while it is cancelling these makes it hang
        raise
