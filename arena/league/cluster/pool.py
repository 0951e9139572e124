"""A pool of workers on other machines: batches of games through a scheduler of Dask distributed.

Dask decides which worker plays a batch, and has those of a dead worker played by another. Here at
home is decided who may play at all, how large a batch is, and when a game has cost too much.
"""

from __future__ import annotations

import logging
import operator
import re
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from time import monotonic, sleep
from typing import Any, Final
from uuid import uuid4

from distributed import Client, Future, KilledWorker, Security, as_completed

from arena.league.cluster.batches import Batches
from arena.league.cluster.fingerprint import papers_of
from arena.league.cluster.worker import Report, Terms, WorkerProcessLost, write_games
from arena.league.config import League
from arena.league.outcome import Outcome
from arena.league.pool import PoolBroken
from arena.league.schedule import GameKey

CONNECT: Final = 4.0
"""Seconds to wait for the scheduler."""

MUSTER: Final = 1.0
"""Seconds after which to look again who has come and gone."""

NO_WORKER: Final = 4.0
"""Seconds to wait for the first worker."""

EXAMINATION: Final = 120.0
"""Seconds to wait until the first worker is known to be fit: it may be slow to begin."""

TICK: Final = 0.005
"""Seconds between two looks for results."""

LAST_WORDS: Final = 2.0
"""Seconds for saying goodbye."""

PLAY: Final = "arena.league.cluster.worker:play"
"""What workers are asked to do."""

GO_ON: Final = "every finished game is kept, and the same command goes on"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Batch:
    """Games under way, and the workers that may play them."""

    games: Sequence[GameKey]
    process_pool: frozenset[str]


class ClusterPool:
    """The workers of a Dask cluster, as many as there are at any time.

    `hidden` is what isolated bots must not see; if `sandboxed`, only machines take part that can
    keep such bots in.
    """

    def __init__(
        self, league: League, address: str, hidden: Sequence[Path] = (), sandboxed: bool = False
    ) -> None:
        self.address = address
        self.terms = Terms(league, papers_of(league), tuple(hidden), sandboxed).write()
        self.client = connect(address)
        self.finished = as_completed(loop=self.client.loop, with_results=True, raise_errors=False)
        self.there = self.threads()
        """Workers of the cluster, and their threads."""
        self.process_pool: dict[str, int] = {}
        """Those that may play."""
        self.refused: dict[str, str] = {}
        """Those that may not, and why."""
        self.examined: dict[Future, str] = {}
        """Those of which it is being found out."""
        self.batches = Batches()
        self.sent: dict[Future, _Batch] = {}
        self.finishing = False
        self._began = monotonic()
        self._mustered = self._began - MUSTER
        self._manned = False

    def threads(self) -> dict[str, int]:
        """The workers that the scheduler has at the moment, and their threads."""
        try:
            found: dict[str, int] = self.client.nthreads(callback_timeout=CONNECT)
        except (OSError, TimeoutError, AttributeError, RuntimeError):
            raise self._gone() from None
        return found

    # ---- what a league asks of a pool -----------------------------------------------------

    def room(self) -> int:
        # At least one, even before anybody is there: without games nobody asks for results.
        return max(0, max(1, self._most_sent() * self.batches.size) - self.busy())

    def submit(self, games: Sequence[GameKey]) -> None:
        self.batches.waiting.extend(games)
        self._feed()

    def busy(self) -> int:
        sent = sum(len(batch.games) for batch in self.sent.values())
        return len(self.batches.waiting) + sent

    def results(self, patience: float) -> list[Outcome]:
        found = self._muster()
        self._feed()
        for future, report in self._heard(patience):
            if future in self.examined:
                self._admit(self.examined.pop(future), report)
            elif future in self.sent:
                found += self._judged(self.sent.pop(future).games, report)
        self._feed()
        return found

    def finish(self) -> None:
        self.finishing = True
        self.batches.waiting.clear()

    def close(self) -> None:
        self.batches.waiting.clear()
        self.sent.clear()
        self.finished.clear()
        # What nobody waits for any more is ended by the workers.
        with suppress(OSError, TimeoutError, RuntimeError, CancelledError):
            self.client.close(timeout=LAST_WORDS)

    # ---- who may play ---------------------------------------------------------------------

    def _muster(self) -> list[Outcome]:
        """See who has come and who is gone; newcomers are examined before they play.

        Batches that nobody is left to play are taken back; returned is what that makes of them.
        """
        if self.client.status != "running":
            raise self._gone()
        if monotonic() < self._mustered + MUSTER:
            return []
        self._mustered = monotonic()
        there = self.there = self.threads()
        self.process_pool = {
            worker: there[worker] for worker in self.process_pool if worker in there
        }
        self.refused = {worker: why for worker, why in self.refused.items() if worker in there}
        for worker in there.keys() - {*self.process_pool, *self.refused, *self.examined.values()}:
            self.examined[self._send((), [worker])] = worker
        for future in [one for one, worker in self.examined.items() if worker not in there]:
            del self.examined[future]
            future.release()
        self._check_manned(len(there))
        found: list[Outcome] = []
        for future in [
            one for one, batch in self.sent.items() if not batch.process_pool & there.keys()
        ]:
            future.release()
            found += self._lost(self.sent.pop(future).games, 1, "no worker is left")
        return found

    def _admit(self, worker: str, report: Report | Exception) -> None:
        """Let a worker play that has been examined, or say why it may not."""
        why = report.unfit if isinstance(report, Report) else words_of(report)
        if why:
            self.refused[worker] = why
            log.warning("%s is not used: %s", worker, why)
            return
        assert isinstance(report, Report)
        self.process_pool[worker] = self.there[worker]
        self._manned = True
        say(report, f"{worker}: ")

    def _check_manned(self, there: int) -> None:
        """PoolBroken unless somebody plays, or may soon; later it is only said, and waited for."""
        if self.process_pool:
            return
        if self._manned:
            self._manned = False
            self._began = float("inf")
            log.warning("no worker is left at %s; waiting for one", self.address)
        waited = monotonic() - self._began
        if not there and waited > NO_WORKER:
            raise PoolBroken(
                f"the scheduler at {self.address} has no workers; "
                f"start one on each machine: dask worker {self.address}"
            )
        if there and waited > 0 and len(self.refused) == there:
            reasons = "; ".join(f"{worker}: {why}" for worker, why in self.refused.items())
            raise PoolBroken(f"no worker at {self.address} can play this league: {reasons}")
        if waited > EXAMINATION:
            raise PoolBroken(f"no worker at {self.address} has answered in {EXAMINATION:.0f} s")

    def _gone(self) -> PoolBroken:
        return PoolBroken(f"the scheduler at {self.address} is gone; {GO_ON} when it is back")

    # ---- keeping them busy ------------------------------------------------------------------

    def _most_sent(self) -> int:
        """A batch for each thread and, if they are short, one that it finds ready after it."""
        return sum(self.process_pool.values()) * (2 if self.batches.size > 1 else 1)

    def _feed(self) -> None:
        while self.batches.waiting and len(self.sent) < self._most_sent():
            games = self.batches.next()
            process_pool = frozenset(self.process_pool)
            self.sent[self._send(games, process_pool)] = _Batch(games, process_pool)

    def _send(
        self, games: Sequence[GameKey], process_pool: Sequence[str] | frozenset[str]
    ) -> Future:
        # By name: a scheduler need not know the arena, and a worker that does not would close down
        # over a function it cannot import. So it fails only when it looks for it.
        task = (operator.call, (resolve_name, PLAY), self.terms, write_games(games))
        key = f"games-{uuid4()}"
        future = self.client.get({key: task}, key, workers=list(process_pool), sync=False)
        self.finished.add(future)
        return future

    def _heard(self, patience: float) -> Iterator[tuple[Future, Report | Exception]]:
        """What has come back; waits so many seconds for the first."""
        until = monotonic() + patience
        while not self.finished.has_ready() and monotonic() < until:
            sleep(TICK)
        for future, result in self.finished.next_batch(block=False):
            if future.status == "finished":
                yield future, result
            elif future.status == "error":
                yield future, result[1]
            elif future in self.sent:
                yield future, ConnectionError("the scheduler was away")
            else:
                self.examined.pop(future, None)  # to be examined anew, if anybody is there

    # ---- what has come of it ----------------------------------------------------------------

    def _judged(self, games: Sequence[GameKey], report: Report | Exception) -> list[Outcome]:
        """The outcomes of a batch; if there are none, it is played again."""
        if isinstance(report, KilledWorker):
            return self._lost(games, report.allowed_failures + 1, "workers of the cluster ended")
        if isinstance(report, Exception):
            return self._lost(games, 1, words_of(report))
        say(report)
        if report.unfit:
            raise PoolBroken(f"a worker at {self.address} cannot go on: {report.unfit}; {GO_ON}")
        self.batches.pace(len(report.outcomes), report.seconds)
        return list(report.outcomes)

    def _lost(self, games: Sequence[GameKey], deaths: int, how: str) -> list[Outcome]:
        broken = None if self.finishing else self.batches.lost(games, deaths, how)
        return [] if broken is None else [broken]


def connect(address: str) -> Any:
    """A client of the scheduler there."""
    if not re.fullmatch(r"(tcp|tls)://[^\s/]+:\d+", address):
        raise PoolBroken(f"a scheduler's address is like tcp://HOST:8786, not {address!r}")
    if address.startswith("tls:") and not Security().get_connection_args("client")["ssl_context"]:
        raise PoolBroken(f"{address} needs certificates: set distributed.comm.tls of Dask's config")
    _hush()
    try:
        return Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError):
        raise PoolBroken(
            f"there is no scheduler at {address}: start one with `dask scheduler`, "
            f"which prints its address"
        ) from None


def _hush() -> None:
    """What goes wrong is said by us, in one sentence, and not by Dask in forty lines."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in {"distributed", "tornado"}:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module=r"distributed\b")


def say(report: Report, whose: str = "") -> None:
    """Log what was logged on the worker, on every level on which workers at home are heard."""
    for level, line in report.lines:
        log.handle(log.makeRecord(log.name, level, "", 0, whose + line, (), None))


def words_of(error: Exception) -> str:
    """In words, why a worker could not even begin."""
    if isinstance(error, ModuleNotFoundError):
        return f"its arena is missing, or another version (no module {error.name!r})"
    return (
        str(error) if isinstance(error, WorkerProcessLost) else f"{type(error).__name__}: {error}"
    )
