"""Statistics of small runs, checked by hand; and confidence intervals with correct coverage."""

import random
from statistics import fmean

import pytest

from arena.stats.game_record import GameRecord, TimeSpent
from arena.stats.run import Run
from arena.stats.tally import WinRate, duels, lengths, thinking_times, wins
from tests.support.simulated_league import World, game, league


def by_bot(record: GameRecord, seat: int) -> str:
    return record.seats[seat]


def test_wins_are_shares_of_the_seats_held() -> None:
    games = [game(0, 0, "aab", (0,)), game(1, 0, "baa", (0,)), game(2, 1, "aba", (2,))]
    found = wins(games, by_bot)
    assert (found["a"].share, found["a"].seen, found["a"].deals) == (2 / 6, 6, 2)
    assert (found["b"].share, found["b"].seen) == (1 / 3, 3)


def test_seats_can_be_grouped_by_anything() -> None:
    games = [game(0, 0, "ab", (1,), first=1), game(1, 1, "ba", (1,), first=0)]
    assert wins(games, lambda record, seat: record.place(seat))[0].share == 0.5
    assert wins(games, lambda record, seat: record.roles[seat])["y"].share == 1.0


def test_a_bot_at_fault_loses_and_the_others_share() -> None:
    found = wins([game(0, 0, "abc", (), faulty=1)], by_bot)
    assert {bot: rate.share for bot, rate in found.items()} == {"a": 0.5, "b": 0.0, "c": 0.5}


def test_duels_count_pairs_of_seats_so_that_copies_gain_nothing() -> None:
    equals = [game(winner, winner, "aaab", (winner,)) for winner in range(4)]
    found = duels(equals)
    assert found["a", "b"].share == found["b", "a"].share == 0.5
    assert found["a", "b"].seen == 6
    assert ("a", "a") not in found


def test_duels_leave_out_ties() -> None:
    games = [game(0, 0, "abc", (2,)), game(1, 0, "abc", ()), game(2, 0, "abc", (0,))]
    found = duels(games)
    assert (found["a", "b"].share, found["a", "b"].seen) == (1.0, 1)
    assert found["c", "a"].share == 0.5


def test_lengths_and_games_without_a_winner() -> None:
    games = [game(0, 0, "ab", ()), game(1, 1, "ab", (0,)), game(2, 1, "ab", (), faulty=0)]
    found = lengths(games)
    assert (found.games, found.deals, found.decisions, found.turns) == (3, 2, 10, 5)
    assert (found.nobody.share, found.nobody.seen) == (0.5, 2)


def test_times_and_faults_belong_to_the_right_bot() -> None:
    games = (game(0, 0, "ab", (0,)), game(1, 0, "ba", (), faulty=0))
    spent = (
        TimeSpent(0, 0, 10, 1.0, 0.5),
        TimeSpent(1, 1, 30, 1.0, 0.2),
        TimeSpent(1, 0, 5, 0.0, 0.0),
    )
    run = Run(("a", "b", "c"), games, spent)
    found = thinking_times(run)
    assert (found["a"].decisions, found["a"].seconds, found["a"].slowest) == (20, 0.05, 0.5)
    assert found["b"].seconds == 0.0
    assert "c" not in found
    assert run.fault_counts() == {"a": 0, "b": 1, "c": 0}


# ---- intervals ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("shared", [0.0, 0.5, 1.0])
def test_confidence_intervals_over_deals_have_the_right_coverage(shared: float) -> None:
    """Three equal bots each win a third. Luck that stays with the deal makes the intervals of bots
    narrower, because they take turns at it, and those of places wider."""
    world = World(dict.fromkeys("abc", 0.0), shared=shared)
    rng = random.Random(7)
    held: list[bool] = []
    widths: dict[str, list[float]] = {"a": [], "place": []}
    for _ in range(150):
        games = league(world, 3, 25, rng)
        for key, rate in (
            ("a", wins(games, by_bot)["a"]),
            ("place", wins(games, lambda record, seat: record.place(seat))[1]),
        ):
            widths[key].append(rate.high - rate.low)
            if key == "place" or shared < 1.0:
                held.append(rate.low <= 1 / 3 <= rate.high)
    assert 0.91 < fmean(held) < 0.985
    if shared == 0.0:
        assert fmean(widths["a"]) == pytest.approx(fmean(widths["place"]), rel=0.1)
    else:
        assert fmean(widths["a"]) < 0.8 * fmean(widths["place"])


def test_intervals_stay_within_0_and_1_and_are_wide_when_little_is_known() -> None:
    none = wins([game(i, i, "ab", (0,)) for i in range(30)], by_bot)["b"]
    assert none.low == 0.0
    assert 0.05 < none.high < 0.2
    single = wins([game(0, 0, "ab", (0,)), game(1, 0, "ba", (0,))], by_bot)["a"]
    assert single == WinRate(0.5, 0.0, 1.0, 2, 1)


def test_exact_ties_are_never_certain() -> None:
    games = [
        game(2 * i + side, i, "abba"[2 * side :][:2], (0,)) for i in range(10) for side in (0, 1)
    ]
    found = wins(games, by_bot)["a"]
    assert found.share == 0.5
    assert 0.3 < found.low < 0.45
