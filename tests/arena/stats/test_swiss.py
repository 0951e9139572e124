"""Swiss scores: summed by round, ties broken by share and opponents."""

import random

from arena.stats.ranking_table import ranking_text
from arena.stats.run import Run
from arena.stats.swiss import swiss_scores
from tests.support.simulated_league import World, game, league

STRENGTHS = {"a": 100.0, "b": 50.0, "c": -50.0, "d": -100.0}
GAMES = [
    game(0, 0, "ab", (0,)),
    game(1, 0, "ba", (1,)),
    game(2, 1, "cd", (0,)),
    game(3, 1, "dc", (0,)),
    game(4, 2, "ac", (0,)),
    game(5, 2, "ca", (0,)),
]
ROUNDS = {0: 0, 1: 0, 2: 0, 3: 0, 4: 1, 5: 1}


def test_a_score_is_the_share_of_wins_summed_by_round() -> None:
    scores = swiss_scores(GAMES, ROUNDS, STRENGTHS)
    assert [score.bot for score in scores] == ["a", "c", "d", "b"]
    best, second, third, last = scores
    assert best.rounds == {0: 1.0, 1: 0.5}
    assert (best.score, best.share, best.opponents) == (1.5, 0.75, 0.0)
    assert (second.score, third.score, last.score) == (1.0, 0.5, 0.0)
    assert last.rounds == {0: 0.0}


def test_equal_scores_are_ordered_by_share_and_then_by_opponents() -> None:
    games = [game(0, 0, "ad", (0,)), game(1, 1, "bc", (0,))]
    scores = swiss_scores(games, {0: 0, 1: 0}, STRENGTHS)
    assert [score.bot for score in scores] == ["b", "a", "d", "c"]  # b beat the stronger one
    halves = [game(n, n, seats, (0,)) for n, seats in enumerate(("bc", "cb", "bc", "cb"), 2)]
    uneven = [game(0, 0, "ad", (0,)), *halves]  # a: 1 in one round; b and c: 1/2 in each of two
    scores = swiss_scores(uneven, {0: 0, 2: 0, 3: 0, 4: 1, 5: 1}, STRENGTHS)
    assert [score.score for score in scores] == [1.0, 1.0, 1.0, 0.0]
    assert [score.bot for score in scores] == ["a", "c", "b", "d"]


def test_the_order_of_games_does_not_matter() -> None:
    expected = swiss_scores(GAMES, ROUNDS, STRENGTHS)
    for seed in range(12):
        shuffled = random.Random(seed).sample(GAMES, len(GAMES))
        assert swiss_scores(shuffled, ROUNDS, STRENGTHS) == expected


def test_the_table_shows_rounds_scores_and_tie_breaks() -> None:
    text = ranking_text(Run(tuple("abcd"), tuple(GAMES), rounds=ROUNDS))
    lines = text[text.index("Swiss scores") :].splitlines()
    assert lines[1].split() == ["bot", "r1", "r2", "rounds", "score", "won,%", "opponents"]
    assert lines[3].split()[:7] == ["1", "a", "1.00", "0.50", "2", "1.50", "75.0"]
    assert lines[6].split()[:7] == ["4", "b", "0.00", "-", "1", "0.00", "0.0"]
    assert "a round that it sat out (-) adds nothing." in " ".join(lines)


def test_many_rounds_leave_no_room_for_a_column_each() -> None:
    names = [f"a bot with a name {i}" for i in range(4)]
    world = World(dict(zip(names, (0.0, 0.1, 0.2, 0.3), strict=True)))
    games = league(world, 2, 12, random.Random(1))
    rounds = {one.number: one.deal for one in games}
    text = ranking_text(Run(tuple(names), tuple(games), rounds=rounds))
    assert "r12" not in text
    assert max(map(len, text.splitlines())) <= 80
