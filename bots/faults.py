"""What can go wrong with a bot, classed: the words faults are recorded and counted by."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from games.errors import GameError


class Kind(StrEnum):
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
    """Its process was ended by SIGKILL: by the system or a person, if not by itself. Whoever
    repeats the game will know."""
    PROTOCOL = "protocol"
    """It answered, but not as agreed."""
    OUTPUT = "output"
    """It wrote more than anybody would read."""


OWN_ACCOUNT: Final = (
    *(Kind.START, Kind.ILLEGAL, Kind.NOT_A_MOVE, Kind.EXCEPTION, Kind.MEMORY, Kind.PROTOCOL),
)
"""What a bot's process may say of itself; the rest is for others to see."""


class Breakdown(Exception):
    """A bot cannot go on; whoever asked it knows which seat and decision that was."""

    def __init__(self, kind: Kind, problem: str) -> None:
        self.kind = kind
        self.problem = problem
        super().__init__(problem)


class MachineFault(GameError):
    """The machine could not do what a game needs; nobody at the table is to blame."""


MOST_WORDS: Final = 200
"""Letters of what a bot said that fit into a fault."""


def told(thing: object, how: Callable[[object], str] = repr) -> str:
    """Whatever a bot came up with, on one line of bearable length."""
    try:
        words = how(thing)
    except Exception:  # noqa: BLE001  (a bot's class may do anything here)
        words = f"a {type(thing).__name__}"
    return plain(words, MOST_WORDS)


def plain(words: str, most: int) -> str:
    """The words on one line, of at most that length, and safe to print on a terminal."""
    line = printable(" ".join(words[: 8 * most].split()))
    return line if len(line) <= most else line[: most - 3] + "..."


def printable(text: str) -> str:
    """The text without what would command a terminal or cannot be written to a file."""
    blank = "\N{REPLACEMENT CHARACTER}"
    return "".join(letter if letter.isprintable() or letter in "\n\t" else blank for letter in text)


def raised(error: BaseException) -> Breakdown:
    """What a bot's own code raised, as a fault."""
    kind = Kind.MEMORY if isinstance(error, MemoryError) else Kind.EXCEPTION
    words = told(error, str)
    return Breakdown(kind, f"raised {type(error).__name__}{words and ': '}{words}")


MOST_BITS: Final = 63
"""Of the number of a move: beyond it lie numbers that cannot even be printed."""


def check_move(move: object) -> int:
    """The choice as a number; Breakdown if it is none."""
    if not isinstance(move, int) or isinstance(move, bool):
        raise Breakdown(Kind.NOT_A_MOVE, f"chose {told(move)}, which is not a number of a move")
    if move.bit_length() > MOST_BITS:
        raise Breakdown(Kind.ILLEGAL, f"chose a number of {move.bit_length()} bits: not legal")
    return move


def check_reason(reason: object) -> str:
    """What a bot says about its choice, ready to be kept; None is as good as nothing."""
    if reason is not None and not isinstance(reason, str):
        raise Breakdown(Kind.PROTOCOL, f"explained itself with {told(reason)}, which is not text")
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
        raise Breakdown(Kind.PROTOCOL, f"believes {told(belief)}, {wanted}")
    kept: dict[str, float] = {}
    for what, chance in belief.items():
        if not isinstance(what, str) or not is_chance(chance):
            raise Breakdown(
                Kind.PROTOCOL,
                f"believes {told(what)} with chance {told(chance)}: "
                "a belief is a dict from words to numbers from 0 to 1",
            )
        kept[plain(what, MOST_WORDS)] = chance
    return kept


def is_chance(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
