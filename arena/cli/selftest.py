"""`arena selftest`: can the harness be trusted on this machine?"""

from __future__ import annotations

import os

import click

from arena.cli.options import players_option, seed_option
from arena.lab.selftest import checks
from arena.worker_processes import worker_pool


@click.command("selftest")
@players_option
@click.option(
    "--deals",
    type=click.IntRange(1, 10_000),
    default=3,
    show_default=True,
    help="Deals at each player count for the copies.",
)
@seed_option
@click.option(
    "--workers",
    "many",
    type=click.IntRange(1, 256),
    default=os.cpu_count() or 1,
    show_default="one per core",
    help="Processes to share the work; the outcome does not depend on it.",
)
def selftest(players: tuple[int, ...], deals: int, seed: int, many: int) -> int:
    """Test the harness with cases whose answer is known.

    Copies of one bot under different names must come out exactly tied over rotated deals, in wins,
    duels and fitted strengths. And in an artificial game with exactly known odds, `arena compare`
    must find the better player, in as many deals as those odds predict. Exit code 1 if not.

    \b
    Examples:
      arena selftest
      arena selftest --players 4 --deals 50
    """
    failed = False
    with worker_pool(many) as pool:
        for check in checks(players, deals, seed, pool):
            click.echo(str(check))
            failed = failed or not check.passed
    click.echo("The harness is not to be trusted." if failed else "All as it must be.")
    return int(failed)
