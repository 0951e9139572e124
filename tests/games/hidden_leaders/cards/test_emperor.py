"""The Buried Emperor: one hero of all four factions, without an ability."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.cards import BEGINNER, EMPEROR, RETAIL
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import new_game
from tests.support.scenario import draws, given, markers, player

EVERY_FACTION = pytest.mark.parametrize("faction", ["Undead", "Water", "Empire", "Tribes"])

# ---- of every faction (R70) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "marker", "after"),
    [
        ("Shaky Sharpshooter", ["green -1"], (4, 3)),
        ("Canned Champion", ["red -1"], (3, 4)),
        ("Aimless Eel", ["red +1"], (5, 4)),
        ("Half-Eaten Bull", [], (6, 5)),
    ],
)
def test_the_open_emperor_is_a_target_of_every_faction(
    hero: str, marker: list[str], after: tuple[int, int]
) -> None:
    """R70, R74, R101: an Empire, a Tribes, an Undead and a Water hero."""
    game = given(player(0, hand=[hero]), player(1, open=["Emperor"], hidden=["Hairy Hermit"]))
    game.play(hero, *marker, "[bury Buried Emperor]")
    assert game.changes() == {"markers": after, "B's open": [], "graveyard": ["Buried Emperor"]}


@pytest.mark.parametrize(
    ("hero", "script", "after"),
    [
        ("Krill Keeper", ["pick A"], (3, 3)),
        ("Potato Privateer", ["pick A"], (4, 5)),
        ("Almost-Evil Scholar", ["pick A"], (5, 4)),
        ("Bored Goblin", [], (2, 4)),
        ("Grumpy Guard", [], (4, 6)),
    ],
)
def test_the_emperor_counts_for_every_faction_only_while_open(
    hero: str, script: list[str], after: tuple[int, int]
) -> None:
    """R35, R70, R107, R112."""
    game = given(player(0, hand=[hero], open=["Emperor"]))
    game.play(hero, *script)
    assert game.changes() == {"markers": after}

    game = given(player(0, hand=[hero], hidden=["Emperor"]))
    game.play(hero, *script)
    assert game.changes() == {}


@EVERY_FACTION
def test_double_shielded_turtle_discards_the_emperor_with_any_faction(faction: str) -> None:
    """R70, R138."""
    game = given(player(0, hand=["Double-Shielded Turtle"]), tavern=[None, "Emperor"])
    game.play("Double-Shielded Turtle", f"name {faction}", "red -1")
    assert game.wilderness == ["Buried Emperor"]
    assert game.tavern == [None, None, None]


@EVERY_FACTION
def test_androgynous_assassin_buries_the_emperor_with_any_faction(faction: str) -> None:
    """R70, R75, R118."""
    game = given(
        player(0, hand=["Androgynous Assassin"]), player(1, hidden=["Keen Koi", "Emperor"])
    )
    game.play("Androgynous Assassin", "red -1", f"name {faction}", "expose B's hidden 2")
    assert game.changes() == {
        "markers": (3, 4),
        "B's hidden": ["Keen Koi"],
        "graveyard": ["Buried Emperor"],
    }


@EVERY_FACTION
def test_underwater_artist_gets_the_emperor_for_any_faction(faction: str) -> None:
    """R76, R146: if nothing else fits, it must be handed over."""
    game = given(player(0, hand=["Underwater Artist"]), player(1, hand=["Emperor"]))
    game.play("Underwater Artist", f"name {faction}", "pick B", "B: [hand over Buried Emperor]")
    assert game.hand(0) == ["Buried Emperor"]
    assert game.hand(1) == []


def test_underwater_artist_may_be_given_another_card_than_the_emperor() -> None:
    """R76, R146: its owner may hand over any card of the faction."""
    game = given(
        player(0, hand=["Underwater Artist"]),
        player(1, hand=["Emperor", "Keen Koi", "Ace Fighter"]),
    )
    question = "[hand over Keen Koi] / hand over Buried Emperor"
    game.play("Underwater Artist", "name Water", "pick B", question)
    assert game.hand(1) == ["Ace Fighter", "Buried Emperor"]


@pytest.mark.parametrize(
    ("hero", "after"), [("Nagging Northman", (6, 4)), ("Angry Priestess", (4, 2))]
)
def test_the_emperor_may_be_discarded_from_the_tavern_as_any_faction(
    hero: str, after: tuple[int, int]
) -> None:
    """R70, R117."""
    game = given(player(0, hand=[hero]), tavern=["Emperor", "Keen Koi"])
    game.play(hero, "[discard Buried Emperor] / pass")
    assert game.markers == after
    assert game.wilderness == ["Buried Emperor"]


@pytest.mark.parametrize(
    ("hero", "other", "after"),
    [
        ("Hangry Barbarian", "Ace Fighter", (4, 6)),
        ("Hangry Barbarian", None, (5, 6)),
        ("Heart-Bending Bard", "Bored Goblin", (6, 4)),
        ("Heart-Bending Bard", None, (6, 5)),
    ],
)
def test_the_emperor_counts_once_where_two_factions_are_discarded(
    hero: str, other: str | None, after: tuple[int, int]
) -> None:
    """R70, R72, R103."""
    game = given(markers(red=6, green=6), player(0, hand=[hero]), tavern=["Emperor", other, None])
    game.play(hero)
    assert game.changes() == {
        "markers": after,
        "tavern": [None, None, None],
        "wilderness": ["Buried Emperor", *([other] if other else [])],
    }


def test_the_emperor_counts_in_the_first_tie_break() -> None:
    """R70, R87: without it two Undead each would go to the smaller party, B's."""
    undead = ["Emperor", "Crow Carrier", "Mummy Mystic"]
    others = ["Keen Koi", "Ace Fighter", "Bored Goblin", "Furious Frog", "Hairy Hermit"]
    game = given(
        markers(red=9, green=9),
        player(0, leader="Enned", open=undead + others),
        player(1, leader="Myrad", hidden=["Lethargic Leech", "Wrapped Warrior"]),
    )
    game.end_turn()
    assert game.over
    assert game.winner == 0


# ---- played and moved like any hero (R73, R74) ------------------------------------------------


def test_the_buried_emperor_is_played_like_any_hero_and_does_nothing() -> None:
    """R10, R73."""
    game = given(
        player(0, hand=["Emperor", "Keen Koi"]),
        player(1, open=["Ace Fighter"]),
        tavern=["Furious Frog"],
    )
    game.play("Buried Emperor")
    assert game.changes() == {}
    assert game.open(0) == ["Buried Emperor"]
    assert game.options() == ["draw Furious Frog", "draw from the harbor"]


@pytest.mark.parametrize(("threshold", "over"), [(2, True), (3, False)])
def test_the_open_emperor_counts_for_the_threshold(threshold: int, over: bool) -> None:
    """R73, R80: as one hero."""
    game = given(player(0, hand=["Emperor"], open=["Keen Koi"]), threshold=threshold)
    game.end_turn("play Buried Emperor")
    assert game.over is over


@pytest.mark.parametrize(
    ("hero", "script", "after"),
    [
        ("Vegetarian Sharkguard", ["red +2", "discard Buried Emperor"],
         {"markers": (6, 4), "B's open": [], "wilderness": ["Buried Emperor"]}),
        ("Half-Headed Wizard", ["exchange Keen Koi", "for Buried Emperor"],
         {"markers": (5, 5), "B's open": ["Keen Koi"], "tavern": ["Buried Emperor", None, None]}),
        ("Saber-Toothed Troll", ["take Buried Emperor", "green -2"],
         {"markers": (4, 2), "A's hand": ["Buried Emperor"], "B's open": []}),
    ],
)  # fmt: skip
def test_the_emperor_can_be_moved_like_any_hero(
    hero: str, script: list[str], after: dict[str, object]
) -> None:
    """R74: discarded, exchanged, taken; turned over in `test_hidden_heroes`."""
    game = given(player(0, hand=[hero]), player(1, open=["Emperor"]), tavern=["Keen Koi"])
    game.play(hero, *script)
    assert game.changes() == after


def test_lethargic_leech_can_hide_the_emperor() -> None:
    """R74."""
    game = given(player(0, hand=["Lethargic Leech", "Emperor"]))
    game.play("Lethargic Leech", "red -1", "place Buried Emperor hidden")
    assert game.hidden(0) == ["Buried Emperor"]


def test_the_emperor_is_reshuffled_and_drawn() -> None:
    """R74: in the draw step."""
    game = given(player(0, hand=["Keen Koi"]), harbor=[], wilderness=["Emperor", "Ace Fighter"])
    game.play("Keen Koi")
    game.choose("draw from the harbor", "harbor: Ace Fighter / harbor: Buried Emperor")
    game.choose(draws("Buried Emperor"))
    assert game.hand(0) == ["Buried Emperor"]
    assert game.wilderness == []


# ---- the first turn (R77) ---------------------------------------------------------------------


@pytest.mark.parametrize("deck", [RETAIL, BEGINNER])
def test_the_emperor_begins_in_the_graveyard(deck: tuple[int, ...]) -> None:
    """R77, R78: in the beginner game too."""
    assert EMPEROR in deck
    assert new_game(3, deck).cards(Zone.GRAVEYARD) == [EMPEROR]


@pytest.mark.parametrize(
    ("hero", "script", "after"),
    [
        ("Naughty Necromancer", [], {"markers": (5, 5)}),
        ("Sun-Shy Skeleton", [], {}),
        ("Crow Carrier", ["place Buried Emperor hidden"],
         {"markers": (3, 3), "A's hidden": ["Buried Emperor"], "graveyard": []}),
        ("Wrapped Warrior", ["red +1", "take Buried Emperor"],
         {"markers": (5, 4), "A's hand": ["Buried Emperor"], "graveyard": []}),
        ("Miniature Merman", ["red -1", "draw from the graveyard"],
         {"markers": (3, 4), "A's hand": ["Buried Emperor"], "graveyard": []}),
        ("Mummy Mystic", ["exchange Mummy Mystic"],
         {"markers": (5, 6), "A's open": ["Buried Emperor"], "graveyard": ["Mummy Mystic"]}),
        ("Resurrected Ram", ["red +1"],
         {"markers": (5, 4), "tavern": ["Buried Emperor", None, None], "graveyard": []}),
    ],
)  # fmt: skip
def test_the_emperor_is_the_graveyard_of_the_first_turn(
    hero: str, script: list[str], after: dict[str, object]
) -> None:
    """R62, R77: it counts, is taken or exchanged, and performing it does nothing."""
    game = given(player(0, hand=[hero]), graveyard=["Emperor"], players=3)
    game.play(hero, *script)
    assert game.changes() == after
