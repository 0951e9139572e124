"""Small leagues for tests, and a pool that plays them at home."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from arena.league.config import League, read_league
from arena.league.journal import Journal
from arena.league.outcome import Outcome
from arena.league.pool import LocalPool, Pool
from arena.league.runner import Progress, Wish, play_league
from arena.league.schedule import GameKey
from arena.league.worker import GamePlayer
from tests.support.paths import ROOT

SHORT = ["rounds=1"]
"""Options that make games short."""


def small(*bots: str, **more: object) -> League:
    """A league of short games; three bots if none are named."""
    named = list(bots) or ["random", "greedy:depth=1 as hasty", "ismcts:iterations=3 as ismcts"]
    return read_league(
        None, {"bots": named, "options": SHORT, "players": "2-3", "deals": 2, **more}
    )


class HomePool:
    """Plays games one by one, in this process, when asked for results."""

    most = 20
    """Games it takes on at once."""

    def __init__(self, league: League) -> None:
        self.player = GamePlayer(league)
        self.waiting: list[GameKey] = []

    def room(self) -> int:
        return self.most - len(self.waiting)

    def submit(self, games: Sequence[GameKey]) -> None:
        self.waiting += games

    def results(self, patience: float) -> list[Outcome]:
        # The last first: nobody may rely on the order of the schedule.
        return [self.player.play(self.waiting.pop())] if self.waiting else []

    def busy(self) -> int:
        return len(self.waiting)

    def finish(self) -> None:
        self.waiting.clear()

    def close(self) -> None:
        self.waiting.clear()


def nobody(progress: Progress) -> None:
    """Watches the progress."""


def go_on() -> Wish:
    return Wish.GO_ON


def play(path: Path, league: League, pool: Pool | None = None) -> bool:
    """Play the league into that file."""
    with Journal.write(path, league) as journal, closing(pool or HomePool(league)) as players:
        return play_league(journal, players, nobody, go_on)


def play_with(path: Path, league: League, workers: int) -> bool:
    return play(path, league, LocalPool(league, workers))


def content(path: Path) -> str:
    with Journal.read(path) as journal:
        return journal.content_digest()


@contextmanager
def command(*arguments: object, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """`arena ...` as a process group of its own, ended at the latest with the test.

    START is a script to be run instead of `python -m arena`.
    """
    start = [environment["START"]] if "START" in environment else ["-m", "arena"]
    with subprocess.Popen(
        [sys.executable, *start, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """`arena ...`, waited for."""
    with command(*arguments, **environment) as process:
        return ended(process)


def ended(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def children(pid: int) -> list[int]:
    """Processes that this one has started."""
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def workers_of(pid: int) -> list[int]:
    """Those of them that play games."""
    return [one for one in children(pid) if "spawn_main" in command_line(one)]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
