"""`arena puzzles certify` and `check`: proofs as files, and an independent checker for them."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.completion import complete_puzzles
from arena.cli.console import show_json, show_report
from arena.cli.exit_codes import FAILED
from arena.cli.options import FILE_PATH, json_option, nodes_option
from arena.cli.solver_work import certificate_of, save_certificate, solve_puzzle
from arena.files import check_writable
from games.errors import GameError
from solver.certificates.check_file import check_text
from solver.certificates.checker import Checked
from solver.certificates.format import BadCertificate
from solver.certificates.writer import Uncertified
from solver.puzzles.files import Undecided, find_puzzle, load_puzzle, puzzle_files


@click.command("certify")
@click.argument("name", shell_complete=complete_puzzles)
@click.option("--out", type=FILE_PATH, help="Write it to this file; default: stdout.")
@nodes_option("positions visited to write the certificate")
def certify_command(name: str, out: Path | None, nodes: int) -> None:
    """Write a puzzle's certificate: a proof of its answer.

    NAME is a puzzle from `arena puzzles` or a file. The certificate is JSON (see docs/formats.md):
    the question, the value of every first move, and a policy tree that proves it. `arena puzzles
    check` checks it, and so can a program of yours.

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
        save_certificate(out, text)


@click.command("check")
@click.argument("names", nargs=-1)
@nodes_option("positions visited to write each certificate")
@json_option
def check_certificates_command(names: tuple[str, ...], nodes: int, as_json: bool) -> int:
    """Check certificates.

    NAMES are certificates (*.json), puzzles or puzzle files; default: all bundled puzzles. A
    puzzle's certificate is first written, then checked. The checker follows it move by move through
    the rules and shares no code with the search. Exit code 1 if a certificate does not prove its
    claim (the moves to the failure are printed), or if there is none, because the answer is not
    exact or the other players are bots.

    \b
    Examples:
      arena puzzles check
      arena puzzles check doubt my-puzzle.toml
      arena puzzles check ending.json
    """
    paths = [find_certificate(name) for name in names] or puzzle_files()
    results: list[dict[str, object]] = []
    for path in paths:
        try:
            checked = check_file(path, nodes)
            verdict, problem, text = "checked", None, checked_text(path, checked)
            facts = {"positions": checked.positions, "not_checked": list(checked.open)}
        except GameError as error:
            verdict = "none" if isinstance(error, Undecided | Uncertified) else "wrong"
            problem = str(error)
            text = problem if str(path) in problem else f"{path}: {problem}"
            facts = {"positions": None, "not_checked": []}
        results.append({"file": str(path), "verdict": verdict, "problem": problem, **facts})
        if not as_json:
            show_report(f"{verdict:7}  {text}")
    valid = sum(each["problem"] is None for each in results)
    if as_json:
        show_json("puzzles-check", {"valid": valid, "certificates": results})
    else:
        click.echo(f"{valid} of {len(paths)} certificates are valid.")
    return 0 if valid == len(paths) else FAILED


def find_certificate(name: str) -> Path:
    """The file of that name, or of the puzzle of that name."""
    if not name.endswith(".json"):
        return find_puzzle(name)
    if not Path(name).is_file():
        raise GameError(f"there is no file '{name}'")
    return Path(name)


def check_file(path: Path, nodes: int) -> Checked:
    """Check the certificate in the file, or that of the puzzle in it."""
    try:
        stored = path.suffix == ".json"
        text = path.read_text(encoding="utf-8") if stored else puzzle_certificate(path, nodes)
    except UnicodeDecodeError:
        raise BadCertificate("this is not a text file in UTF-8") from None
    return check_text(text)


def checked_text(path: Path, checked: Checked) -> str:
    """What was checked."""
    text = f"{path.stem} ({checked.positions} positions)"
    if checked.open:
        moves = ", ".join(f"'{words}'" for words in checked.open)
        text += "; its plans reach the claimed value, but whether there are better plans with "
        text += f"{moves} was too expensive to check"
    return text


def puzzle_certificate(path: Path, nodes: int) -> str:
    return certificate_of(solve_puzzle(load_puzzle(path), nodes), nodes)
