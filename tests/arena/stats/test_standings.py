"""arena standings: tables, JSON, CSV and Markdown that agree and say what they mean."""

import csv
import io
import json
import random
from math import isfinite
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.lab.selftest import SIMULATIONS
from arena.league.read_run import write_run
from arena.stats.game_record import Played, Spent
from arena.stats.plackett_luce import BOT_PRIOR, DRAWS, PLACE_PRIOR, POINTS, fit
from arena.stats.run import Run
from arena.stats.sequential_test import Comparison
from arena.stats.trueskill_ratings import rate
from tests.support.paths import ROOT
from tests.support.simulated_league import World, league

Capture = pytest.CaptureFixture[str]
WORLD = World({"weak": -1.0, "fair": 0.0, "good": 1.0}, nobody=-1.5, shared=0.5)


@pytest.fixture
def run() -> Run:
    drawn = [one for n in (2, 4) for one in league(WORLD, n, 8, random.Random(n))]
    games = [Played(**{**vars(one), "number": i}) for i, one in enumerate(drawn)]
    games[3] = Played(**{**vars(games[3]), "winners": (), "faulty": 0})
    spent = [Spent(one.number, 0, 20, 0.02, 0.004) for one in games]
    return Run((*WORLD.strengths, "absent"), tuple(games), tuple(spent))


@pytest.fixture
def path(run: Run, tmp_path: Path) -> str:
    file = tmp_path / "results.jsonl"
    file.write_text(write_run(run))
    return str(file)


def said(capsys: Capture, *arguments: str) -> str:
    assert cli.run(["standings", *arguments]) == 0
    return capsys.readouterr().out


def test_tables_show_the_strongest_first_and_say_what_numbers_mean(
    path: str, capsys: Capture
) -> None:
    text = said(capsys, path)
    lines = text.splitlines()
    assert lines[0].startswith("Standings, all player counts: ")
    assert [line.split()[1] for line in lines[3:7]] == ["good", "fair", "weak", "absent"]
    assert "won at 2, %" in lines[1]
    assert "won at 4, %" in lines[1]
    for words in (
        "Chance of superiority, %",
        "Cross table, % ahead",
        "Seen from the bot at the left",
        "Turn order",
        "begins",
        "3 later",
        "Leaders",
        "Cedar",
        "Length of games",
        "nobody won, %",
        "ms a decision",
        "faults",
        "95 % interval over deals",
        "bootstrap over deals",
        "plus-minus 1.96 standard deviations",
    ):
        assert words in text


def test_one_player_count_shows_places_and_leaders_of_every_bot(path: str, capsys: Capture) -> None:
    text = said(capsys, path, "--players", "4")
    assert text.startswith("Standings, 4 players: ")
    assert text.count("good, won %") == 2
    assert "won at 2, %" not in text
    assert "2 players" not in text


def test_json_holds_the_numbers_of_ratings_and_fit(path: str, run: Run, capsys: Capture) -> None:
    told = json.loads(said(capsys, path, "--json"))
    skills = rate(run.games, run.bots).skills
    strengths = fit(run.games, run.bots)
    for row in told["standings"]:
        skill = skills[row["bot"]]
        assert row["trueskill"] == {"mu": skill.mu, "sigma": skill.sigma}
        strength = vars(strengths.bots[row["bot"]])
        for name, told_of in row["strength"].items():
            found = strength[name] if isfinite(strength[name]) else None
            assert told_of == (found if found is None else pytest.approx(found, abs=1e-3))
    assert told["standings"][-1]["strength"] == {"value": 0.0, "low": None, "high": None}
    assert told["superior"]["good"]["weak"] == strengths.superior["good", "weak"]
    assert told["cross"]["good"]["weak"]["share"] > 0.5
    assert told["won_by_turn_order"][""]["4"]["3"]["seen"] == told["lengths"]["4"]["games"]
    assert sum(row["faults"] for row in told["standings"]) == 1
    assert told["standings"][0]["effort"]["seconds"] == pytest.approx(0.001)
    assert told["legend"]


def test_csv_has_a_line_for_each_bot_and_player_count(path: str, capsys: Capture) -> None:
    rows = list(csv.DictReader(io.StringIO(said(capsys, path, "--csv"))))
    assert [row["players"] for row in rows] == ["all"] * 4 + ["2"] * 4 + ["4"] * 4
    good = next(row for row in rows if row["bot"] == "good" and row["players"] == "4")
    assert float(good["won_low"]) < float(good["won"]) < float(good["won_high"])
    single = list(csv.DictReader(io.StringIO(said(capsys, path, "--csv", "--players", "4"))))
    assert [row for row in rows if row["players"] == "4"] == single


def test_markdown_has_a_heading_and_a_table_for_each(path: str, capsys: Capture) -> None:
    text = said(capsys, path, "--markdown")
    assert text.count("\n## ") + text.startswith("## ") == 7
    assert "| 1  | good" in text


def test_a_single_deal_says_nothing_about_how_sure_it_is(tmp_path: Path, capsys: Capture) -> None:
    games = tuple(league(WORLD, 3, 1, random.Random(1)))
    file = tmp_path / "one.jsonl"
    file.write_text(write_run(Run(tuple(WORLD.strengths), games)))
    assert "(? to ?)" in said(capsys, str(file))
    strength = json.loads(said(capsys, str(file), "--json"))["standings"][0]["strength"]
    assert strength["low"] is None
    assert list(csv.DictReader(io.StringIO(said(capsys, str(file), "--csv"))))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--players", "3"], "no games with 3 players (player counts there are: 2, 4)"),
        (["--players", "1"], "1 is not in the range"),
        (["--json", "--csv"], "use only one of --json, --csv and --markdown"),
    ],
)
def test_mistakes_get_one_sentence_and_code_2(
    path: str, capsys: Capture, arguments: list[str], complaint: str
) -> None:
    assert cli.run(["standings", path, *arguments]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_a_run_without_games_is_refused(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "none.jsonl"
    file.write_text(write_run(Run(("a",), ())))
    assert cli.run(["standings", str(file)]) == 2
    assert "no game has been played yet" in capsys.readouterr().err
    assert cli.run(["standings", str(tmp_path / "nowhere.jsonl")]) == 2
    assert "nowhere.jsonl" in capsys.readouterr().err


def test_the_page_on_ratings_states_the_numbers_that_are_used() -> None:
    page = (ROOT / "docs" / "ratings.md").read_text(encoding="utf-8")
    words = " ".join(page.split())
    assert f"{DRAWS:,} leagues" in words
    assert f"{SIMULATIONS:,} comparisons simulated" in words
    assert f"{BOT_PRIOR * POINTS:.0f} points wide for bots, {PLACE_PRIOR * POINTS:.0f} for" in words
    assert f"holds {2 / Comparison().risk:.0f} times its start" in words
