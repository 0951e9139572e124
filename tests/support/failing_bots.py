"""Bots that fail, each in its own way; most of them after three good moves."""

import sys
from collections.abc import Iterator
from typing import NoReturn

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


# ---- raising ----------------------------------------------------------------------------------


class Raises(Wrong):
    def fail(self, view: View) -> object:
        return 1 // 0


class Talks(Wrong):
    def fail(self, view: View) -> object:
        raise ValueError("one\n  two\nthree " + "blah " * 1000)


class Exits(Wrong):
    def fail(self, view: View) -> object:
        sys.exit(0)


class Presses(Wrong):
    def fail(self, view: View) -> object:
        raise KeyboardInterrupt


class Fate(BaseException):
    pass


class Doomed(Wrong):
    def fail(self, view: View) -> object:
        raise Fate("now")


class Hungry(Wrong):
    def fail(self, view: View) -> object:
        raise MemoryError


class Sleeps(Wrong):
    def fail(self, view: View) -> NoReturn:
        while True:
            pass


class Stillborn(Wrong):
    def __init__(self, *_: object) -> None:
        raise KeyError("no")


class Odd(Wrong):
    def __init__(self) -> None:
        pass


class LateRiser(Wrong):
    def start(self, view: View) -> None:
        raise KeyError("no")


class Blind(Wrong):
    def observe(self, event: tuple[int, ...]) -> None:
        raise KeyError("no")


# ---- returning something that is not a legal move -----------------------------------------------


class Words(Wrong):
    def fail(self, view: View) -> object:
        return view.text(view.moves[0])


class Nothing(Wrong):
    def fail(self, view: View) -> object:
        return None


class Truth(Wrong):
    def fail(self, view: View) -> object:
        return True


class Fraction(Wrong):
    def fail(self, view: View) -> object:
        return float(view.moves[0])


class Illegal(Wrong):
    def fail(self, view: View) -> object:
        return max(view.moves) + 1


class Negative(Wrong):
    def fail(self, view: View) -> object:
        return -1


class Huge(Wrong):
    def fail(self, view: View) -> object:
        return 10**5000


class Chameleon(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__

    def __repr__(self) -> str:
        raise RuntimeError("no")


class Disguise(Wrong):
    def fail(self, view: View) -> object:
        return Chameleon(99999)


class Sphinx:
    def __repr__(self) -> str:
        raise RuntimeError("no")


class Riddle(Wrong):
    def fail(self, view: View) -> object:
        return Sphinx()


class Waits(Wrong):
    def fail(self, view: View) -> object:
        return self.later()

    async def later(self) -> int:
        return 1


class Promises(Wrong):
    def fail(self, view: View) -> Iterator[int]:
        return iter(lambda: 1, 2)


# ---- saying something wrong about a move --------------------------------------------------------


class Boaster(Wrong):
    def explain(self) -> str:
        return 42 if self.asked > 3 else ""  # type: ignore[return-value]


class Seer(Wrong):
    def belief(self) -> dict[str, float]:
        return {"all": 2.0} if self.asked > 3 else {}


class Oracle(float):
    def __le__(self, other: object) -> bool:
        raise RuntimeError("no")

    __ge__ = __le__


class Believer(Wrong):
    def belief(self) -> dict[str, float]:
        return {"all is well": Oracle(7)}
