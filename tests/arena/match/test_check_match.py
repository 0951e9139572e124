"""A bot that cannot play a match says so before the first game: nobody's fault is counted."""

from pathlib import Path

import pytest

from arena import compare, play_game
from arena.match.bot_factory import bot_factory, own_files
from arena.match.referee import BotFault, run_game
from bots.bot import Match
from bots.champion.model import bundled_model
from bots.runtime.faults import FaultKind
from bots.runtime.loading import BadBot, load_bot
from games.errors import GameError
from games.registry import game
from tests.arena.cli.conftest import arena, folder
from tests.support.command_line import RunArena, check_refusal
from tests.support.leftovers import linux

__all__ = ["arena", "folder"]

PICKY = """
from bots import BadBot, Bot, Option

class Picky(Bot):
    most = Option(3, "the largest table it sits down at")

    def check_match(self, match):
        print("asked")
        if match.options.get("deck") == "odd":
            raise KeyError("odd")
        if match.players > self.most:
            raise BadBot(f"it plays with {self.most} at most, not with {match.players}")

    def choose(self, view):
        return view.moves[0]
"""
TOO_MANY = "picky.py:Picky: it plays with 3 at most, not with 4"


@pytest.fixture
def model(folder: Path) -> str:
    """A bot with a model of Hidden Leaders."""
    (folder / "m.json").write_bytes(bundled_model("hidden-leaders").read_bytes())
    return "champion:model=m.json,iterations=2"


@pytest.fixture
def picky(folder: Path) -> str:
    (folder / "picky.py").write_text(PICKY)
    return "picky.py:Picky"


@linux
@pytest.mark.parametrize(
    "command",
    [
        "match {} greedy greedy random",
        "match {} greedy greedy random --isolate",
        "compare {} greedy",
        "play --bots {},greedy,greedy",
        "league --bot {} --bot greedy --deals 1",
        "league --bot {} --bot greedy --deals 1 --no-trust",
        "league --bot {} --bot greedy --dry-run",
    ],
)
def test_a_model_of_the_other_game_is_refused_in_one_line(
    model: str, arena: RunArena, command: str
) -> None:
    """It was accepted, and then the bot lost every game by a fault until it was disqualified."""
    words = (*command.format(model).split(), "--game", "secrets")
    check_refusal(arena(*words, code=2), "m.json is a model of Hidden Leaders, not of Secrets")
    assert not Path("runs").exists()


@linux
def test_check_refuses_it_too(model: str, arena: RunArena) -> None:
    error = arena("check", model, "--game", "secrets", code=2).err.splitlines()[-1]
    assert error == f"arena: {model}: m.json is a model of Hidden Leaders, not of Secrets"


def test_from_python_it_is_refused_as_well(model: str) -> None:
    with pytest.raises(GameError, match="not of Secrets"):
        play_game([model, "random", "random", "random"], game="secrets")
    with pytest.raises(GameError, match="not of Secrets"):
        compare(model, "random", game="secrets", workers=1)
    bot_factory(model, matches=[Match("hidden-leaders", 2)])


def test_a_bot_in_a_file_can_refuse_a_match(picky: str, arena: RunArena) -> None:
    refused = arena("match", picky, "random", "random", "random", code=2)
    assert refused.err.splitlines()[-1] == f"arena: {TOO_MANY}"
    assert "asked" not in refused.out
    arena("match", f"{picky}:most=4", "random", "random", "random")
    league = ("league", "--bot", picky, "--bot", "random", "--deals", "1")
    assert f"--bot: {TOO_MANY}" in arena(*league, "--players", "2,4", code=2).err


def test_what_else_its_check_raises_is_shown_with_its_lines(picky: str) -> None:
    with pytest.raises(BadBot) as caught:
        load_bot(picky).check(Match("hidden-leaders", 2, {"deck": "odd"}))
    error = str(caught.value)
    assert error.startswith("picky.py:Picky failed before its first game:\n")
    assert 'raise KeyError("odd")' in error
    assert "loading.py" not in error


@linux
def test_an_isolated_stranger_is_asked_in_its_sandbox(picky: str) -> None:
    match = Match("hidden-leaders", 4)
    factory = bot_factory(picky, isolated=True, matches=[match])
    assert factory.name == picky
    with pytest.raises(BotFault) as caught:
        play_game([picky, "random", "random", "random"], isolate=True)
    assert caught.value.kind == FaultKind.START
    assert TOO_MANY in str(caught.value)


@linux
def test_a_model_that_an_option_names_can_be_read_in_the_sandbox_and_nothing_beside_it(
    tmp_path: Path,
) -> None:
    model = tmp_path / "mine.json"
    model.write_bytes(bundled_model("hidden-leaders").read_bytes())
    (tmp_path / "diary.txt").write_text("private")
    name = f"champion:model={model},iterations=4"
    result = run_game(game("hidden-leaders"), [bot_factory(name, True), bot_factory("random")], 1)
    assert result.winners
    (submission,) = own_files(name)
    assert [part.name for part in submission.parts()] == ["mine.json"]
