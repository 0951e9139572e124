"""`arena puzzles`: lists, shows, shares and verifies puzzles; the rest is in other modules."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Final

import click

from arena.cli.browser import browser_option
from arena.cli.completion import complete_puzzles
from arena.cli.console import format_table, show_json, show_report, wrap
from arena.cli.exit_codes import FAILED
from arena.cli.lazy_group import LazyGroup
from arena.cli.options import json_option
from arena.cli.own_progress import own_progress
from arena.cli.puzzle_options import filter_options, puzzle_nodes
from arena.cli.puzzle_pages import serve_puzzles
from arena.cli.solve_report import SolveReport
from arena.cli.solver_work import puzzle_paths, solve_puzzle
from bots.runtime.mid_game import puzzle_policy
from games.seats import seat_name
from solver.ask import Solution
from solver.core.budget import NodeBudget
from solver.puzzles import files
from solver.puzzles.choice import PuzzleFilter
from solver.puzzles.lines import puzzle_line
from solver.puzzles.task import measure_words

_SUBCOMMANDS: Final = {
    "certify": ("certificates", "Write a puzzle's certificate: a proof of its answer."),
    "check": ("certificates", "Check certificates."),
    "daily": ("puzzles_try", "Try the puzzle of the day."),
    "make": ("puzzles_make", "Make puzzles."),
    "next": ("puzzles_try", "Try the untried puzzle that is closest to your rating."),
    "progress": ("puzzles_progress", "Show your rating, your streak and what you have solved."),
    "random": ("puzzles_try", "Try a random puzzle."),
    "rate": ("puzzles_rate", "Measure how hard puzzles are."),
    "try": ("puzzles_try", "Solve a puzzle yourself, against the best defence."),
}


@click.group("puzzles", cls=LazyGroup, lazy=_SUBCOMMANDS, invoke_without_command=True)
@filter_options
@browser_option
@json_option
@click.pass_context
def puzzles_group(
    context: click.Context,
    game_name: str | None,
    theme: str | None,
    level: int | None,
    players: int | None,
    browser: bool,
    as_json: bool,
) -> None:
    """List, try, make and verify puzzles.

    Without a subcommand the bundled puzzles are listed, as with `arena puzzles list`.

    \b
    Examples:
      arena puzzles next
      arena puzzles list --theme denying --level 3
      arena puzzles show doubt --answer
      arena puzzles --browser
    """
    command = context.invoked_subcommand
    wanted = PuzzleFilter(game_name, theme, players, level)
    if command is None:
        _list_puzzles(wanted, browser, as_json)
    elif as_json or browser or wanted != PuzzleFilter():
        raise click.UsageError(f"options belong after the subcommand: arena puzzles {command} ...")


@puzzles_group.command("list")
@filter_options
@browser_option
@json_option
def list_puzzles_command(
    game_name: str | None,
    theme: str | None,
    level: int | None,
    players: int | None,
    browser: bool,
    as_json: bool,
) -> None:
    """List the bundled puzzles from easy to hard.

    The level is from 1 to 5, the rating on the scale of your own (`arena puzzles progress`). Each
    game has its own themes. Once you have tried a puzzle, a column says what you made of it:
    solved, solved later, or missed.

    \b
    Examples:
      arena puzzles list
      arena puzzles list --theme denying --players 3
      arena puzzles list --level 5
      arena puzzles list --game secrets --json
    """
    _list_puzzles(PuzzleFilter(game_name, theme, players, level), browser, as_json)


def _list_puzzles(wanted: PuzzleFilter, browser: bool, as_json: bool) -> None:
    if browser:
        serve_puzzles(wanted=wanted)
        return
    puzzles = wanted.puzzles()
    progress = own_progress()
    if as_json:
        listed = [
            {**puzzle_json(puzzle), "mark": progress.marks.get(puzzle.name)} for puzzle in puzzles
        ]
        show_json("puzzles-list", {"puzzles": listed})
    elif puzzles:
        headers = ["puzzle", "level", "rating", "theme", "players"]
        rows = [_row(puzzle) for puzzle in puzzles]
        if progress.marks:
            headers.append("you")
            marks = (progress.marks.get(puzzle.name, "") for puzzle in puzzles)
            rows = [[*row, mark] for row, mark in zip(rows, marks, strict=True)]
        show_report(format_table(rows, headers, numbers=True))
    else:
        click.echo("No puzzles match.")


def _row(puzzle: files.Puzzle) -> list[object]:
    query = puzzle.query
    about = [puzzle.difficulty, puzzle.rating, puzzle.theme, query.position.players]
    return [puzzle.name, *about]


@puzzles_group.command("show")
@click.argument("name", shell_complete=complete_puzzles)
@click.option("--answer", is_flag=True, help="Also solve it and show the answer.")
@puzzle_nodes
@json_option
def show_puzzle_command(name: str, answer: bool, nodes: int, as_json: bool) -> None:
    """Show a puzzle: table, question and choices.

    NAME is a puzzle from `arena puzzles list` or a file.

    \b
    Examples:
      arena puzzles show one-of-theirs
      arena puzzles show one-of-theirs --answer
    """
    puzzle = files.load_puzzle(files.find_puzzle(name))
    began = monotonic()
    solved = solve_puzzle(puzzle, nodes)
    report = SolveReport(solved, monotonic() - began)
    if as_json:
        more = {"choices": list(solved.moves), "answer": report.as_json() if answer else None}
        meaning = [*_sentences(puzzle, solved), *_doubts(puzzle, solved)]
        line = {"line": puzzle_line(puzzle)}
        show_json("puzzles-show", {**puzzle_json(puzzle), **line, "meaning": meaning, **more})
        return
    click.echo(f"{puzzle.title}\n{wrap(puzzle.story)}\n")
    position = puzzle.query.position
    table = position.agreed_table(solved.worlds, solved.idle) if solved.hidden else solved.worlds[0]
    click.echo(puzzle.query.game.text.draw(table, None))
    doubts = "".join(f"\n{wrap(sentence)}" for sentence in _doubts(puzzle, solved))
    if doubts:
        click.echo(doubts)
    if answer:
        show_report(f"\n{report.as_text()}")
        return
    click.echo("\n" + "\n".join(map(wrap, _sentences(puzzle, solved))))
    choices = "\n".join(f"  {move}" for move in solved.moves)
    click.echo(f"\n{seat_name(solved.answer.question.seat)} can:\n{choices}")


def _sentences(puzzle: files.Puzzle, solved: Solution) -> list[str]:
    """The question, as the solver understood it, and what the puzzle asks for."""
    return [*solved.answer.sentences(), *filter(None, [measure_words(puzzle)])]


def _doubts(puzzle: files.Puzzle, solved: Solution) -> list[str]:
    """What the seat to move does not know, in sentences."""
    return puzzle.query.position.doubts(solved.worlds, solved.idle) if solved.hidden else []


@puzzles_group.command("share")
@click.argument("name", shell_complete=complete_puzzles)
def share_puzzle_command(name: str) -> None:
    """Print a puzzle as one line, to send to somebody.

    NAME is a puzzle from `arena puzzles list` or a file. The line has the question, not the answer.
    `arena puzzles try` takes it in quotes.

    \b
    Examples:
      arena puzzles share doubt
      arena puzzles try "$(arena puzzles share doubt)"
    """
    click.echo(puzzle_line(files.load_puzzle(files.find_puzzle(name))))


@puzzles_group.command("verify")
@click.argument("names", nargs=-1, shell_complete=complete_puzzles)
@puzzle_nodes
@json_option
def verify_puzzles_command(names: tuple[str, ...], nodes: int, as_json: bool) -> int:
    """Prove the answers of puzzles.

    NAMES are puzzles or files; default: all bundled puzzles. To be proven: the answer lists exactly
    the best first moves, their value is the claimed one, and some other move is worse. Exit code 1
    if a claim is wrong, or if the node limit was too low to tell.

    \b
    Examples:
      arena puzzles verify
      arena puzzles verify doubt my-puzzle.toml
    """
    results: list[dict[str, object]] = []
    for path in puzzle_paths(names):
        verdict, text, facts = _verified(path, nodes)
        results.append({"name": path.stem, **facts})
        if not as_json:
            show_report(f"{verdict:6}  {text}")
    proven = sum(each["problem"] is None for each in results)
    if as_json:
        show_json("puzzles-verify", {"proven": proven, "puzzles": results})
    else:
        click.echo(f"{proven} of {len(results)} puzzles are proven.")
    return 0 if proven == len(results) else FAILED


def _verified(path: Path, nodes: int) -> tuple[str, str, dict[str, object]]:
    """The verdict on a puzzle, a line about it, and the same as data."""
    budget, problem = NodeBudget(nodes), None
    try:
        files.prove(files.load_puzzle(path), budget, puzzle_policy)
        verdict, text = "proven", f"{path.stem} ({budget.nodes} positions)"
    except files.Undecided as error:
        problem = str(error)
        verdict, text = "open", f"{problem}; try more --nodes"
    except files.BadPuzzle as error:
        problem = text = str(error)
        verdict = "wrong"
    return verdict, text, {"verdict": verdict, "positions": budget.nodes, "problem": problem}


def puzzle_json(puzzle: files.Puzzle) -> dict[str, object]:
    """A puzzle without its answer."""
    return {
        "name": puzzle.name,
        "game": puzzle.query.game.name,
        "title": puzzle.title,
        "story": puzzle.story,
        "position": str(puzzle.query.position),
        "goal": puzzle.query.goal,
        "horizon": puzzle.query.horizon,
        "others": puzzle.query.others,
        "ask": puzzle.ask,
        "difficulty": puzzle.difficulty,
        "rating": puzzle.rating,
        "theme": puzzle.theme,
        "source": puzzle.source,
    }
