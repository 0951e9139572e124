"""The four steps of a turn, and what happens when cards run out."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.constants import Event, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.registry import game as named_game
from games.state import CHANCE, Rng
from tests.support.playing import random_move
from tests.support.scenario import BadScenario, Scenario, draws, given, player

THREE = ["Furious Frog", "Leery Lizard", "Arrowgant Skeleton"]


def reshuffles(game: Scenario, seat: int = 0) -> int:
    """How often the wilderness became the harbor since the last call."""
    return [event[0] for event in game.events(seat)].count(Event.RESHUFFLED)


# ---- the four steps ---------------------------------------------------------------------------


def test_r8_action_draw_discard_refill_then_the_next_player() -> None:
    """R8"""
    game = given(player(0, hand=THREE), tavern=["Keen Koi", "Ace Fighter"], players=3)
    game.choose("do nothing")
    assert game.options() == ["draw Ace Fighter", "draw Keen Koi", "draw from the harbor"]
    game.choose("draw Keen Koi")
    assert len(game.options()) == 4
    game.choose("discard Keen Koi")
    assert game.actor == CHANCE, "slots 1 and 3 are refilled last"
    game.choose(draws("Blind Eye Collector", "Flailing Knight"))
    assert game.tavern == ["Blind Eye Collector", "Ace Fighter", "Flailing Knight"]
    assert (game.turn, game.actor) == (1, 1)


def test_r8_no_step_can_be_left_out() -> None:
    """R8, R12: drawing and discarding offer no way to pass."""
    game = given(player(0, hand=THREE), tavern=["Keen Koi"])
    game.choose("do nothing")
    assert "pass" not in game.options()
    game.choose("draw Keen Koi")
    assert all(option.startswith("discard ") for option in game.options())


def test_r9_play_one_or_discard_or_nothing() -> None:
    """R9"""
    game = given(player(0, hand=THREE))
    assert sorted(game.options()) == sorted(
        [f"play {name}" for name in THREE] + [f"discard {name}" for name in THREE] + ["do nothing"]
    )


@pytest.mark.parametrize("many", [0, 1, 2, 3])
def test_r9_zero_to_three_cards_may_be_discarded(many: int) -> None:
    """R9"""
    game = given(player(0, hand=THREE))
    for name in THREE[:many]:
        game.choose(f"discard {name}")
    if many == 0:
        game.choose("do nothing")
    elif many < 3:
        game.choose("stop discarding")
    assert game.wilderness == THREE[:many]
    assert game.options() == ["draw from the harbor"]


def test_r9_after_a_discard_nothing_can_be_played() -> None:
    """R9: never both."""
    game = given(player(0, hand=THREE))
    game.choose("discard Furious Frog")
    assert sorted(game.options()) == [
        "discard Arrowgant Skeleton",
        "discard Leery Lizard",
        "stop discarding",
    ]


def test_r9_after_playing_nothing_can_be_discarded() -> None:
    """R9: the draw step is next."""
    game = given(player(0, hand=THREE))
    game.play("Furious Frog", "red -2")
    assert game.options() == ["draw from the harbor"]


def test_r9_not_more_than_three_discards_with_a_fourth_card_in_hand() -> None:
    """R9: three is the limit even with a card left."""
    game = given(player(0, hand=[*THREE, "Keen Koi"]))
    for name in THREE:
        game.choose(f"discard {name}")
    assert game.options() == ["draw from the harbor"]
    assert game.hand(0) == ["Keen Koi"]


def test_r9_an_empty_hand_can_only_do_nothing() -> None:
    """R9"""
    assert given().options() == ["do nothing"]


def test_r10_a_card_is_played_open_and_resolved_at_once() -> None:
    """R10"""
    game = given(player(0, hand=["Pigmented War Pig"]))
    game.play("Pigmented War Pig")
    assert game.open(0) == ["Pigmented War Pig"]
    assert (game.red, game.green) == (3, 5)


def test_r10_a_card_may_be_played_without_effect() -> None:
    """R10: no marker leads, no tavern card, nobody to turn over."""
    for name in ("Keen Koi", "Nagging Northman", "Saltwater Sage", "Bored Goblin"):
        game = given(player(0, hand=[name]))
        game.play(name)
        assert game.open(0) == [name]
        assert (game.red, game.green) == (4, 4)


# ---- drawing ----------------------------------------------------------------------------------


def test_r11_one_card_at_a_time_from_tavern_or_harbor() -> None:
    """R11: every harbor card is seen before the next choice."""
    game = given(tavern=["Keen Koi", None, "Ace Fighter"])
    game.choose("do nothing", "draw from the harbor")
    assert game.actor == CHANCE
    game.choose(draws("Furious Frog"))
    assert game.actor == 0
    assert game.hand(0) == ["Furious Frog"]
    assert game.options() == ["draw Ace Fighter", "draw Keen Koi", "draw from the harbor"]
    game.choose("draw Ace Fighter")
    assert game.tavern == ["Keen Koi", None, None], "slots stay empty during this step"
    assert game.options() == ["draw Keen Koi", "draw from the harbor"]
    game.choose("draw Keen Koi")
    assert game.options() == ["draw from the harbor"]


@pytest.mark.parametrize("held", [0, 1, 2, 3])
def test_r12_the_hand_is_filled_to_four(held: int) -> None:
    """R12"""
    game = given(player(0, hand=THREE[:held]))
    game.choose("do nothing")
    for count in range(held, 4):
        assert game.options() == ["draw from the harbor"]
        game.choose("draw from the harbor", draws(min(game.harbor)))
        assert len(game.hand(0)) == count + 1
    assert all(option.startswith("discard") for option in game.options())


def test_r13_with_four_cards_nothing_is_drawn() -> None:
    """R13: Miniature Merman brings the hand to four."""
    game = given(
        player(0, hand=["Miniature Merman", *THREE[:2]]),
        tavern=["Ace Fighter"],
        wilderness=["Keen Koi", "Flailing Knight"],
    )
    game.play("Miniature Merman", "red -1", "draw from the wilderness")
    assert len(game.hand(0)) == 4
    assert all(option.startswith("discard") for option in game.options())
    assert game.tavern == ["Ace Fighter", None, None]


# ---- discarding -------------------------------------------------------------------------------


def test_r14_the_player_chooses_what_to_discard_down_to_three() -> None:
    """R14"""
    game = given(player(0, hand=THREE), tavern=["Keen Koi"])
    game.choose("do nothing", "draw Keen Koi")
    assert sorted(game.options()) == sorted(f"discard {name}" for name in [*THREE, "Keen Koi"])
    game.choose("discard Leery Lizard")
    assert game.wilderness == ["Leery Lizard"]
    assert len(game.hand(0)) == 3


def test_r14_several_discards_go_in_the_order_chosen() -> None:
    """R14, R37: a hand of five, one after the other."""
    five = [*THREE, "Keen Koi", "Ace Fighter"]
    for order in (["Keen Koi", "Leery Lizard"], ["Leery Lizard", "Keen Koi"]):
        game = given(player(0, hand=five))
        game.choose("do nothing")
        game.choose(*(f"discard {name}" for name in order))
        assert game.wilderness == order
        assert len(game.hand(0)) == 3


def test_r14_with_three_or_fewer_nothing_is_discarded() -> None:
    """R14, R17"""
    game = given(player(0, hand=THREE), harbor=[])
    game.choose("do nothing")
    assert game.hand(0) == sorted(THREE)
    assert game.turn == 1


# ---- refilling --------------------------------------------------------------------------------


def test_r15_slots_are_refilled_from_left_to_right() -> None:
    """R15"""
    game = given(player(0, hand=[*THREE, "Keen Koi"]), tavern=[None, "Ace Fighter", None])
    game.choose("do nothing", "discard Keen Koi", draws("Flailing Knight"))
    assert game.tavern == ["Flailing Knight", "Ace Fighter", None]
    game.choose(draws("Grumpy Guard"))
    assert game.tavern == ["Flailing Knight", "Ace Fighter", "Grumpy Guard"]


# ---- running out of cards ---------------------------------------------------------------------


def test_r16_no_reshuffle_when_the_last_harbor_card_leaves() -> None:
    """R16: only when another one is needed."""
    game = given(
        player(0, hand=THREE),
        tavern=["Keen Koi", "Ace Fighter", "Grumpy Guard"],
        harbor=["Flailing Knight"],
        wilderness=["Depressed Druid"],
    )
    game.choose("do nothing", "draw from the harbor", draws("Flailing Knight"))
    assert game.harbor == []
    assert game.wilderness == ["Depressed Druid"]
    game.choose("discard Flailing Knight")
    assert game.harbor == []
    assert game.wilderness == ["Depressed Druid", "Flailing Knight"]
    assert game.turn == 1
    assert reshuffles(game) == 0


def test_r16_reshuffle_in_the_draw_step_at_the_moment_of_need() -> None:
    """R16: choosing the harbor reforms it, choosing the tavern does not."""
    game = given(
        player(0, hand=THREE[:2]),
        tavern=["Keen Koi"],
        harbor=[],
        wilderness=["Depressed Druid", "Flailing Knight"],
    )
    game.choose("do nothing")
    assert game.options() == ["draw Keen Koi", "draw from the harbor"]
    game.choose("draw Keen Koi")
    assert game.wilderness == ["Depressed Druid", "Flailing Knight"]
    assert reshuffles(game) == 0
    game.choose("draw from the harbor")
    assert game.wilderness == []
    assert reshuffles(game) == 1
    assert game.options() == ["harbor: Depressed Druid", "harbor: Flailing Knight"]


def test_r16_reshuffle_while_refilling() -> None:
    """R16: the harbor has one card for two slots."""
    game = given(
        player(0, hand=THREE[:2]),
        tavern=["Keen Koi", "Ace Fighter", "Grumpy Guard"],
        harbor=["Flailing Knight"],
        wilderness=["Depressed Druid"],
    )
    game.choose("do nothing", "draw Keen Koi", "draw Ace Fighter", "discard Keen Koi")
    game.choose(draws("Flailing Knight"))
    assert reshuffles(game) == 1
    assert game.harbor == ["Depressed Druid", "Keen Koi"]
    game.choose(draws("Depressed Druid"))
    assert game.tavern == ["Flailing Knight", "Depressed Druid", "Grumpy Guard"]


def test_r16_reshuffle_between_two_cards_of_an_ability() -> None:
    """R16: Deep Sea Squire finds one card, then the wilderness becomes the harbor."""
    game = given(
        player(0, hand=["Deep Sea Squire"]),
        harbor=["Keen Koi"],
        wilderness=["Depressed Druid", "Flailing Knight"],
        graveyard=["Ace Fighter"],
        tavern=["Grumpy Guard"],
    )
    game.choose("play Deep Sea Squire", "red +1", draws("Keen Koi"))
    assert game.harbor == ["Depressed Druid", "Flailing Knight"]
    assert game.wilderness == []
    game.choose(draws("Flailing Knight"), "place Keen Koi hidden")
    assert game.hand(0) == ["Flailing Knight"]
    assert game.graveyard == ["Ace Fighter"]
    assert game.tavern == ["Grumpy Guard", None, None]


def test_r16_reshuffle_between_two_cards_of_the_draw_step() -> None:
    """R16: and only once."""
    game = given(
        player(0, hand=THREE[:2]),
        harbor=["Keen Koi"],
        wilderness=["Depressed Druid", "Flailing Knight"],
    )
    game.choose("do nothing", "draw from the harbor", draws("Keen Koi"))
    assert reshuffles(game) == 0
    game.choose("draw from the harbor", draws("Flailing Knight"))
    assert reshuffles(game) == 1
    assert game.harbor == ["Depressed Druid"]


def test_r16_nothing_else_is_reshuffled() -> None:
    """R16: tavern, graveyard, hands, parties and a card set aside stay where they are."""
    game = given(
        player(0, hand=["Insidious Impaler", "Keen Koi"], open=["Ace Fighter"], hidden=THREE[:1]),
        player(1, hand=["Grumpy Guard"]),
        tavern=["Deep Sea Squire", "Flailing Knight"],
        graveyard=["Depressed Druid"],
        wilderness=["Hairy Hermit", "Bored Goblin"],
        harbor=[],
    )
    game.choose("play Insidious Impaler", "perform Deep Sea Squire", "red +1")
    assert game.options() == ["harbor: Bored Goblin", "harbor: Hairy Hermit"]
    assert game.graveyard == ["Depressed Druid"]
    assert game.tavern == [None, "Flailing Knight", None]
    assert game.hand(0) == ["Keen Koi"]
    assert game.hand(1) == ["Grumpy Guard"]
    assert game.open(0) == ["Ace Fighter", "Insidious Impaler"]
    assert game.hidden(0) == THREE[:1]


def test_r17_with_both_piles_empty_cards_are_drawn_from_the_tavern() -> None:
    """R17: drawing is compulsory while the tavern has cards."""
    game = given(player(0, hand=THREE[:1]), tavern=["Keen Koi", "Ace Fighter"], harbor=[])
    game.choose("do nothing")
    assert game.options() == ["draw Ace Fighter", "draw Keen Koi"]
    game.choose("draw Keen Koi")
    assert game.options() == ["draw Ace Fighter"]
    game.choose("draw Ace Fighter")
    assert len(game.hand(0)) == 3
    assert game.turn == 1, "nothing is left to draw, to discard or to refill with"


def test_r17_a_slot_that_cannot_be_refilled_is_tried_again_in_later_turns() -> None:
    """R17"""
    game = given(
        player(0, hand=THREE[:1]),
        player(1, hand=["Depressed Druid", "Flailing Knight", "Grumpy Guard", "Hairy Hermit"]),
        tavern=["Keen Koi", "Ace Fighter"],
        harbor=[],
    )
    game.end_turn("do nothing", "draw Keen Koi", "draw Ace Fighter")
    assert game.tavern == [None, None, None]
    game.choose("do nothing", "discard Grumpy Guard", draws("Grumpy Guard"))
    assert game.tavern == ["Grumpy Guard", None, None]
    assert game.turn == 0


def test_r17_an_ability_takes_what_there_is() -> None:
    """R17, R24: one card for Pessimistic Whaleman, then none for Deep Sea Squire."""
    game = given(player(0, hand=["Pessimistic Whaleman"]), harbor=["Keen Koi"])
    game.play("Pessimistic Whaleman", "red +1", draws("Keen Koi"), "place Keen Koi hidden")
    assert game.hidden(0) == ["Keen Koi"]
    game = given(player(0, hand=["Deep Sea Squire"]), harbor=[])
    game.play("Deep Sea Squire", "red +1")
    assert game.hidden(0) == []


def test_r18_running_out_of_cards_does_not_end_the_game() -> None:
    """R18: play continues with empty hands, piles and tavern."""
    game = given(harbor=[])
    for turn in range(20):
        assert not game.over
        assert game.turn == turn % 2
        assert game.options() == ["do nothing"]
        game.choose("do nothing")
    assert game.winner is None


def test_r19_a_card_discarded_can_reappear_in_the_tavern_of_the_same_turn() -> None:
    """R19"""
    game = given(
        player(0, hand=THREE), tavern=["Keen Koi", "Ace Fighter", "Grumpy Guard"], harbor=[]
    )
    game.choose("do nothing", "draw Keen Koi", "discard Leery Lizard")
    assert game.options() == ["harbor: Leery Lizard"]
    game.choose(draws("Leery Lizard"))
    assert game.tavern == ["Leery Lizard", "Ace Fighter", "Grumpy Guard"]
    assert (game.wilderness, game.harbor) == ([], [])
    assert game.turn == 1


def test_r19_a_card_discarded_in_the_action_can_be_drawn_again() -> None:
    """R19, R16: the action comes before drawing."""
    game = given(player(0, hand=THREE), harbor=[])
    game.choose("discard Leery Lizard", "stop discarding", "draw from the harbor")
    game.choose(draws("Leery Lizard"))
    assert game.hand(0) == sorted(THREE)


@pytest.mark.parametrize("players", range(2, 7))
def test_r20_turns_go_clockwise_and_no_player_is_skipped(players: int) -> None:
    """R20: not even a player without any card."""
    game = given(players=players, turn=players - 1, harbor=[])
    for turn in range(3 * players):
        assert game.turn == game.actor == (players - 1 + turn) % players
        game.choose("do nothing")


@pytest.mark.parametrize("players", range(2, 7))
def test_r21_after_a_hundred_rounds_the_game_stops_without_a_winner(players: int) -> None:
    """R21"""
    game = given(players=players, harbor=[], turns=100 * players - 2)
    game.choose("do nothing")
    assert not game.over
    game.choose("do nothing")
    assert game.over
    assert game.winner is None
    assert game.state.faction == 0, "the sign of the turn limit"
    assert game.state.winners() == ()


def test_r21_the_number_of_rounds_can_be_set() -> None:
    """R21"""
    state = named_game("hidden-leaders").new(3, rounds=2, threshold=10)
    assert isinstance(state, HiddenLeaders)
    rng = Rng(3)
    while state.moves():
        random_move(state, rng)
    assert state.turns == 6
    assert (state.faction, state.winners()) == (0, ())


def test_r21_an_end_on_the_last_turn_is_an_end() -> None:
    """R21: the threshold is checked first."""
    game = given(player(0, open=THREE, leader="Cyra"), players=2, harbor=[], turns=199, threshold=3)
    game.choose("do nothing")
    assert game.winner == 0, "both markers share a space: the Water Folk"


def test_a_scenario_cannot_draw_what_is_not_there() -> None:
    """R11: the harbor has all cards that are nowhere else."""
    game = given(tavern=["Keen Koi"])
    game.choose("do nothing", "draw from the harbor")
    with pytest.raises(BadScenario):
        game.choose(draws("Keen Koi"))
    assert game.state.size(Zone.HARBOR) == 76
