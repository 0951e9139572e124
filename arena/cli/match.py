"""`arena match`: one game between bots, move by move or only its result."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli import options
from arena.cli.positions import FromCommand, load_start, start_options
from arena.files import check_writable, write_file
from arena.league.config import game_options
from arena.match.bot_factory import bot_factory
from arena.match.narrator import Narrator
from arena.match.referee import BotFault, run_game
from arena.sandbox.bot_process import Limits
from arena.seeds import MOST_LEAGUE_SEED
from bots.bot import Budget
from games.errors import GameError
from games.registry import game
from games.replay import redact, write_replay
from games.state import State


@click.command("match", cls=FromCommand)
@click.argument("names", nargs=-1, required=True, metavar="BOT BOT ...")
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_LEAGUE_SEED),
    default=1,
    help="The same seed gives the same game, on every machine and engine.",
)
@options.game_option
@click.option("--option", "settings", multiple=True, help="A game option, like deck=beginner.")
@start_options
@click.option("--show", is_flag=True, help="Print every move, and the table at the end.")
@click.option("--view", "seat", help="With --show or --replay: only what seat A, B, ... can see.")
@options.iterations_option
@options.seconds_option
@click.option("--isolate", is_flag=True, help="Run every bot in its own process and sandbox.")
@click.option(
    "--move-limit",
    type=options.Number(0.01),
    help="Seconds per decision after which a bot in its own process loses.",
)
@click.option(
    "--replay", type=options.FILE_PATH, help="Save the game, or what --view sees, as JSON lines."
)
@click.pass_context
def match_command(
    ctx: click.Context,
    names: tuple[str, ...],
    seed: int,
    game_name: str,
    settings: tuple[str, ...],
    position: str | None,
    source: str | None,
    at: int | None,
    show: bool,
    seat: str | None,
    iterations: int | None,
    seconds: float | None,
    isolate: bool,
    move_limit: float | None,
    replay: Path | None,
) -> None:
    """Play one game between bots.

    The bots take seats A, B, ... in the order given. The same seed and bots give the same game,
    unless a bot searches by the clock. A bot is a name from `arena bots`, module:Class,
    file.py:Class, or a program in any language as 'cmd:COMMAND LINE'.

    With --position or --from the bots play on in the middle of a game, and the seed decides what
    chance brings from there on. After --from each bot knows what its seat has seen so far; in a
    position, the open cards, its own, and what the position says it knows. A card or leader written
    as ? is drawn by the seed.

    \b
    Examples:
      arena match greedy random random --show
      arena match ismcts:iterations=500 greedy --seed 7
      arena match my_bot.py:MyBot greedy greedy greedy --show --view A
      arena match 'cmd:node examples/remote/first.mjs' greedy
      arena match their_bot.py:TheirBot greedy --isolate --move-limit 5
      arena match greedy ismcts --from runs/default.db 12 --at 36 --show
      arena match greedy random --position "red 9; A leader Cyra hand CrCa; B leader ? hand ?x3"
    """
    start = load_start(ctx, position, source, at)
    rules = game(start.played.game if start else game_name)
    rules.check_players(len(names))
    if start is not None:
        start.check_players(len(names), f"{len(names)} bots are named")
        if settings:
            raise GameError("--option does not go with --position or --from, which set them")
    check_writable(replay)
    limits, budget = Limits(move=move_limit or 0.0), Budget(iterations or 0, seconds or 0.0)
    factories = [bot_factory(name, isolate, limits) for name in names]
    watching = None if seat is None else options.seat_number(seat, len(names))
    narrator = Narrator(rules, names, watching)

    def watch(state: State, move: int, reason: str) -> None:
        if show:
            click.echo(narrator.line(state, move, reason))

    try:
        opening = start.opening(seed) if start else None
        played = game_options(settings), budget, watch
        result = run_game(rules, factories, seed, *played, opening=opening)
    except BotFault as fault:
        if fault.stderr:
            click.echo(fault.stderr.rstrip(), err=True)
        raise
    try:
        if replay is not None:  # first: a closed pipe must not lose the replay
            game_record = result.replay
            text = write_replay(game_record) if watching is None else redact(game_record, watching)
            write_file(replay, text)
    finally:  # and a full disk must not lose the result
        if show:
            click.echo("\n" + rules.text.draw(result.replay.state(), None))
        click.echo(narrator.verdict(result.winners, result.decisions))
    if replay is not None:
        click.echo(f"wrote {replay}")
