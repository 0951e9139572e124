"""What a bot is made of: its sources, and the models it was trained to."""

from pathlib import Path

import pytest

from arena.league.bot_sources import bot_files, bot_identities
from arena.league.config import league_from_json
from tests.support.command_line import RunArena
from tests.support.entry_points import write_entry_point


def identity(bot: str) -> str:
    league = league_from_json({"bots": [f"{bot} as it", "random"], "deals": 1})
    return bot_identities(league)["it"]


@pytest.mark.parametrize(
    ("bot", "files"),
    [
        ("greedy", []),
        ("bots/mine.py:Mine", ["bots/mine.py"]),
        ("champion:model=trained/model.json,iterations=20", ["trained/model.json"]),
        ("cmd:python mine.py", ["mine.py"]),
    ],
)
def test_files_named_by_a_bot(bot: str, files: list[str]) -> None:
    assert bot_files(bot) == [Path(file) for file in files]


def test_another_model_is_another_bot(tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    bot = f"champion:model={model}"
    model.write_text("{}")
    before = identity(bot)
    assert identity(bot) == before
    model.write_text('{"trained": true}')
    assert identity(bot) != before


def test_an_edited_module_is_another_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "named_by_module.py").write_text("import its_tactics\n")
    (tmp_path / "its_tactics.py").write_text("FIRST = 1\n")
    seen = {identity("named_by_module:Bot")}
    assert identity("named_by_module:Bot") in seen
    for file in ("named_by_module.py", "its_tactics.py"):
        with (tmp_path / file).open("a") as text:
            text.write("# edited\n")
        assert identity("named_by_module:Bot") not in seen
        seen.add(identity("named_by_module:Bot"))


def test_another_version_of_an_installed_package_is_another_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_entry_point(tmp_path, "some_birds", "arena.bots", "wren = some_birds.wren:Wren")
    (tmp_path / "some_birds" / "inner").mkdir(parents=True)
    for file in ("__init__.py", "wren.py", "inner/tactics.py"):
        (tmp_path / "some_birds" / file).write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    before = identity("wren")
    assert identity("wren") == before
    (tmp_path / "some_birds" / "inner" / "tactics.py").write_text("NEW = True\n")
    assert identity("wren") != before


UNREADABLE = {
    "a chain of attributes": b"x.a" + b".a" * 100_000,
    "minus signs": b"-" * 100_000 + b"1",
    "too long": b"[" + b"1," * 600_000 + b"]",
    "not Python": b"def choose(",
    "an unknown encoding": b"# -*- coding: klingon -*-",
}


@pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_nobody_can_parse_stops_no_league(
    tmp_path: Path, text: bytes, monkeypatch: pytest.MonkeyPatch, arena: RunArena
) -> None:
    """What it imports is unknown, so that whatever lies beside it makes it another bot."""
    (tmp_path / "odd").mkdir()
    odd, beside = tmp_path / "odd" / "bot.py", tmp_path / "odd" / "beside.py"
    odd.write_bytes(b"if 0: " + text)
    before = identity(f"{odd}:Bot")
    beside.write_text("DEPTH = 1")
    assert identity(f"{odd}:Bot") != before

    monkeypatch.chdir(tmp_path)
    bots = ("--bot", "odd/bot.py:Bot", "--bot", "random", "--bot", "greedy")
    small = ("--players", "2", "--deals", "1", "--workers", "1", "--run", "run.db")
    result = arena("league", *bots, "--no-trust", "--probation", "1", *small)
    assert "bot.py:Bot was disqualified after 1 fault" in result.out + result.err
    assert "greedy" in result.out
