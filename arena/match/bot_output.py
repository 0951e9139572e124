"""Keeps what bots print in this process apart from what a command prints."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO


@contextmanager
def bots_print_to_stderr() -> Iterator[TextIO]:
    """Yield the command's own stdout; whatever else is printed meanwhile goes to stderr.

    That holds for `print`, for programs that a bot starts and for C code that writes to file
    descriptor 1. If a bot has left a thread running, it holds until the process ends, because the
    thread may go on printing.
    """
    threads = set(threading.enumerate())
    stdout = sys.stdout
    ours, descriptor = _own_stdout()
    sys.stdout = sys.stderr
    try:
        yield ours
    finally:
        _flush(ours)
        if ours is stdout or set(threading.enumerate()) <= threads:
            sys.stdout = stdout
            _flush(sys.__stdout__)  # a bot may have printed there
            _restore(descriptor)


def _own_stdout() -> tuple[TextIO, int | None]:
    """Our own stream, and a copy of descriptor 1, which is led to stderr from here on."""
    stdout: TextIO | None = sys.stdout
    _flush(stdout)
    try:
        descriptor = os.dup(1)
    except OSError:  # stdout is closed
        return stdout or io.StringIO(), None
    try:
        os.dup2(2, 1)
    except OSError:  # stderr is closed
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    if not isinstance(stdout, io.TextIOWrapper) or stdout is not sys.__stdout__:
        return stdout or io.StringIO(), descriptor  # a script or a test has replaced it
    ours = os.fdopen(
        os.dup(descriptor), "w", encoding=stdout.encoding, errors=stdout.errors, newline="\n"
    )
    return ours, descriptor


def _restore(descriptor: int | None) -> None:
    if descriptor is not None:
        os.dup2(descriptor, 1)
        os.close(descriptor)


def _flush(stream: TextIO | None) -> None:
    if stream is not None:
        with suppress(OSError, ValueError):
            stream.flush()
