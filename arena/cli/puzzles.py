"""`arena puzzles`: lists, shows, verifies and rates puzzles; other subcommands have own modules."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import Final

import click
from click.decorators import FC

from arena.cli.completion import complete_puzzles
from arena.cli.console import format_table, show_json, show_report, wrap, wrap_fields
from arena.cli.exit_codes import FAILED
from arena.cli.lazy_group import LazyGroup
from arena.cli.options import GameChoice, json_option, nodes_option
from arena.cli.solve_report import SolveReport
from arena.cli.solver_work import solve_puzzle
from arena.lab.puzzle_difficulty import LADDER, TRIES, SolveRates, solve_rates
from bots.runtime.mid_game import bot_policy
from games.seats import seat_name
from solver.core.budget import NodeBudget
from solver.puzzles import files
from solver.puzzles.themes import all_themes

_SUBCOMMANDS: Final = {
    "certify": ("certificates", "Write a puzzle's certificate: a proof of its answer."),
    "check": ("certificates", "Check certificates."),
    "make": ("puzzles_make", "Make puzzles."),
    "try": ("puzzles_try", "Solve a puzzle yourself, against the best defence."),
}
_puzzle_nodes = nodes_option("positions visited for each puzzle")


def filter_options(command: FC) -> FC:
    """Which puzzles to list, and how."""
    for option in (
        json_option,
        click.option("--players", type=click.IntRange(1), help="Only for this many players."),
        click.option("--theme", type=click.Choice(all_themes()), help="Only of this theme."),
        click.option("--game", "game_name", type=GameChoice(), help="Only of this game."),
    ):
        command = option(command)
    return command


@click.group("puzzles", cls=LazyGroup, lazy=_SUBCOMMANDS, invoke_without_command=True)
@filter_options
@click.pass_context
def puzzles_group(
    context: click.Context,
    game_name: str | None,
    theme: str | None,
    players: int | None,
    as_json: bool,
) -> None:
    """List, try, make and verify puzzles.

    Without a subcommand the bundled puzzles are listed, as with `arena puzzles list`.

    \b
    Examples:
      arena puzzles list --theme denying --players 3
      arena puzzles show doubt --answer
      arena puzzles try doubt
    """
    command = context.invoked_subcommand
    if command is None:
        _list_puzzles(game_name, theme, players, as_json)
    elif as_json or (game_name, theme, players) != (None, None, None):
        raise click.UsageError(f"options belong after the subcommand: arena puzzles {command} ...")


@puzzles_group.command("list")
@filter_options
def list_puzzles_command(
    game_name: str | None, theme: str | None, players: int | None, as_json: bool
) -> None:
    """List the bundled puzzles from easy to hard, with their level from 1 to 5.

    \b
    Examples:
      arena puzzles list
      arena puzzles list --theme denying --players 3
      arena puzzles list --game secrets --json
    """
    _list_puzzles(game_name, theme, players, as_json)


def _list_puzzles(
    game_name: str | None, theme: str | None, players: int | None, as_json: bool
) -> None:
    bundled = sorted(map(files.load_puzzle, files.puzzle_files()), key=lambda puzzle: puzzle.rank)
    puzzles = [
        puzzle
        for puzzle in bundled
        if game_name in (None, puzzle.query.game.name)
        and theme in (None, puzzle.theme)
        and players in (None, puzzle.query.position.players)
    ]
    if as_json:
        show_json("puzzles-list", {"puzzles": [puzzle_json(puzzle) for puzzle in puzzles]})
    elif puzzles:
        headers = ["puzzle", "game", "level", "theme", "players"]
        show_report(format_table([_row(puzzle) for puzzle in puzzles], headers, numbers=True))
    else:
        click.echo("No puzzles match.")


def _row(puzzle: files.Puzzle) -> list[object]:
    about, query = [puzzle.difficulty, puzzle.theme], puzzle.query
    return [puzzle.name, query.game.title, *about, query.position.players]


@puzzles_group.command("show")
@click.argument("name", shell_complete=complete_puzzles)
@click.option("--answer", is_flag=True, help="Also solve it and show the answer.")
@_puzzle_nodes
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
        meaning = solved.answer.sentences()
        show_json("puzzles-show", {**puzzle_json(puzzle), "meaning": meaning, **more})
        return
    click.echo(f"{puzzle.title}\n{wrap(puzzle.story)}\n")
    # With unknown cards no world may be drawn as if it were the true one.
    if len(solved.worlds) == 1 and not solved.idle:
        click.echo(puzzle.query.game.text.draw(solved.worlds[0], None))
    else:
        click.echo(wrap_fields(str(puzzle.query.position)))
    if answer:
        show_report(f"\n{report.as_text()}")
        return
    click.echo("\n" + "\n".join(map(wrap, solved.answer.sentences())))
    choices = "\n".join(f"  {move}" for move in solved.moves)
    click.echo(f"\n{seat_name(solved.answer.question.seat)} can:\n{choices}")


@puzzles_group.command("verify")
@click.argument("names", nargs=-1, shell_complete=complete_puzzles)
@_puzzle_nodes
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
    found: list[dict[str, object]] = []
    for path in _paths(names):
        budget, problem = NodeBudget(nodes), None
        try:
            files.prove(files.load_puzzle(path), budget, bot_policy)
            verdict, text = "proven", f"{path.stem} ({budget.nodes} positions)"
        except files.Undecided as error:
            problem = str(error)
            verdict, text = "open", f"{problem}; try more --nodes"
        except files.BadPuzzle as error:
            problem = text = str(error)
            verdict = "wrong"
        facts = {"verdict": verdict, "positions": budget.nodes, "problem": problem}
        found.append({"name": path.stem, **facts})
        if not as_json:
            show_report(f"{verdict:6}  {text}")
    proven = sum(each["problem"] is None for each in found)
    if as_json:
        show_json("puzzles-verify", {"proven": proven, "puzzles": found})
    else:
        click.echo(f"{proven} of {len(found)} puzzles are proven.")
    return 0 if proven == len(found) else FAILED


@puzzles_group.command("rate")
@click.argument("names", nargs=-1, shell_complete=complete_puzzles)
@click.option(
    "--seeds",
    type=click.IntRange(1, 10_000),
    default=TRIES,
    help="Attempts by each bot; difficulties in puzzle files come from the default.",
)
@_puzzle_nodes
@json_option
def rate_puzzles_command(names: tuple[str, ...], seeds: int, nodes: int, as_json: bool) -> None:
    """Measure how often bots find a best first move of puzzles.

    NAMES are puzzles or files; default: all bundled puzzles. The bots, from weak to strong, join at
    the puzzle's position and see only open cards and their own, even if the puzzle shows all. A bot
    fails if it finds a best move in fewer than half of its attempts. The difficulty is 1 plus the
    number of bots that fail. The same seeds give the same table on every machine.

    \b
    Examples:
      arena puzzles rate
      arena puzzles rate doubt my-puzzle.toml --seeds 50
      arena puzzles rate --json
    """
    rated: list[tuple[files.Puzzle, SolveRates]] = []
    for path in _paths(names):
        puzzle = files.load_puzzle(path)
        solved = files.prove(puzzle, NodeBudget(nodes), bot_policy)
        best = {value.move for value in puzzle.best(solved.answer)}
        rated.append((puzzle, solve_rates(puzzle.query.game, solved.worlds, best, seeds)))
    if as_json:
        show_json("puzzles-rate", {"puzzles": rates_json(rated)})
    else:
        show_report(rates_table(rated))


def _paths(names: tuple[str, ...]) -> list[Path]:
    """The files of these puzzles; of all bundled ones if none is named."""
    return [files.find_puzzle(name) for name in names] or files.puzzle_files()


def rates_table(rated: list[tuple[files.Puzzle, SolveRates]]) -> str:
    rows = [
        [puzzle.name, puzzle.difficulty, rates.difficulty]
        + [f"{float(share):.0%}" for share in rates.shares.values()]
        for puzzle, rates in rated
    ]
    failed = {bot: sum(bot in rates.failed for _, rates in rated) for bot in LADDER}
    counts = ", ".join(f"{bot} {count}" for bot, count in failed.items())
    bots = [bot.replace(":iterations=", "\n") for bot in LADDER]  # or the table is too wide
    headers = ["puzzle", "old", "new", *bots]
    text = format_table(rows, headers, align=("left", *("right",) * (len(headers) - 1)))
    legend = "Levels: old is that of the puzzle's file, new what these attempts say."
    return f"{text}\n\n{legend}\n" + wrap(f"Failed, of {len(rated)}: {counts}.")


def rates_json(rated: list[tuple[files.Puzzle, SolveRates]]) -> list[dict[str, object]]:
    return [
        {
            "name": puzzle.name,
            "claimed": puzzle.difficulty,
            "difficulty": rates.difficulty,
            "seeds": rates.seeds,
            "found": dict(zip(LADDER, rates.found, strict=True)),
        }
        for puzzle, rates in rated
    ]


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
        "theme": puzzle.theme,
        "source": puzzle.source,
    }
