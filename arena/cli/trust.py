"""Bots that run with the user's own rights: the line that names them, and limits of their time."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from arena.cli.console import wrap
from arena.cli.verbosity import note
from arena.sandbox.bot_process import Limits
from bots.runtime.loading import BUILT_IN, PROGRAM_PREFIX, all_bots, is_ours, split_options


def warn_of_strangers(bots: Iterable[str], instead: str = "") -> None:
    """Name the bots that are not built in, before they run here without a sandbox.

    `instead`: the option that would isolate them.
    """
    strangers = [bot for bot in dict.fromkeys(bots) if not is_ours(bot) and _exists(bot)]
    if strangers:
        run = "runs" if len(strangers) == 1 else "run"
        advice = f"; use {instead} for bots you do not know" if instead else ""
        line = f"{' and '.join(strangers)} {run} with your rights, not in a sandbox{advice}"
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
