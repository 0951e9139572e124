"""Small clusters on this machine: a real scheduler of Dask, and workers that can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from tests.support.paths import ROOT

PATIENCE = 60.0
"""Seconds in which anything here happens, or never."""


def wait_until(happens: Callable[[], object], what: str) -> None:
    until = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < until, f"{what} has not happened in {PATIENCE:.0f} s"
        time.sleep(0.02)


@contextmanager
def dask(
    folder: Path, log: str, *words: str, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """`dask ...` as a process group of its own in that folder; nothing of it outlives the test."""
    known = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    with (folder / log).open("w", encoding="utf-8") as captured:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=folder,
            env=known,
            stdout=captured,
            stderr=captured,
            text=True,
            start_new_session=True,
        )
        with process:
            try:
                yield process
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)


class Cluster:
    """A scheduler, and the folder in which everything of it runs."""

    def __init__(self, folder: Path, process: subprocess.Popen[str]) -> None:
        self.folder = folder
        self.process = process
        self.address = ""
        self.steady = 0
        """The process of a worker that stays, if there is one."""
        self._made = 0

    def begun(self) -> bool:
        """Whether it has said where it listens."""
        captured = (self.folder / "scheduler.log").read_text(encoding="utf-8")
        self.address = captured.partition("Scheduler at:")[2].partition("\n")[0].strip()
        return bool(self.address)

    @contextmanager
    def workers(self, *environments: Mapping[str, str]) -> Iterator[list[subprocess.Popen[str]]]:
        """Workers that are there, and are not replaced when they die."""
        words = ["worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        words += ["--local-directory", str(self.folder)]
        with ExitStack() as stack:
            found = []
            logs = []
            for environment in environments:
                self._made += 1
                logs.append(self.folder / f"worker{self._made}.log")
                process = dask(self.folder, logs[-1].name, *words, **environment)
                found.append(stack.enter_context(process))
            for log in logs:
                wait_until(partial(says, log, "Registered to:"), "a worker")
            yield found


def says(log: Path, words: str) -> bool:
    return words in log.read_text(encoding="utf-8")


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    words = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with dask(folder, "scheduler.log", *words) as process:
        found = Cluster(folder, process)
        wait_until(found.begun, "a scheduler")
        yield found


def offspring(pid: int) -> list[int]:
    """Processes that any of its threads has started."""
    with suppress(OSError):
        found = [one.read_text() for one in Path(f"/proc/{pid}/task").glob("*/children")]
        return [int(child) for line in found for child in line.split()]
    return []
