"""The task that Dask workers run for a league: game keys in, outcomes out, all plain data.

A Dask worker's threads, signals and logging belong to Dask, and no bot may crash or block it. So it
has games played in separate worker processes (arena/league/cluster/worker_process.py), one for each
of its threads, which are kept for the whole league.
"""

import json
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NamedTuple

from arena.league.cluster.fingerprint import Fingerprint
from arena.league.config import League, league_from_json
from arena.league.outcome import Outcome
from arena.league.pool import exit_text
from arena.league.schedule import GameKey
from bots.runtime.faults import MachineFault
from games.engine import ROOT

CHECK_EVERY: Final = 0.5  # seconds between checks whether the batch was cancelled
PROCESS_EXIT_TIMEOUT: Final = 5.0  # seconds a worker process has to exit before it is killed


@dataclass(frozen=True)
class WorkerSetup:
    """Everything a worker process needs to know before it plays games of a league."""

    league: League
    home: Fingerprint
    hidden: tuple[Path, ...]
    """Files that isolated bots must not see, in case the machines share a file system."""
    sandboxed: bool
    """Whether all protections against isolated bots must be in force."""

    def write(self) -> str:
        hidden = [str(path.absolute()) for path in self.hidden]
        plain = {"league": self.league.as_json(), "home": asdict(self.home), "hidden": hidden}
        return json.dumps({**plain, "sandboxed": self.sandboxed})


def read_setup(text: str) -> WorkerSetup:
    values = json.loads(text)
    league, home = league_from_json(values["league"]), Fingerprint(**values["home"])
    return WorkerSetup(league, home, tuple(map(Path, values["hidden"])), values["sandboxed"])


def read_games(text: str) -> list[GameKey]:
    return [GameKey._make((*key[:4], tuple(key[4]))) for key in json.loads(text)]


class BatchResult(NamedTuple):
    """What a worker process sends back for a batch."""

    outcomes: Sequence[Outcome] = ()
    lines: Sequence[tuple[int, str]] = ()
    """What was logged while playing: level and message."""
    seconds: float = 0.0
    """How long the games took."""
    refusal: str = ""
    """Why this machine cannot play games of the league; empty if it can."""


class WorkerProcessLost(MachineFault):
    """A worker process died while it was playing."""


class BatchCancelled(MachineFault):
    """The league ended before the batch did."""


class _WorkerProcess:
    """A worker process, seen from the Dask worker that started it."""

    def __init__(self, setup: str) -> None:
        self.setup = setup
        self.busy = False
        self.pipe, theirs = multiprocessing.Pipe()
        number = theirs.fileno()
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(  # noqa: S603  (our own module)
            [sys.executable, "-P", "-m", "arena.league.cluster.worker_process", str(number)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            pass_fds=[number],
            start_new_session=True,  # Ctrl-C ends the Dask worker, and this process ends with it
        )
        theirs.close()
        self.pipe.send(setup)

    def play(self, games: str, wanted: Callable[[], bool]) -> BatchResult:
        """Have games played, unless the batch is cancelled."""
        try:
            self.pipe.send(games)
            while not self.pipe.poll(CHECK_EVERY):
                if not wanted():
                    self.end()
                    raise BatchCancelled("the league has ended")
            result = self.pipe.recv()
        except (EOFError, OSError):
            how = exit_text(self.process.wait())
            raise WorkerProcessLost(f"a worker's process died ({how})") from None
        assert isinstance(result, BatchResult)
        return result

    def end(self) -> None:
        self.pipe.send(None)
        try:
            self.process.wait(PROCESS_EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


_processes: list[_WorkerProcess] = []
"""The worker processes of this Dask worker."""
_lock = threading.Lock()


def play_batch(setup: str, games: str) -> BatchResult:
    """Have games played; an empty batch checks whether this machine may play for the league."""
    with _lock:
        _processes[:] = [each for each in _processes if each.busy or each.process.poll() is None]
        free = (each for each in _processes if each.setup == setup and not each.busy)
        process = next(free, None)
        if process is None:
            process = _WorkerProcess(setup)
            _processes.append(process)
        process.busy = True
    try:
        return process.play(games, _wanted)
    finally:
        process.busy = False


def _wanted() -> bool:
    """Whether the batch of this thread is still wanted: the league may have stopped or died."""
    from distributed import get_worker  # noqa: PLC0415  (installed wherever this runs)

    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state != "cancelled"
