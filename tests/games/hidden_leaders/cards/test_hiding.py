"""Heroes that place cards hidden in the performer's party, or take them from hands."""

from __future__ import annotations

import pytest

from games.state import CHANCE
from tests.support.perceived import perceived
from tests.support.scenario import given, markers, player

# ---- a card of the performer's hand -----------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "marker", "after"),
    [
        ("Battle Pet Master", [], (5, 5)),
        ("Well-Aged Warrior", [], (5, 5)),
        ("Friendly Frogmage", [], (5, 5)),
        ("Lethargic Leech", ["[red -1] / green -1"], (3, 4)),
        ("Lethargic Leech", ["red -1 / [green -1]"], (4, 3)),
    ],
)
def test_hides_a_hand_card_unresolved(hero: str, marker: list[str], after: tuple[int, int]) -> None:
    """R43, R66, R105: compulsory, as the newest hidden hero; only the owner knows it (P9)."""
    game = given(
        player(0, hand=[hero, "Depressed Druid", "Keen Koi"], hidden=["Ace Fighter"]),
        player(1, hand=["Leery Lizard"]),
    )

    game.choose(f"play {hero}", *marker)
    assert game.changes() == {"markers": after}
    game.choose("A: [place Depressed Druid hidden] / place Keen Koi hidden")

    assert game.changes() == {
        "markers": after,
        "A's hand": ["Keen Koi"],
        "A's hidden": ["Ace Fighter", "Depressed Druid"],
    }
    assert perceived(game, 0) == ["Depressed Druid: A's hand to A's hidden"]
    assert perceived(game, 1) == ["A chooses in secret", "?: A's hand to A's hidden"]


@pytest.mark.parametrize(
    ("hero", "before", "marker", "after"),
    [
        ("Battle Pet Master", (4, 12), [], (5, 12)),
        ("Well-Aged Warrior", (12, 4), [], (12, 5)),
        ("Friendly Frogmage", (12, 4), [], (12, 5)),
        ("Lethargic Leech", (1, 4), ["[green -1]"], (1, 3)),
    ],
)
def test_only_moves_markers_with_an_empty_hand(
    hero: str, before: tuple[int, int], marker: list[str], after: tuple[int, int]
) -> None:
    """R24, R30, R32, R105: one marker is at the end of the track already."""
    game = given(markers(*before), player(0, hand=[hero]))
    game.play(hero, *marker)
    assert game.changes() == {"markers": after}


# ---- Gambling Overseer ------------------------------------------------------------------------


def test_gambling_overseer_buries_a_hidden_hero_then_hides_two_hand_cards() -> None:
    """R40, R66, R143: in any order; cards placed later cannot be buried before. P9, P13."""
    game = given(
        player(
            0,
            hand=["Gambling Overseer", "Ace Fighter", "Keen Koi"],
            hidden=["Grumpy Guard", "Furious Frog"],
        ),
        player(1, hidden=["Leery Lizard"]),
    )

    game.choose("play Gambling Overseer")
    assert game.changes() == {"markers": (3, 3)}
    game.choose(
        "[bury A's hidden 1] / bury A's hidden 2",
        "place Ace Fighter hidden / [place Keen Koi hidden]",
        "[place Ace Fighter hidden]",
    )

    assert game.changes() == {
        "markers": (3, 3),
        "A's hand": [],
        "A's hidden": ["Furious Frog", "Keen Koi", "Ace Fighter"],
        "graveyard": ["Grumpy Guard"],
    }
    placed = ["A chooses in secret", "?: A's hand to A's hidden"]
    assert perceived(game, 1) == ["Grumpy Guard: A's hidden 1 to graveyard", *placed, *placed]


@pytest.mark.parametrize(
    ("hand", "hidden", "script", "hidden_after", "buried"),
    [
        (["Ace Fighter", "Keen Koi", "Crow Carrier"], [],
         ["place Ace Fighter hidden", "place Crow Carrier hidden"],
         ["Ace Fighter", "Crow Carrier"], []),
        (["Ace Fighter"], ["Grumpy Guard", "Keen Koi"],
         ["bury A's hidden 2", "place Ace Fighter hidden"], ["Grumpy Guard", "Ace Fighter"],
         ["Keen Koi"]),
        ([], ["Buried Emperor"], ["[bury A's hidden 1]"], [], ["Buried Emperor"]),
        ([], [], [], [], []),
    ],
)  # fmt: skip
def test_gambling_overseer_does_as_much_as_possible(
    hand: list[str],
    hidden: list[str],
    script: list[str],
    hidden_after: list[str],
    buried: list[str],
) -> None:
    """R24, R25, R30, R143: all is compulsory, also for the Emperor (R74); others are safe."""
    game = given(
        markers(1, 4),
        player(0, hand=["Gambling Overseer", *hand], hidden=hidden),
        player(1, hidden=["Leery Lizard"]),
    )
    game.play("Gambling Overseer", *script)
    assert game.markers == (1, 3)
    assert (game.hidden(0), game.graveyard) == (hidden_after, buried)
    assert len(game.hand(0)) == max(0, len(hand) - 2)
    assert game.hidden(1) == ["Leery Lizard"]


# ---- a random card of another hand ------------------------------------------------------------


@pytest.mark.parametrize(
    ("hero", "marker", "after", "place"),
    [
        ("Resilient Rearguard", ["A: [red +1] / green -1"], (5, 4), "A's hand"),
        ("Curious Cat Lover", [], (5, 4), "A's hidden"),
    ],
)
def test_takes_a_random_card_of_another_hand(
    hero: str, marker: list[str], after: tuple[int, int], place: str
) -> None:
    """R28, R44, R46, R108: of a player who has one; only both players see it (P23, P24)."""
    game = given(
        player(0, hand=[hero, "Ace Fighter"], hidden=["Grumpy Guard"]),
        player(1, open=["Leery Lizard"]),
        player(2, hand=["Keen Koi", "Furious Frog"]),
        player(3, hand=["Aimless Eel"]),
    )

    game.choose(f"play {hero}", *marker)
    assert game.changes() == {"markers": after}
    game.choose("A: [pick C] / pick D")
    assert game.actor == CHANCE
    game.choose("chance: Furious Frog / [chance: Keen Koi]")

    kept = ["Ace Fighter"] if place == "A's hand" else ["Grumpy Guard"]
    assert game.changes() == {
        "markers": after,
        "C's hand": ["Furious Frog"],
        place: [*kept, "Keen Koi"],
    }
    known, unknown = [f"Keen Koi: C's hand to {place}"], [f"?: C's hand to {place}"]
    assert [perceived(game, seat) for seat in range(4)] == [known, unknown, known, unknown]


@pytest.mark.parametrize(
    ("hero", "marker", "after"),
    [
        ("Resilient Rearguard", ["green -1"], (4, 3)),
        ("Curious Cat Lover", [], (5, 4)),
        ("Will-Bending Witch", ["green +1"], (4, 5)),
        ("Underwater Artist", [], (5, 5)),
    ],
)
def test_only_moves_markers_if_all_other_hands_are_empty(
    hero: str, marker: list[str], after: tuple[int, int]
) -> None:
    """R24, R108, R127, R146: the performer's hand is not touched, and no faction is named."""
    game = given(player(0, hand=[hero, "Ace Fighter"]), players=3)
    game.play(hero, *marker)
    assert game.changes() == {"markers": after}
