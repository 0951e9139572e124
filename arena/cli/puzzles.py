"""`arena puzzles`: the puzzles that come along, listed, tried, proven and rated; new ones made."""

from __future__ import annotations

import json
from time import monotonic

import click
from tabulate import tabulate

from arena.cli.certificates import certify_command, check_certificates
from arena.cli.options import HelpfulGroup, json_option
from arena.cli.play import WIDTH, filled
from arena.cli.puzzles_make import make
from arena.cli.puzzles_try import try_command
from arena.cli.solve import node_budget
from arena.cli.solve_report import SolveReport
from arena.lab.puzzle_difficulty import LADDER, SEEDS, SolveRates, solve_rates
from bots.runtime.mid_game import hired
from games.registry import game_names
from games.seats import seat_name
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.puzzles.files import (
    THEMES,
    BadPuzzle,
    Puzzle,
    Undecided,
    find_puzzle,
    load_puzzle,
    prove,
    puzzle_files,
)

nodes_option = click.option(
    "--nodes",
    type=click.IntRange(0),
    default=USUAL_NODES,
    show_default=True,
    help="Positions looked at for each puzzle, at most.",
)


@click.group(cls=HelpfulGroup, invoke_without_command=True)
@click.option("--game", "game_name", type=click.Choice(game_names()), help="Only of this game.")
@click.option("--theme", type=click.Choice(THEMES), help="Only of this theme.")
@click.option("--players", type=click.IntRange(1), help="Only for so many players.")
@json_option
@click.pass_context
def puzzles(
    context: click.Context,
    game_name: str | None,
    theme: str | None,
    players: int | None,
    as_json: bool,
) -> None:
    """List the puzzles, from easy to hard: their level is the difficulty, 1 to 5.

    \b
    Examples:
      arena puzzles
      arena puzzles --theme denying --players 3
      arena puzzles show doubt
      arena puzzles show doubt --answer
      arena puzzles try doubt
      arena puzzles verify
      arena puzzles verify my-puzzle.toml
      arena puzzles rate
      arena puzzles check
      arena puzzles make --count 5
    """
    if context.invoked_subcommand is not None:
        return
    found = [
        one
        for one in sorted(map(load_puzzle, puzzle_files()), key=lambda one: one.rank)
        if game_name in (None, one.asked.game.name)
        and theme in (None, one.theme)
        and players in (None, one.asked.position.players)
    ]
    if as_json:
        click.echo(json.dumps([as_told(one) for one in found], indent=2))
        return
    rows = [
        [
            one.name,
            one.asked.game.title,
            one.difficulty,
            one.theme,
            one.asked.position.players,
            one.title,
        ]
        for one in found
    ]
    headers = ["puzzle", "game", "level", "theme", "players", "title"]
    click.echo(tabulate(rows, headers=headers) if rows else "There are no such puzzles.")


puzzles.add_command(try_command)
puzzles.add_command(certify_command)
puzzles.add_command(check_certificates)
puzzles.add_command(make)


@puzzles.command()
@click.argument("name")
@click.option("--answer", is_flag=True, help="Also the answer, worked out anew.")
@nodes_option
def show(name: str, answer: bool, nodes: int) -> None:
    """Show the puzzle NAME, or the one in that file: table, question and, if asked for, answer.

    \b
    Examples:
      arena puzzles show one-of-theirs
      arena puzzles show one-of-theirs --answer
    """
    puzzle = load_puzzle(find_puzzle(name))
    began = monotonic()
    with node_budget(nodes) as work:
        solved = prove(puzzle, work, hired)
    rules, table = puzzle.asked.game, solved.worlds[0]
    choices = "\n".join(f"  {rules.text.move(table, one.move)}" for one in solved.answer.values)
    click.echo(f"{puzzle.title}\n{filled(puzzle.story)}\n")
    # Of several worlds, or hands that are out of account, none may be drawn as if it were true.
    alone = len(solved.worlds) == 1 and not solved.idle
    click.echo(rules.text.draw(table, None) if alone else in_lines(str(puzzle.asked.position)))
    if answer:
        click.echo(f"\n{SolveReport(solved, monotonic() - began).as_text()}")
        return
    click.echo("\n" + "\n".join(filled(one) for one in solved.answer.sentences()))
    click.echo(f"\n{seat_name(solved.answer.question.seat)} can:\n{choices}")


def in_lines(position: str) -> str:
    """The position in lines that fit a terminal, broken between fields: still a position."""
    lines: list[str] = []
    for field in position.split("; "):
        if lines and len(lines[-1]) + 2 + len(field) <= WIDTH:
            lines[-1] += f"; {field}"
        else:
            lines.append(field)
    return "\n".join(lines)


@puzzles.command()
@click.argument("names", nargs=-1)
@nodes_option
def verify(names: tuple[str, ...], nodes: int) -> int:
    """Prove the puzzles NAMES (names or files), or all that come along.

    Proven is that the answer holds exactly the best first moves, that their value is the one
    claimed, and that not every move is as good. Exit code 1 if a puzzle claims what is not so, or
    if that was too much to look at.

    \b
    Examples:
      arena puzzles verify
      arena puzzles verify doubt my-puzzle.toml
    """
    paths = [find_puzzle(name) for name in names] or puzzle_files()
    proven = 0
    for path in paths:
        work = NodeBudget(nodes)
        try:
            prove(load_puzzle(path), work, hired)
        except Undecided as error:
            click.echo(f"open    {error}; more --nodes may do")
        except BadPuzzle as error:
            click.echo(f"wrong   {error}")
        else:
            proven += 1
            click.echo(f"proven  {path.stem} ({work.nodes} positions)")
    click.echo(f"{proven} of {len(paths)} puzzles are proven.")
    return 0 if proven == len(paths) else 1


@puzzles.command()
@click.argument("names", nargs=-1)
@click.option(
    "--seeds",
    type=click.IntRange(1, 10_000),
    default=SEEDS,
    show_default=True,
    help="Tries of each bot; claimed difficulties are by the usual number.",
)
@nodes_option
@json_option
def rate(names: tuple[str, ...], seeds: int, nodes: int, as_json: bool) -> None:
    """Tell how often bots find a best first move of the puzzles NAMES (names or files), or of all.

    The bots, from weak to strong, join the table at the puzzle's position and see what lies open
    and their own cards, also where the puzzle is about all cards open. A bot that finds a best move
    in fewer than half of its tries fails. The difficulty is 1 and the number of bots that fail.
    The same seeds give the same table on every machine.

    \b
    Examples:
      arena puzzles rate
      arena puzzles rate doubt my-puzzle.toml --seeds 50
      arena puzzles rate --json
    """
    paths = [find_puzzle(name) for name in names] or puzzle_files()
    rated: list[tuple[Puzzle, SolveRates]] = []
    for path in paths:
        puzzle = load_puzzle(path)
        solved = prove(puzzle, NodeBudget(nodes), hired)
        best = {one.move for one in puzzle.best(solved.answer)}
        rated.append((puzzle, solve_rates(puzzle.asked.game, solved.worlds, best, seeds)))
    click.echo(json.dumps(as_rated(rated), indent=2) if as_json else rates_table(rated))


def rates_table(rated: list[tuple[Puzzle, SolveRates]]) -> str:
    """The rates for a person."""
    rows = [
        [puzzle.name, puzzle.difficulty, rates.difficulty]
        + [f"{float(share):.0%}" for share in rates.shares.values()]
        for puzzle, rates in rated
    ]
    failed = [sum(bot in rates.failed for _, rates in rated) for bot in LADDER]
    told = (f"{bot} {many}" for bot, many in zip(LADDER, failed, strict=True))
    bots = [bot.replace(":", ":\n") for bot in LADDER]  # in two lines, or the table is too wide
    headers = ["puzzle", "claimed", "rated", *bots]
    aligned = ("left", *("right",) * (len(headers) - 1))
    table = tabulate(rows, headers=headers, colalign=aligned)
    return f"{table}\n\nFailed, of {len(rated)}: {', '.join(told)}."


def as_rated(rated: list[tuple[Puzzle, SolveRates]]) -> list[dict[str, object]]:
    """The rates for programs."""
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


def as_told(puzzle: Puzzle) -> dict[str, object]:
    """A puzzle without its answer."""
    return {
        "name": puzzle.name,
        "game": puzzle.asked.game.name,
        "title": puzzle.title,
        "story": puzzle.story,
        "position": str(puzzle.asked.position),
        "goal": puzzle.asked.goal,
        "horizon": puzzle.asked.horizon,
        "others": puzzle.asked.others,
        "ask": puzzle.ask,
        "difficulty": puzzle.difficulty,
        "theme": puzzle.theme,
        "source": puzzle.source,
    }
