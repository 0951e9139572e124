"""Standard streams that are closed, or whose reader has gone away."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO


def fill_closed_streams() -> None:
    """Open /dev/null in place of closed streams, or a run file could get the number of stderr."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number: this one
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def write_or_drop(stream: TextIO, text: str) -> None:
    """Write notes on stderr; if nobody reads them any more, they are dropped from now on."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, stream.fileno())
        os.close(devnull)
        with suppress(OSError):
            stream.flush()
