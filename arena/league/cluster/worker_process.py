"""A station: plays games of a league for a worker of a cluster, in a process of its own.

It is a `LocalPool` of one worker, so bots are watched, judged and isolated as they are at home. It
ends when its worker does or says so, or when nobody has asked for games in a while.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from time import monotonic
from typing import Final

from arena.league.cluster.fingerprint import misfit
from arena.league.cluster.worker import Report, Terms, read_games, read_terms
from arena.league.config import League
from arena.league.database import arena_version
from arena.league.outcome import Outcome
from arena.league.pool import LocalPool, PoolBroken
from arena.league.schedule import GameKey
from arena.sandbox.policy import protections

IDLE: Final = 15.0
"""Seconds without games after which it ends: the league is over, or has been killed."""

PATIENCE: Final = 0.1
"""Seconds until it notices that its worker is gone."""

log = logging.getLogger(__name__)


class _Lines(logging.Handler):
    """Log lines, kept until they are sent home."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.kept: list[tuple[int, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append((record.levelno, record.getMessage()))

    def take(self) -> list[tuple[int, str]]:
        taken, self.kept = self.kept, []
        return taken


def serve(pipe: Connection) -> None:
    """Play whatever games come through the pipe, on the terms that come first."""
    try:
        terms = read_terms(pipe.recv())
    except (KeyError, TypeError, ValueError) as error:
        unfit = f"it does not understand home's terms with its arena {arena_version()} ({error})"
        pipe.send(Report(unfit=unfit))
        return
    if unfit := misfit(terms.league, terms.home, terms.sandboxed):
        pipe.send(Report(unfit=unfit))
    else:
        _play(terms, pipe)


def _play(terms: Terms, pipe: Connection) -> None:
    lines = _Lines()
    logging.getLogger("arena").addHandler(lines)
    _warn(terms.league)
    with closing(LocalPool(terms.league, 1, lines, terms.hidden)) as pool:
        while pipe.poll(IDLE) and (games := pipe.recv()) is not None:
            try:
                report = _played(pool, read_games(games), pipe)
            except PoolBroken as error:
                report = Report(unfit=str(error))
            pipe.send(report._replace(lines=lines.take()))


def _warn(league: League) -> None:
    """Say what isolated bots are not kept from here."""
    if any(league.isolated(one.bot) for one in league.bots):
        missing = [one.meaning for one in protections() if not one.in_force]
        if missing:
            log.warning("NOT in force: %s (see arena sandbox)", "; ".join(missing))


def _played(pool: LocalPool, games: Sequence[GameKey], pipe: Connection) -> Report:
    began = monotonic()
    outcomes: list[Outcome] = []
    pool.submit(games)
    while pool.busy():
        outcomes += pool.results(PATIENCE)
        if pipe.poll():
            raise EOFError  # nobody waits for the answer any more
    return Report(outcomes, seconds=monotonic() - began)


if __name__ == "__main__":
    with suppress(EOFError, OSError):
        serve(Connection(int(sys.argv[1])))
