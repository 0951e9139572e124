"""Heroes that exchange two cards, and one that moves a hero to another party."""

from __future__ import annotations

import pytest

from tests.support.perceived import perceived, perceived_by_all
from tests.support.scenario import Player, Scenario, given, markers, player

# ---- Groggy Preacher and Half-Headed Wizard: a tavern card for an open hero -------------------


@pytest.mark.parametrize(
    ("hero", "marker", "after", "question", "owner", "party"),
    [
        ("Groggy Preacher", ["[red +1] / green +1"], (5, 4),
         "[for Ace Fighter] / for Groggy Preacher", "A's open",
         ["Depressed Druid", "Groggy Preacher"]),
        ("Half-Headed Wizard", [], (5, 5), "for Bored Goblin / [for Keen Koi]", "B's open",
         ["Depressed Druid"]),
    ],
)  # fmt: skip
def test_exchanges_a_tavern_card_with_an_open_hero(
    hero: str,
    marker: list[str],
    after: tuple[int, int],
    question: str,
    owner: str,
    party: list[str],
) -> None:
    """R42, R119: compulsory; the slot stays, nothing is resolved. P21: all see both cards."""
    game = given(
        player(0, hand=[hero], open=["Ace Fighter"], hidden=["Furious Frog"]),
        player(1, open=["Keen Koi"], hidden=["Crow Carrier"]),
        player(2, open=["Bored Goblin"]),
        tavern=["Leery Lizard", None, "Depressed Druid"],
    )

    game.choose(f"play {hero}", *marker)
    assert game.changes() == {"markers": after}
    game.choose("[exchange Depressed Druid] / exchange Leery Lizard", question)

    gone = "Ace Fighter" if owner == "A's open" else "Keen Koi"
    assert game.changes() == {
        "markers": after,
        owner: party,
        "tavern": ["Leery Lizard", None, gone],
    }
    assert perceived_by_all(game) == [
        f"{gone}: {owner} to aside",
        f"Depressed Druid: tavern 3 to {owner}",
        f"{gone}: aside to tavern 3",
    ]


def test_groggy_preacher_may_put_itself_into_the_tavern() -> None:
    """R25, R26, R63, R119: if it is the only target it must; the Emperor may come out (R74)."""
    game = given(player(0, hand=["Groggy Preacher"]), tavern=[None, None, "Buried Emperor"])
    game.play("Groggy Preacher", "green +1", "exchange Buried Emperor", "[for Groggy Preacher]")
    assert game.changes() == {
        "markers": (4, 5),
        "A's open": ["Buried Emperor"],
        "tavern": [None, None, "Groggy Preacher"],
    }


def test_groggy_preacher_at_the_end_of_the_track() -> None:
    """R32: no marker can move, so the exchange is the first question."""
    game = given(markers(12, 12), player(0, hand=["Groggy Preacher"]), tavern=["Keen Koi"])
    game.play("Groggy Preacher", "exchange Keen Koi", "for Groggy Preacher")
    assert game.markers == (12, 12)
    assert game.open(0) == ["Keen Koi"]


# ---- Underestimated Squire: a hidden hero for a hand card -------------------------------------


def underestimated_squire() -> Scenario:
    return given(
        player(
            2,
            hand=["Underestimated Squire", "Keen Koi", "Ace Fighter"],
            hidden=["Grumpy Guard", "Furious Frog", "Crow Carrier"],
        ),
        player(1, hidden=["Leery Lizard"]),
        turn=2,
    )


def test_underestimated_squire_exchanges_a_hidden_hero_with_a_hand_card() -> None:
    """R42, R114: only the performer's hidden heroes; the index stays, nothing is resolved."""
    game = underestimated_squire()

    game.choose("play Underestimated Squire")
    assert game.changes() == {"markers": (3, 3)}
    game.choose(
        "exchange C's hidden 1 / [exchange C's hidden 2] / exchange C's hidden 3 / pass",
        "for Ace Fighter / [for Keen Koi]",
    )

    assert game.changes() == {
        "markers": (3, 3),
        "C's hidden": ["Grumpy Guard", "Keen Koi", "Crow Carrier"],
        "C's hand": ["Ace Fighter", "Furious Frog"],
    }


def test_underestimated_squire_shows_the_others_the_index_but_no_card() -> None:
    """R38, P19: the others' news is the same whichever hand card it was."""
    game, other = underestimated_squire(), underestimated_squire()
    game.play("Underestimated Squire", "exchange C's hidden 2", "for Keen Koi")
    other.play("Underestimated Squire", "exchange C's hidden 2", "for Ace Fighter")

    assert game.events(0) == other.events(0)
    assert perceived(game, 2) == [
        "Keen Koi: C's hand to aside",
        "Furious Frog: C's hidden 2 to C's hand",
        "Keen Koi: aside to C's hidden 2",
    ]
    assert perceived(game, 1) == [
        "C chooses in secret",
        "?: C's hand to aside",
        "?: C's hidden 2 to C's hand",
        "?: aside to C's hidden 2",
    ]


def test_underestimated_squire_may_pass() -> None:
    """R23, R114."""
    game = underestimated_squire()
    game.play("Underestimated Squire", "pass")
    assert game.changes() == {"markers": (3, 3)}


# ---- Queer Quartermaster: an open hero that is not Empire for a hand card ---------------------


def queer_quartermaster() -> Scenario:
    return given(
        player(
            0,
            hand=["Queer Quartermaster", "Depressed Druid", "Ace Fighter"],
            open=["Keen Koi", "Grumpy Guard", "Canned Champion", "Buried Emperor"],
        ),
        player(1, open=["Furious Frog"]),
    )


def test_queer_quartermaster_exchanges_an_open_hero_that_is_not_empire_with_a_hand_card() -> None:
    """R42, R71, R120: not the Emperor, not itself; nothing is resolved. P18, P20: all see it."""
    game = queer_quartermaster()

    game.choose("play Queer Quartermaster")
    assert game.changes() == {"markers": (5, 4)}
    game.choose(
        "A: exchange Grumpy Guard / [exchange Keen Koi] / pass",
        "[for Depressed Druid] / for Ace Fighter",
    )

    party = ["Buried Emperor", "Canned Champion", "Depressed Druid", "Grumpy Guard"]
    assert game.changes() == {
        "markers": (5, 4),
        "A's open": [*party, "Queer Quartermaster"],
        "A's hand": ["Ace Fighter", "Keen Koi"],
    }
    for seat, secret in ((0, []), (1, ["A chooses in secret"])):
        assert perceived(game, seat) == [
            *secret,
            "Depressed Druid: A's hand to aside",
            "Keen Koi: A's open to A's hand",
            "Depressed Druid: aside to A's open",
        ]


def test_queer_quartermaster_may_bring_in_the_emperor() -> None:
    """R71, R74: only the hero given away must not be Empire."""
    game = given(player(0, hand=["Queer Quartermaster", "Buried Emperor"], open=["Keen Koi"]))
    game.play("Queer Quartermaster", "exchange Keen Koi", "for Buried Emperor")
    assert game.open(0) == ["Buried Emperor", "Queer Quartermaster"]
    assert game.hand(0) == ["Keen Koi"]


def test_queer_quartermaster_may_pass() -> None:
    """R23, R120."""
    game = queer_quartermaster()
    game.play("Queer Quartermaster", "pass")
    assert game.changes() == {"markers": (5, 4)}


# ---- Mummy Mystic: an open hero for the top of the graveyard ----------------------------------


def test_mummy_mystic_may_exchange_an_open_hero_with_the_top_of_the_graveyard() -> None:
    """R42, R129: also itself; the card that arrives lies open, the one that leaves is the top."""
    game = given(
        player(0, hand=["Mummy Mystic"], open=["Keen Koi"], hidden=["Ace Fighter"]),
        player(1, open=["Bored Goblin"]),
        graveyard=["Furious Frog", "Underpaid Mercenary"],
    )

    game.choose("play Mummy Mystic")
    assert game.changes() == {"markers": (5, 6)}
    game.choose("exchange Mummy Mystic / [exchange Keen Koi] / pass")

    assert game.changes() == {
        "markers": (5, 6),
        "A's open": ["Mummy Mystic", "Underpaid Mercenary"],
        "graveyard": ["Furious Frog", "Keen Koi"],
    }


def test_mummy_mystic_may_exchange_itself_and_keeps_the_card_below_the_top_covered() -> None:
    """R26, R93, R129, P21: after Wrapped Warrior the card below would be news."""
    game = given(player(0, hand=["Mummy Mystic"]), graveyard=["Ace Fighter", "Keen Koi"], players=3)
    game.play("Mummy Mystic", "exchange Mummy Mystic")
    assert game.changes() == {
        "markers": (5, 6),
        "A's open": ["Keen Koi"],
        "graveyard": ["Ace Fighter", "Mummy Mystic"],
    }
    assert not any("Ace Fighter" in line for line in perceived_by_all(game))


def test_mummy_mystic_may_decline() -> None:
    """R23, R129: the markers are compulsory all the same."""
    game = given(player(0, hand=["Mummy Mystic"]), graveyard=["Keen Koi"])
    game.play("Mummy Mystic", "pass")
    assert game.changes() == {"markers": (5, 6)}


# ---- Careless Cartographer: two hidden heroes -------------------------------------------------


def test_careless_cartographer_exchanges_a_foreign_hidden_hero_with_one_of_the_performer() -> None:
    """R42, R145: each card takes the other's index, and the performer makes both choices."""
    game = given(
        player(0, hand=["Careless Cartographer"], hidden=["Keen Koi", "Ace Fighter"]),
        player(1, hidden=["Furious Frog"], open=["Grumpy Guard"]),
        player(2, hidden=["Bored Goblin", "Hairy Hermit", "Leery Lizard"]),
    )
    hidden = ["B's hidden 1", "C's hidden 1", "C's hidden 2", "C's hidden 3"]

    game.choose("play Careless Cartographer", "red +1 / green +1 / [red +1, green +1]")
    assert game.options() == [f"exchange {place}" for place in hidden]
    game.choose("exchange C's hidden 2", "A: [for A's hidden 1] / for A's hidden 2")

    assert game.changes() == {
        "markers": (5, 5),
        "A's hidden": ["Hairy Hermit", "Ace Fighter"],
        "C's hidden": ["Bored Goblin", "Keen Koi", "Leery Lizard"],
    }


def test_careless_cartographer_shows_both_cards_to_both_owners() -> None:
    """P22: the others only see which places are exchanged; nobody sees a card before that."""
    game = given(
        player(0, hand=["Careless Cartographer"], hidden=["Keen Koi"]),
        player(1, hidden=["Furious Frog", "Ace Fighter"]),
        players=3,
    )
    game.choose("play Careless Cartographer", "red +1", "exchange B's hidden 2")
    assert perceived_by_all(game) == []
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


# ---- half an exchange is none (R42) -----------------------------------------------------------

EMPEROR_AND_HAND = player(0, hand=["Keen Koi"], open=["Buried Emperor"])


@pytest.mark.parametrize(
    ("hero", "marker", "after", "own", "foreign", "tavern"),
    [
        ("Groggy Preacher", ["green +1"], (4, 5), player(0, open=["Keen Koi"]), [], []),
        ("Half-Headed Wizard", [], (5, 5), player(0), ["Keen Koi"], []),
        ("Half-Headed Wizard", [], (5, 5), player(0), [], ["Leery Lizard"]),
        ("Half-Headed Wizard", [], (5, 5), player(0), [], []),
        ("Underestimated Squire", [], (3, 3), player(0, hidden=["Keen Koi"]), [], []),
        ("Underestimated Squire", [], (3, 3), player(0, hand=["Keen Koi"]), [], []),
        ("Underestimated Squire", [], (3, 3), player(0), [], []),
        ("Queer Quartermaster", [], (5, 4), player(0, open=["Keen Koi"]), ["Furious Frog"], []),
        ("Queer Quartermaster", [], (5, 4), player(0, hand=["Keen Koi"]), ["Furious Frog"], []),
        ("Queer Quartermaster", [], (5, 4), EMPEROR_AND_HAND, [], []),
        ("Mummy Mystic", [], (5, 6), player(0, open=["Keen Koi"]), [], []),
    ],
)
def test_only_moves_markers_unless_both_cards_are_there(
    hero: str,
    marker: list[str],
    after: tuple[int, int],
    own: Player,
    foreign: list[str],
    tavern: list[str],
) -> None:
    """R24, R42, R71, R114, R119, R120, R129: neither Empire nor the Emperor is given away."""
    game = given(
        player(0, hand=[hero, *own.hand], open=["Ace Fighter", *own.open], hidden=own.hidden),
        player(1, open=foreign, hidden=["Crow Carrier"], hand=["Bored Goblin"]),
        tavern=tavern,
    )
    game.play(hero, *marker)
    assert game.changes() == {"markers": after}


@pytest.mark.parametrize(("own", "foreign"), [([], ["Keen Koi"]), (["Keen Koi"], [])])
def test_careless_cartographer_needs_both_hidden_heroes(own: list[str], foreign: list[str]) -> None:
    """R24, R42, R145."""
    game = given(
        player(0, hand=["Careless Cartographer"], hidden=own, open=["Ace Fighter"]),
        player(1, hidden=foreign, open=["Furious Frog"]),
    )
    game.play("Careless Cartographer", "green +1")
    assert game.changes() == {"markers": (4, 5)}


def test_mummy_mystic_stops_at_the_end_of_the_track() -> None:
    """R30, R129."""
    game = given(markers(red=12, green=11), player(0, hand=["Mummy Mystic"]))
    game.play("Mummy Mystic")
    assert game.changes() == {"markers": (12, 12)}


# ---- Goblin Cryptographer: an open hero to another party --------------------------------------


def goblin_cryptographer() -> Scenario:
    game = given(
        player(0, hand=["Goblin Cryptographer"], open=["Depressed Druid"], hidden=["Keen Koi"]),
        player(1, open=["Ace Fighter"], hidden=["Furious Frog"]),
        player(2, open=["Buried Emperor"]),
        player(3),
    )
    game.choose("play Goblin Cryptographer", "red -1")
    return game


@pytest.mark.parametrize(
    ("moved", "question", "after"),
    [
        ("Ace Fighter", "give to C / [give to D]",
         {"B's open": [], "D's open": ["Ace Fighter"]}),
        ("Depressed Druid", "[give to B] / give to C / give to D",
         {"A's open": ["Goblin Cryptographer"], "B's open": ["Ace Fighter", "Depressed Druid"]}),
        ("Goblin Cryptographer", "give to B / [give to C] / give to D",
         {"A's open": ["Depressed Druid"],
          "C's open": ["Buried Emperor", "Goblin Cryptographer"]}),
        ("Buried Emperor", "give to B / [give to D]",
         {"C's open": [], "D's open": ["Buried Emperor"]}),
    ],
)  # fmt: skip
def test_goblin_cryptographer_moves_an_open_hero_to_another_player(
    moved: str, question: str, after: dict[str, object]
) -> None:
    """R26, R43, R63, R74, R144: any hero, unresolved, not to the performer. P38: all see it."""
    game = goblin_cryptographer()
    choice = (
        "A: move Depressed Druid / move Ace Fighter / move Goblin Cryptographer"
        " / move Buried Emperor / pass"
    )
    game.choose(choice.replace(f"move {moved}", f"[move {moved}]"), question)
    assert game.changes() == {"markers": (3, 4), **after}
    source, target = sorted(after, key=lambda party: moved in str(after[party]))
    assert perceived_by_all(game) == [f"{moved}: {source} to {target}"]
    assert "draw from the harbor" in game.options()


def test_goblin_cryptographer_may_pass() -> None:
    """R23, R144."""
    game = goblin_cryptographer()
    game.choose("pass")
    assert game.changes() == {"markers": (3, 4)}
    assert "draw from the harbor" in game.options()


@pytest.mark.parametrize(
    ("before", "script"),
    [
        ((4, 4), ["red -1 / [green -1] / red -1, green -1"]),
        ((4, 4), ["red -1 / green -1 / [red -1, green -1]"]),
        ((1, 1), []),
    ],
)
def test_goblin_cryptographer_with_two_players_moves_only_heroes_of_the_performer(
    before: tuple[int, int], script: list[str]
) -> None:
    """R31, R32, R144: a hero of the other player could go nowhere."""
    game = given(
        markers(*before),
        player(0, hand=["Goblin Cryptographer"], open=["Keen Koi"]),
        player(1, open=["Ace Fighter"]),
    )
    game.play(
        "Goblin Cryptographer",
        *script,
        "move Goblin Cryptographer / [move Keen Koi] / pass",
        "[give to B]",
    )
    assert game.open(0) == ["Goblin Cryptographer"]
    assert game.open(1) == ["Ace Fighter", "Keen Koi"]
