"""The commands, code, positions and puzzle shown in docs/solver.md work as shown."""

import re
import shlex
from pathlib import Path

import pytest

from arena.cli import main as cli
from games.hidden_leaders.positions.notation import read
from solver.core.budget import NodeBudget
from solver.puzzles.files import load_puzzle, prove
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "solver.md").read_text(encoding="utf-8")

ROW = re.compile(r"  (play|discard|do nothing)\b")
"""A move in a table."""


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", blocks("console"))
def test_commands_print_what_is_shown(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (position,) = blocks("position")
    (tmp_path / "frog.txt").write_text(position, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    line, _, output = block.partition("\n")
    assert cli.run(shlex.split(line.removeprefix("$ arena "))) == 0
    printed = [text.rstrip() for text in capsys.readouterr().out.splitlines()]
    shown = output.splitlines()
    if "equilibrium" in line:
        # Which of several equilibria is found depends on the version of scipy.
        printed, shown = (
            [text for text in one if not ROW.search(text)] for one in (printed, shown)
        )
    parts = [re.escape(part) for part in "".join(f"{text}\n" for text in shown).split("...\n")]
    assert re.fullmatch(r"(?:.*\n)*".join(parts), "".join(f"{text}\n" for text in printed))


def test_its_python_runs_and_its_positions_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    for code in blocks("python"):
        exec(compile(code, "docs/solver.md", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.startswith("True ['play Short-Sighted Soldier', ")
    for text in blocks("position"):
        read(text)


def test_its_puzzle_can_be_proven(tmp_path: Path) -> None:
    (text,) = blocks("toml")
    path = tmp_path / "puzzle.toml"
    path.write_text(text, encoding="utf-8")
    prove(load_puzzle(path), NodeBudget())


def test_there_are_four_commands_to_test() -> None:
    assert len(blocks("console")) == 4
