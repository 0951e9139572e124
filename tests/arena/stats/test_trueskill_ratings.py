"""TrueSkill ratings: the package's model, one result for any order, fair to copies and names."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from statistics import fmean, stdev

import pytest
import trueskill

from arena.stats.game_record import GameRecord
from arena.stats.trueskill_game import BETA, MU, SIGMA
from arena.stats.trueskill_ratings import (
    DIGITS,
    Ratings,
    Skill,
    all_ratings,
    balanced_orders,
    rate_games,
    result_of,
    tie_probability,
)
from tests.support.simulated_league import World, game, league
from tests.support.volume import volume

MIXED = World({"weak": 0.0, "fair": 0.5, "good": 1.0}, nobody=-1.0)


def mixed_league() -> list[GameRecord]:
    """All player counts, copies, games without a winner, with several winners and with a fault."""
    drawn = [
        record for n in (2, 3, 4, 5, 6) for record in league(MIXED, n, 2, random.Random(n))[:60]
    ]
    games = [replace(record, number=i) for i, record in enumerate(drawn)]
    games[7] = replace(games[7], winners=(), faulty=1)
    games[20] = replace(games[20], winners=(0, 1))
    return games


def in_sequence(games: Sequence[GameRecord], rng: random.Random) -> dict[str, float]:
    """The means after rating the games one by one with the package, in a random order.

    Tied bots are in random order too; no bot has several seats.
    """
    ties = tie_probability(Counter(map(result_of, games)), games[0].players)
    plain = trueskill.TrueSkill(tau=0.0, draw_probability=ties)
    skills = {bot: plain.create_rating() for one in games for bot in one.seats}
    for one in rng.sample(games, len(games)):
        seats = rng.sample(range(one.players), one.players)
        groups = [(skills[one.seats[seat]],) for seat in seats]
        after = plain.rate(groups, ranks=[one.ranks()[seat] for seat in seats])
        skills.update((one.seats[seat], new) for seat, (new,) in zip(seats, after, strict=True))
    return {bot: float(skill.mu) for bot, skill in skills.items()}


@pytest.mark.slow
def test_shuffled_games_give_one_result_to_the_last_digit() -> None:
    games = mixed_league()
    bots = [*MIXED.strengths, "absent"]
    expected = all_ratings(games, bots)
    for seed in range(5):
        rng = random.Random(seed)
        numbers = rng.sample(range(len(games)), len(games))
        shuffled = [replace(games[i], number=new) for new, i in enumerate(numbers)]
        assert all_ratings(shuffled, rng.sample(bots, len(bots))) == expected
    assert {rating.mu for rating in expected if rating.bot == "absent"} == {MU}
    assert [r.bot for r in sorted(expected[:4], key=lambda r: r.mu)][-1] == "good"


def test_a_single_game_is_rated_as_by_the_package() -> None:
    for seats, winners in (("ab", (0,)), ("ab", ())):
        one = game(0, 0, seats, winners)
        ties = tie_probability({result_of(one): 1}, 2)
        plain = trueskill.TrueSkill(tau=0.0, draw_probability=ties)
        start = [(plain.create_rating(),) for _ in seats]
        ratings = rate_games([one], seats).skills
        for bot, (expected,) in zip(
            seats, plain.rate(start, ranks=one.ranks(), min_delta=1e-12), strict=True
        ):
            assert ratings[bot].mu == pytest.approx(expected.mu, abs=1e-5)
            assert ratings[bot].sigma == pytest.approx(expected.sigma, abs=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_ratings_are_where_games_in_random_order_end_up_on_average(players: int) -> None:
    world = World({bot: 0.3 * i for i, bot in enumerate("abcde")}, shared=0.0)
    games = league(world, players, 5, random.Random(players))
    ours = rate_games(games, "abcde").skills
    runs = [in_sequence(games, random.Random(seed)) for seed in range(8)]
    # Rated one by one, all bots drift up or down together, so the distances are compared.
    for bot, skill in ours.items():
        distances = [run[bot] - fmean(run.values()) for run in runs]
        assert skill.mu - MU == pytest.approx(fmean(distances), abs=0.6)
        assert stdev(run[bot] for run in runs) > 0.05  # this is what the order does


def test_no_game_counts_more_than_another() -> None:
    """A result that occurs fifty times in a row weighs as much as one spread over the league."""
    wins, losses = [game(i, i, "ab", (0,)) for i in range(50)], [game(0, 0, "ab", (1,))] * 50
    skills = rate_games(wins + losses, "ab").skills
    assert skills["a"] == skills["b"] == Skill(MU, skills["a"].sigma)


@pytest.mark.parametrize("seats", ["aaab", "aab", "abbbbb", "aabbc", "abc"])
def test_copies_neither_help_nor_harm(seats: str) -> None:
    # Among equals every seat wins equally often, so no bot gains however many seats it has.
    games = [game(0, 0, seats, (winner,)) for winner in range(len(seats))] * 3
    skills = rate_games(games, set(seats)).skills
    for skill in skills.values():
        assert skill.mu == pytest.approx(MU, abs=0.1)
    ties = tie_probability(Counter(map(result_of, games)), len(seats))
    assert ties == pytest.approx((len(seats) - 2) / len(seats), abs=0.1)


def test_equal_bots_stay_together_in_a_long_league_with_copies() -> None:
    games = league(World({"one": 0.0, "two": 0.0}), 4, 60, random.Random(5))
    lopsided = [one for one in games if one.seats.count("one") == 3]
    skills = rate_games(lopsided, ("one", "two")).skills
    gap = abs(skills["one"].mu - skills["two"].mu)
    assert gap < 1.5 * (skills["one"].spread ** 2 + skills["two"].spread ** 2) ** 0.5


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_names_of_bots_do_not_matter(players: int) -> None:
    world = World({bot: 0.3 * i for i, bot in enumerate("abcdef")}, shared=0.0)
    games = league(world, players, 1, random.Random(players))
    others = dict(zip("abcdef", "dacfeb", strict=True))
    renamed = [replace(one, seats=tuple(others[bot] for bot in one.seats)) for one in games]
    before, after = rate_games(games, "abcdef").skills, rate_games(renamed, "abcdef").skills
    for bot, other in others.items():
        assert before[bot].mu == pytest.approx(after[other].mu, abs=2e-3)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_tied_bots_have_all_pairs_of_places_equally_often(size: int) -> None:
    orders = balanced_orders(range(size))
    assert len({tuple(order) for order in orders}) == len(orders)
    assert all(sorted(order) == list(range(size)) for order in orders)
    pairs = Counter(
        ((a, b), (order[a], order[b])) for order in orders for a, b in permutations(range(size), 2)
    )
    assert len(pairs) == (size * (size - 1)) ** 2
    assert len(set(pairs.values())) <= 1


def test_a_table_of_copies_of_one_bot_changes_nothing() -> None:
    skills = rate_games([game(0, 0, "aaaa", (2,)), game(1, 0, "bb", ())], "ab").skills
    assert skills == {"a": Skill(), "b": Skill()}


def test_without_games_all_bots_keep_the_initial_rating() -> None:
    assert rate_games([], "ab") == Ratings({"a": Skill(), "b": Skill()}, {}, {}, ANY_CURVE)
    assert rate_games([], ()).skills == {}
    assert all_ratings([], ["a"]) == [(0, "a", MU, round(SIGMA, DIGITS))]


ANY_CURVE = [[SIGMA**-2, 0.0], [0.0, SIGMA**-2]]


def test_a_game_without_a_winner_is_a_tie_of_all() -> None:
    skills = rate_games([game(0, 0, "ab", ())], "ab").skills
    assert skills["a"].mu == skills["b"].mu == MU
    assert skills["a"].sigma < Skill().sigma


def test_a_bot_at_fault_is_last() -> None:
    skills = rate_games([game(0, 0, "abc", (), faulty=1)], "abc").skills
    assert skills["b"].mu < MU < min(skills["a"].mu, skills["c"].mu)
    assert skills["a"] == skills["c"]


def test_the_draw_probability_is_estimated_from_pairs_of_different_bots() -> None:
    games = [game(0, 0, "abab", (0,)), game(1, 0, "ab", ()), game(2, 0, "ab", (1,))]
    results = Counter(map(result_of, games))
    assert tie_probability(results, 4) == (2 + 1) / (4 + 2)
    assert tie_probability(results, 2) == (1 + 1) / (2 + 2)
    assert rate_games(games, "ab").ties == {2: 0.5, 4: 0.5}


@pytest.mark.parametrize("count", [1, 10, 1000, 100_000])
def test_a_bot_that_always_wins_gets_a_finite_rating(count: int) -> None:
    skills = rate_games([game(0, 0, "ab", (0,))] * count, "ab").skills
    assert skills["a"].mu + skills["b"].mu == pytest.approx(2 * MU, abs=1e-5)
    assert 4 < skills["a"].mu - MU < 6 * BETA
    assert 1 < skills["a"].sigma < SIGMA


def test_ratings_far_apart_are_found() -> None:
    """Every bot always beats the next weaker one; the package alone cannot rate an upset there."""
    ladder = [game(0, 0, pair, (0,)) for pair in ("ab", "bc", "cd", "de", "ef")] * 1000
    upset = game(0, 0, "af", (1,))
    before, after = (rate_games(games, "abcdef").skills for games in (ladder, [*ladder, upset]))
    assert [bot for bot, _ in sorted(before.items(), key=lambda b: -b[1].mu)] == list("abcdef")
    assert before["a"].mu - before["f"].mu > 80
    assert after["a"].mu - after["f"].mu < 0.9 * (before["a"].mu - before["f"].mu)


@pytest.mark.slow
def test_strange_leagues_get_ratings_that_do_not_change_any_more() -> None:
    """Random tables, faults and any winners, results repeated up to 10,000 times."""
    rng = random.Random(7)
    for _ in range(volume(100)):
        bots = "abcdef"[: rng.randint(1, 6)]
        games = [strange(bots, rng) for _ in range(rng.choice([1, 2, 5, 10]))]
        many = [one for one in games for _ in range(rng.choice([1, 1, 300]))]
        ratings = rate_games(many, bots)
        for bot, skill in ratings.skills.items():
            number = sorted(bots).index(bot)
            assert 0 < skill.sigma <= SIGMA + 1e-6
            # Where the ratings rest, the prior balances the pulls of all games.
            pulls = [ratings.slopes.get(result_of(one), {}).get(bot, 0.0) for one in many]
            rest = (MU - skill.mu) / SIGMA**2 + sum(pulls)
            assert rest / ratings.curve[number][number] == pytest.approx(0.0, abs=1e-5)


def strange(bots: str, rng: random.Random) -> GameRecord:
    players = rng.randint(2, 6)
    seats = "".join(rng.choice(bots) for _ in range(players))
    if rng.random() < 0.1:
        return game(0, 0, seats, (), faulty=rng.randrange(players))
    return game(0, 0, seats, tuple(sorted(rng.sample(range(players), rng.randint(0, 2)))))
