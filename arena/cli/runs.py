"""`arena show`, `verify`, `export` and `convert`: the saved games of a league."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.cli.exit_codes import FAILED
from arena.cli.options import FILE_PATH, FOLDER_PATH, run_argument, seat_number
from arena.league.convert import convert_run
from arena.league.database import BadRun
from arena.league.export import export_run
from arena.league.journal import Journal, SavedGame
from arena.league.verify import problems, rating_problems
from arena.match.narrator import Narrator
from games.registry import game
from games.replay import Note
from games.state import CHANCE


@click.command("show")
@run_argument
@click.argument("number", metavar="GAME", type=click.IntRange(0))
@click.option("--view", "seat", help="Only what seat A, B, ... can see.")
def show_command(run: Path, number: int, seat: str | None) -> None:
    """Print a game of a league move by move.

    RUN is the run file of a league, GAME the number of a game in it.

    \b
    Examples:
      arena show runs/default.db 0
      arena show runs/default.db 17 --view B
    """
    with Journal.read(run) as journal:
        kept = saved_game(journal, number)
        rules = game(journal.league.game)
    names = kept.record.seats
    watching = None if seat is None else seat_number(seat, len(names))
    narrator = Narrator(rules, names, watching)
    state = kept.replay.new()
    for ply, move in enumerate(kept.replay.moves):
        if state.actor != CHANCE:
            reason = kept.replay.notes.get(ply, Note()).reason
            click.echo(narrator.line(state, move, reason))
        state.play(move)
    click.echo("\n" + rules.text.draw(state, watching if kept.fault else None))
    if (fault := kept.fault) is not None:
        who = narrator.who(fault.seat)
        click.echo(f"Ended at decision {fault.decision}: {who} {fault.problem} ({fault.kind})")
    else:
        click.echo(narrator.verdict(kept.record.winners, kept.record.decisions))
    if kept.output and watching is None:
        click.echo(f"\nPrinted by bots:\n{kept.output}")


def saved_game(journal: Journal, number: int) -> SavedGame:
    """The game of that number; BadRun says why there is none."""
    for kept in journal.games(number):
        return kept
    numbers = journal.numbers()
    games = f"it has {len(numbers)} games from 0 to {max(numbers)}" if numbers else "it is empty"
    raise BadRun(f"{journal.path} has no game {number}; {games}")


@click.command("verify")
@run_argument
def verify_command(run: Path) -> None:
    """Replay and check every game of a league.

    Is every move legal, does each game end as recorded, do seats and deals match the schedule, were
    the right games forfeited? Do the games of a complete league give the recorded ratings? The last
    line is a digest of the whole run: the same league has the same digest on every machine. Exit
    code 1 if anything is wrong.

    \b
    Example:
      arena verify runs/default.db
    """
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
            sys.exit(FAILED)
        ratings = len(journal.ratings())
        recomputed = f", {ratings} ratings recomputed" if ratings else ""
        click.echo(f"{run}: {played} games replayed{recomputed}, all correct")
        click.echo(f"content {journal.content_digest()}")


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
