"""`arena solve`: the exact value of every move of a position."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import click

from arena.cli import colour
from arena.cli.console import show_json, show_report
from arena.cli.equilibrium_report import EquilibriumReport
from arena.cli.exit_codes import FAILED
from arena.cli.options import FILE_PATH, Number, game_option, json_option, nodes_option
from arena.cli.positions import (
    FromCommand,
    check_at,
    from_options,
    load_position,
    posed_in_game,
)
from arena.cli.solve_report import SolveReport
from arena.cli.solver_work import certificate_of, node_budget, save_certificate
from arena.cli.trust import warn_of_strangers
from arena.cli.verbosity import output_options
from arena.files import check_writable
from bots.runtime.mid_game import bot_policy
from games.errors import GameError
from games.questions import MOST_LISTED_WORLDS, PosedPosition
from games.registry import Game, game
from games.view import View
from solver.ask import EQUILIBRIUM, Query, solve_equilibrium_query, solve_query
from solver.certificates.writer import check_others
from solver.core.question import MOST_WORLDS, BadQuestion, Others


@click.command("solve", cls=FromCommand)
@click.argument("position", required=False)
@from_options
@click.option(
    "--goal",
    default="win",
    help="What the seat to move wants: win, deny:SEAT (SEAT must not win), or a faction or side.",
)
@click.option(
    "--horizon",
    default="turn",
    help="By when: turn (the current one), a number of turns, or end (of the game).",
)
@click.option(
    "--others",
    default=Others.COALITION.value,
    help="How the others play: coalition (against the goal), random, selfish (each for itself), "
    "bot:NAME, or equilibrium (two players only).",
)
@click.option(
    "--sight",
    type=click.Choice(["all", "own"]),
    show_default="own if a card is unknown, else all",
    help="Whether the seat to move sees all cards or only its own.",
)
@nodes_option("positions visited; beyond it the answer is only a bound")
@click.option(
    "--worlds",
    type=click.IntRange(1, MOST_LISTED_WORLDS),
    default=MOST_WORLDS,
    help="Most ways to fill in unknowns; beyond it values are computed or estimated without them.",
)
@click.option(
    "--seconds",
    type=Number(0),
    default=0.0,
    show_default="no limit",
    help="Time limit, 0: none; beyond it the answer is only a bound.",
)
@click.option("--certificate", type=FILE_PATH, help="Write a proof for `arena puzzles check`.")
@game_option
@json_option
@output_options
@click.pass_context
def solve_command(
    ctx: click.Context,
    position: str | None,
    source: str | None,
    at: int | None,
    goal: str,
    horizon: str,
    others: str,
    sight: str | None,
    nodes: int,
    worlds: int,
    seconds: float,
    certificate: Path | None,
    game_name: str,  # noqa: ARG001  (the context has it)
    as_json: bool,
) -> int:
    """Compute what every move of a position is worth.

    POSITION is a position as text, a file that contains one, or - for stdin. Instead, --from and
    --at name a moment of a saved game: with all cards open or, with --sight own, as the seat to
    move knew them. A card or leader written as ? is unknown: every way to fill it in is equally
    likely, and the seat to move decides by what it can see. In an equilibrium the seat that has the
    card or leader knows it, and the other does not. The answer starts with how the question was
    understood.

    With more ways to fill in unknown cards than --worlds, the seat's chance to win this turn is
    still computed; other values are estimated from sampled worlds, with an interval that holds at
    the confidence stated.

    Values are exact probabilities of reaching the goal. The line after a move is the best play of
    all sides, with the worst chance events. Ctrl-C prints the bounds so far. Exit code 1 if the
    answer is only a bound; then no certificate is written.

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
      arena solve --from runs/default.db 12 --at 36 --sight own
      arena solve --from game.jsonl --at 36 --horizon 2 --seconds 10
    """
    check_writable(certificate)
    rules, loaded, view = _posed(ctx, position, source, at, sight == "own")
    asked = Query(rules, loaded, goal, horizon, others, sight or "", worlds, view)
    if certificate is not None and others.startswith(f"{Others.BOT.value}:"):
        check_others(others)
    if others.startswith(f"{Others.BOT.value}:"):
        warn_of_strangers([others.removeprefix(f"{Others.BOT.value}:")])
    began = monotonic()
    if others == EQUILIBRIUM:
        if certificate is not None:
            raise BadQuestion("there are no certificates for equilibria; drop --certificate")
        with node_budget(nodes, "to stop", seconds) as budget:
            balanced = solve_equilibrium_query(asked, budget)
        _print(EquilibriumReport(balanced, monotonic() - began), as_json)
        return 0 if balanced.equilibrium.exact else FAILED
    with node_budget(nodes, seconds=seconds) as budget:
        solved = solve_query(asked, budget, bot_policy)
    _print(SolveReport(solved, monotonic() - began), as_json)
    if not solved.answer.exact:
        if certificate is not None:
            why = solved.answer.why
            colour.error(f"only exact answers can be certified, and this one is not: {why}")
        return FAILED
    if certificate is not None:
        save_certificate(certificate, certificate_of(solved, nodes))
    return 0


def _posed(
    ctx: click.Context, position: str | None, source: str | None, at: int | None, own: bool
) -> tuple[Game, PosedPosition, View | None]:
    """The game, the position to solve, and what its seat has observed if that is known."""
    check_at(source, at)
    if (position is None) == (source is None):
        raise GameError("give either a position or --from with --at")
    if source is not None and at is not None:
        return posed_in_game(ctx, source, at, own)
    rules = game(ctx.params["game_name"])
    return rules, load_position(rules, position or ""), None


def _print(report: EquilibriumReport | SolveReport, as_json: bool) -> None:
    if as_json:
        show_json("solve", report.as_json())
    else:
        show_report(report.as_text())
