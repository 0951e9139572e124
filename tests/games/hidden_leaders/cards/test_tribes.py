"""The nineteen heroes of the Hill Tribes."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.constants import Event
from games.state import CHANCE
from tests.support.perceived import moved
from tests.support.scenario import Scenario, chance, given, markers, player

# ---- Shaky Sharpshooter -----------------------------------------------------------------------


def test_shaky_sharpshooter_buries_an_open_empire_hero_of_any_party_or_the_emperor() -> None:
    """R22, R70, R101: after the marker, every open Empire hero is a target, so is the Emperor."""
    game = given(
        player(0, hand=["Shaky Sharpshooter"], open=["Ace Fighter"]),
        player(1, open=["Flailing Knight", "Keen Koi"], hidden=["Canned Champion"]),
        player(2, open=["Buried Emperor", "Grumpy Guard"]),
        tavern=["Angry Priestess"],
    )

    game.choose("play Shaky Sharpshooter")
    assert game.options() == ["red +1", "green -1"]
    game.choose("red +1")
    assert (game.actor, game.red) == (0, 5)
    assert game.options() == ["bury Flailing Knight", "bury Ace Fighter", "bury Buried Emperor"]
    game.choose("bury Flailing Knight")

    assert game.graveyard == ["Flailing Knight"]
    assert game.open(0) == ["Ace Fighter", "Shaky Sharpshooter"]
    assert game.open(1) == ["Keen Koi"]
    assert game.open(2) == ["Buried Emperor", "Grumpy Guard"]
    assert (game.red, game.green) == (5, 4)


def test_shaky_sharpshooter_buries_the_emperor_as_an_empire_hero() -> None:
    """R70, R74."""
    game = given(player(0, hand=["Shaky Sharpshooter"]), player(1, open=["Buried Emperor"]))

    game.play("Shaky Sharpshooter", "green -1", "bury Buried Emperor")

    assert game.graveyard == ["Buried Emperor"]
    assert game.open(1) == []
    assert (game.red, game.green) == (4, 3)


def test_shaky_sharpshooter_must_bury_an_own_hero_if_it_is_the_only_target() -> None:
    """R25: there is no passing."""
    game = given(player(0, hand=["Shaky Sharpshooter"], open=["Ace Fighter"]))

    game.choose("play Shaky Sharpshooter", "red +1")
    assert game.options() == ["bury Ace Fighter"]
    game.choose("bury Ace Fighter")

    assert game.open(0) == ["Shaky Sharpshooter"]
    assert game.graveyard == ["Ace Fighter"]


def test_shaky_sharpshooter_without_an_open_empire_hero_only_moves_a_marker() -> None:
    """R24, R101: hidden heroes and heroes of other factions are no targets."""
    game = given(
        player(0, hand=["Shaky Sharpshooter"]),
        player(1, open=["Keen Koi"], hidden=["Ace Fighter"]),
    )

    game.play("Shaky Sharpshooter", "red +1")

    assert game.graveyard == []
    assert game.open(1) == ["Keen Koi"]
    assert game.hidden(1) == ["Ace Fighter"]
    assert game.red == 5


def test_shaky_sharpshooter_at_the_ends_of_the_track() -> None:
    """R32: an alternative that moves nothing is not offered; if none moves, nobody is asked."""
    game = given(markers(red=4, green=1), player(0, hand=["Shaky Sharpshooter"]))
    game.choose("play Shaky Sharpshooter")
    assert game.options() == ["red +1"]

    game = given(
        markers(red=12, green=1),
        player(0, hand=["Shaky Sharpshooter"]),
        player(1, open=["Ace Fighter"]),
    )
    game.play("Shaky Sharpshooter", "bury Ace Fighter")
    assert (game.red, game.green) == (12, 1)
    assert game.graveyard == ["Ace Fighter"]


# ---- Overworked Amazon ------------------------------------------------------------------------


def test_overworked_amazon_lets_the_picked_player_bury_one_of_the_own_open_heroes() -> None:
    """R28, R36, R102: only players with an open hero may be picked; the picked one chooses."""
    game = given(
        player(0, hand=["Overworked Amazon"]),
        player(1, hidden=["Ace Fighter"], hand=["Keen Koi"]),
        player(2, open=["Furious Frog", "Grumpy Guard"], hidden=["Leery Lizard"]),
    )

    game.choose("play Overworked Amazon")
    assert game.options() == ["red +1", "green -1"]
    game.choose("green -1")
    assert game.actor == 0
    assert game.options() == ["pick A", "pick C"]
    game.choose("pick C")
    assert game.actor == 2
    assert game.options() == ["bury Grumpy Guard", "bury Furious Frog"]
    game.choose("bury Furious Frog")

    assert game.graveyard == ["Furious Frog"]
    assert game.open(2) == ["Grumpy Guard"]
    assert game.hidden(2) == ["Leery Lizard"]
    assert game.open(0) == ["Overworked Amazon"]
    assert (game.red, game.green) == (4, 3)
    assert game.actor == 0


def test_overworked_amazon_may_be_buried_by_herself() -> None:
    """R26, R102: the performer may be picked, and Amazon lies open already; R63."""
    game = given(player(0, hand=["Overworked Amazon"], open=["Keen Koi"]))

    game.choose("play Overworked Amazon", "red +1")
    assert game.options() == ["pick A"]
    game.choose("pick A")
    assert game.actor == 0
    assert game.options() == ["bury Overworked Amazon", "bury Keen Koi"]
    game.choose("bury Overworked Amazon")

    assert game.open(0) == ["Keen Koi"]
    assert game.graveyard == ["Overworked Amazon"]


def test_overworked_amazon_must_bury_herself_if_nobody_else_shows_a_hero() -> None:
    """R25, R102."""
    game = given(player(0, hand=["Overworked Amazon"]), player(1, hidden=["Keen Koi"]))

    game.play("Overworked Amazon", "red +1", "pick A", "bury Overworked Amazon")

    assert game.open(0) == []
    assert game.graveyard == ["Overworked Amazon"]
    assert game.hidden(1) == ["Keen Koi"]


# ---- Hangry Barbarian -------------------------------------------------------------------------


def test_hangry_barbarian_discards_empire_and_undead_from_the_tavern_then_moves_red() -> None:
    """R22, R37, R103: no choice, slot order, and the marker only after the cards."""
    game = given(
        player(0, hand=["Hangry Barbarian"]),
        tavern=["Flailing Knight", "Keen Koi", "Crow Carrier"],
        wilderness=["Furious Frog"],
    )
    game.events(1)

    game.play("Hangry Barbarian")

    assert game.tavern == [None, "Keen Koi", None]
    assert game.wilderness == ["Furious Frog", "Flailing Knight", "Crow Carrier"]
    assert (game.red, game.green) == (2, 4)
    kinds = [event[0] for event in game.events(1) if event[0] in (Event.MOVED, Event.MARKERS)]
    assert kinds == [Event.MOVED, Event.MOVED, Event.MOVED, Event.MARKERS]


def test_hangry_barbarian_counts_the_emperor_once() -> None:
    """R70, R72: Empire and Undead at once, yet one card; P11: all see what goes."""
    game = given(player(0, hand=["Hangry Barbarian"]), tavern=[None, "Buried Emperor", "Keen Koi"])
    game.events(1)

    game.play("Hangry Barbarian")

    assert game.red == 3
    assert game.tavern == [None, None, "Keen Koi"]
    assert game.wilderness == ["Buried Emperor"]
    assert "Buried Emperor: tavern 2 to wilderness" in moved(game, 1)


def test_hangry_barbarian_stops_red_at_the_first_space() -> None:
    """R30, R35: three cards, but only one space to go."""
    game = given(
        markers(red=2),
        player(0, hand=["Hangry Barbarian"]),
        tavern=["Flailing Knight", "Ace Fighter", "Crow Carrier"],
    )

    game.play("Hangry Barbarian")

    assert game.red == 1
    assert game.tavern == [None, None, None]


@pytest.mark.parametrize("tavern", [[], ["Keen Koi", "Grumpy Guard"]])
def test_hangry_barbarian_without_prey_does_nothing(tavern: list[str]) -> None:
    """R24, R103."""
    game = given(player(0, hand=["Hangry Barbarian"]), tavern=tavern)

    game.play("Hangry Barbarian")

    assert (game.red, game.green) == (4, 4)
    assert game.wilderness == []
    assert [card for card in game.tavern if card] == tavern


# ---- Joyless Chief ----------------------------------------------------------------------------


def joyless_chief() -> Scenario:
    game = given(
        player(0, hand=["Joyless Chief"], hidden=["Grumpy Guard"]),
        wilderness=["Ace Fighter", "Keen Koi", "Furious Frog"],
    )
    game.events(0)
    game.events(1)
    return game


def test_joyless_chief_hides_one_of_the_top_two_wilderness_cards_and_returns_the_other() -> None:
    """R66, R104."""
    game = joyless_chief()

    game.choose("play Joyless Chief")
    assert game.red == 5
    assert game.options() == ["place Furious Frog hidden", "place Keen Koi hidden"]
    game.choose("place Furious Frog hidden")

    assert game.hidden(0) == ["Grumpy Guard", "Furious Frog"]
    assert game.wilderness == ["Ace Fighter", "Keen Koi"]
    assert game.hand(0) == []


def test_joyless_chief_may_return_the_upper_card() -> None:
    """R104."""
    game = joyless_chief()

    game.play("Joyless Chief", "place Keen Koi hidden")

    assert game.hidden(0) == ["Grumpy Guard", "Keen Koi"]
    assert game.wilderness == ["Ace Fighter", "Furious Frog"]


def test_joyless_chief_lets_nobody_else_see_the_cards_or_the_split() -> None:
    """R38, R48, P27: the others' news is the same whichever card was taken."""
    upper, lower = joyless_chief(), joyless_chief()
    upper.play("Joyless Chief", "place Furious Frog hidden")
    lower.play("Joyless Chief", "place Keen Koi hidden")

    assert moved(upper, 0) == [
        "Joyless Chief: A's hand to A's open",
        "Furious Frog: wilderness 3 to drawn",
        "Keen Koi: wilderness 2 to drawn",
        "Furious Frog: drawn to A's hidden",
        "Keen Koi: drawn to wilderness",
    ]
    told = upper.events(1)
    assert told == lower.events(1)
    assert [event[-1] for event in told if event[0] == Event.MOVED][1:] == [-1, -1, -1, -1]


def test_joyless_chief_with_one_wilderness_card_places_it() -> None:
    """R24, R104."""
    game = given(player(0, hand=["Joyless Chief"]), wilderness=["Keen Koi"])

    game.choose("play Joyless Chief")
    assert game.options() == ["place Keen Koi hidden"]
    game.choose("place Keen Koi hidden")

    assert game.hidden(0) == ["Keen Koi"]
    assert game.wilderness == []


def test_joyless_chief_with_an_empty_wilderness_only_moves_red() -> None:
    """R24, R44, R104: the harbor is left alone."""
    game = given(player(0, hand=["Joyless Chief"]), harbor=["Keen Koi"])

    game.play("Joyless Chief")

    assert game.red == 5
    assert game.hidden(0) == []
    assert game.harbor == ["Keen Koi"]


# ---- Battle Pet Master ------------------------------------------------------------------------


def test_battle_pet_master_hides_a_hand_card_unresolved() -> None:
    """R43, R66, R105: compulsory, newest in the stack; P9: only the owner knows it."""
    game = given(
        player(0, hand=["Battle Pet Master", "Depressed Druid", "Keen Koi"], hidden=["Ace Fighter"])
    )
    game.events(1)

    game.choose("play Battle Pet Master")
    assert (game.red, game.green) == (5, 5)
    assert game.options() == ["place Depressed Druid hidden", "place Keen Koi hidden"]
    game.choose("place Depressed Druid hidden")

    assert game.hidden(0) == ["Ace Fighter", "Depressed Druid"]
    assert game.hand(0) == ["Keen Koi"]
    assert game.open(0) == ["Battle Pet Master"]
    assert (game.red, game.green) == (5, 5)
    assert moved(game, 1) == [
        "Battle Pet Master: A's hand to A's open",
        "?: A's hand to A's hidden",
    ]


def test_battle_pet_master_with_an_empty_hand_only_moves_markers() -> None:
    """R24, R30, R105: green is at the end already."""
    game = given(markers(red=4, green=12), player(0, hand=["Battle Pet Master"]))

    game.play("Battle Pet Master")

    assert (game.red, game.green) == (5, 12)
    assert game.hidden(0) == []


# ---- Curious Troll and Watchful Witch ---------------------------------------------------------

LOOKERS = pytest.mark.parametrize("hero", ["Curious Troll", "Watchful Witch"])


def looking(hero: str) -> Scenario:
    game = given(
        player(0, hand=[hero], hidden=["Grumpy Guard"]),
        player(1, hidden=["Keen Koi", "Furious Frog"], open=["Ace Fighter"]),
        player(2, hidden=["Leery Lizard"]),
    )
    for seat in range(3):
        game.events(seat)
    return game


def test_curious_troll_moves_one_marker_forward() -> None:
    """R32, R106."""
    game = given(player(0, hand=["Curious Troll"]))
    game.choose("play Curious Troll")
    assert game.options() == ["red +1", "green +1"]
    game.choose("red +1")
    assert (game.red, game.green) == (5, 4)

    game = given(markers(red=12, green=4), player(0, hand=["Curious Troll"]))
    game.choose("play Curious Troll")
    assert game.options() == ["green +1"]


def test_watchful_witch_moves_red_back_or_green_forward() -> None:
    """R32, R106."""
    game = given(player(0, hand=["Watchful Witch"]))
    game.choose("play Watchful Witch")
    assert game.options() == ["red -1", "green +1"]
    game.choose("red -1")
    assert (game.red, game.green) == (3, 4)

    game = given(markers(red=1, green=4), player(0, hand=["Watchful Witch"]))
    game.choose("play Watchful Witch")
    assert game.options() == ["green +1"]


@LOOKERS
def test_curious_troll_and_watchful_witch_look_at_two_different_hidden_heroes(hero: str) -> None:
    """R23, R48, R106: hidden heroes of others, each once; afterwards all lie as before."""
    game = looking(hero)

    game.choose(f"play {hero}", "green +1")
    assert game.actor == 0
    assert game.options() == [
        "look at B's hidden 1",
        "look at B's hidden 2",
        "look at C's hidden 1",
        "pass",
    ]
    game.choose("look at B's hidden 2")
    assert game.options() == ["look at B's hidden 1", "look at C's hidden 1", "pass"]
    game.choose("look at C's hidden 1")

    assert game.hidden(0) == ["Grumpy Guard"]
    assert game.hidden(1) == ["Keen Koi", "Furious Frog"]
    assert game.hidden(2) == ["Leery Lizard"]
    assert (game.red, game.green) == (4, 5)
    assert "draw from the harbor" in game.options()


@LOOKERS
def test_curious_troll_and_watchful_witch_alone_learn_what_they_look_at(hero: str) -> None:
    """R48, P25: everybody sees which card is looked at, nobody else its face."""
    game = looking(hero)

    game.play(hero, "green +1", "look at B's hidden 1", "look at B's hidden 2")

    assert moved(game, 0)[1:] == [
        "Keen Koi: seen in B's hidden 1",
        "Furious Frog: seen in B's hidden 2",
    ]
    assert moved(game, 2)[1:] == ["?: seen in B's hidden 1", "?: seen in B's hidden 2"]


@LOOKERS
@pytest.mark.parametrize("script", [["pass"], ["look at C's hidden 1", "pass"]])
def test_curious_troll_and_watchful_witch_may_look_at_fewer(hero: str, script: list[str]) -> None:
    """R23, R106: passing ends it."""
    game = looking(hero)
    game.play(hero, "green +1", *script)
    assert len(moved(game, 0)) == len(script)


@LOOKERS
def test_curious_troll_and_watchful_witch_are_not_asked_without_a_target(hero: str) -> None:
    """R24, R106: own hidden heroes are not offered."""
    game = given(player(0, hand=[hero], hidden=["Grumpy Guard"]), player(1, open=["Keen Koi"]))
    game.play(hero, "green +1")
    assert game.green == 5


@LOOKERS
def test_curious_troll_and_watchful_witch_look_once_if_there_is_one(hero: str) -> None:
    """R24, R106: no second question about the same card."""
    game = given(player(0, hand=[hero]), player(1, hidden=["Keen Koi"]))
    game.play(hero, "green +1", "look at B's hidden 1")
    assert game.hidden(1) == ["Keen Koi"]


# ---- Pigmented War Pig, Depressed Druid, Blind Eye Collector ----------------------------------


@pytest.mark.parametrize(
    ("hero", "before", "after"),
    [
        ("Pigmented War Pig", (4, 4), (3, 5)),
        ("Pigmented War Pig", (1, 4), (1, 5)),
        ("Pigmented War Pig", (4, 12), (3, 12)),
        ("Depressed Druid", (8, 8), (5, 7)),
        ("Depressed Druid", (3, 1), (1, 1)),
        ("Blind Eye Collector", (4, 4), (5, 7)),
        ("Blind Eye Collector", (12, 10), (12, 12)),
    ],
)
def test_heroes_of_the_tribes_that_only_move_markers(
    hero: str, before: tuple[int, int], after: tuple[int, int]
) -> None:
    """R30, R31, R147: Pigmented War Pig, Depressed Druid, Blind Eye Collector ask nothing."""
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


# ---- Bored Goblin and Grumpy Guard ------------------------------------------------------------


@pytest.mark.parametrize("shown", ["Crow Carrier", "Buried Emperor"])
def test_bored_goblin_drops_red_if_the_own_party_shows_an_undead_hero(shown: str) -> None:
    """R70, R107: compulsory; the Emperor will do."""
    game = given(markers(6, 6), player(0, hand=["Bored Goblin"], open=[shown]))
    game.play("Bored Goblin")
    assert (game.red, game.green) == (4, 6)


def test_bored_goblin_does_nothing_without_an_own_open_undead_hero() -> None:
    """R24, R107: neither own hidden ones nor those of others count."""
    game = given(
        player(0, hand=["Bored Goblin", "Crow Carrier"], hidden=["Half-Eaten Bull"]),
        player(1, open=["Gorgeous Gorgon", "Buried Emperor"]),
        tavern=["Lethargic Leech"],
    )
    game.play("Bored Goblin")
    assert (game.red, game.green) == (4, 4)
    assert game.open(0) == ["Bored Goblin"]


def test_bored_goblin_moves_two_whatever_the_number_and_stops_at_the_first_space() -> None:
    """R30, R107."""
    undead = ["Crow Carrier", "Half-Eaten Bull", "Gorgeous Gorgon"]
    game = given(markers(7, 4), player(0, hand=["Bored Goblin"], open=undead))
    game.play("Bored Goblin")
    assert game.red == 5

    game = given(markers(2, 4), player(0, hand=["Bored Goblin"], open=undead))
    game.play("Bored Goblin")
    assert game.red == 1


@pytest.mark.parametrize("shown", ["Keen Koi", "Buried Emperor"])
def test_grumpy_guard_moves_green_if_the_own_party_shows_a_water_hero(shown: str) -> None:
    """R70, R107: compulsory; the Emperor will do."""
    game = given(player(0, hand=["Grumpy Guard"], open=[shown]))
    game.play("Grumpy Guard")
    assert (game.red, game.green) == (4, 6)


def test_grumpy_guard_does_nothing_without_an_own_open_water_hero() -> None:
    """R24, R107: neither own hidden ones nor those of others count."""
    game = given(
        player(0, hand=["Grumpy Guard", "Keen Koi"], hidden=["Furious Frog"]),
        player(1, open=["Leery Lizard", "Buried Emperor"]),
        tavern=["Aimless Eel"],
    )
    game.play("Grumpy Guard")
    assert (game.red, game.green) == (4, 4)


def test_grumpy_guard_stops_green_at_the_last_space() -> None:
    """R30, R107."""
    game = given(markers(4, 11), player(0, hand=["Grumpy Guard"], open=["Keen Koi"]))
    game.play("Grumpy Guard")
    assert (game.red, game.green) == (4, 12)


# ---- Curious Cat Lover ------------------------------------------------------------------------


def curious_cat_lover() -> Scenario:
    game = given(
        player(0, hand=["Curious Cat Lover", "Ace Fighter"], hidden=["Grumpy Guard"]),
        player(1, open=["Leery Lizard"]),
        player(2, hand=["Keen Koi", "Furious Frog"]),
        player(3, hand=["Aimless Eel"]),
    )
    for seat in range(4):
        game.events(seat)
    return game


def test_curious_cat_lover_hides_a_random_card_of_another_hand() -> None:
    """R28, R46, R108: only others with a hand card may be picked, luck picks the card."""
    game = curious_cat_lover()

    game.choose("play Curious Cat Lover")
    assert (game.actor, game.red) == (0, 5)
    assert game.options() == ["pick C", "pick D"]
    game.choose("pick C")
    assert game.actor == CHANCE
    assert sorted(game.options()) == ["chance: Furious Frog", "chance: Keen Koi"]
    game.choose(chance("Keen Koi"))

    assert game.hidden(0) == ["Grumpy Guard", "Keen Koi"]
    assert game.hand(0) == ["Ace Fighter"]
    assert game.hand(2) == ["Furious Frog"]
    assert game.hand(3) == ["Aimless Eel"]


def test_curious_cat_lover_shows_the_card_to_performer_and_victim_only() -> None:
    """P24."""
    game = curious_cat_lover()

    game.play("Curious Cat Lover", "pick C", chance("Keen Koi"))

    known = ["Curious Cat Lover: A's hand to A's open", "Keen Koi: C's hand to A's hidden"]
    unknown = ["Curious Cat Lover: A's hand to A's open", "?: C's hand to A's hidden"]
    assert [moved(game, seat) for seat in range(4)] == [known, unknown, known, unknown]


def test_curious_cat_lover_only_moves_red_if_all_other_hands_are_empty() -> None:
    """R24, R108: the own hand is not touched."""
    game = given(player(0, hand=["Curious Cat Lover", "Ace Fighter"]), players=3)

    game.play("Curious Cat Lover")

    assert game.red == 5
    assert game.hand(0) == ["Ace Fighter"]
    assert game.hidden(0) == []


# ---- Hairy Hermit -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("red", "green", "offered"),
    [
        (6, 4, ["red -1", "red -2"]),
        (4, 4, ["red -1"]),
        (4, 6, ["red -1"]),
        (2, 1, ["red -1"]),
    ],
)
def test_hairy_hermit_takes_two_steps_only_while_red_leads(
    red: int, green: int, offered: list[str]
) -> None:
    """R32, R33, R109: on the same space nobody leads; equal results are one alternative."""
    game = given(markers(red, green), player(0, hand=["Hairy Hermit"]))
    game.choose("play Hairy Hermit")
    assert game.actor == 0
    assert game.options() == offered


@pytest.mark.parametrize(("text", "red"), [("red -1", 5), ("red -2", 4)])
def test_hairy_hermit_moves_red_back(text: str, red: int) -> None:
    """R109."""
    game = given(markers(6, 4), player(0, hand=["Hairy Hermit"]))
    game.play("Hairy Hermit", text)
    assert (game.red, game.green) == (red, 4)


def test_hairy_hermit_on_the_first_space_asks_nothing() -> None:
    """R32."""
    game = given(markers(1, 1), player(0, hand=["Hairy Hermit"]))
    game.play("Hairy Hermit")
    assert (game.red, game.green) == (1, 1)


# ---- Long-Eared Loner and Spirited Shaman -----------------------------------------------------

FLIPPERS = pytest.mark.parametrize(
    ("hero", "after"), [("Long-Eared Loner", (4, 5)), ("Spirited Shaman", (3, 3))]
)


def flipping(hero: str) -> Scenario:
    game = given(
        player(0, hand=[hero], open=["Ace Fighter"], hidden=["Grumpy Guard"]),
        player(1, open=["Keen Koi"], hidden=["Depressed Druid", "Furious Frog"]),
        player(2, open=["Buried Emperor"], hidden=["Leery Lizard"]),
    )
    for seat in range(3):
        game.events(seat)
    return game


@FLIPPERS
def test_long_eared_loner_and_spirited_shaman_choose_any_hero_of_another_player(
    hero: str, after: tuple[int, int]
) -> None:
    """R27, R110: open or hidden, no own hero, not the card itself, no passing."""
    game = flipping(hero)
    game.choose(f"play {hero}")
    assert (game.red, game.green) == after
    assert game.actor == 0
    assert game.options() == [
        "turn over Keen Koi",
        "turn over Buried Emperor",
        "turn over B's hidden 1",
        "turn over B's hidden 2",
        "turn over C's hidden 1",
    ]


@FLIPPERS
def test_long_eared_loner_and_spirited_shaman_turn_a_hidden_hero_up_unresolved(
    hero: str, after: tuple[int, int]
) -> None:
    """R47, R66, R67: Depressed Druid moves nothing, the others close up; P16: all see it."""
    game = flipping(hero)

    game.play(hero, "turn over B's hidden 1")

    assert game.open(1) == ["Depressed Druid", "Keen Koi"]
    assert game.hidden(1) == ["Furious Frog"]
    assert (game.red, game.green) == after
    for seat in range(3):
        assert moved(game, seat)[1:] == ["Depressed Druid: B's hidden 1 to B's open"]


@FLIPPERS
def test_long_eared_loner_and_spirited_shaman_turn_an_open_hero_down_as_the_newest(
    hero: str, after: tuple[int, int]
) -> None:
    """R47, R74: also the Emperor; P17: all know what lies there."""
    game = flipping(hero)

    game.play(hero, "turn over Buried Emperor")

    assert game.open(2) == []
    assert game.hidden(2) == ["Leery Lizard", "Buried Emperor"]
    assert (game.red, game.green) == after
    for seat in range(3):
        assert moved(game, seat)[1:] == ["Buried Emperor: C's open to C's hidden"]


@FLIPPERS
def test_long_eared_loner_and_spirited_shaman_only_move_markers_if_no_other_party_has_a_hero(
    hero: str, after: tuple[int, int]
) -> None:
    """R24, R110."""
    game = given(player(0, hand=[hero], open=["Ace Fighter"], hidden=["Grumpy Guard"]))

    game.play(hero)

    assert (game.red, game.green) == after
    assert game.open(0) == sorted(["Ace Fighter", hero])
    assert game.hidden(0) == ["Grumpy Guard"]


def test_spirited_shaman_stops_at_the_first_space() -> None:
    """R30."""
    game = given(markers(1, 2), player(0, hand=["Spirited Shaman"]))
    game.play("Spirited Shaman")
    assert (game.red, game.green) == (1, 1)


# ---- Saber-Toothed Troll ----------------------------------------------------------------------


def test_saber_toothed_troll_takes_an_open_hero_and_the_robbed_player_moves_green() -> None:
    """R22, R36, R45, R111: the text comes first; the performer has no say about green."""
    game = given(
        player(0, hand=["Saber-Toothed Troll"], open=["Ace Fighter"]),
        player(1, open=["Keen Koi"], hidden=["Furious Frog"]),
        player(2, open=["Grumpy Guard", "Buried Emperor"]),
    )
    for seat in range(3):
        game.events(seat)

    game.choose("play Saber-Toothed Troll")
    assert game.actor == 0
    assert game.options() == ["take Grumpy Guard", "take Keen Koi", "take Buried Emperor"]
    game.choose("take Grumpy Guard")
    assert game.hand(0) == ["Grumpy Guard"]
    assert game.open(2) == ["Buried Emperor"]
    assert (game.actor, game.green) == (2, 4)
    assert game.options() == ["green +2", "green -2"]
    game.choose("green -2")

    assert (game.red, game.green) == (4, 2)
    assert game.open(0) == ["Ace Fighter", "Saber-Toothed Troll"]
    assert game.open(1) == ["Keen Koi"]
    for seat in range(3):  # P18
        assert moved(game, seat)[1:] == ["Grumpy Guard: C's open to A's hand"]


def test_saber_toothed_troll_may_take_the_emperor() -> None:
    """R74."""
    game = given(player(0, hand=["Saber-Toothed Troll"]), player(1, open=["Buried Emperor"]))
    game.play("Saber-Toothed Troll", "take Buried Emperor", "green +2")
    assert game.hand(0) == ["Buried Emperor"]
    assert game.open(1) == []
    assert game.green == 6


@pytest.mark.parametrize(
    ("green", "offered"),
    [
        (1, ["green +2"]),
        (2, ["green +2", "green -2"]),
        (11, ["green +2", "green -2"]),
        (12, ["green -2"]),
    ],
)
def test_saber_toothed_troll_the_robbed_player_must_move_green(
    green: int, offered: list[str]
) -> None:
    """R30, R32: an alternative that moves nothing is not offered to the robbed player either."""
    game = given(
        markers(4, green), player(0, hand=["Saber-Toothed Troll"]), player(1, open=["Keen Koi"])
    )
    game.choose("play Saber-Toothed Troll", "take Keen Koi")
    assert game.actor == 1
    assert game.options() == offered


def test_saber_toothed_troll_does_nothing_at_all_if_no_other_party_shows_a_hero() -> None:
    """R24, R111: no marker moves either; own heroes are no prey."""
    game = given(
        player(0, hand=["Saber-Toothed Troll"], open=["Ace Fighter"]),
        player(1, hidden=["Keen Koi"]),
    )

    game.play("Saber-Toothed Troll")

    assert (game.red, game.green) == (4, 4)
    assert game.hand(0) == []
    assert game.open(0) == ["Ace Fighter", "Saber-Toothed Troll"]


# ---- Potato Privateer -------------------------------------------------------------------------


def potato_privateer() -> Scenario:
    return given(
        player(0, hand=["Potato Privateer"], open=["Ace Fighter"]),
        player(
            1, open=["Flailing Knight", "Buried Emperor", "Keen Koi"], hidden=["Canned Champion"]
        ),
        player(2, hidden=["Angry Priestess"]),
        player(
            3,
            open=["Nagging Northman", "Groggy Preacher", "Doubtful Priest", "Well-Aged Warrior"],
        ),
    )


@pytest.mark.parametrize(("pick", "steps"), [("A", 1), ("B", 2), ("C", 0), ("D", 3)])
def test_potato_privateer_counts_open_empire_heroes_of_any_player(pick: str, steps: int) -> None:
    """R28, R35, R70, R112: oneself too, the Emperor is one, hidden ones none, three at most."""
    game = potato_privateer()

    game.choose("play Potato Privateer")
    assert (game.actor, game.green) == (0, 4)
    assert game.options() == ["pick A", "pick B", "pick C", "pick D"]
    game.choose(f"pick {pick}")

    assert (game.red, game.green) == (4, 4 + steps)
    assert "draw from the harbor" in game.options()


def test_potato_privateer_stops_at_the_last_space() -> None:
    """R30."""
    game = given(
        markers(4, 11),
        player(0, hand=["Potato Privateer"]),
        player(1, open=["Flailing Knight", "Ace Fighter"]),
    )
    game.play("Potato Privateer", "pick B")
    assert game.green == 12


# ---- Gambling Overseer ------------------------------------------------------------------------


def test_gambling_overseer_buries_an_own_hidden_hero_then_hides_two_hand_cards() -> None:
    """R66, R143: in an order of choice; what is placed later could not be buried before."""
    game = given(
        player(
            0,
            hand=["Gambling Overseer", "Ace Fighter", "Keen Koi"],
            hidden=["Grumpy Guard", "Furious Frog"],
        ),
        player(1, hidden=["Leery Lizard"]),
    )
    game.events(1)

    game.choose("play Gambling Overseer")
    assert (game.red, game.green) == (3, 3)
    assert game.options() == ["bury A's hidden 1", "bury A's hidden 2"]
    game.choose("bury A's hidden 1")
    assert game.graveyard == ["Grumpy Guard"]
    assert game.options() == ["place Ace Fighter hidden", "place Keen Koi hidden"]
    game.choose("place Keen Koi hidden")
    assert game.options() == ["place Ace Fighter hidden"]
    game.choose("place Ace Fighter hidden")

    assert game.hidden(0) == ["Furious Frog", "Keen Koi", "Ace Fighter"]
    assert game.hand(0) == []
    assert game.hidden(1) == ["Leery Lizard"]
    assert moved(game, 1)[1:] == [  # R40, P9, P13
        "Grumpy Guard: A's hidden 1 to graveyard",
        "?: A's hand to A's hidden",
        "?: A's hand to A's hidden",
    ]


def test_gambling_overseer_without_a_hidden_hero_still_places_two() -> None:
    """R24, R143: a third hand card stays."""
    game = given(player(0, hand=["Gambling Overseer", "Ace Fighter", "Keen Koi", "Crow Carrier"]))

    game.play("Gambling Overseer", "place Ace Fighter hidden", "place Crow Carrier hidden")

    assert game.graveyard == []
    assert game.hidden(0) == ["Ace Fighter", "Crow Carrier"]
    assert game.hand(0) == ["Keen Koi"]


def test_gambling_overseer_with_one_hand_card_places_one() -> None:
    """R24, R143: and the hero buried is chosen though no more than one replaces it."""
    game = given(
        player(0, hand=["Gambling Overseer", "Ace Fighter"], hidden=["Grumpy Guard", "Keen Koi"])
    )

    game.play("Gambling Overseer", "bury A's hidden 2", "place Ace Fighter hidden")

    assert game.graveyard == ["Keen Koi"]
    assert game.hidden(0) == ["Grumpy Guard", "Ace Fighter"]
    assert game.hand(0) == []


def test_gambling_overseer_must_bury_the_only_hidden_hero_even_with_an_empty_hand() -> None:
    """R25, R143: the Emperor like any other (R74)."""
    game = given(player(0, hand=["Gambling Overseer"], hidden=["Buried Emperor"]))

    game.choose("play Gambling Overseer")
    assert game.options() == ["bury A's hidden 1"]
    game.choose("bury A's hidden 1")

    assert game.graveyard == ["Buried Emperor"]
    assert game.hidden(0) == []


def test_gambling_overseer_with_nothing_only_moves_markers() -> None:
    """R24, R30: other players' hidden heroes are safe."""
    game = given(
        markers(1, 4), player(0, hand=["Gambling Overseer"]), player(1, hidden=["Keen Koi"])
    )
    game.play("Gambling Overseer")
    assert (game.red, game.green) == (1, 3)
    assert game.hidden(1) == ["Keen Koi"]
    assert game.graveyard == []
