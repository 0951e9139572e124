"""`arena show`, `arena verify` and `arena export`: what can be done with the games of a run."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.cli.options import seat_number
from arena.league.database import BadRun
from arena.league.export import export_run
from arena.league.journal import Journal, SavedGame
from arena.league.schedule import game_count
from arena.league.verify import problems, rating_problems
from arena.match.narrator import Narrator
from games.registry import game
from games.replay import Note
from games.state import CHANCE

FAILED = 1

run_argument = click.argument("run", type=click.Path(dir_okay=False, path_type=Path))


@click.command("show")
@run_argument
@click.argument("number", metavar="GAME", type=click.IntRange(0))
@click.option("--view", "seat", help="Only what seat A, B, ... perceives.")
def show(run: Path, number: int, seat: str | None) -> None:
    """Tell game number GAME of a run, move by move.

    \b
    Examples:
      arena show runs/default.db 0
      arena show runs/default.db 17 --view B
    """
    with Journal.read(run) as journal:
        kept = found(journal, number)
        rules = game(journal.league.game)
    names = kept.record.seats
    watching = None if seat is None else seat_number(seat, len(names))
    teller = Narrator(rules, names, watching)
    state = kept.replay.new()
    for ply, move in enumerate(kept.replay.moves):
        if state.actor != CHANCE:
            note = kept.replay.notes.get(ply, Note())
            click.echo(teller.line(state, move, note.reason))
        state.play(move)
    click.echo("")
    click.echo(rules.text.draw(state, watching if kept.fault else None))
    if kept.fault is not None:
        who = teller.who(kept.fault.seat)
        told = f"Broken off at decision {kept.fault.decision}: {who} {kept.fault.problem}"
        click.echo(f"{told} ({kept.fault.kind})")
    else:
        click.echo(teller.verdict(kept.record.winners, kept.record.decisions))
    if kept.output and watching is None:
        click.echo(f"\nPrinted by bots:\n{kept.output}")


def found(journal: Journal, number: int) -> SavedGame:
    """The game of that number; BadRun says why there is none."""
    for kept in journal.games(number):
        return kept
    for forfeited, bot in journal.forfeits():
        if forfeited == number:
            raise BadRun(f"game {number} was not played: {bot} was on probation")
    numbers = journal.numbers()
    have = f"it holds {len(numbers)} games from 0 to {max(numbers)}" if numbers else "it is empty"
    raise BadRun(f"{journal.path} has no game {number}; {have}")


@click.command("verify")
@run_argument
def verify(run: Path) -> None:
    """Replay every game of a run and check what the run says about it.

    Is every move legal, does the game end where and how the run says, do seats and deals fit the
    schedule, and were the right games forfeited? Are the ratings of a complete league those that
    its games give? Exit code 1 if anything is wrong. The last line stands for all of the run's
    content: equal leagues have equal lines, wherever they were played.

    \b
    Example:
      arena verify runs/default.db
    """
    with Journal.read(run) as journal:
        many, total = len(journal.numbers()), game_count(journal.league)
        wrong = 0
        with click.progressbar(
            problems(journal), length=many, label="Replaying", file=sys.stderr
        ) as looked:
            for problem in looked:
                if problem:
                    wrong += 1
                    click.echo(problem)
        for problem in rating_problems(journal):
            wrong += 1
            click.echo(problem)
        if wrong:
            click.echo(f"{run}: {wrong} of the {many} games or their ratings are wrong")
            sys.exit(FAILED)
        ratings = f", {len(journal.ratings())} ratings recomputed" if many == total else ""
        click.echo(f"{run}: {many} of {total} games replayed{ratings}, all as they should be")
        click.echo(f"content {journal.content_digest()}")


@click.command("export")
@run_argument
@click.argument(
    "folder", required=False, type=click.Path(file_okay=False, path_type=Path), metavar="[DIR]"
)
def export(run: Path, folder: Path | None) -> None:
    """Write a run out as files that other programs read.

    Into DIR (the run's name without its ending, if not given) go games.csv, seats.csv (who sat
    where, what that seat won and how long it thought), faults.csv, forfeits.csv, league.json
    (config, versions, machines), results.jsonl (what arena standings reads), table.txt, and every
    game as a replay in replays/.

    \b
    Examples:
      arena export runs/default.db
      arena export runs/default.db /tmp/default
    """
    with Journal.read(run) as journal:
        for line in export_run(journal, folder or run.with_suffix("")):
            click.echo(line)
