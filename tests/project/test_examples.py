"""The example bots play whole games by the rules, and the stronger ones win more."""

import pytest

from arena import play_game
from games.engine import COMPILED
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
BOTS = ["miser.py:Miser", "tracker.py:Tracker", "sampler.py:Sampler"]


def test_every_example_is_tested() -> None:
    assert sorted(path.name for path in EXAMPLES.glob("*.py")) == sorted(
        name.partition(":")[0] for name in BOTS
    )


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("name", BOTS)
def test_it_plays_whole_games(name: str, players: int) -> None:
    budget = "" if COMPILED or "Sampler" not in name else ":worlds=1"
    bots = [f"{EXAMPLES / name}{budget}", *["random"] * (players - 1)]
    assert play_game(bots, seed=players).decisions > 20


@pytest.mark.parametrize("name", BOTS)
def test_its_docstring_says_how_to_run_it(name: str) -> None:
    text = (EXAMPLES / name.partition(":")[0]).read_text()
    assert f"\narena match examples/{name} " in text


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games", "least"), [("tracker.py:Tracker", 60, 32), ("sampler.py:Sampler", 5, 3)]
)
def test_it_wins_more_than_its_share(name: str, games: int, least: int) -> None:
    """Against two random bots, its share would be a third of the games."""
    bots = [f"{EXAMPLES / name}", "random", "random"]
    wins = sum(0 in play_game(bots, seed=seed).winners for seed in range(games))
    assert wins >= least
