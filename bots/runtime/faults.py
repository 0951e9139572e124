"""What can go wrong with a bot, classed: the words faults are recorded and counted by."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from enum import StrEnum
from inspect import iscoroutine
from typing import Final

from games.errors import GameError


class FaultKind(StrEnum):
    """The classes of faults. Whoever counts faults counts these."""

    START = "start"
    """It could not be found, imported or run at all."""
    ILLEGAL = "illegal"
    """It chose a number that is no legal move."""
    NOT_A_MOVE = "not-a-move"
    """It chose something that is not a number."""
    EXCEPTION = "exception"
    """Its own code raised something."""
    TIME = "time"
    """It did not answer in time, or used up its processor time."""
    MEMORY = "memory"
    """It asked for more memory than it may have."""
    DIED = "died"
    """Its process ended in the middle of the game."""
    KILLED = "killed"
    """Its process was ended by SIGKILL: by the system or a person; in a sandbox it cannot do that
    itself. Whoever repeats the game will know."""
    PROTOCOL = "protocol"
    """It answered, but not as agreed."""
    OUTPUT = "output"
    """It wrote more than anybody would read."""


OWN_ACCOUNT: Final = (
    *(
        FaultKind.START,
        FaultKind.ILLEGAL,
        FaultKind.NOT_A_MOVE,
        FaultKind.EXCEPTION,
        FaultKind.MEMORY,
        FaultKind.PROTOCOL,
    ),
)
"""What a bot's process may say of itself; the rest is for others to see."""


class BotFailure(Exception):
    """A bot cannot go on; whoever asked it knows which seat and decision that was."""

    def __init__(self, kind: FaultKind, problem: str) -> None:
        self.kind = kind
        self.problem = problem
        super().__init__(problem)


class MachineFault(GameError):
    """The machine could not do what a game needs; nobody at the table is to blame."""


MOST_WORDS: Final = 200
"""Letters of what a bot said that fit into a fault."""


ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where Python keeps a thing: another place in every process, and faults are the same in all."""


def told(thing: object, how: Callable[[object], str] = repr) -> str:
    """Whatever a bot came up with, on one line of bearable length."""
    try:
        words = how(thing)
    except BaseException as error:  # noqa: BLE001  (a bot's class may do anything here)
        heed(error)
        words = f"a {type(thing).__name__}"
    return plain(ADDRESS.sub("", words), MOST_WORDS)


def heed(error: BaseException) -> None:
    """Raise it again if it is somebody's Ctrl-C; all else that a bot raises is its own doing.

    Where Ctrl-C does not raise, as in workers, the bot itself has raised KeyboardInterrupt.
    """
    pressed = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if pressed and isinstance(error, KeyboardInterrupt):
        raise error


def plain(words: str, most: int) -> str:
    """The words on one line, of at most that length, and safe to print on a terminal."""
    line = printable(" ".join(words[: 8 * most].split()))
    return line if len(line) <= most else line[: most - 3] + "..."


def printable(text: str) -> str:
    """The text without what would command a terminal or cannot be written to a file."""
    blank = "\N{REPLACEMENT CHARACTER}"
    return "".join(letter if letter.isprintable() or letter in "\n\t" else blank for letter in text)


def raised(error: BaseException) -> BotFailure:
    """What a bot's own code raised, as a fault."""
    kind = FaultKind.MEMORY if isinstance(error, MemoryError) else FaultKind.EXCEPTION
    words = told(error, str)
    return BotFailure(kind, f"raised {type(error).__name__}{words and ': '}{words}")


MOST_BITS: Final = 63
"""Of the number of a move: beyond it lie numbers that cannot even be printed."""


def check_move(move: object) -> int:
    """The choice as a number, and nothing but a number; Breakdown if it is none."""
    if iscoroutine(move):
        move.close()  # or Python complains that nobody waits for it
    if not issubclass(type(move), int) or type(move) is bool:
        raise BotFailure(
            FaultKind.NOT_A_MOVE, f"chose {told(move)}, which is not a number of a move"
        )
    number = int.__index__(move)  # type: ignore[arg-type]  # whatever its class makes of itself
    if number.bit_length() > MOST_BITS:
        raise BotFailure(
            FaultKind.ILLEGAL, f"chose a number of {number.bit_length()} bits: not legal"
        )
    return number


def check_reason(reason: object) -> str:
    """What a bot says about its choice, ready to be kept; None is as good as nothing."""
    if reason is not None and not isinstance(reason, str):
        raise BotFailure(
            FaultKind.PROTOCOL, f"explained itself with {told(reason)}, which is not text"
        )
    return plain(reason or "", MOST_REASON)


MOST_REASON: Final = 500
"""Letters of a reason that are kept."""

MOST_BELIEFS: Final = 64


def check_belief(belief: object) -> dict[str, float]:
    """What a bot takes for how likely, ready to be kept; None is as good as nothing."""
    if belief is None:
        return {}
    if not isinstance(belief, dict) or len(belief) > MOST_BELIEFS:
        wanted = f"which is no dict of up to {MOST_BELIEFS} chances"
        raise BotFailure(FaultKind.PROTOCOL, f"believes {told(belief)}, {wanted}")
    kept: dict[str, float] = {}
    for what, said in belief.items():
        chance = as_chance(said)
        if not isinstance(what, str) or chance is None:
            raise BotFailure(
                FaultKind.PROTOCOL,
                f"believes {told(what)} with chance {told(said)}: "
                "a belief is a dict from words to numbers from 0 to 1",
            )
        kept[plain(what, MOST_WORDS)] = chance
    return kept


def as_chance(value: object) -> float | None:
    """The number from 0 to 1 that it is, whatever its class makes of itself."""
    kind = type(value)
    if kind is bool or not issubclass(kind, int | float):
        return None
    number = int.__index__(value) if issubclass(kind, int) else float.__float__(value)  # type: ignore[arg-type]
    return number if 0 <= number <= 1 else None
