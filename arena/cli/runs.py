"""`arena verify`, `export` and `convert`: the saved games of a league."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.cli.exit_codes import FAILED
from arena.cli.options import FILE_PATH, FOLDER_PATH, run_argument
from arena.cli.saved_games import check_replay, is_run, load_replay
from arena.league.convert import convert_run
from arena.league.export import export_run
from arena.league.journal import Journal
from arena.league.verify import problems, rating_problems
from games.errors import BadReplay


@click.command("verify")
@click.argument("files", type=FILE_PATH, metavar="RUN|FILE.jsonl ...", nargs=-1, required=True)
def verify_command(files: tuple[Path, ...]) -> int:
    """Replay and check every game of a league, or a replay.

    Of a run: is every move legal, does each game end as recorded, do seats and deals match the
    schedule, were the right bots disqualified? Do the games of a complete league give the recorded
    ratings? The last line is a digest of the whole run: the same league has the same digest on
    every machine. Of a replay: is every move legal, are result and digest right? Exit code 1 if
    anything is wrong.

    \b
    Examples:
      arena verify runs/default.db
      arena verify game.jsonl
      arena verify runs/default/replays/*.jsonl
    """
    failed = [file for file in files if not (_verify_run if is_run(file) else _verify_replay)(file)]
    return FAILED if failed else 0


def _verify_replay(file: Path) -> bool:
    """Whether the replay is correct; says so, or what is wrong with it."""
    check_replay(file)
    try:
        replay = load_replay(file)
    except BadReplay as error:
        click.echo(str(error))
        return False
    click.echo(f"{file}: {len(replay.moves)} moves and chance events replayed, all correct")
    return True


def _verify_run(run: Path) -> bool:
    """Whether all games and ratings of the run are correct; says so, or what is wrong."""
    with Journal.read(run) as journal:
        played = len(journal.numbers(counted=False))
        wrong = 0
        with click.progressbar(
            problems(journal), length=played, label="Replaying", file=sys.stderr
        ) as replayed:
            for problem in replayed:
                if problem:
                    wrong += 1
                    click.echo(problem)
        for problem in () if wrong else rating_problems(journal):
            wrong += 1
            click.echo(problem)
        if wrong:
            click.echo(f"{run}: {wrong} problems in {played} games and their ratings")
            return False
        ratings = len(journal.ratings())
        recomputed = f", {ratings} ratings recomputed" if ratings else ""
        click.echo(f"{run}: {played} games replayed{recomputed}, all correct")
        click.echo(f"content {journal.content_digest()}")
    return True


@click.command("export")
@run_argument
@click.argument("folder", required=False, type=FOLDER_PATH, metavar="[DIR]")
def export_command(run: Path, folder: Path | None) -> None:
    """Write a league's games to CSV, JSON and text.

    DIR is the run file without its extension by default. It gets games.csv, seats.csv (each seat's
    bot, wins and thinking time), faults.csv, disqualified.csv, league.json (config, versions,
    machines), results.jsonl (which `arena standings` reads), table.txt, and every game as a replay
    in replays/.

    \b
    Examples:
      arena export runs/default.db
      arena export runs/default.db /tmp/default
    """
    with Journal.read(run) as journal:
        for line in export_run(journal, folder or run.with_suffix("")):
            click.echo(line)


@click.command("convert")
@click.argument("old", type=FILE_PATH)
@click.argument("new", type=FILE_PATH)
def convert_command(old: Path, new: Path) -> None:
    """Convert a run file of an earlier version.

    Up to version 0.2.0, games were stored by their number in the schedule. OLD is such a run file,
    NEW the file to write; OLD stays as it is. The converted run can be shown, verified and
    exported, and has its standings. A league that is continued in it deals anew.

    \b
    Example:
      arena convert runs/old.db runs/new.db
    """
    games = convert_run(old, new)
    click.echo(f"{games} games of {old} were written to {new}")
