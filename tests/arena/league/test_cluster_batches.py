"""Games sent in batches: as many as take long enough, and each once however many get lost."""

from arena.league.cluster.batches import MOST, Batches
from arena.league.outcome import Broken
from arena.league.pool import STRIKES_FROM_OUTSIDE
from arena.league.schedule import GameKey

KEYS = [GameKey(number, 2, number // 2, 7, (0, 1)) for number in range(3000)]


def numbers(games: list[GameKey]) -> list[int]:
    return [key.number for key in games]


def test_a_batch_is_as_many_games_as_take_half_a_second() -> None:
    batches = Batches()
    batches.waiting.extend(KEYS)
    assert numbers(batches.next()) == [0]
    batches.pace(1, 0.1)
    assert numbers(batches.next()) == [1, 2, 3, 4, 5]
    batches.pace(5, 5.0)
    assert numbers(batches.next()) == [6]
    for _ in range(100):
        batches.pace(1000, 0.001)
    assert len(batches.next()) == MOST


def test_lost_games_come_first_again_and_travel_alone() -> None:
    batches = Batches()
    batches.waiting.extend(KEYS[:6])
    batches.pace(1, 0.1)
    games = batches.next()
    assert batches.lost(games, 4, "workers ended") is None
    assert [numbers(batches.next()) for _ in range(6)] == [[0], [1], [2], [3], [4], [5]]
    assert not batches.waiting


def test_games_that_were_not_lost_do_not_travel_with_those_that_were() -> None:
    batches = Batches()
    batches.waiting.extend(KEYS[:6])
    batches.pace(1, 0.25)
    batches.next()
    lost = batches.next()
    batches.waiting.extendleft(reversed(KEYS[:2]))
    batches.waiting.insert(1, lost[0])
    batches.strikes[lost[0].number] = 1
    assert [numbers(batches.next()) for _ in range(4)] == [[0], [2], [1, 4], [5]]


def test_only_a_game_that_was_alone_is_given_up() -> None:
    batches = Batches()
    assert batches.lost(KEYS[:2], STRIKES_FROM_OUTSIDE, "workers ended") is None
    (alone,) = batches.next()
    problem = f"its workers were lost {STRIKES_FROM_OUTSIDE + 1} times (the last: no answer)"
    assert batches.lost([alone], 1, "no answer") == Broken(0, problem)
    assert numbers(batches.next()) == [1]
    for strikes in range(1, STRIKES_FROM_OUTSIDE):
        assert batches.lost([KEYS[2]], 1, "no answer") is None, strikes
        assert batches.next() == [KEYS[2]]
    assert isinstance(batches.lost([KEYS[2]], 1, "no answer"), Broken)
