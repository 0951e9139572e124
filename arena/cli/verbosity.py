"""How much a command tells: -q, -v, the log file of --log, and the notes they decide about."""

from __future__ import annotations

import logging
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Final, TypeVar

import click

from arena.cli.options import FILE_PATH
from arena.cli.streams import write_or_drop
from games.errors import GameError

_T = TypeVar("_T")

_KEY: Final = "arena.cli.verbosity"
_NOTES: Final = "arena.notes"
_LEVELS: Final = (logging.WARNING, logging.INFO, logging.DEBUG)
"""Shown without -v, with it, and with -vv."""

log = logging.getLogger("arena")
_notes = logging.getLogger(_NOTES)


@dataclass(frozen=True)
class Verbosity:
    """What the options of this command line say."""

    quiet: bool = False
    more: int = 0
    log_file: Path | None = None

    @property
    def shown(self) -> int:
        """The least level of log lines on the console."""
        return logging.ERROR if self.quiet else _LEVELS[min(self.more, 2)]

    @property
    def kept(self) -> int:
        """The least level that anybody reads; workers send no other lines."""
        return logging.DEBUG if self.log_file else self.shown


class ConsoleLines(logging.Handler):
    """Log lines on stderr; `say` is replaced while a progress bar is drawn there."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.say: Callable[[str], None] = _to_stderr

    def emit(self, record: logging.LogRecord) -> None:
        if record.name != _NOTES:  # which has been shown already
            self.say(f"{record.levelname.lower()}: {record.getMessage()}")


class _ToLogger(logging.Handler):
    """Hands records of worker processes to the handlers of this process."""

    def emit(self, record: logging.LogRecord) -> None:
        log.callHandlers(record)


def verbosity() -> Verbosity:
    """That of the command that runs; the usual one where there is none."""
    context = click.get_current_context(silent=True)
    stored = None if context is None else context.meta.get(_KEY)
    return stored if isinstance(stored, Verbosity) else Verbosity()


def note(text: str) -> None:
    """Tell something besides the result: on stderr unless -q, and in the log file."""
    if not verbosity().quiet:
        _to_stderr(text)
    log_note(text)


def log_note(text: str) -> None:
    """What was told by other means, for the log file."""
    _notes.info("%s", text)


def worker_lines() -> logging.Handler:
    """Where the log lines of worker processes go; its level is the least that is wanted."""
    return _ToLogger(verbosity().kept)


@contextmanager
def log_lines_by(say: Callable[[str], None]) -> Iterator[None]:
    """While this lasts, log lines on the console are printed by `say`."""
    consoles = [handler for handler in log.handlers if isinstance(handler, ConsoleLines)]
    for console in consoles:
        console.say = say
    try:
        yield
    finally:
        for console in consoles:
            console.say = _to_stderr


def output_options(function: Callable[..., _T]) -> Callable[..., _T]:
    """The options -q, -v and --log, which the function itself need not know about."""

    @wraps(function)
    def run(*args: object, quiet: bool, more: int, log_file: Path | None, **kwargs: object) -> _T:
        if quiet and more:
            raise click.UsageError("-q and -v do not go together", click.get_current_context())
        chosen = Verbosity(quiet, more, log_file)
        click.get_current_context().meta[_KEY] = chosen
        with _logging(chosen):
            return function(*args, **kwargs)

    quiet_option = click.option("-q", "--quiet", is_flag=True, help="Only results and errors.")
    more_option = click.option(
        "-v",
        "--verbose",
        "more",
        count=True,
        show_default=False,
        help="Log lines as well; -vv: about every game.",
    )
    log_option = click.option(
        "--log", "log_file", type=FILE_PATH, help="Append all log lines, with times, to this file."
    )
    return quiet_option(more_option(log_option(run)))


@contextmanager
def _logging(chosen: Verbosity) -> Iterator[None]:
    """Log lines go where this command line wants them, until the command ends."""
    handlers: list[logging.Handler] = [ConsoleLines(chosen.shown)]
    if chosen.log_file is not None:
        handlers.append(_file_handler(chosen.log_file))
    before = log.level
    log.setLevel(chosen.kept)
    for handler in handlers:
        log.addHandler(handler)
    typed = click.get_current_context().obj or ()
    _notes.info("started: %s", shlex.join(["arena", *typed]))
    try:
        yield
    except BaseException as error:
        _notes.info("ended: %s", _ending(error))
        raise
    else:
        _notes.info("ended")
    finally:
        for handler in handlers:
            log.removeHandler(handler)
            handler.close()
        log.setLevel(before)


def _ending(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return f"exit code {error.code}"
    return str(error) or type(error).__name__


def _file_handler(path: Path) -> logging.Handler:
    try:
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise GameError(f"the log file {path} cannot be written: {error.strerror}") from None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    return handler


def _to_stderr(text: str) -> None:
    write_or_drop(sys.stderr, f"{text}\n")
