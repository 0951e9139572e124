"""`arena random-games`: who wins when everybody plays at random."""

from __future__ import annotations

import sys

import click

from arena.cli.console import print_json
from arena.cli.options import game_option, games_option, json_option, players_option, seed_option
from arena.lab import random_games
from games.engine import engine_name
from games.registry import game


@click.command("random-games")
@game_option
@games_option(4000)
@players_option
@seed_option
@json_option
def random_games_command(
    game_name: str, games: int, players: tuple[int, ...], seed: int, as_json: bool
) -> None:
    """Play random games: who wins?

    Every seat picks each legal move with the same probability. The tables show how often each
    faction or side, leader, seat and place in turn order wins, with 95 % confidence intervals, and
    how long games last. Differences within the intervals are likely chance.

    \b
    Examples:
      arena random-games
      arena random-games --players 4 --games 20000
      arena random-games --game secrets
      arena random-games --seed 7 --json > seed7.json
    """
    with click.progressbar(
        length=games * len(players), label=f"Playing ({engine_name()} engine)", file=sys.stderr
    ) as progress:
        results = random_games.play_random_games(
            game(game_name), players, games, seed, progress.update
        )
    if as_json:
        print_json(random_games.random_games_json(results, seed))
    else:
        click.echo(random_games.random_games_text(results))
