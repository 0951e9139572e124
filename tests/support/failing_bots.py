"""Bots that fail, each in its own way; most of them after three good moves."""

import sys
from collections.abc import Callable
from typing import Any

from bots import Bot
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


class Raises(Wrong):
    def fail(self, view: View) -> object:
        return 1 // 0


class Sleeps(Wrong):
    def fail(self, view: View) -> object:
        while True:
            pass


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


class Waits(Wrong):
    def fail(self, view: View) -> object:
        return self.later()

    async def later(self) -> int:
        return 1


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
