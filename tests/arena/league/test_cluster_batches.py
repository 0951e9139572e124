"""Batches of games: sized by duration, and no game lost or doubled when workers die."""

from arena.league.cluster.batches import MOST_GAMES, Batches
from arena.league.outcome import Crashed
from arena.league.pool import STRIKES_IF_KILLED
from arena.league.schedule import GameKey

KEYS = [GameKey(number, 2, number // 2, 7, (0, 1)) for number in range(3000)]


def numbers(games: list[GameKey]) -> list[int]:
    return [key.number for key in games]


def test_a_batch_takes_about_half_a_second() -> None:
    batches = Batches()
    batches.waiting.extend(KEYS)
    assert numbers(batches.next()) == [0]
    batches.adapt_size(1, 0.1)
    assert numbers(batches.next()) == [1, 2, 3, 4, 5]
    batches.adapt_size(5, 5.0)
    assert numbers(batches.next()) == [6]
    for _ in range(100):
        batches.adapt_size(1000, 0.001)
    assert len(batches.next()) == MOST_GAMES


def test_lost_games_are_sent_first_and_alone() -> None:
    batches = Batches()
    batches.waiting.extend(KEYS[:6])
    batches.adapt_size(1, 0.1)
    games = batches.next()
    assert batches.lost(games, 4, "workers died") is None
    assert [numbers(batches.next()) for _ in range(6)] == [[0], [1], [2], [3], [4], [5]]
    assert not batches.waiting


def test_lost_games_are_not_mixed_with_others() -> None:
    batches = Batches()
    batches.waiting.extend(KEYS[:6])
    batches.adapt_size(1, 0.25)
    batches.next()
    lost = batches.next()
    batches.waiting.extendleft(reversed(KEYS[:2]))
    batches.waiting.insert(1, lost[0])
    batches.strikes[lost[0].number] = 1
    assert [numbers(batches.next()) for _ in range(4)] == [[0], [2], [1, 4], [5]]


def test_only_a_game_that_was_sent_alone_is_given_up() -> None:
    batches = Batches()
    assert batches.lost(KEYS[:2], STRIKES_IF_KILLED, "workers died") is None
    (alone,) = batches.next()
    problem = f"its workers were lost {STRIKES_IF_KILLED + 1} times (the last: no answer)"
    assert batches.lost([alone], 1, "no answer") == Crashed(0, problem)
    assert numbers(batches.next()) == [1]
    for strikes in range(1, STRIKES_IF_KILLED):
        assert batches.lost([KEYS[2]], 1, "no answer") is None, strikes
        assert batches.next() == [KEYS[2]]
    assert isinstance(batches.lost([KEYS[2]], 1, "no answer"), Crashed)
