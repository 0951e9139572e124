"""Which bots the games compare on both sides."""

import random

import pytest

from arena.stats.comparable import comparable
from arena.stats.game_record import GameRecord
from tests.support.simulated_league import World, game, league


def games(*results: tuple[str, tuple[int, ...]]) -> list[GameRecord]:
    return [game(i, i, seats, winners) for i, (seats, winners) in enumerate(results)]


@pytest.mark.parametrize(
    ("results", "group"),
    [
        ([("ab", (0,)), ("ab", (1,))], "ab"),
        ([("ab", (0,)), ("ba", (1,))], ""),  # b won neither
        ([("ab", (0,)), ("bc", (0,)), ("ca", (0,))], "abc"),  # through others
        ([("abc", (0,)), ("abc", (1,)), ("abc", (0,))], "ab"),  # c won nothing
        ([("abc", (2,)), ("ab", (0,)), ("ab", (1,))], "ab"),  # c won everything
        ([("ab", (0,)), ("ab", (1,)), ("cd", (0,)), ("cd", (1,)), ("ac", (0,))], ""),
        ([("ab", ())], "ab"),  # nobody won, so they are close
        ([("abc", (0, 1))], "ab"),  # both won
        ([("aab", (0,)), ("aab", (2,))], "ab"),  # copies
        ([("aa", (0,))], "a"),
        ([], ""),
    ],
)
def test_the_group_of_bots_that_have_beaten_each_other(
    results: list[tuple[str, tuple[int, ...]]], group: str
) -> None:
    assert comparable(games(*results)) == set(group)


def test_a_bot_at_fault_loses_to_the_others_at_the_table() -> None:
    drawn = [game(0, 0, "abc", (), faulty=2), game(1, 1, "abc", (1,))]
    assert comparable(drawn) == set("ab")


def test_the_order_of_games_does_not_matter() -> None:
    drawn = league(World(dict.fromkeys("abcdefgh", 0.0)), 2, 1, random.Random(1))
    rng = random.Random(2)
    for size in range(2, len(drawn), 5):
        some = rng.sample(drawn, size)
        assert comparable(some) == comparable(some[::-1]) == comparable(sorted(some, key=str))
