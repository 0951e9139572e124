"""Heroes that move the markers and touch no card."""

from __future__ import annotations

import pytest

from tests.support.perceived import perceived_by_all
from tests.support.scenario import given, markers, player

Track = tuple[int, int]
"""The spaces of the red and the green marker."""


@pytest.mark.parametrize(
    ("hero", "before", "after"),
    [
        ("Short-Sighted Soldier", (4, 4), (5, 3)),
        ("Short-Sighted Soldier", (12, 4), (12, 3)),
        ("Short-Sighted Soldier", (4, 1), (5, 1)),
        ("Pigmented War Pig", (4, 4), (3, 5)),
        ("Pigmented War Pig", (1, 4), (1, 5)),
        ("Pigmented War Pig", (4, 12), (3, 12)),
        ("Flailing Knight", (8, 8), (7, 5)),
        ("Flailing Knight", (1, 3), (1, 1)),
        ("Depressed Druid", (8, 8), (5, 7)),
        ("Depressed Druid", (3, 1), (1, 1)),
        ("Underpaid Mercenary", (4, 4), (7, 5)),
        ("Underpaid Mercenary", (10, 12), (12, 12)),
        ("Blind Eye Collector", (4, 4), (5, 7)),
        ("Blind Eye Collector", (12, 10), (12, 12)),
    ],
)
def test_moves_both_markers_and_asks_nothing(hero: str, before: Track, after: Track) -> None:
    """R30, R31, R147: surplus steps are lost."""
    game = given(
        markers(*before),
        player(0, hand=[hero, "Keen Koi"]),
        player(1, open=["Ace Fighter"], hidden=["Grumpy Guard"]),
        tavern=["Furious Frog"],
    )
    game.play(hero)
    assert game.changes() == {"markers": after}


@pytest.mark.parametrize(
    ("hero", "before", "question", "after"),
    [
        ("Arrowgant Skeleton", (4, 5), "[red +2] / green +2 / red +2, green +2", (6, 5)),
        ("Arrowgant Skeleton", (4, 5), "red +2 / [green +2] / red +2, green +2", (4, 7)),
        ("Arrowgant Skeleton", (4, 5), "red +2 / green +2 / [red +2, green +2]", (6, 7)),
        ("Arrowgant Skeleton", (11, 12), "[red +2]", (12, 12)),
        ("Arrowgant Skeleton", (12, 5), "[green +2]", (12, 7)),
        ("Furious Frog", (6, 6), "[red -2] / green -2 / red -2, green -2", (4, 6)),
        ("Furious Frog", (6, 6), "red -2 / [green -2] / red -2, green -2", (6, 4)),
        ("Furious Frog", (6, 6), "red -2 / green -2 / [red -2, green -2]", (4, 4)),
        ("Furious Frog", (1, 2), "[green -2]", (1, 1)),
        ("Furious Frog", (2, 1), "[red -2]", (1, 1)),
        ("Rotting Orangutan", (4, 4), "[red +2] / green +2", (6, 4)),
        ("Rotting Orangutan", (4, 4), "red +2 / [green +2]", (4, 6)),
        ("Rotting Orangutan", (12, 11), "[green +2]", (12, 12)),
        ("Leery Lizard", (6, 6), "[red -1] / green -2", (5, 6)),
        ("Leery Lizard", (6, 6), "red -1 / [green -2]", (6, 4)),
        ("Leery Lizard", (1, 2), "[green -2]", (1, 1)),
        ("Leery Lizard", (2, 1), "[red -1]", (1, 1)),
        ("Apathetic Waterpriest", (6, 6), "[red -2] / green -1", (4, 6)),
        ("Apathetic Waterpriest", (6, 6), "red -2 / [green -1]", (6, 5)),
        ("Apathetic Waterpriest", (1, 2), "[green -1]", (1, 1)),
        ("Apathetic Waterpriest", (2, 1), "[red -2]", (1, 1)),
    ],
)
def test_lets_the_performer_choose_the_marker(
    hero: str, before: Track, question: str, after: Track
) -> None:
    """R30, R31, R32, R147: one marker or both, never none; equal outcomes are one option."""
    game = given(markers(*before), player(0, hand=[hero]), player(1, open=["Ace Fighter"]))
    game.play(hero, question)
    assert game.changes() == {"markers": after}


@pytest.mark.parametrize(
    ("hero", "before", "question", "after"),
    [
        ("Ace Fighter", (4, 6), "[red +1] / red +2", (5, 6)),
        ("Ace Fighter", (4, 6), "red +1 / [red +2]", (6, 6)),
        ("Ace Fighter", (4, 4), "[red +1]", (5, 4)),
        ("Ace Fighter", (6, 4), "[red +1]", (7, 4)),
        ("Ace Fighter", (11, 12), "[red +1]", (12, 12)),
        ("Hairy Hermit", (6, 4), "[red -1] / red -2", (5, 4)),
        ("Hairy Hermit", (6, 4), "red -1 / [red -2]", (4, 4)),
        ("Hairy Hermit", (4, 4), "[red -1]", (3, 4)),
        ("Hairy Hermit", (4, 6), "[red -1]", (3, 6)),
        ("Hairy Hermit", (2, 1), "[red -1]", (1, 1)),
    ],
)
def test_offers_two_steps_only_while_a_marker_leads(
    hero: str, before: Track, question: str, after: Track
) -> None:
    """R32, R33, R109: no marker leads on a shared space; equal outcomes are one option."""
    game = given(markers(*before), player(0, hand=[hero]))
    game.play(hero, f"A: {question}")
    assert game.changes() == {"markers": after}


@pytest.mark.parametrize(
    ("hero", "before", "script", "after"),
    [
        ("Keen Koi", (7, 4), [], (6, 5)),
        ("Keen Koi", (3, 9), [], (4, 8)),
        ("Keen Koi", (5, 4), [], (4, 5)),
        ("Keen Koi", (12, 11), [], (11, 12)),
        ("Keen Koi", (1, 2), [], (2, 1)),
        ("Drowned Deserter", (6, 4), ["[red -1] / green +2"], (5, 4)),
        ("Drowned Deserter", (6, 4), ["red -1 / [green +2]"], (6, 6)),
        ("Drowned Deserter", (3, 8), ["[green -1] / red +2"], (3, 7)),
        ("Drowned Deserter", (3, 8), ["green -1 / [red +2]"], (5, 8)),
        ("Drowned Deserter", (12, 11), ["red -1 / [green +2]"], (12, 12)),
        ("Triple Sword Lizard", (6, 4), ["[red -1] / red -2"], (5, 4)),
        ("Triple Sword Lizard", (6, 4), ["red -1 / [red -2]"], (4, 4)),
        ("Triple Sword Lizard", (6, 8), ["green -1 / [green -2]"], (6, 6)),
        ("Triple Sword Lizard", (6, 7), ["green -1 / [green -2]"], (6, 5)),
        ("Triple Sword Lizard", (2, 1), ["[red -1]"], (1, 1)),
    ],
)
def test_moves_the_leading_or_the_trailing_marker(
    hero: str, before: Track, script: list[str], after: Track
) -> None:
    """R30, R32, R33, R34, R136: which marker leads is settled before either moves."""
    game = given(markers(*before), player(0, hand=[hero]))
    game.play(hero, *script)
    assert game.changes() == {"markers": after}


@pytest.mark.parametrize(
    ("hero", "before"),
    [
        ("Arrowgant Skeleton", (12, 12)),
        ("Rotting Orangutan", (12, 12)),
        ("Leery Lizard", (1, 1)),
        ("Furious Frog", (1, 1)),
        ("Apathetic Waterpriest", (1, 1)),
        ("Ace Fighter", (12, 12)),
        ("Hairy Hermit", (1, 1)),
        ("Keen Koi", (5, 5)),
        ("Drowned Deserter", (7, 7)),
        ("Triple Sword Lizard", (6, 6)),
    ],
)
def test_does_nothing_if_no_marker_can_move(hero: str, before: Track) -> None:
    """R32, R33, R136: a marker at the end of the track stays; on a shared space none leads."""
    game = given(markers(*before), player(0, hand=[hero]))
    game.play(hero)
    assert game.changes() == {}


@pytest.mark.parametrize(
    ("hero", "before", "options"),
    [
        ("Shaky Sharpshooter", (4, 1), ["red +1"]),
        ("Canned Champion", (1, 4), ["green +1"]),
        ("Curious Troll", (12, 4), ["green +1"]),
        ("Watchful Witch", (1, 4), ["green +1"]),
        ("Lethargic Leech", (1, 4), ["green -1"]),
        ("Goblin Cryptographer", (1, 4), ["green -1"]),
        ("Goblin Cryptographer", (4, 4), ["red -1", "green -1", "red -1, green -1"]),
        ("Doubtful Priest", (1, 4), ["red +2"]),
        ("Doubtful Priest", (2, 4), ["red +2", "red -2"]),
        ("Doubtful Priest", (12, 4), ["red -2"]),
    ],
)
def test_offers_only_alternatives_that_move_a_marker(
    hero: str, before: Track, options: list[str]
) -> None:
    """R31, R32: also to the next player, who chooses for Doubtful Priest."""
    game = given(markers(*before), player(0, hand=[hero]))
    game.choose(f"play {hero}")
    assert game.actor == (1 if hero == "Doubtful Priest" else 0)
    assert game.options() == options


# ---- an open hero as a condition (R107) -------------------------------------------------------

UNDEAD = ["Crow Carrier", "Half-Eaten Bull", "Gorgeous Gorgon"]


@pytest.mark.parametrize(
    ("hero", "party", "before", "after"),
    [
        ("Bored Goblin", ["Crow Carrier"], (6, 6), (4, 6)),
        ("Bored Goblin", ["Buried Emperor"], (6, 6), (4, 6)),
        ("Bored Goblin", UNDEAD, (7, 4), (5, 4)),
        ("Bored Goblin", UNDEAD, (2, 4), (1, 4)),
        ("Grumpy Guard", ["Keen Koi"], (4, 4), (4, 6)),
        ("Grumpy Guard", ["Buried Emperor"], (4, 4), (4, 6)),
        ("Grumpy Guard", ["Keen Koi"], (4, 11), (4, 12)),
    ],
)
def test_moves_two_steps_if_the_party_shows_the_faction(
    hero: str, party: list[str], before: Track, after: Track
) -> None:
    """R30, R70, R107: compulsory; however many heroes show it, and the Emperor will do."""
    game = given(markers(*before), player(0, hand=[hero], open=party))
    game.play(hero)
    assert game.changes() == {"markers": after}


@pytest.mark.parametrize(
    ("hero", "faction"),
    [
        ("Bored Goblin", ["Crow Carrier", "Half-Eaten Bull", "Gorgeous Gorgon", "Mummy Mystic"]),
        ("Grumpy Guard", ["Keen Koi", "Furious Frog", "Leery Lizard", "Aimless Eel"]),
    ],
)
def test_does_nothing_if_the_party_does_not_show_the_faction(hero: str, faction: list[str]) -> None:
    """R24, R107: cards in hand, hidden heroes, the tavern and other parties do not count."""
    in_hand, hidden, foreign, in_tavern = faction
    game = given(
        player(0, hand=[hero, in_hand], hidden=[hidden]),
        player(1, open=[foreign, "Buried Emperor"]),
        tavern=[in_tavern],
    )
    game.play(hero)
    assert game.changes() == {}


# ---- a number of cards (R35) ------------------------------------------------------------------

# fmt: off
TRIBES_HEROES = [
    "Grumpy Guard", "Bored Goblin", "Hairy Hermit", "Joyless Chief",
    "Curious Troll", "Watchful Witch", "Depressed Druid", "Blind Eye Collector",
]
EMPIRE_HEROES = [
    "Ace Fighter", "Flailing Knight", "Canned Champion", "Angry Priestess",
    "Nagging Northman", "Groggy Preacher", "Doubtful Priest", "Well-Aged Warrior",
]
UNDEAD_HEROES = [
    "Mummy Mystic", "Sun-Shy Skeleton", "Half-Eaten Bull", "Rotting Orangutan",
    "Crow Carrier", "Lethargic Leech", "Wrapped Warrior", "Gorgeous Gorgon",
]
# fmt: on


@pytest.mark.parametrize(("pick", "count"), [("A", 1), ("B", 2), ("C", 0), ("D", 3)])
@pytest.mark.parametrize(
    ("hero", "faction", "step"),
    [
        ("Almost-Evil Scholar", TRIBES_HEROES, (1, 0)),
        ("Potato Privateer", EMPIRE_HEROES, (0, 1)),
        ("Krill Keeper", UNDEAD_HEROES, (-1, -1)),
    ],
)
def test_counts_the_open_heroes_of_a_faction_in_any_party(
    hero: str, faction: list[str], step: Track, pick: str, count: int
) -> None:
    """R28, R35, R70, R112: the Emperor counts, hidden heroes do not; none will do, 3 at most."""
    game = given(
        player(0, hand=[hero], open=[faction[0], "Keen Koi"]),
        player(1, open=[faction[1], "Buried Emperor", "Furious Frog"], hidden=[faction[2]]),
        player(2, open=["Leery Lizard"], hidden=[faction[3]]),
        player(3, open=faction[4:]),
    )
    question = "A: pick A / pick B / pick C / pick D"
    game.play(hero, question.replace(f"pick {pick}", f"[pick {pick}]"))
    assert game.markers == (4 + count * step[0], 4 + count * step[1])
    assert game.changes().keys() <= {"markers"}


@pytest.mark.parametrize(
    ("hero", "faction", "before", "after"),
    [
        ("Almost-Evil Scholar", TRIBES_HEROES, (11, 4), (12, 4)),
        ("Potato Privateer", EMPIRE_HEROES, (4, 11), (4, 12)),
        ("Krill Keeper", UNDEAD_HEROES, (8, 2), (6, 1)),
    ],
)
def test_counting_heroes_stop_at_the_end_of_the_track(
    hero: str, faction: list[str], before: Track, after: Track
) -> None:
    """R30, R112."""
    game = given(markers(*before), player(0, hand=[hero]), player(1, open=faction[:2]))
    game.play(hero, "pick B")
    assert game.markers == after


@pytest.mark.parametrize(
    ("graveyard", "steps"),
    [
        ([], 0),
        (["Keen Koi"], 1),
        (["Keen Koi", "Ace Fighter", "Emperor"], 3),
        (["Keen Koi", "Ace Fighter", "Emperor", "Furious Frog", "Bored Goblin"], 3),
    ],
)
def test_naughty_necromancer_counts_the_graveyard(graveyard: list[str], steps: int) -> None:
    """R35, R130: three at most; the Emperor is one card."""
    game = given(
        markers(red=4, green=10), player(0, hand=["Naughty Necromancer"]), graveyard=graveyard
    )
    game.play("Naughty Necromancer")
    assert game.markers == (4 + steps, min(12, 10 + steps))
    assert game.changes().keys() <= {"markers"}


# ---- Tentacle Oracle --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wilderness", "before", "after"),
    [
        (["Crow Carrier", "Keen Koi"], (6, 2), (3, 1)),
        (["Keen Koi", "Crow Carrier"], (6, 6), (6, 6)),
        (["Keen Koi", "Buried Emperor"], (6, 6), (6, 6)),
        ([], (6, 6), (6, 6)),
    ],
)
def test_tentacle_oracle_moves_both_markers_back_unless_the_top_wilderness_card_is_undead(
    wilderness: list[str], before: Track, after: Track
) -> None:
    """R24, R30, R49, R71, R135: the card stays on top, and all see it (P26)."""
    game = given(
        markers(*before), player(0, hand=["Tentacle Oracle"]), wilderness=wilderness, players=3
    )
    game.play("Tentacle Oracle")
    assert game.markers == after
    assert game.changes().keys() <= {"markers"}
    shown = [f"{wilderness[-1]}: seen in wilderness 2"] if wilderness else []
    assert perceived_by_all(game) == shown
