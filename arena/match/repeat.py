"""The command that plays a game again, and a bot's fault with that command in a few lines."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Final

from arena.match.referee import BotFault
from bots.bot import Budget
from games.registry import DEFAULT_GAME

_MOST_LINES: Final = 10
"""Lines of a program's stderr that are shown with its fault."""


def repeat_command(
    bots: Sequence[str],
    seed: int,
    game: str = DEFAULT_GAME,
    options: Mapping[str, object] | None = None,
    budget: Budget | None = None,
    *,
    isolate: bool = False,
    move_limit: float = 0.0,
    start: Sequence[str] = (),
) -> str:
    """The `arena match` command that plays this game, ready to be pasted into a shell.

    `start`: the options that say where the game begins, if not with the deal.
    """
    words = ["arena", "match", *bots, "--seed", str(seed), *start]
    words += [] if game == DEFAULT_GAME else ["--game", game]
    for name, value in (options or {}).items():
        text = value if isinstance(value, str) else json.dumps(value)
        words += ["--option", f"{name}={text}"]
    words += budget_words(budget or Budget())
    words += ["--isolate"] if isolate else []
    return shlex.join([*words, *move_limit_words(move_limit)])


def budget_words(budget: Budget) -> list[str]:
    words = ["--iterations", str(budget.iterations)] if budget.iterations else []
    return [*words, "--seconds", f"{budget.seconds:.12g}"] if budget.seconds else words


def move_limit_words(seconds: float) -> list[str]:
    return ["--move-limit", f"{seconds:.12g}"] if seconds else []


def fault_lines(fault: BotFault, command: str) -> list[str]:
    """A fault for its author: what happened, where in its own code, and how to see it again."""
    return [str(fault), *trace_lines(fault), f"  to reproduce it: {command}"]


def trace_lines(fault: BotFault) -> list[str]:
    """The frames of the bot's own code; without any, the end of what its process wrote to stderr.

    Indented, and a few lines at most.
    """
    if fault.frames:
        return fault.frames.splitlines()
    return [f"  {line}" for line in fault.stderr.splitlines()[-_MOST_LINES:]]
