"""`arena match`: one game between bots, told move by move or only its result."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import ITERATIONS, Number, game_option, seat_number
from arena.files import check_writable, write_file
from arena.league.config import game_options
from arena.match.bot_factory import bot_factory
from arena.match.narrator import Narrator
from arena.match.referee import BotFault, play_game
from arena.sandbox.bot_process import Limits
from bots.bot import Budget
from games.registry import game
from games.replay import redact, write_replay
from games.state import State


@click.command("match")
@click.argument("names", nargs=-1, required=True, metavar="BOT BOT ...")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**56),
    default=1,
    show_default=True,
    help="The same seed gives the same game, on every machine and engine.",
)
@game_option
@click.option("--option", "options", multiple=True, help="An option of it, like deck=beginner.")
@click.option("--show", is_flag=True, help="Tell every move, and the table at the end.")
@click.option("--view", "seat", help="With --show or --replay: only what seat A, B, ... perceives.")
@click.option("--iterations", type=ITERATIONS, help="Budget per decision of searching bots.")
@click.option("--seconds", type=Number(0.001), help="Time per decision of such bots.")
@click.option(
    "--isolate", is_flag=True, help="Run every bot in a process and a sandbox of its own."
)
@click.option(
    "--move-limit",
    type=Number(0.01),
    help="Seconds after which a bot in a process of its own has lost.",
)
@click.option(
    "--replay",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the game (with --view: that seat's part of it) to this file, one JSON per line.",
)
def match(
    names: tuple[str, ...],
    seed: int,
    game_name: str,
    options: tuple[str, ...],
    show: bool,
    seat: str | None,
    iterations: int | None,
    seconds: float | None,
    isolate: bool,
    move_limit: float | None,
    replay: Path | None,
) -> None:
    """Play one game between bots, in the seats A, B, ... in the order given.

    The same seed and bots give the same game, unless a bot thinks by the clock. A bot is a name of
    `arena bots`, module:Class, file.py:Class, or a program in any language as 'cmd:COMMAND LINE'.

    \b
    Examples:
      arena match greedy random random --show
      arena match ismcts:iterations=500 greedy --seed 7
      arena match my_bot.py:MyBot greedy greedy greedy --show --view A
      arena match 'cmd:node examples/remote/first.mjs' greedy
      arena match their_bot.py:TheirBot greedy --isolate --move-limit 5
    """
    rules = game(game_name)
    rules.check_players(len(names))
    check_writable(replay)
    limits = Limits(move=move_limit or 0.0)
    factories = [bot_factory(name, isolate, limits) for name in names]
    watching = None if seat is None else seat_number(seat, len(names))
    teller = Narrator(rules, names, watching)
    budget = Budget(iterations or 0, seconds or 0.0)
    settings = game_options(options)

    def watch(state: State, move: int, reason: str) -> None:
        if show:
            click.echo(teller.line(state, move, reason))

    try:
        result = play_game(rules, factories, seed, settings, budget, watch)
    except BotFault as fault:
        if fault.stderr:
            click.echo(fault.stderr.rstrip(), err=True)
        raise
    try:
        if replay is not None:  # first: a closed pipe must not cost the game
            kept = write_replay(result.replay)
            write_file(replay, kept if watching is None else redact(result.replay, watching))
    finally:  # and the other way round, a full disk not its result
        if show:
            click.echo("")
            click.echo(rules.text.draw(result.replay.state(), None))
        click.echo(teller.verdict(result.winners, result.decisions))
    if replay is not None:
        click.echo(f"wrote {replay}")
