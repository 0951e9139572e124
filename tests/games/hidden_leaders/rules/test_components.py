"""What is in the box: the deck, the track, the leaders (R1, R2, R3)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from games.errors import GameError
from games.hidden_leaders.rules import constants
from games.hidden_leaders.rules.bytecode import TURN_START
from games.hidden_leaders.rules.cards import BEGINNER, EMPEROR, HEROES, LEADERS, RETAIL
from games.hidden_leaders.rules.constants import (
    ALL_FACTIONS,
    EMPIRE,
    FACTIONS,
    TRIBES,
    UNDEAD,
    WATER,
    Track,
)
from games.hidden_leaders.rules.observation import PLANE
from games.hidden_leaders.rules.opcodes import Row
from games.hidden_leaders.rules.table import PILE_ROOM
from games.registry import game
from tests.support.dealing import fresh
from tests.support.scenario import given, markers, player


def test_r1_the_deck_is_nineteen_heroes_of_each_faction_and_the_emperor() -> None:
    """R1"""
    factions = Counter(HEROES[card].faction for card in RETAIL)
    assert len(RETAIL) == 77
    assert factions == {UNDEAD: 19, WATER: 19, EMPIRE: 19, TRIBES: 19, ALL_FACTIONS: 1}
    assert HEROES[EMPEROR].name == "Buried Emperor"
    assert len({HEROES[card].name for card in RETAIL}) == len(RETAIL) <= min(PILE_ROOM, PLANE)


def test_r1_cards_of_other_sets_are_not_in_the_deck() -> None:
    """R1: they cannot be added by name either."""
    others = ["Polar Protector", "Firm Fishmonger", "Keeper of Discord", "Queen of the Wild"]
    assert not set(others) & {hero.name for hero in HEROES}
    with pytest.raises(GameError):
        game("hidden-leaders").new(2, deck=others)


def test_r2_the_track() -> None:
    """R2"""
    assert (Track.FIRST, Track.LAST, Track.START, Track.WAR_ZONE) == (1, 12, 4, 9)


@pytest.mark.parametrize("players", range(2, 7))
def test_r2_both_markers_start_on_space_four(players: int) -> None:
    """R2"""
    state = fresh(players)
    assert (state.red, state.green) == (4, 4)


def test_r2_plus_is_right_and_minus_is_left() -> None:
    """R2"""
    game = given(markers(red=5, green=5), player(0, hand=["Pigmented War Pig"]))
    game.play("Pigmented War Pig")
    assert (game.red, game.green) == (4, 6)


def test_r2_markers_may_share_a_space() -> None:
    """R2"""
    game = given(markers(red=5, green=3), player(0, hand=["Pigmented War Pig"]))
    game.play("Pigmented War Pig")
    assert (game.red, game.green) == (4, 4)


def test_r3_leaders_numbers_and_factions() -> None:
    """R3"""
    assert [(leader.number, leader.name, leader.factions) for leader in LEADERS] == [
        (1, "Lemron", WATER | TRIBES),
        (2, "Cyra", EMPIRE | WATER),
        (3, "Myrad", UNDEAD | TRIBES),
        (4, "Xiadul", EMPIRE | UNDEAD),
        (5, "Pavyr", EMPIRE | TRIBES),
        (6, "Enned", UNDEAD | WATER),
    ]


def test_r3_every_pair_of_factions_has_one_leader_and_every_faction_three() -> None:
    """R3"""
    pairs = sorted(a | b for a, b in combinations(FACTIONS, 2))
    assert sorted(leader.factions for leader in LEADERS) == pairs
    for faction in FACTIONS:
        assert sum(bool(leader.factions & faction) for leader in LEADERS) == 3


def test_r7_the_beginner_deck_leaves_out_six_of_each_faction() -> None:
    """R7, R78"""
    left_out = [HEROES[card] for card in RETAIL if card not in BEGINNER]
    assert len(BEGINNER) == 53
    assert EMPEROR in BEGINNER
    assert all(hero.advanced for hero in left_out)
    assert Counter(hero.faction for hero in left_out) == dict.fromkeys(FACTIONS, 6)


def test_constants_that_stand_twice_are_equal() -> None:
    """Compiled code needs them as literals, both in their namespace and outside."""
    assert constants.Limit.PLAYERS == constants.MOST_PLAYERS
    assert constants.Limit.TAVERN == constants.TAVERN_SLOTS
    assert constants.Zone.COUNT == constants.ZONE_COUNT
    assert TURN_START == 5 * Row.SIZE
