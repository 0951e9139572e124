"""`arena league`: plays or resumes a league and prints its table."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Mapping
from contextlib import ExitStack, closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import click
from click.decorators import FC

from arena.cli import colour
from arena.cli.browser import PageServer, needs_web, open_page
from arena.cli.completion import complete_bots, complete_games, complete_leagues
from arena.cli.console import LeagueDisplay, show_json
from arena.cli.exit_codes import FAILED
from arena.cli.league_json import league_json
from arena.cli.options import FILE_PATH, Number, json_option
from arena.cli.stop_signals import StopSignals, leaving_on
from arena.cli.trust import warn_of_neighbours, warn_of_strangers
from arena.cli.verbosity import log_lines_by, note, output_options, worker_lines
from arena.league.config import (
    KEYS,
    League,
    find_config,
    negated_option,
    option_name,
    read_league,
)
from arena.league.database import check_same_game, set_aside
from arena.league.journal import Journal
from arena.league.plan import Known
from arena.league.pool import LocalPool, Pool, PoolBroken
from arena.league.preview import preview
from arena.league.read_run import run_of
from arena.league.runner import (
    GameCrashed,
    bring_up_to_date,
    known_games,
    play_league,
)
from arena.league.schedule import OPEN_ENDED
from arena.league.secret_seed import GUESSABLE
from arena.league.start import check_bots, run_file
from arena.sandbox import protections as sandbox
from arena.stats.ranking_table import ranking_text
from games.engine import COMPILED, engine_name
from games.extras import how_to_install
from games.wording import counted, listed


def key_options(command: FC) -> FC:
    """Every key of the config as an option, without a default: the config has it."""
    for key, about in reversed(KEYS.items()):
        flag = option_name(key)
        meaning = f"{about.meaning[0].upper()}{about.meaning[1:]}.{_default_of(key)}"
        if about.kind is list:
            complete = complete_bots if key == "bots" else None
            option = click.option(flag, key, multiple=True, help=meaning, shell_complete=complete)
        elif about.kind is bool:
            flags = f"{flag}/{negated_option(key)}"
            option = click.option(flags, key, default=None, help=meaning)
        else:
            complete = complete_games if key == "game" else None
            option = click.option(flag, key, type=about.kind, help=meaning, shell_complete=complete)
        command = option(command)
    return command


def _default_of(key: str) -> str:
    """What a config without that key means, if it is a single value."""
    value = getattr(League, key, ())
    if isinstance(value, bool):
        value = (option_name(key) if value else negated_option(key)).removeprefix("--")
    shown = f"{value:g}" if isinstance(value, float) else value
    return "" if value == () else f"  [default: {shown}]"


@click.command("league")
@click.argument("config", required=False, shell_complete=complete_leagues)
@click.option(
    "--run",
    type=FILE_PATH,
    help="File that saves the games; default: runs/NAME.db, named after the config or the bots.",
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
@click.option(
    "--minutes",
    type=Number(min=0, min_open=True),
    help="Play complete rounds until the time is up, whatever `deals` says.",
)
@click.option(
    "--restart",
    is_flag=True,
    help="Start from scratch; the run file there is kept as NAME-1.db, NAME-2.db, ...",
)
@click.option("--browser", is_flag=True, help="Open a page that follows the league.")
@click.option("--prune", is_flag=True, help="Delete games that no longer belong to the league.")
@json_option
@key_options
@output_options
def league_command(
    config: str | None,
    run: Path | None,
    require_sandbox: bool,
    cluster: str | None,
    dry_run: bool,
    minutes: float | None,
    restart: bool,
    prune: bool,
    browser: bool,
    as_json: bool,
    **config_options: object,
) -> None:
    """Play a league between bots and print its table.

    CONFIG is a TOML file or one of the bundled leagues: default (unless you choose another), quick,
    gauntlet, swiss, secrets. Bots in files are looked up beside it; those named by --bot, in the
    current folder. Every key of the file is also an option here; the option wins, and --bot
    replaces all bots of the file. The defaults below are for keys that CONFIG does not set. Every
    deal is played with the seats rotated, so that every bot gets the same luck.

    Every finished game is saved in the run file. If the league stops (Ctrl-C, a crash, a power
    failure), the same command resumes it. A league can be changed at any time: more deals, another
    player count, a bot added, left out or replaced by its next version. Only what is missing is
    played. A bot with too many faults is disqualified, as if it had never been there.

    Ctrl-C or SIGTERM once finishes the games in progress; twice stops at once. The result is the
    same for any number of workers. Exit codes: 0 complete, 1 internal error, 2 invalid input, 130
    stopped by Ctrl-C, 143 by SIGTERM.

    \b
    Examples:
      arena league
      arena league quick --deals 20 --workers 1
      arena league --bot my_bot.py:MyBot --bot greedy --run runs/mine.db
      arena league quick --deals 20 --without random
      arena league quick --restart
      arena league --minutes 20
      arena league quick --browser
      arena league --until-settled --top 3
      arena league swiss --dry-run
      arena league --bot greedy --bot theirs.py:Bot --no-trust --require-sandbox
      arena league --cluster tcp://192.168.0.7:8786
    """
    path = find_config(config or "default")
    given = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in config_options.items()
        if value not in (None, ())
    }
    league = read_league(path, given)
    file = run or run_file(None if config is None and "bots" in given else path, league)
    _refuse_contradictions(given, league, cluster, minutes)
    if browser:
        _check_page(file, dry_run)
    if dry_run and as_json:
        raise click.UsageError("--json is for results, and --dry-run has none")
    _check_bots(league, given)
    workers = league.workers or os.cpu_count() or 1
    if dry_run:
        _tell_plan(league, workers, None if restart else file)
        return
    if cluster:
        _needs_cluster()
    _check_seed(league, require_sandbox)
    if require_sandbox and not cluster:
        sandbox.require_sandbox()
    if restart and (kept := set_aside(file)) is not None:
        note(f"the games in {file} were moved to {kept}")
    again = resume_command(config, run, given) + " --require-sandbox" * require_sandbox
    again += f" --minutes {minutes:g}" if minutes else ""
    again += f" --cluster {shlex.quote(cluster)}" if cluster else ""
    task = _Task(workers, cluster, require_sandbox, minutes, prune, as_json, again)
    with (
        Journal.write(file, league, draw=league.draws_seed) as journal,
        _page_of(file) if browser else nullcontext() as page,
    ):
        note(f"To resume after a stop: {again}")
        code = _play_and_report(journal, task)
        if not code and page is not None:
            _wait_at(page, file)
    if code:
        click.echo(f"Stopped. To resume: {again}", err=True)
        sys.exit(code)


@dataclass(frozen=True)
class _Task:
    """What the command line says about this run of the league, and its config does not."""

    workers: int
    cluster: str | None
    require_sandbox: bool
    minutes: float | None
    prune: bool
    as_json: bool
    again: str
    """The command that resumes the league."""


def _refuse_contradictions(
    given: Mapping[str, object], league: League, cluster: str | None, minutes: float | None
) -> None:
    """Options that mean nothing together."""
    if cluster and "workers" in given:
        raise click.UsageError("--workers is for this machine; with --cluster its workers play")
    if "rounds" in given and league.format != "swiss":
        raise click.UsageError("--rounds is for a Swiss league: add --format swiss")
    for key in ("top", "confidence", "margin"):
        if key in given and not league.until_settled:
            option = option_name(key)
            raise click.UsageError(f"{option} says what is to be settled: add --until-settled")
    if "deals" in given and league.until_settled:
        raise click.UsageError(
            "--until-settled plays as many deals as that takes: omit --deals; --minutes limits it"
        )
    if minutes and league.format == "swiss":
        raise click.UsageError("--minutes plays rounds of equal deals, and a Swiss league has none")


def _check_page(file: Path, dry_run: bool) -> None:
    """Can a page follow the league?"""
    needs_web("--browser")
    if dry_run:
        raise click.UsageError("--browser follows games, and --dry-run plays none")
    if file.suffix != ".db":
        raise click.UsageError(f"--browser needs a run file that ends in .db, not {file.name}")


def _check_bots(league: League, given: Mapping[str, object]) -> None:
    """Can they all be loaded? And what should the user know about them?"""
    if league.trust:
        warn_of_strangers((spec.bot for spec in league.bots), "--no-trust")
    check_bots(league)
    warn_of_neighbours({spec.name: spec.bot for spec in league.bots if league.isolated(spec.bot)})
    if "bots" in given and len(league.bots) == 1:
        note(
            f"only one bot, {league.names[0]}, which plays copies of itself; --bot replaces the "
            "bots of the config: repeat it for each bot"
        )


def _tell_plan(league: League, workers: int, file: Path | None) -> None:
    """The games of the league, and how many of them the run file may have already."""
    held = _stored_games(file, league) if file and file.is_file() else ""
    for line in preview(league, workers):
        click.echo(line)
    if held:
        click.echo(f"{file} has {held}; those that belong are not played again")


def _play_and_report(journal: Journal, task: _Task) -> int:
    """Play what is missing and print the table; the exit code if it was stopped before, else 0."""
    known, code = bring_up_to_date(journal), 0
    _tell_commitment(journal, complete=known.complete)
    if known.stored or journal.spare():
        note(reuse_text(journal, known, by_time=task.minutes is not None, prune=task.prune))
    if not known.complete or (task.minutes and not journal.league.until_settled):
        code = _play(journal, task)
        known = known_games(journal)
    if not code and not task.as_json:
        click.echo(ranking_text(run_of(journal)))
    if not code and task.prune:
        note(f"{counted(journal.prune(), 'game')} deleted from {journal.path}")
    if task.as_json:
        show_json("league", league_json(journal, known.complete, ended=not code))
    note(saved_text(known, journal.path))
    if not code and not known.complete:
        note(f"The time was up before the order was settled. To resume: {task.again}")
    _tell_proof(journal)
    return code


def _stored_games(file: Path, league: League) -> str:
    """How many games the run file has; BadRun if it cannot hold this league."""
    with Journal.read(file) as journal:
        check_same_game(file, journal.league.game, league)
        return counted(len(journal.stored()), "game")


def _page_of(file: Path) -> PageServer:
    """A server whose page of the run is open in the browser."""
    server = PageServer(file.resolve().parent)
    done = "Opened" if open_page(_address(server, file)) else "Open in a browser:"
    note(f"{done} {_address(server, file)}")
    return server


def _address(server: PageServer, file: Path) -> str:
    return f"{server.address}/runs/{quote(file.stem)}"


def _wait_at(server: PageServer, file: Path) -> None:
    """Keep the page until Ctrl-C."""
    note(f"The results stay at {_address(server, file)} until Ctrl-C")
    try:
        server.process.wait()
    except KeyboardInterrupt:
        return


def _check_seed(league: League, strict: bool) -> None:
    """A seed that strangers may know tells them every card; refused where they are not trusted."""
    names = league.isolated_names()
    if league.draws_seed or not names or league.seed >= GUESSABLE:
        return
    known = f"the seed {league.seed} can be guessed, and with it all cards, by {listed(names)}"
    if strict:
        raise click.UsageError(f"{known}; without a seed, a secret one is drawn")
    note(f"{known}; leave the seed out, and a secret one is drawn")


def _tell_commitment(journal: Journal, complete: bool) -> None:
    """Before the first game: the promise that the seed will not be chosen afterwards."""
    secret = journal.secret()
    if secret is None:
        return
    when = "already revealed" if secret.revealed else "to be published now"
    note(f"Commitment to the secret seed, {when}: {secret.commitment}")
    if secret.revealed and not complete:
        note("the seed has been revealed, so new games have known cards; --restart draws another")


def _tell_proof(journal: Journal) -> None:
    """At the end of a league with strangers: what the host publishes, for all to check."""
    if not journal.league.isolated_names():
        return
    secret = journal.secret()
    if secret is not None and secret.revealed:
        note(f"The seed was {secret.seed}, as committed to: {secret.commitment}")
    note(f"Chain, to be published with the results: {journal.head()}")


def reuse_text(journal: Journal, known: Known, *, by_time: bool, prune: bool) -> str:
    """How much of the league is in the run file already."""
    spare, stored = journal.spare(), known.stored
    if by_time or known.total == OPEN_ENDED:
        return f"{stored + spare:,} games in {journal.path}; what is needed of them is used again"
    if spare and not known.games:
        stay, those = ("stays", "that game") if spare == 1 else ("stay", "those games")
        where = (
            f"{journal.path} has {counted(spare, 'game')} of another league or of other versions"
        )
        advice = f"which {stay} there; --run FILE keeps leagues apart, --prune deletes {those}"
        return f"{where} of its bots" + ("" if prune else f", {advice}")
    do = "does" if spare == 1 else "do"
    others = f"; {counted(spare, 'game')} in {journal.path} {do} not belong to this league"
    if not prune:
        others += f" (--prune deletes {'it' if spare == 1 else 'them'})"
    return f"{stored:,} of {known.total:,} games already played{others * bool(spare)}"


def saved_text(known: Known, file: Path) -> str:
    """How many games there are now."""
    saved = counted(known.stored, "game")
    if not known.complete and known.total != OPEN_ENDED:
        saved = f"{known.stored:,} of {counted(known.total, 'game')}"
    evidence = len(known.games) - known.stored
    others = f", and {evidence:,} of disqualified bots" if evidence else ""
    return f"{saved} {'is' if saved == '1 game' else 'are'} saved in {file}{others}"


def resume_command(config: str | None, run: Path | None, given: Mapping[str, object]) -> str:
    """The command line as it was given."""
    words = ["arena", "league", *([config] if config else [])]
    for key, value in given.items():
        if isinstance(value, bool):
            words.append(option_name(key) if value else negated_option(key))
            continue
        for item in value if isinstance(value, list) else [value]:
            words += [option_name(key), str(item)]
    if run is not None:
        words += ["--run", str(run)]
    return shlex.join(words)


def _play(journal: Journal, task: _Task) -> int:
    """Play the games that are missing; returns the exit code if it was stopped before, else 0."""
    display = LeagueDisplay(sys.stderr)
    signals = StopSignals(display)
    try:
        with log_lines_by(display.say), ExitStack() as stack:
            if task.cluster:
                with leaving_on(signal.SIGTERM):  # it may wait for machines
                    pool = _cluster_pool(journal, task.cluster, task.require_sandbox, display)
                stack.enter_context(signals)
            else:
                stack.enter_context(signals)  # before: no worker is to be left half started
                pool = _local_pool(journal, task.workers, display)
            stack.enter_context(closing(pool))
            seconds = None if task.minutes is None else 60 * task.minutes
            stop = signals.stop_request
            ended = play_league(journal, pool, display.show, stop, display.note, seconds)
            return 0 if ended else signals.exit_code
    except GameCrashed as error:
        display.close()
        colour.error(str(error))
        sys.exit(FAILED)
    finally:
        display.close()


def _local_pool(journal: Journal, workers: int, display: LeagueDisplay) -> Pool:
    journal.begin_session(workers)
    display.note(f"{counted(workers, 'worker')}, {_engine()}")
    if names := journal.league.isolated_names():
        display.note(f"isolated in sandboxes: {', '.join(names)}")
        expected = sandbox.protections()
        missing = [protection.meaning for protection in expected if not protection.in_force]
        state = f"all {len(expected)} protections are in force"
        if missing:
            state = f"NOT in force here: {'; '.join(missing)}"
        display.note(f"{state} (see arena sandbox)")
    return LocalPool(journal.league, workers, worker_lines(), journal.files())


def _needs_cluster() -> None:
    """PoolBroken unless what a cluster needs is installed."""
    try:
        import arena.league.cluster.pool  # noqa: F401, PLC0415  (an extra)
    except ModuleNotFoundError as error:
        raise PoolBroken(f"--cluster needs {error.name}; {how_to_install('cluster')}") from None


def _cluster_pool(
    journal: Journal, address: str, require_sandbox: bool, display: LeagueDisplay
) -> Pool:
    from arena.league.cluster.pool import ClusterPool  # noqa: PLC0415  (an extra, and slow to load)

    pool = ClusterPool(journal.league, address, journal.files(), require_sandbox)
    threads = pool.threads()
    total = sum(threads.values())
    journal.begin_session(total, address)
    machines = f"{counted(len(threads), 'worker')} with {counted(total, 'thread')} in total"
    display.note(f"cluster {address}: {machines}, {_engine()}")
    if names := journal.league.isolated_names():
        display.note(f"isolated in sandboxes on the workers: {', '.join(names)}")
    return pool


def _engine() -> str:
    slow = "" if COMPILED else ", about 40 times slower than the compiled one"
    return f"{engine_name()} engine{slow}"
