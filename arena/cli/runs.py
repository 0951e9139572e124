"""`arena verify`, `export` and `convert`: the saved games of a league."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import click

from arena.cli.console import progress_bar, show_json, show_report
from arena.cli.exit_codes import FAILED
from arena.cli.options import FILE_PATH, FOLDER_PATH, json_option, run_argument
from arena.cli.saved_games import check_replay, is_run, load_replay
from arena.league.convert import convert_run
from arena.league.export import export_run
from arena.league.journal import Journal
from arena.league.verify import problems, rating_problems
from games.errors import BadReplay


@click.command("verify")
@click.argument("files", type=FILE_PATH, metavar="RUN|FILE.jsonl ...", nargs=-1, required=True)
@json_option
def verify_command(files: tuple[Path, ...], as_json: bool) -> int:
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
    checked: list[Verified] = []
    for file in files:
        each = _verify_run(file) if is_run(file) else _verify_replay(file)
        checked.append(each)
        if not as_json:
            show_report("\n".join(each.lines()))
    correct = not any(each.problems for each in checked)
    if as_json:
        show_json("verify", {"correct": correct, "files": [asdict(each) for each in checked]})
    return 0 if correct else FAILED


@dataclass(frozen=True)
class Verified:
    """What was found in one file."""

    file: str
    games: int
    """Games of a run; a replay has one."""
    problems: list[str]
    moves: int | None = None
    """Moves and chance events of a replay."""
    ratings: int | None = None
    """Recomputed ratings of a run."""
    content: str | None = None
    """The digest of a run without problems."""

    def lines(self) -> list[str]:
        if self.moves is not None:
            return [f"{self.file}: {self.moves} moves and chance events replayed, all correct"]
        if self.ratings is None:  # a replay, whose problem names the file
            return self.problems
        if self.problems:
            count = f"{len(self.problems)} problems in {self.games} games and their ratings"
            return [*self.problems, f"{self.file}: {count}"]
        recomputed = f", {self.ratings} ratings recomputed" if self.ratings else ""
        verdict = f"{self.file}: {self.games} games replayed{recomputed}, all correct"
        return [verdict, f"content {self.content}"]


def _verify_replay(file: Path) -> Verified:
    check_replay(file)
    try:
        replay = load_replay(file)
    except BadReplay as error:
        return Verified(str(file), 1, [str(error)])
    return Verified(str(file), 1, [], moves=len(replay.moves))


def _verify_run(run: Path) -> Verified:
    """Check all games of the run and, if they are correct, its ratings."""
    with Journal.read(run) as journal:
        played = len(journal.numbers(counted=False))
        wrong: list[str] = []
        with progress_bar(played, "Replaying") as progress:
            for problem in problems(journal):
                wrong += [problem] if problem else []
                progress(1)
        wrong += () if wrong else rating_problems(journal)
        ratings = len(journal.ratings())
        content = None if wrong else journal.content_digest()
        return Verified(str(run), played, wrong, ratings=ratings, content=content)


@click.command("export")
@run_argument
@click.argument("folder", required=False, type=FOLDER_PATH, metavar="[DIR]")
@json_option
def export_command(run: Path, folder: Path | None, as_json: bool) -> None:
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
        folder = folder or run.with_suffix("")
        for line in export_run(journal, folder):
            if not as_json:
                click.echo(line)
        if as_json:
            games = len(journal.numbers())
            show_json("export", {"run": str(run), "folder": str(folder), "games": games})


@click.command("convert")
@click.argument("old", type=FILE_PATH)
@click.argument("new", type=FILE_PATH)
@json_option
def convert_command(old: Path, new: Path, as_json: bool) -> None:
    """Convert a run file of an earlier version.

    Up to version 0.2.0, games were stored by their number in the schedule. OLD is such a run file,
    NEW the file to write; OLD stays as it is. The converted run can be shown, verified and
    exported, and has its standings. A league that is continued in it deals anew.

    \b
    Example:
      arena convert runs/old.db runs/new.db
    """
    games = convert_run(old, new)
    if as_json:
        show_json("convert", {"old": str(old), "new": str(new), "games": games})
    else:
        click.echo(f"{games} games of {old} were written to {new}")
