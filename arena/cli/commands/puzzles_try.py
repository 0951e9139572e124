"""`arena puzzles try`, `next`, `random` and `daily`: a person plays puzzles, and is rated."""

from __future__ import annotations

from datetime import UTC, date, datetime
from random import SystemRandom
from urllib.parse import quote

import click

from arena.cli import colour
from arena.cli.browser import browser_option
from arena.cli.completion import complete_puzzles
from arena.cli.console import wrap
from arena.cli.dialog import ask
from arena.cli.exit_codes import FAILED
from arena.cli.options import nodes_option, seed_option
from arena.cli.own_progress import can_be_kept, own_progress
from arena.cli.puzzle_dialog import PuzzleDialog
from arena.cli.puzzle_options import filter_options
from arena.cli.puzzle_pages import serve_puzzles
from arena.cli.solver_work import solve_puzzle
from arena.seeds import MOST_SEED
from games.errors import GameError
from solver.core.budget import NodeBudget
from solver.puzzles.choice import (
    PuzzleFilter,
    daily_puzzle,
    missed_puzzle,
    next_puzzle,
    random_puzzle,
)
from solver.puzzles.files import PUZZLE_FOLDER, Puzzle, find_puzzle, load_puzzle
from solver.puzzles.lines import is_puzzle_line, puzzle_of_line
from solver.puzzles.progress import (
    Attempt,
    BadProgress,
    Progress,
    load_progress,
    record_attempt,
)
from solver.puzzles.trial import start_trial

_nodes = nodes_option("positions visited to solve the puzzle, and again to answer you")


@click.command("try")
@click.argument("name", shell_complete=complete_puzzles)
@browser_option
@seed_option
@_nodes
def try_command(name: str, browser: bool, seed: int, nodes: int) -> int:
    """Solve a puzzle yourself, against the best defence.

    NAME is a puzzle from `arena puzzles`, a file, or a line from `arena puzzles share` in quotes.
    Choose by number or by words. The others play as the puzzle says: a coalition always finds what
    is worst for you. The seed decides chance events and what the unknown cards are. A puzzle is
    solved if each of your moves was best, with or without hints; after a miss you can take it back,
    play on or begin anew. Your first attempt at a bundled puzzle counts for your rating (`arena
    puzzles progress`), as a miss if you needed help. Exit code 0 if solved, 1 if not.

    \b
    Examples:
      arena puzzles try doubt
      arena puzzles try fewer-is-more --seed 3
      arena puzzles try my-puzzle.toml
      arena puzzles try doubt --browser
    """
    puzzle = puzzle_of_line(name) if is_puzzle_line(name) else load_puzzle(find_puzzle(name))
    if browser:
        serve_puzzles(f"/{quote(puzzle.name)}", extra=[puzzle])
        return 0
    return 0 if _play(puzzle, seed, nodes) else FAILED


@click.command("next")
@filter_options
@browser_option
@seed_option
@_nodes
def next_command(
    game_name: str | None,
    theme: str | None,
    level: int | None,
    players: int | None,
    browser: bool,
    seed: int,
    nodes: int,
) -> int:
    """Try the untried puzzle that is closest to your rating.

    Goes on to the next one after each. When all were tried, those come that you have missed. Exit
    code 0 if the last one was solved, 1 if not.

    \b
    Examples:
      arena puzzles next
      arena puzzles next --theme denying
      arena puzzles next --level 2 --game secrets
    """
    wanted = PuzzleFilter(game_name, theme, players, level)
    puzzles = _matching(wanted)
    if browser:
        serve_puzzles("/next", wanted)
        return 0
    solved = True
    while True:
        progress = own_progress()
        puzzle = next_puzzle(puzzles, progress) or missed_puzzle(puzzles, progress)
        if puzzle is None:
            click.echo("You have solved them all.")
            return 0
        solved = _play(puzzle, seed, nodes)
        try:
            answer = ask("\nnext (n) or quit (q)? ").casefold()
        except EOFError:
            click.echo("")
            answer = "q"
        if answer not in ("next", "n", ""):
            return 0 if solved else FAILED
        click.echo("")


@click.command("random")
@filter_options
@browser_option
@click.option("--seed", type=click.IntRange(0, MOST_SEED), help="Picks the puzzle, and chance.")
@_nodes
def random_command(
    game_name: str | None,
    theme: str | None,
    level: int | None,
    players: int | None,
    browser: bool,
    seed: int | None,
    nodes: int,
) -> int:
    """Try a random puzzle.

    \b
    Examples:
      arena puzzles random
      arena puzzles random --level 5
      arena puzzles random --game secrets --seed 3
    """
    number = SystemRandom().randrange(MOST_SEED) if seed is None else seed
    wanted = PuzzleFilter(game_name, theme, players, level)
    puzzles = _matching(wanted)
    if browser:
        chosen = random_puzzle(puzzles, number).name
        serve_puzzles(f"/{chosen}", wanted)
        return 0
    return 0 if _play(random_puzzle(puzzles, number), number, nodes) else FAILED


@click.command("daily")
@filter_options
@browser_option
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="The puzzle of another day; default: today, by UTC.",
)
@seed_option
@_nodes
def daily_command(
    game_name: str | None,
    theme: str | None,
    level: int | None,
    players: int | None,
    browser: bool,
    day: datetime | None,
    seed: int,
    nodes: int,
) -> int:
    """Try the puzzle of the day.

    It is the same for everybody with this version of the arena, and the same options.

    \b
    Examples:
      arena puzzles daily
      arena puzzles daily --game secrets
      arena puzzles daily --date 2030-01-31
    """
    wanted = PuzzleFilter(game_name, theme, players, level)
    puzzles = _matching(wanted)
    today: date = datetime.now(UTC).date() if day is None else day.date()
    if browser:
        serve_puzzles(f"/{daily_puzzle(puzzles, today).name}", wanted)
        return 0
    return 0 if _play(daily_puzzle(puzzles, today), seed, nodes) else FAILED


def _matching(wanted: PuzzleFilter) -> list[Puzzle]:
    puzzles = wanted.puzzles()
    if not puzzles:
        raise GameError("no puzzles match; `arena puzzles list` shows what there is")
    return puzzles


def _play(puzzle: Puzzle, seed: int, nodes: int) -> bool:
    """Let the person try the puzzle, and keep the attempt; true if it was solved."""
    kept = puzzle.path.parent == PUZZLE_FOLDER and can_be_kept()
    solved = solve_puzzle(puzzle, nodes)
    trial = start_trial(solved, seed, puzzle.ask == "sure", NodeBudget(nodes))
    dialog = PuzzleDialog(puzzle, solved, trial)
    success = False
    try:
        success = dialog.run()
    except KeyboardInterrupt:
        click.echo("")  # end the line with the prompt
        raise
    finally:
        if dialog.begun and kept:
            _keep(Attempt(puzzle.name, success, puzzle.rating, dialog.helped))
    return success


def _keep(attempt: Attempt) -> None:
    """Record the attempt, and say what it did to the rating."""
    try:
        before = load_progress()
        progress = record_attempt(attempt)
    except BadProgress as error:
        colour.error(f"your progress was not kept: {error}")
        return
    click.echo(wrap(_rating_text(attempt, before, progress)))


def _rating_text(attempt: Attempt, before: Progress, after: Progress) -> str:
    rating = round(after.rating.rating)
    if attempt.puzzle in before.marks:
        return f"Your rating stays {rating}: only the first attempt at a puzzle counts."
    change = rating - round(before.rating.rating)
    streak = f" {after.streak} in a row." if after.streak > 1 else ""
    return f"Your rating: {rating} ({change:+d}); the puzzle's: {attempt.rating}.{streak}"
