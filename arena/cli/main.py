"""The `arena` command: reads options, calls the module that does the work, prints its report.

Commands import what they need when they run: a compiled engine that does not fit its sources is
refused before any of it is loaded, and help comes quickly.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import ClassVar

import click

from arena.cli.options import (
    HelpfulGroup,
    game_option,
    games_option,
    json_option,
    players_option,
    seed_option,
)
from games.engine import stale
from games.errors import GameError

FAILED = 1
WRONG = 2
INTERRUPTED = 130


def refuse_stale() -> None:
    """A compiled engine is trusted only if it was made from the sources beside it."""
    why = "" if os.environ.get("ARENA_PURE") == "1" else stale()
    if why:
        raise click.ClickException(why)


def version_line() -> str:
    from games.engine import engine_name
    from games.registry import game, game_names

    try:
        ours = version("hidden-leaders-arena")
    except PackageNotFoundError:
        ours = "(not installed)"
    every = [game(name) for name in game_names()]
    rules = ", ".join(f"{one.title} rules version {one.rules_version}" for one in every)
    return f"arena {ours}, {rules}, engine {engine_name()}, Python {platform.python_version()}"


def show_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        refuse_stale()
        click.echo(version_line())
        context.exit()


class Commands(HelpfulGroup):
    """The commands below, and those with a module of their own, which is loaded when asked for."""

    elsewhere: ClassVar = {
        "bots": "arena.cli.bots:bots",
        "cards": "arena.cli.cards:cards",
        "export": "arena.cli.runs:export",
        "league": "arena.cli.league:league",
        "check": "arena.cli.check:check",
        "compare": "arena.cli.compare:compare",
        "match": "arena.cli.match:match",
        "new-bot": "arena.cli.bots:new_bot",
        "show": "arena.cli.runs:show",
        "verify": "arena.cli.runs:verify",
        "play": "arena.cli.play:play",
        "puzzles": "arena.cli.puzzles:puzzles",
        "sandbox": "arena.cli.sandbox:sandbox",
        "selftest": "arena.cli.selftest:selftest",
        "solve": "arena.cli.solve:solve_command",
        "standings": "arena.cli.standings:standings",
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self.elsewhere])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.elsewhere:
            return super().get_command(ctx, cmd_name)
        refuse_stale()
        module, _, name = self.elsewhere[cmd_name].partition(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=show_version,
    help="Show the versions of arena, rules and Python, and which engine runs.",
)
def arena() -> None:
    """Play, check and measure Hidden Leaders and Secrets.

    \b
    First steps:
      arena league                       the built-in bots play each other: a table in two minutes
      arena play                         you against two bots
      arena match ismcts greedy --show   one game between bots, move by move
      arena new-bot Miser                a bot of your own, ready to play
      arena compare greedy random        which bot is better, played until it is clear
      arena check miser.py:Miser         is it legal, repeatable, quick and modest
      arena random-games --games 500     who wins when everybody plays at random
      arena cards "Crow Carrier"         what a hero does, and why
      arena solve ending.txt             what every move of a position is worth, exactly
      arena puzzles try doubt            a puzzle, against the best defence
      arena check-rules --games 200      do the rules keep their promises
      arena COMMAND --help               options and examples of a command

    The engine is compiled where a C compiler was at hand, and pure Python elsewhere: same games,
    same results, different speed. ARENA_PURE=1 arena ... runs the pure one.
    """
    refuse_stale()


@arena.command()
@game_option
@games_option(4000)
@players_option
@seed_option
@json_option
def random_games(
    game_name: str, games: int, players: tuple[int, ...], seed: int, as_json: bool
) -> None:
    """Play random games and print who wins.

    Everybody chooses evenly among the legal moves. The tables show the winning factions or sides,
    leaders, seats and places in turn order, each share with its 95 % interval, and how long games
    are. Differences that fit into the intervals are likely luck.

    \b
    Examples:
      arena random-games
      arena random-games --players 4 --games 20000
      arena random-games --game secrets
      arena random-games --seed 7 --json > seed7.json
    """
    from arena.lab import random_games as work
    from games.engine import engine_name
    from games.registry import game

    with click.progressbar(
        length=games * len(players), label=f"Playing ({engine_name()} engine)", file=sys.stderr
    ) as progress:
        found = work.play_random_games(game(game_name), players, games, seed, progress.update)
    if as_json:
        click.echo(json.dumps(work.random_games_json(found, seed), indent=2))
    else:
        click.echo(work.random_games_text(found))


@arena.command()
@game_option
@games_option(1000)
@players_option
@seed_option
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=os.cpu_count() or 1,
    show_default="one per core",
    help="Processes to share the work; the verdict does not depend on it.",
)
def check_rules(
    game_name: str, games: int, players: tuple[int, ...], seed: int, workers: int
) -> None:
    """Check the rules by random play.

    After every move: are the legal moves in order, is every card in one place, is whatever is
    counted and pending as it must be? At every eighth: do copies, replays and keys agree? The
    games checked have the seeds SEED, SEED + 1 and so on; a failure names its game, with the moves
    to see it again. Exit code 1 if anything is broken.

    \b
    Examples:
      arena check-rules
      arena check-rules --players 2 --games 20000
      arena check-rules --game secrets --games 200
      ARENA_PURE=1 arena check-rules --games 20
    """
    from arena.lab import check_rules as work
    from arena.worker_processes import worker_pool
    from games.engine import engine_name
    from games.registry import game

    verdicts = []
    with worker_pool(workers) as pool:
        for count in players:
            with click.progressbar(
                length=games, label=f"{count} players ({engine_name()} engine)", file=sys.stderr
            ) as progress:
                verdict = work.check_player_count(
                    game(game_name), count, games, seed, pool, progress.update
                )
            click.echo(str(verdict))
            verdicts.append(verdict)
    if any(verdict.fault for verdict in verdicts):
        sys.exit(FAILED)


@arena.command()
@game_option
@players_option
@click.option("--quick", is_flag=True, help="A few seconds: enough to see that it works.")
@json_option
def bench(game_name: str, players: tuple[int, ...], quick: bool, as_json: bool) -> None:
    """Measure decisions, games, copies, samples, search iterations and solved positions per second.

    The compiled and the pure engine take turns, slice by slice, on one core, so that whatever
    else the machine does meets both. Random games are played from setup to the end; copies and
    samples (worlds that agree with what a seat has seen) are taken in the middle of one. Iterations
    are those of the bot ismcts at the first decision of a game; simulated are the decisions made in
    them. Positions are those the solver looks at in fifty endings of Hidden Leaders, always the
    same, of which each player count has its own; how many times more plain recursion would look at
    is said below. Without a compiled engine the pure one is measured alone.

    \b
    Examples:
      arena bench
      arena bench --players 4 --json
      arena bench --game secrets --quick
    """
    from arena.lab import bench as work

    plan = work.QUICK if quick else work.STANDARD
    with click.progressbar(length=plan.rounds, label="Measuring", file=sys.stderr) as progress:
        speeds = work.run_bench(game_name, players, plan, progress.update)
    if as_json:
        click.echo(json.dumps(work.bench_json(game_name, speeds, players, plan), indent=2))
    else:
        click.echo(work.bench_text(game_name, speeds, players, plan))


def run(arguments: Sequence[str]) -> int:
    """The exit code of a command line: errors a person can cause are one sentence each."""
    try:
        code: object = arena.main(list(arguments), prog_name="arena", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return WRONG
    except click.Abort:
        click.echo("\nStopped.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough (`arena ... | head`); nothing is left to say to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (GameError, OSError) as error:
        click.echo(f"arena: {error}", err=True)
        return WRONG
    return code if isinstance(code, int) else 0


def main() -> None:
    """Entry point of the command."""
    sys.exit(run(sys.argv[1:]))
