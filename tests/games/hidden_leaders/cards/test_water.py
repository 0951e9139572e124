"""The nineteen Water heroes, in the order of `cards.HEROES`."""

from __future__ import annotations

import pytest

from games.state import CHANCE
from tests.support.perceived import perceived
from tests.support.scenario import draws, given, markers, player

# ---- Pessimistic Whaleman ---------------------------------------------------------------------


def test_pessimistic_whaleman_hides_one_of_two_harbor_cards_and_discards_the_other() -> None:
    """R66, R134: only the two cards drawn are offered."""
    game = given(
        player(0, hand=["Pessimistic Whaleman", "Ace Fighter"], hidden=["Bored Goblin"]),
        wilderness=["Grumpy Guard"],
    )

    game.choose("play Pessimistic Whaleman")
    assert game.options() == ["red +1", "green +1"]
    game.choose("red +1")
    assert game.actor == CHANCE
    game.choose(draws("Keen Koi", "Leery Lizard"))
    assert game.options() == ["place Leery Lizard hidden", "place Keen Koi hidden"]
    game.choose("place Leery Lizard hidden")

    assert (game.red, game.green) == (5, 4)
    assert game.hidden(0) == ["Bored Goblin", "Leery Lizard"]
    assert game.wilderness == ["Grumpy Guard", "Keen Koi"]
    assert game.hand(0) == ["Ace Fighter"]
    assert len(game.harbor) == 77 - 6


def test_pessimistic_whaleman_reshuffles_between_the_two_draws() -> None:
    """R16, R134: the discarded card goes to the new, empty wilderness."""
    game = given(
        player(0, hand=["Pessimistic Whaleman"]),
        harbor=["Keen Koi"],
        wilderness=["Leery Lizard", "Furious Frog"],
    )

    game.choose("play Pessimistic Whaleman", "red +1")
    assert game.options() == ["harbor: Keen Koi"]
    game.choose(draws("Keen Koi"))
    assert game.options() == ["harbor: Leery Lizard", "harbor: Furious Frog"]
    assert game.wilderness == []
    game.choose(draws("Furious Frog"), "place Furious Frog hidden")

    assert game.hidden(0) == ["Furious Frog"]
    assert game.wilderness == ["Keen Koi"]
    assert game.harbor == ["Leery Lizard"]


def test_pessimistic_whaleman_hides_the_only_card_to_be_had() -> None:
    """R24, R134"""
    game = given(player(0, hand=["Pessimistic Whaleman"]), harbor=["Keen Koi"])
    game.play("Pessimistic Whaleman", "red +1", draws("Keen Koi"), "place Keen Koi hidden")
    assert game.hidden(0) == ["Keen Koi"]
    assert game.wilderness == game.harbor == []


def test_pessimistic_whaleman_without_any_card_only_moves_a_marker() -> None:
    """R17, R24, R134"""
    game = given(player(0, hand=["Pessimistic Whaleman"]), harbor=[], tavern=["Keen Koi"])
    game.play("Pessimistic Whaleman", "green +1")
    assert (game.red, game.green) == (4, 5)
    assert game.hidden(0) == []
    assert game.tavern == ["Keen Koi", None, None]


def test_pessimistic_whaleman_alone_sees_what_he_drew() -> None:
    """P34"""
    game = given(player(0, hand=["Pessimistic Whaleman"]), players=3)
    drawn = draws("Keen Koi", "Leery Lizard")
    game.play("Pessimistic Whaleman", "red +1", drawn, "place Keen Koi hidden")

    assert perceived(game, 0)[1:] == [
        "Keen Koi: harbor to drawn",
        "Leery Lizard: harbor to drawn",
        "Keen Koi: drawn to A's hidden",
        "Leery Lizard: drawn to wilderness",
    ]
    for seat in (1, 2):
        assert perceived(game, seat)[1:] == [
            "?: harbor to drawn",
            "?: harbor to drawn",
            "A chooses in secret",
            "?: drawn to A's hidden",
            "?: drawn to wilderness",
        ]


# ---- Tentacle Oracle --------------------------------------------------------------------------


def test_tentacle_oracle_moves_both_markers_back_unless_the_card_shown_is_undead() -> None:
    """R30, R49, R135: the card stays on top; only the top is shown."""
    game = given(
        markers(red=6, green=2),
        player(0, hand=["Tentacle Oracle"]),
        wilderness=["Crow Carrier", "Keen Koi"],
    )
    game.play("Tentacle Oracle")
    assert (game.red, game.green) == (3, 1)
    assert game.wilderness == ["Crow Carrier", "Keen Koi"]


def test_tentacle_oracle_showing_undead_moves_nothing() -> None:
    """R135"""
    game = given(
        markers(red=6, green=6),
        player(0, hand=["Tentacle Oracle"]),
        wilderness=["Keen Koi", "Crow Carrier"],
    )
    game.play("Tentacle Oracle")
    assert (game.red, game.green) == (6, 6)
    assert game.wilderness == ["Keen Koi", "Crow Carrier"]


def test_tentacle_oracle_at_an_empty_wilderness_does_nothing() -> None:
    """R24, R135: with no card shown there is none that is not Undead."""
    game = given(markers(red=6, green=6), player(0, hand=["Tentacle Oracle"]))
    game.play("Tentacle Oracle")
    assert (game.red, game.green) == (6, 6)
    assert len(game.harbor) == 76


def test_tentacle_oracle_shows_the_card_to_all() -> None:
    """P26"""
    game = given(
        player(0, hand=["Tentacle Oracle"]), wilderness=["Crow Carrier", "Keen Koi"], players=3
    )
    game.play("Tentacle Oracle")
    for seat in range(3):
        assert perceived(game, seat)[1:] == ["Keen Koi: seen in wilderness 2"]


# ---- Drowned Deserter -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("red", "green", "offered", "text", "result"),
    [
        (6, 4, ["red -1", "green +2"], "red -1", (5, 4)),
        (6, 4, ["red -1", "green +2"], "green +2", (6, 6)),
        (3, 8, ["green -1", "red +2"], "green -1", (3, 7)),
        (3, 8, ["green -1", "red +2"], "red +2", (5, 8)),
        (12, 11, ["red -1", "green +2"], "green +2", (12, 12)),
    ],
)
def test_drowned_deserter_pulls_the_leading_or_pushes_the_trailing_marker(
    red: int, green: int, offered: list[str], text: str, result: tuple[int, int]
) -> None:
    """R30, R33, R136"""
    game = given(markers(red, green), player(0, hand=["Drowned Deserter"]))
    game.choose("play Drowned Deserter")
    assert game.options() == offered
    game.choose(text)
    assert (game.red, game.green) == result
    assert game.options() == ["draw from the harbor"]


def test_drowned_deserter_needs_a_leading_marker() -> None:
    """R33, R136"""
    game = given(markers(red=7, green=7), player(0, hand=["Drowned Deserter"]))
    game.play("Drowned Deserter")
    assert (game.red, game.green) == (7, 7)


# ---- Deep Sea Squire --------------------------------------------------------------------------


def test_deep_sea_squire_hides_one_of_two_harbor_cards_and_keeps_the_other() -> None:
    """R52, R66, R134: the hand itself is not offered."""
    game = given(player(0, hand=["Deep Sea Squire", "Ace Fighter"], hidden=["Bored Goblin"]))

    game.choose("play Deep Sea Squire")
    assert game.options() == ["red +1", "green +1"]
    game.choose("green +1", draws("Keen Koi", "Leery Lizard"))
    assert game.options() == ["place Leery Lizard hidden", "place Keen Koi hidden"]
    game.choose("place Keen Koi hidden")

    assert (game.red, game.green) == (4, 5)
    assert game.hidden(0) == ["Bored Goblin", "Keen Koi"]
    assert game.hand(0) == ["Ace Fighter", "Leery Lizard"]
    assert game.wilderness == []


def test_deep_sea_squire_reshuffles_when_the_harbor_is_empty() -> None:
    """R16, R134"""
    game = given(
        player(0, hand=["Deep Sea Squire"]), harbor=[], wilderness=["Leery Lizard", "Furious Frog"]
    )
    drawn = draws("Leery Lizard", "Furious Frog")
    game.play("Deep Sea Squire", "red +1", drawn, "place Leery Lizard hidden")
    assert game.hidden(0) == ["Leery Lizard"]
    assert game.hand(0) == ["Furious Frog"]
    assert game.wilderness == game.harbor == []


def test_deep_sea_squire_hides_the_only_card_to_be_had() -> None:
    """R24, R134: hidden comes before kept."""
    game = given(player(0, hand=["Deep Sea Squire"]), harbor=["Keen Koi"])
    game.play("Deep Sea Squire", "red +1", draws("Keen Koi"), "place Keen Koi hidden")
    assert game.hidden(0) == ["Keen Koi"]
    assert game.hand(0) == []


def test_deep_sea_squire_without_any_card_only_moves_a_marker() -> None:
    """R17, R24, R134"""
    game = given(player(0, hand=["Deep Sea Squire"]), harbor=[])
    game.play("Deep Sea Squire", "red +1")
    assert (game.red, game.green) == (5, 4)
    assert game.hidden(0) == game.hand(0) == []


def test_deep_sea_squire_alone_sees_what_he_drew() -> None:
    """P35"""
    game = given(player(0, hand=["Deep Sea Squire"]), players=3)
    drawn = draws("Keen Koi", "Leery Lizard")
    game.play("Deep Sea Squire", "red +1", drawn, "place Keen Koi hidden")

    assert perceived(game, 0)[1:] == [
        "Keen Koi: harbor to drawn",
        "Leery Lizard: harbor to drawn",
        "Keen Koi: drawn to A's hidden",
        "Leery Lizard: drawn to A's hand",
    ]
    for seat in (1, 2):
        assert perceived(game, seat)[1:] == [
            "?: harbor to drawn",
            "?: harbor to drawn",
            "A chooses in secret",
            "?: drawn to A's hidden",
            "?: drawn to A's hand",
        ]


# ---- Vegetarian Sharkguard --------------------------------------------------------------------


def test_vegetarian_sharkguard_discards_a_foreign_open_hero() -> None:
    """R41, R137: compulsory; neither own nor hidden heroes are offered."""
    game = given(
        player(0, hand=["Vegetarian Sharkguard"], open=["Ace Fighter"]),
        player(1, open=["Keen Koi"], hidden=["Furious Frog"]),
        player(2, open=["Bored Goblin"]),
        wilderness=["Leery Lizard"],
    )

    game.choose("play Vegetarian Sharkguard")
    assert game.options() == ["red +2", "green +2", "red +2, green +2"]
    game.choose("red +2, green +2")
    assert game.options() == ["discard Bored Goblin", "discard Keen Koi"]
    game.choose("discard Keen Koi")

    assert (game.red, game.green) == (6, 6)
    assert game.wilderness == ["Leery Lizard", "Keen Koi"]
    assert game.open(0) == ["Ace Fighter", "Vegetarian Sharkguard"]
    assert game.open(1) == []
    assert game.open(2) == ["Bored Goblin"]
    assert game.graveyard == []


def test_vegetarian_sharkguard_without_foreign_open_heroes_only_moves_markers() -> None:
    """R24, R137: own open heroes are safe."""
    game = given(
        player(0, hand=["Vegetarian Sharkguard"], open=["Ace Fighter"]),
        player(1, hidden=["Keen Koi"]),
    )
    game.play("Vegetarian Sharkguard", "green +2")
    assert (game.red, game.green) == (4, 6)
    assert game.open(0) == ["Ace Fighter", "Vegetarian Sharkguard"]
    assert game.wilderness == []


def test_vegetarian_sharkguard_all_know_what_lies_on_the_wilderness() -> None:
    """P12"""
    game = given(player(0, hand=["Vegetarian Sharkguard"]), player(1, open=["Keen Koi"]), players=3)
    game.play("Vegetarian Sharkguard", "red +2", "discard Keen Koi")
    for seat in range(3):
        assert perceived(game, seat)[1:] == ["Keen Koi: B's open to wilderness"]


# ---- Double-Shielded Turtle -------------------------------------------------------------------


def test_double_shielded_turtle_discards_the_named_faction_and_counts_it() -> None:
    """R31, R37, R51, R138: the Emperor goes with any faction; slots empty in order."""
    game = given(
        markers(red=9, green=2),
        player(0, hand=["Double-Shielded Turtle"]),
        tavern=["Keen Koi", "Emperor", "Leery Lizard"],
        wilderness=["Ace Fighter"],
    )

    game.choose("play Double-Shielded Turtle")
    assert game.options() == ["name Undead", "name Water", "name Empire", "name Tribes"]
    game.choose("name Water")
    assert game.tavern == [None, None, None]
    assert game.wilderness == ["Ace Fighter", "Keen Koi", "Buried Emperor", "Leery Lizard"]
    assert game.options() == ["red -3", "green -3", "red -3, green -3"]
    game.choose("red -3, green -3")

    assert (game.red, game.green) == (6, 1)


def test_double_shielded_turtle_leaves_other_factions_in_their_slots() -> None:
    """R138"""
    game = given(
        player(0, hand=["Double-Shielded Turtle"]),
        tavern=["Keen Koi", "Crow Carrier", "Ace Fighter"],
    )
    game.play("Double-Shielded Turtle", "name Undead", "green -1")
    assert game.tavern == ["Keen Koi", None, "Ace Fighter"]
    assert game.wilderness == ["Crow Carrier"]
    assert (game.red, game.green) == (4, 3)


def test_double_shielded_turtle_offers_only_what_moves() -> None:
    """R32"""
    game = given(
        markers(red=1, green=4),
        player(0, hand=["Double-Shielded Turtle"]),
        tavern=["Keen Koi"],
    )
    game.choose("play Double-Shielded Turtle", "name Water")
    assert game.options() == ["green -1"]


def test_double_shielded_turtle_naming_an_absent_faction_moves_nothing() -> None:
    """R24, R138: X is 0."""
    game = given(player(0, hand=["Double-Shielded Turtle"]), tavern=["Keen Koi"])
    game.play("Double-Shielded Turtle", "name Tribes")
    assert game.tavern == ["Keen Koi", None, None]
    assert game.wilderness == []
    assert (game.red, game.green) == (4, 4)


def test_double_shielded_turtle_at_an_empty_tavern_asks_nothing() -> None:
    """R24, R138"""
    game = given(player(0, hand=["Double-Shielded Turtle"]))
    game.play("Double-Shielded Turtle")
    assert (game.red, game.green) == (4, 4)
    assert game.open(0) == ["Double-Shielded Turtle"]


# ---- heroes with markers only -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "offered", "text", "result"),
    [
        ("Leery Lizard", ["red -1", "green -2"], "red -1", (5, 6)),
        ("Leery Lizard", ["red -1", "green -2"], "green -2", (6, 4)),
        ("Furious Frog", ["red -2", "green -2", "red -2, green -2"], "red -2", (4, 6)),
        ("Furious Frog", ["red -2", "green -2", "red -2, green -2"], "green -2", (6, 4)),
        ("Furious Frog", ["red -2", "green -2", "red -2, green -2"], "red -2, green -2", (4, 4)),
        ("Apathetic Waterpriest", ["red -2", "green -1"], "red -2", (4, 6)),
        ("Apathetic Waterpriest", ["red -2", "green -1"], "green -1", (6, 5)),
    ],
)
def test_leery_lizard_furious_frog_and_apathetic_waterpriest_only_move_markers(
    hero: str, offered: list[str], text: str, result: tuple[int, int]
) -> None:
    """R31, R147"""
    game = given(markers(red=6, green=6), player(0, hand=[hero]), player(1, open=["Ace Fighter"]))
    game.choose(f"play {hero}")
    assert game.options() == offered
    game.choose(text)
    assert (game.red, game.green) == result
    assert game.open(0) == [hero]
    assert game.open(1) == ["Ace Fighter"]
    assert game.options() == ["draw from the harbor"]


@pytest.mark.parametrize(
    ("hero", "red", "green", "text"),
    [
        ("Leery Lizard", 1, 2, "green -2"),
        ("Leery Lizard", 2, 1, "red -1"),
        ("Furious Frog", 1, 2, "green -2"),
        ("Furious Frog", 2, 1, "red -2"),
        ("Apathetic Waterpriest", 1, 2, "green -1"),
        ("Apathetic Waterpriest", 2, 1, "red -2"),
    ],
)
def test_leery_lizard_furious_frog_and_apathetic_waterpriest_must_move_what_can_move(
    hero: str, red: int, green: int, text: str
) -> None:
    """R30, R32: one marker stands on the first space, the other stops there."""
    game = given(markers(red, green), player(0, hand=[hero]))
    game.choose(f"play {hero}")
    assert game.options() == [text]
    game.choose(text)
    assert (game.red, game.green) == (1, 1)


@pytest.mark.parametrize("hero", ["Leery Lizard", "Furious Frog", "Apathetic Waterpriest"])
def test_leery_lizard_furious_frog_and_apathetic_waterpriest_at_the_start_do_nothing(
    hero: str,
) -> None:
    """R32"""
    game = given(markers(red=1, green=1), player(0, hand=[hero]))
    game.play(hero)
    assert (game.red, game.green) == (1, 1)


# ---- Hopeful Salamander -----------------------------------------------------------------------


def test_hopeful_salamander_adds_a_tavern_card_open_without_resolving_it() -> None:
    """R43, R139"""
    game = given(
        player(0, hand=["Hopeful Salamander"]),
        player(1, open=["Ace Fighter"]),
        tavern=["Keen Koi", None, "Underpaid Mercenary"],
    )

    game.choose("play Hopeful Salamander")
    assert (game.red, game.green) == (5, 5)
    assert game.options() == ["place Underpaid Mercenary open", "place Keen Koi open"]
    game.choose("place Underpaid Mercenary open")

    assert game.open(0) == ["Hopeful Salamander", "Underpaid Mercenary"]
    assert game.tavern == ["Keen Koi", None, None]
    assert (game.red, game.green) == (5, 5)
    assert game.options() == ["draw Keen Koi", "draw from the harbor"]


def test_hopeful_salamander_at_an_empty_tavern_only_moves_the_markers() -> None:
    """R24, R139"""
    game = given(markers(red=12, green=6), player(0, hand=["Hopeful Salamander"]))
    game.play("Hopeful Salamander")
    assert (game.red, game.green) == (12, 7)
    assert game.open(0) == ["Hopeful Salamander"]


def test_hopeful_salamander_places_in_the_open() -> None:
    """P36"""
    game = given(player(0, hand=["Hopeful Salamander"]), tavern=["Keen Koi"], players=3)
    game.play("Hopeful Salamander", "place Keen Koi open")
    for seat in range(3):
        assert perceived(game, seat)[1:] == ["Keen Koi: tavern 1 to A's open"]


# ---- Keen Koi ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("red", "green", "result"),
    [(7, 4, (6, 5)), (3, 9, (4, 8)), (5, 4, (4, 5)), (12, 11, (11, 12)), (1, 2, (2, 1))],
)
def test_keen_koi_pulls_the_leading_and_pushes_the_trailing_marker(
    red: int, green: int, result: tuple[int, int]
) -> None:
    """R33, R34, R136: who leads is settled before either moves, so neighbours change places."""
    game = given(markers(red, green), player(0, hand=["Keen Koi"]))
    game.play("Keen Koi")
    assert (game.red, game.green) == result


def test_keen_koi_needs_a_leading_marker() -> None:
    """R33, R136"""
    game = given(markers(red=5, green=5), player(0, hand=["Keen Koi"]))
    game.play("Keen Koi")
    assert (game.red, game.green) == (5, 5)


# ---- Triple Sword Lizard ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("red", "green", "offered", "text", "result"),
    [
        (6, 4, ["red -1", "red -2"], "red -1", (5, 4)),
        (6, 4, ["red -1", "red -2"], "red -2", (4, 4)),
        (6, 8, ["green -1", "green -2"], "green -2", (6, 6)),
        (6, 7, ["green -1", "green -2"], "green -2", (6, 5)),
    ],
)
def test_triple_sword_lizard_pulls_the_leading_marker_one_or_two_spaces(
    red: int, green: int, offered: list[str], text: str, result: tuple[int, int]
) -> None:
    """R33, R136"""
    game = given(markers(red, green), player(0, hand=["Triple Sword Lizard"]))
    game.choose("play Triple Sword Lizard")
    assert game.options() == offered
    game.choose(text)
    assert (game.red, game.green) == result


def test_triple_sword_lizard_counts_alternatives_with_one_outcome_as_one() -> None:
    """R30, R32: from space 2 both amounts end on space 1."""
    game = given(markers(red=2, green=1), player(0, hand=["Triple Sword Lizard"]))
    game.choose("play Triple Sword Lizard")
    assert len(game.options()) == 1
    game.choose(game.options()[0])
    assert (game.red, game.green) == (1, 1)


def test_triple_sword_lizard_needs_a_leading_marker() -> None:
    """R33, R136"""
    game = given(markers(red=6, green=6), player(0, hand=["Triple Sword Lizard"]))
    game.play("Triple Sword Lizard")
    assert (game.red, game.green) == (6, 6)


# ---- Saltwater Sage ---------------------------------------------------------------------------


def test_saltwater_sage_turns_an_own_hidden_hero_up_and_performs_it() -> None:
    """R54, R66, R140: the others' hidden heroes are not offered; the hero stays, open."""
    game = given(
        player(
            0,
            hand=["Saltwater Sage"],
            open=["Ace Fighter"],
            hidden=["Keen Koi", "Rotting Orangutan", "Bored Goblin"],
        ),
        player(1, hidden=["Furious Frog"]),
    )

    game.choose("play Saltwater Sage")
    assert game.options() == [f"turn over A's hidden {number}" for number in (1, 2, 3)]
    game.choose("turn over A's hidden 2")
    assert game.options() == ["red +2", "green +2"]
    game.choose("green +2")

    assert (game.red, game.green) == (4, 6)
    assert game.open(0) == ["Ace Fighter", "Rotting Orangutan", "Saltwater Sage"]
    assert game.hidden(0) == ["Keen Koi", "Bored Goblin"]
    assert game.hidden(1) == ["Furious Frog"]


def test_saltwater_sage_without_hidden_heroes_does_nothing() -> None:
    """R24, R140"""
    game = given(
        player(0, hand=["Saltwater Sage"], open=["Rotting Orangutan"]),
        player(1, hidden=["Furious Frog"]),
    )
    game.play("Saltwater Sage")
    assert (game.red, game.green) == (4, 4)
    assert game.open(0) == ["Rotting Orangutan", "Saltwater Sage"]
    assert game.hidden(1) == ["Furious Frog"]


def test_saltwater_sage_shows_the_hero_to_all() -> None:
    """P16"""
    game = given(player(0, hand=["Saltwater Sage"], hidden=["Ace Fighter", "Keen Koi"]), players=3)
    game.play("Saltwater Sage", "turn over A's hidden 2")
    for seat in range(3):
        assert perceived(game, seat)[1:] == ["Keen Koi: A's hidden 2 to A's open"]


# ---- Miniature Merman -------------------------------------------------------------------------


def test_miniature_merman_draws_two_cards_from_the_pile_he_chooses() -> None:
    """R44, R141: both from the same pile, from the top."""
    game = given(
        player(0, hand=["Miniature Merman"]),
        wilderness=["Keen Koi", "Ace Fighter", "Bored Goblin"],
        graveyard=["Furious Frog", "Leery Lizard"],
    )

    game.choose("play Miniature Merman")
    assert game.options() == ["red -1", "green +1"]
    game.choose("green +1")
    assert game.options() == ["draw from the wilderness", "draw from the graveyard"]
    game.choose("draw from the wilderness")

    assert (game.red, game.green) == (4, 5)
    assert game.hand(0) == ["Ace Fighter", "Bored Goblin"]
    assert game.wilderness == ["Keen Koi"]
    assert game.graveyard == ["Furious Frog", "Leery Lizard"]


def test_miniature_merman_draws_what_there_is() -> None:
    """R24, R44, R141: one card, no reshuffle, and an empty pile is not offered."""
    game = given(player(0, hand=["Miniature Merman"]), graveyard=["Keen Koi"])
    game.choose("play Miniature Merman", "red -1")
    assert game.options() == ["draw from the graveyard"]
    game.choose("draw from the graveyard")
    assert (game.red, game.green) == (3, 4)
    assert game.hand(0) == ["Keen Koi"]
    assert game.graveyard == []


def test_miniature_merman_does_not_offer_an_empty_graveyard() -> None:
    """R141"""
    game = given(player(0, hand=["Miniature Merman"]), wilderness=["Keen Koi"])
    game.choose("play Miniature Merman", "red -1")
    assert game.options() == ["draw from the wilderness"]


def test_miniature_merman_at_two_empty_piles_only_moves_a_marker() -> None:
    """R24, R141"""
    game = given(markers(red=1, green=4), player(0, hand=["Miniature Merman"]))
    game.play("Miniature Merman", "green +1")
    assert (game.red, game.green) == (1, 5)
    assert game.hand(0) == []


def test_miniature_merman_can_fill_the_hand_so_that_nothing_is_drawn() -> None:
    """R13: four in hand before step 2, so the next question is what to discard."""
    game = given(
        player(0, hand=["Miniature Merman", "Keen Koi", "Ace Fighter"]),
        graveyard=["Furious Frog", "Leery Lizard"],
        tavern=["Bored Goblin"],
    )
    game.play("Miniature Merman", "red -1", "draw from the graveyard")
    assert game.hand(0) == ["Ace Fighter", "Furious Frog", "Keen Koi", "Leery Lizard"]
    assert game.options() == [
        "discard Ace Fighter",
        "discard Leery Lizard",
        "discard Furious Frog",
        "discard Keen Koi",
    ]


def test_miniature_merman_alone_sees_what_he_draws_from_the_wilderness() -> None:
    """P28: the others see from which place it came, so that what they know follows the card."""
    game = given(
        player(0, hand=["Miniature Merman"]), wilderness=["Keen Koi", "Ace Fighter"], players=3
    )
    game.play("Miniature Merman", "red -1", "draw from the wilderness")
    assert perceived(game, 0)[1:] == [
        "Ace Fighter: wilderness 2 to A's hand",
        "Keen Koi: wilderness 1 to A's hand",
    ]
    for seat in (1, 2):
        assert perceived(game, seat)[1:] == [
            "?: wilderness 2 to A's hand",
            "?: wilderness 1 to A's hand",
        ]


def test_miniature_merman_draws_from_the_graveyard_in_the_open() -> None:
    """P29: each card was the visible top, and so is the one left on top."""
    game = given(
        player(0, hand=["Miniature Merman"]),
        graveyard=["Bored Goblin", "Keen Koi", "Ace Fighter"],
        players=3,
    )
    game.play("Miniature Merman", "red -1", "draw from the graveyard")
    for seat in range(3):
        assert perceived(game, seat)[1:] == [
            "Ace Fighter: graveyard 3 to A's hand",
            "Keen Koi: seen in graveyard 2",
            "Keen Koi: graveyard 2 to A's hand",
            "Bored Goblin: seen in graveyard 1",
        ]


# ---- Krill Keeper -----------------------------------------------------------------------------

UNDEAD = ["Crow Carrier", "Lethargic Leech", "Wrapped Warrior", "Gorgeous Gorgon"]


@pytest.mark.parametrize(
    ("pick", "steps"), [("pick A", 1), ("pick B", 3), ("pick C", 0), ("pick D", 2)]
)
def test_krill_keeper_moves_back_by_the_open_undead_of_any_player(pick: str, steps: int) -> None:
    """R28, R35, R112: the Emperor counts, hidden heroes do not, three at most, 0 may be picked."""
    game = given(
        markers(red=8, green=3),
        player(0, hand=["Krill Keeper"], open=["Mummy Mystic", "Keen Koi"]),
        player(1, open=UNDEAD),
        player(2, open=["Ace Fighter"], hidden=["Half-Eaten Bull"]),
        player(3, open=["Emperor", "Sun-Shy Skeleton"]),
    )

    game.choose("play Krill Keeper")
    assert game.options() == ["pick A", "pick B", "pick C", "pick D"]
    game.choose(pick)

    assert (game.red, game.green) == (8 - steps, max(1, 3 - steps))
    assert game.options() == ["draw from the harbor"]
    assert game.open(1) == sorted(UNDEAD)


# ---- Aimless Eel ------------------------------------------------------------------------------


def test_aimless_eel_buries_an_open_undead_hero_of_any_party() -> None:
    """R101: own ones too, and the Emperor as one of every faction."""
    game = given(
        player(0, hand=["Aimless Eel"], open=["Crow Carrier", "Ace Fighter"]),
        player(1, open=["Mummy Mystic", "Keen Koi"], hidden=["Lethargic Leech"]),
        player(2, open=["Emperor"]),
    )

    game.choose("play Aimless Eel")
    assert game.options() == ["red +1", "green +1"]
    game.choose("red +1")
    assert game.options() == ["bury Crow Carrier", "bury Mummy Mystic", "bury Buried Emperor"]
    game.choose("bury Mummy Mystic")

    assert (game.red, game.green) == (5, 4)
    assert game.graveyard == ["Mummy Mystic"]
    assert game.open(0) == ["Ace Fighter", "Aimless Eel", "Crow Carrier"]
    assert game.open(1) == ["Keen Koi"]
    assert game.open(2) == ["Buried Emperor"]


def test_aimless_eel_must_bury_the_own_hero_if_it_is_the_only_one() -> None:
    """R25, R101"""
    game = given(player(0, hand=["Aimless Eel"], open=["Crow Carrier"]))
    game.choose("play Aimless Eel", "green +1")
    assert game.options() == ["bury Crow Carrier"]


def test_aimless_eel_without_open_undead_only_moves_a_marker() -> None:
    """R24, R101"""
    game = given(
        player(0, hand=["Aimless Eel"], hidden=["Crow Carrier"]),
        player(1, open=["Keen Koi"], hand=["Mummy Mystic"]),
        tavern=["Lethargic Leech"],
    )
    game.play("Aimless Eel", "green +1")
    assert (game.red, game.green) == (4, 5)
    assert game.graveyard == []
    assert game.open(1) == ["Keen Koi"]


# ---- Bludgeoning Blowfish ---------------------------------------------------------------------


def test_bludgeoning_blowfish_turns_a_foreign_hidden_hero_face_up() -> None:
    """R47, R67, R142: nothing is resolved; own hidden heroes are not offered."""
    game = given(
        player(0, hand=["Bludgeoning Blowfish"], hidden=["Ace Fighter"]),
        player(1, hidden=["Keen Koi", "Underpaid Mercenary", "Bored Goblin"]),
        player(2, hidden=["Furious Frog"], open=["Grumpy Guard"]),
    )

    game.choose("play Bludgeoning Blowfish")
    assert game.options() == ["red +1", "green -1"]
    game.choose("green -1")
    assert game.options() == ["turn one face up", "look at one"]
    game.choose("turn one face up")
    assert game.options() == [
        "turn over B's hidden 1",
        "turn over B's hidden 2",
        "turn over B's hidden 3",
        "turn over C's hidden 1",
    ]
    game.choose("turn over B's hidden 2")

    assert (game.red, game.green) == (4, 3)
    assert game.open(1) == ["Underpaid Mercenary"]
    assert game.hidden(1) == ["Keen Koi", "Bored Goblin"]
    assert game.hidden(0) == ["Ace Fighter"]
    assert game.hidden(2) == ["Furious Frog"]


def test_bludgeoning_blowfish_looks_instead_and_alone() -> None:
    """P25, R48, R142: all see which hero was looked at, it stays where it is."""
    game = given(
        player(0, hand=["Bludgeoning Blowfish"]),
        player(1, hidden=["Keen Koi", "Ace Fighter"]),
        players=3,
    )

    game.choose("play Bludgeoning Blowfish", "red +1", "look at one")
    assert game.options() == ["look at B's hidden 1", "look at B's hidden 2"]
    game.choose("look at B's hidden 2")

    assert (game.red, game.green) == (5, 4)
    assert game.hidden(1) == ["Keen Koi", "Ace Fighter"]
    assert game.open(1) == []
    assert perceived(game, 0)[1:] == ["Ace Fighter: seen in B's hidden 2"]
    assert perceived(game, 2)[1:] == ["?: seen in B's hidden 2"]
    (owners,) = perceived(game, 1)[1:]
    assert owners.endswith(": seen in B's hidden 2")


def test_bludgeoning_blowfish_turns_up_in_the_open() -> None:
    """P16"""
    game = given(
        player(0, hand=["Bludgeoning Blowfish"]), player(1, hidden=["Keen Koi"]), players=3
    )
    game.play("Bludgeoning Blowfish", "red +1", "turn one face up", "turn over B's hidden 1")
    for seat in range(3):
        assert perceived(game, seat)[1:] == ["Keen Koi: B's hidden 1 to B's open"]


def test_bludgeoning_blowfish_without_foreign_hidden_heroes_only_moves_a_marker() -> None:
    """R24, R142"""
    game = given(
        player(0, hand=["Bludgeoning Blowfish"], hidden=["Ace Fighter"]),
        player(1, open=["Keen Koi"]),
    )
    game.play("Bludgeoning Blowfish", "red +1")
    assert (game.red, game.green) == (5, 4)
    assert game.hidden(0) == ["Ace Fighter"]


# ---- Friendly Frogmage ------------------------------------------------------------------------


def test_friendly_frogmage_hides_a_hand_card() -> None:
    """R66, R105: compulsory, any hand card, as the newest."""
    game = given(
        player(0, hand=["Friendly Frogmage", "Keen Koi", "Ace Fighter"], hidden=["Bored Goblin"])
    )

    game.choose("play Friendly Frogmage")
    assert (game.red, game.green) == (5, 5)
    assert game.options() == ["place Ace Fighter hidden", "place Keen Koi hidden"]
    game.choose("place Keen Koi hidden")

    assert game.hidden(0) == ["Bored Goblin", "Keen Koi"]
    assert game.hand(0) == ["Ace Fighter"]
    assert game.open(0) == ["Friendly Frogmage"]


def test_friendly_frogmage_with_an_empty_hand_only_moves_the_markers() -> None:
    """R24, R105"""
    game = given(markers(red=12, green=4), player(0, hand=["Friendly Frogmage"]))
    game.play("Friendly Frogmage")
    assert (game.red, game.green) == (12, 5)
    assert game.hidden(0) == []


# ---- Underwater Artist ------------------------------------------------------------------------


def test_underwater_artist_the_named_player_chooses_which_card_to_hand_over() -> None:
    """R28, R36, R51, R146: any faction; only others with a hand card; only fitting cards."""
    game = given(
        player(0, hand=["Underwater Artist", "Furious Frog"]),
        player(1, open=["Leery Lizard"]),
        player(2, hand=["Keen Koi", "Ace Fighter", "Aimless Eel"]),
        player(3, hand=["Bored Goblin"]),
    )

    game.choose("play Underwater Artist")
    assert (game.red, game.green) == (5, 5)
    assert game.options() == ["name Undead", "name Water", "name Empire", "name Tribes"]
    game.choose("name Water")
    assert (game.actor, game.options()) == (0, ["pick C", "pick D"])
    game.choose("pick C")
    assert (game.actor, game.options()) == (2, ["hand over Keen Koi", "hand over Aimless Eel"])
    game.choose("hand over Aimless Eel")

    assert game.actor == 0
    assert game.hand(0) == ["Aimless Eel", "Furious Frog"]
    assert game.hand(2) == ["Ace Fighter", "Keen Koi"]
    assert game.hand(3) == ["Bored Goblin"]


def test_underwater_artist_gets_nothing_from_a_hand_without_the_faction() -> None:
    """P37, R146: the owner is asked nothing, and all learn why."""
    game = given(
        player(0, hand=["Underwater Artist"]),
        player(1, hand=["Keen Koi", "Ace Fighter"]),
        players=3,
    )
    game.play("Underwater Artist", "name Tribes", "pick B")

    assert game.hand(0) == []
    assert game.hand(1) == ["Ace Fighter", "Keen Koi"]
    for seat in range(3):
        assert perceived(game, seat)[1:] == ["B holds no Tribes"]


def test_underwater_artist_the_card_is_shown_to_all() -> None:
    """P37"""
    game = given(
        player(0, hand=["Underwater Artist"]),
        player(1, hand=["Keen Koi", "Ace Fighter"]),
        players=3,
    )
    game.play("Underwater Artist", "name Water", "pick B", "hand over Keen Koi")
    handed = "Keen Koi: B's hand to A's hand"
    assert perceived(game, 1)[1:] == [handed]
    for seat in (0, 2):
        assert perceived(game, seat)[1:] == ["B chooses in secret", handed]


def test_underwater_artist_among_empty_hands_only_moves_the_markers() -> None:
    """R24, R146: no faction is named in vain, whatever the performer still holds."""
    game = given(player(0, hand=["Underwater Artist", "Keen Koi"]), players=3)
    game.play("Underwater Artist")
    assert (game.red, game.green) == (5, 5)
    assert game.hand(0) == ["Keen Koi"]
