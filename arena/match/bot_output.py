"""Keeps what bots print in this process apart from what a command prints."""

from __future__ import annotations

import fcntl
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO


@contextmanager
def bots_print_to_stderr() -> Iterator[TextIO]:
    """Yield the command's own stdout; whatever else is printed goes to stderr.

    That holds for `print`, for programs that a bot starts, and for C code that writes to file
    descriptor 1. In the process of a command it holds until the process ends, for a bot's threads
    and exit handlers may print later. Where somebody has replaced `sys.stdout`, as tests do, all is
    as before afterwards.
    """
    stdout: TextIO | None = sys.stdout
    _flush(stdout)
    descriptor = _lead_to_stderr()
    if descriptor is not None and isinstance(stdout, io.TextIOWrapper):
        if stdout is sys.__stdout__:
            sys.stdout = sys.stderr
            code, errors = stdout.encoding, stdout.errors
            with os.fdopen(descriptor, "w", encoding=code, errors=errors) as ours:
                yield ours
            return
    sys.stdout = sys.stderr
    try:
        yield stdout or io.StringIO()
    finally:
        sys.stdout = stdout
        if descriptor is not None:
            os.dup2(descriptor, 1)
            os.close(descriptor)


def _lead_to_stderr() -> int | None:
    """Make descriptor 1 another name of stderr; returns what it was before, if it was open."""
    try:  # not os.dup, which could return 2 if stderr is closed
        before = fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
    except OSError:
        before = None
    try:
        os.dup2(2, 1)
    except OSError:  # stderr is closed
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    return before


def _flush(stream: TextIO | None) -> None:
    if stream is not None:
        with suppress(OSError, ValueError):
            stream.flush()
