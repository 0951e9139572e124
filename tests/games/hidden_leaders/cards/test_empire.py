"""The nineteen heroes of the Imperial Army."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.constants import Event
from games.state import CHANCE
from tests.support.perceived import moved
from tests.support.scenario import Scenario, chance, given, markers, player

# ---- Short-Sighted Soldier, Flailing Knight, Underpaid Mercenary ------------------------------


@pytest.mark.parametrize(
    ("hero", "before", "after"),
    [
        ("Short-Sighted Soldier", (4, 4), (5, 3)),
        ("Short-Sighted Soldier", (12, 4), (12, 3)),
        ("Short-Sighted Soldier", (4, 1), (5, 1)),
        ("Flailing Knight", (8, 8), (7, 5)),
        ("Flailing Knight", (1, 3), (1, 1)),
        ("Underpaid Mercenary", (4, 4), (7, 5)),
        ("Underpaid Mercenary", (10, 12), (12, 12)),
    ],
)
def test_heroes_of_the_empire_that_only_move_markers(
    hero: str, before: tuple[int, int], after: tuple[int, int]
) -> None:
    """R30, R31, R147: Short-Sighted Soldier, Flailing Knight, Underpaid Mercenary ask nothing."""
    game = given(
        markers(*before),
        player(0, hand=[hero, "Keen Koi"]),
        player(1, open=["Ace Fighter"], hidden=["Grumpy Guard"]),
        tavern=["Furious Frog"],
    )

    game.play(hero)

    assert (game.red, game.green) == after
    assert game.open(0) == [hero]
    assert game.hand(0) == ["Keen Koi"]
    assert (game.open(1), game.hidden(1)) == (["Ace Fighter"], ["Grumpy Guard"])
    assert game.tavern == ["Furious Frog", None, None]


# ---- Doubtful Priest --------------------------------------------------------------------------


def test_doubtful_priest_asks_the_next_player_then_grants_one_more_card() -> None:
    """R36, R53, R113: the neighbour moves red; the extra card is played open and resolved."""
    game = given(player(0, hand=["Doubtful Priest", "Rotting Orangutan", "Keen Koi"]), players=3)

    game.choose("play Doubtful Priest")
    assert game.actor == 1
    assert game.options() == ["red +2", "red -2"]
    game.choose("red -2")
    assert (game.actor, game.red) == (0, 2)
    assert game.options() == ["play Rotting Orangutan", "play Keen Koi", "pass"]
    game.choose("play Rotting Orangutan")
    assert game.actor == 0
    assert game.options() == ["red +2", "green +2"]
    game.choose("green +2")

    assert (game.red, game.green) == (2, 6)
    assert game.open(0) == ["Doubtful Priest", "Rotting Orangutan"]
    assert game.hand(0) == ["Keen Koi"]
    assert "draw from the harbor" in game.options()  # a second extra card is not granted


def test_doubtful_priest_of_the_last_seat_asks_the_first() -> None:
    """R54, R113: clockwise."""
    game = given(player(2, hand=["Doubtful Priest"]), turn=2, players=3)
    game.choose("play Doubtful Priest")
    assert game.actor == 0


def test_doubtful_priest_may_be_followed_by_nothing() -> None:
    """R23, R113: declining is enough, the draw step follows."""
    game = given(player(0, hand=["Doubtful Priest", "Keen Koi"]))

    game.play("Doubtful Priest", "red +2", "pass")

    assert (game.red, game.green) == (6, 4)
    assert game.open(0) == ["Doubtful Priest"]
    assert game.hand(0) == ["Keen Koi"]
    assert game.options() == ["draw from the harbor"]


def test_doubtful_priest_offers_neither_empire_heroes_nor_the_emperor() -> None:
    """R70, R71, R113: and no discarding instead (R53)."""
    game = given(
        player(0, hand=["Doubtful Priest", "Ace Fighter", "Buried Emperor", "Grumpy Guard"])
    )
    game.choose("play Doubtful Priest", "red +2")
    assert game.options() == ["play Grumpy Guard", "pass"]


def test_doubtful_priest_asks_even_without_an_eligible_card_so_that_nothing_leaks() -> None:
    """R39: declining looks the same to the others whatever the hand holds."""

    def news_of_the_neighbour(other: str) -> list[tuple[int, ...]]:
        game = given(player(0, hand=["Doubtful Priest", other]))
        game.choose("play Doubtful Priest", "red +2")
        assert game.actor == 0
        eligible = [f"play {other}"] if other == "Keen Koi" else []
        assert game.options() == [*eligible, "pass"]
        game.choose("pass")
        return game.events(1)

    able = news_of_the_neighbour("Keen Koi")
    assert able == news_of_the_neighbour("Ace Fighter")
    assert able == news_of_the_neighbour("Buried Emperor")


def test_doubtful_priest_with_an_empty_hand_is_not_asked() -> None:
    """R24, R39, R113: everybody sees that there is no card."""
    game = given(player(0, hand=["Doubtful Priest"]))
    game.play("Doubtful Priest", "red -2")
    assert game.red == 2
    assert game.open(0) == ["Doubtful Priest"]


@pytest.mark.parametrize(
    ("red", "offered"), [(1, ["red +2"]), (2, ["red +2", "red -2"]), (12, ["red -2"])]
)
def test_doubtful_priest_the_neighbour_must_move_red(red: int, offered: list[str]) -> None:
    """R32: an alternative that moves nothing is not offered."""
    game = given(markers(red, 4), player(0, hand=["Doubtful Priest"]))
    game.choose("play Doubtful Priest")
    assert game.actor == 1
    assert game.options() == offered


def test_doubtful_priest_is_performed_again_by_granny_as_the_extra_card() -> None:
    """R58, R60, R61, R122: a new chain begins, in which only Granny herself is barred."""
    game = given(
        player(0, hand=["Doubtful Priest", "Ghastly Granny", "Keen Koi"], open=["Furious Frog"])
    )

    game.choose("play Doubtful Priest", "red +2", "play Ghastly Granny")
    assert game.actor == 0
    assert game.options() == ["perform Doubtful Priest", "perform Furious Frog"]
    game.choose("perform Doubtful Priest")
    assert game.actor == 1
    assert game.options() == ["red +2", "red -2"]
    game.choose("red +2")
    assert game.actor == 0
    assert game.options() == ["play Keen Koi", "pass"]
    game.choose("play Keen Koi")

    assert (game.red, game.green) == (7, 5)  # 8 and 4, then leading -1, trailing +1
    assert game.open(0) == ["Doubtful Priest", "Furious Frog", "Ghastly Granny", "Keen Koi"]
    assert game.hand(0) == []
    assert game.options() == ["draw from the harbor"]


def test_doubtful_priest_extra_card_can_end_the_game_by_being_open() -> None:
    """R53, R81: it counts for the threshold like any card played."""
    game = given(player(0, hand=["Doubtful Priest", "Grumpy Guard"]), threshold=2)
    game.play("Doubtful Priest", "red +2", "play Grumpy Guard")
    game.end_turn()
    assert game.over


# ---- Underestimated Squire --------------------------------------------------------------------


def underestimated_squire() -> Scenario:
    game = given(
        player(
            2,
            hand=["Underestimated Squire", "Keen Koi", "Ace Fighter"],
            hidden=["Grumpy Guard", "Furious Frog", "Crow Carrier"],
        ),
        player(1, hidden=["Leery Lizard"]),
        turn=2,
    )
    game.events(1)
    game.events(2)
    return game


def test_underestimated_squire_exchanges_a_hidden_hero_with_a_hand_card() -> None:
    """R42, R114: the index stays; only own hidden heroes are offered; nothing is resolved."""
    game = underestimated_squire()

    game.choose("play Underestimated Squire")
    assert (game.red, game.green) == (3, 3)
    assert game.options() == [
        "exchange C's hidden 1",
        "exchange C's hidden 2",
        "exchange C's hidden 3",
        "pass",
    ]
    game.choose("exchange C's hidden 2")
    assert game.options() == ["for Ace Fighter", "for Keen Koi"]
    game.choose("for Keen Koi")

    assert game.hidden(2) == ["Grumpy Guard", "Keen Koi", "Crow Carrier"]
    assert game.hand(2) == ["Ace Fighter", "Furious Frog"]
    assert game.hidden(1) == ["Leery Lizard"]
    assert (game.red, game.green) == (3, 3)


def test_underestimated_squire_shows_the_others_the_index_but_no_card() -> None:
    """P19."""
    game = underestimated_squire()

    game.play("Underestimated Squire", "exchange C's hidden 2", "for Keen Koi")

    assert moved(game, 2)[1:] == [
        "Keen Koi: C's hand to aside",
        "Furious Frog: C's hidden 2 to C's hand",
        "Keen Koi: aside to C's hidden 2",
    ]
    assert moved(game, 1)[1:] == [
        "?: C's hand to aside",
        "?: C's hidden 2 to C's hand",
        "?: aside to C's hidden 2",
    ]


def test_underestimated_squire_does_not_tell_which_hand_card_it_was() -> None:
    """R38, P19: the others' news is the same for either hand card."""
    one, other = underestimated_squire(), underestimated_squire()
    one.play("Underestimated Squire", "exchange C's hidden 2", "for Keen Koi")
    other.play("Underestimated Squire", "exchange C's hidden 2", "for Ace Fighter")
    assert one.events(1) == other.events(1)


def test_underestimated_squire_may_pass() -> None:
    """R23, R114."""
    game = underestimated_squire()
    game.play("Underestimated Squire", "pass")
    assert game.hidden(2) == ["Grumpy Guard", "Furious Frog", "Crow Carrier"]
    assert game.hand(2) == ["Ace Fighter", "Keen Koi"]


@pytest.mark.parametrize(("hand", "hidden"), [([], ["Keen Koi"]), (["Keen Koi"], []), ([], [])])
def test_underestimated_squire_needs_both_cards(hand: list[str], hidden: list[str]) -> None:
    """R24, R42, R114: with either missing nothing is asked."""
    game = given(
        player(0, hand=["Underestimated Squire", *hand], hidden=hidden),
        player(1, hand=["Furious Frog"], hidden=["Leery Lizard"]),
    )
    game.play("Underestimated Squire")
    assert (game.red, game.green) == (3, 3)
    assert (game.hand(0), game.hidden(0)) == (hand, hidden)


# ---- Heart-Bending Bard -----------------------------------------------------------------------


def test_heart_bending_bard_discards_water_and_tribes_from_the_tavern_then_moves_green() -> None:
    """R22, R37, R103: no choice, slot order, and the marker only after the cards."""
    game = given(
        player(0, hand=["Heart-Bending Bard"]),
        tavern=["Keen Koi", "Grumpy Guard", "Ace Fighter"],
        wilderness=["Furious Frog"],
    )
    game.events(1)

    game.play("Heart-Bending Bard")

    assert game.tavern == [None, None, "Ace Fighter"]
    assert game.wilderness == ["Furious Frog", "Keen Koi", "Grumpy Guard"]
    assert (game.red, game.green) == (4, 2)
    kinds = [event[0] for event in game.events(1) if event[0] in (Event.MOVED, Event.MARKERS)]
    assert kinds == [Event.MOVED, Event.MOVED, Event.MOVED, Event.MARKERS]


def test_heart_bending_bard_counts_the_emperor_once() -> None:
    """R70, R72."""
    game = given(player(0, hand=["Heart-Bending Bard"]), tavern=["Crow Carrier", "Buried Emperor"])
    game.play("Heart-Bending Bard")
    assert game.green == 3
    assert game.tavern == ["Crow Carrier", None, None]
    assert game.wilderness == ["Buried Emperor"]


def test_heart_bending_bard_stops_green_at_the_first_space() -> None:
    """R30, R35."""
    game = given(
        markers(4, 3),
        player(0, hand=["Heart-Bending Bard"]),
        tavern=["Keen Koi", "Grumpy Guard", "Leery Lizard"],
    )
    game.play("Heart-Bending Bard")
    assert (game.red, game.green) == (4, 1)
    assert game.wilderness == ["Keen Koi", "Grumpy Guard", "Leery Lizard"]


@pytest.mark.parametrize("tavern", [[], ["Ace Fighter", "Crow Carrier"]])
def test_heart_bending_bard_without_prey_does_nothing(tavern: list[str]) -> None:
    """R24, R103."""
    game = given(player(0, hand=["Heart-Bending Bard"]), tavern=tavern)
    game.play("Heart-Bending Bard")
    assert (game.red, game.green) == (4, 4)
    assert game.wilderness == []
    assert [card for card in game.tavern if card] == tavern


# ---- Modest Monsterslayer ---------------------------------------------------------------------


def test_modest_monsterslayer_performs_a_tavern_card_and_hides_it() -> None:
    """R54, R55, R56, R115: it is never open, its slot stays empty; it becomes the newest."""
    game = given(
        player(0, hand=["Modest Monsterslayer"], hidden=["Ace Fighter"]),
        tavern=["Rotting Orangutan", None, "Keen Koi"],
    )

    game.choose("play Modest Monsterslayer")
    assert game.actor == 0
    assert game.options() == ["perform Rotting Orangutan", "perform Keen Koi"]
    game.choose("perform Rotting Orangutan")
    assert game.tavern == [None, None, "Keen Koi"]
    assert (game.open(0), game.hidden(0)) == (["Modest Monsterslayer"], ["Ace Fighter"])
    assert game.options() == ["red +2", "green +2"]
    game.choose("green +2")

    assert (game.red, game.green) == (4, 6)
    assert game.open(0) == ["Modest Monsterslayer"]
    assert game.hidden(0) == ["Ace Fighter", "Rotting Orangutan"]
    assert game.tavern == [None, None, "Keen Koi"]


def test_modest_monsterslayer_hides_a_card_everybody_knows() -> None:
    """P15."""
    game = given(player(0, hand=["Modest Monsterslayer"]), tavern=[None, "Depressed Druid"])
    game.events(0)
    game.events(1)

    game.play("Modest Monsterslayer", "perform Depressed Druid")

    for seat in range(2):
        assert moved(game, seat) == [
            "Modest Monsterslayer: A's hand to A's open",
            "Depressed Druid: tavern 2 to aside",
            "Depressed Druid: aside to A's hidden",
        ]
    assert (game.red, game.green) == (1, 3)


def test_modest_monsterslayer_with_an_empty_tavern_does_nothing() -> None:
    """R24, R115."""
    game = given(player(0, hand=["Modest Monsterslayer"], hidden=["Ace Fighter"]))
    game.play("Modest Monsterslayer")
    assert game.hidden(0) == ["Ace Fighter"]
    assert (game.red, game.green) == (4, 4)


def test_modest_monsterslayer_hides_the_emperor_without_an_effect() -> None:
    """R62: picked like any tavern card, though nothing is performed."""
    game = given(player(0, hand=["Modest Monsterslayer"]), tavern=["Buried Emperor"])
    game.play("Modest Monsterslayer", "perform Buried Emperor")
    assert game.hidden(0) == ["Buried Emperor"]
    assert game.tavern == [None, None, None]
    assert (game.red, game.green) == (4, 4)


def test_modest_monsterslayer_sets_the_card_aside_where_nothing_finds_it() -> None:
    """R56: Battle Connoisseur performed from the tavern neither hides nor discards itself."""
    game = given(
        player(0, hand=["Modest Monsterslayer"]),
        tavern=["Keen Koi", "Battle Connoisseur", "Furious Frog"],
    )

    game.choose("play Modest Monsterslayer", "perform Battle Connoisseur")
    assert game.options() == ["place Furious Frog hidden", "place Keen Koi hidden"]
    game.choose("place Keen Koi hidden")

    assert game.hidden(0) == ["Keen Koi", "Battle Connoisseur"]
    assert game.wilderness == ["Furious Frog"]
    assert game.green == 5


def test_modest_monsterslayer_performs_a_card_whose_text_finds_nothing() -> None:
    """R24, R56, R57: Groggy Preacher was the last tavern card; the closing clause remains."""
    game = given(player(0, hand=["Modest Monsterslayer"]), tavern=["Groggy Preacher"])
    game.play("Modest Monsterslayer", "perform Groggy Preacher", "red +1")
    assert game.hidden(0) == ["Groggy Preacher"]
    assert game.open(0) == ["Modest Monsterslayer"]


def test_modest_monsterslayer_leaves_decisions_of_others_to_them() -> None:
    """R36, R54, R102: with Overworked Amazon the picked player chooses."""
    game = given(
        player(0, hand=["Modest Monsterslayer"]),
        player(1, open=["Keen Koi", "Furious Frog"]),
        tavern=["Overworked Amazon"],
    )

    game.choose("play Modest Monsterslayer", "perform Overworked Amazon", "red +1", "pick B")
    assert game.actor == 1
    assert game.options() == ["bury Furious Frog", "bury Keen Koi"]
    game.choose("bury Keen Koi")

    assert game.graveyard == ["Keen Koi"]
    assert game.hidden(0) == ["Overworked Amazon"]


def test_modest_monsterslayer_still_hides_the_card_after_burying_itself() -> None:
    """R55, R57, R63: Unconfident Executioner, set aside, is itself no target."""
    game = given(player(0, hand=["Modest Monsterslayer"]), tavern=["Unconfident Executioner"])

    game.choose("play Modest Monsterslayer", "perform Unconfident Executioner")
    assert game.options() == ["bury Modest Monsterslayer"]
    game.choose("bury Modest Monsterslayer")

    assert game.graveyard == ["Modest Monsterslayer"]
    assert game.open(0) == []
    assert game.hidden(0) == ["Unconfident Executioner"]


def test_modest_monsterslayer_is_barred_from_the_chain_it_began() -> None:
    """R58, R60, R122: Granny, performed, finds no hero but Monsterslayer; nothing happens."""
    game = given(player(0, hand=["Modest Monsterslayer"]), tavern=["Ghastly Granny", "Keen Koi"])
    game.play("Modest Monsterslayer", "perform Ghastly Granny")
    assert game.hidden(0) == ["Ghastly Granny"]
    assert game.tavern == [None, "Keen Koi", None]


def test_modest_monsterslayer_chain_goes_on_with_other_heroes() -> None:
    """R58, R62: Granny may pick Furious Frog, but neither Monsterslayer nor the Emperor."""
    game = given(
        player(0, hand=["Modest Monsterslayer"], open=["Furious Frog", "Buried Emperor"]),
        tavern=["Ghastly Granny"],
    )

    game.choose("play Modest Monsterslayer", "perform Ghastly Granny")
    assert game.options() == ["perform Furious Frog"]
    game.choose("perform Furious Frog", "red -2, green -2")

    assert (game.red, game.green) == (2, 2)
    assert game.hidden(0) == ["Ghastly Granny"]
    assert game.open(0) == ["Buried Emperor", "Furious Frog", "Modest Monsterslayer"]


def test_modest_monsterslayer_reaches_through_skeleton_no_deeper_than_the_emperor() -> None:
    """R59, R62, R131: with the Emperor on top of the graveyard nothing is performed."""
    game = given(
        player(0, hand=["Modest Monsterslayer"]),
        tavern=["Sun-Shy Skeleton"],
        graveyard=["Depressed Druid", "Buried Emperor"],
    )
    game.play("Modest Monsterslayer", "perform Sun-Shy Skeleton")
    assert (game.red, game.green) == (4, 4)
    assert game.graveyard == ["Depressed Druid", "Buried Emperor"]
    assert game.hidden(0) == ["Sun-Shy Skeleton"]


def test_modest_monsterslayer_performs_sage_who_performs_a_hidden_hero() -> None:
    """R54, R57, R140: only heroes hidden before count; Sage is hidden when all is done."""
    game = given(
        player(0, hand=["Modest Monsterslayer"], hidden=["Depressed Druid"]),
        tavern=["Saltwater Sage"],
    )
    game.choose("play Modest Monsterslayer", "perform Saltwater Sage")
    assert game.options() == ["turn over A's hidden 1"]
    game.choose("turn over A's hidden 1")
    assert (game.red, game.green) == (1, 3)
    assert game.open(0) == ["Depressed Druid", "Modest Monsterslayer"]
    assert game.hidden(0) == ["Saltwater Sage"]


def test_modest_monsterslayer_runs_nested_closing_clauses_innermost_first() -> None:
    """R57, R126: the Impaler it performs buries its own pick before being hidden itself."""
    game = given(
        player(0, hand=["Modest Monsterslayer"]),
        tavern=["Insidious Impaler", "Pigmented War Pig", "Keen Koi"],
    )
    game.events(1)

    game.choose("play Modest Monsterslayer", "perform Insidious Impaler")
    assert game.options() == ["perform Pigmented War Pig", "perform Keen Koi"]
    game.choose("perform Pigmented War Pig")

    assert (game.red, game.green) == (3, 5)
    assert game.graveyard == ["Pigmented War Pig"]
    assert game.hidden(0) == ["Insidious Impaler"]
    assert game.tavern == [None, None, "Keen Koi"]
    assert moved(game, 1)[-2:] == [
        "Pigmented War Pig: aside to graveyard",
        "Insidious Impaler: aside to A's hidden",
    ]


def monsterslayer_performing_priest() -> Scenario:
    game = given(
        player(0, hand=["Modest Monsterslayer", "Keen Koi", "Ghastly Granny"]),
        tavern=["Doubtful Priest", "Furious Frog"],
        players=3,
    )
    game.choose("play Modest Monsterslayer", "perform Doubtful Priest")
    return game


def test_modest_monsterslayer_hides_doubtful_priest_after_the_extra_card() -> None:
    """R54, R57, R61: the neighbour of the performer moves red; the extra card comes first."""
    game = monsterslayer_performing_priest()

    assert game.actor == 1
    assert game.options() == ["red +2", "red -2"]
    game.choose("red +2")
    assert game.actor == 0
    assert game.options() == ["play Ghastly Granny", "play Keen Koi", "pass"]
    assert game.hidden(0) == []
    game.choose("play Keen Koi")

    assert (game.red, game.green) == (5, 5)
    assert game.open(0) == ["Keen Koi", "Modest Monsterslayer"]
    assert game.hidden(0) == ["Doubtful Priest"]
    assert game.hand(0) == ["Ghastly Granny"]
    assert game.tavern == [None, "Furious Frog", None]


def test_modest_monsterslayer_hides_doubtful_priest_also_if_the_extra_card_is_declined() -> None:
    """R57."""
    game = monsterslayer_performing_priest()
    game.choose("red +2", "pass")
    assert game.hidden(0) == ["Doubtful Priest"]
    assert game.open(0) == ["Modest Monsterslayer"]
    assert game.hand(0) == ["Ghastly Granny", "Keen Koi"]
    assert "draw from the harbor" in game.options()


def test_modest_monsterslayer_may_be_performed_in_the_new_chain_of_an_extra_card() -> None:
    """R57, R58, R61: Granny's chain is another one; both closing clauses run, hers first."""
    game = monsterslayer_performing_priest()

    game.choose("red +2", "play Ghastly Granny")
    assert game.options() == ["perform Modest Monsterslayer"]
    game.choose("perform Modest Monsterslayer")
    assert game.options() == ["perform Furious Frog"]
    game.choose("perform Furious Frog", "red -2")

    assert game.hidden(0) == ["Furious Frog", "Doubtful Priest"]
    assert game.open(0) == ["Ghastly Granny", "Modest Monsterslayer"]
    assert game.tavern == [None, None, None]
    assert (game.red, game.green) == (4, 4)
    assert game.hand(0) == ["Keen Koi"]


# ---- Ace Fighter ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("red", "green", "offered"),
    [
        (4, 6, ["red +1", "red +2"]),
        (4, 4, ["red +1"]),
        (6, 4, ["red +1"]),
        (11, 12, ["red +1"]),
    ],
)
def test_ace_fighter_takes_two_steps_only_while_green_leads(
    red: int, green: int, offered: list[str]
) -> None:
    """R32, R33, R109: on the same space nobody leads; equal results are one alternative."""
    game = given(markers(red, green), player(0, hand=["Ace Fighter"]))
    game.choose("play Ace Fighter")
    assert game.actor == 0
    assert game.options() == offered


@pytest.mark.parametrize(("text", "red"), [("red +1", 5), ("red +2", 6)])
def test_ace_fighter_moves_red_forward(text: str, red: int) -> None:
    """R109."""
    game = given(markers(4, 6), player(0, hand=["Ace Fighter"]))
    game.play("Ace Fighter", text)
    assert (game.red, game.green) == (red, 6)


def test_ace_fighter_on_the_last_space_asks_nothing() -> None:
    """R32."""
    game = given(markers(12, 12), player(0, hand=["Ace Fighter"]))
    game.play("Ace Fighter")
    assert (game.red, game.green) == (12, 12)


# ---- Battle Connoisseur -----------------------------------------------------------------------


def test_battle_connoisseur_hides_one_tavern_card_and_discards_the_others() -> None:
    """R37, R43, R116: slot order on the wilderness; nothing is resolved."""
    game = given(
        player(0, hand=["Battle Connoisseur", "Crow Carrier"], hidden=["Ace Fighter"]),
        tavern=["Keen Koi", "Depressed Druid", "Furious Frog"],
    )
    game.events(0)
    game.events(1)

    game.choose("play Battle Connoisseur")
    assert (game.red, game.green) == (4, 5)
    assert game.options() == [
        "place Depressed Druid hidden",
        "place Furious Frog hidden",
        "place Keen Koi hidden",
    ]
    game.choose("place Depressed Druid hidden")

    assert game.hidden(0) == ["Ace Fighter", "Depressed Druid"]
    assert game.wilderness == ["Keen Koi", "Furious Frog"]
    assert game.tavern == [None, None, None]
    assert game.hand(0) == ["Crow Carrier"]
    assert (game.red, game.green) == (4, 5)
    for seat in range(2):  # P33
        assert moved(game, seat)[1:] == [
            "Depressed Druid: tavern 2 to A's hidden",
            "Keen Koi: tavern 1 to wilderness",
            "Furious Frog: tavern 3 to wilderness",
        ]


def test_battle_connoisseur_places_the_only_tavern_card() -> None:
    """R24, R74, R116: even if it is the Emperor; nothing is left to discard."""
    game = given(player(0, hand=["Battle Connoisseur"]), tavern=[None, "Buried Emperor"])
    game.choose("play Battle Connoisseur")
    assert game.options() == ["place Buried Emperor hidden"]
    game.choose("place Buried Emperor hidden")
    assert game.hidden(0) == ["Buried Emperor"]
    assert game.wilderness == []


def test_battle_connoisseur_with_an_empty_tavern_only_moves_green() -> None:
    """R24, R116."""
    game = given(player(0, hand=["Battle Connoisseur", "Keen Koi"]))
    game.play("Battle Connoisseur")
    assert game.green == 5
    assert game.hidden(0) == game.wilderness == []
    assert game.hand(0) == ["Keen Koi"]


# ---- Canned Champion --------------------------------------------------------------------------


def test_canned_champion_buries_an_open_tribes_hero_of_any_party_or_the_emperor() -> None:
    """R22, R70, R101."""
    game = given(
        player(0, hand=["Canned Champion"], open=["Grumpy Guard"]),
        player(1, open=["Bored Goblin", "Keen Koi"], hidden=["Depressed Druid"]),
        player(2, open=["Buried Emperor", "Ace Fighter"]),
        tavern=["Hairy Hermit"],
    )

    game.choose("play Canned Champion")
    assert game.options() == ["red -1", "green +1"]
    game.choose("green +1")
    assert (game.actor, game.green) == (0, 5)
    assert game.options() == ["bury Bored Goblin", "bury Grumpy Guard", "bury Buried Emperor"]
    game.choose("bury Buried Emperor")

    assert game.graveyard == ["Buried Emperor"]
    assert game.open(2) == ["Ace Fighter"]
    assert game.open(1) == ["Bored Goblin", "Keen Koi"]
    assert game.open(0) == ["Canned Champion", "Grumpy Guard"]
    assert (game.red, game.green) == (4, 5)


def test_canned_champion_must_bury_an_own_hero_if_it_is_the_only_target() -> None:
    """R25."""
    game = given(player(0, hand=["Canned Champion"], open=["Grumpy Guard"]))
    game.choose("play Canned Champion", "red -1")
    assert game.options() == ["bury Grumpy Guard"]
    game.choose("bury Grumpy Guard")
    assert game.graveyard == ["Grumpy Guard"]
    assert game.open(0) == ["Canned Champion"]


def test_canned_champion_without_an_open_tribes_hero_only_moves_a_marker() -> None:
    """R24, R101: hidden heroes and heroes of other factions are no targets."""
    game = given(
        player(0, hand=["Canned Champion"]),
        player(1, open=["Keen Koi"], hidden=["Grumpy Guard"]),
    )
    game.play("Canned Champion", "red -1")
    assert (game.red, game.green) == (3, 4)
    assert game.graveyard == []
    assert (game.open(1), game.hidden(1)) == (["Keen Koi"], ["Grumpy Guard"])


def test_canned_champion_at_the_ends_of_the_track() -> None:
    """R32."""
    game = given(markers(1, 4), player(0, hand=["Canned Champion"]))
    game.choose("play Canned Champion")
    assert game.options() == ["green +1"]

    game = given(
        markers(1, 12), player(0, hand=["Canned Champion"]), player(1, open=["Grumpy Guard"])
    )
    game.play("Canned Champion", "bury Grumpy Guard")
    assert (game.red, game.green) == (1, 12)


# ---- Nagging Northman and Angry Priestess -----------------------------------------------------


def test_nagging_northman_may_discard_a_tribes_card_for_red() -> None:
    """R22, R70, R117: the marker follows the discard; the Emperor matches."""
    game = given(
        player(0, hand=["Nagging Northman"]),
        player(1, open=["Bored Goblin"]),
        tavern=["Keen Koi", "Grumpy Guard", "Buried Emperor"],
    )

    game.choose("play Nagging Northman")
    assert (game.actor, game.red) == (0, 4)
    assert game.options() == ["discard Grumpy Guard", "discard Buried Emperor", "pass"]
    game.choose("discard Grumpy Guard")

    assert (game.red, game.green) == (6, 4)
    assert game.tavern == ["Keen Koi", None, "Buried Emperor"]
    assert game.wilderness == ["Grumpy Guard"]


def test_angry_priestess_may_discard_an_undead_card_to_push_green_back() -> None:
    """R22, R70, R117: the marker follows the discard; the Emperor matches."""
    game = given(
        player(0, hand=["Angry Priestess"]),
        player(1, open=["Half-Eaten Bull"]),
        tavern=["Crow Carrier", "Buried Emperor", "Grumpy Guard"],
    )

    game.choose("play Angry Priestess")
    assert (game.actor, game.green) == (0, 4)
    assert game.options() == ["discard Crow Carrier", "discard Buried Emperor", "pass"]
    game.choose("discard Buried Emperor")

    assert (game.red, game.green) == (4, 2)
    assert game.tavern == ["Crow Carrier", None, "Grumpy Guard"]
    assert game.wilderness == ["Buried Emperor"]


@pytest.mark.parametrize(
    ("hero", "prey"), [("Nagging Northman", "Grumpy Guard"), ("Angry Priestess", "Crow Carrier")]
)
def test_nagging_northman_and_angry_priestess_may_decline(hero: str, prey: str) -> None:
    """R23, R117: then no marker moves."""
    game = given(player(0, hand=[hero]), tavern=[prey])
    game.play(hero, "pass")
    assert (game.red, game.green) == (4, 4)
    assert game.tavern == [prey, None, None]
    assert game.wilderness == []


@pytest.mark.parametrize(
    ("hero", "tavern"),
    [
        ("Nagging Northman", ["Keen Koi", "Ace Fighter", "Crow Carrier"]),
        ("Angry Priestess", ["Keen Koi", "Ace Fighter", "Grumpy Guard"]),
        ("Nagging Northman", [None, None, None]),
        ("Angry Priestess", [None, None, None]),
    ],
)
def test_nagging_northman_and_angry_priestess_without_prey_do_nothing(
    hero: str, tavern: list[str | None]
) -> None:
    """R24, R117."""
    game = given(player(0, hand=[hero]), tavern=tavern)
    game.play(hero)
    assert (game.red, game.green) == (4, 4)
    assert game.tavern == tavern


def test_nagging_northman_and_angry_priestess_discard_even_if_the_marker_cannot_move() -> None:
    """R30: surplus steps are lost."""
    game = given(markers(12, 2), player(0, hand=["Nagging Northman"]), tavern=["Grumpy Guard"])
    game.play("Nagging Northman", "discard Grumpy Guard")
    assert (game.red, game.green) == (12, 2)
    assert game.wilderness == ["Grumpy Guard"]

    game = given(markers(12, 2), player(0, hand=["Angry Priestess"]), tavern=["Crow Carrier"])
    game.play("Angry Priestess", "discard Crow Carrier")
    assert (game.red, game.green) == (12, 1)
    assert game.wilderness == ["Crow Carrier"]


# ---- Almost-Evil Scholar ----------------------------------------------------------------------


@pytest.mark.parametrize(("pick", "steps"), [("A", 1), ("B", 2), ("C", 0), ("D", 3)])
def test_almost_evil_scholar_counts_open_tribes_heroes_of_any_player(pick: str, steps: int) -> None:
    """R28, R35, R70, R112: oneself too, the Emperor is one, hidden ones none, three at most."""
    game = given(
        player(0, hand=["Almost-Evil Scholar"], open=["Grumpy Guard"]),
        player(1, open=["Bored Goblin", "Buried Emperor", "Keen Koi"], hidden=["Hairy Hermit"]),
        player(2, hidden=["Joyless Chief"]),
        player(
            3,
            open=["Curious Troll", "Watchful Witch", "Depressed Druid", "Blind Eye Collector"],
        ),
    )

    game.choose("play Almost-Evil Scholar")
    assert (game.actor, game.red) == (0, 4)
    assert game.options() == ["pick A", "pick B", "pick C", "pick D"]
    game.choose(f"pick {pick}")

    assert (game.red, game.green) == (4 + steps, 4)
    assert "draw from the harbor" in game.options()


def test_almost_evil_scholar_stops_at_the_last_space() -> None:
    """R30."""
    game = given(
        markers(11, 4),
        player(0, hand=["Almost-Evil Scholar"]),
        player(1, open=["Grumpy Guard", "Bored Goblin"]),
    )
    game.play("Almost-Evil Scholar", "pick B")
    assert game.red == 12


# ---- Well-Aged Warrior ------------------------------------------------------------------------


def test_well_aged_warrior_hides_a_hand_card_unresolved() -> None:
    """R43, R66, R105: compulsory, newest in the stack; P9: only the owner knows it."""
    game = given(
        player(0, hand=["Well-Aged Warrior", "Depressed Druid", "Keen Koi"], hidden=["Ace Fighter"])
    )
    game.events(1)

    game.choose("play Well-Aged Warrior")
    assert (game.red, game.green) == (5, 5)
    assert game.options() == ["place Depressed Druid hidden", "place Keen Koi hidden"]
    game.choose("place Depressed Druid hidden")

    assert game.hidden(0) == ["Ace Fighter", "Depressed Druid"]
    assert game.hand(0) == ["Keen Koi"]
    assert game.open(0) == ["Well-Aged Warrior"]
    assert (game.red, game.green) == (5, 5)
    assert moved(game, 1) == [
        "Well-Aged Warrior: A's hand to A's open",
        "?: A's hand to A's hidden",
    ]


def test_well_aged_warrior_with_an_empty_hand_only_moves_markers() -> None:
    """R24, R30, R105."""
    game = given(markers(12, 4), player(0, hand=["Well-Aged Warrior"]))
    game.play("Well-Aged Warrior")
    assert (game.red, game.green) == (12, 5)
    assert game.hidden(0) == []


# ---- Androgynous Assassin ---------------------------------------------------------------------


def androgynous_assassin() -> Scenario:
    game = given(
        player(0, hand=["Androgynous Assassin"], hidden=["Ace Fighter"]),
        player(1, hidden=["Keen Koi", "Depressed Druid"], open=["Grumpy Guard"]),
        player(2, hidden=["Buried Emperor"]),
    )
    for seat in range(3):
        game.events(seat)
    return game


def test_androgynous_assassin_names_a_faction_then_buries_a_hero_of_it() -> None:
    """R51, R118: first the faction, then a hidden hero of somebody else; P13: all see it."""
    game = androgynous_assassin()

    game.choose("play Androgynous Assassin")
    assert game.options() == ["red -1", "green +1"]
    game.choose("red -1")
    assert (game.actor, game.red) == (0, 3)
    assert game.options() == ["name Undead", "name Water", "name Empire", "name Tribes"]
    game.choose("name Tribes")
    assert game.options() == ["expose B's hidden 1", "expose B's hidden 2", "expose C's hidden 1"]
    game.choose("expose B's hidden 2")

    assert game.graveyard == ["Depressed Druid"]
    assert game.hidden(1) == ["Keen Koi"]
    assert game.open(1) == ["Grumpy Guard"]
    assert (game.red, game.green) == (3, 4)
    for seat in range(3):
        assert moved(game, seat)[1:] == ["Depressed Druid: B's hidden 2 to graveyard"]


def test_androgynous_assassin_guessing_wrong_leaves_the_hero_open_and_unresolved() -> None:
    """R67, R118: Depressed Druid moves nothing; P16: all see it."""
    game = androgynous_assassin()

    game.play("Androgynous Assassin", "green +1", "name Undead", "expose B's hidden 2")

    assert game.graveyard == []
    assert game.open(1) == ["Depressed Druid", "Grumpy Guard"]
    assert game.hidden(1) == ["Keen Koi"]
    assert (game.red, game.green) == (4, 5)
    for seat in range(3):
        assert moved(game, seat)[1:] == ["Depressed Druid: B's hidden 2 to B's open"]


@pytest.mark.parametrize("faction", ["Undead", "Water", "Empire", "Tribes"])
def test_androgynous_assassin_is_right_about_the_emperor_with_any_faction(faction: str) -> None:
    """R70, R75, R118."""
    game = androgynous_assassin()
    game.play("Androgynous Assassin", "green +1", f"name {faction}", "expose C's hidden 1")
    assert game.graveyard == ["Buried Emperor"]
    assert game.hidden(2) == []
    assert game.open(2) == []


def test_androgynous_assassin_without_a_hidden_hero_elsewhere_names_nothing() -> None:
    """R24, R118: own hidden heroes are no targets."""
    game = given(
        player(0, hand=["Androgynous Assassin"], hidden=["Ace Fighter"]),
        player(1, open=["Keen Koi"]),
    )
    game.play("Androgynous Assassin", "red -1")
    assert game.hidden(0) == ["Ace Fighter"]
    assert game.open(1) == ["Keen Koi"]
    assert game.graveyard == []
    assert game.red == 3


# ---- Groggy Preacher --------------------------------------------------------------------------


def test_groggy_preacher_exchanges_a_tavern_card_with_an_own_open_hero() -> None:
    """R42, R119: the slot stays, nothing is resolved, no passing; P21: all see both."""
    game = given(
        player(0, hand=["Groggy Preacher"], open=["Ace Fighter"], hidden=["Furious Frog"]),
        player(1, open=["Crow Carrier"]),
        tavern=["Keen Koi", "Depressed Druid"],
    )
    game.events(1)

    game.choose("play Groggy Preacher")
    assert game.options() == ["red +1", "green +1"]
    game.choose("red +1")
    assert game.options() == ["exchange Depressed Druid", "exchange Keen Koi"]
    game.choose("exchange Depressed Druid")
    assert game.options() == ["for Ace Fighter", "for Groggy Preacher"]
    game.choose("for Ace Fighter")

    assert game.open(0) == ["Depressed Druid", "Groggy Preacher"]
    assert game.tavern == ["Keen Koi", "Ace Fighter", None]
    assert game.open(1) == ["Crow Carrier"]
    assert (game.red, game.green) == (5, 4)
    assert moved(game, 1)[1:] == [
        "Ace Fighter: A's open to aside",
        "Depressed Druid: tavern 2 to A's open",
        "Ace Fighter: aside to tavern 2",
    ]


def test_groggy_preacher_may_put_itself_into_the_tavern() -> None:
    """R26, R63, R119: and the Emperor may come out of it (R74)."""
    game = given(player(0, hand=["Groggy Preacher"]), tavern=[None, None, "Buried Emperor"])
    game.choose("play Groggy Preacher", "green +1", "exchange Buried Emperor")
    assert game.options() == ["for Groggy Preacher"]  # compulsory, R25
    game.choose("for Groggy Preacher")
    assert game.open(0) == ["Buried Emperor"]
    assert game.tavern == [None, None, "Groggy Preacher"]
    assert game.green == 5


def test_groggy_preacher_with_an_empty_tavern_only_moves_a_marker() -> None:
    """R24, R42, R119."""
    game = given(player(0, hand=["Groggy Preacher"], open=["Keen Koi"]))
    game.play("Groggy Preacher", "green +1")
    assert game.open(0) == ["Groggy Preacher", "Keen Koi"]
    assert game.tavern == [None, None, None]


def test_groggy_preacher_at_the_end_of_the_track() -> None:
    """R32."""
    game = given(markers(12, 12), player(0, hand=["Groggy Preacher"]), tavern=["Keen Koi"])
    game.play("Groggy Preacher", "exchange Keen Koi", "for Groggy Preacher")
    assert (game.red, game.green) == (12, 12)
    assert game.open(0) == ["Keen Koi"]


# ---- Queer Quartermaster ----------------------------------------------------------------------


def queer_quartermaster() -> Scenario:
    game = given(
        player(
            0,
            hand=["Queer Quartermaster", "Depressed Druid", "Ace Fighter"],
            open=["Keen Koi", "Grumpy Guard", "Canned Champion", "Buried Emperor"],
        ),
        player(1, open=["Furious Frog"]),
    )
    game.events(0)
    game.events(1)
    return game


def test_queer_quartermaster_exchanges_an_open_hero_that_is_not_empire_with_a_hand_card() -> None:
    """R42, R71, R120: not the Emperor, not itself; any hand card; nothing is resolved."""
    game = queer_quartermaster()

    game.choose("play Queer Quartermaster")
    assert (game.actor, game.red) == (0, 5)
    assert game.options() == ["exchange Grumpy Guard", "exchange Keen Koi", "pass"]
    game.choose("exchange Keen Koi")
    assert game.options() == ["for Depressed Druid", "for Ace Fighter"]
    game.choose("for Depressed Druid")

    assert game.open(0) == [
        "Buried Emperor",
        "Canned Champion",
        "Depressed Druid",
        "Grumpy Guard",
        "Queer Quartermaster",
    ]
    assert game.hand(0) == ["Ace Fighter", "Keen Koi"]
    assert game.open(1) == ["Furious Frog"]
    assert (game.red, game.green) == (5, 4)


def test_queer_quartermaster_shows_both_cards_to_all() -> None:
    """P18, P20."""
    game = queer_quartermaster()

    game.play("Queer Quartermaster", "exchange Keen Koi", "for Depressed Druid")

    seen = moved(game, 1)
    assert seen == moved(game, 0)
    assert seen[1:] == [
        "Depressed Druid: A's hand to aside",
        "Keen Koi: A's open to A's hand",
        "Depressed Druid: aside to A's open",
    ]


def test_queer_quartermaster_may_bring_the_emperor_in_from_hand() -> None:
    """R71, R74: only the card given away must not be Empire."""
    game = given(player(0, hand=["Queer Quartermaster", "Buried Emperor"], open=["Keen Koi"]))
    game.play("Queer Quartermaster", "exchange Keen Koi", "for Buried Emperor")
    assert game.open(0) == ["Buried Emperor", "Queer Quartermaster"]
    assert game.hand(0) == ["Keen Koi"]


def test_queer_quartermaster_may_pass() -> None:
    """R23, R120."""
    game = queer_quartermaster()
    game.play("Queer Quartermaster", "pass")
    assert game.hand(0) == ["Ace Fighter", "Depressed Druid"]
    assert "Keen Koi" in game.open(0)
    assert game.red == 5


@pytest.mark.parametrize(
    ("hand", "shown"),
    [([], ["Keen Koi"]), (["Keen Koi"], ["Ace Fighter"]), (["Keen Koi"], ["Buried Emperor"])],
)
def test_queer_quartermaster_needs_both_cards(hand: list[str], shown: list[str]) -> None:
    """R24, R42, R71, R120: Empire heroes and the Emperor cannot be given away."""
    game = given(
        player(0, hand=["Queer Quartermaster", *hand], open=shown), player(1, open=["Furious Frog"])
    )
    game.play("Queer Quartermaster")
    assert game.red == 5
    assert game.hand(0) == hand
    assert game.open(0) == sorted([*shown, "Queer Quartermaster"])


# ---- Resilient Rearguard ----------------------------------------------------------------------


def resilient_rearguard() -> Scenario:
    game = given(
        player(0, hand=["Resilient Rearguard", "Ace Fighter"]),
        player(1, open=["Leery Lizard"]),
        player(2, hand=["Keen Koi", "Furious Frog"]),
        player(3, hand=["Aimless Eel"]),
    )
    for seat in range(4):
        game.events(seat)
    return game


def test_resilient_rearguard_draws_a_random_card_of_another_hand() -> None:
    """R28, R44, R46, R108: only others with a hand card may be picked, luck picks the card."""
    game = resilient_rearguard()

    game.choose("play Resilient Rearguard")
    assert game.options() == ["red +1", "green -1"]
    game.choose("red +1")
    assert (game.actor, game.red) == (0, 5)
    assert game.options() == ["pick C", "pick D"]
    game.choose("pick C")
    assert game.actor == CHANCE
    assert sorted(game.options()) == ["chance: Furious Frog", "chance: Keen Koi"]
    game.choose(chance("Furious Frog"))

    assert game.hand(0) == ["Ace Fighter", "Furious Frog"]
    assert game.hand(2) == ["Keen Koi"]
    assert game.hand(3) == ["Aimless Eel"]
    assert game.hidden(0) == []


def test_resilient_rearguard_shows_the_card_to_performer_and_victim_only() -> None:
    """P23."""
    game = resilient_rearguard()

    game.play("Resilient Rearguard", "red +1", "pick C", chance("Keen Koi"))

    known = ["Resilient Rearguard: A's hand to A's open", "Keen Koi: C's hand to A's hand"]
    unknown = ["Resilient Rearguard: A's hand to A's open", "?: C's hand to A's hand"]
    assert [moved(game, seat) for seat in range(4)] == [known, unknown, known, unknown]


def test_resilient_rearguard_only_moves_a_marker_if_all_other_hands_are_empty() -> None:
    """R24, R108."""
    game = given(player(0, hand=["Resilient Rearguard", "Ace Fighter"]), players=3)
    game.play("Resilient Rearguard", "green -1")
    assert (game.red, game.green) == (4, 3)
    assert game.hand(0) == ["Ace Fighter"]


# ---- Goblin Cryptographer ---------------------------------------------------------------------


def test_goblin_cryptographer_moves_red_green_or_both_back() -> None:
    """R31."""
    game = given(player(0, hand=["Goblin Cryptographer"]))
    game.choose("play Goblin Cryptographer")
    assert game.options() == ["red -1", "green -1", "red -1, green -1"]
    game.choose("red -1, green -1")
    assert (game.red, game.green) == (3, 3)


def test_goblin_cryptographer_at_the_first_space() -> None:
    """R32: with red unable to move, 'both' is the same as green alone."""
    game = given(markers(1, 4), player(0, hand=["Goblin Cryptographer"]))
    game.choose("play Goblin Cryptographer")
    assert game.options() == ["green -1"]

    game = given(markers(1, 1), player(0, hand=["Goblin Cryptographer"]))
    game.play("Goblin Cryptographer", "pass")
    assert (game.red, game.green) == (1, 1)


def goblin_cryptographer() -> Scenario:
    game = given(
        player(0, hand=["Goblin Cryptographer"], open=["Depressed Druid"], hidden=["Keen Koi"]),
        player(1, open=["Ace Fighter"], hidden=["Furious Frog"]),
        player(2, open=["Buried Emperor"]),
        player(3),
    )
    game.choose("play Goblin Cryptographer", "red -1")
    return game


def test_goblin_cryptographer_moves_an_open_hero_to_a_third_player() -> None:
    """R144: neither to the performer nor back to its owner; P38: all see it."""
    game = goblin_cryptographer()
    game.events(3)

    assert game.actor == 0
    assert game.options() == [
        "move Depressed Druid",
        "move Ace Fighter",
        "move Goblin Cryptographer",
        "move Buried Emperor",
        "pass",
    ]
    game.choose("move Ace Fighter")
    assert game.options() == ["give to C", "give to D"]
    game.choose("give to D")

    assert game.open(3) == ["Ace Fighter"]
    assert game.open(1) == []
    assert game.hidden(1) == ["Furious Frog"]
    assert (game.red, game.green) == (3, 4)
    assert moved(game, 3) == ["Ace Fighter: B's open to D's open"]


def test_goblin_cryptographer_may_give_away_own_heroes_unresolved() -> None:
    """R43, R144: to any other player; Depressed Druid moves nothing."""
    game = goblin_cryptographer()
    game.choose("move Depressed Druid")
    assert game.options() == ["give to B", "give to C", "give to D"]
    game.choose("give to B")
    assert game.open(0) == ["Goblin Cryptographer"]
    assert game.open(1) == ["Ace Fighter", "Depressed Druid"]
    assert (game.red, game.green) == (3, 4)


def test_goblin_cryptographer_may_move_itself_and_the_emperor() -> None:
    """R26, R63, R74, R144."""
    game = goblin_cryptographer()
    game.choose("move Goblin Cryptographer", "give to C")
    assert game.open(0) == ["Depressed Druid"]
    assert game.open(2) == ["Buried Emperor", "Goblin Cryptographer"]

    game = goblin_cryptographer()
    game.choose("move Buried Emperor")
    assert game.options() == ["give to B", "give to D"]
    game.choose("give to D")
    assert game.open(2) == []
    assert game.open(3) == ["Buried Emperor"]


def test_goblin_cryptographer_may_pass() -> None:
    """R23, R144."""
    game = goblin_cryptographer()
    game.choose("pass")
    assert game.open(0) == ["Depressed Druid", "Goblin Cryptographer"]
    assert game.open(1) == ["Ace Fighter"]
    assert "draw from the harbor" in game.options()


def test_goblin_cryptographer_with_two_players_moves_own_heroes_only() -> None:
    """R144: a hero of the other player has nowhere to go."""
    game = given(
        player(0, hand=["Goblin Cryptographer"], open=["Keen Koi"]),
        player(1, open=["Ace Fighter"]),
    )
    game.choose("play Goblin Cryptographer", "green -1")
    assert game.options() == ["move Goblin Cryptographer", "move Keen Koi", "pass"]
    game.choose("move Keen Koi")
    assert game.options() == ["give to B"]
    game.choose("give to B")
    assert game.open(0) == ["Goblin Cryptographer"]
    assert game.open(1) == ["Ace Fighter", "Keen Koi"]


def test_goblin_cryptographer_performed_from_the_tavern_is_no_target_itself() -> None:
    """R55, R56, R57, R144: it lies aside, and is hidden though Monsterslayer has left."""
    game = given(
        player(0, hand=["Modest Monsterslayer"]),
        player(1, open=["Ace Fighter"]),
        tavern=["Goblin Cryptographer"],
    )
    game.choose("play Modest Monsterslayer", "perform Goblin Cryptographer", "red -1")
    assert game.options() == ["move Modest Monsterslayer", "pass"]
    game.choose("move Modest Monsterslayer", "give to B")
    assert game.open(0) == []
    assert game.open(1) == ["Ace Fighter", "Modest Monsterslayer"]
    assert game.hidden(0) == ["Goblin Cryptographer"]
