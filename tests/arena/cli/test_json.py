"""--json: every command prints one document, as docs/json.md describes it, and nothing else."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from arena.cli import main as cli
from arena.lab import selftest
from tests.support.command_line import DUEL, RunArena
from tests.support.json_schema import problems, schemas
from tests.support.small_positions import ONE_TURN

LEAGUE = "league --bot random --bot greedy --players 2 --option rounds=2 --workers 1"
QUICK = [
    "bots",
    "bots ismcts:iterations=5",
    "cards",
    "cards --game secrets",
    "cards crca",
    "check greedy --players 2 --games 1",
    "check crashing.py:Crashing --players 2 --games 1 -> 1",
    "check-rules --players 2,3 --games 2 --workers 1",
    "compare greedy random --deals 2 --workers 1 -> 4",
    "match greedy random --games 2",
    "match random crashing.py:Crashing -> 2",
    "random-games --players 2,3 --games 3",
    "random-games --game secrets --players 4 --games 3",
    "train tiny.toml --out tiny --workers 1",
    "show game.jsonl",
    "show game.jsonl --view A --at 3",
    "review game.jsonl --turns 1 --iterations 10 --hindsight",
    "verify game.jsonl",
    f"solve '{ONE_TURN}'",
    f"solve '{DUEL}' --others equilibrium",
    "puzzles --theme denying",
    "puzzles list",
    "puzzles list --game secrets",
    "puzzles progress",
    "puzzles show fewer-is-more",
    "puzzles show doubt --answer",
    "puzzles verify doubt",
    "puzzles verify doubt --nodes 3 -> 1",
    "puzzles check doubt",
    "puzzles check doubt --nodes 3 -> 1",
]
SLOW = [
    f"{LEAGUE} --deals 2 --run run.db",
    f"{LEAGUE} --until-settled --run settled.db",
    "standings run.db",
    "show run.db 0",
    "verify run.db game.jsonl",
    "export run.db out",
    "bench --quick --players 2",
    "selftest --players 2 --deals 1 --workers 1",
    "sandbox",
    "puzzles rate doubt --seeds 1",
    "puzzles make --count 1 --turns 1 --out made",
]
CASES = [*QUICK, *(pytest.param(line, marks=pytest.mark.slow) for line in SLOW)]
CRASHING = """
from bots import Bot
class Crashing(Bot):
    def choose(self, view):
        raise ValueError("no idea")
"""


TINY_TRAINING = """
players = 2
hidden = [2, 2]
epochs = 1
generations = [{games = 2, iterations = 2}]
"""


@pytest.fixture(autouse=True)
def files(folder: Path, arena: RunArena, short_bench: None, request: pytest.FixtureRequest) -> None:
    (folder / "crashing.py").write_text(CRASHING)
    (folder / "tiny.toml").write_text(TINY_TRAINING)
    line = request.node.name
    if "game.jsonl" in line:
        arena("match", "greedy", "random", "--option", "rounds=1", "--replay", "game.jsonl")
    if "run.db" in line and "league" not in line:
        arena(*shlex.split(f"{LEAGUE} --deals 2 --run run.db"))


@pytest.mark.parametrize("case", CASES)
def test_a_report_is_as_the_page_says(
    case: str, arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    line, _, code = case.partition(" -> ")
    monkeypatch.setattr(selftest, "BOTS", selftest.BOTS[:1])  # test_selftest.py has all of them
    printed = arena(*shlex.split(line), "--json", code=int(code or 0)).out
    report = json.loads(printed)
    assert "\x1b" not in printed
    assert problems(report, schemas()[report["format"]]) == []
    if report["format"] == "arena-league":
        assert problems(report["standings"], schemas()["arena-standings"]) == []
        assert (report["order"] is not None) == ("--until-settled" in line)
    if "--answer" in line:
        answer = {"format": "arena-solve", "version": 1, **report["answer"]}
        assert problems(answer, schemas()["arena-solve"]) == []


def commands(group: click.Group, words: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{words}{name}-")
        else:
            yield f"{words}{name}", command


def test_every_command_that_reports_is_on_the_page_and_tested() -> None:
    taking = {
        f"arena-{name}"
        for name, command in commands(cli.arena)
        if any(option.name == "as_json" for option in command.params)
    }
    assert taking == set(schemas())
    lines = [line.replace("puzzles ", "puzzles-").split()[0] for line in (*QUICK, *SLOW)]
    # Old run files are made by the tests of the conversion.
    assert taking - {f"arena-{line}" for line in lines} == {"arena-convert"}


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"name": 3}, ".name: 3 is not 'string: who'"),
        ({}, ".name: missing"),
        ({"name": "x", "more": 1}, ".more: not on the page"),
        ({"name": "x", "list": ["y"]}, ".list[]: 'y' is not 'integer'"),
        ({"name": "x", "list": [True]}, ".list[]: True is not 'integer'"),
        ({"name": "x", "map": {"a": "b"}}, ".map.a: 'b' is not 'number or null'"),
    ],
)
def test_the_checker_sees_what_differs(value: object, problem: str) -> None:
    schema = {"name": "string: who", "list?": ["integer"], "map?": {"*": "number or null"}}
    assert problems(value, schema) == [problem]


def test_json_excludes_what_has_no_report(arena: RunArena) -> None:
    assert "--dry-run" in arena("league", "quick", "--dry-run", "--json", code=2).err
    assert "belong after" in arena("puzzles", "--json", "show", "doubt", code=2).err
