"""Fitted strengths: they recover the truth, have sound intervals, and cope with odd leagues."""

import random
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from statistics import fmean, stdev

import pytest

from arena.stats import plackett_luce
from arena.stats.intervals import student
from arena.stats.plackett_luce import POINTS, fit
from games.errors import GameError
from tests.support.simulated_league import ROLES, World, game, league

STRENGTHS = {"weak": -1.0, "fair": 0.0, "good": 1.0}
PLACES = (0.4, 0.0, -0.2, -0.2)
LEADERS = dict(zip(ROLES, (0.6, 0.0, 0.0, 0.0, 0.0, -0.6), strict=True))


def points(values: Sequence[float], value: float) -> float:
    return (value - fmean(values)) * POINTS


@pytest.mark.parametrize(
    ("players", "nobody"),
    [(2, -0.5), (2, None), (3, -1.5), pytest.param(4, None, marks=pytest.mark.slow)],
)
def test_known_strengths_are_recovered(players: int, nobody: float | None) -> None:
    world = World(STRENGTHS, PLACES, LEADERS, nobody, shared=0.5)
    found = fit(league(world, players, 200, random.Random(players)), list(STRENGTHS))
    for bot, strength in STRENGTHS.items():
        assert found.bots[bot].value == pytest.approx(strength * POINTS, abs=30)
        assert found.bots[bot].low < found.bots[bot].value < found.bots[bot].high
    first = points(PLACES[:players], PLACES[0])
    assert found.places[players, 0].value == pytest.approx(first, abs=45)
    assert found.roles[players, "Ash"].value == pytest.approx(0.6 * POINTS, abs=80)
    assert found.roles[players, "Fir"].value == pytest.approx(-0.6 * POINTS, abs=80)


@pytest.mark.parametrize("players", [2, 4])
def test_terms_of_a_group_average_zero(players: int) -> None:
    world = World(STRENGTHS, PLACES, LEADERS, nobody=-1.0)
    found = fit(league(world, players, 30, random.Random(1)), list(STRENGTHS))
    for group in (found.bots, found.places, found.roles):
        assert fmean(estimate.value for estimate in group.values()) == pytest.approx(0.0, abs=1e-6)


def test_bots_that_share_all_luck_and_strength_tie_exactly() -> None:
    world = World({"one": 0.0, "two": 0.0, "far": 1.0}, PLACES, LEADERS)
    found = fit(league(world, 2, 25, random.Random(3)), list(world.strengths))
    assert found.bots["one"].value == pytest.approx(found.bots["two"].value, abs=1e-9)
    assert found.superior["one", "two"] == 0.5
    assert found.superior["far", "two"] == 1.0
    assert found.superior["two", "far"] == 0.0


@pytest.mark.slow
def test_copies_do_not_make_a_bot_stronger() -> None:
    world = World({"one": 0.0, "two": 0.0}, shared=0.5)
    games = league(world, 4, 300, random.Random(3))
    lopsided = [record for record in games if record.seats.count("one") == 3]
    found = fit(lopsided, ("one", "two"))
    assert abs(found.bots["one"].value) < 15
    assert found.bots["one"].low < 0 < found.bots["one"].high


def test_the_order_of_games_does_not_matter() -> None:
    games = league(World(STRENGTHS, shared=0.5), 3, 30, random.Random(3))
    forwards, backwards = fit(games, list(STRENGTHS)), fit(games[::-1], list(STRENGTHS))
    for bot in STRENGTHS:
        assert forwards.bots[bot].value == pytest.approx(backwards.bots[bot].value, abs=1e-6)


@pytest.mark.slow
def test_one_newton_step_per_sample_spreads_like_a_full_fit_per_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(STRENGTHS, shared=0.5)
    games = league(world, 2, 40, random.Random(8))
    deals = [[record for record in games if record.deal == deal] for deal in range(40)]
    rng = random.Random(9)
    values = []
    interval = fit(games, list(STRENGTHS)).bots["weak"]
    monkeypatch.setattr(plackett_luce, "BOOTSTRAP_SAMPLES", 2)  # the full fits need no intervals
    for _ in range(40):
        drawn = [
            replace(record, deal=i)
            for i, deal in enumerate(rng.choices(deals, k=40))
            for record in deal
        ]
        values.append(fit(drawn, list(STRENGTHS)).bots["weak"].value)
    assert (interval.high - interval.low) / 2 == pytest.approx(2 * stdev(values), rel=0.3)


def test_games_of_one_deal_count_as_one_observation() -> None:
    """The same games as separate deals give far too narrow an interval for turn order."""
    games = league(World(STRENGTHS, PLACES), 2, 40, random.Random(4))
    by_deal = fit(games, list(STRENGTHS)).places[2, 0]
    alone = [replace(record, deal=record.number) for record in games]
    by_game = fit(alone, list(STRENGTHS)).places[2, 0]
    assert by_deal.high - by_deal.low > 1.5 * (by_game.high - by_game.low)


@pytest.mark.slow
def test_a_large_league_is_fitted_from_a_part_of_it_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(STRENGTHS, nobody=-1.0, shared=0.5)
    games = league(world, 2, 700, random.Random(4))
    assert len(games) > 4000
    fast = fit(games, list(STRENGTHS))
    monkeypatch.setattr(plackett_luce, "_MANY", inf)
    monkeypatch.setattr(plackett_luce, "_MOST_GROUPS", inf)
    plain = fit(games, list(STRENGTHS))
    assert fast.deals == plain.deals == 700
    for bot, estimate in plain.bots.items():
        assert fast.bots[bot].value == pytest.approx(estimate.value, abs=1e-6)
        width = estimate.high - estimate.low
        assert fast.bots[bot].high - fast.bots[bot].low == pytest.approx(width, rel=0.15)


def test_a_bot_that_wins_everything_stays_finite() -> None:
    games = [game(i, i, "ab", (0,), first=i % 2) for i in range(50)]
    assert 300 < fit(games, ("a", "b")).bots["a"].value < 2000


@pytest.mark.parametrize("hopeless", [-20.0, 20.0])
def test_a_bot_that_won_nothing_or_everything_has_no_interval(hopeless: float) -> None:
    world = World({**STRENGTHS, "odd": hopeless}, shared=0.5)
    found = fit(league(world, 3, 20, random.Random(3)), list(world.strengths))
    odd = found.bots["odd"]
    assert (odd.low, odd.high) == (-inf, inf)
    assert abs(odd.value) > 300
    for bot in STRENGTHS:
        assert 20 < found.bots[bot].high - found.bots[bot].value < 200


def test_of_two_bots_that_share_no_win_neither_has_an_interval() -> None:
    games = [game(i, i // 2, "ab" if i % 2 else "ba", (i % 2 == 0,)) for i in range(4)]
    for estimate in fit(games, ("a", "b")).bots.values():
        assert (estimate.low, estimate.high) == (-inf, inf)


def test_nothing_is_known_of_a_bot_that_did_not_play() -> None:
    games = league(World(STRENGTHS), 2, 30, random.Random(3))
    found = fit(games, [*STRENGTHS, "absent"])
    absent = found.bots["absent"]
    assert (absent.value, absent.low, absent.high) == (0.0, -inf, inf)
    assert found.superior["absent", "weak"] == found.superior["good", "absent"] == 0.5
    assert found.superior["good", "weak"] > 0.9


def test_a_bot_at_fault_loses_to_the_whole_table() -> None:
    games = [game(i, i, "abcabc"[i % 3 :][:3], (), faulty=(4 - i) % 3) for i in range(30)]
    assert {record.seats[record.faulty or 0] for record in games} == {"b"}
    found = fit(games, "abc")
    assert found.bots["b"].value < -100
    assert found.bots["a"].value == pytest.approx(found.bots["c"].value, abs=1e-6)


def test_one_deal_gives_infinite_intervals() -> None:
    games = league(World(STRENGTHS), 2, 1, random.Random(3))
    found = fit(games, list(STRENGTHS))
    assert (found.bots["good"].low, found.bots["good"].high) == (-inf, inf)
    assert found.superior["good", "weak"] == 0.5


def test_no_games_are_an_error() -> None:
    with pytest.raises(GameError, match="no games"):
        fit([], ("a", "b"))


def test_quantiles_of_students_t_match_published_values() -> None:
    published = "1 12.706, 2 4.303, 3 3.182, 4 2.776, 5 2.571, 10 2.228, 30 2.042, 120 1.980"
    for freedom, value in (pair.split() for pair in published.split(", ")):
        assert student(int(freedom)) == pytest.approx(float(value), abs=4e-3)
    assert student(0) == inf
