"""`arena puzzles certify` and `check`: proofs as files, and a checker that does not trust them."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.solve import certificate_of, node_budget, save
from arena.files import check_writable
from bots.runtime.mid_game import hired
from games.errors import GameError
from solver.certificates.checker import Checked, check
from solver.certificates.format import BadCertificate, Certificate, read_certificate
from solver.certificates.writer import Uncertified
from solver.core.budget import USUAL_NODES
from solver.puzzles.files import Undecided, find_puzzle, load_puzzle, prove, puzzle_files

nodes_option = click.option(
    "--nodes",
    type=click.IntRange(0),
    default=USUAL_NODES,
    show_default=True,
    help="Positions looked at to write each certificate, at most.",
)


@click.command("certify")
@click.argument("name")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write it to this file instead of printing it.",
)
@nodes_option
def certify_command(name: str, out: Path | None, nodes: int) -> None:
    """Write the certificate of the puzzle NAME, or of the one in that file.

    A certificate holds the question, what every first move is worth, and a policy tree that proves
    it, as JSON that docs/formats.md describes. `arena puzzles check` checks it; so can you.

    \b
    Examples:
      arena puzzles certify doubt
      arena puzzles certify doubt --out doubt.json
      arena puzzles check doubt.json
    """
    check_writable(out)
    text = puzzle_certificate(find_puzzle(name), nodes)
    if out is None:
        click.echo(text, nl=False)
    else:
        save(out, text)


@click.command("check")
@click.argument("names", nargs=-1)
@nodes_option
def check_certificates(names: tuple[str, ...], nodes: int) -> int:
    """Check certificates: files (*.json), or those of the puzzles NAMES, or of all that come along.

    The checker follows the certificate move by move through the rules, and believes nothing but
    them; it shares no code with the search. A puzzle's certificate is written anew and then
    checked. Exit code 1 if one does not prove what it claims, and the moves to where it fails are
    named; or if there is none, because the answer is not exact or the others are bots.

    \b
    Examples:
      arena puzzles check
      arena puzzles check doubt my-puzzle.toml
      arena puzzles check ending.json
    """
    wanted = [find_certificate(name) for name in names] or puzzle_files()
    hold = 0
    for path in wanted:
        try:
            found = check_one(path, nodes)
        except GameError as error:
            verdict = "none   " if isinstance(error, Undecided | Uncertified) else "wrong  "
            where = "" if str(path) in str(error) else f"{path}: "
            click.echo(f"{verdict}  {where}{error}")
        else:
            hold += 1
            click.echo(f"checked  {told(path, found)}")
    click.echo(f"{hold} of {len(wanted)} certificates hold.")
    return 0 if hold == len(wanted) else 1


def find_certificate(name: str) -> Path:
    """The file of that name, or of the puzzle of that name, whose certificate can be written."""
    path = Path(name)
    if path.suffix != ".json":
        return find_puzzle(name)
    if not path.is_file():
        raise GameError(f"there is no file '{name}'")
    return path


def check_one(path: Path, nodes: int) -> Checked:
    """Check the certificate in the file, or of the puzzle in it."""
    if path.suffix == ".json":
        return check(load_certificate(path))
    return check(read_certificate(puzzle_certificate(path, nodes)))


def puzzle_certificate(path: Path, nodes: int) -> str:
    """The text of the certificate of the puzzle in the file."""
    with node_budget(nodes) as work:
        solved = prove(load_puzzle(path), work, hired)
    return certificate_of(solved, nodes)


def told(path: Path, found: Checked) -> str:
    """What was checked; and what was not, if anything."""
    said = f"{path.stem} ({found.positions} positions)"
    if found.open:
        moves = ", ".join(f"'{words}'" for words in found.open)
        said += f"; its plans achieve what is claimed, but whether others do better with {moves} "
        said += "was too much to look at"
    return said


def load_certificate(path: Path) -> Certificate:
    try:
        return read_certificate(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise BadCertificate("this is not a text file") from None
