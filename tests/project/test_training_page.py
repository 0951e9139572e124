"""What docs/training.md tells its readers to write works."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena import play_game
from arena.training.plan import read_plan
from tests.support.pages import blocks
from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")


def test_the_config_can_be_read(tmp_path: Path) -> None:
    (config,) = blocks(PAGE, "toml")
    (tmp_path / "my.toml").write_text(config)
    plan = read_plan(tmp_path / "my.toml")
    assert [generation.games for generation in plan.generations] == [400, 600]
    assert plan.test_deals == 200


def test_the_features_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    exec(blocks(PAGE, "python")[0], {})  # noqa: S102
    assert "  1.00  3 players\n" in capsys.readouterr().out


def test_the_patterns_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    exec(blocks(PAGE, "python")[1], {})  # noqa: S102
    assert "markers (one of 144)\n" in capsys.readouterr().out


def test_the_bot_plays(tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text(blocks(PAGE, "python")[2])
    game = play_game([f"{tmp_path}/judge.py:Judge", "random"], seed=1, options={"rounds": 1})
    assert game.decisions > 4
