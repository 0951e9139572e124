"""Small leagues for tests, a pool that plays in this process, and `arena` as a subprocess."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from arena.league.config import League, read_league
from arena.league.journal import Journal
from arena.league.outcome import Outcome
from arena.league.pool import LocalPool, Pool
from arena.league.runner import LeagueProgress, StopRequest, play_league
from arena.league.schedule import GameKey
from arena.league.worker import GameRunner
from tests.support.paths import ROOT

SHORT = ["rounds=1"]
"""Options that make games short."""


def small(*bots: str, **more: object) -> League:
    """A league of short games; three bots if none are named."""
    named = list(bots) or ["random", "greedy:depth=1 as hasty", "ismcts:iterations=3 as ismcts"]
    return read_league(
        None, {"bots": named, "options": SHORT, "players": "2-3", "deals": 2, **more}
    )


class InProcessPool:
    """Plays games one by one, in this process, whenever results are fetched."""

    most = 20
    """Games it accepts at once."""

    def __init__(self, league: League) -> None:
        self.runner = GameRunner(league)
        self.waiting: list[GameKey] = []

    def room(self) -> int:
        return self.most - len(self.waiting)

    def submit(self, games: Sequence[GameKey]) -> None:
        self.waiting += games

    def results(self, timeout: float) -> list[Outcome]:
        # The last game first: nothing may rely on the order of the schedule.
        return [self.runner.play(self.waiting.pop())] if self.waiting else []

    def busy(self) -> int:
        return len(self.waiting)

    def finish(self) -> None:
        self.waiting.clear()

    def close(self) -> None:
        self.waiting.clear()


def no_display(progress: LeagueProgress) -> None:
    """Ignores the progress."""


def never_stop() -> StopRequest:
    return StopRequest.NONE


def play(path: Path, league: League, pool: Pool | None = None) -> bool:
    """Play the league into that file."""
    with Journal.write(path, league) as journal, closing(pool or InProcessPool(league)) as used:
        return play_league(journal, used, no_display, never_stop)


def play_with(path: Path, league: League, workers: int) -> bool:
    return play(path, league, LocalPool(league, workers))


def content(path: Path) -> str:
    with Journal.read(path) as journal:
        return journal.content_digest()


@contextmanager
def command(*arguments: object, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """`arena ...` in its own process group, killed at the end of the test.

    START is a script to run instead of `python -m arena`.
    """
    start = [environment["START"]] if "START" in environment else ["-m", "arena"]
    with subprocess.Popen(
        [sys.executable, *start, *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,  # noqa: PLW1509  (only sets a signal handler)
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def heed_ctrl_c() -> None:
    """Undo what a test run in the background inherits: there, SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `arena ...` to its end."""
    with command(*arguments, **environment) as process:
        return ended(process)


def ended(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def children(pid: int) -> list[int]:
    """The child processes of this process."""
    try:
        return [
            int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        ]
    except OSError:
        return []


def workers_of(pid: int) -> list[int]:
    """The worker processes of a league."""
    return [child for child in children(pid) if "spawn_main" in command_line(child)]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""
