"""Heroes that discard or place tavern cards."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.constants import Event
from tests.support.perceived import perceived_by_all
from tests.support.scenario import draws, given, markers, player

# ---- all tavern cards of two factions ---------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "tavern", "left", "after"),
    [
        ("Hangry Barbarian", ["Flailing Knight", "Keen Koi", "Crow Carrier"],
         [None, "Keen Koi", None], (2, 4)),
        ("Heart-Bending Bard", ["Keen Koi", "Grumpy Guard", "Ace Fighter"],
         [None, None, "Ace Fighter"], (4, 2)),
    ],
)  # fmt: skip
def test_discards_two_factions_and_moves_a_marker_by_their_number(
    hero: str, tavern: list[str], left: list[str | None], after: tuple[int, int]
) -> None:
    """R22, R37, R103: no choice, in slot order, and the marker only after the cards."""
    game = given(player(0, hand=[hero]), tavern=tavern, wilderness=["Furious Frog"])
    game.play(hero)
    discarded = [card for card in tavern if card not in left]
    assert game.changes() == {
        "markers": after,
        "tavern": left,
        "wilderness": ["Furious Frog", *discarded],
    }
    kinds = [event[0] for event in game.events(1) if event[0] in (Event.MOVED, Event.MARKERS)]
    assert kinds == [Event.MOVED, Event.MOVED, Event.MOVED, Event.MARKERS]


@pytest.mark.parametrize(
    ("hero", "before", "tavern", "after"),
    [
        ("Hangry Barbarian", (2, 4), ["Flailing Knight", "Ace Fighter", "Crow Carrier"], (1, 4)),
        ("Heart-Bending Bard", (4, 3), ["Keen Koi", "Grumpy Guard", "Leery Lizard"], (4, 1)),
    ],
)
def test_discards_more_cards_than_the_marker_can_move(
    hero: str, before: tuple[int, int], tavern: list[str], after: tuple[int, int]
) -> None:
    """R30, R35, P11: the marker stops at the first space."""
    game = given(markers(*before), player(0, hand=[hero]), tavern=tavern)
    game.play(hero)
    assert game.changes() == {"markers": after, "tavern": [None] * 3, "wilderness": tavern}
    news = [f"{card}: tavern {slot} to wilderness" for slot, card in enumerate(tavern, 1)]
    assert perceived_by_all(game) == news


@pytest.mark.parametrize(
    ("hero", "tavern"),
    [
        ("Hangry Barbarian", []),
        ("Hangry Barbarian", ["Keen Koi", "Grumpy Guard"]),
        ("Heart-Bending Bard", []),
        ("Heart-Bending Bard", ["Ace Fighter", "Crow Carrier"]),
        ("Nagging Northman", []),
        ("Nagging Northman", ["Keen Koi", "Ace Fighter", "Crow Carrier"]),
        ("Angry Priestess", []),
        ("Angry Priestess", ["Keen Koi", "Ace Fighter", "Grumpy Guard"]),
        ("Double-Shielded Turtle", []),
        ("Modest Monsterslayer", []),
        ("Insidious Impaler", []),
    ],
)
def test_does_nothing_without_a_suitable_tavern_card(hero: str, tavern: list[str]) -> None:
    """R24, R103, R115, R117, R126, R138: and asks nothing."""
    game = given(
        player(0, hand=[hero], open=["Leery Lizard"], hidden=["Hairy Hermit"]),
        player(1, open=["Curious Troll", "Half-Eaten Bull"]),
        tavern=tavern,
        graveyard=["Furious Frog"],
    )
    game.play(hero)
    assert game.changes() == {}


# ---- one tavern card, for a marker ------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "before", "tavern", "question", "after"),
    [
        ("Nagging Northman", (4, 4), ["Keen Koi", "Grumpy Guard", "Buried Emperor"],
         "A: [discard Grumpy Guard] / discard Buried Emperor / pass", (6, 4)),
        ("Nagging Northman", (12, 2), ["Grumpy Guard"], "[discard Grumpy Guard] / pass", (12, 2)),
        ("Angry Priestess", (4, 4), ["Crow Carrier", "Buried Emperor", "Grumpy Guard"],
         "A: discard Crow Carrier / [discard Buried Emperor] / pass", (4, 2)),
        ("Angry Priestess", (12, 2), ["Crow Carrier"], "[discard Crow Carrier] / pass", (12, 1)),
    ],
)  # fmt: skip
def test_may_discard_a_tavern_card_to_move_a_marker(
    hero: str, before: tuple[int, int], tavern: list[str], question: str, after: tuple[int, int]
) -> None:
    """R22, R30, R70, R117: the Emperor fits; the marker moves afterwards, if it can."""
    game = given(
        markers(*before),
        player(0, hand=[hero]),
        player(1, open=["Bored Goblin", "Half-Eaten Bull"]),
        tavern=tavern,
    )
    game.choose(f"play {hero}")
    assert game.changes() == {}
    game.choose(question)
    discarded = question.partition("[discard ")[2].partition("]")[0]
    assert game.markers == after
    assert [card for card in game.tavern if card] == [c for c in tavern if c != discarded]
    assert game.wilderness == [discarded]


@pytest.mark.parametrize(
    ("hero", "prey"), [("Nagging Northman", "Grumpy Guard"), ("Angry Priestess", "Crow Carrier")]
)
def test_may_decline_to_discard_a_tavern_card(hero: str, prey: str) -> None:
    """R23, R117: then no marker moves."""
    game = given(player(0, hand=[hero]), tavern=[prey])
    game.play(hero, "pass")
    assert game.changes() == {}


# ---- Double-Shielded Turtle -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "tavern", "script", "left", "after"),
    [
        ((9, 2), ["Keen Koi", "Buried Emperor", "Leery Lizard"],
         ["name Undead / [name Water] / name Empire / name Tribes",
          "red -3 / green -3 / [red -3, green -3]"],
         [None, None, None], (6, 1)),
        ((4, 4), ["Keen Koi", "Crow Carrier", "Ace Fighter"],
         ["name Undead", "red -1 / [green -1] / red -1, green -1"],
         ["Keen Koi", None, "Ace Fighter"], (4, 3)),
        ((1, 4), ["Keen Koi"], ["name Water", "[green -1]"], [None, None, None], (1, 3)),
        ((4, 4), ["Keen Koi"], ["name Tribes"], ["Keen Koi", None, None], (4, 4)),
    ],
)  # fmt: skip
def test_double_shielded_turtle_discards_the_named_faction_and_counts_it(
    before: tuple[int, int],
    tavern: list[str],
    script: list[str],
    left: list[str | None],
    after: tuple[int, int],
) -> None:
    """R24, R31, R32, R37, R51, R138: in slot order; naming an absent faction moves nothing."""
    game = given(
        markers(*before),
        player(0, hand=["Double-Shielded Turtle"]),
        tavern=tavern,
        wilderness=["Bored Goblin"],
    )
    game.play("Double-Shielded Turtle", *script)
    assert game.markers == after
    assert game.tavern == left
    assert game.wilderness == ["Bored Goblin", *(card for card in tavern if card not in left)]


# ---- Battle Connoisseur -----------------------------------------------------------------------


def test_battle_connoisseur_hides_one_tavern_card_and_discards_the_others() -> None:
    """R37, R43, R116: in slot order; nothing is resolved. P33: all see which card is where."""
    game = given(
        player(0, hand=["Battle Connoisseur", "Crow Carrier"], hidden=["Ace Fighter"]),
        tavern=["Keen Koi", "Depressed Druid", "Furious Frog"],
    )

    game.choose("play Battle Connoisseur")
    assert game.changes() == {"markers": (4, 5)}
    game.choose(
        "[place Depressed Druid hidden] / place Furious Frog hidden / place Keen Koi hidden"
    )

    assert game.changes() == {
        "markers": (4, 5),
        "A's hidden": ["Ace Fighter", "Depressed Druid"],
        "tavern": [None, None, None],
        "wilderness": ["Keen Koi", "Furious Frog"],
    }
    assert perceived_by_all(game) == [
        "Depressed Druid: tavern 2 to A's hidden",
        "Keen Koi: tavern 1 to wilderness",
        "Furious Frog: tavern 3 to wilderness",
    ]


@pytest.mark.parametrize(
    ("hero", "after", "how", "party"),
    [
        ("Battle Connoisseur", (4, 5), "hidden", ["Buried Emperor"]),
        ("Hopeful Salamander", (5, 5), "open", ["Buried Emperor", "Hopeful Salamander"]),
    ],
)
def test_must_place_the_only_tavern_card(
    hero: str, after: tuple[int, int], how: str, party: list[str]
) -> None:
    """R24, R25, R74, R116, R139: even the Emperor; nothing is left to discard."""
    game = given(player(0, hand=[hero]), tavern=[None, "Buried Emperor"])
    game.play(hero, f"[place Buried Emperor {how}]")
    assert game.changes() == {"markers": after, f"A's {how}": party, "tavern": [None, None, None]}


@pytest.mark.parametrize(
    ("hero", "before", "after"),
    [("Battle Connoisseur", (4, 4), (4, 5)), ("Hopeful Salamander", (12, 6), (12, 7))],
)
def test_only_moves_markers_with_an_empty_tavern(
    hero: str, before: tuple[int, int], after: tuple[int, int]
) -> None:
    """R24, R30, R116, R139."""
    game = given(markers(*before), player(0, hand=[hero, "Keen Koi"]))
    game.play(hero)
    assert game.changes() == {"markers": after}


# ---- Hopeful Salamander -----------------------------------------------------------------------


def test_hopeful_salamander_places_a_tavern_card_open_without_resolving_it() -> None:
    """R43, R139, P36."""
    game = given(
        player(0, hand=["Hopeful Salamander"]),
        player(1, open=["Ace Fighter"]),
        tavern=["Keen Koi", None, "Underpaid Mercenary"],
        players=3,
    )

    game.choose("play Hopeful Salamander")
    assert game.changes() == {"markers": (5, 5)}
    game.choose("[place Underpaid Mercenary open] / place Keen Koi open")

    assert game.changes() == {
        "markers": (5, 5),
        "A's open": ["Hopeful Salamander", "Underpaid Mercenary"],
        "tavern": ["Keen Koi", None, None],
    }
    assert perceived_by_all(game) == ["Underpaid Mercenary: tavern 3 to A's open"]
    assert game.options() == ["draw Keen Koi", "draw from the harbor"]


# ---- Resurrected Ram --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tavern", "graveyard", "tavern_after"),
    [
        (["Keen Koi", None, "Ace Fighter"],
         ["Bored Goblin", "Furious Frog", "Leery Lizard", "Crow Carrier"],
         ["Crow Carrier", "Leery Lizard", "Furious Frog"]),
        (["Keen Koi", "Ace Fighter"], [], [None, None, None]),
        ([], ["Keen Koi", "Ace Fighter"], ["Ace Fighter", "Keen Koi", None]),
    ],
)  # fmt: skip
def test_resurrected_ram_restocks_the_tavern_from_the_graveyard(
    tavern: list[str | None], graveyard: list[str], tavern_after: list[str | None]
) -> None:
    """R24, R37, R128: discards in slot order, then fills slot 1 first from the top."""
    game = given(
        player(0, hand=["Resurrected Ram"]),
        tavern=tavern,
        graveyard=graveyard,
        wilderness=["Grumpy Guard"],
    )
    game.play("Resurrected Ram", "red +1 / [green +1]")
    assert game.markers == (4, 5)
    assert game.tavern == tavern_after
    assert game.graveyard == graveyard[:-3]
    assert game.wilderness == ["Grumpy Guard", *(card for card in tavern if card)]


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


def test_resurrected_ram_works_in_the_open() -> None:
    """P11, P30."""
    game = given(
        player(0, hand=["Resurrected Ram"]),
        tavern=[None, "Keen Koi"],
        graveyard=["Bored Goblin", "Ace Fighter"],
    )
    game.play("Resurrected Ram", "red +1")
    assert perceived_by_all(game) == [
        "Keen Koi: tavern 2 to wilderness",
        "Ace Fighter: graveyard 2 to tavern 1",
        "Bored Goblin: seen in graveyard 1",
        "Bored Goblin: graveyard 1 to tavern 2",
    ]
