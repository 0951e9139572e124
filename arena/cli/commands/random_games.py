"""`arena random-games`: who wins when everybody plays at random."""

from __future__ import annotations

import click

from arena.cli.console import line_width, progress_bar, show_json, show_report
from arena.cli.options import game_option, games_option, json_option, players_option, seed_option
from arena.cli.verbosity import output_options
from arena.lab import random_games
from games.engine import engine_name
from games.registry import game


@click.command("random-games")
@game_option
@games_option(4000)
@players_option
@seed_option
@json_option
@output_options
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
    total, label = games * len(players), f"Playing ({engine_name()} engine)"
    with progress_bar(total, label) as progress:
        results = random_games.play_random_games(game(game_name), players, games, seed, progress)
    if as_json:
        show_json("random-games", random_games.random_games_json(results, seed))
    else:
        show_report(random_games.random_games_text(results, line_width()))
