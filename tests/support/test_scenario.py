"""The scenario builder fails whenever a story and the rules disagree."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.errors import UnknownCard
from games.hidden_leaders.rules.cards import RETAIL
from games.hidden_leaders.rules.constants import Event
from games.state import CHANCE
from tests.support.perceived import perceived, perceived_by_all
from tests.support.scenario import (
    BadScenario,
    Outcomes,
    Scenario,
    chance,
    draws,
    given,
    markers,
    player,
)


def sharpshooter() -> Scenario:
    return given(
        markers(red=4, green=6),
        player(0, hand=["Shaky Sharpshooter", "Keen Koi"]),
        player(1, open=["Flailing Knight", "Grumpy Guard", "Ace Fighter"]),
    )


def squire() -> Scenario:
    return given(player(0, hand=["Deep Sea Squire"]))


def gorgon() -> Scenario:
    return given(player(0, hand=["Gorgeous Gorgon"]), player(1, open=["Keen Koi", "Ace Fighter"]))


def test_a_story_that_fits_the_rules_passes() -> None:
    game = sharpshooter()
    game.play("Shaky Sharpshooter", "red +1", "bury Flailing Knight")
    assert (game.red, game.green) == game.markers == (5, 6)
    assert game.graveyard == ["Flailing Knight"]
    assert game.open(0) == ["Shaky Sharpshooter"]
    assert game.open(1) == ["Ace Fighter", "Grumpy Guard"]
    assert game.hand(0) == ["Keen Koi"]
    assert len(game.harbor) == len(RETAIL) - 5


def test_changes_are_all_that_differs_from_the_table_given() -> None:
    game = sharpshooter()
    assert game.changes() == {}
    game.choose("play Shaky Sharpshooter")
    assert game.changes() == {}  # a hero played is expected to lie open
    game.choose("green -1", "bury Flailing Knight")
    changes = {"markers": (4, 5), "B's open": ["Ace Fighter", "Grumpy Guard"]}
    assert game.changes() == {**changes, "graveyard": ["Flailing Knight"]}

    game = given(player(0, hand=["Unconfident Executioner"]))
    game.play("Unconfident Executioner", "bury Unconfident Executioner")
    assert game.changes()["A's open"] == []


def test_questions_check_the_options_and_the_seat() -> None:
    game = given(player(0, hand=["Overworked Amazon"]), player(2, open=["Keen Koi", "Ace Fighter"]))
    game.choose("play Overworked Amazon", "A: red +1 / green -1")
    assert game.changes() == {}
    game.choose("[red +1] / green -1", "A: pick A / [pick C]")
    assert game.actor == 2
    game.choose("C: bury Ace Fighter / [bury Keen Koi]")
    assert game.graveyard == ["Keen Koi"]


def test_every_card_is_somewhere_exactly_once() -> None:
    game = given(tavern=["Keen Koi", None, "Furious Frog"], graveyard=["Emperor", "Ace Fighter"])
    assert game.tavern == ["Keen Koi", None, "Furious Frog"]
    assert game.graveyard == ["Buried Emperor", "Ace Fighter"]
    assert len(game.harbor) == len(RETAIL) - 4
    assert game.hidden(0) == game.wilderness == []
    assert given(harbor=["Keen Koi"]).harbor == ["Keen Koi"]


@pytest.mark.parametrize(
    ("table", "script", "message"),
    [
        (sharpshooter, ["Shaky Sharpshooter", "red +1"], r"asks more(.|\n)*bury Ace Fighter"),
        (sharpshooter, ["Keen Koi", "draw from the harbor"], "asks less: .*draw from the harbor"),
        (
            sharpshooter,
            ["Shaky Sharpshooter", "red +1", "bury Grumpy Guard"],
            "legal here: bury Flailing Knight; bury Ace Fighter",
        ),
        (sharpshooter, ["Crow Carrier"], "'play Crow Carrier' is not a legal move"),
        (sharpshooter, ["Shaky Sharpshooter", "[red +1]"], r"the question is not '\[red \+1\]'"),
        (sharpshooter, ["Shaky Sharpshooter", "green -1 / [red +1]"], "the question is not"),
        (sharpshooter, ["Shaky Sharpshooter", "B: [red +1] / green -1"], "seat B is not asked"),
        (squire, ["Deep Sea Squire", "red +1"], "asks more"),
        (squire, ["Deep Sea Squire", "red +1", "place Keen Koi hidden"], "chance decides now"),
        (squire, ["Deep Sea Squire", "red +1", draws("Deep Sea Squire")], "cannot come up"),
        (squire, ["Deep Sea Squire", draws("Keen Koi")], "nothing is left to chance"),
        (
            gorgon,
            ["Gorgeous Gorgon", "green +1", "pick B", draws("Keen Koi")],
            "is not drawn from the harbor",
        ),
    ],
)
def test_a_script_that_does_not_fit_fails(
    table: Callable[[], Scenario], script: list[str | Outcomes], message: str
) -> None:
    hero, *answers = script
    assert isinstance(hero, str)
    with pytest.raises(BadScenario, match=message):
        table().play(hero, *answers)


def test_a_card_cannot_be_played_outside_the_action_step() -> None:
    game = sharpshooter()
    game.play("Keen Koi")
    with pytest.raises(BadScenario, match="no card can be played now"):
        game.play("Shaky Sharpshooter")


def test_mistakes_in_the_given_part_fail() -> None:
    with pytest.raises(BadScenario, match="'Keen Koi' is mentioned twice"):
        given(player(0, hand=["Keen Koi"]), tavern=["Keen Koi"])
    with pytest.raises(UnknownCard, match="did you mean 'Keen Koi'"):
        given(tavern=["Keen Koy"])
    with pytest.raises(BadScenario, match="leader 'cyra' is unknown or mentioned twice"):
        given(player(0, leader="Cyra"), player(1, leader="cyra"))
    with pytest.raises(BadScenario, match="the tavern has 3 slots"):
        given(tavern=[None] * 4)
    with pytest.raises(BadScenario, match="no seat 4 in a game of 3"):
        given(player(4), players=3)


def test_chance_is_scripted() -> None:
    game = squire()
    drawn = draws("Keen Koi", "Leery Lizard")
    game.play("Deep Sea Squire", "red +1", drawn, "place Keen Koi hidden")
    assert game.hidden(0) == ["Keen Koi"]
    assert game.hand(0) == ["Leery Lizard"]

    game = gorgon()
    game.play("Gorgeous Gorgon", "green +1", "pick B", chance("Keen Koi"))
    assert game.graveyard == ["Keen Koi"]

    game = given()
    game.choose("do nothing", "draw from the harbor")
    assert game.actor == CHANCE
    game.choose(draws("Keen Koi"))
    assert game.hand(0) == ["Keen Koi"]


def test_end_turn_continues_to_the_next_player() -> None:
    game = given(player(0, hand=["Keen Koi"]), tavern=["Ace Fighter"])
    game.play("Keen Koi")
    game.end_turn("draw Ace Fighter", "draw from the harbor", draws("Furious Frog"))
    assert game.turn == game.actor == 1
    assert len(game.hand(0)) == 3
    assert None not in game.tavern


def test_end_turn_rejects_unused_texts_and_unresolved_cards() -> None:
    with pytest.raises(BadScenario, match="was not used"):
        given(harbor=[]).end_turn("do nothing", "discard Keen Koi")
    game = sharpshooter()
    game.choose("play Shaky Sharpshooter")
    with pytest.raises(BadScenario, match="a card needs a script"):
        game.end_turn()


def test_the_end_of_the_game() -> None:
    game = given(
        markers(red=9, green=9),
        player(0, leader="Enned", open=["Keen Koi"]),
        player(1, leader="Cyra"),
        threshold=1,
    )
    assert not game.over
    game.end_turn()
    assert game.over
    assert game.winner == 0


def test_events_are_what_a_seat_perceived() -> None:
    game = sharpshooter()
    game.play("Shaky Sharpshooter", "red +1", "bury Flailing Knight")
    kinds = [event[0] for event in game.events(1)]
    assert kinds.count(Event.MOVED) == 2
    assert kinds.count(Event.MARKERS) == 1
    assert game.events(1) == []
    assert perceived(game, 0) == ["Flailing Knight: B's open to graveyard"]


def test_perceived_by_all_fails_if_a_seat_perceived_something_else() -> None:
    game = squire()
    game.choose("play Deep Sea Squire", "red +1", draws("Keen Koi"))
    with pytest.raises(AssertionError, match=r"Keen Koi: harbor to drawn.* is not what others"):
        perceived_by_all(game)
