"""Games of other packages are found by name, and one that breaks the contract is named."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from games.errors import GameError
from games.installed import installed_games, package_of, source_files
from games.registry import all_games, bundled_games, game, game_names, game_of
from tests.support.entry_points import write_entry_point

GAME = """
from games import Game, GameText, State, View


class Coins(Game):
    name, title, rules_version, min_players, max_players = "coins", "Coins", 1, 2, 4
    text = GameText()

    def new(self, players, **options):
        return State(players)

    def view(self, seat, players, **options):
        return CoinsView(seat, players)


class CoinsView(View):
    pass


GAME = Coins()
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a module with a game, as a package would, until the end of the test."""

    def install(code: str, name: str = "coins", place: str = "coins_for_tests:GAME") -> None:
        (tmp_path / "coins_for_tests.py").write_text(code)
        write_entry_point(tmp_path, "coins_for_tests", "arena.games", f"{name} = {place}")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(
            importlib.import_module("sys").modules, "coins_for_tests", raising=False
        )
        installed_games.cache_clear()

    yield install
    installed_games.cache_clear()


def test_an_installed_game_is_known_by_name(install: Install) -> None:
    install(GAME)
    assert game_names() == ["hidden-leaders", "secrets", "coins"]
    assert bundled_games() == ["hidden-leaders", "secrets"]
    rules = game("coins")
    assert rules.title == "Coins"
    assert game_of(rules.view(0, 2)) is rules
    assert package_of("coins") == "coins_for_tests"
    assert [file.name for file in source_files("coins")] == ["coins_for_tests.py"]
    with pytest.raises(
        GameError, match=r"no game 'coin' \(known: hidden-leaders, secrets, coins\)"
    ):
        game("coin")


def test_a_game_without_options_says_so(install: Install) -> None:
    install(GAME)
    with pytest.raises(GameError) as caught:
        game("coins").check_options({"depth": 3}, ["record"])
    assert str(caught.value) == "Coins has no option 'depth' (it has no options)"


BROKEN = {
    "it does not load (ZeroDivisionError: division by zero)": "1 / 0",
    "it does not load (SystemExit: 3)": "raise SystemExit(3)",
    "it does not load (AttributeError: module 'coins_for_tests' has no attribute 'GAME')": "",
    "it is not an instance of games.Game": "GAME = object()",
    "it calls itself 'dice'": GAME.replace('"coins"', '"dice"'),
    "its `rules_version` must be of type int": GAME.replace(", 1, 2", ', "1", 2'),
    "2 to 40 players are not within 2 to 16": GAME.replace("2, 4", "2, 40"),
    "its `min_players` and `max_players` must be whole numbers": GAME.replace("2, 4", "2, None"),
    "its `text` must be a games.GameText": GAME.replace("GameText()", "None"),
}


@pytest.mark.parametrize("problem", BROKEN)
def test_a_game_that_breaks_the_contract_is_named(problem: str, install: Install) -> None:
    install(BROKEN[problem])
    with pytest.raises(GameError) as caught:
        game("coins")
    where = "the installed game 'coins' (coins_for_tests:GAME)"
    assert str(caught.value) == f"{where} cannot be used: {problem}"
    assert [rules.name for rules in all_games()] == ["hidden-leaders", "secrets"]


def test_names_are_written_like_ours(install: Install) -> None:
    install(GAME, name="Coins!")
    with pytest.raises(GameError, match="a name has lower-case letters, digits and single hyphens"):
        game("Coins!")


def test_an_installed_game_does_not_replace_a_bundled_one(install: Install) -> None:
    install(GAME.replace('"coins"', '"secrets"'), name="secrets")
    assert game("secrets").title == "Secrets"
    assert game_names() == ["hidden-leaders", "secrets"]
