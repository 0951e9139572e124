"""Heroes that look at hidden heroes or turn heroes over."""

from __future__ import annotations

import pytest

from tests.support.perceived import perceived, perceived_by_all
from tests.support.scenario import Scenario, given, markers, player

# ---- looking at up to two hidden heroes -------------------------------------------------------

LOOKERS = pytest.mark.parametrize(
    ("hero", "other_marker"), [("Curious Troll", "red +1"), ("Watchful Witch", "red -1")]
)


def looking(hero: str) -> Scenario:
    return given(
        player(0, hand=[hero], hidden=["Grumpy Guard"]),
        player(1, hidden=["Keen Koi", "Furious Frog"], open=["Ace Fighter"]),
        player(2, hidden=["Leery Lizard"]),
    )


@LOOKERS
def test_looks_at_two_different_hidden_heroes_of_others(hero: str, other_marker: str) -> None:
    """R23, R48, R106: each once; all see which, only the performer sees the faces (P25)."""
    game = looking(hero)
    game.play(
        hero,
        f"{other_marker} / [green +1]",
        "A: look at B's hidden 1 / [look at B's hidden 2] / look at C's hidden 1 / pass",
        "A: [look at B's hidden 1] / look at C's hidden 1 / pass",
    )
    assert game.changes() == {"markers": (4, 5)}
    assert perceived(game, 0) == [
        "Furious Frog: seen in B's hidden 2",
        "Keen Koi: seen in B's hidden 1",
    ]
    assert perceived(game, 2) == ["?: seen in B's hidden 2", "?: seen in B's hidden 1"]


@LOOKERS
@pytest.mark.parametrize("script", [["pass"], ["look at C's hidden 1", "pass"]])
def test_may_look_at_fewer_hidden_heroes(hero: str, other_marker: str, script: list[str]) -> None:
    """R23, R106: passing ends it."""
    game = looking(hero)
    game.play(hero, other_marker, *script)
    assert len(perceived(game, 0)) == len(script) - 1
    assert game.markers == (4 + int(other_marker[4:]), 4)


@LOOKERS
@pytest.mark.parametrize(
    ("hidden", "script"), [([], []), (["Keen Koi"], ["[look at B's hidden 1] / pass"])]
)
def test_is_asked_only_about_hidden_heroes_not_yet_seen(
    hero: str, other_marker: str, hidden: list[str], script: list[str]
) -> None:
    """R24, R106: the performer's own hidden heroes are not offered."""
    game = given(
        player(0, hand=[hero], hidden=["Grumpy Guard"]),
        player(1, open=["Ace Fighter"], hidden=hidden),
    )
    game.play(hero, f"{other_marker} / [green +1]", *script)
    assert game.changes() == {"markers": (4, 5)}


# ---- turning over a hero of another player ----------------------------------------------------

FLIPPERS = pytest.mark.parametrize(
    ("hero", "after"), [("Long-Eared Loner", (4, 5)), ("Spirited Shaman", (3, 3))]
)


@FLIPPERS
@pytest.mark.parametrize(
    ("turned", "news", "changes"),
    [
        ("B's hidden 1", "Depressed Druid: B's hidden 1 to B's open",
         {"B's open": ["Depressed Druid", "Keen Koi"], "B's hidden": ["Furious Frog"]}),
        ("Buried Emperor", "Buried Emperor: C's open to C's hidden",
         {"C's open": [], "C's hidden": ["Leery Lizard", "Buried Emperor"]}),
    ],
)  # fmt: skip
def test_turns_over_a_hero_of_another_player(
    hero: str, after: tuple[int, int], turned: str, news: str, changes: dict[str, object]
) -> None:
    """R27, R47, R66, R67, R74, R110: any hero of another, unresolved; all see it (P16, P17)."""
    game = given(
        player(0, hand=[hero], open=["Ace Fighter"], hidden=["Grumpy Guard"]),
        player(1, open=["Keen Koi"], hidden=["Depressed Druid", "Furious Frog"]),
        player(2, open=["Buried Emperor"], hidden=["Leery Lizard"]),
    )

    game.choose(f"play {hero}")
    assert game.changes() == {"markers": after}
    targets = ["Keen Koi", "Buried Emperor", "B's hidden 1", "B's hidden 2", "C's hidden 1"]
    assert (game.actor, game.options()) == (0, [f"turn over {target}" for target in targets])
    game.choose(f"turn over {turned}")

    assert game.changes() == {"markers": after, **changes}
    assert perceived_by_all(game) == [news]


@FLIPPERS
def test_only_moves_markers_if_no_other_party_has_a_hero(hero: str, after: tuple[int, int]) -> None:
    """R24, R110."""
    game = given(player(0, hand=[hero], open=["Ace Fighter"], hidden=["Grumpy Guard"]))
    game.play(hero)
    assert game.changes() == {"markers": after}


@pytest.mark.parametrize(
    ("hero", "script"),
    [
        ("Long-Eared Loner", []),
        ("Spirited Shaman", []),
        ("Bludgeoning Blowfish", ["red +1", "turn one face up"]),
    ],
)
def test_must_turn_over_the_only_target(hero: str, script: list[str]) -> None:
    """R25, R110, R142."""
    game = given(player(0, hand=[hero]), player(1, hidden=["Keen Koi"]))
    game.play(hero, *script, "[turn over B's hidden 1]")
    assert game.open(1) == ["Keen Koi"]


def test_spirited_shaman_stops_at_the_first_space() -> None:
    """R30."""
    game = given(markers(1, 2), player(0, hand=["Spirited Shaman"]))
    game.play("Spirited Shaman")
    assert game.markers == (1, 1)


# ---- Bludgeoning Blowfish: turning up or looking ----------------------------------------------


@pytest.mark.parametrize(
    ("marker", "after", "manner", "verb", "changes"),
    [
        ("red +1 / [green -1]", (4, 3), "[turn one face up] / look at one", "turn over",
         {"B's open": ["Underpaid Mercenary"], "B's hidden": ["Keen Koi", "Bored Goblin"]}),
        ("[red +1] / green -1", (5, 4), "turn one face up / [look at one]", "look at", {}),
    ],
)  # fmt: skip
def test_bludgeoning_blowfish_turns_up_or_looks_at_a_foreign_hidden_hero(
    marker: str, after: tuple[int, int], manner: str, verb: str, changes: dict[str, object]
) -> None:
    """R47, R48, R67, R142: nothing is resolved; P16: all see it, P25: only the performer."""
    game = given(
        player(0, hand=["Bludgeoning Blowfish"], hidden=["Ace Fighter"]),
        player(1, hidden=["Keen Koi", "Underpaid Mercenary", "Bored Goblin"]),
        player(2, hidden=["Furious Frog"], open=["Grumpy Guard"]),
    )
    game.choose("play Bludgeoning Blowfish", marker, manner)
    hidden = ["B's hidden 1", "B's hidden 2", "B's hidden 3", "C's hidden 1"]
    assert game.options() == [f"{verb} {place}" for place in hidden]
    game.choose(f"{verb} B's hidden 2")

    assert game.changes() == {"markers": after, **changes}
    if changes:
        assert perceived_by_all(game) == ["Underpaid Mercenary: B's hidden 2 to B's open"]
    else:
        assert perceived(game, 0) == ["Underpaid Mercenary: seen in B's hidden 2"]
        assert perceived(game, 2) == ["?: seen in B's hidden 2"]
        assert perceived(game, 1)[0].endswith(": seen in B's hidden 2")


# ---- Androgynous Assassin: guessing a faction -------------------------------------------------


@pytest.mark.parametrize(
    ("marker", "after", "named", "changes"),
    [
        ("[red -1] / green +1", (3, 4), "Tribes", {"graveyard": ["Depressed Druid"]}),
        ("red -1 / [green +1]", (4, 5), "Undead",
         {"B's open": ["Depressed Druid", "Grumpy Guard"]}),
    ],
)  # fmt: skip
def test_androgynous_assassin_buries_a_hero_of_the_faction_named(
    marker: str, after: tuple[int, int], named: str, changes: dict[str, object]
) -> None:
    """R51, R67, R118: otherwise it lies open, unresolved. P13, P16: all see it."""
    game = given(
        player(0, hand=["Androgynous Assassin"], hidden=["Ace Fighter"]),
        player(1, hidden=["Keen Koi", "Depressed Druid"], open=["Grumpy Guard"]),
        player(2, hidden=["Buried Emperor"]),
    )

    game.choose("play Androgynous Assassin", marker)
    assert game.changes() == {"markers": after}
    game.choose("A: name Undead / name Water / name Empire / name Tribes", f"name {named}")
    game.choose("expose B's hidden 1 / [expose B's hidden 2] / expose C's hidden 1")

    assert game.changes() == {"markers": after, "B's hidden": ["Keen Koi"], **changes}
    place = "graveyard" if "graveyard" in changes else "B's open"
    assert perceived_by_all(game) == [f"Depressed Druid: B's hidden 2 to {place}"]


@pytest.mark.parametrize(
    ("hero", "marker", "after"),
    [("Androgynous Assassin", "red -1", (3, 4)), ("Bludgeoning Blowfish", "red +1", (5, 4))],
)
def test_only_moves_a_marker_without_a_foreign_hidden_hero(
    hero: str, marker: str, after: tuple[int, int]
) -> None:
    """R24, R118, R142: no faction is named; the performer's own hidden heroes are no targets."""
    game = given(player(0, hand=[hero], hidden=["Ace Fighter"]), player(1, open=["Keen Koi"]))
    game.play(hero, marker)
    assert game.changes() == {"markers": after}
