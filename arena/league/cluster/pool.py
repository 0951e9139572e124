"""A pool of workers on other machines: sends batches of games through a Dask scheduler.

Dask assigns batches to workers, and reassigns those of dead workers. This module decides which
workers may play, how large batches are, and when to give up a game that keeps losing its workers.
"""

import json
import logging
import operator
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from time import monotonic, sleep
from typing import Any, Final
from uuid import uuid4

from distributed import Client, Future, KilledWorker, Security, as_completed

from arena.league.bot_sources import bot_digests
from arena.league.cluster.batches import Batches
from arena.league.cluster.fingerprint import fingerprint
from arena.league.cluster.worker import BatchResult, WorkerProcessLost, WorkerSetup
from arena.league.config import League
from arena.league.outcome import Outcome
from arena.league.pool import PoolBroken
from arena.league.schedule import GameKey

CONNECT: Final = 4.0  # seconds to wait for the scheduler
REFRESH_EVERY: Final = 1.0  # seconds between checks which workers have joined or left
NO_WORKER: Final = 4.0  # seconds to wait for the first worker
FIRST_CHECK: Final = 120.0
"""Seconds to wait until the first worker has been checked; it may start slowly."""

TICK: Final = 0.005  # seconds between checks for results
CLOSE_TIMEOUT: Final = 2.0  # seconds to disconnect from the scheduler
PLAY: Final = "arena.league.cluster.worker:play_batch"  # the function that workers call
RESUME: Final = "all finished games are saved, and the same command resumes"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Batch:
    """Games that were sent, and the workers that may play them."""

    games: Sequence[GameKey]
    workers: frozenset[str]


class ClusterPool:
    """The workers of a Dask cluster, which may join and leave at any time.

    Isolated bots must not see `hidden` files. With `sandboxed`, only workers with every protection
    against isolated bots may play.
    """

    def __init__(
        self, league: League, address: str, hidden: Sequence[Path] = (), sandboxed: bool = False
    ) -> None:
        self.address = address
        home = fingerprint(league.game, bot_digests(league))
        self.setup = WorkerSetup(league, home, tuple(hidden), sandboxed).write()
        self.client = connect(address)
        self.finished = as_completed(loop=self.client.loop, with_results=True, raise_errors=False)
        self.connected = self.threads()
        """All workers of the cluster, and their threads."""
        self.admitted: dict[str, int] = {}
        """The workers that may play, and their threads."""
        self.refused: dict[str, str] = {}
        """The workers that may not, and why."""
        self.checking: dict[Future, str] = {}
        """The workers that are being checked."""
        self.batches = Batches()
        self.sent: dict[Future, _Batch] = {}
        self.finishing = False
        self._began = monotonic()
        self._refreshed = self._began - REFRESH_EVERY
        self._had_workers = False

    def threads(self) -> dict[str, int]:
        """The scheduler's current workers, and their threads."""
        try:
            threads: dict[str, int] = self.client.nthreads(callback_timeout=CONNECT)
        except (OSError, TimeoutError, AttributeError, RuntimeError):
            raise self._scheduler_lost() from None
        return threads

    # ---- the interface of a pool ----------------------------------------------------------

    def room(self) -> int:
        # At least one, even without workers: with no games under way, results() is not called.
        return max(0, max(1, self._most_sent() * self.batches.size) - self.busy())

    def submit(self, games: Sequence[GameKey]) -> None:
        self.batches.waiting.extend(games)
        self._feed()

    def busy(self) -> int:
        sent = sum(len(batch.games) for batch in self.sent.values())
        return len(self.batches.waiting) + sent

    def results(self, timeout: float) -> list[Outcome]:
        outcomes = self._refresh()
        self._feed()
        for future, result in self._completed(timeout):
            if future in self.checking:
                self._admit(self.checking.pop(future), result)
            elif future in self.sent:
                outcomes += self._outcomes(self.sent.pop(future).games, result)
        self._feed()
        return outcomes

    def finish(self) -> None:
        self.finishing = True
        self.batches.waiting.clear()

    def close(self) -> None:
        self.batches.waiting.clear()
        self.sent.clear()
        self.finished.clear()
        # Workers end batches that no client waits for.
        with suppress(OSError, TimeoutError, RuntimeError, CancelledError):
            self.client.close(timeout=CLOSE_TIMEOUT)

    # ---- which workers may play -----------------------------------------------------------

    def _refresh(self) -> list[Outcome]:
        """Notice workers that joined or left; new ones are checked before they play.

        Batches with no worker left are requeued; returns the outcomes of games given up.
        """
        if self.client.status != "running":
            raise self._scheduler_lost()
        if monotonic() < self._refreshed + REFRESH_EVERY:
            return []
        self._refreshed = monotonic()
        connected = self.connected = self.threads()
        self.admitted = {name: connected[name] for name in self.admitted if name in connected}
        self.refused = {name: why for name, why in self.refused.items() if name in connected}
        known = {*self.admitted, *self.refused, *self.checking.values()}
        for name in connected.keys() - known:
            self.checking[self._send((), [name])] = name
        for future in [one for one, name in self.checking.items() if name not in connected]:
            del self.checking[future]
            future.release()
        self._check_workers(len(connected))
        outcomes: list[Outcome] = []
        for future, batch in list(self.sent.items()):
            if not batch.workers & connected.keys():
                future.release()
                del self.sent[future]
                outcomes += self._lost(batch.games, 1, "no worker is left")
        return outcomes

    def _admit(self, worker: str, result: BatchResult | Exception) -> None:
        """Let a worker play after its check, or log why it may not."""
        why = result.refusal if isinstance(result, BatchResult) else error_text(result)
        if why:
            self.refused[worker] = why
            log.warning("%s is not used: %s", worker, why)
            return
        assert isinstance(result, BatchResult)
        self.admitted[worker] = self.connected[worker]
        self._had_workers = True
        log_lines(result, f"{worker}: ")

    def _check_workers(self, connected: int) -> None:
        """PoolBroken if no worker can play; once one has played, only warn and wait."""
        if self.admitted:
            return
        if self._had_workers:
            self._had_workers = False
            self._began = float("inf")
            log.warning("no worker is left at %s; waiting for one", self.address)
        waited = monotonic() - self._began
        if not connected and waited > NO_WORKER:
            raise PoolBroken(
                f"the scheduler at {self.address} has no workers; "
                f"start one on each machine: dask worker {self.address}"
            )
        if connected and waited > 0 and len(self.refused) == connected:
            reasons = "; ".join(f"{worker}: {why}" for worker, why in self.refused.items())
            raise PoolBroken(f"no worker at {self.address} can play this league: {reasons}")
        if waited > FIRST_CHECK:
            raise PoolBroken(f"no worker at {self.address} has answered in {FIRST_CHECK:.0f} s")

    def _scheduler_lost(self) -> PoolBroken:
        return PoolBroken(f"the scheduler at {self.address} is gone; {RESUME} when it is back")

    # ---- sending batches --------------------------------------------------------------------

    def _most_sent(self) -> int:
        """One batch for each thread, and if batches are short, another one to follow it."""
        return sum(self.admitted.values()) * (2 if self.batches.size > 1 else 1)

    def _feed(self) -> None:
        while self.batches.waiting and len(self.sent) < self._most_sent():
            games = self.batches.next()
            workers = frozenset(self.admitted)
            self.sent[self._send(games, workers)] = _Batch(games, workers)

    def _send(self, games: Sequence[GameKey], workers: Iterable[str]) -> Future:
        # The function is sent by name: a scheduler need not have the arena installed, and a worker
        # without it would close down over a function it cannot import. So only the task fails.
        task = (operator.call, (resolve_name, PLAY), self.setup, json.dumps(games))
        key = f"games-{uuid4()}"
        future = self.client.get({key: task}, key, workers=list(workers), sync=False)
        self.finished.add(future)
        return future

    def _completed(self, timeout: float) -> Iterator[tuple[Future, BatchResult | Exception]]:
        """The tasks that have completed; waits up to `timeout` seconds for the first."""
        until = monotonic() + timeout
        while not self.finished.has_ready() and monotonic() < until:
            sleep(TICK)
        for future, result in self.finished.next_batch(block=False):
            if future.status == "finished":
                yield future, result
            elif future.status == "error":
                yield future, result[1]
            elif future in self.sent:
                yield future, ConnectionError("lost the connection to the scheduler")
            else:
                self.checking.pop(future, None)  # checked again if the worker comes back

    # ---- results ----------------------------------------------------------------------------

    def _outcomes(self, games: Sequence[GameKey], result: BatchResult | Exception) -> list[Outcome]:
        """The outcomes of a batch; a batch that was lost is played again."""
        if isinstance(result, KilledWorker):
            return self._lost(games, result.allowed_failures + 1, "workers of the cluster died")
        if isinstance(result, Exception):
            return self._lost(games, 1, error_text(result))
        log_lines(result)
        if result.refusal:
            raise PoolBroken(f"a worker at {self.address} failed: {result.refusal}; {RESUME}")
        self.batches.adapt_size(len(result.outcomes), result.seconds)
        return list(result.outcomes)

    def _lost(self, games: Sequence[GameKey], deaths: int, how: str) -> list[Outcome]:
        crashed = None if self.finishing else self.batches.lost(games, deaths, how)
        return [] if crashed is None else [crashed]


def connect(address: str) -> Any:
    if not re.fullmatch(r"(tcp|tls)://[^\s/]+:\d+", address):
        raise PoolBroken(f"{address!r} is not a scheduler's address; write it like tcp://HOST:8786")
    if address.startswith("tls:") and not Security().get_connection_args("client")["ssl_context"]:
        raise PoolBroken(f"{address} needs certificates; set distributed.comm.tls in Dask's config")
    _silence_dask()
    try:
        return Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError):
        raise PoolBroken(
            f"there is no scheduler at {address}; start one with `dask scheduler`, "
            f"which prints its address"
        ) from None


def _silence_dask() -> None:
    """Errors are reported by us in one sentence, not by Dask in forty lines."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in {"distributed", "tornado"}:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    warnings.filterwarnings("ignore", module=r"distributed\b")


def log_lines(result: BatchResult, prefix: str = "") -> None:
    """Log what was logged on the worker, at the same levels."""
    for level, line in result.lines:
        log.handle(log.makeRecord(log.name, level, "", 0, prefix + line, (), None))


def error_text(error: Exception) -> str:
    """Why a worker could not play a batch."""
    if isinstance(error, ModuleNotFoundError):
        return f"its arena is missing or of another version (no module {error.name!r})"
    if isinstance(error, WorkerProcessLost):
        return str(error)
    return f"{type(error).__name__}: {error}"
