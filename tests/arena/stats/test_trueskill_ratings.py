"""TrueSkill ratings: as the package computes them, fair to copies, correct in edge cases."""

import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest
import trueskill

from arena.league.read_run import write_run
from arena.stats.run import Run
from arena.stats.trueskill_ratings import Skill, rate_game, rate_games, tie_probability
from tests.support.leagues import output
from tests.support.simulated_league import World, game, league

# An independent implementation that knows only the format of results.
TEN_LINES = """
import itertools, json, statistics, sys, trueskill
head, *games = map(json.loads, open(sys.argv[1]))
ranks = lambda g: [int(s == g["faulty"] if g["faulty"] is not None else s not in g["winners"] and g["winners"] != []) for s in range(g["players"])]
pairs = lambda n: [(r[a] == r[b]) for g in games if g["players"] == n for r in [ranks(g)] for a, b in itertools.combinations(range(n), 2) if g["seats"][a] != g["seats"][b]]
env = {n: trueskill.TrueSkill(tau=0, draw_probability=(sum(pairs(n)) + 1) / (len(pairs(n)) + 2)) for n in {g["players"] for g in games}}
rating = {bot: (trueskill.MU, trueskill.SIGMA) for bot in head["bots"]}
for g in games:
    seats = {bot: [s for s in range(g["players"]) if g["seats"][s] == bot] for bot in g["seats"]}
    turn = g["number"] % len(seats)
    bots = sorted(seats)[turn:] + sorted(seats)[:turn]
    picks = [pick for pick in itertools.product(*map(seats.get, bots)) if len(bots) > 1]
    looks = [env[g["players"]].rate([{b: trueskill.Rating(*rating[b])} for b in bots], [ranks(g)[s] for s in pick]) for pick in picks]
    looks = [{b: r for group in look for b, r in group.items()} for look in looks]
    rating.update({b: tuple(map(statistics.fmean, zip(*(look[b] for look in looks)))) for b in seats if looks})
print(json.dumps(rating))
"""  # noqa: E501

MIXED = World({"weak": 0.0, "fair": 0.5, "good": 1.0}, nobody=-1.0)


@pytest.mark.slow
def test_ten_lines_with_the_package_alone_give_the_same_numbers(tmp_path: Path) -> None:
    drawn = [record for n in (2, 3, 4, 5) for record in league(MIXED, n, 4, random.Random(n))]
    games = [replace(record, number=i) for i, record in enumerate(drawn)]
    games[7] = replace(games[7], winners=(), faulty=1)
    bots = (*MIXED.strengths, "absent")
    (tmp_path / "results.jsonl").write_text(write_run(Run(bots, tuple(games))))
    done = output(sys.executable, "-c", TEN_LINES, str(tmp_path / "results.jsonl"))
    independent = json.loads(done.stdout)
    ours = rate_games(games, bots).skills
    assert independent == {bot: [skill.mu, skill.sigma] for bot, skill in ours.items()}
    assert ours["absent"] == Skill()
    assert ours["good"].mu > ours["fair"].mu > ours["weak"].mu


def test_games_are_rated_in_schedule_order_whatever_their_order() -> None:
    games = league(MIXED, 3, 10, random.Random(1))
    shuffled = random.Random(2).sample(games, len(games))
    assert rate_games(shuffled, MIXED.strengths) == rate_games(games, MIXED.strengths)
    reversed_schedule = [replace(record, number=-record.number) for record in games]
    assert rate_games(reversed_schedule, MIXED.strengths) != rate_games(games, MIXED.strengths)


@pytest.mark.parametrize("seats", ["aaab", "aab", "abbbbb", "aabbc", "abc"])
def test_copies_neither_help_nor_harm(seats: str) -> None:
    # Among equals every seat wins equally often, so no bot gains on average however many seats it
    # has, up to the precision of the package.
    gains: dict[str, list[float]] = {bot: [] for bot in seats}
    players = len(seats)
    every = [game(number, 0, seats, (w,)) for w in range(players) for number in range(len(gains))]
    ties = tie_probability(every, players)
    assert ties == pytest.approx((players - 2) / players, abs=0.1)
    for one in every:
        for bot, skill in rate_game(one, dict.fromkeys(seats, Skill()), ties).items():
            gains[bot].append(skill.mu - Skill().mu)
    for bot, gained in gains.items():
        assert max(gained) > 0.5, bot
        assert fmean(gained) == pytest.approx(0.0, abs=2e-3)


def test_equal_bots_stay_together_in_a_long_league_with_copies() -> None:
    games = league(World({"one": 0.0, "two": 0.0}), 4, 60, random.Random(5))
    lopsided = [one for one in games if one.seats.count("one") == 3]
    skills = rate_games(lopsided, ("one", "two")).skills
    gap = abs(skills["one"].mu - skills["two"].mu)
    assert gap < 1.5 * (skills["one"].spread ** 2 + skills["two"].spread ** 2) ** 0.5


def test_a_table_of_copies_of_one_bot_changes_nothing() -> None:
    skills = rate_games([game(0, 0, "aaaa", (2,)), game(1, 0, "bb", ())], "ab").skills
    assert skills == {"a": Skill(), "b": Skill()}


def test_a_game_without_a_winner_is_a_tie_of_all() -> None:
    skills = rate_games([game(0, 0, "ab", ())], "ab").skills
    assert skills["a"].mu == pytest.approx(skills["b"].mu) == pytest.approx(25.0)
    assert skills["a"].sigma < Skill().sigma


def test_a_bot_at_fault_is_last() -> None:
    skills = rate_games([game(0, 0, "abc", (), faulty=1)], "abc").skills
    assert skills["b"].mu < 25 < min(skills["a"].mu, skills["c"].mu)


def test_the_draw_probability_is_estimated_from_pairs_of_different_bots() -> None:
    games = [game(0, 0, "abab", (0,)), game(1, 0, "ab", ()), game(2, 0, "ab", (1,))]
    assert tie_probability(games, 4) == (2 + 1) / (4 + 2)
    assert tie_probability(games, 2) == (1 + 1) / (2 + 2)


def test_a_result_beyond_floating_point_is_rated() -> None:
    """Ratings get that far apart if every bot always beats the next weaker one."""
    top, bottom = trueskill.Rating(400, 1), trueskill.Rating(25, 1)
    with pytest.raises(FloatingPointError):
        trueskill.TrueSkill(tau=0).rate([(top,), (bottom,)], ranks=[1, 0])
    skills = {"t": Skill(400.0, 1.0), "b": Skill(25.0, 1.0)}
    upset = rate_game(game(0, 0, "tb", (1,)), skills, 0.1)
    assert upset["t"].mu < 390
    assert upset["b"].mu > 35
    expected = rate_game(game(0, 0, "tb", (0,)), skills, 0.1)
    assert expected["t"].mu == pytest.approx(400.0)
