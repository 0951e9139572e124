"""The process that plays games of a league for one thread of a Dask worker.

It is a `LocalPool` of one worker, so bots have the same limits and isolation as on one machine. It
exits when the Dask worker dies or says so, or after some time without games.
"""

import logging
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from time import monotonic
from typing import Final

from arena.league.cluster.fingerprint import why_unfit
from arena.league.cluster.worker import BatchResult, WorkerSetup, read_games, read_setup
from arena.league.database import arena_version
from arena.league.outcome import Outcome
from arena.league.pool import LocalPool, PoolBroken
from arena.league.schedule import GameKey
from arena.sandbox.protections import protections

_IDLE_LIMIT: Final = 15.0
"""Seconds without games after which it exits: the league is over, or was killed."""

_POLL: Final = 0.1  # seconds between checks whether the Dask worker is gone

log = logging.getLogger(__name__)


class _Lines(logging.Handler):
    """Collects log records until they are sent home."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[tuple[int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append((record.levelno, record.getMessage()))

    def take(self) -> list[tuple[int, str]]:
        lines, self.lines = self.lines, []
        return lines


def play_batches(pipe: Connection) -> None:
    """Receive the setup, then play the games that arrive through the pipe."""
    try:
        setup = read_setup(pipe.recv())
    except (KeyError, TypeError, ValueError) as error:
        refusal = f"its arena {arena_version()} does not understand the one at home ({error})"
        pipe.send(BatchResult(refusal=refusal))
        return
    if refusal := why_unfit(setup.league, setup.home, setup.sandboxed):
        pipe.send(BatchResult(refusal=refusal))
    else:
        _play(setup, pipe)


def _play(setup: WorkerSetup, pipe: Connection) -> None:
    lines = _Lines()
    logging.getLogger("arena").addHandler(lines)
    if setup.league.isolated_names():
        missing = [layer.meaning for layer in protections() if not layer.in_force]
        if missing:
            log.warning("NOT in force: %s (see arena sandbox)", "; ".join(missing))
    with closing(LocalPool(setup.league, 1, lines, setup.hidden)) as pool:
        while pipe.poll(_IDLE_LIMIT) and (games := pipe.recv()) is not None:
            try:
                result = _play_batch(pool, read_games(games), pipe)
            except PoolBroken as error:
                result = BatchResult(refusal=str(error))
            pipe.send(result._replace(lines=lines.take()))


def _play_batch(pool: LocalPool, games: Sequence[GameKey], pipe: Connection) -> BatchResult:
    began = monotonic()
    outcomes: list[Outcome] = []
    pool.submit(games)
    while pool.busy():
        outcomes += pool.results(_POLL)
        if pipe.poll():
            raise EOFError  # the batch was cancelled
    return BatchResult(outcomes, seconds=monotonic() - began)


if __name__ == "__main__":
    with suppress(EOFError, OSError):
        play_batches(Connection(int(sys.argv[1])))
