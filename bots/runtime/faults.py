"""What can go wrong with a bot: the kinds of faults, and checks of what a bot returns."""

from __future__ import annotations

import operator
import re
import signal
from collections.abc import Callable
from enum import StrEnum
from inspect import iscoroutine
from typing import Final, NamedTuple

from games.errors import GameError


class FaultKind(StrEnum):
    """The kinds of faults, as they are recorded and counted."""

    START = "start"
    """It could not be found, imported or started."""
    ILLEGAL = "illegal"
    """It chose a number that is not a legal move."""
    NOT_A_MOVE = "not-a-move"
    """It chose something that is not a number."""
    EXCEPTION = "exception"
    """Its own code raised an exception."""
    TIME = "time"
    """It did not answer in time, or used up its CPU time."""
    MEMORY = "memory"
    """It asked for more memory than it may have."""
    DIED = "died"
    """Its process ended in the middle of the game."""
    KILLED = "killed"
    """Its process got SIGKILL from the system or a person: a sandboxed bot cannot send it to
    itself. Playing the game again shows whether the bot was the cause."""
    PROTOCOL = "protocol"
    """It answered, but not as the protocol demands."""
    OUTPUT = "output"
    """It wrote too much."""


_DETECTED: Final = (FaultKind.TIME, FaultKind.DIED, FaultKind.KILLED, FaultKind.OUTPUT)
SELF_REPORTED: Final = tuple(kind for kind in FaultKind if kind not in _DETECTED)
"""Kinds that a bot's process may report about itself; the arena detects the others."""


class OwnFrame(NamedTuple):
    """One frame of a traceback, in a file of the bot's own."""

    file: str
    """Its name, relative to the folder of the bot."""
    line: int
    """0 if this stands for several frames that are left out."""
    function: str
    source: str
    """The line itself, if it could be read."""

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}, in {self.function}" if self.function else place


class BotFailure(Exception):
    """A bot cannot continue; the caller knows at which seat and decision."""

    def __init__(self, kind: FaultKind, problem: str, frames: tuple[OwnFrame, ...] = ()) -> None:
        self.kind = kind
        self.problem = problem
        self.frames = frames
        """Where its own code raised the exception, innermost frame last."""
        super().__init__(kind, problem, frames)

    def __str__(self) -> str:
        return self.problem


class MachineFault(GameError):
    """The machine could not do what a game needs; no bot is to blame."""


MOST_WORDS: Final = 200
"""Characters of a bot's own words that are quoted in a fault."""

MOST_BITS: Final = 63
"""Bits of a move number; larger numbers may be too long to print."""

_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
"""A memory address in a repr; it would make equal faults differ between processes."""


def one_line(thing: object, to_text: Callable[[object], str] = repr) -> str:
    """A bot's object as one short printable line."""
    try:
        text = to_text(thing)
    except BaseException as error:  # noqa: BLE001  (a bot's class may do anything here)
        reraise_ctrl_c(error)
        text = f"a {type(thing).__name__}"
    return clean_line(_ADDRESS.sub("", text), MOST_WORDS)


def clean_line(text: str, most: int) -> str:
    """The text on one line, of at most that length, and safe to print on a terminal."""
    line = printable(" ".join(text[: 8 * most].split()))
    return line if len(line) <= most else line[: most - 3] + "..."


def printable(text: str) -> str:
    """The text without control characters and without what cannot be encoded in a file."""
    blank = "\N{REPLACEMENT CHARACTER}"
    return "".join(letter if letter.isprintable() or letter in "\n\t" else blank for letter in text)


def reraise_ctrl_c(error: BaseException) -> None:
    """Raise the error again if the user pressed Ctrl-C; anything else is the bot's fault.

    In workers SIGINT is ignored, so there the bot itself raised KeyboardInterrupt.
    """
    listening = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if listening and isinstance(error, KeyboardInterrupt):
        raise error


def check_move(move: object) -> int:
    """The choice as a plain int; BotFailure if it is not a whole number of any type."""
    if iscoroutine(move):
        move.close()  # or Python warns that it was never awaited
    number = plain_int(move)
    if number is None:
        raise BotFailure(
            FaultKind.NOT_A_MOVE, f"chose {one_line(move)}, which is not a move number"
        )
    if number.bit_length() > MOST_BITS:
        raise BotFailure(
            FaultKind.ILLEGAL, f"chose a number of {number.bit_length()} bits, which is not legal"
        )
    return number


def plain_int(value: object) -> int | None:
    """An int, a NumPy integer or anything else with `__index__` as a plain int, or None.

    True and False are not numbers here. The value's own code is asked once at most, and what a
    subclass of int says about itself is not believed.
    """
    kind = type(value)
    if kind is int:
        return value  # type: ignore[return-value]
    if kind is bool:
        return None
    if not issubclass(kind, int):
        try:
            value = operator.index(value)  # type: ignore[arg-type]
        except BaseException as error:  # noqa: BLE001  (a bot's class may do anything here)
            reraise_ctrl_c(error)
            return None
    return int.__index__(value)  # type: ignore[arg-type]
