"""Bot factories by name: for classes in this process, isolated classes, and programs."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from arena.match.referee import BotFactory
from arena.sandbox import policy
from arena.sandbox.bot_process import BotProcess, Limits
from arena.sandbox.process import ConfinedProcess, PlainProcess, ProcessHandle
from arena.sandbox.submission import Submission, submission_of
from bots.bot import Bot, Budget, Match
from bots.runtime.faults import BotFailure
from bots.runtime.loading import (
    PROGRAM_PREFIX,
    BadBot,
    ClassFactory,
    bot_package,
    find_place,
    is_ours,
    load_bot,
    split_options,
)
from games.installed import BadGame, installed_games
from games.registry import bundled_games, game

RUNS: Final = Path("runs")
"""Where leagues keep their journals: hidden from isolated bots, even next to their own files."""

_TRIAL_BOT: Final = "random"
_tried: Final[set[str]] = set()
"""Installed games that have been loaded in a sandbox."""


@dataclass(frozen=True)
class ProcessFactory:
    """Makes bots that play in their own process."""

    name: str
    """As the user wrote it."""
    launch: Callable[[], ProcessHandle]
    limits: Limits

    def make(
        self, seat: int, seed: int, budget: Budget | None = None, match: Match | None = None
    ) -> BotProcess:
        """A fresh process for one seat of one game."""
        assert match is not None
        program = self.name.startswith(PROGRAM_PREFIX)
        return BotProcess(seat, seed, budget, match, self.launch, self.limits, program)


def bot_factory(
    name: str | type[Bot],
    isolated: bool = False,
    limits: Limits | None = None,
    hidden: Sequence[Path] = (RUNS,),
    matches: Iterable[Match] = (),
) -> BotFactory:
    """The factory for the bot of that name; BadBot or BadOption says what is wrong with it.

    An isolated bot runs in its own process, in a sandbox that cannot read hidden paths. None of an
    isolated class's code runs here, not even its import. Without isolation, a class plays in this
    process, and a program (`cmd:COMMAND LINE`) in a process with the user's own rights. BadBot too
    if the bot says that it cannot play one of the matches. A class instead of a name plays in this
    process only.
    """
    limits = limits or Limits()
    if not isinstance(name, str):
        if isolated:
            raise BadBot(needs_name(name, "an isolated bot plays in another process"))
        return checked(load_bot(name), matches)
    if isolated and sys.platform != "linux":
        raise policy.NoSandbox(f"isolated bots need Linux; this system is {sys.platform}")
    if name.startswith(PROGRAM_PREFIX):
        return program(name, isolated, limits, hidden)
    factory = isolated_class(name, limits, hidden) if isolated else load_bot(name)
    check_matches(name, isolated, matches)
    return factory


def check_matches(name: str, isolated: bool, matches: Iterable[Match]) -> None:
    """BadBot if the class says that it cannot play one of the matches.

    An isolated one that is not our own is asked in its sandbox, when its first game begins. BadGame
    if no bot at all could play the game in a sandbox.
    """
    if isolated:
        for match in matches:
            check_in_sandbox(match)
    if is_ours(name) or not isolated:
        checked(load_bot(name), matches)


def checked(factory: ClassFactory, matches: Iterable[Match]) -> ClassFactory:
    """The factory of a bot that has nothing against any of the matches; else BadBot."""
    for match in matches:
        factory.check(match)
    return factory


def needs_name(bot: type[Bot], why: str) -> str:
    """Says that a class was given where only the name of a bot can be used."""
    called = getattr(bot, "__name__", repr(bot))
    return f"{why}: save {called} in a file and give its name, like 'my_bot.py:{called}'"


def check_in_sandbox(match: Match) -> None:
    """BadGame if a game of another package does not load in a sandbox, which is no bot's fault.

    What it needs may be there for the arena and not for bots, such as a folder on PYTHONPATH or an
    environment variable. Tried once, with a bot of our own.
    """
    name = match.game
    if name in bundled_games() or name not in installed_games() or name in _tried:
        return
    bot = isolated_class(_TRIAL_BOT, Limits()).make(0, 0, None, match)
    try:
        bot.start(game(name).view(0, match.players, **match.options))
    except BotFailure as failure:
        theirs = "isolated bots, which have none of your environment variables such as PYTHONPATH,"
        raise BadGame(name, f"{theirs} cannot load it: {failure}") from None
    finally:
        bot.close()
    _tried.add(name)


def isolated_class(
    name: str,
    limits: Limits,
    hidden: Sequence[Path] = (RUNS,),
    *,
    watched: bool = False,
    hash_seed: int = 0,
) -> ProcessFactory:
    """The factory for a class that plays in its own process and sandbox.

    What a watched class accesses is recorded. `hash_seed` seeds Python's hashes, and so decides in
    which order the class iterates over a set of strings.
    """
    _check_class_name(name)
    command = (policy.BOT_MODE, "--watch", name) if watched else (policy.BOT_MODE, name)
    sandbox = policy.SandboxPolicy(own_files(name), hidden=tuple(hidden))
    return _sandboxed(name, command, sandbox, limits, hash_seed)


def own_files(name: str) -> tuple[Submission, ...]:
    """The submission of a class; none if it is installed."""
    if is_ours(name):
        return _named_files(name)
    file, dot_py, _ = name.partition(".py:")
    if dot_py:
        return (submission_of(Path(f"{file}.py")),)
    package = bot_package(name)
    if package is None or any(map(package.is_relative_to, policy.python_paths())):
        return ()  # every bot may read what is installed
    return (Submission(package.parent, (package.name,)),)


def _named_files(name: str) -> tuple[Submission, ...]:
    """The files that options of one of the arena's own bots name, such as a model."""
    settings = split_options(name)[1].split(",")
    paths = [Path(value) for setting in settings if (value := setting.partition("=")[2])]
    files = [path.absolute() for path in paths if path.is_file()]
    return tuple(Submission(file.parent, (file.name,)) for file in files)


def program(name: str, isolated: bool, limits: Limits, hidden: Sequence[Path]) -> ProcessFactory:
    """The factory for the program with the command line after `cmd:`."""
    try:
        words = shlex.split(name.removeprefix(PROGRAM_PREFIX))
    except ValueError as error:
        raise BadBot(f"{name!r} is not a command line: {str(error).lower()}") from None
    if not words:
        raise BadBot(f"{name!r} names no program; write it like 'cmd:node my_bot.js'")
    path = shutil.which(words[0])
    if path is None and Path(words[0]).is_file():
        raise BadBot(
            f"{words[0]} is not executable: chmod +x it, or name what runs it, like "
            f"'{PROGRAM_PREFIX}python3 {words[0]}'"
        )
    if path is None:
        raise BadBot(f"there is no program {words[0]!r}, neither here nor on the PATH")
    command = (path, *words[1:])
    if not isolated:
        return ProcessFactory(name, partial(PlainProcess, command, os.environ), limits)
    own, installed = policy.command_paths(command, by_name=os.sep not in words[0])
    sandbox = policy.SandboxPolicy(own, installed, hidden=tuple(hidden))
    return _sandboxed(name, (policy.EXEC_MODE, *command), sandbox, limits)


def _sandboxed(
    name: str, words: Sequence[str], sandbox: policy.SandboxPolicy, limits: Limits, hashes: int = 0
) -> ProcessFactory:
    cpu_seconds = int(limits.start + limits.game) + 1
    sandbox = replace(sandbox, memory=limits.memory, cpu_seconds=cpu_seconds)
    sandbox.check()
    environment = isolated_environment(hashes)
    return ProcessFactory(name, partial(ConfinedProcess, words, environment, sandbox), limits)


def _check_class_name(name: str) -> None:
    """BadBot if it is clear, without running its code, that there is no such bot."""
    if is_ours(name):
        load_bot(name)  # its options can be checked right away
    else:
        find_place(split_options(name)[0])


def isolated_environment(hash_seed: int = 0) -> dict[str, str]:
    """The environment of an isolated process: nothing of the host's but what programs need."""
    return {
        **{name: os.environ[name] for name in ("PATH", "ARENA_PURE") if name in os.environ},
        "LANG": "C.UTF-8",
        "PYTHONPATH": policy.PYTHON_PATH,
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
