"""`arena puzzles progress`: a person's rating, streak and solved puzzles."""

from __future__ import annotations

import click

from arena.cli.console import format_table, show_json, show_report, wrap
from arena.cli.options import json_option
from arena.cli.own_progress import own_progress
from solver.puzzles.files import HARDEST, Puzzle, bundled_puzzles
from solver.puzzles.progress import Progress, progress_file, reset_progress


@click.command("progress")
@click.option("--reset", is_flag=True, help="Start anew; the old file is kept beside the new one.")
@json_option
def progress_command(reset: bool, as_json: bool) -> None:
    """Show your rating, your streak and what you have solved.

    Your first attempt at each bundled puzzle is a rated game against it (Glicko-2, starting at
    1500): solved without help, or missed. The range has your true strength with 95 % confidence.
    Everything is kept in one file in your data folder ($XDG_DATA_HOME, usually ~/.local/share).

    \b
    Examples:
      arena puzzles progress
      arena puzzles progress --json
      arena puzzles progress --reset
    """
    old = reset_progress() if reset else None
    progress = own_progress()
    puzzles = list(bundled_puzzles())
    if as_json:
        show_json("puzzles-progress", _as_json(progress, puzzles))
        return
    if reset:
        kept = f"; the old progress is in {old}" if old else ""
        click.echo(wrap(f"Starting anew{kept}."))
        return
    show_report(_as_text(progress, puzzles))


def _counts(progress: Progress, puzzles: list[Puzzle]) -> dict[str, int]:
    """How many of the puzzles have which mark, and how many have none."""
    marks = [progress.marks.get(puzzle.name, "untried") for puzzle in puzzles]
    return {mark: marks.count(mark) for mark in ("solved", "later", "missed", "untried")}


def _as_text(progress: Progress, puzzles: list[Puzzle]) -> str:
    low, high = progress.rating.interval
    rows: list[list[object]] = [
        [level, *_counts(progress, [each for each in puzzles if each.difficulty == level]).values()]
        for level in range(1, HARDEST + 1)
    ]
    rows.append(["all", *_counts(progress, puzzles).values()])
    table = format_table(rows, ["level", "solved", "later", "missed", "untried"], numbers=True)
    lines = [
        f"Your rating: {progress.rating.rating:.0f} ({low:.0f} to {high:.0f})",
        f"Streak: {progress.streak}, longest: {progress.best_streak}",
    ]
    kept = f"Kept in {progress_file()}" if progress.attempts else "No attempts yet."
    return "\n".join([*lines, "", table, "", kept])


def _as_json(progress: Progress, puzzles: list[Puzzle]) -> dict[str, object]:
    low, high = progress.rating.interval
    return {
        "rating": round(progress.rating.rating, 1),
        "range": [round(low, 1), round(high, 1)],
        "streak": progress.streak,
        "best_streak": progress.best_streak,
        "attempts": len(progress.attempts),
        "marks": _counts(progress, puzzles),
        "file": str(progress_file()),
    }
