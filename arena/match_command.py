"""`arena match`: one game between bots, told move by move or only its result."""

from __future__ import annotations

from pathlib import Path

import click

from arena.config import game_options
from arena.options import seat_number
from arena.referee import play_game
from arena.telling import Teller
from bots.base import Budget
from bots.loading import load
from games.registry import game, game_names
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
@click.option("--game", "game_name", type=click.Choice(game_names()), default="hidden-leaders")
@click.option("--option", "options", multiple=True, help="An option of it, like deck=beginner.")
@click.option("--show", is_flag=True, help="Tell every move, and the table at the end.")
@click.option("--view", "seat", help="With --show or --replay: only what seat A, B, ... perceives.")
@click.option("--iterations", type=click.IntRange(1), help="Budget per decision of searching bots.")
@click.option("--seconds", type=click.FloatRange(0.001), help="Time per decision of such bots.")
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
    replay: Path | None,
) -> None:
    """Play one game between bots, in the seats A, B, ... in the order given.

    The same seed and bots give the same game, unless a bot thinks by the clock.

    \b
    Examples:
      arena match greedy random random --show
      arena match ismcts:iterations=500 greedy --seed 7
      arena match my_bot.py:MyBot greedy greedy greedy --show --view A
    """
    rules = game(game_name)
    rules.check_players(len(names))
    entrants = [load(name) for name in names]
    watching = None if seat is None else seat_number(seat, len(names))
    teller = Teller(rules, names, watching)
    budget = Budget(iterations or 0, seconds or 0.0)
    settings = game_options(options)

    def watch(state: State, move: int, reason: str) -> None:
        if show:
            click.echo(teller.line(state, move, reason))

    result = play_game(rules, entrants, seed, settings, budget, watch)
    if replay is not None:  # before anything else can fail: a closed pipe must not cost the game
        text = write_replay(result.replay) if watching is None else redact(result.replay, watching)
        replay.write_text(text, encoding="utf-8")
    if show:
        click.echo("")
        click.echo(rules.draw(result.replay.state(), None))
    click.echo(teller.verdict(result.winners, result.decisions))
    if replay is not None:
        click.echo(f"wrote {replay}")
