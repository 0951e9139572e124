"""Estimates of moves: fair to bad ones, the same every time, with their error."""

import pytest

from arena import play_game
from arena.match.game_view import GameView
from arena.review.move_search import MoveSearch, difference, likely_line, likely_worlds, mean
from bots.champion.model import load_model
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


def test_worlds_are_as_likely_as_the_moves_of_the_others_suggest() -> None:
    """The leader that B's moves speak for is in as many worlds as the belief of `champion` says."""
    replay = play_game(["greedy", "greedy", "greedy"], seed=11).replay
    shown = GameView(replay)
    before = next(n for n in range(shown.length - 1, 0, -1) if shown.state(n).actor == 0)
    view = shown.replay.view(0)
    belief = load_model(RULES.name).watch(view)
    for event in shown.perceived(before, 0):
        view.observe(event)
        belief.observe(event)
    weights = belief.role_weights()[6:12]
    likeliest = max(range(6), key=weights.__getitem__)
    assert weights[likeliest] > 0.4  # even: 0.2

    worlds = likely_worlds(shown, before, 0, 1, 500)
    share = mean([float(world.role(1) == likeliest) for world in worlds])
    assert share == pytest.approx(weights[likeliest], abs=0.01)
    assert all(world.role(0) == view.imagine().role(0) for world in worlds)
    again = likely_worlds(shown, before, 0, 1, 500)
    assert [one.key() for one in again] == [one.key() for one in worlds]


def test_worlds_of_secrets_are_as_likely_as_believed() -> None:
    replay = play_game(["greedy"] * 4, game="secrets", seed=3).replay
    shown = GameView(replay)
    before = next(n for n in range(shown.length - 1, 0, -1) if shown.state(n).actor >= 0)
    seat = int(shown.state(before).actor)
    view = shown.replay.view(seat)
    belief = load_model("secrets").watch_worlds(view)
    assert belief is not None
    for event in shown.perceived(before, seat):
        view.observe(event)
        belief.observe(event)
    worlds, roles = likely_worlds(shown, before, seat, 1, 400), int(view.imagine().roles)
    for other in range(4):
        weights = belief.role_weights()[other * roles : (other + 1) * roles]
        for role in range(roles) if other != seat else ():
            share = mean([float(world.role(other) == role) for world in worlds])
            assert share == pytest.approx(weights[role] / sum(weights), abs=0.02)
