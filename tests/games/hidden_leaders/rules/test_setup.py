"""Setup: leaders, tavern, hands, the first hidden hero and the first discard."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.cards import BEGINNER, EMPEROR, HEROES, RETAIL
from games.hidden_leaders.rules.constants import Move, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.moves import move_text
from games.registry import game
from games.state import CHANCE
from tests.support.dealing import LEADER_NAMES, answer, dealt, fresh, lead, luck, rolled

NAMES = [HEROES[card].name for card in RETAIL if card != EMPEROR]
PLAYERS = pytest.mark.parametrize("players", range(2, 7))


def names(state: HiddenLeaders, zone: int) -> list[str]:
    return [HEROES[card].name for card in state.cards(zone)]


@PLAYERS
def test_every_seat_gets_one_leader_no_two_the_same(players: int) -> None:
    """R3, P1: six leaders, one each, the others stay face down in the box."""
    state = fresh(players)
    given_out: list[int] = []
    for _ in range(players):
        assert state.actor == CHANCE
        assert state.moves() == [Move.LEADER + k for k in range(6) if k not in given_out]
        given_out.append(state.moves()[-1] - Move.LEADER)
        state.play(state.moves()[-1])
    assert [state.leader(seat) for seat in range(players)] == given_out


def test_the_emperor_lies_in_the_graveyard_before_anything_is_dealt() -> None:
    """R77: it is never in the first harbor."""
    state = fresh(4)
    assert state.cards(Zone.GRAVEYARD) == [EMPEROR]
    assert sorted(state.cards(Zone.HARBOR)) == [card for card in RETAIL if card != EMPEROR]


@pytest.mark.parametrize("first", [0, 2])
def test_r4_tavern_first_then_five_cards_to_the_first_player_and_so_on(first: int) -> None:
    """R4"""
    state = fresh(3, first=first)
    lead(state, LEADER_NAMES[:3])
    luck(state, *NAMES[:3])
    assert names(state, Zone.TAVERN) == NAMES[:3]
    luck(state, *NAMES[3:18])
    for k in range(3):
        seat = (first + k) % 3
        assert names(state, Zone.HAND + seat) == sorted(
            NAMES[3 + 5 * k : 8 + 5 * k], key=NAMES.index
        )


def test_r4_slots_are_filled_from_left_to_right() -> None:
    """R4, R15"""
    state = fresh(2)
    lead(state, LEADER_NAMES[:2])
    luck(state, "Keen Koi")
    assert state.cards(Zone.TAVERN)[1:] == [-1, -1]
    luck(state, "Ace Fighter")
    assert names(state, Zone.TAVERN)[:2] == ["Keen Koi", "Ace Fighter"]
    assert state.cards(Zone.TAVERN)[2] == -1


@pytest.mark.parametrize("first", range(3))
def test_r5_the_wilderness_lies_in_turn_order(first: int) -> None:
    """R5: the first player's discard is at the bottom."""
    state = fresh(3, first=first)
    lead(state, LEADER_NAMES[:3])
    luck(state, *NAMES[:18])
    deciders: list[int] = []
    discarded: list[str] = []
    for _ in range(3):
        seat = state.actor
        deciders.append(seat)
        five = names(state, Zone.HAND + seat)
        assert [move_text(state, move) for move in state.moves()] == [f"hide {n}" for n in five]
        answer(state, f"hide {five[2]}")
        assert state.actor == seat, "the same player discards next"
        assert [move_text(state, move) for move in state.moves()] == [
            f"discard {n}" for n in five if n != five[2]
        ]
        answer(state, f"discard {five[4]}")
        discarded.append(five[4])
        assert names(state, Zone.HIDDEN + seat) == [five[2]]
        assert names(state, Zone.HAND + seat) == [five[0], five[1], five[3]]
    assert deciders == [(first + k) % 3 for k in range(3)]
    assert names(state, Zone.WILDERNESS) == discarded
    assert state.actor == state.player == first


@PLAYERS
def test_r6_chance_picks_the_first_player(players: int) -> None:
    """R6"""
    state = fresh(players)
    lead(state, LEADER_NAMES[:players])
    luck(state, *NAMES[:3])
    assert state.actor == CHANCE
    assert state.moves() == [Move.PLAYER + seat for seat in range(players)]
    assert state.weights() == [1] * players
    state.play(Move.PLAYER + players - 1)
    assert state.first == state.player == players - 1


@PLAYERS
def test_r6_a_tournament_can_fix_the_first_player(players: int) -> None:
    """R6"""
    state = fresh(players, first=players - 1)
    rolled(state, seed=players)
    assert state.first == state.player == state.actor == players - 1


@PLAYERS
@pytest.mark.parametrize("deck", ["retail", "beginner"])
def test_counts_after_setup(players: int, deck: str) -> None:
    """R7: the beginner game has the same setup, with fewer cards."""
    state = fresh(players, deck=deck)
    rolled(state, seed=10 * players)
    heroes = RETAIL if deck == "retail" else BEGINNER
    assert state.size(Zone.HARBOR) == len(heroes) - 1 - 3 - 5 * players  # without the Emperor
    assert state.size(Zone.WILDERNESS) == players
    assert state.cards(Zone.GRAVEYARD) == [EMPEROR]
    assert state.size(Zone.TAVERN) == 3
    for seat in range(players):
        assert state.size(Zone.HAND + seat) == 3
        assert state.size(Zone.HIDDEN + seat) == 1
        assert state.size(Zone.OPEN + seat) == 0
    everywhere = sorted(card for zone in range(24) for card in state.cards(zone) if card >= 0)
    assert tuple(everywhere) == (RETAIL if deck == "retail" else BEGINNER)


@PLAYERS
def test_r7_every_threshold_is_one_lower_in_the_beginner_game(players: int) -> None:
    """R7, R79"""
    standard = fresh(players).threshold
    assert fresh(players, deck="beginner").threshold == standard - 1
    rules = game("hidden-leaders")
    assert rules.min_players <= players <= rules.max_players


def test_the_scripted_deal_of_the_tests_is_right() -> None:
    """R5: the tests of other chapters rely on it."""
    table = dealt(NAMES[:5], NAMES[5:10], tavern=NAMES[10:13])
    assert table.hidden(0) == [NAMES[0]]
    assert table.wilderness == [NAMES[1], NAMES[6]]
    assert table.hand(1) == sorted(NAMES[7:10])
    assert table.actor == 0
