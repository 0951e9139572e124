"""Seats that see only their own cards, with more worlds than can be gone through.

The values are compared with those of plans that were searched world by world.
"""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from games.engine import COMPILED
from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.positions.position import UNKNOWN, Position
from games.hidden_leaders.positions.small_endings import small_position
from games.hidden_leaders.positions.worlds import PosedTable, world_count
from games.registry import game
from solver.answer import solve_open
from solver.ask import Query, Solution, question_of, solve_query
from solver.core.budget import NodeBudget
from solver.core.question import BadQuestion, Others, Question, win
from solver.estimates import ESTIMATE_CONFIDENCE, divergence, margin, upper_mean
from solver.search.alpha_beta import ANYTHING
from solver.search.blind_turn import BlindTurn

GAME = game("hidden-leaders")
MOST_WORLDS = 400
EXACT = Fraction(1, 10**9)

FUSION = (
    "threshold 3; red 4; green 4; deck ShSo PiPi RoOr AcFi BoGo",
    "A leader Pavyr hand RoOr open ShSo PiPi; B leader ? open AcFi BoGo",
)
"""A can let the Empire or the Tribes win. Which of them is right depends on B's leader."""


def secretive(dice: random.Random, players: int) -> Position:
    """A small ending in which the seat to move knows no leader and no hidden hero of the others."""
    position = small_position(dice, players)
    seats = [
        replace(
            seat,
            leader=seat.leader if number == position.turn else UNKNOWN,
            hidden=seat.hidden if number == position.turn else (UNKNOWN,) * len(seat.hidden),
        )
        for number, seat in enumerate(position.seats)
    ]
    return replace(position, seats=tuple(seats), harbor=None)


def both_ways(position: Position) -> tuple[Solution, Solution]:
    """The same question, world by world and without going through the worlds."""
    whole = Query(GAME, PosedTable(position), sight="own", most_worlds=MOST_WORLDS)
    by_world = solve_query(whole, NodeBudget(200_000), every_world=True)
    return by_world, solve_query(replace(whole, most_worlds=0), NodeBudget(20_000))


def compare(first: int, count: int) -> tuple[Counter[str], list[str]]:
    """How many moves are exact or bounded, and where the two disagree."""
    seen, wrong = Counter[str](), list[str]()
    seed = first
    while seen["positions"] < count:
        seed += 1
        dice = random.Random(seed)
        position = secretive(dice, 2 + seed % 5)
        if not 1 < world_count(position) <= MOST_WORLDS:
            continue
        by_world, blind = both_ways(position)
        if not by_world.exact:
            continue
        seen["positions"] += 1
        assert blind.blind
        for true, found in zip(by_world.answer.values, blind.answer.values, strict=True):
            (low, high), value = found.likely, true.likely[0]
            exact = low == high
            seen["exact" if exact else "bounded"] += 1
            seen["telling"] += exact and 0 < value < 1
            if not low - EXACT <= value <= high + EXACT:
                wrong.append(f"seed {seed}: {position}: {true} {found}")
            if found.sure[0] > true.sure[0]:
                wrong.append(f"seed {seed}: {position}: {true} is not sure, as {found} claims")
    return seen, wrong


def test_values_are_those_of_plans_searched_world_by_world() -> None:
    seen, wrong = compare(0, 30 if COMPILED else 4)
    assert wrong == []
    assert seen["exact"] > 2 * seen["bounded"]
    assert seen["telling"] > seen["positions"] // 10


def test_a_seat_cannot_choose_by_what_it_does_not_know() -> None:
    """Of five leaders two win with the Empire and two with the Tribes; A has to guess."""
    by_world, blind = both_ways(read("; ".join(FUSION)))
    assert blind.exact
    assert blind.moves["play Rotting Orangutan"].likely == (Fraction(3, 5), Fraction(3, 5))
    assert [value.likely for value in blind.answer.values] == [
        value.likely for value in by_world.answer.values
    ]
    assert fused(by_world) == 1


def fused(solution: Solution) -> Fraction:
    """What a solver would say that lets the seat see which world is true."""
    best = []
    for world in solution.worlds:
        question = question_of(solution.query, world)
        answer = solve_open(question, world, NodeBudget(), lines=False)
        best.append(max(value.likely[0] for value in answer.values))
    return sum(best, Fraction(0)) / len(best)


def test_a_planted_strategy_fusion_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the best of several plans were picked world by world, the comparison would tell."""

    def any_plan(self: BlindTurn, worth: object) -> object:
        found = honest(self, worth)  # type: ignore[arg-type]
        plans = getattr(worth, "plans", None) or ()
        missed = 1.0
        for ends in plans:
            missed *= 1.0 - self.odds(ends).value
        return found._replace(low=1.0 - missed, high=1.0 - missed) if len(plans) > 1 else found

    honest = BlindTurn.bounds
    monkeypatch.setattr(BlindTurn, "bounds", any_plan)
    by_world, blind = both_ways(read("; ".join(FUSION)))
    move = "play Rotting Orangutan"
    assert blind.moves[move].likely != by_world.moves[move].likely


def test_more_worlds_than_allowed_are_no_reason_to_refuse() -> None:
    position = read("A leader Cyra hand CuLo; B leader Myrad hand ?x3; threshold 1")
    solved = solve_query(Query(GAME, PosedTable(position)), NodeBudget(20_000))
    assert solved.blind
    assert not solved.exact
    assert "sampled worlds" in solved.answer.why
    assert solved.answer.confidence == ESTIMATE_CONFIDENCE
    assert all(value.estimate for value in solved.answer.values if value.likely == ANYTHING)
    assert any(value.likely == ANYTHING for value in solved.answer.values)


def test_estimates_hold_the_true_value_within_two_turns() -> None:
    held = 0
    for seed in range(20):
        position = secretive(random.Random(seed), 2 + seed % 3)
        if not 1 < world_count(position) <= 60:
            continue
        query = Query(GAME, PosedTable(position), horizon="2", most_worlds=60)
        true = solve_query(query, NodeBudget(100_000), every_world=True)
        if not true.exact:
            continue
        found = solve_query(replace(query, most_worlds=0), NodeBudget(30_000))
        for one, other in zip(true.answer.values, found.answer.values, strict=True):
            low, high = other.interval
            assert low - EXACT <= one.likely[0] <= high + EXACT, (seed, one, other)
            held += low > 0 or high < 1
    assert held


def test_the_search_is_about_one_turn_and_a_coalition() -> None:
    with pytest.raises(BadQuestion, match="one turn against a coalition"):
        BlindTurn(Question(0, win(0, "A"), 2), None, NodeBudget())  # type: ignore[arg-type]
    asked = Question(0, win(0, "A"), 1, Others.RANDOM)
    with pytest.raises(BadQuestion, match="one turn against a coalition"):
        BlindTurn(asked, None, NodeBudget())  # type: ignore[arg-type]


@pytest.mark.parametrize("true", [0.0, 0.02, 0.5, 0.97])
def test_upper_bounds_fail_no_more_often_than_stated(true: float) -> None:
    dice = random.Random(7)
    risk, tries, samples = 0.05, 400, 60
    failed = 0
    for _ in range(tries):
        mean = sum(dice.random() < true for _ in range(samples)) / samples
        failed += upper_mean(mean, samples, risk) < true
    assert failed <= risk * tries


def test_bounds_narrow_with_more_samples() -> None:
    assert upper_mean(0.0, 1000, 0.01) < upper_mean(0.0, 100, 0.01) < 0.05
    assert margin(20_000, 10) < margin(1000, 10) < margin(1000, 1000)
    assert divergence(0.5, 0.5) == 0
