"""`arena` commands run in this process: how tests call them and judge what they print."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.cli import main as cli


@dataclass(frozen=True)
class Outcome:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


class RunArena(Protocol):
    """The fixture `arena`: runs a command line, with these lines typed on stdin."""

    def __call__(self, *arguments: str, typed: str = "", code: int = 0) -> Outcome:
        """The outcome; fails unless the exit code is `code`."""


def exit_code(arguments: Sequence[str]) -> int:
    try:
        return cli.run(arguments)
    except SystemExit as left:
        return int(left.code or 0)


def check_refusal(outcome: Outcome, problem: str) -> None:
    """Invalid input: one line on stderr, nothing on stdout."""
    assert outcome.out == ""
    assert outcome.err.startswith("arena: ")
    assert outcome.err.count("\n") == 1
    assert problem in outcome.err
