"""Options that the puzzle commands share: which puzzles, and how large a proof."""

from __future__ import annotations

import click
from click.decorators import FC

from arena.cli.options import GameChoice, nodes_option
from solver.puzzles.files import HARDEST
from solver.puzzles.themes import all_themes

puzzle_nodes = nodes_option("positions visited for each puzzle")


def filter_options(command: FC) -> FC:
    """Which puzzles: the fields of `PuzzleFilter`."""
    for option in (
        click.option("--players", type=click.IntRange(1), help="Only for this many players."),
        click.option("--level", type=click.IntRange(1, HARDEST), help="Only of this level."),
        click.option("--theme", type=click.Choice(all_themes()), help="Only of this theme."),
        click.option("--game", "game_name", type=GameChoice(), help="Only of this game."),
    ):
        command = option(command)
    return command
