"""What the pages show of positions of Secrets is true."""

import re
import shlex
from pathlib import Path

import pytest

from arena.cli import main as cli
from games.secrets.notation import PHASES, read, write
from tests.support.paths import ROOT

DOCS = ROOT / "docs"
SECRETS = (DOCS / "secrets.md").read_text(encoding="utf-8")
FORMATS = (DOCS / "formats.md").read_text(encoding="utf-8")


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


(EXAMPLE,) = blocks(SECRETS, "secrets")


def test_the_solver_prints_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "last-turn.txt").write_text(EXAMPLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    (block,) = [text for text in blocks(SECRETS, "console") if text.startswith("$ arena solve")]
    line, _, output = block.partition("\n")
    assert cli.run(shlex.split(line.removeprefix("$ arena "))) == 0
    printed = [text.rstrip() for text in capsys.readouterr().out.splitlines()]
    shown = output.splitlines()
    assert shown.pop() == "..."
    assert printed[:-1] == shown


def test_positions_can_be_read_and_written_back() -> None:
    (shown,) = blocks(FORMATS, "secrets")
    for text in (EXAMPLE, shown):
        assert read(write(read(text))) == read(text)


def test_every_phase_is_named() -> None:
    (told,) = re.findall(r"\*\*Phases\*\*, in order: (.*?)\. It", FORMATS, re.DOTALL)
    assert re.findall(r"`(\w+)`", told) == list(PHASES)


@pytest.mark.parametrize(
    ("position", "complaint"),
    [
        ("A token CAI; turnd Scientist", "unknown key 'turnd'; did you mean 'turned'"),
        ("players 5; A token CIA", "chance decides next: there is no move to evaluate"),
        ("A up Scientist; phase over", "phase over: no display is full"),
    ],
)
def test_a_position_that_makes_no_sense_gets_one_sentence(
    position: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["solve", "--game", "secrets", position]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert len(said.splitlines()) == 1
