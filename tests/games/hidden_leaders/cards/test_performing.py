"""Heroes that perform other heroes: chains, cards set aside, closing clauses, copies in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import pytest

from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.table import LAST
from games.hidden_leaders.text.moves import find_card
from games.state import EVERYBODY
from tests.support.perceived import perceived_by_all
from tests.support.scenario import Outcomes, Scenario, chance, draws, given, markers, player

# ---- Modest Monsterslayer and Insidious Impaler: a tavern card, set aside ---------------------

SETTING_ASIDE = pytest.mark.parametrize(
    ("hero", "place"), [("Modest Monsterslayer", "A's hidden"), ("Insidious Impaler", "graveyard")]
)
"""Where the closing clause puts the card performed."""


@SETTING_ASIDE
def test_performs_a_tavern_card_and_then_puts_it_away(hero: str, place: str) -> None:
    """R54, R55, R56, R115, R126: it is never open, its slot stays empty. P14, P15: all see it."""
    game = given(
        player(0, hand=[hero], hidden=["Ace Fighter"]),
        tavern=["Rotting Orangutan", None, "Keen Koi"],
        graveyard=["Bored Goblin"],
        players=3,
    )

    game.choose(f"play {hero}", "A: [perform Rotting Orangutan] / perform Keen Koi")
    assert game.changes() == {"tavern": [None, None, "Keen Koi"]}
    game.choose("red +2 / [green +2]")

    before = "Ace Fighter" if place == "A's hidden" else "Bored Goblin"
    assert game.changes() == {
        "markers": (4, 6),
        "tavern": [None, None, "Keen Koi"],
        place: [before, "Rotting Orangutan"],
    }
    assert perceived_by_all(game) == [
        "Rotting Orangutan: tavern 1 to aside",
        f"Rotting Orangutan: aside to {place}",
    ]


@SETTING_ASIDE
@pytest.mark.parametrize(
    ("performed", "script", "after"),
    [
        ("Keen Koi", [], (4, 4)),
        ("Groggy Preacher", ["red +1"], (5, 4)),
        ("Hopeful Salamander", [], (5, 5)),
        ("Pigmented War Pig", [], (3, 5)),
    ],
)
def test_a_card_set_aside_leaves_an_empty_tavern_and_is_put_away_whatever_it_did(
    hero: str, place: str, performed: str, script: list[str], after: tuple[int, int]
) -> None:
    """R24, R56, R57: Keen Koi has no leading marker, the others find no tavern card."""
    game = given(player(0, hand=[hero]), tavern=[performed])
    game.play(hero, f"perform {performed}", *script)
    assert game.markers == after
    assert game.tavern == [None, None, None]
    assert game.changes().keys() - {"markers"} == {"tavern", place}
    assert game.changes()[place] == [performed]


@SETTING_ASIDE
def test_puts_the_emperor_away_without_performing_it(hero: str, place: str) -> None:
    """R62, R115: it is picked like any tavern card."""
    game = given(player(0, hand=[hero]), tavern=["Emperor", "Keen Koi"])
    game.play(hero, "perform Keen Koi / [perform Buried Emperor]")
    assert game.changes() == {"tavern": [None, "Keen Koi", None], place: ["Buried Emperor"]}


@pytest.mark.parametrize(
    ("hero", "tavern", "graveyard", "script", "after"),
    [
        ("Modest Monsterslayer", ["Keen Koi", "Battle Connoisseur", "Furious Frog"], [],
         ["place Furious Frog hidden / [place Keen Koi hidden]"],
         {"markers": (4, 5), "tavern": [None, None, None],
          "A's hidden": ["Keen Koi", "Battle Connoisseur"], "wilderness": ["Furious Frog"]}),
        ("Insidious Impaler", ["Keen Koi", "Resurrected Ram", "Ace Fighter"],
         ["Bored Goblin", "Furious Frog"], ["red +1"],
         {"markers": (5, 4), "tavern": ["Furious Frog", "Bored Goblin", None],
          "graveyard": ["Resurrected Ram"], "wilderness": ["Keen Koi", "Ace Fighter"]}),
        ("Insidious Impaler", ["Keen Koi", "Double-Shielded Turtle"], [],
         ["name Water", "[red -1] / green -1 / red -1, green -1"],
         {"markers": (3, 4), "tavern": [None, None, None], "graveyard": ["Double-Shielded Turtle"],
          "wilderness": ["Keen Koi"]}),
        ("Insidious Impaler", [None, "Naughty Necromancer"], ["Keen Koi"], [],
         {"markers": (5, 5), "tavern": [None, None, None],
          "graveyard": ["Keen Koi", "Naughty Necromancer"]}),
        ("Insidious Impaler", [None, "Wrapped Warrior"], ["Keen Koi"],
         ["red +1", "[take Keen Koi]"],
         {"markers": (5, 4), "tavern": [None, None, None], "A's hand": ["Keen Koi"],
          "graveyard": ["Wrapped Warrior"]}),
    ],
)  # fmt: skip
def test_a_card_set_aside_cannot_be_discarded_counted_or_chosen(
    hero: str,
    tavern: list[str | None],
    graveyard: list[str],
    script: list[str],
    after: dict[str, object],
) -> None:
    """R56, R57: it is neither in the tavern nor in the graveyard while it is performed."""
    game = given(player(0, hand=[hero]), tavern=tavern, graveyard=graveyard)
    game.play(hero, f"perform {tavern[1]}", *script)
    assert game.changes() == after


# ---- Ghastly Granny: an open hero of the performer --------------------------------------------


def test_ghastly_granny_performs_another_open_hero_of_the_party() -> None:
    """R54, R55, R62, R122: not herself, not the Emperor, nothing hidden; the hero stays put."""
    game = given(
        player(
            0,
            hand=["Ghastly Granny"],
            open=["Rotting Orangutan", "Underpaid Mercenary", "Emperor"],
            hidden=["Furious Frog"],
        ),
        player(1, open=["Keen Koi"]),
        graveyard=["Leery Lizard"],
    )
    game.play(
        "Ghastly Granny",
        "perform Underpaid Mercenary / [perform Rotting Orangutan]",
        "red +2 / [green +2]",
    )
    assert game.changes() == {"markers": (4, 6)}


def test_ghastly_granny_without_another_open_hero_does_nothing() -> None:
    """R60, R62, R122: neither she herself nor the Emperor can be performed."""
    game = given(
        player(0, hand=["Ghastly Granny"], open=["Emperor"], hidden=["Keen Koi"]),
        player(1, open=["Rotting Orangutan"]),
    )
    game.play("Ghastly Granny")
    assert game.changes() == {}


# ---- Saltwater Sage: a hidden hero of the performer -------------------------------------------


def test_saltwater_sage_turns_up_a_hidden_hero_and_performs_it() -> None:
    """R54, R66, R140: of the performer's party; the hero stays open. P16: all see it."""
    game = given(
        player(
            0,
            hand=["Saltwater Sage"],
            open=["Ace Fighter"],
            hidden=["Keen Koi", "Rotting Orangutan", "Bored Goblin"],
        ),
        player(1, hidden=["Furious Frog"]),
        players=3,
    )
    game.play(
        "Saltwater Sage",
        "turn over A's hidden 1 / [turn over A's hidden 2] / turn over A's hidden 3",
        "red +2 / [green +2]",
    )
    assert game.changes() == {
        "markers": (4, 6),
        "A's open": ["Ace Fighter", "Rotting Orangutan", "Saltwater Sage"],
        "A's hidden": ["Keen Koi", "Bored Goblin"],
    }
    assert perceived_by_all(game) == ["Rotting Orangutan: A's hidden 2 to A's open"]


def test_saltwater_sage_without_hidden_heroes_does_nothing() -> None:
    """R24, R140."""
    game = given(
        player(0, hand=["Saltwater Sage"], open=["Rotting Orangutan"]),
        player(1, hidden=["Furious Frog"]),
    )
    game.play("Saltwater Sage")
    assert game.changes() == {}


def test_saltwater_sage_turns_up_the_emperor_without_performing_it() -> None:
    """R62, R140."""
    game = given(player(0, hand=["Saltwater Sage"], hidden=["Emperor"]))
    game.play("Saltwater Sage", "turn over A's hidden 1")
    assert game.changes() == {"A's open": ["Buried Emperor", "Saltwater Sage"], "A's hidden": []}


# ---- Sun-Shy Skeleton: the top of the graveyard -----------------------------------------------


def test_sun_shy_skeleton_performs_the_top_graveyard_card_where_it_lies() -> None:
    """R54, R55, R64, R131: there is nothing to pick."""
    game = given(player(0, hand=["Sun-Shy Skeleton"]), graveyard=["Keen Koi", "Rotting Orangutan"])
    game.play("Sun-Shy Skeleton", "[red +2] / green +2")
    assert game.changes() == {"markers": (6, 4)}


@pytest.mark.parametrize("graveyard", [[], ["Rotting Orangutan", "Emperor"]])
def test_sun_shy_skeleton_without_a_card_to_perform_does_nothing(graveyard: list[str]) -> None:
    """R24, R59, R62, R131: it does not look below the Emperor."""
    game = given(
        player(0, hand=["Sun-Shy Skeleton"], open=["Underpaid Mercenary"]), graveyard=graveyard
    )
    game.play("Sun-Shy Skeleton")
    assert game.changes() == {}


@pytest.mark.parametrize(
    ("hero", "below", "script", "after"),
    [
        ("Naughty Necromancer", ["Keen Koi"], [], {"markers": (6, 6)}),
        ("Crow Carrier", ["Ace Fighter", "Keen Koi"],
         ["[place Crow Carrier hidden] / place Keen Koi hidden"],
         {"markers": (3, 3), "A's hidden": ["Crow Carrier"], "graveyard": ["Ace Fighter"],
          "wilderness": ["Keen Koi"]}),
        ("Miniature Merman", ["Ace Fighter", "Keen Koi"],
         ["green +1", "[draw from the graveyard]"],
         {"markers": (4, 5), "A's hand": ["Keen Koi", "Miniature Merman"],
          "graveyard": ["Ace Fighter"]}),
        ("Wrapped Warrior", ["Keen Koi"], ["red +1", "[take Wrapped Warrior] / take Keen Koi"],
         {"markers": (5, 4), "A's hand": ["Wrapped Warrior"], "graveyard": ["Keen Koi"]}),
        ("Mummy Mystic", ["Keen Koi"],
         ["[exchange Sun-Shy Skeleton] / exchange Furious Frog / pass"],
         {"markers": (5, 6), "A's open": ["Furious Frog", "Mummy Mystic"],
          "graveyard": ["Keen Koi", "Sun-Shy Skeleton"]}),
        ("Resurrected Ram", ["Ace Fighter"], ["green +1"],
         {"markers": (4, 5), "tavern": ["Resurrected Ram", "Ace Fighter", None], "graveyard": []}),
    ],
)  # fmt: skip
def test_a_card_performed_in_the_graveyard_is_part_of_the_graveyard(
    hero: str, below: list[str], script: list[str], after: dict[str, object]
) -> None:
    """R64, R128: it counts, draws, takes or exchanges itself, and is no open hero."""
    game = given(
        player(0, hand=["Sun-Shy Skeleton"], open=["Furious Frog"]), graveyard=[*below, hero]
    )
    game.play("Sun-Shy Skeleton", *script)
    assert game.changes() == after


# ---- what performing means --------------------------------------------------------------------


def test_a_performed_card_speaks_to_the_performer() -> None:
    """R54: "you" is the performer, and the next player is the performer's neighbour."""
    game = given(
        player(0, hand=["Keen Koi"]),
        player(1, hand=["Leery Lizard"]),
        player(2, hand=["Sun-Shy Skeleton", "Furious Frog"]),
        graveyard=["Doubtful Priest"],
        turn=2,
    )
    game.play("Sun-Shy Skeleton", "A: red +2 / [red -2]", "C: play Furious Frog / [pass]")
    assert game.changes() == {"markers": (2, 4)}


def test_a_performed_card_uses_the_performers_hand() -> None:
    """R54: Lethargic Leech hides a card of the performer's hand."""
    game = given(
        player(0, hand=["Insidious Impaler", "Keen Koi"]),
        player(1, hand=["Furious Frog"]),
        tavern=["Lethargic Leech"],
    )
    game.play("Insidious Impaler", "perform Lethargic Leech", "red -1", "[place Keen Koi hidden]")
    assert game.changes() == {
        "markers": (3, 4),
        "tavern": [None, None, None],
        "A's hand": [],
        "A's hidden": ["Keen Koi"],
        "graveyard": ["Lethargic Leech"],
    }


def test_a_performed_card_leaves_decisions_of_others_to_them() -> None:
    """R36, R54, R102: with Overworked Amazon the picked player chooses."""
    game = given(
        player(0, hand=["Modest Monsterslayer"]),
        player(1, open=["Keen Koi", "Furious Frog"]),
        tavern=["Overworked Amazon"],
    )
    game.play(
        "Modest Monsterslayer",
        "perform Overworked Amazon",
        "red +1",
        "pick B",
        "B: bury Furious Frog / [bury Keen Koi]",
    )
    assert game.graveyard == ["Keen Koi"]
    assert game.hidden(0) == ["Overworked Amazon"]


def test_a_performed_card_is_not_in_the_party() -> None:
    """R55: Unconfident Executioner in the graveyard is no open hero to bury."""
    game = given(player(0, hand=["Sun-Shy Skeleton"]), graveyard=["Unconfident Executioner"])
    game.choose("play Sun-Shy Skeleton")
    assert game.options() == ["bury Sun-Shy Skeleton"]


@pytest.mark.parametrize(("party", "green"), [([], 4), (["Keen Koi"], 6)])
def test_a_performed_card_counts_open_heroes_where_they_really_lie(
    party: list[str], green: int
) -> None:
    """R55: Grumpy Guard needs an open Water hero; a Water card in the tavern does not help."""
    game = given(
        player(0, hand=["Modest Monsterslayer"], open=party),
        tavern=["Grumpy Guard", "Furious Frog"],
    )
    game.play("Modest Monsterslayer", "perform Grumpy Guard")
    assert game.green == green
    assert game.hidden(0) == ["Grumpy Guard"]


# ---- closing clauses --------------------------------------------------------------------------


@SETTING_ASIDE
@pytest.mark.parametrize(
    ("hand", "question"),
    [
        (["Keen Koi"], ["A: play Keen Koi / [pass]"]),
        (["Ace Fighter"], ["A: [pass]"]),
        ([], []),
    ],
)
def test_the_closing_clause_follows_even_without_an_extra_card(
    hero: str, place: str, hand: list[str], question: list[str]
) -> None:
    """R39, R57: an empty hand is not asked, a hand of unsuitable cards is."""
    game = given(player(0, hand=[hero, *hand]), tavern=["Doubtful Priest"])
    game.play(hero, "perform Doubtful Priest", "B: red +2 / [red -2]", *question)
    assert game.changes() == {
        "markers": (2, 4),
        "tavern": [None, None, None],
        place: ["Doubtful Priest"],
    }


def test_the_closing_clause_of_modest_monsterslayer_waits_for_the_extra_card() -> None:
    """R54, R57, R61: the performer's neighbour moves red; the extra card comes first."""
    game = given(
        player(0, hand=["Modest Monsterslayer", "Keen Koi", "Ghastly Granny"]),
        tavern=["Doubtful Priest", "Furious Frog"],
        players=3,
    )
    game.choose("play Modest Monsterslayer", "perform Doubtful Priest", "B: [red +2] / red -2")
    assert game.hidden(0) == []
    game.choose("A: play Ghastly Granny / [play Keen Koi] / pass")
    assert game.changes() == {
        "markers": (5, 5),
        "tavern": [None, "Furious Frog", None],
        "A's hidden": ["Doubtful Priest"],
    }


def test_the_closing_clause_of_insidious_impaler_waits_for_the_extra_card() -> None:
    """R57, R61: Naughty Necromancer counts a graveyard without the Priest."""
    game = given(
        player(0, hand=["Insidious Impaler", "Naughty Necromancer"]),
        tavern=["Doubtful Priest"],
        graveyard=["Keen Koi"],
    )
    game.play("Insidious Impaler", "perform Doubtful Priest", "red -2", "play Naughty Necromancer")
    assert game.changes() == {
        "markers": (3, 5),
        "tavern": [None, None, None],
        "graveyard": ["Keen Koi", "Doubtful Priest"],
    }


def test_nested_closing_clauses_run_innermost_first() -> None:
    """R57, R126: Modest Monsterslayer performs Insidious Impaler, who performs Keen Koi."""
    game = given(
        markers(red=7, green=4),
        player(0, hand=["Modest Monsterslayer"], hidden=["Ace Fighter"]),
        tavern=["Insidious Impaler", "Leery Lizard", "Keen Koi"],
    )
    game.play(
        "Modest Monsterslayer",
        "perform Insidious Impaler",
        "perform Leery Lizard / [perform Keen Koi]",
    )
    assert game.changes() == {
        "markers": (6, 5),
        "tavern": [None, "Leery Lizard", None],
        "A's hidden": ["Ace Fighter", "Insidious Impaler"],
        "graveyard": ["Keen Koi"],
    }
    assert perceived_by_all(game) == [
        "Insidious Impaler: tavern 1 to aside",
        "Keen Koi: tavern 3 to aside",
        "Keen Koi: aside to graveyard",
        "Insidious Impaler: aside to A's hidden",
    ]


@SETTING_ASIDE
def test_the_closing_clause_is_carried_out_even_if_its_hero_was_buried(
    hero: str, place: str
) -> None:
    """R55, R57, R63: Unconfident Executioner, set aside, is no open hero itself."""
    game = given(player(0, hand=[hero]), tavern=["Unconfident Executioner"])
    game.play(hero, "perform Unconfident Executioner", f"[bury {hero}]")
    assert game.markers == (3, 3)
    assert game.open(0) == []
    assert game.graveyard + game.hidden(0) == [hero, "Unconfident Executioner"]
    assert place in game.changes()


@SETTING_ASIDE
def test_the_closing_clause_is_carried_out_even_if_its_hero_changed_its_owner(
    hero: str, place: str
) -> None:
    """R55, R56, R57, R63, R144: Goblin Cryptographer, set aside, is no open hero itself."""
    game = given(player(0, hand=[hero]), tavern=["Goblin Cryptographer"], players=3)
    game.play(
        hero,
        "perform Goblin Cryptographer",
        "red -1",
        f"[move {hero}] / pass",
        "give to B / [give to C]",
    )
    assert game.changes() == {
        "markers": (3, 4),
        "tavern": [None, None, None],
        "A's open": [],
        "C's open": [hero],
        place: ["Goblin Cryptographer"],
    }


@SETTING_ASIDE
def test_the_closing_clause_is_carried_out_even_if_its_hero_is_in_the_tavern(
    hero: str, place: str
) -> None:
    """R57, R63: Groggy Preacher exchanges the hero that performs him."""
    game = given(player(0, hand=[hero]), tavern=["Groggy Preacher", "Keen Koi"])
    game.play(hero, "perform Groggy Preacher", "red +1", "exchange Keen Koi", f"[for {hero}]")
    assert game.changes() == {
        "markers": (5, 4),
        "tavern": [None, hero, None],
        "A's open": ["Keen Koi"],
        place: ["Groggy Preacher"],
    }


def test_an_ability_is_finished_even_if_its_own_card_was_buried() -> None:
    """R63: Unconfident Executioner, performed by Ghastly Granny, buries her or itself."""
    for buried in ("Ghastly Granny", "Unconfident Executioner"):
        game = given(player(0, hand=["Ghastly Granny"], open=["Unconfident Executioner"]))
        game.play("Ghastly Granny", "perform Unconfident Executioner", f"bury {buried}")
        assert game.graveyard == [buried]
        assert len(game.open(0)) == 1


# ---- chains -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "start", "party"),
    [
        ("Modest Monsterslayer", ["perform Ghastly Granny"],
         ["Buried Emperor", "Furious Frog", "Modest Monsterslayer"]),
        ("Saltwater Sage", ["turn over A's hidden 1"],
         ["Buried Emperor", "Furious Frog", "Ghastly Granny", "Saltwater Sage"]),
        ("Sun-Shy Skeleton", [], ["Buried Emperor", "Furious Frog", "Sun-Shy Skeleton"]),
    ],
)  # fmt: skip
def test_a_card_of_the_chain_cannot_be_performed_again(
    hero: str, start: list[str], party: list[str]
) -> None:
    """R58, R60, R62, R122: Granny may pick neither herself, the first hero nor the Emperor."""

    def granny(*others: str) -> Scenario:
        return given(
            player(
                0,
                hand=[hero],
                open=["Emperor", *others],
                hidden=["Ghastly Granny"] if hero == "Saltwater Sage" else [],
            ),
            player(1, open=["Ace Fighter"]),
            tavern=["Ghastly Granny"] if hero == "Modest Monsterslayer" else [],
            graveyard=["Ghastly Granny"] if hero == "Sun-Shy Skeleton" else [],
        )

    game = granny("Furious Frog")
    game.play(hero, *start, "[perform Furious Frog]", "red -2, green -2")
    assert game.markers == (2, 2)
    assert game.open(0) == party

    game = granny()
    game.play(hero, *start)
    assert game.markers == (4, 4)


def test_modest_monsterslayer_performs_sage_who_performs_a_hidden_hero() -> None:
    """R54, R57, R140: Sage himself is hidden only when all is done."""
    game = given(
        player(0, hand=["Modest Monsterslayer"], hidden=["Depressed Druid"]),
        tavern=["Saltwater Sage"],
    )
    game.play("Modest Monsterslayer", "perform Saltwater Sage", "[turn over A's hidden 1]")
    assert game.changes() == {
        "markers": (1, 3),
        "tavern": [None, None, None],
        "A's open": ["Depressed Druid", "Modest Monsterslayer"],
        "A's hidden": ["Saltwater Sage"],
    }


def test_modest_monsterslayer_reaches_through_skeleton_no_deeper_than_the_emperor() -> None:
    """R59, R62, R131: with the Emperor on top of the graveyard nothing is performed."""
    game = given(
        player(0, hand=["Modest Monsterslayer"]),
        tavern=["Sun-Shy Skeleton"],
        graveyard=["Depressed Druid", "Buried Emperor"],
    )
    game.play("Modest Monsterslayer", "perform Sun-Shy Skeleton")
    assert game.changes() == {"tavern": [None, None, None], "A's hidden": ["Sun-Shy Skeleton"]}


def test_all_five_copying_cards_in_one_chain() -> None:
    """R54, R56, R57, R58: Granny, Sage, Impaler, Skeleton, Monsterslayer, and at last Keen Koi."""
    game = given(
        markers(red=9, green=4),
        player(
            0,
            hand=["Ghastly Granny"],
            open=["Saltwater Sage"],
            hidden=["Insidious Impaler", "Ace Fighter"],
        ),
        tavern=["Sun-Shy Skeleton", "Keen Koi", "Leery Lizard"],
        graveyard=["Furious Frog", "Modest Monsterslayer"],
    )
    game.play(
        "Ghastly Granny",
        "[perform Saltwater Sage]",
        "[turn over A's hidden 1] / turn over A's hidden 2",
        "[perform Sun-Shy Skeleton] / perform Leery Lizard / perform Keen Koi",
        "perform Leery Lizard / [perform Keen Koi]",
    )
    assert game.changes() == {
        "markers": (8, 5),
        "tavern": [None, None, "Leery Lizard"],
        "A's open": ["Ghastly Granny", "Insidious Impaler", "Saltwater Sage"],
        "A's hidden": ["Ace Fighter", "Keen Koi"],
        "graveyard": ["Furious Frog", "Modest Monsterslayer", "Sun-Shy Skeleton"],
    }


def test_sun_shy_skeleton_does_not_look_below_a_card_of_the_chain() -> None:
    """R59. No retail card buries the head of a chain in time, so the test does it by hand."""
    game = given(
        player(0, hand=["Ghastly Granny"], open=["Sun-Shy Skeleton", "Rotting Orangutan"]),
        graveyard=["Underpaid Mercenary"],
    )
    game.choose("play Ghastly Granny")
    state, granny = game.state, find_card("Ghastly Granny")
    state.move(Zone.OPEN, state.find(Zone.OPEN, granny), Zone.GRAVEYARD, LAST, EVERYBODY)
    game.choose("perform Sun-Shy Skeleton")

    assert game.markers == (4, 4)
    assert game.graveyard == ["Underpaid Mercenary", "Ghastly Granny"]
    assert game.options() == ["draw from the harbor"]


def test_an_extra_card_starts_a_new_chain() -> None:
    """R53, R58, R60, R61, R122: in it only Granny is barred, so she performs the Priest again."""
    game = given(
        player(0, hand=["Doubtful Priest", "Ghastly Granny", "Keen Koi"], open=["Furious Frog"])
    )
    game.play(
        "Doubtful Priest",
        "red +2",
        "play Ghastly Granny",
        "A: [perform Doubtful Priest] / perform Furious Frog",
        "B: [red +2] / red -2",
        "A: [play Keen Koi] / pass",
    )
    assert game.changes() == {"markers": (7, 5)}  # 8 and 4, then leading -1, trailing +1
    assert game.open(0) == ["Doubtful Priest", "Furious Frog", "Ghastly Granny", "Keen Koi"]


@SETTING_ASIDE
def test_the_old_chain_waits_while_a_new_one_uses_its_cards_again(hero: str, place: str) -> None:
    """R57, R58, R61: Granny, the Priest's extra card, performs the hero that set him aside."""
    game = given(
        player(0, hand=[hero, "Ghastly Granny"]),
        tavern=["Doubtful Priest", "Rotting Orangutan", "Keen Koi"],
    )
    game.play(
        hero,
        "perform Doubtful Priest",
        "red +2",
        "play Ghastly Granny",
        f"[perform {hero}]",
        "[perform Rotting Orangutan] / perform Keen Koi",
        "green +2",
    )
    assert game.changes() == {
        "markers": (6, 6),
        "tavern": [None, None, "Keen Koi"],
        place: ["Rotting Orangutan", "Doubtful Priest"],
    }


# ---- copies between any two choices -----------------------------------------------------------


def deep_chain() -> Scenario:
    """Sage, Granny, Impaler, Priest; then his extra card, the Skeleton, performing the Gorgon."""
    return given(
        player(
            0,
            hand=["Saltwater Sage", "Sun-Shy Skeleton", "Furious Frog"],
            open=["Insidious Impaler", "Underpaid Mercenary"],
            hidden=["Ghastly Granny"],
        ),
        player(1, hand=["Aimless Eel"], open=["Keen Koi", "Bored Goblin"]),
        player(2, hand=["Ace Fighter"]),
        tavern=["Leery Lizard", "Doubtful Priest"],
        graveyard=["Emperor", "Gorgeous Gorgon"],
    )


def cards_in_the_air() -> Scenario:
    """Monsterslayer and Impaler with a card set aside each, while the Squire's draws are open."""
    return given(
        player(0, hand=["Modest Monsterslayer", "Furious Frog"]),
        tavern=["Deep Sea Squire", "Insidious Impaler"],
        harbor=["Keen Koi"],
        wilderness=["Ace Fighter", "Leery Lizard"],
    )


def every_seat_decides() -> Scenario:
    """Granny performing the Witch, who asks every other player."""
    return given(
        player(0, hand=["Ghastly Granny", "Furious Frog"], open=["Will-Bending Witch"]),
        player(1, hand=["Keen Koi", "Aimless Eel"]),
        player(2),
        player(3, hand=["Ace Fighter", "Bored Goblin"]),
    )


Script: TypeAlias = tuple[str | Outcomes, ...]

STORIES: Final[tuple[tuple[Callable[[], Scenario], Script], ...]] = (
    (
        deep_chain,
        (
            "play Saltwater Sage",
            "turn over A's hidden 1",
            "perform Insidious Impaler",
            "perform Doubtful Priest",
            "red -2",
            "play Sun-Shy Skeleton",
            "green +1",
            "pick B",
            chance("Keen Koi"),
        ),
    ),
    (
        cards_in_the_air,
        (
            "play Modest Monsterslayer",
            "perform Insidious Impaler",
            "perform Deep Sea Squire",
            "red +1",
            draws("Keen Koi"),
            draws("Leery Lizard"),
            "place Keen Koi hidden",
        ),
    ),
    (
        every_seat_decides,
        (
            "play Ghastly Granny",
            "perform Will-Bending Witch",
            "green +1",
            "discard Aimless Eel",
            "discard Ace Fighter",
        ),
    ),
)
MIDDLES: Final = [
    (table, script[:done], script[done:])
    for table, script in STORIES
    for done in range(len(script) + 1)
]
"""Every point of every story: the table, the script so far, and the rest of it."""


def test_the_deep_chain_of_saltwater_sage() -> None:
    """R57, R58, R61: the outcome that the copies below must reach."""
    table, script = STORIES[0]
    game = table()
    game.choose(*script)
    party = ["Ghastly Granny", "Insidious Impaler", "Saltwater Sage", "Sun-Shy Skeleton"]
    assert game.changes() == {
        "markers": (2, 5),
        "tavern": ["Leery Lizard", None, None],
        "graveyard": ["Buried Emperor", "Gorgeous Gorgon", "Keen Koi", "Doubtful Priest"],
        "A's open": [*party, "Underpaid Mercenary"],
        "A's hidden": [],
        "B's open": ["Bored Goblin"],
    }
    assert game.options() == ["draw Leery Lizard", "draw from the harbor"]


def test_cards_in_the_air_are_put_away_innermost_first() -> None:
    """R57, R134: the Squire's cards, then the Squire, then the Impaler."""
    table, script = STORIES[1]
    game = table()
    game.choose(*script)
    assert (game.red, game.green) == (5, 4)
    assert game.hidden(0) == ["Keen Koi", "Insidious Impaler"]
    assert game.hand(0) == ["Furious Frog", "Leery Lizard"]
    assert game.graveyard == ["Deep Sea Squire"]
    assert game.harbor == ["Ace Fighter"]


@pytest.mark.parametrize(("table", "done", "rest"), MIDDLES)
def test_a_copy_in_the_middle_of_a_chain_continues_identically(
    table: Callable[[], Scenario], done: Script, rest: Script
) -> None:
    game = table()
    game.choose(*done)
    twin = Scenario(game.state.copy())
    assert twin.state.key() == game.state.key()
    for item in rest:
        assert (twin.actor, twin.options()) == (game.actor, game.options())
        game.choose(item)
        twin.choose(item)
        assert twin.state.key() == game.state.key()
    assert (twin.actor, twin.options()) == (game.actor, game.options())


@pytest.mark.parametrize(("table", "done", "rest"), MIDDLES)
def test_a_copy_in_the_middle_of_a_chain_is_independent(
    table: Callable[[], Scenario], done: Script, rest: Script
) -> None:
    """Neither continuing the original nor trying its other moves changes the copy."""
    game = table()
    game.choose(*done)
    kept = Scenario(game.state.copy())
    before, options = kept.state.key(), kept.options()

    for move in game.state.moves():
        branch = game.state.copy()
        branch.play(move)
        assert branch.key() != before
    assert game.state.key() == before
    game.choose(*rest)
    assert (kept.state.key(), kept.options()) == (before, options)

    kept.choose(*rest)
    assert kept.state.key() == game.state.key()
