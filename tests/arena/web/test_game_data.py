"""The data of a game's page: whole for spectators, and for a seat only what it may know."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from arena.match.api import play_game
from arena.web.game_data import EVERYTHING, PUBLIC, differences, game_data
from arena.web.view_page import view_page
from games.errors import GameError
from games.forms.picture import BACK
from games.registry import game
from games.replay import Replay
from games.state import NOBODY
from tests.games.hidden_leaders.knowledge.test_no_leak import HiddenLeadersTwins
from tests.games.secrets.test_no_leak import SecretsTwins
from tests.support.twins import Twins, twin_replays
from tests.support.volume import IS_FULL, volume

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
    assert [view["seat"] for view in data["views"]] == [EVERYTHING, *range(replay.players), PUBLIC]
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


def test_a_spectator_sees_what_every_seat_sees(replay: Replay) -> None:
    """Until the end, which shows all cards to everybody."""
    views: Any = {view["seat"]: view for view in game_data(replay, "here")["views"]}  # type: ignore[attr-defined]
    tables = {seat: all_tables(view["frames"])[:-1] for seat, view in views.items()}
    hidden = 0
    for at, public in enumerate(tables[PUBLIC]):
        for seat in range(replay.players):
            for row, known in zip(rows(public), rows(tables[seat][at]), strict=True):
                for card, other in zip(sorted(row), sorted(known), strict=True):
                    assert card == BACK or card in known, (at, seat, card, other)
        hidden += sum(row.count(BACK) for row in rows(public))
    assert hidden
    texts = [move["text"] for move in views[PUBLIC]["moves"]]
    assert "chooses face down" in texts or replay.game != "hidden-leaders"
    assert not any("reason" in move for move in views[PUBLIC]["moves"])


def all_tables(frames: list[Any]) -> list[Any]:
    tables: list[Any] = []
    for frame in frames:
        tables.append(patched(tables[-1], frame) if tables else frame)
    return tables


def rows(table: Any) -> list[list[int]]:
    return [row["cards"] for seat in table["seats"] for row in seat["rows"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_twin_worlds_give_the_same_page(name: str) -> None:
    """Two games that a seat cannot tell apart: the same bytes."""
    pages = 0
    for seed in range(volume(12)):
        if (found := twin_replays(KINDS[name], game(name), seed)) is None:
            continue
        seat, (real, twin) = found
        assert real.position != twin.position
        assert view_page(real, "a game", seat=seat) == view_page(twin, "a game", seat=seat)
        assert view_page(real, "a game") != view_page(twin, "a game")
        pages += 1
    assert pages > (volume(2) if IS_FULL else 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_twin_worlds_give_the_same_data_in_many_games(name: str) -> None:
    compared = 0
    for seed in range(1000, 1000 + volume(40)):
        if (found := twin_replays(KINDS[name], game(name), seed)) is None:
            continue
        seat, (real, twin) = found
        assert game_data(real, "here", seat=seat) == game_data(twin, "here", seat=seat)
        compared += 1
    assert compared > (volume(10) if IS_FULL else 0)


@pytest.mark.parametrize("players", [2, 6])
def test_a_seat_s_file_names_no_card_that_it_has_not_seen(players: int) -> None:
    """In the middle of a game; the events that the seat received say what it has seen."""
    whole = play_game(["random"] * players, seed=players).replay
    replay = replace(whole, moves=whole.moves[:60])
    rules = game(replay.game)
    names = [face["name"] for face in rules.picture.faces()["cards"]]
    for seat in range(players):
        state, view = replay.new(record=True), replay.view(seat)
        told: set[int] = set()
        for move in replay.moves:
            state.play(move)
            for event in state.take_events(seat):
                told |= set(event)
                view.observe(event)
            told |= all_cards(rules.picture.table(rules, view.known_table()))
        data: Any = game_data(replay, "here", seat=seat)
        for face in filter(None, data["faces"]["cards"]):
            face["rulings"] = []  # they compare the card with others, whoever has seen those
        text = json.dumps(data)
        unseen = [name for card, name in enumerate(names) if card not in told]
        assert len(unseen) > 10
        assert not [name for name in unseen if name in text]


def all_cards(table: Any) -> set[int]:
    piles = [card for pile in table["piles"] for card in pile["cards"]]
    return {card for card in [*piles, *(card for row in rows(table) for card in row)] if card >= 0}
