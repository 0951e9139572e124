"""Options that several commands share, and how they are read."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

import click
from click.decorators import FC

from arena.player_counts import read_counts
from arena.seeds import MOST_SEED
from games.errors import did_you_mean
from games.registry import DEFAULT_GAME, Game, game, game_names
from games.seats import seat_name


class HelpfulGroup(click.Group):
    """Commands; of one that does not exist it says which there are."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            known = self.list_commands(ctx)
            if args[0].startswith("-"):
                raise
            said = f"No such command '{args[0]}' (known: {', '.join(known)})"
            said += did_you_mean(args[0], known)
            if self.invoke_without_command:
                said += f"; `{ctx.command_path}` alone lists what there is"
            raise click.UsageError(said, error.ctx) from None


class Number(click.FloatRange):
    """A number in a range, which what is not a number (nan) or has no end (inf) is not."""

    def convert(
        self, value: float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number."""
        found: float = super().convert(value, param, ctx)
        if not isfinite(found):
            self.fail(f"{value!r} is not a number that can be worked with", param, ctx)
        return found


ITERATIONS = click.IntRange(1, 10**9)
"""Of a search, as many as one could ever wait for."""


class PlayerCounts(click.ParamType[tuple[int, ...]]):
    """Player counts as a person writes them: `4`, `2-6` or `2,4-6`."""

    name = "counts"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """The counts, ascending and each once."""
        counts = read_counts(str(value))
        if counts is None:
            self.fail(f"'{value}' is not like 4, 2-6 or 2,4-6", param, ctx)
        if not counts:
            self.fail(f"'{value}' holds no number: the smaller one comes first", param, ctx)
        rules = chosen_game(ctx)
        if not set(counts) <= set(rules.player_counts):
            fewest, most = rules.min_players, rules.max_players
            self.fail(f"'{value}': {rules.title} is for {fewest} to {most} players", param, ctx)
        return counts


def chosen_game(ctx: click.Context | None) -> Game:
    """The game of the command under way; `game_option` is read before all others."""
    name = ctx.params.get("game_name") if ctx is not None else None
    return game(name or DEFAULT_GAME)


def all_if_unsaid(
    ctx: click.Context, _param: click.Parameter, value: tuple[int, ...] | None
) -> tuple[int, ...]:
    return chosen_game(ctx).player_counts if value is None else value


game_option = click.option(
    "--game",
    "game_name",
    type=click.Choice(game_names()),
    default=DEFAULT_GAME,
    show_default=True,
    is_eager=True,  # what the other options may say depends on it
    help="Which game.",
)
players_option = click.option(
    "--players",
    type=PlayerCounts(),
    callback=all_if_unsaid,
    show_default="all of the game",
    help="Player counts: 4, 2-6 or 2,4-6.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=1,
    show_default=True,
    help="The same seed gives the same games, on every machine and engine.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object instead of tables."
)


def games_option(default: int) -> Callable[[FC], FC]:
    return click.option(
        "--games",
        type=click.IntRange(1, 10_000_000),
        default=default,
        show_default=True,
        help="Games at each player count.",
    )


def seat_number(letter: str, players: int) -> int:
    """The seat that a person calls A, B, ...; BadParameter names those there are."""
    seats = [seat_name(number) for number in range(players)]
    if letter.upper() not in seats:
        raise click.BadParameter(f"seats are {', '.join(seats)}, not {letter!r}")
    return seats.index(letter.upper())
