"""Using another card's ability: chains, cards set aside, closing clauses, copies in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

import pytest

from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.table import LAST
from games.hidden_leaders.text.moves import find_card
from games.state import EVERYBODY
from tests.support.perceived import perceived
from tests.support.scenario import Luck, Scenario, chance, draws, given, markers, player

# ---- what performing means --------------------------------------------------------------------


def test_a_performed_card_speaks_to_the_performer() -> None:
    """R54: "you" is who performs, and the next player is the performer's neighbour."""
    game = given(
        player(0, hand=["Keen Koi"]),
        player(1, hand=["Leery Lizard"]),
        player(2, hand=["Sun-Shy Skeleton", "Furious Frog"]),
        graveyard=["Doubtful Priest"],
        turn=2,
    )

    game.choose("play Sun-Shy Skeleton")
    assert (game.actor, game.options()) == (0, ["red +2", "red -2"])
    game.choose("red -2")
    assert (game.actor, game.options()) == (2, ["play Furious Frog", "pass"])
    game.choose("pass")

    assert (game.red, game.green) == (2, 4)
    assert game.hand(2) == ["Furious Frog"]


def test_a_performed_card_looks_at_the_performers_own_party_and_hand() -> None:
    """R54: Lethargic Leech out of the tavern hides a card of the performer's hand."""
    game = given(
        player(0, hand=["Insidious Impaler", "Keen Koi"]),
        player(1, hand=["Furious Frog"]),
        tavern=["Lethargic Leech"],
    )
    game.play("Insidious Impaler", "perform Lethargic Leech", "red -1", "place Keen Koi hidden")
    assert (game.red, game.green) == (3, 4)
    assert game.hidden(0) == ["Keen Koi"]
    assert game.hand(1) == ["Furious Frog"]
    assert game.graveyard == ["Lethargic Leech"]


def test_a_performed_card_is_not_in_the_party() -> None:
    """R55: Unconfident Executioner in the graveyard is no open hero to bury."""
    game = given(player(0, hand=["Sun-Shy Skeleton"]), graveyard=["Unconfident Executioner"])
    game.choose("play Sun-Shy Skeleton")
    assert game.options() == ["bury Sun-Shy Skeleton"]


@pytest.mark.parametrize(("shown", "green"), [([], 4), (["Keen Koi"], 6)])
def test_a_performed_card_counts_open_heroes_where_they_really_lie(
    shown: list[str], green: int
) -> None:
    """R55: Grumpy Guard asks for open Water; a Water card in the tavern does not help."""
    game = given(
        player(0, hand=["Modest Monsterslayer"], open=shown),
        tavern=["Grumpy Guard", "Furious Frog"],
    )
    game.play("Modest Monsterslayer", "perform Grumpy Guard")
    assert game.green == green
    assert game.hidden(0) == ["Grumpy Guard"]


# ---- set aside --------------------------------------------------------------------------------


def test_a_card_set_aside_is_not_swept_out_of_the_tavern() -> None:
    """R56: Resurrected Ram discards and restocks around itself, then it is buried."""
    game = given(
        player(0, hand=["Insidious Impaler"]),
        tavern=["Keen Koi", "Resurrected Ram", "Ace Fighter"],
        graveyard=["Bored Goblin", "Furious Frog"],
    )
    game.play("Insidious Impaler", "perform Resurrected Ram", "red +1")
    assert game.wilderness == ["Keen Koi", "Ace Fighter"]
    assert game.tavern == ["Furious Frog", "Bored Goblin", None]
    assert game.graveyard == ["Resurrected Ram"]


def test_a_card_set_aside_is_not_counted() -> None:
    """R56: Double-Shielded Turtle is Water, but only the Water in the tavern makes X."""
    game = given(
        player(0, hand=["Insidious Impaler"]), tavern=["Double-Shielded Turtle", "Keen Koi"]
    )
    game.choose("play Insidious Impaler", "perform Double-Shielded Turtle", "name Water")
    assert game.options() == ["red -1", "green -1", "red -1, green -1"]
    game.choose("red -1")
    assert game.wilderness == ["Keen Koi"]
    assert game.graveyard == ["Double-Shielded Turtle"]


def test_a_card_set_aside_leaves_an_empty_tavern_behind() -> None:
    """R56: Hopeful Salamander, the only tavern card, finds nothing to place."""
    game = given(player(0, hand=["Insidious Impaler"]), tavern=["Hopeful Salamander"])
    game.play("Insidious Impaler", "perform Hopeful Salamander")
    assert (game.red, game.green) == (5, 5)
    assert game.open(0) == ["Insidious Impaler"]
    assert game.graveyard == ["Hopeful Salamander"]


def test_a_card_set_aside_is_not_yet_buried() -> None:
    """R56, R57: Naughty Necromancer counts the graveyard, Wrapped Warrior searches it."""
    game = given(
        player(0, hand=["Insidious Impaler"]),
        tavern=["Naughty Necromancer"],
        graveyard=["Keen Koi"],
    )
    game.play("Insidious Impaler", "perform Naughty Necromancer")
    assert (game.red, game.green) == (5, 5)
    assert game.graveyard == ["Keen Koi", "Naughty Necromancer"]

    game = given(
        player(0, hand=["Insidious Impaler"]), tavern=["Wrapped Warrior"], graveyard=["Keen Koi"]
    )
    game.choose("play Insidious Impaler", "perform Wrapped Warrior", "red +1")
    assert game.options() == ["take Keen Koi"]


# ---- closing clauses --------------------------------------------------------------------------


def test_the_closing_clause_follows_a_declined_extra_card() -> None:
    """R57: Doubtful Priest's extra card is declined; he is buried all the same."""
    game = given(
        player(0, hand=["Insidious Impaler", "Keen Koi"]), tavern=["Doubtful Priest", "Ace Fighter"]
    )

    game.choose("play Insidious Impaler", "perform Doubtful Priest")
    assert (game.actor, game.options()) == (1, ["red +2", "red -2"])
    game.choose("red +2")
    assert (game.actor, game.options()) == (0, ["play Keen Koi", "pass"])
    assert game.graveyard == []
    game.choose("pass")

    assert game.graveyard == ["Doubtful Priest"]
    assert game.tavern == [None, "Ace Fighter", None]
    assert game.hand(0) == ["Keen Koi"]
    assert game.options() == ["draw Ace Fighter", "draw from the harbor"]


def test_the_closing_clause_follows_without_an_extra_card_to_play() -> None:
    """R57, R39: an empty hand is not asked, an unsuitable one is."""
    game = given(player(0, hand=["Modest Monsterslayer"]), tavern=["Doubtful Priest"])
    game.play("Modest Monsterslayer", "perform Doubtful Priest", "red -2")
    assert game.hidden(0) == ["Doubtful Priest"]

    game = given(
        player(0, hand=["Modest Monsterslayer", "Ace Fighter"]), tavern=["Doubtful Priest"]
    )
    game.choose("play Modest Monsterslayer", "perform Doubtful Priest", "red -2")
    assert game.options() == ["pass"]
    game.choose("pass")
    assert game.hidden(0) == ["Doubtful Priest"]
    assert game.hand(0) == ["Ace Fighter"]


def test_the_closing_clause_waits_for_the_extra_card() -> None:
    """R57, R61: Naughty Necromancer counts a graveyard without the Priest."""
    game = given(
        player(0, hand=["Insidious Impaler", "Naughty Necromancer"]),
        tavern=["Doubtful Priest"],
        graveyard=["Keen Koi"],
    )
    game.play("Insidious Impaler", "perform Doubtful Priest", "red -2", "play Naughty Necromancer")
    assert (game.red, game.green) == (3, 5)
    assert game.graveyard == ["Keen Koi", "Doubtful Priest"]
    assert game.open(0) == ["Insidious Impaler", "Naughty Necromancer"]


def test_nested_closing_clauses_run_innermost_first() -> None:
    """R57: Modest Monsterslayer performs Insidious Impaler, who performs Keen Koi."""
    game = given(
        markers(red=7, green=4),
        player(0, hand=["Modest Monsterslayer"], hidden=["Ace Fighter"]),
        tavern=["Insidious Impaler", "Leery Lizard", "Keen Koi"],
    )

    game.choose("play Modest Monsterslayer", "perform Insidious Impaler")
    assert game.options() == ["perform Leery Lizard", "perform Keen Koi"]
    game.choose("perform Keen Koi")

    assert (game.red, game.green) == (6, 5)
    assert game.graveyard == ["Keen Koi"]
    assert game.hidden(0) == ["Ace Fighter", "Insidious Impaler"]
    assert game.tavern == [None, "Leery Lizard", None]
    for seat in (0, 1):
        assert perceived(game, seat)[1:] == [
            "Insidious Impaler: tavern 1 to aside",
            "Keen Koi: tavern 3 to aside",
            "Keen Koi: aside to graveyard",
            "Insidious Impaler: aside to A's hidden",
        ]


def test_the_closing_clause_is_carried_out_though_the_card_demanding_it_was_buried() -> None:
    """R57, R63: Unconfident Executioner buries the Insidious Impaler that performs it."""
    game = given(player(0, hand=["Insidious Impaler"]), tavern=["Unconfident Executioner"])
    game.play("Insidious Impaler", "perform Unconfident Executioner", "bury Insidious Impaler")
    assert (game.red, game.green) == (3, 3)
    assert game.graveyard == ["Insidious Impaler", "Unconfident Executioner"]
    assert game.open(0) == []
    assert game.tavern == [None, None, None]


def test_an_ability_is_finished_though_its_card_changed_owner() -> None:
    """R57, R63: Goblin Cryptographer gives Insidious Impaler away while it is resolved."""
    game = given(player(0, hand=["Insidious Impaler"]), tavern=["Goblin Cryptographer"], players=3)
    game.play(
        "Insidious Impaler",
        "perform Goblin Cryptographer",
        "red -1",
        "move Insidious Impaler",
        "give to C",
    )
    assert game.open(0) == []
    assert game.open(2) == ["Insidious Impaler"]
    assert game.graveyard == ["Goblin Cryptographer"]


def test_an_ability_is_finished_though_its_card_went_to_the_tavern() -> None:
    """R57, R63: Groggy Preacher swaps the Modest Monsterslayer that performs him."""
    game = given(player(0, hand=["Modest Monsterslayer"]), tavern=["Groggy Preacher", "Keen Koi"])
    game.play(
        "Modest Monsterslayer",
        "perform Groggy Preacher",
        "red +1",
        "exchange Keen Koi",
        "for Modest Monsterslayer",
    )
    assert game.open(0) == ["Keen Koi"]
    assert game.tavern == [None, "Modest Monsterslayer", None]
    assert game.hidden(0) == ["Groggy Preacher"]


def test_an_ability_is_finished_though_its_own_card_was_buried() -> None:
    """R63: Unconfident Executioner, performed by Ghastly Granny, buries her or itself."""
    for buried in ("Ghastly Granny", "Unconfident Executioner"):
        game = given(player(0, hand=["Ghastly Granny"], open=["Unconfident Executioner"]))
        game.play("Ghastly Granny", "perform Unconfident Executioner", f"bury {buried}")
        assert game.graveyard == [buried]
        assert len(game.open(0)) == 1


# ---- chains -----------------------------------------------------------------------------------


def test_a_card_of_the_chain_is_not_offered_again() -> None:
    """R58: Saltwater Sage turns up Granny, who may perform neither the Sage nor herself."""
    game = given(
        player(
            0,
            hand=["Saltwater Sage"],
            open=["Rotting Orangutan", "Emperor"],
            hidden=["Ghastly Granny"],
        )
    )
    game.choose("play Saltwater Sage", "turn over A's hidden 1")
    assert game.options() == ["perform Rotting Orangutan"]


def test_a_chain_with_nothing_left_to_perform_ends() -> None:
    """R58, R60: Ghastly Granny and Saltwater Sage cannot call each other for ever."""
    game = given(player(0, hand=["Saltwater Sage"], hidden=["Ghastly Granny"]))
    game.play("Saltwater Sage", "turn over A's hidden 1")
    assert game.open(0) == ["Ghastly Granny", "Saltwater Sage"]
    assert game.hidden(0) == []


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

    game.choose("play Ghastly Granny", "perform Saltwater Sage", "turn over A's hidden 1")
    assert game.options() == [
        "perform Sun-Shy Skeleton",
        "perform Leery Lizard",
        "perform Keen Koi",
    ]
    game.choose("perform Sun-Shy Skeleton")
    assert game.options() == ["perform Leery Lizard", "perform Keen Koi"]
    game.choose("perform Keen Koi")

    assert (game.red, game.green) == (8, 5)
    assert game.open(0) == ["Ghastly Granny", "Insidious Impaler", "Saltwater Sage"]
    assert game.hidden(0) == ["Ace Fighter", "Keen Koi"]
    assert game.tavern == [None, None, "Leery Lizard"]
    assert game.graveyard == ["Furious Frog", "Modest Monsterslayer", "Sun-Shy Skeleton"]
    assert game.options() == ["draw Leery Lizard", "draw from the harbor"]


def test_sun_shy_skeleton_does_not_look_below_a_card_of_the_chain() -> None:
    """R59. No retail card buries a chain's head in time, so the test does it by hand."""
    game = given(
        player(0, hand=["Ghastly Granny"], open=["Sun-Shy Skeleton", "Rotting Orangutan"]),
        graveyard=["Underpaid Mercenary"],
    )
    game.choose("play Ghastly Granny")
    state, granny = game.state, find_card("Ghastly Granny")
    state.move(Zone.OPEN, state.find(Zone.OPEN, granny), Zone.GRAVEYARD, LAST, EVERYBODY)
    game.choose("perform Sun-Shy Skeleton")

    assert (game.red, game.green) == (4, 4)
    assert game.graveyard == ["Underpaid Mercenary", "Ghastly Granny"]
    assert game.options() == ["draw from the harbor"]


def test_sun_shy_skeleton_does_not_look_below_the_emperor() -> None:
    """R59, R62"""
    game = given(player(0, hand=["Sun-Shy Skeleton"]), graveyard=["Rotting Orangutan", "Emperor"])
    game.play("Sun-Shy Skeleton")
    assert (game.red, game.green) == (4, 4)
    assert game.graveyard == ["Rotting Orangutan", "Buried Emperor"]


def test_sun_shy_skeleton_performing_granny_lets_her_pick_any_other_open_hero() -> None:
    """R60: the Skeleton is in the chain and the Emperor has no ability."""
    game = given(
        player(
            0,
            hand=["Sun-Shy Skeleton"],
            open=["Emperor", "Rotting Orangutan", "Underpaid Mercenary"],
        ),
        player(1, open=["Ace Fighter"]),
        graveyard=["Ghastly Granny"],
    )
    game.choose("play Sun-Shy Skeleton")
    assert game.options() == ["perform Underpaid Mercenary", "perform Rotting Orangutan"]
    game.choose("perform Underpaid Mercenary")
    assert (game.red, game.green) == (7, 5)
    assert game.graveyard == ["Ghastly Granny"]


def test_sun_shy_skeleton_performing_granny_alone_does_nothing() -> None:
    """R60"""
    game = given(
        player(0, hand=["Sun-Shy Skeleton"], open=["Emperor"]), graveyard=["Ghastly Granny"]
    )
    game.play("Sun-Shy Skeleton")
    assert (game.red, game.green) == (4, 4)
    assert game.open(0) == ["Buried Emperor", "Sun-Shy Skeleton"]


def test_an_extra_card_starts_a_new_chain() -> None:
    """R53, R61: Granny, played through Doubtful Priest, performs him again and gets another."""
    game = given(
        player(0, hand=["Doubtful Priest", "Ghastly Granny", "Rotting Orangutan"]),
        player(1, hand=["Keen Koi"]),
    )

    game.choose("play Doubtful Priest", "red +2", "play Ghastly Granny")
    assert game.options() == ["perform Doubtful Priest"]
    game.choose("perform Doubtful Priest")
    assert (game.actor, game.options()) == (1, ["red +2", "red -2"])
    game.choose("red +2")
    assert (game.actor, game.options()) == (0, ["play Rotting Orangutan", "pass"])
    game.choose("play Rotting Orangutan", "green +2")

    assert (game.red, game.green) == (8, 6)
    assert game.open(0) == ["Doubtful Priest", "Ghastly Granny", "Rotting Orangutan"]
    assert game.hand(0) == []


def test_the_old_chain_waits_while_a_new_one_uses_its_cards_again() -> None:
    """R57, R61: Impaler sets the Priest aside; Granny, the extra card, performs Impaler again."""
    game = given(
        player(0, hand=["Insidious Impaler", "Ghastly Granny"]),
        tavern=["Doubtful Priest", "Rotting Orangutan", "Keen Koi"],
    )

    game.choose(
        "play Insidious Impaler", "perform Doubtful Priest", "red +2", "play Ghastly Granny"
    )
    assert game.options() == ["perform Insidious Impaler"]
    game.choose("perform Insidious Impaler")
    assert game.options() == ["perform Rotting Orangutan", "perform Keen Koi"]
    game.choose("perform Rotting Orangutan", "green +2")

    assert (game.red, game.green) == (6, 6)
    assert game.graveyard == ["Rotting Orangutan", "Doubtful Priest"]
    assert game.tavern == [None, None, "Keen Koi"]
    assert game.open(0) == ["Ghastly Granny", "Insidious Impaler"]


# ---- the Emperor is not copied ----------------------------------------------------------------


def test_insidious_impaler_buries_the_emperor_without_performing_it() -> None:
    """R62"""
    game = given(player(0, hand=["Insidious Impaler"]), tavern=["Emperor", "Keen Koi"])
    game.choose("play Insidious Impaler")
    assert game.options() == ["perform Keen Koi", "perform Buried Emperor"]
    game.choose("perform Buried Emperor")
    assert game.graveyard == ["Buried Emperor"]
    assert game.tavern == [None, "Keen Koi", None]


def test_modest_monsterslayer_hides_the_emperor_without_performing_it() -> None:
    """R62, R115"""
    game = given(player(0, hand=["Modest Monsterslayer"]), tavern=["Emperor"])
    game.play("Modest Monsterslayer", "perform Buried Emperor")
    assert game.hidden(0) == ["Buried Emperor"]
    assert game.tavern == [None, None, None]


def test_saltwater_sage_turns_the_emperor_up_without_performing_it() -> None:
    """R62, R140"""
    game = given(player(0, hand=["Saltwater Sage"], hidden=["Emperor"]))
    game.play("Saltwater Sage", "turn over A's hidden 1")
    assert game.open(0) == ["Buried Emperor", "Saltwater Sage"]
    assert game.hidden(0) == []


def test_ghastly_granny_is_not_offered_the_emperor() -> None:
    """R62, R122"""
    game = given(player(0, hand=["Ghastly Granny"], open=["Emperor", "Rotting Orangutan"]))
    game.choose("play Ghastly Granny")
    assert game.options() == ["perform Rotting Orangutan"]


# ---- performed from the graveyard (R64) -------------------------------------------------------


def skeleton_over(*graveyard: str, open: tuple[str, ...] = ()) -> Scenario:  # noqa: A002
    return given(player(0, hand=["Sun-Shy Skeleton"], open=open), graveyard=graveyard)


def test_naughty_necromancer_in_the_graveyard_counts_itself() -> None:
    """R64"""
    game = skeleton_over("Keen Koi", "Naughty Necromancer")
    game.play("Sun-Shy Skeleton")
    assert (game.red, game.green) == (6, 6)


def test_crow_carrier_in_the_graveyard_draws_itself() -> None:
    """R64"""
    game = skeleton_over("Ace Fighter", "Keen Koi", "Crow Carrier")
    game.choose("play Sun-Shy Skeleton")
    assert game.options() == ["place Crow Carrier hidden", "place Keen Koi hidden"]
    game.choose("place Crow Carrier hidden")
    assert game.hidden(0) == ["Crow Carrier"]
    assert game.wilderness == ["Keen Koi"]
    assert game.graveyard == ["Ace Fighter"]


def test_miniature_merman_in_the_graveyard_draws_himself() -> None:
    """R64"""
    game = skeleton_over("Ace Fighter", "Keen Koi", "Miniature Merman")
    game.play("Sun-Shy Skeleton", "green +1", "draw from the graveyard")
    assert game.hand(0) == ["Keen Koi", "Miniature Merman"]
    assert game.graveyard == ["Ace Fighter"]


def test_wrapped_warrior_in_the_graveyard_may_take_himself() -> None:
    """R64"""
    game = skeleton_over("Keen Koi", "Wrapped Warrior")
    game.choose("play Sun-Shy Skeleton", "red +1")
    assert game.options() == ["take Wrapped Warrior", "take Keen Koi"]
    game.choose("take Wrapped Warrior")
    assert game.hand(0) == ["Wrapped Warrior"]
    assert game.graveyard == ["Keen Koi"]


def test_mummy_mystic_in_the_graveyard_exchanges_itself() -> None:
    """R64: it is the top card, and not among the open heroes."""
    game = skeleton_over("Keen Koi", "Mummy Mystic", open=("Ace Fighter",))
    game.choose("play Sun-Shy Skeleton")
    assert game.options() == ["exchange Ace Fighter", "exchange Sun-Shy Skeleton", "pass"]
    game.choose("exchange Sun-Shy Skeleton")
    assert game.open(0) == ["Ace Fighter", "Mummy Mystic"]
    assert game.graveyard == ["Keen Koi", "Sun-Shy Skeleton"]
    assert (game.red, game.green) == (5, 6)


def test_resurrected_ram_in_the_graveyard_goes_to_the_tavern() -> None:
    """R64, R128"""
    game = skeleton_over("Ace Fighter", "Resurrected Ram")
    game.play("Sun-Shy Skeleton", "green +1")
    assert game.tavern == ["Resurrected Ram", "Ace Fighter", None]
    assert game.graveyard == []


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


def everybody_asked() -> Scenario:
    """Granny performing the Witch, who asks every other player."""
    return given(
        player(0, hand=["Ghastly Granny", "Furious Frog"], open=["Will-Bending Witch"]),
        player(1, hand=["Keen Koi", "Aimless Eel"]),
        player(2),
        player(3, hand=["Ace Fighter", "Bored Goblin"]),
    )


Script: TypeAlias = tuple[str | Luck, ...]

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
        everybody_asked,
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
"""Every place to stop in every story: the table, what has been chosen, what is to come."""


def test_the_deep_chain_of_saltwater_sage() -> None:
    """R57, R58, R61: what the copies below must arrive at."""
    table, script = STORIES[0]
    game = table()
    game.choose(*script)
    assert (game.red, game.green) == (2, 5)
    assert game.graveyard == ["Buried Emperor", "Gorgeous Gorgon", "Keen Koi", "Doubtful Priest"]
    assert game.tavern == ["Leery Lizard", None, None]
    assert game.open(0) == [
        "Ghastly Granny",
        "Insidious Impaler",
        "Saltwater Sage",
        "Sun-Shy Skeleton",
        "Underpaid Mercenary",
    ]
    assert game.open(1) == ["Bored Goblin"]
    assert game.options() == ["draw Leery Lizard", "draw from the harbor"]


def test_the_cards_in_the_air_come_down_innermost_first() -> None:
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
def test_a_copy_in_the_middle_of_a_chain_plays_on_identically(
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
    """Neither the one played on first, nor any other way to go on, disturbs the one kept."""
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
