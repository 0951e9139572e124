"""Small Dask clusters on this machine: a real scheduler, and workers that can be killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from tests.support.leagues import wait_until
from tests.support.paths import ROOT


@contextmanager
def dask(
    folder: Path, log: str, *words: str, **environment: str
) -> Iterator[subprocess.Popen[str]]:
    """`dask ...` in its own process group and in that folder, killed at the end of the test."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    with (folder / log).open("w", encoding="utf-8") as captured:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=folder,
            env=variables,
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
    """A scheduler, and the folder it runs in."""

    def __init__(self, folder: Path, process: subprocess.Popen[str]) -> None:
        self.folder = folder
        self.process = process
        self.address = ""
        self.steady = 0
        """The process id of a worker that no test kills, if there is one."""
        self._count = 0

    def started(self) -> bool:
        """Whether the scheduler has printed its address."""
        captured = (self.folder / "scheduler.log").read_text(encoding="utf-8")
        self.address = captured.partition("Scheduler at:")[2].partition("\n")[0].strip()
        return bool(self.address)

    @contextmanager
    def workers(self, *environments: Mapping[str, str]) -> Iterator[list[subprocess.Popen[str]]]:
        """Workers that are registered, and are not replaced when they die."""
        words = ["worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        words += ["--local-directory", str(self.folder)]
        with ExitStack() as stack:
            processes = []
            logs = []
            for environment in environments:
                self._count += 1
                logs.append(self.folder / f"worker{self._count}.log")
                process = dask(self.folder, logs[-1].name, *words, **environment)
                processes.append(stack.enter_context(process))
            wait_until(
                lambda: all("Registered to:" in log.read_text(encoding="utf-8") for log in logs),
                "start of the workers",
            )
            yield processes


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A scheduler without workers."""
    words = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with dask(folder, "scheduler.log", *words) as process:
        started = Cluster(folder, process)
        wait_until(started.started, "start of the scheduler")
        yield started
