"""Heroes that let other players decide."""

from __future__ import annotations

import pytest

from tests.support.perceived import perceived, perceived_by_all
from tests.support.scenario import given, markers, player

# ---- Doubtful Priest --------------------------------------------------------------------------


def test_doubtful_priest_asks_the_next_player_then_grants_one_more_card() -> None:
    """R36, R53, R113: the extra card is played open and resolved, and there is only one."""
    game = given(player(0, hand=["Doubtful Priest", "Rotting Orangutan", "Keen Koi"]), players=3)
    game.play(
        "Doubtful Priest",
        "B: red +2 / [red -2]",
        "A: [play Rotting Orangutan] / play Keen Koi / pass",
        "A: red +2 / [green +2]",
    )
    assert game.changes() == {"markers": (2, 6)}
    assert game.open(0) == ["Doubtful Priest", "Rotting Orangutan"]


def test_doubtful_priest_of_the_last_seat_asks_the_first() -> None:
    """R54, R113: clockwise."""
    game = given(player(2, hand=["Doubtful Priest"]), turn=2, players=3)
    game.choose("play Doubtful Priest", "A: red +2 / red -2")


@pytest.mark.parametrize(
    ("hand", "script"),
    [
        (["Keen Koi"], ["play Keen Koi / [pass]"]),
        (["Ace Fighter", "Buried Emperor", "Grumpy Guard"], ["play Grumpy Guard / [pass]"]),
        ([], []),
    ],
)
def test_doubtful_priest_may_be_followed_by_nothing(hand: list[str], script: list[str]) -> None:
    """R23, R24, R39, R53, R70, R71, R113: Empire, the Emperor and discarding are not offered."""
    game = given(player(0, hand=["Doubtful Priest", *hand]))
    game.play("Doubtful Priest", "red +2", *script)
    assert game.changes() == {"markers": (6, 4)}


def test_doubtful_priest_asks_even_without_an_eligible_card_so_that_nothing_leaks() -> None:
    """R39, R71: declining looks the same to the others whatever the hand holds."""

    def news_of_the_next_player(other: str, question: str) -> list[tuple[int, ...]]:
        game = given(player(0, hand=["Doubtful Priest", other]))
        game.play("Doubtful Priest", "red +2", question)
        return game.events(1)

    able = news_of_the_next_player("Keen Koi", "A: play Keen Koi / [pass]")
    assert able == news_of_the_next_player("Ace Fighter", "A: [pass]")
    assert able == news_of_the_next_player("Buried Emperor", "A: [pass]")


def test_doubtful_priest_extra_card_can_end_the_game_by_being_open() -> None:
    """R53, R81: it counts for the threshold like any card played."""
    game = given(player(0, hand=["Doubtful Priest", "Grumpy Guard"]), threshold=2)
    game.play("Doubtful Priest", "red +2", "play Grumpy Guard")
    game.end_turn()
    assert game.over


# ---- Saber-Toothed Troll ----------------------------------------------------------------------


def test_saber_toothed_troll_takes_an_open_hero_and_its_owner_moves_green() -> None:
    """R22, R36, R45, R111: the hero first; the performer has no say about green. P18."""
    game = given(
        player(0, hand=["Saber-Toothed Troll"], open=["Ace Fighter"]),
        player(1, open=["Keen Koi"], hidden=["Furious Frog"]),
        player(2, open=["Grumpy Guard", "Buried Emperor"]),
    )

    game.choose("play Saber-Toothed Troll")
    game.choose("A: [take Grumpy Guard] / take Keen Koi / take Buried Emperor")
    taken = {"A's hand": ["Grumpy Guard"], "C's open": ["Buried Emperor"]}
    assert game.changes() == taken
    game.choose("C: green +2 / [green -2]")

    assert game.changes() == {"markers": (4, 2), **taken}
    assert perceived_by_all(game) == ["Grumpy Guard: C's open to A's hand"]


@pytest.mark.parametrize(
    ("green", "question"),
    [
        (1, "B: [green +2]"),
        (2, "B: [green +2] / green -2"),
        (11, "B: [green +2] / green -2"),
        (12, "B: [green -2]"),
    ],
)
def test_saber_toothed_troll_makes_the_owner_move_green(green: int, question: str) -> None:
    """R30, R32: an alternative that moves nothing is not offered to the owner either."""
    game = given(
        markers(4, green), player(0, hand=["Saber-Toothed Troll"]), player(1, open=["Keen Koi"])
    )
    game.play("Saber-Toothed Troll", "take Keen Koi", question)
    assert game.green == {1: 3, 2: 4, 11: 12, 12: 10}[green]


def test_saber_toothed_troll_does_nothing_if_no_other_party_shows_a_hero() -> None:
    """R24, R111: no marker moves either; the performer's own heroes cannot be taken."""
    game = given(
        player(0, hand=["Saber-Toothed Troll"], open=["Ace Fighter"]),
        player(1, hidden=["Keen Koi"]),
    )
    game.play("Saber-Toothed Troll")
    assert game.changes() == {}


# ---- Will-Bending Witch -----------------------------------------------------------------------


def test_will_bending_witch_makes_every_other_player_discard_in_turn_order() -> None:
    """R36, R37, R127: each chooses; empty hands are skipped. P10: only the owner sees it."""
    game = given(
        player(0, hand=["Ace Fighter"]),
        player(1, hand=["Will-Bending Witch", "Bored Goblin"]),
        player(2, hand=["Furious Frog", "Leery Lizard", "Crow Carrier"]),
        player(3, open=["Grumpy Guard"]),
        wilderness=["Hairy Hermit"],
        turn=1,
    )
    game.play(
        "Will-Bending Witch",
        "B: [red +1] / green +1",
        "C: discard Crow Carrier / [discard Leery Lizard] / discard Furious Frog",
        "A: [discard Ace Fighter]",
    )
    assert game.actor == 1
    assert game.changes() == {
        "markers": (5, 4),
        "A's hand": [],
        "C's hand": ["Crow Carrier", "Furious Frog"],
        "wilderness": ["Hairy Hermit", "Leery Lizard", "Ace Fighter"],
    }
    from_c = ["C chooses in secret", "?: C's hand to wilderness"]
    from_a = ["A chooses in secret", "?: A's hand to wilderness"]
    assert perceived(game, 0) == [*from_c, "Ace Fighter: A's hand to wilderness"]
    assert perceived(game, 1) == perceived(game, 3) == from_c + from_a
    assert perceived(game, 2) == ["Leery Lizard: C's hand to wilderness", *from_a]


# ---- Underwater Artist ------------------------------------------------------------------------


def test_underwater_artist_lets_the_picked_player_choose_which_card_to_hand_over() -> None:
    """R28, R36, R51, R146: others with a hand card, and only cards of the faction. P37."""
    game = given(
        player(0, hand=["Underwater Artist", "Furious Frog"]),
        player(1, open=["Leery Lizard"]),
        player(2, hand=["Keen Koi", "Ace Fighter", "Aimless Eel"]),
        player(3, hand=["Bored Goblin"]),
    )

    game.choose("play Underwater Artist")
    assert game.changes() == {"markers": (5, 5)}
    game.choose(
        "A: name Undead / [name Water] / name Empire / name Tribes",
        "A: [pick C] / pick D",
        "C: hand over Keen Koi / [hand over Aimless Eel]",
    )

    assert game.actor == 0
    assert game.changes() == {
        "markers": (5, 5),
        "A's hand": ["Aimless Eel", "Furious Frog"],
        "C's hand": ["Ace Fighter", "Keen Koi"],
    }
    assert perceived(game, 2) == ["Aimless Eel: C's hand to A's hand"]
    for seat in (0, 1, 3):
        assert perceived(game, seat) == ["C chooses in secret", "Aimless Eel: C's hand to A's hand"]


def test_underwater_artist_gets_nothing_from_a_hand_without_the_faction() -> None:
    """P37, R146: the owner is asked nothing, and all learn why."""
    game = given(
        player(0, hand=["Underwater Artist"]),
        player(1, hand=["Keen Koi", "Ace Fighter"]),
        players=3,
    )
    game.play("Underwater Artist", "name Tribes", "pick B")
    assert game.changes() == {"markers": (5, 5)}
    assert perceived_by_all(game) == ["B holds no Tribes"]
