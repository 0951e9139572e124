"""The `arena` command: its subcommands, its version, and how errors become exit codes.

Nothing of the engine is imported here: a compiled engine that is older than its sources must be
refused before any of it is loaded.
"""

from __future__ import annotations

import errno
import io
import os
import platform
import sys
from collections.abc import Sequence
from typing import Final

import click

from arena.cli import colour
from arena.cli.exit_codes import FAILED, INTERRUPTED, INVALID, PIPE_CLOSED
from arena.cli.lazy_group import LazyGroup
from arena.cli.streams import fill_closed_streams
from games.engine import stale
from games.errors import GameError

COMMANDS: Final = {
    "bench": ("bench", "Measure how fast the engine, search and solver are."),
    "bots": ("bots", "List the bots and their options."),
    "cards": ("cards", "List the cards, or explain one."),
    "check": ("check", "Test a bot: legal, deterministic, within limits?"),
    "check-rules": ("check_rules", "Test the rules by random play."),
    "compare": ("compare", "A/B test: is one bot better than another?"),
    "export": ("runs", "Write a league's games to CSV, JSON and text."),
    "convert": ("runs", "Convert a run file of an earlier version."),
    "league": ("league", "Play a league between bots and print its table."),
    "match": ("match", "Play one game between bots, or several."),
    "new-bot": ("bots", "Write a bot that runs, and a test for it."),
    "play": ("play", "Play against bots yourself."),
    "puzzles": ("puzzles", "List, try, make and verify puzzles."),
    "random-games": ("random_games", "Play random games: who wins?"),
    "report": ("report", "Write a league's results as a page for the browser."),
    "review": ("review", "Find the move that lost a saved game."),
    "rules": ("rules", "Print the rules of a game."),
    "sandbox": ("sandbox", "Show what isolated bots cannot do here."),
    "selftest": ("selftest", "Test the harness on known answers."),
    "serve": ("serve", "Serve runs, games, play and puzzles to a browser."),
    "show": ("show", "Print a saved game move by move."),
    "solve": ("solve", "Compute what every move of a position is worth."),
    "standings": ("standings", "Print ratings and statistics of a run."),
    "train": ("train", "Train a model for the bot champion."),
    "verify": ("verify", "Replay and check every game of a league, or a replay."),
    "view": ("view", "Write a saved game as a page for the browser."),
}


COMPLETE: Final = "_ARENA_COMPLETE"
"""The environment variable by which a shell asks for completions."""


def refuse_stale() -> None:
    """A compiled engine is trusted only if it was built from the sources beside it."""
    why = "" if os.environ.get("ARENA_PURE") == "1" else stale()
    if why:
        raise click.ClickException(why)


def show_version(context: click.Context, _option: click.Parameter, requested: bool) -> None:
    if not requested or context.resilient_parsing:
        return
    refuse_stale()
    from importlib.metadata import PackageNotFoundError, version

    from games.engine import engine_name
    from games.registry import all_games

    try:
        installed = version("hidden-leaders-arena")
    except PackageNotFoundError:
        installed = "(not installed)"
    rules = ", ".join(f"{each.title} rules version {each.rules_version}" for each in all_games())
    engine = f"engine {engine_name()}, Python {platform.python_version()}"
    click.echo(f"arena {installed}, {rules}, {engine}")
    context.exit()


class PipeClosed(Exception):
    """The reader of our output has closed the pipe (`arena ... | head`)."""


class ArenaCommands(LazyGroup):
    """Imports no command while the compiled engine is stale."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        refuse_stale()
        return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise PipeClosed from None  # or click would exit with its own code


@click.group(
    cls=ArenaCommands,
    lazy=COMMANDS,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=show_version,
    help="Show the versions of arena, the rules and Python, and which engine runs.",
)
def arena() -> None:
    """Run bot tournaments, solve positions and play Hidden Leaders and Secrets.

    \b
    First steps:
      arena league                      a league of the built-in bots (1 minute)
      arena play                        you against two bots
      arena match ismcts greedy --show  one game between bots, move by move
      arena new-bot Miser               write a bot of your own, ready to play
      arena puzzles try doubt           solve a puzzle against the best defence
      arena COMMAND --help              options and examples of a command

    The engine is compiled if a C compiler was available when arena was installed, and pure Python
    otherwise: same games, same results, different speed. ARENA_PURE=1 runs the pure engine.
    """


_KINDS_OF_NUMBERS: Final = {
    " is not a valid integer range": " is not a whole number",
    " is not a valid integer": " is not a whole number",
    " is not a valid float range": " is not a number",
    " is not a valid float": " is not a number",
}
"""Click's words for types of options, and a person's."""


_DISK_ERRORS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def run(arguments: Sequence[str]) -> int:
    """The exit code of a command line; errors that a person can cause are one line each."""
    try:
        words = list(arguments)  # also the context's object, for the log
        code: object = arena.main(words, prog_name="arena", standalone_mode=False, obj=words[:])
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return INVALID
    except click.ClickException as error:
        colour.error(_one_line(error))
        return INVALID
    except click.Abort:
        click.echo("\nStopped.", err=True)
        return INTERRUPTED
    except PipeClosed:
        return PIPE_CLOSED
    except OSError as error:
        colour.error(_os_problem(error))
        return INVALID
    except GameError as error:
        colour.error(str(error))
        return INVALID
    return code if isinstance(code, int) else 0


def _os_problem(error: OSError) -> str:
    """What the system refused, and about which file; without a name it was what we print."""
    problem = (error.strerror or "").lower()
    if error.errno in _DISK_ERRORS and not error.filename:
        return f"the output cannot be written: {problem}"
    if error.errno == errno.EMFILE:
        return f"{problem}; raise the limit with ulimit -n, or use fewer --workers"
    return f"{error.filename}: {problem}" if error.filename and problem else str(error)


def _one_line(error: click.ClickException) -> str:
    """What is wrong and, if click found it in the arguments, where to look."""
    message = error.format_message().rstrip(".")
    for clicks, ours in _KINDS_OF_NUMBERS.items():
        message = message.replace(clicks, ours)
    problem = message[:1].lower() + message[1:]
    if isinstance(error, click.UsageError) and error.ctx is not None:
        where = f"{error.ctx.command_path} --help"
        return f"{problem} See {where}" if problem.endswith("?") else f"{problem}; see {where}"
    return problem


def main() -> None:
    fill_closed_streams()
    if os.environ.get(COMPLETE, "").endswith("_complete"):
        sys.exit(_complete())
    if isinstance(sys.stdout, io.TextIOWrapper):  # files may hold text that has no encoding
        sys.stdout.reconfigure(errors="backslashreplace")
    code, unwritten = run(sys.argv[1:]), False
    try:
        if sys.stdout is not None:  # as it is where the shell has closed it
            sys.stdout.flush()
    except BrokenPipeError:
        code = PIPE_CLOSED
    except OSError as error:
        unwritten = True
        if code != INVALID:  # or it has been said already
            colour.error(_os_problem(error))
            code = INVALID
    if code == PIPE_CLOSED or unwritten:  # Python must not flush once more when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)


def _complete() -> int:
    """Answer the shell; where something is wrong offer nothing, silently: a prompt is drawn."""
    sys.stderr = io.StringIO()
    try:
        return run(sys.argv[1:])
    except Exception:  # noqa: BLE001
        return FAILED
