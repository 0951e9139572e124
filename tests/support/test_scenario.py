"""The scenario builder must fail when a story and the rules disagree; this shows that it does."""

from __future__ import annotations

import pytest

from games.errors import UnknownCard
from games.hidden_leaders.rules.constants import Event
from games.state import CHANCE
from tests.support.scenario import BadScenario, Scenario, chance, draws, given, markers, player


def sharpshooter() -> Scenario:
    return given(
        markers(red=4, green=6),
        player(0, hand=["Shaky Sharpshooter", "Keen Koi"]),
        player(1, open=["Flailing Knight", "Grumpy Guard", "Ace Fighter"]),
    )


def test_a_story_that_fits_passes() -> None:
    game = sharpshooter()
    game.play("Shaky Sharpshooter", "red +1", "bury Flailing Knight")
    assert (game.red, game.green) == (5, 6)
    assert game.graveyard == ["Flailing Knight"]
    assert game.open(0) == ["Shaky Sharpshooter"]
    assert game.open(1) == ["Ace Fighter", "Grumpy Guard"]
    assert game.hand(0) == ["Keen Koi"]
    assert len(game.harbor) == 77 - 5


def test_every_card_is_somewhere_exactly_once() -> None:
    game = given(tavern=["Keen Koi", None, "Furious Frog"], graveyard=["Emperor", "Ace Fighter"])
    assert game.tavern == ["Keen Koi", None, "Furious Frog"]
    assert game.graveyard == ["Buried Emperor", "Ace Fighter"]
    assert len(game.harbor) == 73
    assert game.hidden(0) == game.wilderness == []


def test_a_given_harbor_is_all_there_is() -> None:
    game = given(harbor=["Keen Koi"])
    assert game.harbor == ["Keen Koi"]


def test_an_unscripted_choice_fails_and_lists_the_options() -> None:
    with pytest.raises(BadScenario, match=r"asks more(.|\n)*bury Ace Fighter"):
        sharpshooter().play("Shaky Sharpshooter", "red +1")


def test_an_unused_text_fails() -> None:
    with pytest.raises(BadScenario, match=r"asks less: .*draw from the harbor"):
        sharpshooter().play("Keen Koi", "draw from the harbor")


def test_a_wrong_text_fails_and_lists_the_options() -> None:
    with pytest.raises(BadScenario, match="legal here: bury Flailing Knight; bury Ace Fighter"):
        sharpshooter().play("Shaky Sharpshooter", "red +1", "bury Grumpy Guard")


def test_playing_a_card_not_in_hand_fails() -> None:
    with pytest.raises(BadScenario, match="'play Crow Carrier' is not a legal move"):
        sharpshooter().play("Crow Carrier")


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
    with pytest.raises(BadScenario, match="seat 4 in a game of 3"):
        given(player(4), players=3)


def test_luck_must_be_scripted() -> None:
    def game() -> Scenario:
        return given(player(0, hand=["Deep Sea Squire"]))

    with pytest.raises(BadScenario, match="asks more"):
        game().play("Deep Sea Squire", "red +1")
    with pytest.raises(BadScenario, match="luck decides now"):
        game().play("Deep Sea Squire", "red +1", "place Keen Koi hidden")
    with pytest.raises(BadScenario, match="cannot come up"):
        game().play("Deep Sea Squire", "red +1", draws("Deep Sea Squire"))
    with pytest.raises(BadScenario, match="nothing is left to luck"):
        game().play("Deep Sea Squire", draws("Keen Koi"))


def test_scripted_draws() -> None:
    game = given(player(0, hand=["Deep Sea Squire"]))
    game.play(
        "Deep Sea Squire", "red +1", draws("Keen Koi", "Leery Lizard"), "place Keen Koi hidden"
    )
    assert game.hidden(0) == ["Keen Koi"]
    assert game.hand(0) == ["Leery Lizard"]


def test_scripted_chance_is_not_a_draw() -> None:
    def game() -> Scenario:
        return given(
            player(0, hand=["Gorgeous Gorgon"]), player(1, open=["Keen Koi", "Ace Fighter"])
        )

    lucky = game()
    lucky.play("Gorgeous Gorgon", "green +1", "pick B", chance("Keen Koi"))
    assert lucky.graveyard == ["Keen Koi"]
    with pytest.raises(BadScenario, match="does not come off the harbor"):
        game().play("Gorgeous Gorgon", "green +1", "pick B", draws("Keen Koi"))


def test_other_seats_answer_too() -> None:
    game = given(
        player(0, hand=["Overworked Amazon"]),
        player(2, open=["Keen Koi", "Ace Fighter"]),
    )
    game.choose("play Overworked Amazon", "red +1", "pick C")
    assert game.actor == 2
    assert game.options() == ["bury Ace Fighter", "bury Keen Koi"]
    game.choose("bury Keen Koi")
    assert game.graveyard == ["Keen Koi"]


def test_end_turn_plays_on_to_the_next_player() -> None:
    game = given(player(0, hand=["Keen Koi"]), tavern=["Ace Fighter"])
    game.play("Keen Koi")
    game.end_turn("draw Ace Fighter", "draw from the harbor", draws("Furious Frog"))
    assert game.turn == game.actor == 1
    assert len(game.hand(0)) == 3
    assert None not in game.tavern


def test_end_turn_refuses_leftover_texts_and_unresolved_cards() -> None:
    with pytest.raises(BadScenario, match="was not used"):
        given(harbor=[]).end_turn("do nothing", "discard Keen Koi")
    game = sharpshooter()
    game.choose("play Shaky Sharpshooter")
    with pytest.raises(BadScenario, match="a card needs a script"):
        game.end_turn()


def test_the_end_is_told() -> None:
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


def test_luck_outside_cards_can_be_chosen() -> None:
    game = given()
    game.choose("do nothing", "draw from the harbor")
    assert game.actor == CHANCE
    game.choose(draws("Keen Koi"))
    assert game.hand(0) == ["Keen Koi"]


def test_events_are_what_a_seat_perceived() -> None:
    game = sharpshooter()
    game.play("Shaky Sharpshooter", "red +1", "bury Flailing Knight")
    kinds = [event[0] for event in game.events(1)]
    assert kinds.count(Event.MOVED) == 2
    assert kinds.count(Event.MARKERS) == 1
    assert game.events(1) == []
