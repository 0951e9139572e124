"""Who may sit at a table: classes in this process, classes in one of their own, and programs."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from arena.bot_process import BotProcess, Limits
from arena.referee import Player
from bots.base import Budget, Match
from bots.loading import BUILT_IN, PROGRAM, BadBot, load, split_options

ROOT = Path(__file__).parent.parent
"""Where our packages are found from."""


@dataclass(frozen=True)
class Outsider:
    """A bot that plays in a process of its own."""

    name: str
    """As written by whoever named it."""
    command: tuple[str, ...]
    limits: Limits
    hashes: int = 0
    """Seed of Python's hashes: the order in which a class goes through a set of words."""

    def make(
        self, seat: int, seed: int, budget: Budget | None = None, match: Match | None = None
    ) -> BotProcess:
        """A fresh process for one seat of one game."""
        assert match is not None
        return BotProcess(
            seat, seed, budget, match, self.command, self.limits, environment(self.hashes)
        )


def entrant(name: str, isolated: bool = False, limits: Limits | None = None) -> Player:
    """The bot of that name; BadBot or BadOption says in one sentence what is wrong with it.

    `cmd:COMMAND LINE` always has a process of its own. A class plays in this one unless it shall be
    isolated; then no line of it is run here, not even to import it.
    """
    limits = limits or Limits()
    if name.startswith(PROGRAM):
        return Outsider(name, program(name), limits)
    if not isolated:
        return load(name)
    return guest(name, limits)


def guest(name: str, limits: Limits, *, watched: bool = False, hashes: int = 0) -> Outsider:
    """A class in a process of its own; if watched, what it reaches for is noticed."""
    check_place(name)
    flags = ("--watch",) if watched else ()
    command = (sys.executable, "-s", "-P", "-m", "bots.guest", *flags, name)
    return Outsider(name, command, limits, hashes)


def program(name: str) -> tuple[str, ...]:
    """The command line behind `cmd:`, with the program's own path."""
    try:
        words = shlex.split(name.removeprefix(PROGRAM))
    except ValueError as error:
        raise BadBot(f"{name!r} is not a command line: {str(error).lower()}") from None
    if not words:
        raise BadBot(f"{name!r} names no program: write it like 'cmd:node my_bot.js'")
    found = shutil.which(words[0])
    if found is None:
        raise BadBot(f"there is no program {words[0]!r} to run, neither here nor on the PATH")
    return (found, *words[1:])


def check_place(name: str) -> None:
    """BadBot if anybody can see, without running it, that there is no such bot."""
    place, _ = split_options(name)
    file, colon, _ = place.rpartition(":")
    if not colon or place in BUILT_IN:
        load(name)  # ours or installed: its options can be checked here and now
    elif file.endswith(".py") and not Path(file).is_file():
        raise BadBot(f"there is no file {file!r} to load a bot from")


def environment(hashes: int) -> dict[str, str]:
    """The variables a bot's process gets; nothing of the host's but what programs need to run."""
    kept = {name: os.environ[name] for name in ("PATH", "ARENA_PURE") if name in os.environ}
    ours = {
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": str(hashes),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {**kept, **ours}
