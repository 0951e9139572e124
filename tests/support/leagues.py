"""Small leagues for tests, a pool that plays in this process, and `arena` as a subprocess."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from arena.league.config import League, read_league
from arena.league.database import BadRun
from arena.league.journal import Journal
from arena.league.outcome import Fault, Outcome
from arena.league.plan import first_games
from arena.league.pool import LocalPool, Pool
from arena.league.runner import LeagueProgress, StopRequest, play_league
from arena.league.schedule import GameKey, game_count, needs_results
from arena.league.worker import GameRunner
from arena.stats.game_record import GameRecord
from tests.support.paths import ROOT

SHORT = ["rounds=1"]
"""Options that make games short."""
TIMEOUT = 60.0


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

    close = finish


def no_display(progress: LeagueProgress) -> None:
    """Ignores the progress."""


def never_stop() -> StopRequest:
    return StopRequest.NONE


class PlayedLeague(NamedTuple):
    """What a complete league has saved."""

    games: list[GameRecord]
    faults: list[tuple[int, str, Fault]]
    disqualified: list[tuple[str, int, int, Fault]]
    content: str


def keys(league: League) -> list[GameKey]:
    return [game.key for game in first_games(league)]


def play(
    path: Path, league: League, pool: Pool | None = None, *, draw: bool = False
) -> PlayedLeague:
    """Play the league into that file, to its end; `draw`: with a secret seed."""
    used = pool or InProcessPool(league)
    with Journal.write(path, league, draw=draw) as journal, closing(used):
        assert play_league(journal, used, no_display, never_stop)
        numbers, left = journal.numbers(), [*map(league.names.index, journal.taking_part())]
        open_ended = needs_results(league)  # only the results tell how many games there are
        assert numbers == set(range(len(numbers) if open_ended else game_count(league, left)))
        content = journal.content_digest()
        return PlayedLeague(journal.played(), journal.faults(), journal.disqualified(), content)


def play_with(path: Path, league: League, workers: int) -> PlayedLeague:
    return play(path, league, LocalPool(league, workers))


def content(path: Path) -> str:
    with Journal.read(path) as journal:
        return journal.content_digest()


def saved(path: Path) -> int:
    """The number of games in a run so far."""
    try:
        with Journal.read(path) as journal:
            return len(journal.numbers())
    except BadRun:
        return 0  # not started


def wait_until(happens: Callable[[], object], what: str) -> None:
    until = time.monotonic() + TIMEOUT
    while not happens():
        assert time.monotonic() < until, f"timed out after {TIMEOUT:.0f} s: {what}"
        time.sleep(0.02)


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
        # A test run in the background inherits that SIGINT is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def arena_script(folder: Path, first: str) -> str:
    """A script for START that runs `arena` after these statements."""
    script = folder / "start.py"
    script.write_text(
        f"import resource, sys\n{first}\n"
        "from arena.cli.main import main\nif __name__ == '__main__':\n    main()\n"
    )
    return str(script)


def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `arena ...` to its end."""
    with command(*arguments, **environment) as process:
        return ended(process)


def output(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a program in the checkout to its end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


def ended(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    out, err = process.communicate(timeout=120)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def children(pid: int) -> list[int]:
    """The child processes of all threads of this process."""
    with suppress(OSError):
        lists = [file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/children")]
        return [int(child) for text in lists for child in text.split()]
    return []


def workers_of(pid: int, module: str = "spawn_main") -> list[int]:
    """The processes that play games for a league, or for a Dask worker."""
    return [child for child in children(pid) if module in command_line(child)]


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def wait_for_exit(pids: Iterable[int]) -> None:
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), f"the end of {pids}")
