"""The data of a game's page: whole for spectators, and for a seat only what it may know."""

from __future__ import annotations

import json
from typing import Any

import pytest

from arena.match.api import play_game
from arena.web.game_data import differences, game_data
from arena.web.view_page import view_page
from games.errors import GameError
from games.registry import game
from games.replay import Replay
from games.state import NOBODY
from tests.games.hidden_leaders.knowledge.test_no_leak import HiddenLeadersTwins
from tests.games.secrets.test_no_leak import SecretsTwins
from tests.support.twins import Twins, twin_replays

KINDS: dict[str, type[Twins[Any]]] = {
    "hidden-leaders": HiddenLeadersTwins,
    "secrets": SecretsTwins,
}


def patched(before: Any, change: Any) -> Any:
    """What the page does with a difference."""
    if not isinstance(change, dict) or not isinstance(before, dict | list):
        return change
    after = before.copy()
    for key, value in change.items():
        index = int(key) if isinstance(before, list) else key
        after[index] = patched(
            before[index] if index in before or isinstance(before, list) else None, value
        )
    return after


@pytest.fixture(scope="module", params=[("hidden-leaders", 3), ("secrets", 5)], ids=str)
def replay(request: pytest.FixtureRequest) -> Replay:
    name, players = request.param
    bots = ["ismcts:iterations=20", *["greedy"] * (players - 1)]
    return play_game(bots, game=name, seed=3).replay


def test_differences_give_every_table_of_every_view(replay: Replay) -> None:
    data: Any = json.loads(json.dumps(game_data(replay, "here")))
    rules = game(replay.game)
    assert [view["seat"] for view in data["views"]] == [-1, *range(replay.players)]
    everything = data["views"][0]
    table: Any = None
    tables = []
    for frame in everything["frames"]:
        table = frame if table is None else patched(table, frame)
        tables.append(table)
    end = replay.state()
    assert end.actor == NOBODY
    assert tables[-1] == json.loads(json.dumps(rules.picture.table(rules, end)))
    assert len(tables) == len(everything["moves"]) + 1
    assert any("candidates" in move for move in everything["moves"])
    assert any("belief" in move for move in everything["moves"])


def test_lists_that_change_their_length_are_given_whole() -> None:
    tables = [{"a": [{"n": 1}, {"n": 2}], "b": 1}, {"a": [{"n": 1}], "b": 1}]
    assert list(differences(tables))[1] == {"a": [{"n": 1}]}
    tables = [{"a": [{"n": 1}, {"n": 2}]}, {"a": [{"n": 1}, {"n": 3}]}]
    assert list(differences(tables))[1] == {"a": {"1": {"n": 3}}}


def test_a_seat_s_data_has_one_view_and_no_comments(replay: Replay) -> None:
    data: Any = game_data(replay, "here", seat=1)
    (view,) = data["views"]
    assert view["seat"] == 1
    for move in view["moves"]:
        assert not {"reason", "belief", "candidates", "seconds"} & set(move)


def test_a_seat_that_is_not_there_is_named(replay: Replay) -> None:
    with pytest.raises(GameError, match="there is no seat I"):
        game_data(replay, "here", seat=8)


@pytest.mark.parametrize("name", KINDS)
def test_twin_worlds_give_the_same_page(name: str) -> None:
    """Two games that a seat cannot tell apart: the same bytes."""
    pages = 0
    for seed in range(30):
        if (found := twin_replays(KINDS[name], game(name), seed)) is None:
            continue
        seat, (real, twin) = found
        assert real.position != twin.position
        assert view_page(real, "a game", seat=seat) == view_page(twin, "a game", seat=seat)
        assert view_page(real, "a game") != view_page(twin, "a game")
        pages += 1
    assert pages > 7
