"""What can go wrong with a bot: the kinds of faults, and checks of what a bot returns."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from enum import StrEnum
from inspect import iscoroutine
from typing import Final

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


class BotFailure(Exception):
    """A bot cannot continue; the caller knows at which seat and decision."""

    def __init__(self, kind: FaultKind, problem: str) -> None:
        self.kind = kind
        self.problem = problem
        super().__init__(problem)


class MachineFault(GameError):
    """The machine could not do what a game needs; no bot is to blame."""


MOST_WORDS: Final = 200
"""Characters of a bot's own words that are quoted in a fault."""

MOST_BITS: Final = 63
"""Bits of a move number; larger numbers may be too long to print."""

MOST_REASON: Final = 500
"""Characters of a reason that are kept."""

MOST_BELIEFS: Final = 64
"""Entries that a belief may have."""

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


def failure_from(error: BaseException) -> BotFailure:
    """The fault of a bot whose code raised this."""
    kind = FaultKind.MEMORY if isinstance(error, MemoryError) else FaultKind.EXCEPTION
    words = one_line(error, str)
    return BotFailure(kind, f"raised {type(error).__name__}{words and ': '}{words}")


def check_move(move: object) -> int:
    """The choice as a plain int; BotFailure if it is not a number."""
    if iscoroutine(move):
        move.close()  # or Python warns that it was never awaited
    if not issubclass(type(move), int) or type(move) is bool:
        raise BotFailure(
            FaultKind.NOT_A_MOVE, f"chose {one_line(move)}, which is not a move number"
        )
    number = int.__index__(move)  # type: ignore[arg-type]  # a subclass may override int(move)
    if number.bit_length() > MOST_BITS:
        raise BotFailure(
            FaultKind.ILLEGAL, f"chose a number of {number.bit_length()} bits, which is not legal"
        )
    return number


def check_reason(reason: object) -> str:
    """A bot's reason, ready to be recorded; None counts as no reason."""
    if reason is not None and not isinstance(reason, str):
        raise BotFailure(
            FaultKind.PROTOCOL, f"gave the reason {one_line(reason)}, which is not text"
        )
    return clean_line(reason or "", MOST_REASON)


def check_belief(belief: object) -> dict[str, float]:
    """A bot's belief, ready to be recorded; None counts as no belief."""
    if belief is None:
        return {}
    if not isinstance(belief, dict) or len(belief) > MOST_BELIEFS:
        raise BotFailure(
            FaultKind.PROTOCOL,
            f"gave the belief {one_line(belief)}, "
            f"which is not a dict of at most {MOST_BELIEFS} probabilities",
        )
    checked: dict[str, float] = {}
    for words, value in belief.items():
        chance = _as_probability(value)
        if not isinstance(words, str) or chance is None:
            raise BotFailure(
                FaultKind.PROTOCOL,
                f"gave {one_line(words)} the probability {one_line(value)}; "
                "a belief is a dict from words to numbers from 0 to 1",
            )
        checked[clean_line(words, MOST_WORDS)] = chance
    return checked


def _as_probability(value: object) -> float | None:
    """The value as a plain number from 0 to 1; None if it is not one."""
    kind = type(value)
    if kind is bool or not issubclass(kind, int | float):
        return None
    number = int.__index__(value) if issubclass(kind, int) else float.__float__(value)  # type: ignore[arg-type]
    return number if 0 <= number <= 1 else None
