"""Options and parameter types that several commands share."""

from __future__ import annotations

import os
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Final

import click
from click.decorators import FC

from arena.player_counts import read_counts
from arena.seeds import MOST_SEED
from games.errors import GameError
from games.registry import DEFAULT_GAME, Game, bundled_games, game, game_names
from games.seats import seat_name
from solver.core.budget import USUAL_NODES

FILE_PATH: Final = click.Path(dir_okay=False, path_type=Path)
FOLDER_PATH: Final = click.Path(file_okay=False, path_type=Path)


class Number(click.FloatRange):
    """A number in a range, but neither nan nor inf."""

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


class GameChoice(click.Choice[str]):
    """The name of a game. Looks for installed games only where a name is not a bundled one."""

    def __init__(self) -> None:
        super().__init__(bundled_games())

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in self.choices:
            return value
        known = game_names()
        if value not in known:
            return click.Choice(known).convert(value, param, ctx)
        try:
            return game(value).name
        except GameError as error:
            raise click.ClickException(str(error)) from None


class PlayerCounts(click.ParamType[tuple[int, ...]]):
    """Player counts of the chosen game, written as `4`, `2-6` or `2,4-6`."""

    name = "counts"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        counts = read_counts(str(value))
        if counts is None:
            self.fail(f"'{value}' is not a player count; write 4, 2-6 or 2,4-6", param, ctx)
        if not counts:
            self.fail(f"'{value}' is an empty range; put the smaller number first", param, ctx)
        rules = chosen_game(ctx)
        if not set(counts) <= set(rules.player_counts):
            allowed = f"{rules.min_players} to {rules.max_players} players"
            self.fail(f"'{value}': {rules.title} is for {allowed}", param, ctx)
        return counts


def chosen_game(ctx: click.Context | None) -> Game:
    """The game of this command line; click reads `game_option` before all others."""
    return game(ctx.params.get("game_name", DEFAULT_GAME) if ctx else DEFAULT_GAME)


def seat_number(letter: str, players: int) -> int:
    """The number of seat A, B, ...; GameError lists the seats."""
    seats = [seat_name(number) for number in range(players)]
    if letter.upper() not in seats:
        raise GameError(f"there is no seat {letter!r}; seats are {', '.join(seats)}")
    return seats.index(letter.upper())


def _all_counts_by_default(
    ctx: click.Context, _param: click.Parameter, value: tuple[int, ...] | None
) -> tuple[int, ...]:
    return chosen_game(ctx).player_counts if value is None else value


game_option = click.option(
    "--game",
    "game_name",
    type=GameChoice(),
    default=DEFAULT_GAME,
    is_eager=True,  # what other options accept depends on it
    help="Which game.",
)
players_option = click.option(
    "--players",
    type=PlayerCounts(),
    callback=_all_counts_by_default,
    show_default="all of the game",
    help="Player counts: 4, 2-6 or 2,4-6.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=1,
    help="The same seed gives the same games, on every machine and engine.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
iterations_option = click.option(
    "--iterations", type=click.IntRange(1, 10**9), help="Search iterations per decision."
)
seconds_option = click.option(
    "--seconds",
    type=Number(0.001),
    help="Search time per decision; results then depend on the machine.",
)
isolate_option = click.option(
    "--isolate", is_flag=True, help="Run every bot in its own process and sandbox."
)
move_limit_option = click.option(
    "--move-limit",
    type=Number(0.01),
    help="With --isolate, or for programs: seconds per decision after which a bot loses.",
)
run_argument = click.argument("run", type=FILE_PATH)


def games_option(default: int, most: int = 10_000_000) -> Callable[[FC], FC]:
    return click.option(
        "--games", type=click.IntRange(1, most), default=default, help="Games at each player count."
    )


def workers_option(note: str) -> Callable[[FC], FC]:
    return click.option(
        "--workers",
        "worker_count",
        type=click.IntRange(1, 256),
        default=os.cpu_count() or 1,
        show_default="one per core",
        help=f"Worker processes; {note}.",
    )


def nodes_option(meaning: str, default: int = USUAL_NODES, least: int = 0) -> Callable[[FC], FC]:
    return click.option(
        "--nodes", type=click.IntRange(least), default=default, help=f"Node limit: {meaning}."
    )
