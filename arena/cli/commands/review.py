"""`arena review`: which move lost a saved game, and what every decision gave away."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click

from arena.cli.console import StatusLine, show_json, show_report
from arena.cli.exit_codes import FAILED
from arena.cli.options import FILE_PATH, Number, json_option, nodes_option, seat_number
from arena.cli.review_report import ReviewReport
from arena.cli.saved_games import load_game
from arena.cli.verbosity import note, output_options
from arena.review.game_review import ReviewPlan
from arena.review.reviewer import review_game


@click.command("review")
@click.argument("source", type=FILE_PATH, metavar="RUN|FILE.jsonl")
@click.argument("number", metavar="[GAME]", type=click.IntRange(0), required=False)
@click.option(
    "--turns",
    type=click.IntRange(1),
    show_default="two for every player",
    help="How many turns to review, counted from the end.",
)
@click.option("--seat", help="Only the decisions of seat A, B, ...")
@click.option(
    "--hindsight", is_flag=True, help="Also judge each decision as if all cards had been open."
)
@click.option("--all", "every", is_flag=True, help="List decisions that lost less than 0.02, too.")
@click.option(
    "--iterations",
    type=click.IntRange(10, 10**6),
    default=ReviewPlan.iterations,
    help="Worlds searched for each move that is compared.",
)
@nodes_option("positions that the solver visits for a decision", ReviewPlan.nodes)
@click.option(
    "--seconds",
    type=Number(0),
    default=0.0,
    show_default="no limit",
    help="Time limit for the whole review, 0: none; it starts with the last decision.",
)
@json_option
@output_options
def review_command(
    source: Path,
    number: int | None,
    turns: int | None,
    seat: str | None,
    hindsight: bool,
    every: bool,
    iterations: int,
    nodes: int,
    seconds: float,
    as_json: bool,
) -> int:
    """Find the move that lost a saved game.

    RUN is the run file of a league and GAME the number of a game in it; FILE.jsonl is a replay.
    Every decision of the last turns is judged by what the seat could know at that moment: its
    chance to win with the best move, and with the move it played. The difference is what the move
    lost: from 0.10 it is marked ?, from 0.25 ??.

    A value is exact where the solver can prove it: a certain win this turn, or a turn that surely
    ends the game. Other values are estimated by search (~). A loss within the error of the search
    counts as 0. The same command prints the same review on every machine.

    Ctrl-C prints what is known so far. Exit code 1 if not all decisions were reviewed.

    \b
    Examples:
      arena review runs/default.db 17
      arena review game.jsonl --seat B --hindsight
      arena review game.jsonl --turns 20 --all
      arena review runs/default.db 17 --json | jq .lost_at
    """
    loaded = load_game(source, number)
    only = None if seat is None else seat_number(seat, loaded.replay.players)
    plan = ReviewPlan(turns or 0, only, iterations, nodes, hindsight=hindsight)
    with _until_stopped(seconds) as progress:
        review = review_game(loaded.replay, plan, loaded.faulty, progress)
    report = ReviewReport(review, loaded, every)
    if as_json:
        show_json("review", report.as_json())
    else:
        show_report(report.as_text())
    return 0 if review.complete else FAILED


@contextmanager
def _until_stopped(seconds: float) -> Iterator[Callable[[int, int], bool]]:
    """Shows progress, and says whether to go on: until the first Ctrl-C or the time limit."""
    line = StatusLine(sys.stderr)
    began = shown = monotonic()
    stopped: list[object] = []
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        signal.signal(signal.SIGINT, before)
        stopped.append(None)

    def progress(done: int, total: int) -> bool:
        nonlocal shown
        now = monotonic()
        text = f"{done} of {total} decisions reviewed; Ctrl-C for what is known so far"
        if line.due:
            line.draw(text)
        elif not line.live and now - shown >= 10:
            shown = now
            note(text)
        return not stopped and (not seconds or now - began < seconds)

    signal.signal(signal.SIGINT, stop)
    try:
        yield progress
    finally:
        signal.signal(signal.SIGINT, before)
        line.clear()
