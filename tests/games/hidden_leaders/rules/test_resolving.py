"""How abilities are resolved: order, compulsion, impossible parts, markers, deciders."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.card_language import Step
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Event, Move
from games.state import UNSEEN
from tests.support.scenario import Scenario, given, markers, player

TEXT_FIRST = {
    "Hangry Barbarian",
    "Saber-Toothed Troll",
    "Potato Privateer",
    "Heart-Bending Bard",
    "Nagging Northman",
    "Almost-Evil Scholar",
    "Angry Priestess",
    "Tentacle Oracle",
    "Double-Shielded Turtle",
    "Krill Keeper",
}
OPTIONAL = {
    "Curious Troll",
    "Watchful Witch",
    "Doubtful Priest",
    "Underestimated Squire",
    "Nagging Northman",
    "Angry Priestess",
    "Queer Quartermaster",
    "Mummy Mystic",
    "Goblin Cryptographer",
}


def is_marker(step: Step) -> bool:
    return step.verb == "markers"


# ---- order and compulsion ---------------------------------------------------------------------


def test_r22_markers_come_first_except_on_ten_cards() -> None:
    """R22"""
    late = {hero.name for hero in HEROES if any(is_marker(step) for step in hero.steps[1:])}
    assert late == TEXT_FIRST
    for hero in HEROES:
        assert sum(is_marker(step) for step in hero.steps) <= 1


def test_r22_the_marker_part_is_over_before_the_text_begins() -> None:
    """R22, R29: the hero to bury is chosen when the marker has moved."""
    game = given(player(0, hand=["Shaky Sharpshooter"]), player(1, open=["Ace Fighter"]))
    game.choose("play Shaky Sharpshooter")
    assert sorted(game.options()) == ["green -1", "red +1"]
    game.choose("red +1")
    assert game.red == 5
    assert game.options() == ["bury Ace Fighter"]


def test_r22_text_that_sets_the_amount_comes_first() -> None:
    """R22"""
    game = given(
        player(0, hand=["Hangry Barbarian"]),
        tavern=["Ace Fighter", "Keen Koi", "Arrowgant Skeleton"],
    )
    game.play("Hangry Barbarian")
    assert game.wilderness == ["Ace Fighter", "Arrowgant Skeleton"]
    assert game.red == 2


def test_r22_instructions_are_carried_out_in_the_order_of_the_card() -> None:
    """R22: Battle Connoisseur places one card before the others go."""
    game = given(player(0, hand=["Battle Connoisseur"]), tavern=["Keen Koi", "Ace Fighter"])
    game.play("Battle Connoisseur", "place Ace Fighter hidden")
    assert game.hidden(0) == ["Ace Fighter"]
    assert game.wilderness == ["Keen Koi"]


def test_r23_only_nine_cards_have_an_optional_part() -> None:
    """R23"""
    assert {hero.name for hero in HEROES if any(s.optional for s in hero.steps)} == OPTIONAL
    for hero in HEROES:
        assert not any(step.optional for step in hero.steps if is_marker(step))


def test_r23_what_must_be_done_offers_no_pass() -> None:
    """R23"""
    game = given(player(0, hand=["Unconfident Executioner"]), player(1, open=["Keen Koi"]))
    game.choose("play Unconfident Executioner")
    assert game.options() == ["bury Unconfident Executioner", "bury Keen Koi"]


def test_r23_what_may_be_done_offers_one() -> None:
    """R23: the marker part of the same card is compulsory all the same."""
    game = given(player(0, hand=["Watchful Witch"]), player(1, hidden=["Keen Koi"]))
    game.choose("play Watchful Witch")
    assert sorted(game.options()) == ["green +1", "red -1"]
    game.choose("red -1")
    assert game.options() == ["look at B's hidden 1", "pass"]


def test_r24_what_cannot_be_done_is_skipped_and_the_rest_is_done() -> None:
    """R24: no other player has an open hero, so Nightmarish Northman only buries its own."""
    game = given(player(0, hand=["Nightmarish Northman"]))
    game.play("Nightmarish Northman", "red +2", "bury Nightmarish Northman")
    assert game.graveyard == ["Nightmarish Northman"]
    assert (game.red, game.green) == (6, 4)


def test_r24_as_many_as_possible() -> None:
    """R24: one card where two are wanted."""
    game = given(player(0, hand=["Gambling Overseer", "Keen Koi"]))
    game.play("Gambling Overseer", "place Keen Koi hidden")
    assert game.hidden(0) == ["Keen Koi"]
    game = given(player(0, hand=["Miniature Merman"]), graveyard=["Ace Fighter"])
    game.play("Miniature Merman", "red -1", "draw from the graveyard")
    assert game.hand(0) == ["Ace Fighter"]


def test_r24_what_refers_to_a_skipped_part_is_skipped_too() -> None:
    """R24: nobody was robbed, so nobody moves the marker."""
    game = given(player(0, hand=["Saber-Toothed Troll"]), player(1, hidden=["Keen Koi"]))
    game.play("Saber-Toothed Troll")
    assert game.green == 4


def test_r24_x_of_a_skipped_part_is_zero() -> None:
    """R24: an empty tavern leaves Double-Shielded Turtle without question and without effect."""
    game = given(markers(red=6, green=6), player(0, hand=["Double-Shielded Turtle"]))
    game.play("Double-Shielded Turtle")
    assert (game.red, game.green) == (6, 6)


def test_r25_compulsion_holds_against_oneself() -> None:
    """R25: the only open Undead is one's own."""
    game = given(
        player(0, hand=["Aimless Eel"], open=["Arrowgant Skeleton"]),
        player(1, hidden=["Rotting Orangutan"]),
    )
    game.choose("play Aimless Eel", "red +1")
    assert game.options() == ["bury Arrowgant Skeleton"]
    game.choose("bury Arrowgant Skeleton")
    assert game.graveyard == ["Arrowgant Skeleton"]


def test_r26_a_card_is_a_target_of_its_own_ability() -> None:
    """R26: it lies open already."""
    game = given(player(0, hand=["Unconfident Executioner"]))
    game.play("Unconfident Executioner", "bury Unconfident Executioner")
    assert game.open(0) == []
    assert game.graveyard == ["Unconfident Executioner"]


def test_r26_a_card_does_not_perform_itself() -> None:
    """R26, R58: Ghastly Granny has no other hero to perform."""
    game = given(player(0, hand=["Ghastly Granny"]))
    game.play("Ghastly Granny")
    assert game.open(0) == ["Ghastly Granny"]


def test_r27_other_players_are_not_the_performer() -> None:
    """R27"""
    game = given(
        player(0, hand=["Spirited Shaman"], open=["Keen Koi"], hidden=["Leery Lizard"]),
        player(1, open=["Ace Fighter"], hidden=["Grumpy Guard"]),
        player(2, hidden=["Bored Goblin"]),
    )
    game.choose("play Spirited Shaman")
    assert sorted(game.options()) == [
        "turn over Ace Fighter",
        "turn over B's hidden 1",
        "turn over C's hidden 1",
    ]


def test_r27_any_player_may_be_the_performer() -> None:
    """R27"""
    game = given(player(0, hand=["Krill Keeper"]), players=3)
    game.choose("play Krill Keeper")
    assert game.options() == ["pick A", "pick B", "pick C"]


def test_r28_only_players_with_such_a_card_can_be_picked() -> None:
    """R28: judged by what all can see."""
    game = given(
        player(0, hand=["Gorgeous Gorgon"]),
        player(1, hidden=["Keen Koi"]),
        player(2, open=["Ace Fighter"]),
    )
    game.choose("play Gorgeous Gorgon", "red +1")
    assert game.options() == ["pick A", "pick C"]
    game = given(
        player(0, hand=["Resilient Rearguard", "Leery Lizard"]),
        player(1, open=["Keen Koi"]),
        player(2, hand=["Ace Fighter"]),
    )
    game.choose("play Resilient Rearguard", "red +1")
    assert game.options() == ["pick C"]


def test_r28_without_such_a_player_the_part_is_skipped() -> None:
    """R28"""
    game = given(player(0, hand=["Resilient Rearguard", "Keen Koi"]), players=3)
    game.play("Resilient Rearguard", "red +1")
    assert game.hand(0) == ["Keen Koi"]


@pytest.mark.parametrize("name", ["Potato Privateer", "Almost-Evil Scholar", "Krill Keeper"])
def test_r28_any_player_can_be_picked_if_only_heroes_are_counted(name: str) -> None:
    """R28: even a player for whom X is 0."""
    game = given(markers(red=6, green=6), player(0, hand=[name]), player(1), players=2)
    game.play(name, "pick B")
    assert (game.red, game.green) == (6, 6)


def test_r29_choices_are_made_when_their_part_is_reached() -> None:
    """R29: what Groggy Preacher's marker did is seen before the exchange is chosen."""
    game = given(
        player(0, hand=["Groggy Preacher"], open=["Keen Koi"]),
        tavern=["Ace Fighter", "Grumpy Guard"],
    )
    game.choose("play Groggy Preacher", "green +1")
    assert game.green == 5
    game.choose("exchange Ace Fighter")
    assert sorted(game.options()) == ["for Groggy Preacher", "for Keen Koi"]
    game.choose("for Keen Koi")
    assert game.tavern == ["Keen Koi", "Grumpy Guard", None]


# ---- markers ----------------------------------------------------------------------------------


def after(red: int, green: int, name: str, *texts: str) -> tuple[int, int]:
    game = given(markers(red=red, green=green), player(0, hand=[name]))
    game.play(name, *texts)
    return game.red, game.green


def choices(red: int, green: int, name: str) -> list[str]:
    """What the marker part of a card offers; [] if it asks nothing."""
    game = given(markers(red=red, green=green), player(0, hand=[name]), harbor=[])
    game.choose(f"play {name}")
    return game.options() if game.turn == 0 and not game.over else []


def test_r30_markers_stop_at_both_ends() -> None:
    """R30: surplus steps are lost."""
    assert after(2, 1, "Depressed Druid") == (1, 1)
    assert after(11, 11, "Underpaid Mercenary") == (12, 12)
    assert after(11, 5, "Arrowgant Skeleton", "red +2") == (12, 5)


def test_r30_a_shorter_move_is_not_on_offer() -> None:
    """R30"""
    assert choices(4, 4, "Rotting Orangutan") == ["red +2", "green +2"]


def test_r31_and_or_both() -> None:
    """R31"""
    assert after(4, 4, "Blind Eye Collector") == (5, 7)
    assert choices(4, 4, "Leery Lizard") == ["red -1", "green -2"]
    assert choices(4, 4, "Furious Frog") == ["red -2", "green -2", "red -2, green -2"]


def test_r32_an_alternative_that_moves_nothing_is_not_offered() -> None:
    """R32: as long as another one moves something."""
    assert choices(1, 4, "Leery Lizard") == ["green -2"]
    assert choices(12, 4, "Rotting Orangutan") == ["green +2"]


def test_r32_alternatives_with_one_outcome_count_once() -> None:
    """R32: red is at the left end already, so both means green."""
    assert choices(1, 4, "Furious Frog") == ["green -2"]
    assert choices(6, 2, "Triple Sword Lizard") == ["red -1", "red -2"]
    assert choices(2, 1, "Triple Sword Lizard") == ["red -1"]
    assert choices(1, 3, "Hairy Hermit") == []


def test_r32_without_any_moving_alternative_nothing_is_asked() -> None:
    """R32"""
    assert choices(1, 1, "Furious Frog") == []
    assert choices(12, 12, "Arrowgant Skeleton") == []
    assert after(1, 1, "Leery Lizard") == (1, 1)


def test_r32_binds_a_deciding_opponent_too() -> None:
    """R32, R36: with red at either end the next player has one way left."""
    game = given(markers(red=12, green=4), player(0, hand=["Doubtful Priest"]))
    game.choose("play Doubtful Priest")
    assert game.actor == 1
    assert game.options() == ["red -2"]
    game = given(
        markers(red=4, green=1),
        player(0, hand=["Saber-Toothed Troll"]),
        player(1, open=["Keen Koi"]),
    )
    game.choose("play Saber-Toothed Troll", "take Keen Koi")
    assert game.actor == 1
    assert game.options() == ["green +2"]


def test_r33_leading_and_trailing() -> None:
    """R33"""
    assert after(7, 5, "Keen Koi") == (6, 6)
    assert after(3, 9, "Keen Koi") == (4, 8)
    assert choices(7, 5, "Drowned Deserter") == ["red -1", "green +2"]
    assert choices(5, 7, "Drowned Deserter") == ["green -1", "red +2"]


@pytest.mark.parametrize("name", ["Keen Koi", "Drowned Deserter", "Triple Sword Lizard"])
def test_r33_on_the_same_space_nobody_leads(name: str) -> None:
    """R33"""
    assert after(5, 5, name) == (5, 5)


def test_r33_a_tie_removes_the_longer_move_of_hermit_and_fighter() -> None:
    """R33"""
    assert choices(5, 5, "Hairy Hermit") == ["red -1"]
    assert choices(6, 5, "Hairy Hermit") == ["red -1", "red -2"]
    assert choices(5, 6, "Hairy Hermit") == ["red -1"]
    assert choices(5, 6, "Ace Fighter") == ["red +1", "red +2"]
    assert choices(6, 5, "Ace Fighter") == ["red +1"]


def test_r33_the_test_is_made_when_the_part_is_reached() -> None:
    """R33: a performed Keen Koi looks at the markers as they are then."""
    game = given(
        markers(red=5, green=4), player(0, hand=["Insidious Impaler"]), tavern=["Keen Koi"]
    )
    game.play("Insidious Impaler", "perform Keen Koi")
    assert (game.red, game.green) == (4, 5)


def test_r34_roles_are_fixed_before_either_marker_moves() -> None:
    """R34: Keen Koi makes the trailing marker pass the leading one."""
    assert after(5, 4, "Keen Koi") == (4, 5)
    assert after(4, 5, "Keen Koi") == (5, 4)
    assert after(12, 12, "Naughty Necromancer") == (12, 12)


def test_r35_x_is_counted_then_capped() -> None:
    """R35: four open Undead, the Emperor among them, move three spaces."""
    party = ["Arrowgant Skeleton", "Rotting Orangutan", "Crow Carrier", "Emperor"]
    for many, space in ((1, 7), (2, 6), (3, 5), (4, 5)):
        game = given(
            markers(red=8, green=8),
            player(0, hand=["Krill Keeper"]),
            player(1, open=party[-many:]),
        )
        game.play("Krill Keeper", "pick B")
        assert (game.red, game.green) == (space, space)


def test_r35_x_is_counted_when_the_part_is_reached() -> None:
    """R35: the cards discarded by the same card."""
    game = given(
        markers(red=8, green=8),
        player(0, hand=["Double-Shielded Turtle"]),
        tavern=["Keen Koi", "Ace Fighter", "Leery Lizard"],
    )
    game.choose("play Double-Shielded Turtle", "name Water")
    assert game.options() == ["red -2", "green -2", "red -2, green -2"]


def test_r36_a_decider_decides_alone() -> None:
    """R36: the next player for the Priest, the robbed one for the Troll, the picked for Amazon."""
    game = given(player(1, hand=["Doubtful Priest"]), players=3, turn=1)
    game.choose("play Doubtful Priest")
    assert game.actor == 2
    assert sorted(game.options()) == ["red +2", "red -2"]
    game = given(player(0, hand=["Saber-Toothed Troll"]), player(2, open=["Keen Koi"]))
    game.choose("play Saber-Toothed Troll", "take Keen Koi")
    assert game.actor == 2
    assert sorted(game.options()) == ["green +2", "green -2"]
    game = given(player(0, hand=["Overworked Amazon"]), player(1, open=["Keen Koi", "Ace Fighter"]))
    game.choose("play Overworked Amazon", "red +1", "pick B")
    assert game.actor == 1


# ---- order of discards, secrecy of choices ----------------------------------------------------


def test_r37_tavern_cards_go_in_slot_order() -> None:
    """R37: the card of the last slot ends up on top."""
    game = given(
        player(0, hand=["Resurrected Ram"]), tavern=["Keen Koi", "Ace Fighter", "Grumpy Guard"]
    )
    game.play("Resurrected Ram", "red +1")
    assert game.wilderness == ["Keen Koi", "Ace Fighter", "Grumpy Guard"]


def test_r37_cards_of_one_hand_go_in_the_order_chosen() -> None:
    """R37"""
    game = given(player(0, hand=["Keen Koi", "Ace Fighter", "Grumpy Guard"]))
    game.choose("discard Grumpy Guard", "discard Keen Koi", "discard Ace Fighter")
    assert game.wilderness == ["Grumpy Guard", "Keen Koi", "Ace Fighter"]


def test_r37_several_players_discard_in_turn_order() -> None:
    """R37"""
    game = given(
        player(0, hand=["Ace Fighter"]),
        player(1, hand=["Will-Bending Witch"]),
        player(2, hand=["Keen Koi"]),
        player(3, hand=["Grumpy Guard"]),
        turn=1,
    )
    game.play(
        "Will-Bending Witch", "red +1", "discard Keen Koi", "discard Grumpy Guard", "discard Ace"
    )
    assert game.wilderness == ["Keen Koi", "Grumpy Guard", "Ace Fighter"]


def chosen(game: Scenario, seat: int) -> list[int]:
    """All moves as the seat observed them."""
    return [event[2] for event in game.events(seat) if event[0] == Event.CHOSE]


def test_r38_open_choices_are_public() -> None:
    """R38: marker option, player, faction, target, pass."""
    game = given(
        player(0, hand=["Androgynous Assassin"]), player(1, hidden=["Keen Koi"]), players=3
    )
    game.play("Androgynous Assassin", "green +1", "name Undead", "expose B's hidden 1")
    assert chosen(game, 0) == chosen(game, 1) == chosen(game, 2)
    game = given(player(0, hand=["Watchful Witch"]), player(1, hidden=["Keen Koi"]), players=3)
    game.play("Watchful Witch", "red -1", "pass")
    assert chosen(game, 2)[-1] == Move.PASS
    game = given(player(0, hand=["Krill Keeper"]), players=3)
    game.play("Krill Keeper", "pick C")
    assert chosen(game, 0) == chosen(game, 2)


def test_r38_choices_among_face_down_cards_are_secret() -> None:
    """R38: which card was placed, discarded or given up in secret."""
    game = given(
        player(0, hand=["Friendly Frogmage", "Keen Koi", "Ace Fighter"]),
        player(1, hand=["Grumpy Guard", "Bored Goblin"]),
        players=3,
    )
    game.play("Friendly Frogmage", "place Keen Koi hidden")
    assert UNSEEN not in chosen(game, 0)
    assert chosen(game, 1)[-1] == UNSEEN
    game.end_turn()
    game.events(0), game.events(1), game.events(2)
    game.choose("discard Grumpy Guard", "stop discarding")
    assert UNSEEN not in chosen(game, 1)
    assert chosen(game, 2) == [UNSEEN, Move.PASS]
    game = given(
        player(0, hand=["Will-Bending Witch"]),
        player(1, hand=["Keen Koi"]),
        player(2, hand=["Ace Fighter"]),
    )
    game.play("Will-Bending Witch", "red +1", "discard Keen Koi", "discard Ace Fighter")
    assert [move == UNSEEN for move in chosen(game, 0)] == [False, False, True, True]
    assert [move == UNSEEN for move in chosen(game, 1)] == [False, False, False, True]


@pytest.mark.parametrize("other", ["Keen Koi", "Ace Fighter", "Emperor"])
def test_r39_passing_looks_the_same_with_and_without_a_card_to_play(other: str) -> None:
    """R39: an Empire card or the Emperor cannot follow the Priest, but the question is asked."""

    def story(card: str) -> Scenario:
        game = given(player(0, hand=["Doubtful Priest", card]), players=3, harbor=["Bored Goblin"])
        game.choose("play Doubtful Priest", "red +2")
        assert game.actor == 0
        assert "pass" in game.options()
        game.choose("pass")
        return game

    assert story(other).events(2) == story("Leery Lizard").events(2)


def test_r39_with_an_empty_hand_there_is_nothing_to_hide() -> None:
    """R39: all see that no card is left."""
    game = given(player(0, hand=["Doubtful Priest"]))
    game.play("Doubtful Priest", "red +2")
    assert game.open(0) == ["Doubtful Priest"]
