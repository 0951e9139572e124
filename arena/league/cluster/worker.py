"""What a worker of a Dask cluster is asked to do for a league: games in, outcomes out, plain data.

Its process is not ours: threads, signals and logging are Dask's, and no bot may take it down or
keep it from answering. So it has the games played by *stations*, processes of our own
(arena/league/cluster/worker_process.py): one for each of its threads, made once for each league.
"""

from __future__ import annotations

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
from arena.league.pool import exit_words
from arena.league.schedule import GameKey
from bots.runtime.faults import MachineFault
from games.engine import ROOT

WANTED: Final = 0.5
"""Seconds after which to ask whether games are still wanted."""

LAST_WORDS: Final = 5.0
"""Seconds a station has to end by itself."""


@dataclass(frozen=True)
class Terms:
    """What home and stations of a league agree on."""

    league: League
    home: Fingerprint
    hidden: tuple[Path, ...]
    """What isolated bots must not see, should the machines share a file system."""
    sandboxed: bool
    """Whether all protections against isolated bots must be in force."""

    def write(self) -> str:
        values = {
            "league": self.league.as_json(),
            "home": asdict(self.home),
            "hidden": [str(path.absolute()) for path in self.hidden],
            "sandboxed": self.sandboxed,
        }
        return json.dumps(values)


def read_terms(text: str) -> Terms:
    said = json.loads(text)
    hidden = tuple(Path(path) for path in said["hidden"])
    home = Fingerprint(**said["home"])
    return Terms(league_from_json(said["league"]), home, hidden, said["sandboxed"])


def write_games(games: Sequence[GameKey]) -> str:
    return json.dumps(games)


def read_games(text: str) -> list[GameKey]:
    return [
        GameKey(number, players, deal, seed, tuple(seats))
        for number, players, deal, seed, seats in json.loads(text)
    ]


class Report(NamedTuple):
    """What comes back from a station."""

    outcomes: Sequence[Outcome] = ()
    lines: Sequence[tuple[int, str]] = ()
    """What was logged meanwhile: level and words."""
    seconds: float = 0.0
    """How long the games took."""
    unfit: str = ""
    """Why this machine cannot play for the league; nothing if it can."""


class WorkerProcessLost(MachineFault):
    """A station ended while games were played in it."""


class WorkerRefused(MachineFault):
    """The league has ended before its games have."""


class _WorkerProcess:
    """The worker's end of a station."""

    def __init__(self, terms: str) -> None:
        self.terms = terms
        self.at_work = False
        self.pipe, theirs = multiprocessing.Pipe()
        number = theirs.fileno()
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self.process = subprocess.Popen(  # noqa: S603  (our own module)
            [sys.executable, "-P", "-m", "arena.league.cluster.worker_process", str(number)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path},
            pass_fds=[number],
            start_new_session=True,  # Ctrl-C is for the worker; a station ends with its worker
        )
        theirs.close()
        self.pipe.send(terms)

    def play(self, games: str, wanted: Callable[[], bool]) -> Report:
        """Have games played, as long as that is wanted."""
        try:
            self.pipe.send(games)
            while not self.pipe.poll(WANTED):
                if not wanted():
                    self.end()
                    raise WorkerRefused("nobody waits for these games any more")
            report = self.pipe.recv()
        except (EOFError, OSError):
            how = exit_words(self.process.wait())
            raise WorkerProcessLost(f"the process that played for a worker ended ({how})") from None
        assert isinstance(report, Report)
        return report

    def end(self) -> None:
        self.pipe.send(None)
        try:
            self.process.wait(LAST_WORDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def serves(self, terms: str) -> bool:
        return self.terms == terms and not self.at_work


_stations: list[_WorkerProcess] = []
"""All of this worker."""
_lock = threading.Lock()


def play(terms: str, games: str) -> Report:
    """Have games played; without any, find out whether this machine may play for the league."""
    with _lock:
        _stations[:] = [one for one in _stations if one.at_work or one.process.poll() is None]
        station = next((one for one in _stations if one.serves(terms)), None)
        if station is None:
            station = _WorkerProcess(terms)
            _stations.append(station)
        station.at_work = True
    try:
        return station.play(games, _wanted)
    finally:
        station.at_work = False


def _wanted() -> bool:
    """Whether anybody still waits for what this thread does: a league may stop, or be killed."""
    from distributed import get_worker  # noqa: PLC0415  (where this is asked, it is there)

    worker = get_worker()
    task = worker.state.tasks.get(worker.get_current_task())
    return task is not None and task.state != "cancelled"
