"""What the pages show is true: their Python runs, their files are readable, their numbers ours."""

import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.league.read_run import read_run, write_run
from games.hidden_leaders.positions.notation import read, write
from games.hidden_leaders.rules import constants as words
from games.registry import game
from games.replay import read_replay, redact, write_replay
from solver.ask import Query, solve_query
from solver.certificates.checker import check_certificate
from solver.certificates.format import read_certificate, write_certificate
from solver.certificates.writer import certify
from solver.core.budget import NodeBudget
from tests.support.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
FORMATS = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
KNOWLEDGE = (ROOT / "docs" / "knowledge.md").read_text(encoding="utf-8")
QUICK = ("bots", "cards", "compare", "league", "match", "new-bot", "play")
"""Commands whose output depends neither on the machine nor on the engine, and comes at once."""


def blocks(page: str, kind: str) -> list[str]:
    """The fenced blocks of that kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def rows(page: str, heading: str) -> Iterator[list[str]]:
    """The rows, below its head, of the table under a heading."""
    section = page.partition(f"\n### {heading}\n")[2].partition("\n### ")[0]
    for line in re.findall(r"^\|(.*)\|$", section, re.MULTILINE)[2:]:
        yield [cell.strip(" `") for cell in line.split("|")]


@pytest.mark.parametrize("code", blocks(FORMATS, "python") + blocks(KNOWLEDGE, "python"))
def test_python_runs(code: str) -> None:
    exec(compile(code, "docs", "exec"), {})  # noqa: S102


@pytest.mark.parametrize("text", blocks(FORMATS, "position"))
def test_positions_can_be_read_and_written_back(text: str) -> None:
    position = read(text)
    assert read(write(position)) == position
    if "?" not in text:
        assert read(write(position.state())) == position


def test_replays_are_as_the_program_writes_them() -> None:
    (replay,), (seat,) = blocks(FORMATS, "replay"), blocks(FORMATS, "seat")
    assert write_replay(read_replay(replay)) == replay
    assert redact(read_replay(replay), 0) == seat


def test_results_are_as_the_program_writes_them(tmp_path: Path) -> None:
    (results,) = blocks(FORMATS, "results")
    (tmp_path / "results.jsonl").write_text(results)
    assert write_run(read_run(tmp_path / "results.jsonl")) == results


def test_certificates_are_as_the_program_writes_them_and_hold() -> None:
    (text,) = blocks(FORMATS, "certificate")
    told = read_certificate(text)
    assert check_certificate(told).open == ()
    rules = game(told.game)
    assert rules.positions is not None
    asked = Query(rules, rules.positions.read(told.position), told.goal, told.horizon, told.others)
    assert write_certificate(certify(solve_query(asked, NodeBudget()), NodeBudget())) == text


def test_there_is_something_to_test() -> None:
    assert len(blocks(FORMATS, "python")) >= 4
    assert len(blocks(FORMATS, "position")) >= 2
    assert blocks(KNOWLEDGE, "python")


# ---- numbers ----------------------------------------------------------------------------------


def test_zones_are_ours() -> None:
    told = {name: int(number) for name, number, _ in rows(FORMATS, "Zones")}
    assert told == {name: getattr(words.Zone, name) for name in told}
    assert list(told.values()) == [0, 1, 2, 3, 4, 5, 6, 12, 18]
    assert words.Zone.HIDDEN + words.MOST_PLAYERS == words.Zone.COUNT


def test_moves_are_ours_and_leave_no_gap() -> None:
    expected = 0
    for name, first, last, _ in rows(FORMATS, "Moves"):
        assert int(first) == getattr(words.Move, name) == expected, name
        expected = int(last) + 1
    assert expected == words.Move.COUNT


def test_every_event_is_told_with_its_fields() -> None:
    told = {name: int(kind) for name, kind, _, _ in rows(FORMATS, "Events")}
    assert told == {name: kind for name, kind in vars(words.Event).items() if name.isupper()}


# ---- commands ---------------------------------------------------------------------------------


def shown_commands() -> list[tuple[str, str]]:
    """Every quick command the README shows, with the output it shows."""
    found = (block.partition("\n") for block in blocks(README, "console"))
    return [
        (line.removeprefix("$ arena "), output)
        for line, _, output in found
        if line.startswith("$ arena ") and line.split()[2] in QUICK
    ]


@pytest.mark.parametrize(("line", "output"), shown_commands())
def test_commands_print_what_is_shown(
    line: str,
    output: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first_bot = next(code for code in blocks(README, "python") if "(Bot)" in code)
    (tmp_path / "eager.py").write_text(first_bot, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    typed = re.findall(r"^Your choice: (.*)$", output, re.MULTILINE)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join([*typed, "quit", "yes", ""])))
    assert cli.run(shlex.split(line)) == 0
    printed = [text.rstrip() for text in capsys.readouterr().out.splitlines()]
    shown = output.splitlines()
    if shown[-1] == "...":
        shown.pop()
        printed = printed[: len(shown)]
    assert printed == shown


def test_every_quick_command_is_shown() -> None:
    assert {line.split()[0] for line, _ in shown_commands()} == set(QUICK)
