"""Heroes that bury or discard other heroes."""

from __future__ import annotations

import pytest

from tests.support.perceived import perceived_by_all
from tests.support.scenario import chance, given, markers, player

# ---- an open hero of one faction --------------------------------------------------------------

EMPIRE = ["Flailing Knight", "Ace Fighter", "Canned Champion", "Angry Priestess"]
TRIBES = ["Bored Goblin", "Grumpy Guard", "Depressed Druid", "Hairy Hermit"]
WATER = ["Furious Frog", "Keen Koi", "Leery Lizard", "Aimless Eel"]
UNDEAD = ["Crow Carrier", "Mummy Mystic", "Lethargic Leech", "Wrapped Warrior"]

HUNTERS = pytest.mark.parametrize(
    ("hero", "marker", "after", "prey", "other"),
    [
        ("Shaky Sharpshooter", ["A: [red +1] / green -1"], (5, 4), EMPIRE, "Keen Koi"),
        ("Canned Champion", ["A: red -1 / [green +1]"], (4, 5), TRIBES, "Keen Koi"),
        ("Half-Eaten Bull", [], (6, 5), WATER, "Ace Fighter"),
        ("Aimless Eel", ["A: [red +1] / green +1"], (5, 4), UNDEAD, "Bored Goblin"),
    ],
)
"""The answer about markers, the markers after it, heroes of the faction hunted and one not."""


@HUNTERS
def test_buries_an_open_hero_of_the_faction_in_any_party(
    hero: str, marker: list[str], after: tuple[int, int], prey: list[str], other: str
) -> None:
    """R22, R70, R101: after the marker; every open hero of the faction, and the Emperor."""
    foreign, own, hidden, in_tavern = prey
    game = given(
        player(0, hand=[hero], open=[own]),
        player(1, open=[foreign, other], hidden=[hidden]),
        player(2, open=["Buried Emperor"]),
        tavern=[in_tavern],
    )

    game.choose(f"play {hero}", *marker)
    assert game.changes() == {"markers": after}
    game.choose(f"A: [bury {foreign}] / bury {own} / bury Buried Emperor")

    assert game.changes() == {"markers": after, "B's open": [other], "graveyard": [foreign]}


@HUNTERS
def test_must_bury_a_hero_of_the_performer_if_it_is_the_only_target(
    hero: str, marker: list[str], after: tuple[int, int], prey: list[str], other: str
) -> None:
    """R25, R101: passing is not allowed."""
    game = given(player(0, hand=[hero], open=[prey[0]]), player(1, open=[other]))
    game.play(hero, *marker, f"[bury {prey[0]}]")
    assert game.changes() == {"markers": after, "A's open": [hero], "graveyard": [prey[0]]}


@HUNTERS
def test_only_moves_markers_without_an_open_hero_of_the_faction(
    hero: str, marker: list[str], after: tuple[int, int], prey: list[str], other: str
) -> None:
    """R24, R101: hidden heroes, hands, the tavern and other factions are no targets."""
    game = given(
        player(0, hand=[hero], hidden=[prey[0]]),
        player(1, open=[other], hidden=[prey[1]], hand=[prey[2]]),
        tavern=[prey[3]],
    )
    game.play(hero, *marker)
    assert game.changes() == {"markers": after}


@pytest.mark.parametrize(
    ("hero", "before", "prey"),
    [
        ("Shaky Sharpshooter", (12, 1), "Ace Fighter"),
        ("Canned Champion", (1, 12), "Grumpy Guard"),
        ("Half-Eaten Bull", (12, 12), "Keen Koi"),
        ("Aimless Eel", (12, 12), "Crow Carrier"),
    ],
)
def test_buries_even_if_no_marker_can_move(hero: str, before: tuple[int, int], prey: str) -> None:
    """R30, R32: then nobody is asked about markers."""
    game = given(markers(*before), player(0, hand=[hero]), player(1, open=[prey]))
    game.play(hero, f"bury {prey}")
    assert game.changes() == {"B's open": [], "graveyard": [prey]}


@pytest.mark.parametrize(
    ("hero", "before", "marker", "after"),
    [
        ("Shaky Sharpshooter", (4, 4), ["green -1"], (4, 3)),
        ("Canned Champion", (4, 4), ["red -1"], (3, 4)),
        ("Half-Eaten Bull", (11, 4), [], (12, 5)),
        ("Aimless Eel", (4, 4), ["green +1"], (4, 5)),
    ],
)
def test_the_other_marker_may_be_chosen(
    hero: str, before: tuple[int, int], marker: list[str], after: tuple[int, int]
) -> None:
    """R30, R31."""
    game = given(markers(*before), player(0, hand=[hero]))
    game.play(hero, *marker)
    assert game.changes() == {"markers": after}


# ---- Unconfident Executioner and Nightmarish Northman: any open hero --------------------------


def test_unconfident_executioner_buries_any_open_hero() -> None:
    """R30, R121: hidden heroes are safe, the performer's own party is not."""
    game = given(
        markers(red=4, green=1),
        player(0, hand=["Unconfident Executioner"], open=["Ace Fighter"], hidden=["Leery Lizard"]),
        player(1, open=["Keen Koi"], hidden=["Furious Frog"]),
        player(2, open=["Bored Goblin"]),
        graveyard=["Crow Carrier"],
    )

    game.choose("play Unconfident Executioner")
    assert game.changes() == {"markers": (3, 1)}
    game.choose(
        "bury Bored Goblin / bury Ace Fighter / bury Unconfident Executioner / [bury Keen Koi]"
    )

    assert game.changes() == {
        "markers": (3, 1),
        "B's open": [],
        "graveyard": ["Crow Carrier", "Keen Koi"],
    }


def test_unconfident_executioner_alone_must_bury_itself() -> None:
    """R25, R26, R121: a single target is compulsory, and there always is one."""
    game = given(player(0, hand=["Unconfident Executioner"]), player(1, hidden=["Keen Koi"]))
    game.play("Unconfident Executioner", "[bury Unconfident Executioner]")
    assert game.changes() == {
        "markers": (3, 3),
        "A's open": [],
        "graveyard": ["Unconfident Executioner"],
    }


def test_nightmarish_northman_buries_a_hero_of_the_performer_and_then_a_foreign_one() -> None:
    """R29, R123: the performer chooses both, the second after seeing the first buried."""
    game = given(
        player(0, hand=["Nightmarish Northman"], open=["Ace Fighter"], hidden=["Leery Lizard"]),
        player(1, open=["Keen Koi"]),
        player(2, open=["Bored Goblin"], hidden=["Furious Frog"]),
    )

    game.play(
        "Nightmarish Northman",
        "red +2 / green +2 / [red +2, green +2]",
        "[bury Ace Fighter] / bury Nightmarish Northman",
        "A: [bury Bored Goblin] / bury Keen Koi",
    )

    assert game.changes() == {
        "markers": (6, 6),
        "A's open": ["Nightmarish Northman"],
        "C's open": [],
        "graveyard": ["Ace Fighter", "Bored Goblin"],
    }


def test_nightmarish_northman_may_bury_himself_and_then_continues() -> None:
    """R26, R63, R123."""
    game = given(player(0, hand=["Nightmarish Northman"]), player(1, open=["Keen Koi"]))
    game.play("Nightmarish Northman", "green +2", "bury Nightmarish Northman", "bury Keen Koi")
    assert game.changes() == {
        "markers": (4, 6),
        "A's open": [],
        "B's open": [],
        "graveyard": ["Nightmarish Northman", "Keen Koi"],
    }


def test_nightmarish_northman_buries_his_own_hero_even_if_no_foreign_hero_is_open() -> None:
    """R24, R25, R123."""
    game = given(player(0, hand=["Nightmarish Northman"]), player(1, hidden=["Keen Koi"]))
    game.play("Nightmarish Northman", "red +2", "bury Nightmarish Northman")
    assert game.changes() == {
        "markers": (6, 4),
        "A's open": [],
        "graveyard": ["Nightmarish Northman"],
    }


# ---- Overworked Amazon and Gorgeous Gorgon: an open hero of a picked player -------------------


def test_overworked_amazon_lets_the_picked_player_choose() -> None:
    """R28, R36, R102: only players with an open hero can be picked."""
    game = given(
        player(0, hand=["Overworked Amazon"]),
        player(1, hidden=["Ace Fighter"], hand=["Keen Koi"]),
        player(2, open=["Furious Frog", "Grumpy Guard"], hidden=["Leery Lizard"]),
    )
    game.play(
        "Overworked Amazon",
        "A: red +1 / [green -1]",
        "A: pick A / [pick C]",
        "C: bury Grumpy Guard / [bury Furious Frog]",
    )
    assert game.changes() == {
        "markers": (4, 3),
        "C's open": ["Grumpy Guard"],
        "graveyard": ["Furious Frog"],
    }
    assert game.actor == 0


def test_overworked_amazon_may_be_buried_by_herself() -> None:
    """R26, R63, R102: the performer may be picked, and Amazon already lies open."""
    game = given(player(0, hand=["Overworked Amazon"], open=["Keen Koi"]))
    game.play(
        "Overworked Amazon",
        "red +1",
        "[pick A]",
        "A: [bury Overworked Amazon] / bury Keen Koi",
    )
    assert game.open(0) == ["Keen Koi"]
    assert game.graveyard == ["Overworked Amazon"]


@pytest.mark.parametrize(
    ("hero", "buried"),
    [("Overworked Amazon", "[bury Overworked Amazon]"), ("Gorgeous Gorgon", None)],
)
def test_buries_itself_if_nobody_else_has_an_open_hero(hero: str, buried: str | None) -> None:
    """R25, R26, R102, R124: the only party that can be picked is the performer's."""
    game = given(player(0, hand=[hero]), player(1, hidden=["Keen Koi"]))
    game.play(hero, "red +1", "[pick A]", buried or chance(hero))
    assert game.changes() == {"markers": (5, 4), "A's open": [], "graveyard": [hero]}


def test_gorgeous_gorgon_leaves_the_choice_in_the_picked_party_to_chance() -> None:
    """R28, R46, R124: only players with an open hero; their heroes are equally likely."""
    game = given(
        player(0, hand=["Gorgeous Gorgon"]),
        player(1, hidden=["Leery Lizard"]),
        player(2, open=["Keen Koi", "Bored Goblin", "Ace Fighter"], hidden=["Furious Frog"]),
    )

    game.choose("play Gorgeous Gorgon", "[red +1] / green +1", "pick A / [pick C]")
    assert game.state.weights() == [1, 1, 1]
    game.choose("chance: Bored Goblin / chance: Ace Fighter / chance: Keen Koi")
    game.choose(chance("Ace Fighter"))

    assert game.changes() == {
        "markers": (5, 4),
        "C's open": ["Bored Goblin", "Keen Koi"],
        "graveyard": ["Ace Fighter"],
    }


# ---- Slaughtered Slime: a hidden hero ---------------------------------------------------------


def test_slaughtered_slime_buries_a_hidden_hero_of_any_party() -> None:
    """R40, R66, R133: later hidden heroes move down; nobody looks before the choice. P13."""
    game = given(
        player(0, hand=["Slaughtered Slime"], open=["Ace Fighter"], hidden=["Keen Koi"]),
        player(1, open=["Grumpy Guard"], hidden=["Furious Frog", "Bored Goblin", "Hairy Hermit"]),
        players=3,
    )
    game.play(
        "Slaughtered Slime",
        "[red -1] / green -1",
        "bury A's hidden 1 / bury B's hidden 1 / [bury B's hidden 2] / bury B's hidden 3",
    )
    assert game.changes() == {
        "markers": (3, 4),
        "B's hidden": ["Furious Frog", "Hairy Hermit"],
        "graveyard": ["Bored Goblin"],
    }
    assert perceived_by_all(game) == ["Bored Goblin: B's hidden 2 to graveyard"]


def test_slaughtered_slime_must_bury_a_hero_of_the_performer_if_it_is_the_only_target() -> None:
    """R25, R133."""
    game = given(player(0, hand=["Slaughtered Slime"], hidden=["Keen Koi"]))
    game.play("Slaughtered Slime", "green -1", "[bury A's hidden 1]")
    assert game.changes() == {"markers": (4, 3), "A's hidden": [], "graveyard": ["Keen Koi"]}


def test_slaughtered_slime_without_hidden_heroes_only_moves_a_marker() -> None:
    """R24, R133."""
    game = given(player(0, hand=["Slaughtered Slime"]), player(1, open=["Keen Koi"]))
    game.play("Slaughtered Slime", "green -1")
    assert game.changes() == {"markers": (4, 3)}


# ---- Vegetarian Sharkguard: discarded, not buried ---------------------------------------------


def test_vegetarian_sharkguard_discards_a_foreign_open_hero() -> None:
    """R41, R137: compulsory; neither the performer's nor hidden heroes are offered. P12."""
    game = given(
        player(0, hand=["Vegetarian Sharkguard"], open=["Ace Fighter"]),
        player(1, open=["Keen Koi"], hidden=["Furious Frog"]),
        player(2, open=["Bored Goblin"]),
        wilderness=["Leery Lizard"],
    )
    game.play(
        "Vegetarian Sharkguard",
        "red +2 / green +2 / [red +2, green +2]",
        "discard Bored Goblin / [discard Keen Koi]",
    )
    assert game.changes() == {
        "markers": (6, 6),
        "B's open": [],
        "wilderness": ["Leery Lizard", "Keen Koi"],
    }
    assert perceived_by_all(game) == ["Keen Koi: B's open to wilderness"]


def test_vegetarian_sharkguard_without_a_foreign_open_hero_only_moves_markers() -> None:
    """R24, R137: the performer's own open heroes are safe."""
    game = given(
        player(0, hand=["Vegetarian Sharkguard"], open=["Ace Fighter"]),
        player(1, hidden=["Keen Koi"]),
    )
    game.play("Vegetarian Sharkguard", "green +2")
    assert game.changes() == {"markers": (4, 6)}
