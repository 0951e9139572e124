"""`arena selftest`: tests the harness on cases with known answers."""

from __future__ import annotations

import click

from arena.cli.console import show_json, show_report, wrap
from arena.cli.exit_codes import FAILED
from arena.cli.options import json_option, players_option, seed_option, workers_option
from arena.lab.selftest import Check, checks
from arena.worker_processes import worker_pool


@click.command("selftest")
@players_option
@click.option(
    "--deals",
    type=click.IntRange(1, 10_000),
    default=3,
    help="Deals at each player count for the identical bots.",
)
@seed_option
@workers_option("the outcome does not depend on it")
@json_option
def selftest_command(
    players: tuple[int, ...], deals: int, seed: int, worker_count: int, as_json: bool
) -> int:
    """Test the harness on known answers.

    Identical bots under different names must tie exactly over rotated deals, in wins, duels and
    fitted strengths. In an artificial game with known odds, `arena compare` must find the better
    bot, in about as many deals as those odds predict. Exit code 1 if a check fails.

    \b
    Examples:
      arena selftest
      arena selftest --players 4 --deals 50
    """
    done: list[Check] = []
    with worker_pool(worker_count) as pool:
        for check in checks(players, deals, seed, pool):
            done.append(check)
            if not as_json:
                show_report(wrap(str(check), indent=8))
    failed = not all(check.passed for check in done)
    if as_json:
        show_json("selftest", {"passed": not failed, "checks": [vars(check) for check in done]})
    else:
        show_report("Self-test failed." if failed else "All checks passed.")
    return FAILED if failed else 0
