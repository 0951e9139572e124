"""Ranges of ranks: wide when little is known, true with the stated confidence, in line with mu."""

import random
from dataclasses import replace

import pytest

from arena.stats.game_record import GameRecord
from arena.stats.rank_ranges import rank_ranges
from arena.stats.trueskill_ratings import rate_games
from tests.support.simulated_league import World, game, league
from tests.support.volume import volume

STEPS = World({"a": 1.0, "b": 0.5, "c": 0.4, "d": -1.0}, shared=0.5)


def ranges(games: list[GameRecord], bots: str) -> dict[str, tuple[int, int]]:
    return rank_ranges(games, rate_games(games, bots))


def swept(deals: int) -> list[GameRecord]:
    """A league of two bots in which one wins every deal."""
    return [game(2 * i + j, i, ("ab", "ba")[j], (j,)) for i in range(deals) for j in (0, 1)]


def test_a_bot_that_won_everything_needs_six_deals_to_be_first() -> None:
    assert ranges(swept(5), "ab") == {"a": (1, 2), "b": (1, 2)}
    assert ranges(swept(6), "ab") == {"a": (1, 1), "b": (2, 2)}


@pytest.mark.parametrize("deals", [3, 20, 100])
def test_a_bots_place_by_trueskill_lies_in_its_range(deals: int) -> None:
    games = league(STEPS, 3, deals, random.Random(deals))
    ratings = rate_games(games, STEPS.strengths)
    found = rank_ranges(games, ratings)
    order = sorted(found, key=lambda bot: -ratings.skills[bot].mu)
    for place, bot in enumerate(order, 1):
        best, worst = found[bot]
        assert 1 <= best <= place <= worst <= len(order)


def test_close_bots_share_a_range_and_others_do_not() -> None:
    games = league(STEPS, 2, 100, random.Random(3))
    assert ranges(games, "abcd") == {"a": (1, 1), "b": (2, 3), "c": (2, 3), "d": (4, 4)}


def test_bots_that_did_not_play_have_no_range_and_take_no_rank() -> None:
    games = league(STEPS, 2, 100, random.Random(3))
    assert ranges(games, "abcdxyz") == ranges(games, "abcd")


def test_one_game_or_one_deal_or_copies_of_one_bot_settle_nothing() -> None:
    assert ranges([game(0, 0, "ab", (0,))], "ab") == {"a": (1, 2), "b": (1, 2)}
    one_deal = league(STEPS, 4, 1, random.Random(1))
    assert set(ranges(one_deal, "abcd").values()) == {(1, 4)}
    assert ranges([game(0, 0, "aa", (0,))], "ab") == {"a": (1, 1)}


def test_bots_that_always_tie_share_a_range() -> None:
    games = [game(i, i, seats, ()) for i in range(40) for seats in ("ab", "ba")]
    assert ranges(games, "ab") == {"a": (1, 2), "b": (1, 2)}


def test_deals_count_not_games() -> None:
    """The same games are worth less if they belong to few deals."""
    games = league(World({"a": 0.5, "b": 0.0}, shared=0.0), 2, 60, random.Random(2))
    few = [replace(one, deal=one.deal % 5) for one in games]
    assert ranges(games, "ab") == {"a": (1, 1), "b": (2, 2)}
    assert ranges(few, "ab") == {"a": (1, 2), "b": (1, 2)}


@pytest.mark.slow
def test_equal_bots_are_rarely_told_apart() -> None:
    """5 % of leagues may be wrong; of 30, more than 5 would be with a probability below 1 %."""
    equal = World(dict.fromkeys("abcd", 0.0), shared=0.5)
    wrong = sum(
        set(ranges(league(equal, 2, 40, random.Random(seed)), "abcd").values()) != {(1, 4)}
        for seed in range(volume(30))
    )
    assert wrong <= 5
