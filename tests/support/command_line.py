"""`arena` commands run in this process: how tests call them and judge what they print."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.cli import main as cli
from tests.support.paths import ROOT

DUEL = (
    "threshold 3; red 10; green 10; deck DoPr SaTr ArSk BoGo DeDr ShSo; "
    "A leader ? hand DoPr SaTr open ArSk BoGo; B leader ? open DeDr ShSo"
)
"""Both cards let B decide which faction wins, so A must not betray its leader by its choice."""
LONG = "players 3; A leader Myrad hand ShSo UnMe FuFr; B leader Lemron hand BoGo; C leader Pavyr"


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
    """The fixture `arena`: runs a command line with these lines typed; fails on another code."""

    def __call__(self, *arguments: str, typed: str = "", code: int = 0) -> Outcome: ...


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


def modules_loaded_by(code: str, *unwanted: str) -> str:
    """Which modules with these beginnings a fresh Python loads while it runs the code."""
    loaded = f"[name for name in sys.modules if name.startswith({unwanted})]"
    code += f"\nimport sys\nprint(*{loaded}, file=sys.stderr)"
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    return done.stderr.strip()
