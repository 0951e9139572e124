"""The table of a league: one text, whatever the order of games, that fits 80 columns."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import permutations

import pytest
from markdown_it import MarkdownIt

from arena.stats.game_record import GameRecord
from arena.stats.plackett_luce import Estimate
from arena.stats.ranking_table import points_text, rank_text, ranking_text
from arena.stats.report import tables
from arena.stats.run import Run
from arena.stats.standings import standings_of
from arena.stats.text_table import TextTable, short_name
from games.text_width import cells
from tests.support.simulated_league import World, game, league

WORLD = World({"weak": -1.0, "fair": 0.0, "good": 1.0}, nobody=-1.5, shared=0.5)


def numbered(games: list[GameRecord]) -> tuple[GameRecord, ...]:
    return tuple(replace(one, number=i) for i, one in enumerate(games))


def mixed_run() -> Run:
    drawn = [one for n in (2, 3, 4, 5, 6) for one in league(WORLD, n, 3, random.Random(n))[:60]]
    return Run((*WORLD.strengths, "absent"), numbered(drawn))


def rows(text: str) -> dict[str, list[str]]:
    """The cells of the ranking, by bot; ± belongs to the cell before."""
    lines = text.replace(" ±", "±").splitlines()[3:]
    cells = [line.split() for line in lines[: lines.index(next(x for x in lines if ":" in x))]]
    return {row[1]: row for row in cells}


@pytest.mark.slow
def test_shuffled_games_give_one_table() -> None:
    run = mixed_run()
    texts = {ranking_text(run)}
    for seed in range(5):
        games = random.Random(seed).sample(run.games, len(run.games))
        bots = random.Random(seed).sample(run.bots, len(run.bots))
        texts.add(ranking_text(Run(tuple(bots), numbered(games))))
    assert len(texts) == 1


def test_columns_say_what_they_count() -> None:
    games = [game(0, 0, "aab", (0,)), game(1, 0, "aba", (1,)), game(2, 0, "baa", (), faulty=0)]
    text = ranking_text(Run(("a", "b", "c"), tuple(games)))
    header = text.splitlines()[1].split()
    assert header == [
        "rank",
        "bot",
        "TrueSkill",
        "Elo",
        "won,%",
        "fair,%",
        "games",
        "seats",
        "faults",
    ]
    found = rows(text)
    # Of six seats a won one, and half the game that b's fault ended twice.
    assert found["a"][4:] == ["33.3", "33.3", "3", "6", "0"]
    assert found["b"][4:] == ["33.3", "33.3", "3", "3", "1"]
    assert found["c"][0] == "-"
    assert found["c"][-3:] == ["0", "0", "0"]


def test_a_fair_share_is_that_of_the_seats_a_bot_had() -> None:
    games = [game(0, 0, "ab", (0,)), game(1, 1, "abcd", (3,))]
    found = rows(ranking_text(Run(tuple("abcd"), tuple(games))))
    assert found["a"][5] == "37.5"
    assert found["c"][5] == "25.0"


def test_bots_are_sorted_by_trueskill() -> None:
    run = mixed_run()
    standings = standings_of(run)
    assert standings.order == ["good", "fair", "weak", "absent"]
    assert list(rows(ranking_text(run))) == standings.order
    assert standings.rating("good") > standings.rating("fair") > standings.rating("weak")


def disagreeing_run() -> Run:
    """x won its game against a strong bot; y won three of four against a weak one, and so on."""
    rng = random.Random(0)
    for seed in range(200):
        rng = random.Random(seed)
        games = [game(i, i, "".join(rng.sample("abcd", 3)), (rng.randrange(3),)) for i in range(9)]
        run = Run(tuple("abcd"), tuple(games))
        if standings_of(run).disagreements():
            return run
    raise AssertionError("no such league was drawn")


def test_a_sentence_names_the_bots_that_the_two_measures_order_differently() -> None:
    run = disagreeing_run()
    standings = standings_of(run)
    (better, worse), *_ = standings.disagreements()
    assert standings.rating(better) >= standings.rating(worse)
    assert standings.points(better) < standings.points(worse)
    sentence = f"TrueSkill and Elo disagree: only TrueSkill has {better} above {worse}"
    assert sentence in ranking_text(run)
    assert "disagree" not in ranking_text(mixed_run())


def test_notes_are_at_the_foot_of_the_first_table() -> None:
    note = "crasher was disqualified after 3 faults: raised ZeroDivisionError: division by zero"
    text = ranking_text(replace(mixed_run(), notes=(note,)))
    first = " ".join(text.split("\n\n")[0].split())
    assert note in first
    assert first.index(note) < first.index("rank: by mean TrueSkill")
    empty = ranking_text(Run(("a",), (), notes=(note,)))
    assert empty.splitlines() == ["No games that count have been played yet.", note]


def test_a_run_with_one_game_has_a_table() -> None:
    text = ranking_text(Run(("a", "b"), (game(0, 0, "ab", (0,)),)))
    assert text.startswith("Standings, all player counts: 1 game, 1 deal\n")
    assert rows(text)["a"][:4] == ["1-2", "a", "29.87±13.95", "+144±?"]


def test_how_sure_the_points_of_a_bot_without_a_win_are_is_not_shown() -> None:
    world = World({**WORLD.strengths, "hopeless": -20.0}, shared=0.5)
    text = ranking_text(Run(tuple(world.strengths), tuple(league(world, 3, 20, random.Random(1)))))
    found = rows(text)
    assert [bot for bot, row in found.items() if row[3].endswith("±?")] == ["hopeless"]
    assert "±?: the deals do not show how sure this is: " in " ".join(text.split())


def test_markdown_shows_names_and_messages_as_they_are() -> None:
    """A bar in a name shifted the columns; a bot could put tags and links into a host's page."""
    message = 'it raised Oops: <img src="http://a.b/c"> [here](http://a.b) **now** \\'
    table = TextTable("Title", ["bot", "won"], [["a|b", "1"], ["*x*", "2"]], (message,))
    page = MarkdownIt("commonmark").enable("table").render(table.markdown())
    assert re.findall("<td>(.*?)</td>", page) == ["a|b", "1", "*x*", "2"]
    assert f"<p>{escape(message)}</p>" in page


def test_win_shares_by_player_count_follow_with_the_fair_share_in_the_header() -> None:
    text = ranking_text(mixed_run())
    second = text.split("\n\n")[1].splitlines()
    assert second[0] == "Won, %, by player count (fair share)"
    assert "at 2 (50.0)  at 3 (33.3)  at 4 (25.0)  at 5 (20.0)  at 6 (16.7)" in second[1]
    assert [line.split()[0] for line in second[3:7]] == ["good", "fair", "weak", "absent"]
    assert second[6].split()[1:] == ["-"] * 5
    at_two = Run(("a", "b"), (game(0, 0, "ab", (0,)),))
    assert "by player count" not in ranking_text(at_two)


@pytest.mark.parametrize("length", [3, 20, 60])
@pytest.mark.parametrize("deals", [1, 10])
def test_the_tables_fit_80_columns(length: int, deals: int) -> None:
    names = ["".join(letters).ljust(length, "x")[:length] for letters in permutations("abc")]
    world = World({name: 2.0 * i for i, name in enumerate(names)}, shared=0.2)
    games = [one for n in (2, 3) for one in league(world, n, deals, random.Random(n))]
    text = ranking_text(Run(tuple(names), numbered(games)))
    assert max(map(len, text.splitlines())) <= 80
    if length <= 20:
        for name in names:
            assert text.count(name) == 2  # in both tables, not cut


def test_long_names_are_cut_in_the_middle() -> None:
    assert short_name("greedy:depth=2") == "greedy:depth=2"
    cut = short_name("ismcts:iterations=20000,rollout=greedy")
    assert cut == "ismcts:it…out=greedy"
    assert len(cut) == 20
    assert short_name(WIDE[1]) == "日本語の…い方の設定"
    assert short_name("日本語のボット") == "日本語のボット"


WIDE = ("日本語のボット", "日本語のボット:強い方の設定", "plain")


@pytest.mark.parametrize("names", [WIDE, (*"abcdefghij",), [letter * 30 for letter in "abcdefgh"]])
@pytest.mark.parametrize("players", [None, 6])
def test_all_tables_fit_80_columns(names: Sequence[str], players: int | None) -> None:
    world = World({name: i / 10 for i, name in enumerate(names)}, nobody=-1.5, shared=0.2)
    run = Run(tuple(names), numbered([*few_games(world, 2), *few_games(world, 6)]))
    for table in tables(standings_of(run, players)):
        assert max(map(cells, table.text().splitlines())) <= 80, table.title


def few_games(world: World, players: int) -> list[GameRecord]:
    rng = random.Random(players)
    return rng.sample(league(world, players, 2, rng), 60 if players > 2 else 12)


def test_columns_that_do_not_fit_follow_below_with_the_names_again() -> None:
    heads = [f"column {i}" + 20 * "x" for i in range(4)]
    rows = [["first", "1", "", "", "4"], ["second", "", "2", "3", ""], ["third", "7", "8", "9", ""]]
    table = TextTable("Title", ["", *heads], rows, ("Foot.",))
    assert not table.fits()
    assert table.text().splitlines() == [
        "Title",
        f"        {heads[0]}  {heads[1]}",
        f"------  {'-' * 28}  {'-' * 28}",
        f"first   {'1':>28}",
        f"second  {'':28}  {'2':>28}",
        f"third   {'7':>28}  {'8':>28}",
        "",
        f"        {heads[2]}  {heads[3]}",
        f"------  {'-' * 28}  {'-' * 28}",
        f"first   {'':28}  {'4':>28}",
        f"second  {'3':>28}",
        f"third   {'9':>28}",
        "Foot.",
    ]
    assert table.markdown().count("column") == 4
    part = TextTable("Title", ["", *heads[:3]], [["one", "1", "2", ""], ["two", "", "", "3"]])
    assert part.text().split("\n\n")[1].splitlines()[2:] == [f"two  {'3':>28}"]


def test_ranks_and_points_as_text() -> None:
    assert [rank_text(ranks) for ranks in ((1, 1), (2, 5), None)] == ["1", "2-5", "-"]
    assert points_text(Estimate(12.4, -7.0, 31.0)) == "+12 ±19"
    assert points_text(Estimate(-0.6, float("-inf"), float("inf"))) == "-1 ±?"
    assert points_text(Estimate(311.0, 311.0, 311.2)) == "+311 ±?", "not sure at all"
    assert points_text(Estimate(0.0, 0.0, 0.0)) == "+0 ±0", "a bot that only played itself"
