"""What a bot is made of: its sources, and the models it was trained to."""

from pathlib import Path

import pytest

from arena.league.bot_sources import bot_files, bot_identities
from arena.league.config import league_from_json


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
