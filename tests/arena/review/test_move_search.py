"""Estimates of moves: fair to bad ones, the same every time, with their error."""

import pytest

from arena.review.move_search import MoveSearch, difference, likely_line, mean
from games.state import CHANCE, NOBODY
from tests.support.reviewed_games import CERTAIN_WIN, RULES, game_from


def test_the_difference_of_two_moves_has_a_standard_error() -> None:
    assert difference([1.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.0]) == pytest.approx((0.5, 0.288675))
    assert difference([0.5, 0.25], [0.25, 0.0]) == (0.25, 0.0)


def test_every_move_gets_as_many_worlds_and_the_same_ones() -> None:
    state = game_from(CERTAIN_WIN, finish=False).new()
    search = MoveSearch(RULES, [state] * 50, seed=1)
    win = RULES.text.parse(state, "play Short-Sighted Soldier")
    wait = RULES.text.parse(state, "do nothing")
    assert mean(search.searched(win, 0, 50).chances) == 1
    chances = search.searched(wait, 10, 50).chances
    assert len(chances) == 40
    assert mean(chances) < 1
    assert search.searched(wait, 10, 50).chances == chances


def test_a_line_is_legal_and_stops_with_the_turn() -> None:
    state = game_from(CERTAIN_WIN, finish=False).new()
    wait = RULES.text.parse(state, "do nothing")
    tree = MoveSearch(RULES, [state] * 30, seed=1).searched(wait, 0, 30).tree
    table = state.copy()
    for move in likely_line(tree, state, wait, seed=1):
        assert table.turns == 0
        assert table.actor in (0, CHANCE)
        assert move in table.moves()
        table.play(move)
    assert table.turns == 1
    assert table.actor != NOBODY
