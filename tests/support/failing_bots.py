"""Bots that fail, each in its own way; most of them after three good moves: see FAULTS."""

import sys
from collections.abc import Callable
from typing import Any

from bots import Bot
from bots.runtime.faults import FaultKind
from games.view import View

EXCEPTION, ILLEGAL, MEMORY = FaultKind.EXCEPTION, FaultKind.ILLEGAL, FaultKind.MEMORY
NOT_A_MOVE, PROTOCOL = FaultKind.NOT_A_MOVE, FaultKind.PROTOCOL


class Wrong(Bot):
    """Plays three legal moves, then fails."""

    asked = 0

    def choose(self, view: View) -> int:
        self.asked += 1
        return self.rng.choice(view.moves) if self.asked <= 3 else self.fail(view)  # type: ignore[return-value]

    def fail(self, view: View) -> object:
        return view.moves[0]


def raises(error: BaseException) -> Callable[..., Any]:
    def fail(*_: object) -> None:
        raise error

    return fail


def fails(answer: Callable[[View], object]) -> dict[str, Any]:
    """A method whose fourth answer is what the function returns or raises."""
    return {"fail": lambda self, view: answer(view)}


def late(statement: object) -> Callable[[Wrong], object]:
    """A method that says something wrong about the fourth move."""
    return lambda bot: statement if bot.asked > 3 else None


class Fate(BaseException):
    pass


class Chameleon(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__
    __repr__ = raises(RuntimeError("no"))


class Sphinx:
    __repr__ = raises(RuntimeError("no"))


class Oracle(float):
    __le__ = __ge__ = raises(RuntimeError("no"))


async def later() -> int:
    return 1


no = raises(KeyError("no"))
long_text = "one\n  two\nthree " + "blah " * 1000
a_coroutine = "chose <coroutine object later>, which is not a move number"
an_iterator = "chose <callable_iterator object>, which is not a move number"
a_belief = "gave 'all is well' the probability 7.0; a belief is a dict"

FAULTS: list[tuple[str, FaultKind, str, dict[str, Any]]] = [
    ("Raises", EXCEPTION, "raised ZeroDivisionError: ", fails(lambda view: 1 // 0)),
    ("Talks", EXCEPTION, "raised ValueError: one two three", fails(raises(ValueError(long_text)))),
    ("Exits", EXCEPTION, "raised SystemExit: 0", fails(lambda view: sys.exit(0))),
    ("Doomed", EXCEPTION, "raised Fate: now", fails(raises(Fate("now")))),
    ("Hungry", MEMORY, "raised MemoryError", fails(raises(MemoryError()))),
    ("Stillborn", EXCEPTION, "before its first decision: raised KeyError", {"__init__": no}),
    (
        "Odd",
        EXCEPTION,
        "before its first decision: raised TypeError",
        {"__init__": lambda self, *_: int(*_)},
    ),
    ("LateRiser", EXCEPTION, "before its first decision: raised KeyError", {"start": no}),
    ("Blind", EXCEPTION, "before its first decision: raised KeyError", {"observe": no}),
    ("Waits", NOT_A_MOVE, a_coroutine, fails(lambda view: later())),
    ("Words", NOT_A_MOVE, "', which is not a move", fails(lambda view: view.text(view.moves[0]))),
    ("Nothing", NOT_A_MOVE, "chose None, which is not a move number", fails(lambda view: None)),
    ("Truth", NOT_A_MOVE, "chose True, which is not a move number", fails(lambda view: True)),
    ("Fraction", NOT_A_MOVE, ".0, which is not a move", fails(lambda view: float(view.moves[0]))),
    ("Illegal", ILLEGAL, "not legal here; legal are: '", fails(lambda view: max(view.moves) + 1)),
    ("Negative", ILLEGAL, "played -1, which is not legal", fails(lambda view: -1)),
    ("Huge", ILLEGAL, "a number of 16610 bits, which is not legal", fails(lambda view: 10**5000)),
    ("Disguise", ILLEGAL, "played 99999, which is not legal", fails(lambda view: Chameleon(99999))),
    ("Riddle", NOT_A_MOVE, "chose a Sphinx, which is not a move", fails(lambda view: Sphinx())),
    ("Promises", NOT_A_MOVE, an_iterator, fails(lambda view: iter(lambda: 1, 2))),
    ("Boaster", PROTOCOL, "gave the reason 42, which is not text", {"explain": late(42)}),
    ("Seer", PROTOCOL, "gave 'all' the probability 2.0", {"belief": late({"all": 2.0})}),
    ("Believer", PROTOCOL, a_belief, {"belief": late({"all is well": Oracle(7)})}),
]
"""Name, kind of fault, part of the message, and what the bot's class has of its own."""

globals().update({name: type(name, (Wrong,), methods) for name, _, _, methods in FAULTS})
Presses = type("Presses", (Wrong,), fails(raises(KeyboardInterrupt())))


class Sleeps(Wrong):
    def fail(self, view: View) -> object:
        while True:
            pass
