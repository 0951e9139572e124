"""Games between bots for tests, and the faults they end with."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from arena.match.bot_factory import RUNS, bot_factory
from arena.match.referee import BotFactory, BotFault, Result, run_game
from arena.sandbox.bot_process import Limits
from arena.sandbox.policy import PYTHON_PATH
from bots import Bot
from bots.runtime.loading import ClassFactory
from games.registry import game
from games.replay import Replay, write_replay
from games.seats import seat_name
from games.view import View
from tests.support.paths import SUPPORT

RULES = game("hidden-leaders")
FAILING = SUPPORT / "failing_bots.py"
FIRST = """\
from bots import Bot
class First(Bot):
    def choose(self, view):
        return view.moves[0]
"""
"""A file with a bot that plays the first move; a test may add to it."""


class First(Bot):
    """Plays the first move."""

    def choose(self, view: View) -> int:
        return view.moves[0]


class Diarist(Bot):
    """Plays any move and keeps its events."""

    def start(self, view: View) -> None:
        assert (view.seat, view.decisions, view.moves) == (self.seat, 0, [])
        self.received: list[tuple[int, ...]] = []

    def observe(self, event: tuple[int, ...]) -> None:
        self.received.append(event)

    def choose(self, view: View) -> int:
        assert view.actor == self.seat
        return self.rng.choice(view.moves)


def seat_bot(
    bot: str | type[Bot],
    isolated: bool = False,
    limits: Limits | None = None,
    hidden: Sequence[Path] = (RUNS,),
) -> BotFactory:
    """The factory for a bot by name, or for a class of the test."""
    if isinstance(bot, str):
        return bot_factory(bot, isolated, limits, hidden)
    return ClassFactory(bot.__name__, bot, {}, "here")


def played(
    *bots: str | type[Bot] | BotFactory, seed: int = 1, isolated: bool = False, **more: Any
) -> Result:
    """A game of Hidden Leaders; factories, which may differ in isolation, are taken as they are."""
    factories = [seat_bot(bot, isolated) if isinstance(bot, str | type) else bot for bot in bots]
    return run_game(RULES, factories, seed, **more)


def fault_of(bot: BotFactory, *others: str | type[Bot], **more: Any) -> BotFault:
    """The fault of a bot in the seat after the others, after one random bot by default."""
    with pytest.raises(BotFault) as raised:
        played(*(others or ("random",)), bot, **more)
    fault = raised.value
    assert (fault.seat, fault.name) == (len(others or "1"), bot.name)
    when = f"at decision {fault.decision}" if fault.decision else "before its first decision"
    where = f"{seat_name(fault.seat)} ({fault.name}) {when}"
    line = f" ({fault.where})" if fault.where else ""
    assert str(fault) == f"{where}: {fault.problem}{line}"
    assert "\n" not in str(fault)
    return fault


def without_times(replay: Replay) -> str:
    """The replay as text without the seconds, which differ from run to run."""
    return write_replay(replace(replay, seconds={}))


def run_python(code: str) -> str:
    """What the code prints in a Python process of its own; it must not write to stderr."""
    finished = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": PYTHON_PATH, "TMPDIR": tempfile.gettempdir()},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert finished.stderr == ""
    return finished.stdout


def cases(table: Iterable[tuple[Any, ...]], slow: Container[str] = ()) -> list[ParameterSet]:
    """The rows as test cases, named by their first column; slow ones are marked."""
    return [
        pytest.param(*row, id=row[0], marks=[pytest.mark.slow] if row[0] in slow else [])
        for row in table
    ]
