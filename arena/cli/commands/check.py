"""`arena check`: tests a bot before it enters a league."""

from __future__ import annotations

import sys

import click

from arena.cli import options
from arena.cli.completion import complete_bots
from arena.cli.console import progress_bar, show_json, show_report, wrap_prose
from arena.cli.exit_codes import FAILED
from arena.cli.verbosity import output_options
from arena.lab import check_bot
from arena.sandbox.bot_process import Limits
from bots.bot import Budget
from games.registry import game


@click.command("check")
@click.argument("bot", shell_complete=complete_bots)
@options.game_option
@options.players_option
@options.games_option(3, most=10_000)
@options.seed_option
@options.iterations_option
@options.seconds_option
@click.option("--move-limit", type=options.Number(0.01), help="Most seconds per decision.")
@options.json_option
@output_options
def check_command(
    bot: str,
    game_name: str,
    players: tuple[int, ...],
    games: int,
    seed: int,
    iterations: int | None,
    seconds: float | None,
    move_limit: float | None,
    as_json: bool,
) -> None:
    """Test a bot: legal, deterministic, within limits?

    BOT plays against random bots at every player count, in its own process, every game twice from
    the same seed. Each fault is reported with its kind and the command that reproduces it.

    A Python class is also watched for what it accesses besides its view: files outside its own
    folder and the libraries, sockets, processes, signals, ctypes, gc and stack frames. Not noticed:
    what C extensions do, reading environment variables, reading the clock. Exit code 1 if anything
    is wrong.

    \b
    Examples:
      arena check my_bot.py:MyBot
      arena check ismcts:iterations=200 --players 2,6 --games 1
      arena check 'cmd:node my_bot.mjs' --move-limit 1
    """
    budget, limits = Budget(iterations or 0, seconds or 0.0), Limits(move=move_limit or 0.0)
    plan = check_bot.CheckPlan(game(game_name), bot, games, seed, budget, limits)
    total, label = games * len(players), f"Checking {bot}"
    with progress_bar(total, label) as progress:
        report = check_bot.check_bot(plan, players, progress)
    if as_json:
        show_json("check", report.as_json())
    else:
        show_report(wrap_prose(report.as_text(), indent=13))
    if not report.passed:
        sys.exit(FAILED)
