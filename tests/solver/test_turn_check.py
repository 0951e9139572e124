"""The check of claims about one turn: true ones pass, false ones are refuted."""

from collections.abc import Sequence
from fractions import Fraction
from math import log, sqrt

import pytest

from games.registry import game, read_position
from games.state import State
from solver.core.question import Question, win
from solver.reference.brute_force import brute_values
from solver.reference.turn_check import RISK, TurnTooLarge, refuted, turn_outcomes
from tests.support.small_positions import one_turn

GAME = game("hidden-leaders")
FUSION = (
    "threshold 3; red 4; green 4; deck ShSo PiPi RoOr AcFi BoGo; "
    "A leader Pavyr hand RoOr open ShSo PiPi; B leader ? open AcFi BoGo"
)
"""A can let the Empire or the Tribes win. Which of them is right depends on B's leader."""


def worlds() -> list[State]:
    return read_position(GAME, FUSION).worlds(100)


def test_it_agrees_with_plain_recursion_in_one_world() -> None:
    values = set()
    for state in worlds():
        for move, value in brute_values(Question(0, win(0, "A"), horizon=1), state).items():
            assert value == max(plan[0].worst for plan in turn_outcomes(GAME, [state], move))
            values.add(value)
    assert values == {Fraction(0), Fraction(1)}


def test_a_seat_cannot_choose_by_the_world() -> None:
    """With open cards A always wins; blind it must choose one faction for all leaders of B."""
    play = GAME.text.parse(worlds()[0], "play Rotting Orangutan")
    for world in worlds():
        assert refuted(GAME, [world], play, 1.0) == ""
    assert refuted(GAME, worlds(), play, 1.0) == "no plan wins in all of the worlds"


def test_a_certain_win_is_one_that_some_plan_has_in_every_world() -> None:
    """Counted plan by plan, it is the same."""
    position = read_position(GAME, FUSION.replace("B leader ?", "B leader Cyra"))
    groups: list[Sequence[State]] = [worlds(), worlds()[:2], position.worlds(100), [one_turn()]]
    told = set()
    for alike in groups:
        for move in alike[0].moves():
            plans = turn_outcomes(GAME, alike, move)
            sure = any(all(each.worst == 1 for each in plan) for plan in plans)
            assert (refuted(GAME, alike, move, 1.0) == "") == sure
            told.add(sure)
    assert told == {True, False}


HIDDEN_HERO = (
    "threshold 2; red 6; A leader Pavyr hand ShSo open WiWi; B leader Xiadul open FlKn hidden ?"
)


@pytest.mark.parametrize("position", [FUSION, HIDDEN_HERO])
def test_the_best_plan_is_the_best_of_all_plans(position: str) -> None:
    """Found observation by observation, or by trying them all."""
    alike = read_position(GAME, position).worlds(100)
    move = alike[0].moves()[0]  # its only play
    plans = list(turn_outcomes(GAME, alike, move))
    assert all(each.ends for plan in plans for each in plan)
    best = float(max(sum(each.worst for each in plan) / len(alike) for plan in plans))
    assert 0 < best < 1
    off = sqrt((log(2 / RISK) + log(len(plans))) / (2 * len(alike)))
    assert refuted(GAME, alike, move, best) == refuted(GAME, alike, move, best + off - 0.001) == ""
    assert refuted(GAME, alike, move, best + off + 0.001).startswith("no plan wins more than")


@pytest.mark.parametrize(
    ("move", "value", "why"),
    [
        ("play Furious Frog", 1.0, ""),
        ("play Furious Frog", 0.5, "a plan may win 1.0000 of the worlds, 0.5000 was claimed"),
        ("play Furious Frog", 0.0, "a plan may win 1.0000 of the worlds, 0.0000 was claimed"),
        ("do nothing", 0.0, "the game may go on"),
        ("do nothing", 1.0, "no plan wins in all of the worlds"),
        ("play Short-Sighted Soldier", 0.0, ""),
    ],
)
def test_claims(move: str, value: float, why: str) -> None:
    state = one_turn()
    assert refuted(GAME, [state], GAME.text.parse(state, move), value) == why


def test_too_large() -> None:
    state = one_turn()
    with pytest.raises(TurnTooLarge):
        refuted(GAME, [state], GAME.text.parse(state, "play Furious Frog"), 1.0, most=1)
