"""`arena league`: plays a league, or goes on with it, and prints its table."""

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

from arena.cli.console import Display, LogLines
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

DEFAULT: Final = "default"
"""The league that is meant where none is named."""
FAILED: Final = 1
INTERRUPTED: Final = 130


def key_options(command: FC) -> FC:
    """Every key of the config as an option; None, or nothing, where nothing was said."""
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
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file that keeps the games; if not given, runs/NAME.db of the config's NAME, or "
    "of the bots if they are named instead of a config.",
)
@click.option(
    "--require-sandbox",
    is_flag=True,
    help="Refuse to run unless every protection against isolated bots is in force.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Let the workers of this Dask scheduler play, like tcp://HOST:8786: same games.",
)
@click.option("--dry-run", is_flag=True, help="Only list the games and what they will cost.")
@key_options
def league(
    config: str | None,
    run: Path | None,
    require_sandbox: bool,
    cluster: str | None,
    dry_run: bool,
    **said: object,
) -> None:
    """Play a league between bots and print its table.

    CONFIG is a TOML file, or the name of a league that comes along: default, quick, gauntlet,
    swiss, secrets. Every key of the file is also an option here, and the option wins. Every deal is
    played with the seats rotated, so that luck treats all alike.

    Every finished game is kept in the run file. Whatever stops the league (Ctrl-C, a crash, a power
    failure), the same command goes on where it was. Ctrl-C once finishes the games under way; twice
    stops now. The result is the same for any number of workers. Exit codes: 0 complete, 1 the rules
    broke down, 2 it cannot be played as asked, 130 stopped.

    \b
    Examples:
      arena league
      arena league quick --deals 20 --workers 1
      arena league --bot my_bot.py:MyBot --bot greedy --players 2,4 --run runs/mine.db
      arena league swiss --dry-run
      arena league --bot greedy --bot theirs.py:Bot --no-trust --require-sandbox
      arena league --cluster tcp://192.168.0.7:8786
    """
    path = find_config(config or DEFAULT)
    given = {key: _plain(value) for key, value in said.items() if value not in (None, ())}
    found = read_league(path, given)
    check_bots(found)
    workers = found.workers or os.cpu_count() or 1
    if dry_run:
        for line in preview(found, workers):
            click.echo(line)
        return
    if cluster and "workers" in given:
        raise click.UsageError("--workers is for this machine; with --cluster its workers play")
    if require_sandbox and not cluster:
        sandbox.require_sandbox()
    file = run or Path("runs") / f"{run_name(config, found, given)}.db"
    again = resume_command(config, run, given) + " --require-sandbox" * require_sandbox
    if cluster:
        again += f" --cluster {shlex.quote(cluster)}"
    click.echo(f"To go on after a stop: {again}", err=True)
    with Journal.write(file, found) as journal:
        complete = _play(journal, workers, cluster, require_sandbox)
        done, total = len(journal.numbers()), game_count(found)
        if complete:
            click.echo(_report(journal))
        click.echo(f"{done} of {total} games are kept in {file}", err=True)
    if not complete:
        click.echo(f"Stopped. To go on: {again}", err=True)
        sys.exit(INTERRUPTED)


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def run_name(config: str | None, league: League, given: Mapping[str, object]) -> str:
    """What the run file is called: as the config, or as the bots if only they were named."""
    if config is None and "bots" in given:
        return bots_run_name(league.names)
    return find_config(config or DEFAULT).stem


def resume_command(config: str | None, run: Path | None, given: Mapping[str, object]) -> str:
    """The command as it was given."""
    words = ["arena", "league", *([config] if config else [])]
    for key, value in given.items():
        flag = option_name(key)
        if isinstance(value, bool):
            words.append(flag if value else f"--no-{key}")
        else:
            for one in value if isinstance(value, list) else [value]:
                words += [flag, str(one)]
    if run is not None:
        words += ["--run", str(run)]
    return shlex.join(words)


def _play(journal: Journal, workers: int, cluster: str | None, require_sandbox: bool) -> bool:
    """Play what is missing; whether the league is complete."""
    if len(journal.numbers()) == game_count(journal.league):
        save_ratings(journal)  # it may have been stopped just before that
        return True
    display = Display(sys.stderr)
    lines = LogLines(display)
    try:
        with _logged(lines):
            if cluster:
                pool = _cluster_pool(journal, cluster, require_sandbox, display)
            else:
                pool = _local_pool(journal, workers, display, lines)
            with _Keyboard(display) as keyboard, closing(pool):
                return play_league(journal, pool, display.show, keyboard.wish)
    except GameCrashed as error:
        display.close()
        click.echo(str(error), err=True)
        sys.exit(FAILED)
    finally:
        display.close()


def _local_pool(journal: Journal, workers: int, display: Display, lines: LogLines) -> Pool:
    """Workers on this machine."""
    journal.begin_session(workers)
    display.say(f"{workers} workers, {_engine()}")
    for line in isolation(journal.league):
        display.say(line)
    return LocalPool(journal.league, workers, lines, journal.files())


def _cluster_pool(journal: Journal, address: str, require_sandbox: bool, display: Display) -> Pool:
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
        f"in all, {_engine()}"
    )
    if names := journal.league.isolated_names():
        display.say(f"in processes and sandboxes of their own, there: {', '.join(names)}")
    return pool


def _engine() -> str:
    slow = "" if COMPILED else ", about forty times slower than the compiled one"
    return f"{engine_name()} engine{slow}"


def isolation(league: League) -> Iterator[str]:
    """What a host should know about the bots that are not trusted."""
    if names := league.isolated_names():
        found = protections()
        missing = [one.meaning for one in found if not one.in_force]
        yield f"in processes and sandboxes of their own: {', '.join(names)}"
        if missing:
            yield f"NOT in force here: {'; '.join(missing)} (see arena sandbox)"
        else:
            yield f"all {len(found)} protections are in force (see arena sandbox)"


@contextmanager
def _logged(lines: LogLines) -> Iterator[None]:
    """What the arena itself logs is shown as the workers' lines are."""
    log = logging.getLogger("arena")
    log.addHandler(lines)
    try:
        yield
    finally:
        log.removeHandler(lines)


class _Keyboard:
    """Counts presses of Ctrl-C instead of being torn away by them."""

    def __init__(self, display: Display) -> None:
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

    def wish(self) -> StopRequest:
        if self.presses and not self.noticed:
            self.noticed = True
            self.display.say("finishing the games under way; Ctrl-C again stops now")
        return StopRequest(min(self.presses, StopRequest.NOW.value))


def _report(journal: Journal) -> str:
    """Everything that is printed at the end of a league."""
    run = run_of(journal)
    parts = [league_table(run, journal.forfeits(), journal.league.players)]
    if run.games:
        parts.append(tables(standings_of(run))[0].text())
    return "\n\n".join(parts)
