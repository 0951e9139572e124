"""Who may sit at a table: classes in this process, classes in one of their own, and programs."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.match.referee import BotFactory
from arena.sandbox.bot_process import BotProcess, Launch, Limits
from arena.sandbox.policy import PYTHON_PATH, NoSandbox, Sandbox, files_of
from bots.bot import Budget, Match
from bots.runtime.audit import places_of
from bots.runtime.loading import BUILT_IN, PROGRAM_PREFIX, BadBot, is_ours, load_bot, split_options

RUNS: Final = Path("runs")
"""Where leagues keep their journals: hidden from isolated bots even beside their own files."""


@dataclass(frozen=True)
class ProcessFactory:
    """A bot that plays in a process of its own."""

    name: str
    """As written by whoever named it."""
    launch: Launch
    limits: Limits

    def make(
        self, seat: int, seed: int, budget: Budget | None = None, match: Match | None = None
    ) -> BotProcess:
        """A fresh process for one seat of one game."""
        assert match is not None
        return BotProcess(seat, seed, budget, match, self.launch, self.limits)


def bot_factory(
    name: str,
    isolated: bool = False,
    limits: Limits | None = None,
    hidden: Sequence[Path] = (RUNS,),
) -> BotFactory:
    """The bot of that name; BadBot or BadOption says in one sentence what is wrong with it.

    Isolated means a process of its own in a sandbox, which cannot read what is hidden; of an
    isolated class no line is run here, not even to import it. Otherwise a class plays in this
    process, and a program (`cmd:COMMAND LINE`) as what it is: one of the user's own.
    """
    limits = limits or Limits()
    if isolated and sys.platform != "linux":
        raise NoSandbox(f"bots can be isolated only on Linux, not on {sys.platform}")
    if name.startswith(PROGRAM_PREFIX):
        return program(name, isolated, limits, hidden)
    return isolated_class(name, limits, hidden) if isolated else load_bot(name)


def isolated_class(
    name: str,
    limits: Limits,
    hidden: Sequence[Path] = (RUNS,),
    *,
    watched: bool = False,
    hashes: int = 0,
) -> ProcessFactory:
    """A class in a process and sandbox of its own.

    If it is watched, what it reaches for is noticed. `hashes` seeds Python's hashes, which is the
    order in which the class goes through a set of words.
    """
    check_place(name)
    flags = ("--watch",) if watched else ()
    own = tuple(places_of(name))
    box = sandbox(own, limits, hidden, listable=() if ".py:" in name else (Path.cwd(),))
    launch = Launch(("guest", *flags, name), environment(hashes), box)
    return ProcessFactory(name, launch, limits)


def program(name: str, isolated: bool, limits: Limits, hidden: Sequence[Path]) -> ProcessFactory:
    """The program with the command line behind `cmd:`."""
    command = command_line(name)
    if not isolated:
        return ProcessFactory(name, Launch(command, os.environ), limits)
    box = sandbox(files_of(command), limits, hidden)
    return ProcessFactory(name, Launch(("run", *command), environment(), box), limits)


def sandbox(
    own: Sequence[Path],
    limits: Limits,
    hidden: Sequence[Path],
    listable: Sequence[Path] = (),
) -> Sandbox:
    seconds = int(limits.start + limits.game) + 1
    return Sandbox(tuple(own), tuple(listable), tuple(hidden), limits.memory, seconds)


def command_line(name: str) -> tuple[str, ...]:
    """The words behind `cmd:`, with the program's own path."""
    try:
        words = shlex.split(name.removeprefix(PROGRAM_PREFIX))
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
    if is_ours(name) or not (colon or place in BUILT_IN):
        load_bot(name)  # ours or installed: its options can be checked here and now
    elif file.endswith(".py") and not Path(file).is_file():
        raise BadBot(f"there is no file {file!r} to load a bot from")


def environment(hashes: int = 0) -> dict[str, str]:
    """The variables an isolated process gets; nothing of the host's but what programs need."""
    kept = {name: os.environ[name] for name in ("PATH", "ARENA_PURE") if name in os.environ}
    ours = {
        "LANG": "C.UTF-8",
        "PYTHONPATH": PYTHON_PATH,
        "PYTHONHASHSEED": str(hashes),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {**kept, **ours}
