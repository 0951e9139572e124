"""`arena puzzles`: the puzzles that come along, listed, shown, tried and proven."""

from __future__ import annotations

import json
from time import monotonic

import click
from tabulate import tabulate

from arena.certificate_command import certify_command, check_certificates
from arena.options import json_option
from arena.solution import Solution
from arena.solve_command import effort
from arena.try_command import try_command
from games.replay import seat_name
from solver.effort import USUAL_NODES, Effort
from solver.puzzles import BadPuzzle, Puzzle, find_puzzle, load_puzzle, prove, puzzle_files

nodes_option = click.option(
    "--nodes",
    type=click.IntRange(0),
    default=USUAL_NODES,
    show_default=True,
    help="Positions looked at for each puzzle, at most.",
)


@click.group(invoke_without_command=True)
@json_option
@click.pass_context
def puzzles(context: click.Context, as_json: bool) -> None:
    """List the puzzles, from easy to hard.

    \b
    Examples:
      arena puzzles
      arena puzzles show doubt
      arena puzzles show doubt --answer
      arena puzzles try doubt
      arena puzzles verify
      arena puzzles verify my-puzzle.toml
      arena puzzles check
    """
    if context.invoked_subcommand is not None:
        return
    found = sorted(
        (load_puzzle(path) for path in puzzle_files()), key=lambda one: (one.difficulty, one.name)
    )
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
    headers = ["puzzle", "game", "difficulty", "theme", "players", "title"]
    click.echo(tabulate(rows, headers=headers))


puzzles.add_command(try_command)
puzzles.add_command(certify_command)
puzzles.add_command(check_certificates)


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
    with effort(nodes) as work:
        solved = prove(puzzle, work)
    rules, table = puzzle.asked.game, solved.worlds[0]
    choices = "\n".join(f"  {rules.move_text(table, one.move)}" for one in solved.answer.values)
    click.echo(f"{puzzle.title}\n{puzzle.story}\n")
    # Of several worlds none may be drawn as if it were the true one.
    alone = len(solved.worlds) == 1
    click.echo(rules.draw(table, None) if alone else str(puzzle.asked.position))
    if answer:
        click.echo(f"\n{Solution(solved, monotonic() - began).as_text()}")
        return
    click.echo("\n" + "\n".join(solved.answer.sentences()))
    click.echo(f"\n{seat_name(solved.answer.question.seat)} can:\n{choices}")


@puzzles.command()
@click.argument("names", nargs=-1)
@nodes_option
def verify(names: tuple[str, ...], nodes: int) -> int:
    """Prove the puzzles NAMES (names or files), or all that come along.

    Proven is that the answer holds exactly the best first moves, that their value is the one
    claimed, and that not every move is as good. Exit code 1 if a puzzle claims what is not so.

    \b
    Examples:
      arena puzzles verify
      arena puzzles verify doubt my-puzzle.toml
    """
    paths = [find_puzzle(name) for name in names] or puzzle_files()
    wrong = 0
    for path in paths:
        work = Effort(nodes)
        try:
            prove(load_puzzle(path), work)
        except BadPuzzle as error:
            wrong += 1
            click.echo(f"wrong   {error}")
        else:
            click.echo(f"proven  {path.stem} ({work.nodes} positions)")
    click.echo(f"{len(paths) - wrong} of {len(paths)} puzzles are proven.")
    return 1 if wrong else 0


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
