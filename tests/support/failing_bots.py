"""Bots that fail, each in its own way; most of them after three good moves."""

import sys
from collections.abc import Callable
from typing import Any

from bots import Bot
from bots.runtime.faults import FaultKind
from games.view import View


class Wrong(Bot):
    """Plays three legal moves, then fails."""

    asked = 0

    def choose(self, view: View) -> int:
        self.asked += 1
        return self.rng.choice(view.moves) if self.asked <= 3 else self.fail(view)  # type: ignore[return-value]

    def fail(self, view: View) -> object:
        return view.moves[0]


def returns(answer: Callable[[View], object]) -> type[Wrong]:
    """A bot whose fourth answer is what the function returns or raises."""

    class Returns(Wrong):
        def fail(self, view: View) -> object:
            return answer(view)

    return Returns


def raises(error: BaseException) -> Callable[..., Any]:
    def fail(*_: object) -> None:
        raise error

    return fail


# ---- raising ------------------------------------------------------------------------------------


class Fate(BaseException):
    pass


class Sleeps(Wrong):
    def fail(self, view: View) -> object:
        while True:
            pass


Raises = returns(lambda view: 1 // 0)
Talks = returns(raises(ValueError("one\n  two\nthree " + "blah " * 1000)))
Exits = returns(lambda view: sys.exit(0))
Presses = returns(raises(KeyboardInterrupt()))
Doomed = returns(raises(Fate("now")))
Hungry = returns(raises(MemoryError()))


class Stillborn(Wrong):
    __init__ = raises(KeyError("no"))


class Odd(Wrong):
    def __init__(self) -> None:
        pass


class LateRiser(Wrong):
    start = raises(KeyError("no"))


class Blind(Wrong):
    observe = raises(KeyError("no"))


# ---- answering with something that is not a legal move ------------------------------------------


class Chameleon(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__
    __repr__ = raises(RuntimeError("no"))


class Sphinx:
    __repr__ = raises(RuntimeError("no"))


async def later() -> int:
    return 1


Waits = returns(lambda view: later())
Words = returns(lambda view: view.text(view.moves[0]))
Nothing = returns(lambda view: None)
Truth = returns(lambda view: True)
Fraction = returns(lambda view: float(view.moves[0]))
Illegal = returns(lambda view: max(view.moves) + 1)
Negative = returns(lambda view: -1)
Huge = returns(lambda view: 10**5000)
Disguise = returns(lambda view: Chameleon(99999))
Riddle = returns(lambda view: Sphinx())
Promises = returns(lambda view: iter(lambda: 1, 2))


# ---- saying something wrong about a move --------------------------------------------------------


class Boaster(Wrong):
    def explain(self) -> str:
        return 42 if self.asked > 3 else ""  # type: ignore[return-value]


class Seer(Wrong):
    def belief(self) -> dict[str, float]:
        return {"all": 2.0} if self.asked > 3 else {}


class Oracle(float):
    __le__ = __ge__ = raises(RuntimeError("no"))


class Believer(Wrong):
    def belief(self) -> dict[str, float]:
        return {"all is well": Oracle(7)}


FAULTS = [
    ("Raises", FaultKind.EXCEPTION, "raised ZeroDivisionError: "),
    ("Talks", FaultKind.EXCEPTION, "raised ValueError: one two three blah"),
    ("Exits", FaultKind.EXCEPTION, "raised SystemExit: 0"),
    ("Doomed", FaultKind.EXCEPTION, "raised Fate: now"),
    ("Hungry", FaultKind.MEMORY, "raised MemoryError"),
    ("Stillborn", FaultKind.EXCEPTION, "at decision 0: raised KeyError"),
    ("Odd", FaultKind.EXCEPTION, "at decision 0: raised TypeError"),
    ("LateRiser", FaultKind.EXCEPTION, "at decision 0: raised KeyError"),
    ("Blind", FaultKind.EXCEPTION, "at decision 0: raised KeyError"),
    ("Waits", FaultKind.NOT_A_MOVE, "chose <coroutine object later>, which is not a move number"),
    ("Words", FaultKind.NOT_A_MOVE, "', which is not a move number"),
    ("Nothing", FaultKind.NOT_A_MOVE, "chose None, which is not a move number"),
    ("Truth", FaultKind.NOT_A_MOVE, "chose True, which is not a move number"),
    ("Fraction", FaultKind.NOT_A_MOVE, ".0, which is not a move number"),
    ("Illegal", FaultKind.ILLEGAL, "which is not legal; legal moves: ["),
    ("Negative", FaultKind.ILLEGAL, "chose -1, which is not legal"),
    ("Huge", FaultKind.ILLEGAL, "chose a number of 16610 bits, which is not legal"),
    ("Disguise", FaultKind.ILLEGAL, "chose 99999, which is not legal; legal moves: ["),
    ("Riddle", FaultKind.NOT_A_MOVE, "chose a Sphinx, which is not a move number"),
    ("Promises", FaultKind.NOT_A_MOVE, "chose <callable_iterator object>, which is not a move"),
    ("Boaster", FaultKind.PROTOCOL, "gave the reason 42, which is not text"),
    ("Seer", FaultKind.PROTOCOL, "gave 'all' the probability 2.0"),
    ("Believer", FaultKind.PROTOCOL, "'all is well' the probability 7.0; a belief is a dict"),
]
"""Bot, the kind of its fault, and part of the message."""
