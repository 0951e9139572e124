"""transcripts.txt: what commands print, and what they refuse in one line."""

import re
import shlex
from pathlib import Path

import pytest

from tests.support.command_line import DUEL, LONG, RunArena, check_refusal
from tests.support.small_positions import ONE_TURN

B_DECIDES = (
    "threshold 3; red 7; deck FlKn ShSo WiWi FrFr MuMy LeLe KeKo BoGo SaSa; "
    "A leader Xiadul hand FlKn open ShSo WiWi FrFr; B leader Cyra hand ?x2 "
    "open MuMy hidden LeLe; pending 48 -1 1 -1 -1 0 0 0 / 1344 49 1 -1 -1 0 0 0"
)
"""In A's turn B must discard, and its hand is not known."""
WORDS = {
    "ONE_TURN": ONE_TURN,
    "DUEL": DUEL,
    "LONG": LONG,
    "B_DECIDES": B_DECIDES,
    "NINES": "9" * 5000,
}
TEXT = Path(__file__).with_name("transcripts.txt").read_text(encoding="utf-8")
CASES = re.findall(r"^\$ (.*?)(?: < (.*?))?(?: -> (\d+))?\n((?:[^$#\n].*\n)+)", TEXT, re.MULTILINE)


def test_the_file_is_read_completely() -> None:
    assert len(CASES) == TEXT.count("\n$ ") > 120


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("line", "typed", "code", "expected"), CASES, ids=[case[0] for case in CASES]
)
def test_what_is_printed(line: str, typed: str, code: str, expected: str, arena: RunArena) -> None:
    Path("notes.md").write_text("not a run")
    Path("bad.txt").write_text("red 14")
    lines = "".join(f"{answer}\n" for answer in typed.split("/")) if typed else ""
    outcome = arena(*shlex.split(line.format(**WORDS)), typed=lines, code=int(code or 0))
    printed = " ".join(outcome.out.split())
    for sentence in expected.splitlines():
        if code == "2":
            check_refusal(outcome, sentence)
        elif sentence.startswith("not: "):
            assert sentence.removeprefix("not: ") not in printed
        else:
            assert sentence in printed
