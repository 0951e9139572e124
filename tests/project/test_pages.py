"""What README and docs/ show is true: Python runs, files are readable, commands print that."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from arena.cli import main as cli
from arena.league.read_run import read_run, write_run
from games.hidden_leaders.positions import notation as hidden_leaders
from games.hidden_leaders.rules import constants as words
from games.registry import game
from games.replay import read_replay, redact, write_replay
from games.secrets import notation as secrets
from solver.ask import Query, solve_query
from solver.certificates.check_file import check_text
from solver.certificates.checker import check_certificate
from solver.certificates.format import (
    read_certificate,
    read_seat_certificate,
    write_certificate,
    write_seat_certificate,
)
from solver.certificates.writer import certify
from solver.core.budget import NodeBudget
from solver.puzzles.files import load_puzzle, prove
from tests.support.command_line import RunArena
from tests.support.pages import blocks, page, session
from tests.support.paths import ROOT

README, FORMATS, SOLVER = page("README"), page("formats"), page("solver")
KNOWLEDGE, SECRETS, REVIEW = page("knowledge"), page("secrets"), page("review")
LEAGUES = page("leagues")
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]

# ---- code, positions and files ------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "code", blocks(README + FORMATS + KNOWLEDGE + LEAGUES + REVIEW + SOLVER, "python")
)
def test_python_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "docs", "exec"), {})  # noqa: S102
    if "compare(" in code:
        assert "\nbetter\n" in capsys.readouterr().out
    if code in SOLVER:
        assert capsys.readouterr().out.startswith("True ['play Short-Sighted Soldier', ")


@pytest.mark.parametrize("text", blocks(FORMATS + SOLVER, "position"))
def test_positions_can_be_read_and_written_back(text: str) -> None:
    position = hidden_leaders.read(text)
    assert hidden_leaders.read(hidden_leaders.write(position)) == position
    if "?" not in text:
        state = position.state()
        assert hidden_leaders.read(hidden_leaders.write(state)).state().key() == state.key()


@pytest.mark.parametrize("text", blocks(SECRETS + FORMATS, "secrets"), ids=["secrets", "formats"])
def test_positions_of_secrets_can_be_read_and_written_back(text: str) -> None:
    assert secrets.read(secrets.write(secrets.read(text))) == secrets.read(text)


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
    shown = read_certificate(text)
    assert check_certificate(shown).open == ()
    rules = game(shown.game)
    assert rules.positions is not None
    position = rules.positions.read(shown.position)
    query = Query(rules, position, shown.goal, shown.horizon, shown.others)
    assert write_certificate(certify(solve_query(query, NodeBudget()), NodeBudget())) == text


def test_seat_certificates_are_as_the_program_writes_them_and_hold() -> None:
    (text,) = blocks(FORMATS, "seat-certificate")
    assert write_seat_certificate(read_seat_certificate(text)) == text
    check_text(text)


def test_the_puzzle_can_be_proven(tmp_path: Path) -> None:
    (text,) = blocks(page("puzzles"), "toml")
    (tmp_path / "puzzle.toml").write_text(text, encoding="utf-8")
    prove(load_puzzle(tmp_path / "puzzle.toml"), NodeBudget())


def test_there_is_something_to_test() -> None:
    assert len(blocks(FORMATS, "python")) >= 4
    assert len(blocks(FORMATS, "position")) >= 2
    assert blocks(KNOWLEDGE, "python")
    assert len(blocks(SOLVER, "console")) == 4
    assert {line.split()[0] for line, _ in QUICK_COMMANDS} == QUICK


# ---- numbers and names --------------------------------------------------------------------------


def rows(heading: str) -> Iterator[list[str]]:
    """The rows, below its head, of the table under a heading of formats.md."""
    section = FORMATS.partition(f"\n### {heading}\n")[2].partition("\n### ")[0]
    for line in re.findall(r"^\|(.*)\|$", section, re.MULTILINE)[2:]:
        yield [cell.strip(" `") for cell in line.split("|")]


def test_the_readme_begins_with_the_speed_that_it_measures() -> None:
    (said,) = re.findall(r"(\d+) million decisions per second on one core", README)
    measured = re.search(r"random play: decisions per second \| (\d+)\.\d million", README)
    assert measured is not None
    assert measured[1] == said


def test_zones_are_ours() -> None:
    shown = {name: int(number) for name, number, _ in rows("Zones")}
    assert shown == {name: getattr(words.Zone, name) for name in shown}
    assert list(shown.values()) == [0, 1, 2, 3, 4, 5, 6, 12, 18]
    assert words.Zone.HIDDEN + words.MOST_PLAYERS == words.Zone.COUNT


def test_moves_are_ours_and_leave_no_gap() -> None:
    expected = 0
    for name, first, last, _ in rows("Moves"):
        assert int(first) == getattr(words.Move, name) == expected, name
        expected = int(last) + 1
    assert expected == words.Move.COUNT


def test_every_event_is_listed_with_its_fields() -> None:
    shown = {name: int(kind) for name, kind, _, _ in rows("Events")}
    assert shown == {name: kind for name, kind in vars(words.Event).items() if name.isupper()}


def test_every_phase_of_secrets_is_named() -> None:
    (phases,) = re.findall(r"\*\*Phases\*\*, in order: (.*?)\. It", FORMATS, re.DOTALL)
    assert re.findall(r"`(\w+)`", phases) == list(secrets.PHASES)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", path.read_text()):
        assert link.startswith("https://") or (path.parent / link).exists(), link


def test_test_files_that_pages_name_exist() -> None:
    named = {name for path in PAGES for name in re.findall(r"`(tests/[\w./-]+)`", path.read_text())}
    assert len(named) > 5
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_make_targets_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for path in PAGES:
        assert set(re.findall(r"(?:`|^)make ([a-z]+)", path.read_text(), re.MULTILINE)) <= targets


@pytest.mark.slow
def test_the_readme_names_every_command_and_every_command_loads() -> None:
    context = click.Context(cli.arena)
    commands = cli.arena.list_commands(context)
    assert set(re.findall(r"`arena ([a-z]+(?:-[a-z]+)*)", README)) == set(commands)
    for name in commands:
        command = cli.arena.get_command(context, name)
        assert command is not None
        assert command.name == name


# ---- commands -----------------------------------------------------------------------------------

QUICK = {"bots", "cards", "compare", "league", "match", "new-bot", "play"}
"""Commands whose output depends neither on the machine nor on the engine, and comes at once."""

ROW = re.compile(r"^.*  (play|discard|do nothing)\b.*\n", re.MULTILINE)
"""A move in a table: which of several equilibria is found depends on the version of scipy."""


SLOW = ("compare", "league", "equilibrium")


def shown_commands(text: str) -> list[tuple[str, str]]:
    """Every command that has its own block, and the output shown."""
    sessions = [session(block) for block in blocks(text, "console")]
    return [commands[0] for commands in sessions if len(commands) == 1 and commands[0][1]]


@pytest.fixture
def page_folder(folder: Path) -> Path:
    """The current folder, with the files that pages tell their readers to save."""
    bot = next(code for code in blocks(README, "python") if "(Bot)" in code)
    (frog,), (last_turn,) = blocks(SOLVER, "position"), blocks(SECRETS, "secrets")
    for name, text in {"eager.py": bot, "frog.txt": frog, "last-turn.txt": last_turn}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


QUICK_COMMANDS = [shown for shown in shown_commands(README) if shown[0].split()[0] in QUICK]
COMMANDS = [
    pytest.param(
        *shown,
        id=shown[0][:60],
        marks=[pytest.mark.slow] if any(word in shown[0] for word in SLOW) else [],
    )
    for shown in QUICK_COMMANDS + shown_commands(SOLVER + page("puzzles") + SECRETS)
]


@pytest.mark.usefixtures("page_folder")
@pytest.mark.parametrize(("line", "output"), COMMANDS)
def test_commands_print_what_is_shown(line: str, output: str, arena: RunArena) -> None:
    """A line `...` stands for any lines."""
    typed = re.findall(r"^Your choice: (.*)$", output, re.MULTILINE)
    outcome = arena(*shlex.split(line), typed="\n".join([*typed, "quit", "yes", ""]))
    printed = "".join(f"{text.rstrip()}\n" for text in outcome.lines)
    if "equilibrium" in line:
        printed, output = ROW.sub("", printed), ROW.sub("", output)
    parts = re.split(r"^\.\.\.\n", output, flags=re.MULTILINE)
    assert re.fullmatch(r"(?:.*\n)*".join(map(re.escape, parts)), printed), printed


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.usefixtures("page_folder")
def test_the_review_is_the_one_that_its_commands_print(arena: RunArena) -> None:
    """Its numbers depend on the bundled model: another model needs another example."""
    (block,) = blocks(REVIEW, "console")
    for line, output in session(block):
        test_commands_print_what_is_shown(line, output, arena)


@pytest.mark.parametrize(
    ("position", "problem"),
    [
        ("A token CAI; turnd Scientist", "unknown key 'turnd'; did you mean 'turned'"),
        ("players 5; A token CIA", "chance decides next: there is no move to evaluate"),
        ("A up Scientist; phase over", "phase over: no display is full"),
    ],
)
def test_an_impossible_position_of_secrets_gets_one_sentence(
    position: str, problem: str, arena: RunArena
) -> None:
    error = arena("solve", "--game", "secrets", position, code=2).err
    assert problem in error
    assert len(error.splitlines()) == 1
