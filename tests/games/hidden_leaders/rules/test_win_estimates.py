"""Estimated chances to win before the game is over; for searches."""

from __future__ import annotations

import pytest

from games.hidden_leaders.rules.bytecode import SUPPORTS
from games.hidden_leaders.rules.constants import Limit
from games.hidden_leaders.rules.scoring import NEAREST, steps_to
from tests.support.scenario import Scenario, given, markers, player


def about_to_end(red: int, green: int) -> Scenario:
    """Seat 0 (Empire and Undead) has four open Empire heroes; five end the game."""
    return given(
        markers(red, green),
        player(
            0,
            leader="Xiadul",
            open=["Flailing Knight", "Well-Aged Warrior", "Groggy Preacher", "Angry Priestess"],
        ),
        player(1, leader="Enned", open=["Keen Koi"]),
        threshold=5,
    )


def test_the_seat_that_would_win_now_has_the_best_chance() -> None:
    chances = about_to_end(8, 2).state.win_estimates()
    assert chances[0] > 0.8
    assert chances[0] > chances[1] > 0.0


def test_chances_follow_the_markers() -> None:
    near = about_to_end(6, 4).state.win_estimates()[0]
    far = about_to_end(4, 4).state.win_estimates()[0]
    assert near > far


def test_chances_add_up_to_at_most_one() -> None:
    assert sum(about_to_end(5, 5).state.win_estimates()) <= 1.0 + 1e-9


@pytest.mark.parametrize("leader", range(Limit.LEADERS))
def test_the_table_of_marker_distances_is_right(leader: int) -> None:
    for red in range(1, 13):
        for green in range(1, 13):
            factions = [1 << k for k in range(4) if SUPPORTS[leader] & (1 << k)]
            nearest = min(steps_to(faction, red, green) for faction in factions)
            assert NEAREST[leader * 256 + red * 16 + green] == nearest
