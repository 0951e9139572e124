"""arena standings: tables, JSON, CSV and Markdown that agree, with legends."""

import csv
import json
import random
from dataclasses import replace
from math import isfinite
from pathlib import Path

import pytest

from arena.lab.selftest import SIMULATIONS
from arena.league.read_run import write_run
from arena.stats.game_record import TimeSpent
from arena.stats.plackett_luce import BOOTSTRAP_SAMPLES, BOT_PRIOR, PLACE_PRIOR, POINTS, fit
from arena.stats.run import Run
from arena.stats.sequential_test import SequentialTest
from arena.stats.trueskill_ratings import rate_games
from tests.support.command_line import RunArena, check_refusal
from tests.support.paths import ROOT
from tests.support.simulated_league import World, league

WORLD = World({"weak": -1.0, "fair": 0.0, "good": 1.0}, nobody=-1.5, shared=0.5)


@pytest.fixture(scope="module")
def run() -> Run:
    drawn = [game for n in (2, 4) for game in league(WORLD, n, 8, random.Random(n))]
    games = [replace(game, number=i) for i, game in enumerate(drawn)]
    games[3] = replace(games[3], winners=(), faulty=0)
    spent = [TimeSpent(game.number, 0, 20, 0.02, 0.004) for game in games]
    return Run((*WORLD.strengths, "absent"), tuple(games), tuple(spent))


@pytest.fixture(scope="module")
def path(run: Run, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("standings") / "results.jsonl"
    file.write_text(write_run(run))
    return str(file)


def rows(arena: RunArena, *arguments: str) -> list[dict[str, str]]:
    return list(csv.DictReader(arena("standings", *arguments, "--csv").lines))


@pytest.mark.slow
def test_tables_show_the_strongest_first_and_explain_their_numbers(
    path: str, arena: RunArena
) -> None:
    outcome = arena("standings", path)
    lines = outcome.lines
    assert lines[0].startswith("Standings, all player counts: ")
    assert [line.split()[1] for line in lines[3:7]] == ["good", "fair", "weak", "absent"]
    for words in (
        "at 2 (50.0)  at 4 (25.0)",
        "Chance of superiority, %",
        "Cross table, % ahead",
        "the bot on the left",
        "Turn order",
        "1st to move",
        "4th to move",
        "Leaders",
        "Cedar",
        "Mean length of games",
        "nobody won, %",
        "ms/decision",
        "faults",
        "95 % confidence interval over deals",
        "bootstrap samples of the deals",
        "(+400 = 10:1 odds)",
        "all true ranks are in these ranges",
    ):
        assert words in outcome.out


def test_one_player_count_shows_places_and_leaders_of_every_bot(path: str, arena: RunArena) -> None:
    text = arena("standings", path, "--players", "4").out
    assert text.startswith("Standings, 4 players: ")
    assert text.count("good, won %") == 4  # places and leaders, each in two parts
    assert "by player count" not in text
    assert "2 players" not in text


@pytest.mark.slow
def test_json_has_the_numbers_of_ratings_and_fit(path: str, run: Run, arena: RunArena) -> None:
    output = json.loads(arena("standings", path, "--json").out)
    skills = rate_games(run.games, run.bots).skills
    strengths = fit(run.games, run.bots)
    for row in output["standings"]:
        skill, seats = skills[row["bot"]], [game.seats.count(row["bot"]) for game in run.games]
        assert row["seats"] == sum(seats)
        assert row["games"] == sum(map(bool, seats))
        assert row["trueskill"] == {"mu": skill.mu, "sigma": skill.sigma}
        strength = vars(strengths.bots[row["bot"]])
        for name, value in row["strength"].items():
            expected = strength[name] if isfinite(strength[name]) else None
            assert value == (expected and pytest.approx(expected, abs=1e-3))
    assert output["standings"][-1]["strength"] == {"value": 0.0, "low": None, "high": None}
    assert output["superior"]["good"]["weak"] == strengths.superior["good", "weak"]
    assert output["cross"]["good"]["weak"]["share"] > 0.5
    assert output["won_by_turn_order"][""]["4"]["3"]["seen"] == output["lengths"]["4"]["games"]
    assert sum(row["faults"] for row in output["standings"]) == 1
    assert output["standings"][0]["effort"]["seconds"] == pytest.approx(0.001)
    assert output["legend"]
    assert (output["format"], output["version"]) == ("arena-standings", 1)
    ranks = [row["rank"] for row in output["standings"]]
    assert ranks[0]["best"] == 1
    assert ranks[-1] == {"best": None, "worst": None}
    assert output["standings"][0]["won"]["all"]["share"] > output["standings"][0]["fair"]


@pytest.mark.slow
def test_csv_has_a_line_for_each_bot_and_player_count(path: str, arena: RunArena) -> None:
    every = rows(arena, path)
    assert [row["players"] for row in every] == ["all"] * 4 + ["2"] * 4 + ["4"] * 4
    at_four = [row for row in every if row["players"] == "4"]
    good = next(row for row in at_four if row["bot"] == "good")
    assert float(good["won_low"]) < float(good["won"]) < float(good["won_high"])
    assert at_four == rows(arena, path, "--players", "4")


def test_markdown_has_a_heading_and_a_table_for_each(path: str, arena: RunArena) -> None:
    text = arena("standings", path, "--markdown").out
    assert text.count("\n## ") + text.startswith("## ") == 8
    assert "| 1 " in text
    assert "| good" in text


def test_a_single_deal_has_no_confidence_interval(tmp_path: Path, arena: RunArena) -> None:
    games = tuple(league(WORLD, 3, 1, random.Random(1)))
    file = tmp_path / "one.jsonl"
    file.write_text(write_run(Run(tuple(WORLD.strengths), games)))
    assert " ±?" in arena("standings", str(file)).out.splitlines()[3]
    output = json.loads(arena("standings", str(file), "--json").out)
    assert output["standings"][0]["strength"]["low"] is None
    assert rows(arena, str(file))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--players", "3"], "there are no games with 3 players, only with 2, 4"),
        (["--players", "1"], "1 is not in the range"),
        (["--json", "--csv"], "use only one of --json, --csv and --markdown"),
    ],
)
def test_invalid_input_is_one_sentence_and_exit_code_2(
    path: str, arena: RunArena, arguments: list[str], complaint: str
) -> None:
    check_refusal(arena("standings", path, *arguments, code=2), complaint)


def test_a_run_without_games_is_refused(tmp_path: Path, arena: RunArena) -> None:
    file = tmp_path / "none.jsonl"
    file.write_text(write_run(Run(("a",), ())))
    refusal = arena("standings", str(file), code=2)
    check_refusal(refusal, "no games have been played yet")
    check_refusal(arena("standings", f"{tmp_path}/nowhere.jsonl", code=2), "nowhere.jsonl")


def test_docs_ratings_states_the_constants_in_use() -> None:
    page = (ROOT / "docs" / "ratings.md").read_text(encoding="utf-8")
    words = " ".join(page.split())
    assert f"{BOOTSTRAP_SAMPLES:,} bootstrap samples" in words
    assert f"{SIMULATIONS:,} simulated comparisons" in words
    assert f"{BOT_PRIOR * POINTS:.0f} points for bots and {PLACE_PRIOR * POINTS:.0f} for" in words
    assert f"reaches {2 / SequentialTest().risk:.0f} times its initial value" in words
