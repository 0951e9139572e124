"""Bots that misbehave in a league, each in its own way."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bots import Bot
from bots.random_bot import Random
from games.view import View

FILE = Path(__file__)


def rogue(name: str) -> str:
    """The name of one of them in a league's config."""
    return f"{FILE}:{name} as {name}"


class Crasher(Random):
    """Writes to stderr and raises at its second decision."""

    decided = 0

    def choose(self, view: View) -> int:
        self.decided += 1
        if self.decided == 2:
            print("about to fail", file=sys.stderr)
            raise ZeroDivisionError("as always")
        return super().choose(view)


class Moody(Random):
    """Raises at the start of one game in four."""

    def start(self, view: View) -> None:
        if self.rng.below(4) == 0:
            raise RuntimeError("not today")


def plays(choose: Callable[[View], object]) -> type[Bot]:
    class Plays(Bot):
        def choose(self, view: View) -> int:
            return choose(view)  # type: ignore[return-value]

    return Plays


Cheat = plays(lambda view: 9999)


def sleep_long(_view: View) -> None:
    """Leaves a file in the folder SLEEPERS, so that a test knows that it is asleep."""
    if folder := os.environ.get("SLEEPERS"):
        Path(folder, str(os.getpid())).touch()
    time.sleep(3600)


Sleeper = plays(sleep_long)
Leaver = plays(lambda view: os._exit(3))
Segfaulter = plays(lambda view: os.kill(os.getpid(), signal.SIGSEGV))


class Slow(Random):
    """Takes a while for each decision."""

    def choose(self, view: View) -> int:
        time.sleep(0.02)
        return super().choose(view)


class LateRiser(Random):
    """Starts slowly, but within the time that is free."""

    def start(self, view: View) -> None:
        time.sleep(1.9)


class Chatter(Random):
    """Prints and logs."""

    def choose(self, view: View) -> int:
        print("thinking", view.decisions)
        return super().choose(view)

    def start(self, view: View) -> None:
        logging.getLogger("chatter").info("hello from seat %d", self.seat)


class Dawdler(Random):
    """Waits DAWDLE seconds at the start of each game."""

    def start(self, view: View) -> None:
        time.sleep(float(os.environ.get("DAWDLE", "0")))


class Assassin(Dawdler):
    """Kills the parent of its parent process, once for each file in the folder VICTIMS."""

    def start(self, view: View) -> None:
        super().start(view)
        victim = next(Path(os.environ.get("VICTIMS", "/nowhere")).glob("*"), None)
        if victim is not None:
            victim.unlink()
            parent = Path(f"/proc/{os.getppid()}/stat").read_text(encoding="ascii")
            os.kill(int(parent.rpartition(")")[2].split()[1]), signal.SIGKILL)
            time.sleep(3600)


class Procrastinator(Random):
    """Thinks where no decision is timed: before the game."""

    def start(self, view: View) -> None:
        time.sleep(3.2)


class Surrogate(Random):
    """Prints what no encoding can hold."""

    def choose(self, view: View) -> int:
        print("half a letter: \ud800")
        return super().choose(view)
