"""The nineteen Undead heroes, in the order of `cards.HEROES`."""

from __future__ import annotations

import pytest

from games.state import CHANCE
from tests.support.perceived import perceived
from tests.support.scenario import chance, draws, given, markers, player

# ---- Arrowgant Skeleton -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "red", "green"),
    [("red +2", 6, 5), ("green +2", 4, 7), ("red +2, green +2", 6, 7)],
)
def test_arrowgant_skeleton_moves_one_marker_or_both(text: str, red: int, green: int) -> None:
    """R31, R147: never none, and nothing else happens."""
    game = given(markers(red=4, green=5), player(0, hand=["Arrowgant Skeleton"]))

    game.choose("play Arrowgant Skeleton")
    assert game.options() == ["red +2", "green +2", "red +2, green +2"]
    game.choose(text)

    assert (game.red, game.green) == (red, green)
    assert game.open(0) == ["Arrowgant Skeleton"]
    assert game.options() == ["draw from the harbor"]


def test_arrowgant_skeleton_stops_at_the_end_of_the_track() -> None:
    """R30: surplus steps are lost, but the alternative still moves something."""
    game = given(markers(red=11, green=12), player(0, hand=["Arrowgant Skeleton"]))
    game.play("Arrowgant Skeleton", "red +2")
    assert (game.red, game.green) == (12, 12)


def test_arrowgant_skeleton_offers_only_alternatives_that_differ() -> None:
    """R32: with red at the end, both markers comes to the same as green alone."""
    game = given(markers(red=12, green=5), player(0, hand=["Arrowgant Skeleton"]))
    game.choose("play Arrowgant Skeleton")
    assert game.options() == ["green +2"]


def test_arrowgant_skeleton_asks_nothing_when_nothing_can_move() -> None:
    """R32"""
    game = given(markers(red=12, green=12), player(0, hand=["Arrowgant Skeleton"]))
    game.play("Arrowgant Skeleton")
    assert (game.red, game.green) == (12, 12)


# ---- Unconfident Executioner ------------------------------------------------------------------


def test_unconfident_executioner_buries_any_open_hero_of_any_party() -> None:
    """R121: hidden heroes are safe, its own party is not."""
    game = given(
        markers(red=4, green=1),
        player(0, hand=["Unconfident Executioner"], open=["Ace Fighter"], hidden=["Leery Lizard"]),
        player(1, open=["Keen Koi"], hidden=["Furious Frog"]),
        player(2, open=["Bored Goblin"]),
        graveyard=["Crow Carrier"],
    )

    game.choose("play Unconfident Executioner")
    assert (game.red, game.green) == (3, 1)
    assert game.options() == [
        "bury Bored Goblin",
        "bury Ace Fighter",
        "bury Unconfident Executioner",
        "bury Keen Koi",
    ]
    game.choose("bury Keen Koi")

    assert game.graveyard == ["Crow Carrier", "Keen Koi"]
    assert game.open(0) == ["Ace Fighter", "Unconfident Executioner"]
    assert game.open(1) == []
    assert game.hidden(1) == ["Furious Frog"]
    assert game.open(2) == ["Bored Goblin"]


def test_unconfident_executioner_alone_must_bury_itself() -> None:
    """R25, R26, R121: the only target is compulsory, so there is always one."""
    game = given(player(0, hand=["Unconfident Executioner"]), player(1, hidden=["Keen Koi"]))

    game.choose("play Unconfident Executioner")
    assert game.options() == ["bury Unconfident Executioner"]
    game.choose("bury Unconfident Executioner")

    assert game.graveyard == ["Unconfident Executioner"]
    assert game.open(0) == []
    assert (game.red, game.green) == (3, 3)


# ---- Ghastly Granny ---------------------------------------------------------------------------


def test_ghastly_granny_performs_another_open_hero_of_her_own_party() -> None:
    """R54, R55, R122: not herself, nobody else's, nothing hidden, and the hero stays put."""
    game = given(
        player(
            0,
            hand=["Ghastly Granny"],
            open=["Rotting Orangutan", "Underpaid Mercenary"],
            hidden=["Furious Frog"],
        ),
        player(1, open=["Keen Koi"]),
        graveyard=["Leery Lizard"],
    )

    game.choose("play Ghastly Granny")
    assert game.options() == ["perform Underpaid Mercenary", "perform Rotting Orangutan"]
    game.choose("perform Rotting Orangutan", "green +2")

    assert (game.red, game.green) == (4, 6)
    assert game.open(0) == ["Ghastly Granny", "Rotting Orangutan", "Underpaid Mercenary"]
    assert game.graveyard == ["Leery Lizard"]


def test_ghastly_granny_without_another_open_hero_does_nothing() -> None:
    """R60, R62, R122: neither she herself nor the Emperor will do."""
    game = given(
        player(0, hand=["Ghastly Granny"], open=["Emperor"], hidden=["Keen Koi"]),
        player(1, open=["Rotting Orangutan"]),
    )
    game.play("Ghastly Granny")
    assert (game.red, game.green) == (4, 4)
    assert game.open(0) == ["Buried Emperor", "Ghastly Granny"]


# ---- Rotting Orangutan ------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "red", "green"), [("red +2", 6, 4), ("green +2", 4, 6)])
def test_rotting_orangutan_moves_exactly_one_marker(text: str, red: int, green: int) -> None:
    """R31, R147"""
    game = given(player(0, hand=["Rotting Orangutan"]))

    game.choose("play Rotting Orangutan")
    assert game.options() == ["red +2", "green +2"]
    game.choose(text)

    assert (game.red, game.green) == (red, green)
    assert game.options() == ["draw from the harbor"]


def test_rotting_orangutan_must_move_the_marker_that_can_move() -> None:
    """R30, R32"""
    game = given(markers(red=12, green=11), player(0, hand=["Rotting Orangutan"]))
    game.choose("play Rotting Orangutan")
    assert game.options() == ["green +2"]
    game.choose("green +2")
    assert (game.red, game.green) == (12, 12)


# ---- Half-Headed Wizard -----------------------------------------------------------------------


def test_half_headed_wizard_swaps_a_tavern_card_with_a_foreign_open_hero() -> None:
    """R42, R119: the slot is kept, nothing is resolved, own heroes are not offered."""
    game = given(
        player(0, hand=["Half-Headed Wizard"], open=["Ace Fighter"]),
        player(1, open=["Keen Koi"], hidden=["Furious Frog"]),
        player(2, open=["Bored Goblin"]),
        tavern=["Leery Lizard", None, "Underpaid Mercenary"],
    )

    game.choose("play Half-Headed Wizard")
    assert (game.red, game.green) == (5, 5)
    assert game.options() == ["exchange Underpaid Mercenary", "exchange Leery Lizard"]
    game.choose("exchange Underpaid Mercenary")
    assert game.options() == ["for Bored Goblin", "for Keen Koi"]
    game.choose("for Keen Koi")

    assert game.tavern == ["Leery Lizard", None, "Keen Koi"]
    assert game.open(0) == ["Ace Fighter", "Half-Headed Wizard"]
    assert game.open(1) == ["Underpaid Mercenary"]
    assert game.open(2) == ["Bored Goblin"]
    assert (game.red, game.green) == (5, 5)


def test_half_headed_wizard_swaps_in_the_open() -> None:
    """P21: everybody sees both cards."""
    game = given(
        player(0, hand=["Half-Headed Wizard"]),
        player(1, open=["Keen Koi"]),
        tavern=["Leery Lizard"],
        players=3,
    )
    game.play("Half-Headed Wizard", "exchange Leery Lizard", "for Keen Koi")
    for seat in range(3):
        assert perceived(game, seat)[1:] == [
            "Keen Koi: B's open to aside",
            "Leery Lizard: tavern 1 to B's open",
            "Keen Koi: aside to tavern 1",
        ]


@pytest.mark.parametrize(
    ("tavern", "foreign"), [([], ["Keen Koi"]), (["Leery Lizard"], []), ([], [])]
)
def test_half_headed_wizard_needs_both_cards(tavern: list[str], foreign: list[str]) -> None:
    """R24, R42: half an exchange is none; the markers move all the same."""
    game = given(
        player(0, hand=["Half-Headed Wizard"], open=["Ace Fighter"]),
        player(1, open=foreign, hidden=["Furious Frog"]),
        tavern=tavern,
    )
    game.play("Half-Headed Wizard")
    assert (game.red, game.green) == (5, 5)
    assert game.tavern[0] == (tavern[0] if tavern else None)
    assert game.open(1) == foreign


# ---- Nightmarish Northman ---------------------------------------------------------------------


def test_nightmarish_northman_buries_an_own_hero_and_then_a_foreign_one() -> None:
    """R29, R123: the performer chooses both, the second after seeing the first buried."""
    game = given(
        player(0, hand=["Nightmarish Northman"], open=["Ace Fighter"], hidden=["Leery Lizard"]),
        player(1, open=["Keen Koi"]),
        player(2, open=["Bored Goblin"], hidden=["Furious Frog"]),
    )

    game.choose("play Nightmarish Northman")
    assert game.options() == ["red +2", "green +2", "red +2, green +2"]
    game.choose("red +2, green +2")
    assert game.options() == ["bury Ace Fighter", "bury Nightmarish Northman"]
    game.choose("bury Ace Fighter")
    assert (game.actor, game.options()) == (0, ["bury Bored Goblin", "bury Keen Koi"])
    game.choose("bury Bored Goblin")

    assert (game.red, game.green) == (6, 6)
    assert game.graveyard == ["Ace Fighter", "Bored Goblin"]
    assert game.open(0) == ["Nightmarish Northman"]
    assert game.open(1) == ["Keen Koi"]
    assert game.open(2) == []


def test_nightmarish_northman_may_bury_himself_and_goes_on() -> None:
    """R26, R63, R123"""
    game = given(player(0, hand=["Nightmarish Northman"]), player(1, open=["Keen Koi"]))
    game.play("Nightmarish Northman", "green +2", "bury Nightmarish Northman", "bury Keen Koi")
    assert game.graveyard == ["Nightmarish Northman", "Keen Koi"]
    assert game.open(0) == game.open(1) == []
    assert (game.red, game.green) == (4, 6)


def test_nightmarish_northman_without_foreign_open_heroes_buries_his_own_all_the_same() -> None:
    """R24, R25, R123"""
    game = given(player(0, hand=["Nightmarish Northman"]), player(1, hidden=["Keen Koi"]))
    game.play("Nightmarish Northman", "red +2", "bury Nightmarish Northman")
    assert game.graveyard == ["Nightmarish Northman"]
    assert game.open(0) == []
    assert game.hidden(1) == ["Keen Koi"]


# ---- Half-Eaten Bull --------------------------------------------------------------------------


def test_half_eaten_bull_buries_an_open_water_hero_of_any_party() -> None:
    """R101: own ones too, and the Emperor as one of every faction."""
    game = given(
        player(0, hand=["Half-Eaten Bull"], open=["Furious Frog", "Ace Fighter"]),
        player(1, open=["Keen Koi", "Bored Goblin"], hidden=["Leery Lizard"]),
        player(2, open=["Emperor"]),
    )

    game.choose("play Half-Eaten Bull")
    assert (game.red, game.green) == (6, 5)
    assert game.options() == ["bury Furious Frog", "bury Keen Koi", "bury Buried Emperor"]
    game.choose("bury Keen Koi")

    assert game.graveyard == ["Keen Koi"]
    assert game.open(0) == ["Ace Fighter", "Furious Frog", "Half-Eaten Bull"]
    assert game.open(1) == ["Bored Goblin"]
    assert game.open(2) == ["Buried Emperor"]


def test_half_eaten_bull_must_bury_the_own_hero_if_it_is_the_only_one() -> None:
    """R25, R101"""
    game = given(player(0, hand=["Half-Eaten Bull"], open=["Furious Frog"]))
    game.choose("play Half-Eaten Bull")
    assert game.options() == ["bury Furious Frog"]


def test_half_eaten_bull_without_open_water_only_moves_the_markers() -> None:
    """R24, R101"""
    game = given(
        markers(red=11, green=4),
        player(0, hand=["Half-Eaten Bull"], open=["Ace Fighter"], hidden=["Keen Koi"]),
        player(1, hand=["Leery Lizard"]),
        tavern=["Furious Frog"],
    )
    game.play("Half-Eaten Bull")
    assert (game.red, game.green) == (12, 5)
    assert game.graveyard == []


# ---- Gorgeous Gorgon --------------------------------------------------------------------------


def test_gorgeous_gorgon_leaves_the_choice_in_the_picked_party_to_luck() -> None:
    """R28, R46, R124: only players with an open hero; each of theirs is equally likely."""
    game = given(
        player(0, hand=["Gorgeous Gorgon"]),
        player(1, hidden=["Leery Lizard"]),
        player(2, open=["Keen Koi", "Bored Goblin", "Ace Fighter"], hidden=["Furious Frog"]),
    )

    game.choose("play Gorgeous Gorgon")
    assert game.options() == ["red +1", "green +1"]
    game.choose("red +1")
    assert game.options() == ["pick A", "pick C"]
    game.choose("pick C")
    assert game.actor == CHANCE
    assert game.options() == ["chance: Bored Goblin", "chance: Ace Fighter", "chance: Keen Koi"]
    assert game.state.weights() == [1, 1, 1]
    game.choose(chance("Ace Fighter"))

    assert (game.red, game.green) == (5, 4)
    assert game.graveyard == ["Ace Fighter"]
    assert game.open(2) == ["Bored Goblin", "Keen Koi"]
    assert game.hidden(2) == ["Furious Frog"]
    assert game.open(0) == ["Gorgeous Gorgon"]


def test_gorgeous_gorgon_with_no_other_open_hero_is_buried_herself() -> None:
    """R25, R26, R124: the own party is the only one to pick."""
    game = given(player(0, hand=["Gorgeous Gorgon"]), player(1, hidden=["Keen Koi"]))

    game.choose("play Gorgeous Gorgon", "green +1")
    assert game.options() == ["pick A"]
    game.choose("pick A", chance("Gorgeous Gorgon"))

    assert game.graveyard == ["Gorgeous Gorgon"]
    assert game.open(0) == []


# ---- Crow Carrier -----------------------------------------------------------------------------


def test_crow_carrier_hides_one_of_the_two_top_graveyard_cards_and_discards_the_other() -> None:
    """R66, R125: the hidden card becomes the newest."""
    game = given(
        player(0, hand=["Crow Carrier"], hidden=["Ace Fighter"]),
        graveyard=["Bored Goblin", "Keen Koi", "Leery Lizard"],
        wilderness=["Furious Frog"],
    )

    game.choose("play Crow Carrier")
    assert (game.red, game.green) == (3, 3)
    assert game.options() == ["place Leery Lizard hidden", "place Keen Koi hidden"]
    game.choose("place Keen Koi hidden")

    assert game.hidden(0) == ["Ace Fighter", "Keen Koi"]
    assert game.wilderness == ["Furious Frog", "Leery Lizard"]
    assert game.graveyard == ["Bored Goblin"]
    assert game.open(0) == ["Crow Carrier"]
    assert game.hand(0) == []


def test_crow_carrier_hides_a_single_card() -> None:
    """R24, R125"""
    game = given(player(0, hand=["Crow Carrier"]), graveyard=["Keen Koi"])
    game.play("Crow Carrier", "place Keen Koi hidden")
    assert game.hidden(0) == ["Keen Koi"]
    assert game.graveyard == game.wilderness == []


def test_crow_carrier_at_an_empty_graveyard_only_moves_the_markers() -> None:
    """R24, R30, R125"""
    game = given(markers(red=1, green=2), player(0, hand=["Crow Carrier"]), wilderness=["Keen Koi"])
    game.play("Crow Carrier")
    assert (game.red, game.green) == (1, 1)
    assert game.hidden(0) == []
    assert game.wilderness == ["Keen Koi"]


def test_crow_carrier_all_know_the_two_cards_and_one_knows_which_is_where() -> None:
    """P31: each was the visible top when it was lifted."""
    game = given(
        player(0, hand=["Crow Carrier"]),
        graveyard=["Bored Goblin", "Keen Koi", "Leery Lizard"],
        players=3,
    )
    game.play("Crow Carrier", "place Leery Lizard hidden")

    lifted = [
        "Crow Carrier: A's hand to A's open",
        "Leery Lizard: graveyard 3 to drawn",
        "Keen Koi: seen in graveyard 2",
        "Keen Koi: graveyard 2 to drawn",
        "Bored Goblin: seen in graveyard 1",
    ]
    assert perceived(game, 0) == [
        *lifted,
        "Leery Lizard: drawn to A's hidden",
        "Keen Koi: drawn to wilderness",
    ]
    for seat in (1, 2):
        assert perceived(game, seat) == [
            *lifted,
            "A chooses in secret",
            "?: drawn to A's hidden",
            "?: drawn to wilderness",
        ]


# ---- Insidious Impaler ------------------------------------------------------------------------


def test_insidious_impaler_performs_a_tavern_card_and_buries_it() -> None:
    """R54, R56, R126: its slot is empty from then on, until the tavern is refilled."""
    game = given(
        player(0, hand=["Insidious Impaler"]),
        player(1, open=["Ace Fighter"]),
        tavern=["Keen Koi", "Rotting Orangutan", "Leery Lizard"],
        graveyard=["Bored Goblin"],
    )

    game.choose("play Insidious Impaler")
    assert game.options() == [
        "perform Rotting Orangutan",
        "perform Leery Lizard",
        "perform Keen Koi",
    ]
    game.choose("perform Rotting Orangutan")
    assert game.tavern == ["Keen Koi", None, "Leery Lizard"]
    assert game.graveyard == ["Bored Goblin"]
    game.choose("red +2")

    assert (game.red, game.green) == (6, 4)
    assert game.tavern == ["Keen Koi", None, "Leery Lizard"]
    assert game.graveyard == ["Bored Goblin", "Rotting Orangutan"]
    assert game.open(0) == ["Insidious Impaler"]


def test_insidious_impaler_buries_the_card_also_if_its_ability_does_nothing() -> None:
    """R57, R126: the markers share a space, so Keen Koi has nothing to move."""
    game = given(player(0, hand=["Insidious Impaler"]), tavern=["Keen Koi"])
    game.play("Insidious Impaler", "perform Keen Koi")
    assert game.graveyard == ["Keen Koi"]
    assert (game.red, game.green) == (4, 4)


def test_insidious_impaler_at_an_empty_tavern_does_nothing() -> None:
    """R24, R126"""
    game = given(
        player(0, hand=["Insidious Impaler"], open=["Keen Koi"]), graveyard=["Ace Fighter"]
    )
    game.play("Insidious Impaler")
    assert game.graveyard == ["Ace Fighter"]
    assert game.open(0) == ["Insidious Impaler", "Keen Koi"]


def test_insidious_impaler_buries_in_the_open() -> None:
    """P14"""
    game = given(player(0, hand=["Insidious Impaler"]), tavern=[None, "Keen Koi"], players=3)
    game.play("Insidious Impaler", "perform Keen Koi")
    for seat in range(3):
        assert perceived(game, seat) == [
            "Insidious Impaler: A's hand to A's open",
            "Keen Koi: tavern 2 to aside",
            "Keen Koi: aside to graveyard",
        ]


# ---- Lethargic Leech --------------------------------------------------------------------------


def test_lethargic_leech_hides_a_hand_card() -> None:
    """R66, R105: compulsory, any hand card, as the newest."""
    game = given(
        player(0, hand=["Lethargic Leech", "Keen Koi", "Ace Fighter"], hidden=["Furious Frog"]),
        player(1, hand=["Leery Lizard"]),
    )

    game.choose("play Lethargic Leech")
    assert game.options() == ["red -1", "green -1"]
    game.choose("green -1")
    assert game.options() == ["place Ace Fighter hidden", "place Keen Koi hidden"]
    game.choose("place Ace Fighter hidden")

    assert (game.red, game.green) == (4, 3)
    assert game.hidden(0) == ["Furious Frog", "Ace Fighter"]
    assert game.hand(0) == ["Keen Koi"]
    assert game.hand(1) == ["Leery Lizard"]


def test_lethargic_leech_with_an_empty_hand_only_moves_a_marker() -> None:
    """R24, R32, R105: red cannot move, so green must."""
    game = given(markers(red=1, green=4), player(0, hand=["Lethargic Leech"]))
    game.choose("play Lethargic Leech")
    assert game.options() == ["green -1"]
    game.choose("green -1")
    assert (game.red, game.green) == (1, 3)
    assert game.hidden(0) == []
    assert game.options() == ["draw from the harbor"]


def test_lethargic_leech_keeps_the_hidden_card_from_the_others() -> None:
    """P9"""
    game = given(player(0, hand=["Lethargic Leech", "Keen Koi", "Ace Fighter"]), players=2)
    game.play("Lethargic Leech", "red -1", "place Keen Koi hidden")
    assert perceived(game, 0)[1:] == ["Keen Koi: A's hand to A's hidden"]
    assert perceived(game, 1)[1:] == ["A chooses in secret", "?: A's hand to A's hidden"]


# ---- Will-Bending Witch -----------------------------------------------------------------------


def test_will_bending_witch_makes_every_other_player_discard_in_turn_order() -> None:
    """R36, R37, R127: each chooses among the own cards; an empty hand is passed over."""
    game = given(
        player(0, hand=["Keen Koi", "Ace Fighter"]),
        player(1, hand=["Will-Bending Witch", "Bored Goblin"]),
        player(2, hand=["Furious Frog", "Leery Lizard", "Crow Carrier"]),
        player(3, open=["Grumpy Guard"]),
        wilderness=["Hairy Hermit"],
        turn=1,
    )

    game.choose("play Will-Bending Witch")
    assert (game.actor, game.options()) == (1, ["red +1", "green +1"])
    game.choose("red +1")
    assert (game.actor, game.options()) == (
        2,
        ["discard Crow Carrier", "discard Leery Lizard", "discard Furious Frog"],
    )
    game.choose("discard Leery Lizard")
    assert (game.actor, game.options()) == (0, ["discard Ace Fighter", "discard Keen Koi"])
    game.choose("discard Ace Fighter")

    assert game.actor == 1
    assert game.options() == ["draw from the harbor"]
    assert (game.red, game.green) == (5, 4)
    assert game.wilderness == ["Hairy Hermit", "Leery Lizard", "Ace Fighter"]
    assert game.hand(0) == ["Keen Koi"]
    assert game.hand(1) == ["Bored Goblin"]
    assert game.hand(2) == ["Crow Carrier", "Furious Frog"]
    assert game.hand(3) == []
    assert game.open(3) == ["Grumpy Guard"]


def test_will_bending_witch_among_empty_hands_only_moves_a_marker() -> None:
    """R24, R127"""
    game = given(player(0, hand=["Will-Bending Witch", "Keen Koi"]), players=3)
    game.play("Will-Bending Witch", "green +1")
    assert (game.red, game.green) == (4, 5)
    assert game.hand(0) == ["Keen Koi"]
    assert game.wilderness == []


def test_will_bending_witch_each_discard_is_known_to_the_discarder_alone() -> None:
    """P10: the performer does not see it either."""
    game = given(
        player(0, hand=["Will-Bending Witch"]),
        player(1, hand=["Keen Koi", "Ace Fighter"]),
        player(2, hand=["Furious Frog"]),
    )
    game.play("Will-Bending Witch", "red +1", "discard Keen Koi", "discard Furious Frog")

    from_b = ["B chooses in secret", "?: B's hand to wilderness"]
    from_c = ["C chooses in secret", "?: C's hand to wilderness"]
    assert perceived(game, 0)[1:] == from_b + from_c
    assert perceived(game, 1)[1:] == ["Keen Koi: B's hand to wilderness", *from_c]
    assert perceived(game, 2)[1:] == [*from_b, "Furious Frog: C's hand to wilderness"]


# ---- Resurrected Ram --------------------------------------------------------------------------


def test_resurrected_ram_restocks_the_tavern_from_the_graveyard() -> None:
    """R37, R128: out in slot order, in from the top, slot 1 first."""
    game = given(
        player(0, hand=["Resurrected Ram"]),
        tavern=["Keen Koi", None, "Ace Fighter"],
        graveyard=["Bored Goblin", "Furious Frog", "Leery Lizard", "Crow Carrier"],
        wilderness=["Grumpy Guard"],
    )

    game.choose("play Resurrected Ram")
    assert game.options() == ["red +1", "green +1"]
    game.choose("green +1")

    assert (game.red, game.green) == (4, 5)
    assert game.tavern == ["Crow Carrier", "Leery Lizard", "Furious Frog"]
    assert game.graveyard == ["Bored Goblin"]
    assert game.wilderness == ["Grumpy Guard", "Keen Koi", "Ace Fighter"]


def test_resurrected_ram_leaves_slots_empty_until_the_refill() -> None:
    """R128: the graveyard has one card for three slots."""
    game = given(
        player(0, hand=["Resurrected Ram", "Bored Goblin", "Grumpy Guard", "Hairy Hermit"]),
        tavern=["Keen Koi", "Ace Fighter", "Furious Frog"],
        graveyard=["Leery Lizard"],
        harbor=["Crow Carrier", "Aimless Eel", "Sun-Shy Skeleton"],
    )

    game.play("Resurrected Ram", "red +1")
    assert game.tavern == ["Leery Lizard", None, None]
    assert game.graveyard == []
    game.end_turn("draw from the harbor", draws("Aimless Eel"), "discard Aimless Eel")

    assert game.tavern[0] == "Leery Lizard"
    assert sorted(map(str, game.tavern[1:])) == ["Crow Carrier", "Sun-Shy Skeleton"]


def test_resurrected_ram_at_an_empty_graveyard_clears_the_tavern() -> None:
    """R24, R128"""
    game = given(player(0, hand=["Resurrected Ram"]), tavern=["Keen Koi", "Ace Fighter"])
    game.play("Resurrected Ram", "red +1")
    assert game.tavern == [None, None, None]
    assert game.wilderness == ["Keen Koi", "Ace Fighter"]


def test_resurrected_ram_fills_an_empty_tavern() -> None:
    """R24, R128: nothing to discard, the rest is done."""
    game = given(player(0, hand=["Resurrected Ram"]), graveyard=["Keen Koi", "Ace Fighter"])
    game.play("Resurrected Ram", "red +1")
    assert game.tavern == ["Ace Fighter", "Keen Koi", None]
    assert game.graveyard == game.wilderness == []


def test_resurrected_ram_works_in_the_open() -> None:
    """P11, P30"""
    game = given(
        player(0, hand=["Resurrected Ram"]),
        tavern=[None, "Keen Koi"],
        graveyard=["Bored Goblin", "Ace Fighter"],
    )
    game.play("Resurrected Ram", "red +1")
    for seat in (0, 1):
        assert perceived(game, seat)[1:] == [
            "Keen Koi: tavern 2 to wilderness",
            "Ace Fighter: graveyard 2 to tavern 1",
            "Bored Goblin: seen in graveyard 1",
            "Bored Goblin: graveyard 1 to tavern 2",
        ]


# ---- Mummy Mystic -----------------------------------------------------------------------------


def test_mummy_mystic_may_swap_an_own_open_hero_with_the_graveyard_top() -> None:
    """R42, R129: itself included; what arrives lies open, what leaves becomes the top."""
    game = given(
        player(0, hand=["Mummy Mystic"], open=["Keen Koi"], hidden=["Ace Fighter"]),
        player(1, open=["Bored Goblin"]),
        graveyard=["Furious Frog", "Underpaid Mercenary"],
    )

    game.choose("play Mummy Mystic")
    assert (game.red, game.green) == (5, 6)
    assert game.options() == ["exchange Mummy Mystic", "exchange Keen Koi", "pass"]
    game.choose("exchange Keen Koi")

    assert game.open(0) == ["Mummy Mystic", "Underpaid Mercenary"]
    assert game.graveyard == ["Furious Frog", "Keen Koi"]
    assert game.open(1) == ["Bored Goblin"]
    assert (game.red, game.green) == (5, 6)


def test_mummy_mystic_may_swap_itself() -> None:
    """R26, R129"""
    game = given(player(0, hand=["Mummy Mystic"]), graveyard=["Keen Koi"])
    game.play("Mummy Mystic", "exchange Mummy Mystic")
    assert game.open(0) == ["Keen Koi"]
    assert game.graveyard == ["Mummy Mystic"]


def test_mummy_mystic_may_decline() -> None:
    """R23, R129: the markers are compulsory all the same."""
    game = given(player(0, hand=["Mummy Mystic"]), graveyard=["Keen Koi"])
    game.play("Mummy Mystic", "pass")
    assert (game.red, game.green) == (5, 6)
    assert game.open(0) == ["Mummy Mystic"]
    assert game.graveyard == ["Keen Koi"]


def test_mummy_mystic_at_an_empty_graveyard_only_moves_the_markers() -> None:
    """R24, R42, R129"""
    game = given(markers(red=12, green=11), player(0, hand=["Mummy Mystic"], open=["Keen Koi"]))
    game.play("Mummy Mystic")
    assert (game.red, game.green) == (12, 12)
    assert game.open(0) == ["Keen Koi", "Mummy Mystic"]


# ---- Naughty Necromancer ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("graveyard", "steps"),
    [
        ([], 0),
        (["Keen Koi"], 1),
        (["Keen Koi", "Ace Fighter", "Emperor"], 3),
        (["Keen Koi", "Ace Fighter", "Emperor", "Furious Frog", "Bored Goblin"], 3),
    ],
)
def test_naughty_necromancer_counts_the_graveyard(graveyard: list[str], steps: int) -> None:
    """R35, R130: three at most; the Emperor is one card."""
    game = given(
        markers(red=4, green=10), player(0, hand=["Naughty Necromancer"]), graveyard=graveyard
    )
    game.play("Naughty Necromancer")
    assert (game.red, game.green) == (4 + steps, min(12, 10 + steps))
    assert len(game.graveyard) == len(graveyard)


# ---- Sun-Shy Skeleton -------------------------------------------------------------------------


def test_sun_shy_skeleton_performs_the_top_graveyard_card_where_it_lies() -> None:
    """R54, R55, R64, R131: there is nothing to pick."""
    game = given(
        player(0, hand=["Sun-Shy Skeleton"]),
        graveyard=["Keen Koi", "Rotting Orangutan"],
    )

    game.choose("play Sun-Shy Skeleton")
    assert game.options() == ["red +2", "green +2"]
    game.choose("red +2")

    assert (game.red, game.green) == (6, 4)
    assert game.graveyard == ["Keen Koi", "Rotting Orangutan"]
    assert game.open(0) == ["Sun-Shy Skeleton"]


def test_sun_shy_skeleton_at_an_empty_graveyard_does_nothing() -> None:
    """R24, R131"""
    game = given(player(0, hand=["Sun-Shy Skeleton"], open=["Rotting Orangutan"]))
    game.play("Sun-Shy Skeleton")
    assert (game.red, game.green) == (4, 4)
    assert game.open(0) == ["Rotting Orangutan", "Sun-Shy Skeleton"]


# ---- Wrapped Warrior --------------------------------------------------------------------------


def test_wrapped_warrior_takes_any_graveyard_card() -> None:
    """R45, R132: compulsory, and the rest keeps its order."""
    game = given(
        player(0, hand=["Wrapped Warrior", "Crow Carrier"]),
        graveyard=["Bored Goblin", "Keen Koi", "Ace Fighter"],
    )

    game.choose("play Wrapped Warrior")
    assert game.options() == ["red +1", "green +1"]
    game.choose("red +1")
    assert game.options() == ["take Bored Goblin", "take Ace Fighter", "take Keen Koi"]
    game.choose("take Keen Koi")

    assert (game.red, game.green) == (5, 4)
    assert game.hand(0) == ["Crow Carrier", "Keen Koi"]
    assert game.graveyard == ["Bored Goblin", "Ace Fighter"]


def test_wrapped_warrior_at_an_empty_graveyard_only_moves_a_marker() -> None:
    """R24, R132"""
    game = given(player(0, hand=["Wrapped Warrior"]), tavern=["Keen Koi"])
    game.play("Wrapped Warrior", "green +1")
    assert (game.red, game.green) == (4, 5)
    assert game.hand(0) == []


def test_wrapped_warrior_taking_the_top_is_seen_by_all() -> None:
    """P32, R93: the card that lay on top is gone, and the one below it lies there now."""
    game = given(
        player(0, hand=["Wrapped Warrior"]), graveyard=["Bored Goblin", "Keen Koi"], players=3
    )
    game.play("Wrapped Warrior", "red +1", "take Keen Koi")

    taken = ["Keen Koi: graveyard 2 to A's hand", "Bored Goblin: seen in graveyard 1"]
    assert perceived(game, 0)[1:] == [
        "Bored Goblin: seen in graveyard 1",
        "Keen Koi: seen in graveyard 2",
        *taken,
    ]
    for seat in (1, 2):
        assert perceived(game, seat)[1:] == ["A chooses in secret", *taken]


def test_wrapped_warrior_taking_from_below_the_top_is_his_secret() -> None:
    """P32, R93: the others see neither the card nor its place, and no new top."""
    game = given(
        player(0, hand=["Wrapped Warrior"]),
        graveyard=["Bored Goblin", "Keen Koi", "Ace Fighter"],
        players=3,
    )
    game.play("Wrapped Warrior", "red +1", "take Keen Koi")

    assert perceived(game, 0)[1:] == [
        "Bored Goblin: seen in graveyard 1",
        "Keen Koi: seen in graveyard 2",
        "Ace Fighter: seen in graveyard 3",
        "Keen Koi: graveyard 2 to A's hand",
    ]
    for seat in (1, 2):
        assert perceived(game, seat)[1:] == ["A chooses in secret", "?: graveyard to A's hand"]


# ---- Slaughtered Slime ------------------------------------------------------------------------


def test_slaughtered_slime_buries_a_hidden_hero_of_any_party() -> None:
    """R66, R133: later hidden heroes move down; the performer did not know the card."""
    game = given(
        player(0, hand=["Slaughtered Slime"], open=["Ace Fighter"], hidden=["Keen Koi"]),
        player(1, open=["Grumpy Guard"], hidden=["Furious Frog", "Bored Goblin", "Hairy Hermit"]),
    )

    game.choose("play Slaughtered Slime")
    assert game.options() == ["red -1", "green -1"]
    game.choose("red -1")
    assert game.options() == [
        "bury A's hidden 1",
        "bury B's hidden 1",
        "bury B's hidden 2",
        "bury B's hidden 3",
    ]
    game.choose("bury B's hidden 2")

    assert (game.red, game.green) == (3, 4)
    assert game.graveyard == ["Bored Goblin"]
    assert game.hidden(0) == ["Keen Koi"]
    assert game.hidden(1) == ["Furious Frog", "Hairy Hermit"]
    assert game.open(1) == ["Grumpy Guard"]


def test_slaughtered_slime_must_bury_the_own_hidden_hero_if_it_is_the_only_one() -> None:
    """R25, R133"""
    game = given(player(0, hand=["Slaughtered Slime"], hidden=["Keen Koi"]))
    game.choose("play Slaughtered Slime", "green -1")
    assert game.options() == ["bury A's hidden 1"]
    game.choose("bury A's hidden 1")
    assert game.graveyard == ["Keen Koi"]
    assert game.hidden(0) == []


def test_slaughtered_slime_without_hidden_heroes_only_moves_a_marker() -> None:
    """R24, R133"""
    game = given(player(0, hand=["Slaughtered Slime"]), player(1, open=["Keen Koi"]))
    game.play("Slaughtered Slime", "green -1")
    assert (game.red, game.green) == (4, 3)
    assert game.graveyard == []


def test_slaughtered_slime_shows_the_buried_hero_to_all() -> None:
    """P13, R40: nobody looks before choosing."""
    game = given(
        player(0, hand=["Slaughtered Slime"]),
        player(1, hidden=["Keen Koi", "Ace Fighter"]),
        players=3,
    )
    game.play("Slaughtered Slime", "red -1", "bury B's hidden 1")
    for seat in range(3):
        assert perceived(game, seat)[1:] == ["Keen Koi: B's hidden 1 to graveyard"]


# ---- Careless Cartographer --------------------------------------------------------------------


def test_careless_cartographer_swaps_a_foreign_hidden_hero_with_an_own_one() -> None:
    """R42, R145: each card takes the other's index, and both choices are the performer's."""
    game = given(
        player(0, hand=["Careless Cartographer"], hidden=["Keen Koi", "Ace Fighter"]),
        player(1, hidden=["Furious Frog"], open=["Grumpy Guard"]),
        player(2, hidden=["Bored Goblin", "Hairy Hermit", "Leery Lizard"]),
    )

    game.choose("play Careless Cartographer")
    assert game.options() == ["red +1", "green +1", "red +1, green +1"]
    game.choose("red +1, green +1")
    assert game.options() == [
        "exchange B's hidden 1",
        "exchange C's hidden 1",
        "exchange C's hidden 2",
        "exchange C's hidden 3",
    ]
    game.choose("exchange C's hidden 2")
    assert (game.actor, game.options()) == (0, ["for A's hidden 1", "for A's hidden 2"])
    game.choose("for A's hidden 1")

    assert (game.red, game.green) == (5, 5)
    assert game.hidden(0) == ["Hairy Hermit", "Ace Fighter"]
    assert game.hidden(1) == ["Furious Frog"]
    assert game.hidden(2) == ["Bored Goblin", "Keen Koi", "Leery Lizard"]
    assert game.open(0) == ["Careless Cartographer"]


@pytest.mark.parametrize(("own", "foreign"), [([], ["Keen Koi"]), (["Keen Koi"], [])])
def test_careless_cartographer_needs_both_hidden_heroes(own: list[str], foreign: list[str]) -> None:
    """R24, R42, R145"""
    game = given(
        player(0, hand=["Careless Cartographer"], hidden=own, open=["Ace Fighter"]),
        player(1, hidden=foreign, open=["Furious Frog"]),
    )
    game.play("Careless Cartographer", "green +1")
    assert (game.red, game.green) == (4, 5)
    assert (game.hidden(0), game.hidden(1)) == (own, foreign)


def test_careless_cartographer_both_owners_see_both_cards() -> None:
    """P22: the others only see which places were swapped; nothing is seen before the choice."""
    game = given(
        player(0, hand=["Careless Cartographer"], hidden=["Keen Koi"]),
        player(1, hidden=["Furious Frog", "Ace Fighter"]),
        players=3,
    )
    game.choose("play Careless Cartographer", "red +1", "exchange B's hidden 2")
    for seat in range(3):
        assert perceived(game, seat)[1:] == []
    game.choose("for A's hidden 1")

    for seat in (0, 1):
        assert perceived(game, seat) == [
            "Keen Koi: A's hidden 1 to aside",
            "Ace Fighter: B's hidden 2 to A's hidden 1",
            "Keen Koi: aside to B's hidden 2",
        ]
    assert perceived(game, 2) == [
        "?: A's hidden 1 to aside",
        "?: B's hidden 2 to A's hidden 1",
        "?: aside to B's hidden 2",
    ]


def test_mummy_mystic_keeps_the_card_below_the_top_covered() -> None:
    """R93, P21: after Wrapped Warrior it would tell more than an exchange of two cards may."""
    game = given(player(0, hand=["Mummy Mystic"]), graveyard=["Ace Fighter", "Keen Koi"], players=3)

    game.play("Mummy Mystic", "exchange Mummy Mystic")

    assert game.graveyard == ["Ace Fighter", "Mummy Mystic"]
    assert not any("Ace Fighter" in line for seat in range(3) for line in perceived(game, seat))
