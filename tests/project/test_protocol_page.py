"""What the page on the protocol shows is what is really said."""

import json
import re
import sys
from pathlib import Path

import pytest

from arena.match.bot_factory import bot_factory
from arena.match.referee import BotFault, play_game
from arena.sandbox.bot_process import DEFAULT_MOVE_LIMIT, EXIT_GRACE, GRACE, Limits
from arena.sandbox.channel import MAX_STDERR
from bots.runtime.faults import MOST_BELIEFS, MOST_REASON, FaultKind
from bots.runtime.protocol import MOST_LINE, VERSION, encode
from games.registry import game
from tests.support.paths import ROOT, SUPPORT

PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
LINES = [
    line
    for block in re.findall(r"^```lines\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
]
EXAMPLE = f"{sys.executable} {ROOT / 'examples' / 'remote' / 'first.py'}"


def overheard(command: str, log: Path) -> list[str]:
    """Every line of the page's game, if that program plays it."""
    scribe = f"cmd:{sys.executable} {SUPPORT / 'recording_bot.py'} {log} {command}"
    seats = [bot_factory(scribe), bot_factory("random")]
    try:
        play_game(game("hidden-leaders"), seats, seed=4)
    except BotFault as fault:
        assert fault.kind == FaultKind.ILLEGAL  # noqa: PT017
    return log.read_text().splitlines()


def test_the_game_on_the_page_is_the_game_that_is_played(tmp_path: Path) -> None:
    assert "'cmd:python3 examples/remote/first.py' random --seed 4" in PAGE
    said = overheard(EXAMPLE, tmp_path / "log")
    shown = [line for line in LINES if '"error"' not in line and '"fault"' not in line]
    assert [json.loads(line[2:])["type"] for line in shown] == [
        "hello",
        "ready",
        "choose",
        "move",
        "end",
    ]
    assert shown == [*said[:4], said[-1]]


def test_the_fault_on_the_page_is_what_a_bot_is_told(tmp_path: Path) -> None:
    hasty = tmp_path / "hasty.py"
    hasty.write_text((ROOT / "examples/remote/first.py").read_text().replace('chosen["move"]', "0"))
    said = overheard(f"{sys.executable} {hasty}", tmp_path / "log")
    (shown,) = [line for line in LINES if '"fault"' in line]
    assert shown == said[-1]


def test_the_error_on_the_page_is_what_our_own_bots_send(tmp_path: Path) -> None:
    (shown,) = [line for line in LINES if '"error"' in line]
    message = json.loads(shown[2:])
    assert encode(message).decode().rstrip() == shown[2:]
    file = tmp_path / "divides.py"
    file.write_text(
        "from bots import Bot\n\nclass Divides(Bot):\n    def choose(self, view):\n        1 / 0\n"
    )
    seats = [bot_factory(f"{file}:Divides", isolated=True), bot_factory("random")]
    with pytest.raises(BotFault) as found:
        play_game(game("hidden-leaders"), seats, seed=4)
    assert (message["kind"], message["problem"]) == (found.value.kind, found.value.problem)


def test_every_kind_of_fault_is_explained() -> None:
    rows = PAGE.partition("| kind | what happened |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([a-z-]+)` \|", rows, re.MULTILINE) == list(FaultKind)


@pytest.mark.parametrize(
    "words",
    [
        f"protocol version {VERSION}",
        f"more than {MOST_LINE} bytes",
        f"more than {MAX_STDERR} bytes on stderr",
        f"{MOST_REASON} letters",
        f"up to {MOST_BELIEFS} words",
        f"or {DEFAULT_MOVE_LIMIT:.0f} if there is no budget",
        f"may take {Limits().game:.0f} seconds",
        f"first word after the start {Limits().start:.0f}",
    ],
)
def test_the_numbers_on_the_page_are_ours(words: str) -> None:
    assert words in " ".join(PAGE.split())
    assert (GRACE, EXIT_GRACE) == (1.0, 0.5)
    assert "(`--seconds`) and one more" in " ".join(PAGE.split())
    assert "half a second later is killed" in " ".join(PAGE.split())
