"""`arena show`: one saved game, move by move, as a table, as a position, or step by step."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.console import show_json, wrap
from arena.cli.options import FILE_PATH, json_option, seat_number
from arena.cli.saved_games import LoadedGame, load_game
from arena.cli.stepper import step_through
from arena.match.game_view import GameView, seat_names
from games.errors import GameError
from games.seats import seat_name
from games.state import NOBODY


@click.command("show")
@click.argument("source", type=FILE_PATH, metavar="RUN|FILE.jsonl")
@click.argument("number", metavar="[GAME]", type=click.IntRange(0), required=False)
@click.option("--view", "seat", help="Only what seat A, B, ... can see.")
@click.option(
    "--at",
    type=click.IntRange(0),
    metavar="N",
    help="Draw the table after N moves, as they are numbered here; 0 is the table after the deal.",
)
@click.option(
    "--position",
    "as_position",
    is_flag=True,
    help="Print the position there as `arena solve` reads it; without --at that of the end.",
)
@click.option("--step", is_flag=True, help="Walk through the game with the arrow keys.")
@json_option
def show_command(
    source: Path,
    number: int | None,
    seat: str | None,
    at: int | None,
    as_position: bool,
    step: bool,
    as_json: bool,
) -> None:
    """Print a saved game move by move.

    RUN is the run file of a league and GAME the number of a game in it; FILE.jsonl is a replay,
    from `arena match --replay`, `arena play --replay` or `arena export`.

    Every choice of a seat is a move and has a number. What chance brought, and what else came to
    light, stands in brackets after the move. With --view, only what that seat saw is printed.

    \b
    Examples:
      arena show runs/default.db 17
      arena show runs/default.db 17 --view B
      arena show game.jsonl --at 36
      arena show game.jsonl --at 36 --position --view A
      arena show game.jsonl --step
    """
    if step + as_position + as_json > 1:
        raise click.UsageError("use only one of --step, --position and --json")
    loaded = load_game(source, number)
    watching = None if seat is None else seat_number(seat, loaded.replay.players)
    shown = GameView(loaded.replay, watching)
    if at is not None and at > shown.length:
        raise GameError(f"--at {at} is beyond the end: {loaded.where} has {shown.length} moves")
    header = shown.header(loaded.where, loaded.fault)
    if as_json:
        show_json("show", game_json(shown, loaded, shown.length if at is None else at))
    elif step:
        step_through(shown, header, at or 0)
    elif as_position:
        click.echo(shown.position(shown.length if at is None else at))
    elif at is not None:
        _print_lines(header)
        click.echo(f"\n{shown.moment(at)}\n\n{shown.table(at)}")
    else:
        _print_story(shown, header, loaded)


def game_json(shown: GameView, loaded: LoadedGame, at: int) -> dict[str, object]:
    """The game as far as the reader may see it, and the position after so many moves."""
    replay, rules, end = shown.replay, shown.rules, loaded.replay.state()
    bots = zip(seat_names(replay), shown.roles(), strict=True)
    return {
        "game": rules.name,
        "where": loaded.where,
        "options": replay.options,
        "seed": replay.extra.get("seed") if shown.seat is None else None,
        "view": None if shown.seat is None else seat_name(shown.seat),
        "seats": [
            {"seat": seat_name(seat), "bot": bot, "role": role or None}
            for seat, (bot, role) in enumerate(bots)
        ],
        "winners": [seat_name(seat) for seat in end.winners()] if end.actor == NOBODY else None,
        "turn_limit": rules.hit_turn_limit(end),
        "fault": loaded.fault or None,
        "result": shown.result(loaded.fault),
        "moves": [vars(move) for move in shown.moves],
        "at": at,
        "position": None if rules.positions is None else shown.position(at),
    }


def _print_lines(lines: list[str]) -> None:
    for line in lines:
        click.echo(wrap(line, indent=4))


def _print_story(shown: GameView, header: list[str], loaded: LoadedGame) -> None:
    _print_lines(header)
    for line in shown.story():
        click.echo(wrap(line, indent=7 if line.startswith(" ") else 4))
    click.echo("\n" + shown.table(shown.length))
    _print_lines(shown.result(loaded.fault)[-1:])
    if loaded.output and shown.seat is None:
        click.echo(f"\nPrinted by bots:\n{loaded.output}")
