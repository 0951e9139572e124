"""`arena check`: examines a bot before somebody else does."""

from __future__ import annotations

import json
import sys

import click

from arena.cli.options import (
    ITERATIONS,
    Number,
    PlayerCounts,
    game_option,
    json_option,
    seed_option,
)
from arena.lab import check_bot as work
from arena.sandbox.bot_process import Limits
from bots.bot import Budget
from games.registry import game


@click.command("check")
@click.argument("bot")
@game_option
@click.option("--players", type=PlayerCounts(), help="Player counts: 4, 2-6 or 2,4-6; else all.")
@click.option(
    "--games",
    type=click.IntRange(1, 10_000),
    default=3,
    show_default=True,
    help="Games at each player count; each is played twice.",
)
@seed_option
@click.option("--iterations", type=ITERATIONS, help="Budget per decision of searching bots.")
@click.option("--seconds", type=Number(0.001), help="Time per decision of such bots.")
@click.option("--move-limit", type=Number(0.01), help="Seconds for a decision, at most.")
@json_option
def check(
    bot: str,
    game_name: str,
    players: tuple[int, ...] | None,
    games: int,
    seed: int,
    iterations: int | None,
    seconds: float | None,
    move_limit: float | None,
    as_json: bool,
) -> None:
    """Examine BOT: legal, repeatable, quick, modest, content with its View?

    It plays against random players at every player count, in a process of its own, every game twice
    from the same seed. Faults come with their class and the command that shows them again. A class
    is watched for what it reaches for besides its View: files outside its own folder and the
    libraries, sockets, processes, signals, ctypes, gc and frames. Python tells of these; what
    extensions do, reading variables of the environment and asking for the time are not noticed.
    Exit code 1 if anything is wrong.

    \b
    Examples:
      arena check my_bot.py:MyBot
      arena check ismcts:iterations=200 --players 2,6 --games 1
      arena check 'cmd:node examples/remote/first.mjs' --move-limit 1
    """
    rules = game(game_name)
    counts = players or tuple(range(rules.min_players, rules.max_players + 1))
    for count in counts:
        rules.check_players(count)
    budget = Budget(iterations or 0, seconds or 0.0)
    plan = work.CheckPlan(rules, bot, games, seed, budget, Limits(move=move_limit or 0.0))
    with click.progressbar(
        length=games * len(counts), label=f"Examining {bot}", file=sys.stderr
    ) as progress:
        report = work.check_bot(plan, counts, progress.update)
    click.echo(json.dumps(report.as_json(), indent=2) if as_json else report.as_text())
    if not report.passed:
        sys.exit(1)
