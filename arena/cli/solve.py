"""`arena solve`: the exact value of every move of a position."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Final

import click

from arena.cli.equilibrium_report import EquilibriumReport
from arena.cli.options import game_option, json_option
from arena.cli.solve_report import SolveReport
from arena.files import check_writable, write_file
from bots.runtime.mid_game import hired
from games.errors import GameError, WrongGame
from games.questions import PosedPosition
from games.registry import Game, game, read_position
from solver.ask import EQUILIBRIUM, Asked, Solved, solve, solve_balanced
from solver.certificates.format import write_certificate
from solver.certificates.writer import certify, check_others
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.core.question import MOST_WORLDS, BadQuestion, Others

PATIENCE: Final = 2.0
"""Seconds before work counts as long, and between two words about it where none can be redrawn."""

NOT_EXACT: Final = 1
FOR_BOUNDS: Final = "for the bounds so far"


@click.command("solve")
@click.argument("position")
@click.option(
    "--goal",
    default="win",
    show_default=True,
    help="What the seat to move wants: win, deny:SEAT, or the faction or side that is to win.",
)
@click.option(
    "--horizon",
    default="turn",
    show_default=True,
    help="By when: turn (this one), a number of turns, or end.",
)
@click.option(
    "--others",
    default=Others.COALITION.value,
    show_default=True,
    help="coalition (all against the goal), random (choosing evenly), selfish (each for itself), "
    "bot:NAME (each is that bot) or equilibrium (two players).",
)
@click.option(
    "--sight",
    type=click.Choice(["all", "own"]),
    help="Whether the seat to move sees all cards or only its own; else own if any is unknown.",
)
@click.option(
    "--nodes",
    type=click.IntRange(0),
    default=USUAL_NODES,
    show_default=True,
    help="Positions looked at, at most; after that the answer is a bound.",
)
@click.option(
    "--worlds",
    type=click.IntRange(1),
    default=MOST_WORLDS,
    show_default=True,
    help="Ways to fill in what is unknown, at most.",
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write the proof to this file, for `arena puzzles check`.",
)
@game_option
@json_option
def solve_command(
    position: str,
    goal: str,
    horizon: str,
    others: str,
    sight: str | None,
    nodes: int,
    worlds: int,
    certificate: Path | None,
    game_name: str,
    as_json: bool,
) -> int:
    """Work out what every legal move of POSITION is worth.

    POSITION is a position as text, a file that holds one, or - for what comes in. A card or leader
    written as ? is not known: then every way to fill it in counts alike, and the seat to move
    chooses by what it perceives alone; in an equilibrium the seat that has the card or leader knows
    it, and the other does not. The answer says how all of this was understood. Values are chances
    of the goal as fractions; a line shows how it goes on if luck is unkind. Ctrl-C gives the bounds
    known so far. Exit code 1 if the answer is a bound and not exact; of such an answer no
    certificate is written.

    \b
    Examples:
      arena solve "threshold 2; red 6; A leader Xiadul hand ShSo FrFr open FlKn; B leader Cyra"
      arena solve ending.txt --horizon 2 --others random
      arena solve ending.txt --horizon 2 --others bot:ismcts:iterations=200
      arena solve ending.txt --goal deny:B --horizon end --json
      arena solve ending.txt --goal water --sight own
      arena solve --game secrets last-turn.txt --goal kgb --others selfish
      arena solve ending.txt --certificate ending.json
      arena solve duel.txt --others equilibrium
    """
    check_writable(certificate)
    rules = game(game_name)
    asked = Asked(rules, load(rules, position), goal, horizon, others, sight or "", worlds)
    if certificate is not None and others.startswith(f"{Others.BOT.value}:"):
        check_others(others)
    began = monotonic()
    if others == EQUILIBRIUM:
        if certificate is not None:
            raise BadQuestion("there are no certificates of equilibria")
        with node_budget(nodes, "to stop") as work:
            balanced = solve_balanced(asked, work)
        show(EquilibriumReport(balanced, monotonic() - began), as_json)
        return 0 if balanced.equilibrium.exact else NOT_EXACT
    with node_budget(nodes) as work:
        solved = solve(asked, work, hired)
    show(SolveReport(solved, monotonic() - began), as_json)
    if certificate is not None:
        save(certificate, certificate_of(solved, nodes))
    return 0 if solved.answer.exact else NOT_EXACT


def show(answer: EquilibriumReport | SolveReport, as_json: bool) -> None:
    click.echo(json.dumps(answer.as_json(), indent=2) if as_json else answer.as_text())


def certificate_of(solved: Solved, nodes: int) -> str:
    """The text of the answer's certificate, for as much effort as the answer may cost."""
    with node_budget(nodes) as work:
        return write_certificate(certify(solved, work))


def save(out: Path, text: str) -> None:
    write_file(out, text)
    click.echo(f"wrote {out}", err=True)


def load(rules: Game, source: str) -> PosedPosition:
    """The position in the file of that name, in what comes in, or in the words themselves."""
    text, where = source_text(source)
    if not text.strip():
        raise GameError(f"{where or 'the position: '}there is nothing in it")
    try:
        return read_position(rules, text)
    except WrongGame as error:
        raise GameError(f"{where}{error}: try --game {error.other}") from None
    except GameError as error:
        raise GameError(f"{where}{error}") from None


def source_text(source: str) -> tuple[str, str]:
    """The text of the position, and what to put before complaints about it."""
    if source == "-":
        try:
            return sys.stdin.read(), ""
        except UnicodeDecodeError:
            raise GameError("what comes in is not text") from None
    if not source.strip() or " " in source.strip() or ";" in source:
        return source, ""
    try:
        return Path(source).read_text(encoding="utf-8-sig"), f"{source}: "
    except FileNotFoundError:
        raise GameError(f"'{source}' is neither a file nor a position") from None
    except IsADirectoryError:
        raise GameError(f"'{source}' is a folder, not a file that holds a position") from None
    except UnicodeDecodeError:
        raise GameError(f"'{source}' is not a text file") from None


@contextmanager
def node_budget(nodes: int, purpose: str = FOR_BOUNDS) -> Iterator[NodeBudget]:
    """Effort that the first Ctrl-C ends, for that purpose; a second one breaks off."""
    ticker = Ticker(purpose)
    work = NodeBudget(nodes, ticker.show)
    before = signal.getsignal(signal.SIGINT)

    def stop(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        work.stop()

    signal.signal(signal.SIGINT, stop)
    try:
        yield work
    finally:
        signal.signal(signal.SIGINT, before)
        ticker.close()


class Ticker:
    """Says on stderr how far long work has come: in one line where that can be redrawn."""

    def __init__(self, purpose: str) -> None:
        self.purpose = purpose
        self.live = sys.stderr.isatty()
        self.began = self.shown = monotonic()

    def show(self, nodes: int) -> None:
        now = monotonic()
        if now - self.shown < (0.2 if self.live and self.shown > self.began else PATIENCE):
            return
        self.shown = now
        said = f"{nodes} positions, {now - self.began:.0f} s; Ctrl-C {self.purpose}"
        click.echo(f"\r{said}" if self.live else said, nl=not self.live, err=True)

    def close(self) -> None:
        if self.live and self.shown > self.began:
            click.echo(err=True)
