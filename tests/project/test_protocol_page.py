"""The protocol page shows the messages that are really sent."""

import json
import re
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

from arena.match.referee import BotFault
from arena.sandbox.bot_process import DEFAULT_MOVE_LIMIT, EXIT_GRACE, GRACE, Limits
from arena.sandbox.channel import MAX_STDERR
from bots.runtime.faults import FaultKind
from bots.runtime.frames import MOST_OWN_FRAMES
from bots.runtime.notes import MOST_BELIEFS, MOST_CANDIDATES, MOST_REASON, MOST_ROLES
from bots.runtime.protocol import MOST_LINE, PROTOCOL_VERSION, encode
from tests.support.matches import FIRST, fault_of, played, seat_bot
from tests.support.pages import blocks, page
from tests.support.paths import ROOT

PAGE = page("protocol")
LINES = "".join(blocks(PAGE, "lines")).splitlines()
EXAMPLE = f"{sys.executable} {ROOT / 'examples' / 'remote' / 'first.py'}"


def record_lines(command: str, folder: Path) -> list[str]:
    """Every line sent in the page's game when that program plays it."""
    recorder = f"tee {folder}/read | {command} | tee {folder}/written"
    try:
        played(f"cmd:sh -c '{recorder}'", "random", seed=4)
    except BotFault as fault:
        assert fault.kind == FaultKind.ILLEGAL  # noqa: PT017
    lines = [(folder / name).read_text().splitlines() for name in ("read", "written")]
    pairs = zip_longest(*lines)
    return [
        f"{mark} {line}" for pair in pairs for mark, line in zip("><", pair, strict=True) if line
    ]


def test_the_page_shows_the_game_that_is_played(tmp_path: Path) -> None:
    assert "'cmd:python3 examples/remote/first.py' random --seed 4" in PAGE
    sent = record_lines(EXAMPLE, tmp_path)
    shown = [line for line in LINES if '"error"' not in line and '"fault"' not in line]
    types = [json.loads(line[2:])["type"] for line in shown]
    assert types == ["hello", "ready", "choose", "move", "end"]
    assert shown == [*sent[:4], sent[-1]]


def test_the_page_shows_the_fault_that_a_bot_receives(tmp_path: Path) -> None:
    hasty = tmp_path / "hasty.py"
    hasty.write_text((ROOT / "examples/remote/first.py").read_text().replace('chosen["move"]', "0"))
    sent = record_lines(f"{sys.executable} {hasty}", tmp_path)
    (shown,) = [line for line in LINES if '"fault"' in line]
    assert shown == sent[-1]


def test_the_page_shows_the_error_that_our_own_bots_send(tmp_path: Path) -> None:
    (shown,) = [line for line in LINES if '"error"' in line]
    message = json.loads(shown[2:])
    assert encode(message).decode().rstrip() == shown[2:]
    file = tmp_path / "divides.py"
    file.write_text(FIRST.replace("return view.moves[0]", "1 / 0"))
    fault = fault_of(seat_bot(f"{file}:First", isolated=True))
    assert (message["kind"], message["problem"]) == (fault.kind, fault.problem)
    ((name, line, function, source),) = message["frames"]
    assert fault.frames == f"  {name}, line {line}, in {function}\n    {source}"


def test_every_kind_of_fault_is_explained() -> None:
    rows = PAGE.partition("| kind | what happened |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([a-z-]+)` \|", rows, re.MULTILINE) == list(FaultKind)


@pytest.mark.parametrize(
    "sentence",
    [
        f"protocol version {PROTOCOL_VERSION}",
        f"more than {MOST_LINE} bytes",
        f"more than {MAX_STDERR} bytes on stderr",
        f"cut after {MOST_REASON} characters",
        f"up to {MOST_BELIEFS} entries",
        f"up to {MOST_ROLES} roles",
        f"The first {MOST_CANDIDATES} are kept",
        f"the first {MOST_OWN_FRAMES} are shown",
        f"or {DEFAULT_MOVE_LIMIT:.0f} if there is no budget",
        f"may take {Limits().game:.0f} seconds",
        f"first message after the start {Limits().start:.0f}",
    ],
)
def test_the_numbers_on_the_page_are_correct(sentence: str) -> None:
    assert sentence in " ".join(PAGE.split())
    assert (GRACE, EXIT_GRACE) == (1.0, 0.5)
    assert "(`--seconds`) plus one" in " ".join(PAGE.split())
    assert "kills a program that is still running half a second later" in " ".join(PAGE.split())
