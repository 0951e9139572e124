"""`arena view`: a saved game as a page for the browser."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from arena.cli.browser import open_page
from arena.cli.console import StatusLine
from arena.cli.options import FILE_PATH, seat_number
from arena.cli.review_report import ReviewReport
from arena.cli.saved_games import LoadedGame, load_game
from arena.files import check_writable, write_file
from arena.review.game_review import ReviewPlan
from arena.review.reviewer import review_game
from arena.web.review_marks import REVIEW_FORMAT, REVIEW_VERSION, BadReview
from arena.web.view_page import view_page


@click.command("view")
@click.argument("source", type=FILE_PATH, metavar="RUN|FILE.jsonl")
@click.argument("number", metavar="[GAME]", type=click.IntRange(0), required=False)
@click.option("--seat", help="Only what seat A, B, ... may know: nothing else is in the file.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write; default: named after the run and the game, in this folder.",
)
@click.option(
    "--review",
    is_flag=True,
    help="Mark the moves that gave something away, as `arena review` finds them.",
)
@click.option(
    "--marks",
    type=FILE_PATH,
    metavar="FILE.json",
    help="The same, from a saved review: `arena review RUN GAME --json > FILE.json`.",
)
@click.option("--open", "at_once", is_flag=True, help="Open it in the browser.")
def view_command(
    source: Path,
    number: int | None,
    seat: str | None,
    out: Path | None,
    review: bool,
    marks: Path | None,
    at_once: bool,
) -> None:
    """Write a saved game as a page for the browser.

    RUN is the run file of a league and GAME the number of a game in it; FILE.jsonl is a replay. The
    page is one file: it needs no server and no network, and can be sent to anybody. It shows every
    table and move, through all eyes or those of one seat, what bots believed about each other's
    secret roles, which moves they considered and how they rated their chances.

    Arrow keys step through the game, with Shift by turns; the space bar plays it. The address keeps
    the place: `#at=37&view=B`.

    \b
    Examples:
      arena view runs/default.db 17 --open
      arena view runs/default.db 17 --seat B --out game-of-b.html
      arena view game.jsonl
      arena view game.jsonl --review --open
    """
    if review and marks is not None:
        raise click.UsageError("use --review or --marks, not both")
    if seat is not None and (review or marks is not None):
        raise click.UsageError("a review shows every card: use it without --seat")
    loaded = load_game(source, number)
    watching = None if seat is None else seat_number(seat, loaded.replay.players)
    name = source.stem if number is None else f"{source.stem}-{number}"
    file = out or Path(f"{name}{'' if seat is None else '-' + seat.upper()}.html")
    check_writable(file)
    place = source.name if number is None else f"game {number} of {source.name}"
    judged = _review(loaded) if review else None if marks is None else _saved_review(marks)
    page = view_page(loaded.replay, place, loaded.fault, watching, review=judged)
    write_file(file, page)
    click.echo(f"{file} is written; open it in a browser")
    if at_once:
        open_page(file.resolve().as_uri())


def _review(loaded: LoadedGame) -> object:
    """The review that `arena review` makes."""
    line = StatusLine(sys.stderr)

    def progress(done: int, total: int) -> bool:
        if line.due:
            line.draw(f"{done} of {total} decisions reviewed")
        return True

    try:
        review = review_game(loaded.replay, ReviewPlan(), loaded.faulty, progress)
    finally:
        line.clear()
    report = ReviewReport(review, loaded).as_json()
    return {"format": REVIEW_FORMAT, "version": REVIEW_VERSION, **report}


def _saved_review(file: Path) -> object:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadReview(f"{file} is not JSON: {error}") from None
