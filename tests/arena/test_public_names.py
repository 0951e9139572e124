"""`from arena import ...`: the names exist, load lazily, and play games by bot names."""

import sys
from pathlib import Path

import pytest

import arena
from arena import BotFault, Result, play_game
from bots import Budget
from games.errors import GameError
from tests.support.command_line import modules_loaded_by

ILLEGAL_BOT = """
from bots import Bot

class Illegal(Bot):
    def choose(self, view):
        return -7
"""


@pytest.mark.parametrize("name", arena.__all__)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(arena, name).__name__ == name
    assert name in dir(arena)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="module 'arena' has no attribute 'nothing'"):
        _ = arena.nothing  # type: ignore[attr-defined]


def test_importing_arena_loads_nothing_else() -> None:
    ours = ("arena.", "bots", "games", "solver", "click", "trueskill", "tabulate")
    assert modules_loaded_by("import arena", *ours) == ""


@pytest.mark.slow
def test_the_same_seed_and_bots_give_the_same_game() -> None:
    bots = ["greedy", "random", "ismcts"]
    games = [play_game(bots, seed=seed, budget=Budget(5)) for seed in (3, 3, 4)]
    assert all(isinstance(result, Result) for result in games)
    assert games[0].replay == games[1].replay != games[2].replay
    assert games[0].replay.extra == {"seed": 3, "seats": bots}
    assert games[0].decisions > 20


def test_the_game_and_its_options_can_be_chosen() -> None:
    assert play_game(["random"] * 4, game="secrets").replay.game == "secrets"
    result = play_game(["random", "random"], options={"rounds": 1})
    assert result.replay.options == {"rounds": 1}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="sandboxes need Linux")
def test_bots_can_be_isolated() -> None:
    bots = ["random", "greedy"]
    isolated = play_game(bots, seed=2, options={"rounds": 1}, isolate=True)
    assert isolated.replay == play_game(bots, seed=2, options={"rounds": 1}).replay
    assert all(isolated.memory)


@pytest.mark.parametrize(
    ("bots", "game", "problem"),
    [
        (["greedy", "gredy"], "hidden-leaders", "there is no bot 'gredy'; did you mean 'greedy'"),
        (["greedy"], "hidden-leaders", "Hidden Leaders is for 2 to 6 players, not 1"),
        (["greedy", "random"], "chess", "there is no game 'chess'"),
    ],
)
def test_invalid_input_is_one_sentence(bots: list[str], game: str, problem: str) -> None:
    with pytest.raises(GameError, match=problem):
        play_game(bots, game=game)


def test_an_illegal_move_is_the_fault_of_the_bot(tmp_path: Path) -> None:
    (tmp_path / "illegal.py").write_text(ILLEGAL_BOT)
    with pytest.raises(BotFault, match="played -7, which is not legal") as caught:
        play_game([f"{tmp_path}/illegal.py:Illegal", "random"])
    assert caught.value.seat == 0
