"""The Buried Emperor: one hero of all four factions, without an ability."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.cards import BEGINNER, EMPEROR, RETAIL
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import new_game
from tests.support.perceived import perceived
from tests.support.scenario import Scenario, draws, given, markers, player

# ---- of every faction (R70) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "marker"),
    [
        ("Shaky Sharpshooter", ["red +1"]),
        ("Canned Champion", ["red -1"]),
        ("Aimless Eel", ["red +1"]),
        ("Half-Eaten Bull", []),
    ],
)
def test_the_open_emperor_is_a_target_of_every_faction(hero: str, marker: list[str]) -> None:
    """R70, R74, R101: an Empire, a Tribes, an Undead and a Water hero."""
    game = given(player(0, hand=[hero]), player(1, open=["Emperor"], hidden=["Hairy Hermit"]))
    game.choose(f"play {hero}", *marker)
    assert game.options() == ["bury Buried Emperor"]
    game.choose("bury Buried Emperor")
    assert game.graveyard == ["Buried Emperor"]
    assert game.open(1) == []


@pytest.mark.parametrize(
    ("hero", "red", "green"),
    [("Krill Keeper", 3, 3), ("Potato Privateer", 4, 5), ("Almost-Evil Scholar", 5, 4)],
)
def test_the_open_emperor_counts_once_for_every_faction(hero: str, red: int, green: int) -> None:
    """R35, R70, R112: hidden it would not."""
    game = given(player(0, hand=[hero]), player(1, open=["Emperor"]))
    game.play(hero, "pick B")
    assert (game.red, game.green) == (red, green)

    game = given(player(0, hand=[hero]), player(1, hidden=["Emperor"]))
    game.play(hero, "pick B")
    assert (game.red, game.green) == (4, 4)


@pytest.mark.parametrize(("hero", "red", "green"), [("Bored Goblin", 2, 4), ("Grumpy Guard", 4, 6)])
def test_the_open_emperor_meets_conditions(hero: str, red: int, green: int) -> None:
    """R70, R107: an open Undead, an open Water hero; a hidden Emperor does not help."""
    game = given(player(0, hand=[hero], open=["Emperor"]))
    game.play(hero)
    assert (game.red, game.green) == (red, green)

    game = given(player(0, hand=[hero], hidden=["Emperor"]))
    game.play(hero)
    assert (game.red, game.green) == (4, 4)


@pytest.mark.parametrize("faction", ["Undead", "Water", "Empire", "Tribes"])
def test_double_shielded_turtle_discards_the_emperor_with_any_faction(faction: str) -> None:
    """R70, R138"""
    game = given(player(0, hand=["Double-Shielded Turtle"]), tavern=[None, "Emperor"])
    game.play("Double-Shielded Turtle", f"name {faction}", "red -1")
    assert game.wilderness == ["Buried Emperor"]
    assert game.tavern == [None, None, None]


@pytest.mark.parametrize(
    ("hero", "red", "green"), [("Nagging Northman", 6, 4), ("Angry Priestess", 4, 2)]
)
def test_the_emperor_in_the_tavern_may_be_thrown_out_as_any_faction(
    hero: str, red: int, green: int
) -> None:
    """R70, R117"""
    game = given(player(0, hand=[hero]), tavern=["Emperor", "Keen Koi"])
    game.choose(f"play {hero}")
    assert game.options() == ["discard Buried Emperor", "pass"]
    game.choose("discard Buried Emperor")
    assert (game.red, game.green) == (red, green)
    assert game.wilderness == ["Buried Emperor"]


def test_the_emperor_counts_in_the_first_tie_break() -> None:
    """R70, R87: without it two Undead each would go to the smaller party, B's."""
    game = given(
        markers(red=9, green=9),
        player(
            0,
            leader="Enned",
            open=[
                "Emperor",
                "Crow Carrier",
                "Mummy Mystic",
                "Keen Koi",
                "Ace Fighter",
                "Bored Goblin",
                "Furious Frog",
                "Hairy Hermit",
            ],
        ),
        player(1, leader="Myrad", hidden=["Lethargic Leech", "Wrapped Warrior"]),
    )
    game.end_turn()
    assert game.over
    assert game.winner == 0


# ---- never "not of a faction" (R71) -----------------------------------------------------------


def test_queer_quartermaster_may_not_give_the_emperor_away() -> None:
    """R71, R120"""
    game = given(
        player(0, hand=["Queer Quartermaster", "Ace Fighter"], open=["Emperor", "Keen Koi"])
    )
    game.choose("play Queer Quartermaster")
    assert game.options() == ["exchange Keen Koi", "pass"]


def test_doubtful_priest_may_not_play_the_emperor_as_the_extra_card() -> None:
    """R39, R71, R113: the question is asked all the same."""
    game = given(player(0, hand=["Doubtful Priest", "Emperor"]))
    game.choose("play Doubtful Priest", "red +2")
    assert (game.actor, game.options()) == (0, ["pass"])
    game.choose("pass")
    assert game.hand(0) == ["Buried Emperor"]


def test_tentacle_oracle_showing_the_emperor_moves_nothing() -> None:
    """R71, R135"""
    game = given(
        markers(red=6, green=6),
        player(0, hand=["Tentacle Oracle"]),
        wilderness=["Keen Koi", "Emperor"],
    )
    game.play("Tentacle Oracle")
    assert (game.red, game.green) == (6, 6)
    assert game.wilderness == ["Keen Koi", "Buried Emperor"]


# ---- one single hero --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "fitting", "red", "green"),
    [("Hangry Barbarian", "Ace Fighter", 4, 6), ("Heart-Bending Bard", "Bored Goblin", 6, 4)],
)
def test_the_emperor_counts_once_where_two_factions_are_hit(
    hero: str, fitting: str, red: int, green: int
) -> None:
    """R72, R103: with one other card that fits, X is 2."""
    game = given(markers(red=6, green=6), player(0, hand=[hero]), tavern=["Emperor", fitting, None])
    game.play(hero)
    assert (game.red, game.green) == (red, green)
    assert game.wilderness == ["Buried Emperor", fitting]


def test_the_emperor_is_played_like_any_hero_and_does_nothing() -> None:
    """R10, R73"""
    game = given(
        player(0, hand=["Emperor", "Keen Koi"]),
        player(1, open=["Ace Fighter"]),
        tavern=["Furious Frog"],
    )
    game.play("Buried Emperor")
    assert game.open(0) == ["Buried Emperor"]
    assert game.hand(0) == ["Keen Koi"]
    assert (game.red, game.green) == (4, 4)
    assert game.options() == ["draw Furious Frog", "draw from the harbor"]


@pytest.mark.parametrize(("threshold", "over"), [(2, True), (3, False)])
def test_the_open_emperor_counts_for_the_threshold(threshold: int, over: bool) -> None:
    """R73, R80: as one hero."""
    game = given(player(0, hand=["Emperor"], open=["Keen Koi"]), threshold=threshold)
    game.end_turn("play Buried Emperor")
    assert game.over is over


# ---- moved like any card (R74) ----------------------------------------------------------------


def test_the_emperor_can_be_discarded() -> None:
    """R74: by Vegetarian Sharkguard."""
    game = given(player(0, hand=["Vegetarian Sharkguard"]), player(1, open=["Emperor"]))
    game.play("Vegetarian Sharkguard", "red +2", "discard Buried Emperor")
    assert game.wilderness == ["Buried Emperor"]
    assert game.open(1) == []


def test_the_emperor_can_be_exchanged() -> None:
    """R74: by Half-Headed Wizard."""
    game = given(
        player(0, hand=["Half-Headed Wizard"]), player(1, open=["Emperor"]), tavern=["Keen Koi"]
    )
    game.play("Half-Headed Wizard", "exchange Keen Koi", "for Buried Emperor")
    assert game.tavern == ["Buried Emperor", None, None]
    assert game.open(1) == ["Keen Koi"]


def test_the_emperor_can_be_taken() -> None:
    """R74: by Saber-Toothed Troll."""
    game = given(player(0, hand=["Saber-Toothed Troll"]), player(1, open=["Emperor"]))
    game.play("Saber-Toothed Troll", "take Buried Emperor", "green -2")
    assert game.hand(0) == ["Buried Emperor"]
    assert game.open(1) == []


def test_the_emperor_can_be_turned_over() -> None:
    """R74: by Long-Eared Loner."""
    game = given(player(0, hand=["Long-Eared Loner"]), player(1, open=["Emperor"]))
    game.play("Long-Eared Loner", "turn over Buried Emperor")
    assert game.hidden(1) == ["Buried Emperor"]
    assert game.open(1) == []


def test_the_emperor_can_be_placed_hidden() -> None:
    """R74: by Lethargic Leech."""
    game = given(player(0, hand=["Lethargic Leech", "Emperor"]))
    game.play("Lethargic Leech", "red -1", "place Buried Emperor hidden")
    assert game.hidden(0) == ["Buried Emperor"]


def test_the_emperor_is_reshuffled_and_drawn() -> None:
    """R74: in the draw step."""
    game = given(player(0, hand=["Keen Koi"]), harbor=[], wilderness=["Emperor", "Ace Fighter"])
    game.play("Keen Koi")
    game.choose("draw from the harbor")
    assert game.options() == ["harbor: Ace Fighter", "harbor: Buried Emperor"]
    game.choose(draws("Buried Emperor"))
    assert game.hand(0) == ["Buried Emperor"]
    assert game.wilderness == []


# ---- guesses and hands ------------------------------------------------------------------------


@pytest.mark.parametrize("faction", ["Undead", "Water", "Empire", "Tribes"])
def test_androgynous_assassin_guesses_the_emperor_with_any_faction(faction: str) -> None:
    """R75, R118"""
    game = given(
        player(0, hand=["Androgynous Assassin"]), player(1, hidden=["Keen Koi", "Emperor"])
    )
    game.play("Androgynous Assassin", "red -1", f"name {faction}", "expose B's hidden 2")
    assert game.graveyard == ["Buried Emperor"]
    assert game.hidden(1) == ["Keen Koi"]
    assert game.open(1) == []


@pytest.mark.parametrize("faction", ["Undead", "Water", "Empire", "Tribes"])
def test_underwater_artist_gets_the_emperor_for_any_faction(faction: str) -> None:
    """R76, R146: with nothing else that fits it must be handed over."""
    game = given(player(0, hand=["Underwater Artist"]), player(1, hand=["Emperor"]))
    game.choose("play Underwater Artist", f"name {faction}", "pick B")
    assert (game.actor, game.options()) == (1, ["hand over Buried Emperor"])
    game.choose("hand over Buried Emperor")
    assert game.hand(0) == ["Buried Emperor"]
    assert game.hand(1) == []


def test_underwater_artist_the_emperor_need_not_be_the_card_handed_over() -> None:
    """R76, R146: its owner may give another card of the faction."""
    game = given(
        player(0, hand=["Underwater Artist"]),
        player(1, hand=["Emperor", "Keen Koi", "Ace Fighter"]),
    )
    game.choose("play Underwater Artist", "name Water", "pick B")
    assert game.options() == ["hand over Keen Koi", "hand over Buried Emperor"]
    game.choose("hand over Keen Koi")
    assert game.hand(1) == ["Ace Fighter", "Buried Emperor"]


# ---- the first turn ---------------------------------------------------------------------------


@pytest.mark.parametrize("deck", [RETAIL, BEGINNER])
def test_the_emperor_begins_in_the_graveyard(deck: tuple[int, ...]) -> None:
    """R77, R78: in the beginner game too."""
    assert EMPEROR in deck
    assert new_game(3, deck).cards(Zone.GRAVEYARD) == [EMPEROR]
    assert len(RETAIL) == 77
    assert len(BEGINNER) == 53


def first_turn(hero: str) -> Scenario:
    return given(player(0, hand=[hero]), graveyard=["Emperor"], players=3)


def test_naughty_necromancer_on_the_first_turn_counts_the_emperor() -> None:
    """R77"""
    game = first_turn("Naughty Necromancer")
    game.play("Naughty Necromancer")
    assert (game.red, game.green) == (5, 5)


def test_sun_shy_skeleton_on_the_first_turn_does_nothing() -> None:
    """R62, R77"""
    game = first_turn("Sun-Shy Skeleton")
    game.play("Sun-Shy Skeleton")
    assert game.graveyard == ["Buried Emperor"]
    assert (game.red, game.green) == (4, 4)


def test_crow_carrier_on_the_first_turn_hides_the_emperor() -> None:
    """R77, P31: everybody knows what the only card was."""
    game = first_turn("Crow Carrier")
    game.play("Crow Carrier", "place Buried Emperor hidden")
    assert game.hidden(0) == ["Buried Emperor"]
    for seat in range(3):
        assert perceived(game, seat)[1] == "Buried Emperor: graveyard 1 to drawn"


def test_wrapped_warrior_on_the_first_turn_fetches_the_emperor() -> None:
    """R77"""
    game = first_turn("Wrapped Warrior")
    game.play("Wrapped Warrior", "red +1", "take Buried Emperor")
    assert game.hand(0) == ["Buried Emperor"]
    assert game.graveyard == []


def test_miniature_merman_on_the_first_turn_fetches_the_emperor() -> None:
    """R77"""
    game = first_turn("Miniature Merman")
    game.play("Miniature Merman", "red -1", "draw from the graveyard")
    assert game.hand(0) == ["Buried Emperor"]
    assert game.graveyard == []


def test_mummy_mystic_on_the_first_turn_swaps_the_emperor_in() -> None:
    """R77"""
    game = first_turn("Mummy Mystic")
    game.play("Mummy Mystic", "exchange Mummy Mystic")
    assert game.open(0) == ["Buried Emperor"]
    assert game.graveyard == ["Mummy Mystic"]


def test_resurrected_ram_on_the_first_turn_puts_the_emperor_in_the_tavern() -> None:
    """R77"""
    game = first_turn("Resurrected Ram")
    game.play("Resurrected Ram", "red +1")
    assert game.tavern == ["Buried Emperor", None, None]
    assert game.graveyard == []
