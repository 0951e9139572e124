"""Worker processes that can be started from any script.

Python's spawned processes import the main script again, so a script without an
`if __name__ == "__main__"` guard would start itself over and over. Our workers need nothing from
it and skip that import, which also makes them start faster.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from types import ModuleType
from typing import Final

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
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=start_child)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
