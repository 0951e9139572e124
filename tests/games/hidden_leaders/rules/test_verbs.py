"""The verbs of the cards: each means the same on every card."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.constants import Event, Zone
from games.hidden_leaders.text.moves import find_card
from games.state import CHANCE, UNSEEN
from tests.support.scenario import chance, draws, given, markers, player


def test_r40_burying_puts_a_hero_on_top_of_the_graveyard() -> None:
    """R40"""
    game = given(
        player(0, hand=["Unconfident Executioner"]),
        player(1, open=["Keen Koi"]),
        graveyard=["Emperor", "Ace Fighter"],
    )
    game.play("Unconfident Executioner", "bury Keen Koi")
    assert game.graveyard == ["Buried Emperor", "Ace Fighter", "Keen Koi"]
    assert game.open(1) == []


def test_r40_a_hidden_hero_becomes_known_when_buried() -> None:
    """R40"""
    game = given(player(0, hand=["Slaughtered Slime"]), player(1, hidden=["Keen Koi"]), players=3)
    game.play("Slaughtered Slime", "red -1", "bury B's hidden 1")
    assert game.graveyard == ["Keen Koi"]
    for seat in range(3):
        assert any(event[-1] == find_card("Keen Koi") for event in game.events(seat))


def test_r40_a_card_may_bury_from_another_place() -> None:
    """R40: Insidious Impaler buries a tavern card."""
    game = given(player(0, hand=["Insidious Impaler"]), tavern=["Flailing Knight"])
    game.play("Insidious Impaler", "perform Flailing Knight")
    assert game.graveyard == ["Flailing Knight"]


def test_r41_discarding_puts_a_card_on_top_of_the_wilderness_wherever_it_came_from() -> None:
    """R41: from a hand, a party, the tavern and the graveyard."""
    game = given(player(0, hand=["Keen Koi"]), wilderness=["Bored Goblin"])
    game.choose("discard Keen Koi")
    assert game.wilderness == ["Bored Goblin", "Keen Koi"]
    game = given(
        player(0, hand=["Vegetarian Sharkguard"]),
        player(1, open=["Keen Koi"]),
        wilderness=["Bored Goblin"],
    )
    game.play("Vegetarian Sharkguard", "red +2", "discard Keen Koi")
    assert game.wilderness == ["Bored Goblin", "Keen Koi"]
    game = given(
        player(0, hand=["Angry Priestess"]), tavern=["Crow Carrier"], wilderness=["Bored Goblin"]
    )
    game.play("Angry Priestess", "discard Crow Carrier")
    assert game.wilderness == ["Bored Goblin", "Crow Carrier"]
    game = given(player(0, hand=["Crow Carrier"]), graveyard=["Keen Koi", "Ace Fighter"])
    game.play("Crow Carrier", "place Ace Fighter hidden")
    assert game.wilderness == ["Keen Koi"]


def test_r42_an_exchange_keeps_places_and_resolves_nothing() -> None:
    """R42: slot and orientation stay, markers do not move."""
    game = given(
        player(0, hand=["Half-Headed Wizard"]),
        player(1, open=["Keen Koi", "Grumpy Guard"]),
        tavern=["Bored Goblin", "Underpaid Mercenary", "Leery Lizard"],
    )
    game.play("Half-Headed Wizard", "exchange Underpaid Mercenary", "for Keen Koi")
    assert game.tavern == ["Bored Goblin", "Keen Koi", "Leery Lizard"]
    assert game.open(1) == ["Grumpy Guard", "Underpaid Mercenary"]
    assert (game.red, game.green) == (5, 5), "only the Wizard's own markers"


def test_r42_hidden_heroes_keep_their_index() -> None:
    """R42, R66"""
    game = given(
        player(
            0, hand=["Underestimated Squire", "Keen Koi"], hidden=["Ace Fighter", "Bored Goblin"]
        ),
    )
    game.play("Underestimated Squire", "exchange A's hidden 1", "for Keen Koi")
    assert game.hidden(0) == ["Keen Koi", "Bored Goblin"]
    assert game.hand(0) == ["Ace Fighter"]


def test_r42_a_hero_exchanged_with_the_graveyard_becomes_its_top_card() -> None:
    """R42"""
    game = given(
        player(0, hand=["Mummy Mystic"], open=["Keen Koi"]), graveyard=["Emperor", "Ace Fighter"]
    )
    game.play("Mummy Mystic", "exchange Keen Koi")
    assert game.graveyard == ["Buried Emperor", "Keen Koi"]
    assert game.open(0) == ["Ace Fighter", "Mummy Mystic"]


def test_r42_without_both_cards_there_is_no_exchange() -> None:
    """R42: no tavern, no hand, no hidden hero, no graveyard."""
    game = given(player(0, hand=["Groggy Preacher"], open=["Keen Koi"]))
    game.play("Groggy Preacher", "red +1")
    game = given(player(0, hand=["Half-Headed Wizard"]), tavern=["Keen Koi"])
    game.play("Half-Headed Wizard")
    game = given(player(0, hand=["Underestimated Squire"], hidden=["Keen Koi"]))
    game.play("Underestimated Squire")
    game = given(player(0, hand=["Underestimated Squire", "Keen Koi"]))
    game.play("Underestimated Squire")
    game = given(player(0, hand=["Careless Cartographer"], hidden=["Keen Koi"]))
    game.play("Careless Cartographer", "red +1")
    game = given(player(0, hand=["Mummy Mystic"]))
    game.play("Mummy Mystic")
    assert game.open(0) == ["Mummy Mystic"]


def test_r43_placing_resolves_nothing() -> None:
    """R43: open or hidden."""
    game = given(player(0, hand=["Hopeful Salamander"]), tavern=["Underpaid Mercenary"])
    game.play("Hopeful Salamander", "place Underpaid Mercenary open")
    assert game.open(0) == ["Hopeful Salamander", "Underpaid Mercenary"]
    assert (game.red, game.green) == (5, 5)
    game = given(player(0, hand=["Well-Aged Warrior", "Underpaid Mercenary"]))
    game.play("Well-Aged Warrior", "place Underpaid Mercenary hidden")
    assert game.hidden(0) == ["Underpaid Mercenary"]
    assert (game.red, game.green) == (5, 5)


def test_r44_drawing_takes_the_top_one_after_the_other() -> None:
    """R44: from graveyard and wilderness into the hand."""
    pile = ["Ace Fighter", "Bored Goblin", "Keen Koi"]
    game = given(player(0, hand=["Miniature Merman"]), wilderness=pile)
    game.play("Miniature Merman", "red -1", "draw from the wilderness")
    assert (game.hand(0), game.wilderness) == (["Bored Goblin", "Keen Koi"], ["Ace Fighter"])
    game = given(player(0, hand=["Miniature Merman"]), graveyard=pile)
    game.play("Miniature Merman", "red -1", "draw from the graveyard")
    assert (game.hand(0), game.graveyard) == (["Bored Goblin", "Keen Koi"], ["Ace Fighter"])


def test_r44_only_the_harbor_is_reformed() -> None:
    """R44: Joyless Chief and Crow Carrier take what is there."""
    game = given(player(0, hand=["Joyless Chief"]), wilderness=["Keen Koi"])
    game.play("Joyless Chief", "place Keen Koi hidden")
    assert game.wilderness == []
    game = given(player(0, hand=["Crow Carrier"]), wilderness=["Keen Koi"])
    game.play("Crow Carrier")
    assert game.wilderness == ["Keen Koi"]
    game = given(player(0, hand=["Miniature Merman"]))
    game.play("Miniature Merman", "red -1")
    assert game.hand(0) == []


def test_r45_taking_is_a_choice() -> None:
    """R45: any graveyard card, any open hero of another player."""
    game = given(player(0, hand=["Wrapped Warrior"]), graveyard=["Keen Koi", "Ace Fighter"])
    game.choose("play Wrapped Warrior", "red +1")
    assert sorted(game.options()) == ["take Ace Fighter", "take Keen Koi"]
    game = given(
        player(0, hand=["Saber-Toothed Troll"], open=["Bored Goblin"]),
        player(1, open=["Keen Koi"]),
        player(2, open=["Ace Fighter"], hidden=["Grumpy Guard"]),
    )
    game.choose("play Saber-Toothed Troll")
    assert sorted(game.options()) == ["take Ace Fighter", "take Keen Koi"]


def test_r46_at_random_every_candidate_is_equally_likely() -> None:
    """R46: a hand of three, a party of three."""
    game = given(
        player(0, hand=["Resilient Rearguard"]),
        player(1, hand=["Keen Koi", "Ace Fighter", "Bored Goblin"]),
    )
    game.choose("play Resilient Rearguard", "red +1", "pick B")
    assert game.actor == CHANCE
    assert len(game.options()) == 3
    assert game.state.weights() == [1, 1, 1]
    game = given(
        player(0, hand=["Gorgeous Gorgon"]),
        player(1, open=["Keen Koi", "Ace Fighter", "Bored Goblin"], hidden=["Grumpy Guard"]),
    )
    game.choose("play Gorgeous Gorgon", "red +1", "pick B")
    assert game.state.weights() == [1, 1, 1]
    game.choose(chance("Ace Fighter"))
    assert game.graveyard == ["Ace Fighter"]


def test_r47_turning_over_stays_in_the_party_newest_last() -> None:
    """R47"""
    game = given(
        player(0, hand=["Long-Eared Loner"]),
        player(1, open=["Keen Koi", "Ace Fighter"], hidden=["Bored Goblin", "Grumpy Guard"]),
    )
    game.play("Long-Eared Loner", "turn over Keen Koi")
    assert game.open(1) == ["Ace Fighter"]
    assert game.hidden(1) == ["Bored Goblin", "Grumpy Guard", "Keen Koi"]


def test_r47_nothing_is_resolved_when_a_hero_is_turned_face_up() -> None:
    """R47, R67"""
    game = given(player(0, hand=["Long-Eared Loner"]), player(1, hidden=["Underpaid Mercenary"]))
    game.play("Long-Eared Loner", "turn over B's hidden 1")
    assert game.open(1) == ["Underpaid Mercenary"]
    assert (game.red, game.green) == (4, 5)


def test_r47_unless_the_text_says_perform() -> None:
    """R47: Saltwater Sage does."""
    game = given(player(0, hand=["Saltwater Sage"], hidden=["Underpaid Mercenary"]))
    game.play("Saltwater Sage", "turn over A's hidden 1")
    assert game.open(0) == ["Saltwater Sage", "Underpaid Mercenary"]
    assert (game.red, game.green) == (7, 5)


def test_r48_everybody_sees_which_card_is_looked_at_only_the_looker_sees_it() -> None:
    """R48"""
    game = given(
        player(0, hand=["Curious Troll"]), player(1, hidden=["Keen Koi", "Ace Fighter"]), players=3
    )
    game.play("Curious Troll", "red +1", "look at B's hidden 2", "pass")
    assert game.hidden(1) == ["Keen Koi", "Ace Fighter"]
    ace = find_card("Ace Fighter")
    assert (Event.SEEN, Zone.HIDDEN + 1, 1, ace) in game.events(0)
    assert (Event.SEEN, Zone.HIDDEN + 1, 1, UNSEEN) in game.events(2)


def test_r48_cards_looked_at_in_the_wilderness_return_there() -> None:
    """R48, R104: the one not placed lies on top again."""
    game = given(
        player(0, hand=["Joyless Chief"]), wilderness=["Bored Goblin", "Keen Koi", "Ace Fighter"]
    )
    game.play("Joyless Chief", "place Ace Fighter hidden")
    assert game.wilderness == ["Bored Goblin", "Keen Koi"]


def test_r49_a_revealed_card_is_shown_to_everybody_and_put_back() -> None:
    """R49"""
    game = given(
        markers(red=6, green=6),
        player(0, hand=["Tentacle Oracle"]),
        wilderness=["Bored Goblin", "Keen Koi"],
        players=3,
    )
    game.play("Tentacle Oracle")
    assert game.wilderness == ["Bored Goblin", "Keen Koi"]
    for seat in range(3):
        assert (Event.SEEN, Zone.WILDERNESS, 1, find_card("Keen Koi")) in game.events(seat)


def test_r50_picking_a_player_is_public() -> None:
    """R50, R38"""
    game = given(player(0, hand=["Potato Privateer"]), players=3)
    game.play("Potato Privateer", "pick C")
    picked = [event for event in game.events(0) if event[0] == Event.CHOSE]
    assert picked == [event for event in game.events(1) if event[0] == Event.CHOSE]


@pytest.mark.parametrize("name", ["Undead", "Water", "Empire", "Tribes"])
def test_r51_any_of_the_four_factions_may_be_named_before_the_card_is_chosen(name: str) -> None:
    """R51"""
    game = given(player(0, hand=["Androgynous Assassin"]), player(1, hidden=["Keen Koi"]))
    game.choose("play Androgynous Assassin", "red -1")
    assert game.options() == ["name Undead", "name Water", "name Empire", "name Tribes"]
    game.choose(f"name {name}", "expose B's hidden 1")
    assert game.graveyard == (["Keen Koi"] if name == "Water" else [])
    assert game.open(1) == ([] if name == "Water" else ["Keen Koi"])


def test_r52_a_card_kept_joins_the_hand() -> None:
    """R52"""
    game = given(player(0, hand=["Deep Sea Squire", "Bored Goblin"]))
    game.play(
        "Deep Sea Squire", "red +1", draws("Keen Koi", "Ace Fighter"), "place Ace Fighter hidden"
    )
    assert game.hand(0) == ["Bored Goblin", "Keen Koi"]


def test_r53_another_card_is_played_open_and_resolved_fully() -> None:
    """R53"""
    game = given(player(0, hand=["Doubtful Priest", "Blind Eye Collector", "Keen Koi"]))
    game.play("Doubtful Priest", "red +2", "play Blind Eye Collector")
    assert game.open(0) == ["Blind Eye Collector", "Doubtful Priest"]
    assert (game.red, game.green) == (7, 7)
    assert game.hand(0) == ["Keen Koi"]


def test_r53_discarding_instead_is_not_possible() -> None:
    """R53"""
    game = given(player(0, hand=["Doubtful Priest", "Blind Eye Collector"]))
    game.choose("play Doubtful Priest", "red -2")
    assert game.options() == ["play Blind Eye Collector", "pass"]
