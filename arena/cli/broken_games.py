"""What commands do when a bot fails: they print the bot's own lines, and save what was played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from arena.cli import colour
from arena.match.referee import BotFault
from games.errors import GameError


@contextmanager
def error_told() -> Iterator[None]:
    """Print an error and go on: something else has to be said last."""
    try:
        yield
    except GameError as error:
        colour.error(str(error))


@contextmanager
def own_lines_shown() -> Iterator[None]:
    """Print what helps the author of a bot that fails; the fault itself is the last line."""
    try:
        yield
    except BotFault as fault:
        for text in filter(None, (fault.stderr.rstrip(), fault.frames)):
            click.echo(text, err=True)
        raise
