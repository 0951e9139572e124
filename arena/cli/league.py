"""`arena league`: plays or resumes a league and prints its table."""

from __future__ import annotations

import logging
import os
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, Self

import click
from click.decorators import FC

from arena.cli.console import LeagueDisplay, LogLines
from arena.cli.exit_codes import FAILED, INTERRUPTED
from arena.cli.options import FILE_PATH
from arena.league.config import KEYS, League, find_config, option_name, read_league
from arena.league.journal import Journal
from arena.league.pool import LocalPool, Pool, PoolBroken
from arena.league.preview import preview
from arena.league.read_run import run_of
from arena.league.runner import GameCrashed, StopRequest, play_league, save_ratings
from arena.league.schedule import game_count
from arena.league.start import bots_run_name, check_bots
from arena.league.table import league_table
from arena.sandbox import policy as sandbox
from arena.sandbox.policy import protections
from arena.stats.report import tables
from arena.stats.standings import standings_of
from games.engine import COMPILED, engine_name

DEFAULT_CONFIG: Final = "default"


def key_options(command: FC) -> FC:
    """Every key of the config as an option, without a default: the config has it."""
    for key, about in reversed(KEYS.items()):
        flag = option_name(key)
        if about.kind is list:
            command = click.option(flag, key, multiple=True, help=about.meaning)(command)
        elif about.kind is bool:
            flags = f"{flag}/--no-{key}"
            command = click.option(flags, key, default=None, help=about.meaning)(command)
        else:
            command = click.option(flag, key, type=about.kind, help=about.meaning)(command)
    return command


@click.command("league")
@click.argument("config", required=False)
@click.option(
    "--run",
    type=FILE_PATH,
    help="The file that saves the games; default: runs/NAME.db, named after the config, or after "
    "the bots if --bot is given without a config.",
)
@click.option(
    "--require-sandbox",
    is_flag=True,
    help="Refuse to run unless every sandbox protection for isolated bots is in force.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the workers of this Dask scheduler, like tcp://HOST:8786: same games.",
)
@click.option("--dry-run", is_flag=True, help="Only list the games and estimate the time.")
@key_options
def league_command(
    config: str | None,
    run: Path | None,
    require_sandbox: bool,
    cluster: str | None,
    dry_run: bool,
    **config_options: object,
) -> None:
    """Play a league between bots and print its table.

    CONFIG is a TOML file or one of the bundled leagues: default, quick, gauntlet, swiss, secrets.
    Every key of the file is also an option here; the option wins. Every deal is played with the
    seats rotated, so that every bot gets the same luck.

    Every finished game is saved in the run file. If the league stops (Ctrl-C, a crash, a power
    failure), the same command resumes it. Ctrl-C once finishes the games in progress; twice stops
    at once. The result is the same for any number of workers. Exit codes: 0 complete, 1 internal
    error, 2 invalid input, 130 interrupted.

    \b
    Examples:
      arena league
      arena league quick --deals 20 --workers 1
      arena league --bot my_bot.py:MyBot --bot greedy --players 2,4 --run runs/mine.db
      arena league swiss --dry-run
      arena league --bot greedy --bot theirs.py:Bot --no-trust --require-sandbox
      arena league --cluster tcp://192.168.0.7:8786
    """
    path = find_config(config or DEFAULT_CONFIG)
    given = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in config_options.items()
        if value not in (None, ())
    }
    league = read_league(path, given)
    check_bots(league)
    workers = league.workers or os.cpu_count() or 1
    if dry_run:
        for line in preview(league, workers):
            click.echo(line)
        return
    if cluster and "workers" in given:
        raise click.UsageError("--workers is for this machine; with --cluster its workers play")
    if require_sandbox and not cluster:
        sandbox.require_sandbox()
    file = run or Path("runs") / f"{run_name(config, league, given)}.db"
    again = resume_command(config, run, given) + " --require-sandbox" * require_sandbox
    if cluster:
        again += f" --cluster {shlex.quote(cluster)}"
    click.echo(f"To resume after a stop: {again}", err=True)
    with Journal.write(file, league) as journal:
        complete = _play(journal, workers, cluster, require_sandbox)
        done, total = len(journal.numbers()), game_count(league)
        if complete:
            click.echo(_report(journal))
        click.echo(f"{done} of {total} games are saved in {file}", err=True)
    if not complete:
        click.echo(f"Stopped. To resume: {again}", err=True)
        sys.exit(INTERRUPTED)


def run_name(config: str | None, league: League, given: Mapping[str, object]) -> str:
    """The name of the run file: the config's, or the bots' if only they were given."""
    if config is None and "bots" in given:
        return bots_run_name(league.names)
    return find_config(config or DEFAULT_CONFIG).stem


def resume_command(config: str | None, run: Path | None, given: Mapping[str, object]) -> str:
    """The command line as it was given."""
    words = ["arena", "league", *([config] if config else [])]
    for key, value in given.items():
        flag = option_name(key)
        if isinstance(value, bool):
            words.append(flag if value else f"--no-{key}")
        else:
            for item in value if isinstance(value, list) else [value]:
                words += [flag, str(item)]
    if run is not None:
        words += ["--run", str(run)]
    return shlex.join(words)


def _play(journal: Journal, workers: int, cluster: str | None, require_sandbox: bool) -> bool:
    """Play the games that are missing; true if the league is complete."""
    if len(journal.numbers()) == game_count(journal.league):
        save_ratings(journal)  # the run may have stopped before this
        return True
    display = LeagueDisplay(sys.stderr)
    lines = LogLines(display)
    try:
        with _logged(lines):
            if cluster:
                pool = _cluster_pool(journal, cluster, require_sandbox, display)
            else:
                pool = _local_pool(journal, workers, display, lines)
            with _Keyboard(display) as keyboard, closing(pool):
                return play_league(journal, pool, display.show, keyboard.stop_request)
    except GameCrashed as error:
        display.close()
        click.echo(str(error), err=True)
        sys.exit(FAILED)
    finally:
        display.close()


def _local_pool(journal: Journal, workers: int, display: LeagueDisplay, lines: LogLines) -> Pool:
    """Workers on this machine."""
    journal.begin_session(workers)
    display.say(f"{workers} workers, {_engine()}")
    for line in isolation(journal.league):
        display.say(line)
    return LocalPool(journal.league, workers, lines, journal.files())


def _cluster_pool(
    journal: Journal, address: str, require_sandbox: bool, display: LeagueDisplay
) -> Pool:
    """Workers on other machines."""
    try:
        from arena.league.cluster.pool import ClusterPool  # noqa: PLC0415  (an extra, and slow to load)
    except ModuleNotFoundError as error:
        raise PoolBroken(
            f"--cluster needs the package {error.name!r}: "
            "pip install 'hidden-leaders-arena[cluster]'"
        ) from None
    pool = ClusterPool(journal.league, address, journal.files(), require_sandbox)
    threads = pool.threads()
    journal.begin_session(sum(threads.values()), address)
    display.say(
        f"cluster {address}: {len(threads)} workers with {sum(threads.values())} threads "
        f"in total, {_engine()}"
    )
    if names := journal.league.isolated_names():
        display.say(f"isolated in sandboxes on the workers: {', '.join(names)}")
    return pool


def _engine() -> str:
    slow = "" if COMPILED else ", about 40 times slower than the compiled one"
    return f"{engine_name()} engine{slow}"


def isolation(league: League) -> Iterator[str]:
    """Which bots are isolated, and which protections are missing here."""
    if names := league.isolated_names():
        expected = protections()
        missing = [protection.meaning for protection in expected if not protection.in_force]
        yield f"isolated in sandboxes: {', '.join(names)}"
        if missing:
            yield f"NOT in force here: {'; '.join(missing)} (see arena sandbox)"
        else:
            yield f"all {len(expected)} protections are in force (see arena sandbox)"


@contextmanager
def _logged(lines: LogLines) -> Iterator[None]:
    """Show what this process logs the way the workers' lines are shown."""
    log = logging.getLogger("arena")
    log.addHandler(lines)
    try:
        yield
    finally:
        log.removeHandler(lines)


class _Keyboard:
    """Counts presses of Ctrl-C: the league decides when to stop."""

    def __init__(self, display: LeagueDisplay) -> None:
        self.display = display
        self.presses = 0
        self.noticed = False

    def __enter__(self) -> Self:
        self.before = signal.signal(signal.SIGINT, self.press)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self.before)

    def press(self, *_: object) -> None:
        self.presses += 1

    def stop_request(self) -> StopRequest:
        if self.presses and not self.noticed:
            self.noticed = True
            self.display.say("finishing the games in progress; Ctrl-C again stops at once")
        return StopRequest(min(self.presses, StopRequest.NOW.value))


def _report(journal: Journal) -> str:
    """What is printed at the end of a league."""
    run = run_of(journal)
    parts = [league_table(run, journal.forfeits(), journal.league.players)]
    if run.games:
        parts.append(tables(standings_of(run))[0].text())
    return "\n\n".join(parts)
