"""`arena check-rules`: tests the rules by random play."""

from __future__ import annotations

import sys

import click

from arena.cli.console import progress_bar, show_json, show_report, wrap_prose
from arena.cli.exit_codes import FAILED
from arena.cli.options import (
    game_option,
    games_option,
    json_option,
    players_option,
    seed_option,
    workers_option,
)
from arena.cli.verbosity import output_options
from arena.lab import check_rules
from arena.worker_processes import worker_pool
from games.engine import engine_name
from games.registry import game


@click.command("check-rules")
@game_option
@games_option(1000)
@players_option
@seed_option
@workers_option("the verdict does not depend on it")
@json_option
@output_options
def check_rules_command(
    game_name: str,
    games: int,
    players: tuple[int, ...],
    seed: int,
    worker_count: int,
    as_json: bool,
) -> None:
    """Test the rules by random play.

    After every move: are the legal moves sorted, is every card in exactly one place, are counts and
    pending steps consistent? After every eighth: do copies, replays and keys agree? The games use
    the seeds SEED, SEED + 1 and so on. A failure names its game and the moves that reproduce it.
    Exit code 1 if a check fails.

    \b
    Examples:
      arena check-rules
      arena check-rules --players 2 --games 20000
      arena check-rules --game secrets --games 200
      ARENA_PURE=1 arena check-rules --games 20
    """
    verdicts: list[check_rules.RulesReport] = []
    with worker_pool(worker_count) as pool:
        for count in players:
            label = f"{count} players ({engine_name()} engine)"
            with progress_bar(games, label) as progress:
                verdict = check_rules.check_player_count(
                    game(game_name), count, games, seed, pool, progress
                )
            verdicts.append(verdict)
            if not as_json:
                show_report(wrap_prose(str(verdict)))
    failed = any(verdict.fault for verdict in verdicts)
    if as_json:
        counts = [verdict.as_json() for verdict in verdicts]
        fields = {"game": game_name, "seed": seed, "engine": engine_name()}
        show_json("check-rules", {**fields, "passed": not failed, "counts": counts})
    if failed:
        sys.exit(FAILED)
