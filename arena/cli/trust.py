"""Bots and trust: whose rights they have, what they can read, and how long they may take."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from arena.cli.console import wrap
from arena.cli.verbosity import note
from arena.league.bot_sources import bot_files
from arena.sandbox.bot_process import Limits
from bots.runtime.loading import BUILT_IN, PROGRAM_PREFIX, all_bots, is_ours, split_options
from games.wording import listed


def warn_of_strangers(bots: Iterable[str], instead: str = "") -> None:
    """Name the bots that are not built in, before they run here without a sandbox.

    `instead`: the option that would isolate them.
    """
    strangers = [bot for bot in dict.fromkeys(bots) if not is_ours(bot) and _exists(bot)]
    if strangers:
        run = "runs" if len(strangers) == 1 else "run"
        advice = f"; use {instead} for bots you do not know" if instead else ""
        _say(f"{listed(strangers)} {run} with your rights, not in a sandbox{advice}")


def warn_of_neighbours(bots: Mapping[str, str]) -> None:
    """Name isolated bots of which one can read another's files; `bots`: how to load each, by name.

    A bot sees the folder of its file and all below. What is in one file is from one author.
    """
    files = {name: _files(bot) for name, bot in bots.items()}
    for folder in sorted({file.parent for own in files.values() for file in own}):
        inside = {
            name: [file for file in own if folder in file.parents] for name, own in files.items()
        }
        names = [name for name, own in inside.items() if own]
        if len({file for own in inside.values() for file in own}) > 1 < len(names):
            place = "the current folder" if folder == Path.cwd() else str(folder)
            _say(
                f"{listed(names)} have their files in {place}, where one can read another's; "
                "give each bot a folder of its own"
            )


def _files(bot: str) -> list[Path]:
    """The files of its own by which an isolated bot's folders are found."""
    if is_ours(bot):
        return []
    place = bot if bot.startswith(PROGRAM_PREFIX) else split_options(bot)[0]
    return [file.absolute() for file in bot_files(place) if file.is_file()]


def _say(line: str) -> None:
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    note(wrap(line, indent=4) if on_terminal else line)


def move_limits(bots: Sequence[str], isolate: bool, seconds: float | None) -> Limits:
    """The limits of --move-limit; a usage error if it would not stop a bot."""
    if seconds is not None and not isolate:
        _check_limited(bots)
    return Limits(move=seconds or 0.0)


def _check_limited(bots: Sequence[str]) -> None:
    """A usage error if a time limit would not stop the bots: only a process can be ended."""
    classes = [name for name in bots if not name.startswith(PROGRAM_PREFIX)]
    unlimited = classes if len(classes) == len(bots) else [n for n in classes if not is_ours(n)]
    if unlimited:
        raise click.UsageError(
            f"--move-limit cannot stop {' or '.join(dict.fromkeys(unlimited))} in the arena's own "
            "process: add --isolate"
        )


def _exists(bot: str) -> bool:
    """Whether there is something to run; if not, loading the bot says so."""
    if bot.startswith(PROGRAM_PREFIX):
        try:
            words = shlex.split(bot.removeprefix(PROGRAM_PREFIX))
        except ValueError:
            return False
        return bool(words) and shutil.which(words[0]) is not None
    place, _ = split_options(bot)
    module, _, _ = place.rpartition(":")
    if module.endswith(".py"):
        return Path(module).is_file()
    return (module not in ("", *BUILT_IN)) or place in {name for name, _, _ in all_bots()}
