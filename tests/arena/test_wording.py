"""Numbers in sentences and tables: one is not several, and there is no `-0`."""

import pytest

from arena.stats.plackett_luce import Estimate
from arena.stats.ranking_table import points_text
from arena.stats.report import points
from games.wording import counted, signed
from tests.arena.cli.conftest import arena, folder
from tests.support.command_line import RunArena, check_refusal

__all__ = ["arena", "folder"]


def test_nouns_agree_with_their_numbers() -> None:
    words = [counted(number, "game") for number in (0, 1, 2000)]
    assert words == [
        "0 games",
        "1 game",
        "2,000 games",
    ]


def test_zero_has_no_minus() -> None:
    rounded = [signed(value) for value in (-0.3, 0.0, 0.4, -0.6, 12.5)]
    assert rounded == [
        "+0",
        "+0",
        "+0",
        "-1",
        "+12",
    ]
    nearly = Estimate(-0.2, -0.4, 0.1)
    assert (points_text(nearly), points(nearly)) == ("+0 ±0", "+0 (+0 to +0)")


@pytest.mark.usefixtures("folder")
def test_a_dry_run_of_one_bot_and_one_worker(arena: RunArena) -> None:
    words = ("league", "--bot", "random", "--players", "2", "--deals", "1", "--workers", "1")
    text = arena(*words, "--dry-run").out
    for part in ("round-robin of 1 bot at", "1 game, 1 deal, seats", "with 1 worker, estimated"):
        assert part in text


@pytest.mark.usefixtures("folder")
def test_a_dry_run_says_that_the_run_file_is_of_another_game(arena: RunArena) -> None:
    """It promised that those games would not be played again, and the league then failed."""
    words = ("league", "--bot", "random", "--deals", "1", "--workers", "1", "--run", "run.db")
    assert "1 game is saved in run.db" in arena(*words, "--players", "2").err
    for more in ((), ("--dry-run",)):
        refused = arena(*words, "--game", "secrets", *more, code=2)
        assert refused.out == ""
        assert "run.db holds games of hidden-leaders, not of secrets" in refused.err
    assert "deal 0" in arena(*words, "--game", "secrets", "--dry-run", "--restart").out


@pytest.mark.usefixtures("folder")
def test_a_folder_that_does_not_exist_is_not_served(arena: RunArena) -> None:
    """Its page looked as if all leagues were lost."""
    check_refusal(arena("serve", "nosuch", code=2), "there is no folder 'nosuch'")
