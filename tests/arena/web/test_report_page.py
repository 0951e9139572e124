"""The report of a league: every number in it is one of `arena standings --json`."""

from __future__ import annotations

import os
import re
from collections import Counter
from html import unescape
from math import inf
from pathlib import Path
from typing import Any

import pytest

from arena.cli.main import run
from arena.league.config import league_from_json
from arena.league.journal import Journal
from arena.league.progress import planned_by_players, planned_games
from arena.league.start import run_league
from arena.stats.report import ordinal, standings_json
from arena.stats.run import Run
from arena.stats.standings import Standings, standings_of
from arena.web.charts import Whisker, whisker_chart
from arena.web.game_data import EVERYTHING, game_views
from arena.web.report_page import report_page
from arena.web.server import runs as server_runs
from tests.support.simulated_league import game

BOTS = ["greedy", "random", "random as <other>"]


@pytest.fixture(scope="module")
def run_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report") / "run.db"


@pytest.fixture(scope="module")
def standings(run_file: Path) -> Standings:
    league = league_from_json({"bots": BOTS, "players": [2, 3], "deals": 2, "workers": 1})
    return run_league(league, workers=1, run=run_file)


@pytest.fixture(scope="module")
def page(standings: Standings) -> str:
    return report_page("A league", standings, 99, [])


def test_progress_is_shown_by_player_count(standings: Standings, run_file: Path) -> None:
    with Journal.read(run_file) as journal:
        planned, total = planned_by_players(journal), planned_games(journal)
    assert sum(planned.values()) == total == len(standings.run.games)
    page = report_page("A league", standings, total, [], planned={**planned, 6: 30})
    played = Counter(record.players for record in standings.run.games)
    for players in (2, 3):
        assert f"{played[players]} of {planned[players]}</span>" in page
    assert "aria-label='Games played with 6 players'></progress><span>0 of 30" in page


def test_the_card_of_an_unfinished_league_has_the_leader_of_its_last_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_runs, "planned_games", lambda _journal: 99)
    league = league_from_json({"bots": ["greedy", "random"], "players": [2], "deals": 1})
    rating = run_league(league, workers=1, run=tmp_path / "run.db").rating("greedy")
    with Journal.write(tmp_path / "run.db", league) as journal:
        journal.save_ratings([])
    runs = server_runs.Runs(tmp_path)
    before = runs._facts("run")
    assert "Hidden Leaders, 2 players: 2 games so far" in before
    assert "TrueSkill" not in before
    runs._report("run")
    assert f"highest rating: greedy, TrueSkill {rating:.1f}" in runs._facts("run")


@pytest.mark.slow
def test_while_a_league_plays_the_curve_is_that_of_earlier_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To rate the games again and again would slow the league down."""
    monkeypatch.setattr(server_runs, "planned_games", lambda _journal: 99)
    monkeypatch.setattr(server_runs, "_REST", 0)
    runs = server_runs.Runs(tmp_path)

    def reported(deals: int, *bots: str) -> tuple[str, Standings]:
        league = league_from_json({"bots": [*bots], "players": [2], "deals": deals})
        standings = run_league(league, workers=1, run=tmp_path / "run.db")
        return runs._report("run")[1], standings

    page, first = reported(1, "greedy", "random")
    assert "TrueSkill over the games" not in page  # a point is no curve
    page, second = reported(3, "greedy", "random")
    numbers = section(page, "TrueSkill over the games")
    assert "<th scope='col'>2</th><th scope='col'>6</th>" in numbers
    for standings in (first, second):
        assert f"{standings.rating('greedy'):.2f}" in numbers
    page, _ = reported(3, "greedy", "random", "random as newcomer")
    assert "TrueSkill over the games" not in page


def section(page: str, title: str) -> str:
    """The part of the page under a heading that begins like this."""
    (found,) = re.findall(rf"<section><h2>{re.escape(title)}.*?</section>", page, re.DOTALL)
    return str(found)


def dots(text: str) -> dict[str, dict[str, float]]:
    """The dots of a chart by name, with their values and intervals."""
    found = re.findall(r'<circle class="dot"[^>]*? data-name="([^"]*)"([^>]*)>', text)
    return {
        unescape(name): {key: float(n) for key, n in re.findall(r'data-(\w+)="([^"]*)"', rest)}
        for name, rest in found
    }


def same(dot: dict[str, float], number: Any, names: tuple[str, str, str], scale: float) -> None:
    for key, name in zip(("value", "low", "high"), names, strict=True):
        if number[name] is None:  # infinite
            assert key not in dot
        else:
            assert dot[key] == pytest.approx(scale * number[name], abs=scale * 0.0011)


ESTIMATE = ("value", "low", "high")
RATE = ("share", "low", "high")


def test_strengths_are_those_of_the_standings(page: str, standings: Standings) -> None:
    data: Any = standings_json(standings)
    drawn = dots(section(page, "Strength"))
    assert len(drawn) == len(BOTS)
    for bot in data["standings"]:
        same(drawn[bot["bot"]], bot["strength"], ESTIMATE, 1)


def test_shares_are_those_of_the_standings(page: str, standings: Standings) -> None:
    data: Any = standings_json(standings)
    figures = re.findall(r"<figure>.*?</figure>", section(page, "Seats won"), re.DOTALL)
    assert len(figures) == 2
    for count, figure in zip(("2", "3"), figures, strict=True):
        for bot in data["standings"]:
            same(dots(figure)[bot["bot"]], bot["won"][count], RATE, 100)


def test_effects_and_times_are_those_of_the_standings(page: str, standings: Standings) -> None:
    data: Any = standings_json(standings)
    for title, key, name in (
        ("Turn order", "turn_order", lambda place: f"{ordinal(int(place))} to move"),
        ("Leaders", "leaders", str),
    ):
        figures = re.findall(r"<figure>.*?</figure>", section(page, title), re.DOTALL)
        for count, figure in zip(("2", "3"), figures, strict=True):
            drawn = dots(figure)
            assert len(drawn) == len(data[key][count])
            for term, estimate in data[key][count].items():
                same(drawn[name(term)], estimate, ESTIMATE, 1)
    drawn = dots(section(page, "Thinking time"))
    for bot in data["standings"]:
        assert drawn[bot["bot"]]["value"] == pytest.approx(1000 * bot["effort"]["seconds"])
        assert drawn[bot["bot"]]["high"] == pytest.approx(1000 * bot["effort"]["slowest"])


def test_the_headline_table_is_that_of_the_standings(page: str, standings: Standings) -> None:
    data: Any = standings_json(standings)
    rows = re.findall(r"<tr>(.*?)</tr>", section(page, "Standings"), re.DOTALL)[1:]
    for bot, row in zip(data["standings"], rows, strict=True):
        cells = [unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        assert cells[1] == bot["bot"]
        assert cells[2].startswith(f"{bot['trueskill']['mu']:.2f} ±")
        assert cells[3].startswith(f"{bot['strength']['value']:+.0f}")
        assert cells[4] == f"{100 * bot['won']['all']['share']:.1f}"
        assert [int(cell) for cell in cells[6:]] == [bot["games"], bot["seats"], bot["faults"]]
    assert f"{len(standings.run.games)} of 99 games played" in page


@pytest.mark.parametrize(
    ("wins", "deals", "says"),
    [
        ("a", 12, "strongest: with 95 % confidence, its rank is 1."),
        ("a", 2, "but the deals do not show how sure that is."),
        ("aaaaaab", 84, "strongest: its 95 % interval lies above that of <strong>b</strong>."),
        ("aab", 6, "but their 95 % intervals overlap."),
    ],
)
def test_the_headline_claims_no_more_than_the_games_show(wins: str, deals: int, says: str) -> None:
    seats = ["ab" if i % 2 else "ba" for i in range(deals)]
    games = [
        game(i, i, table, (table.index(wins[i % len(wins)]),)) for i, table in enumerate(seats)
    ]
    page = report_page("A league", standings_of(Run(("a", "b"), tuple(games))), deals, [])
    assert f"<p class='headline'><strong>a</strong> is {says}" in page.replace(
        "ahead of <strong>b</strong>, ", ""
    )
    assert ("A line from edge to edge" in page) == (wins == "a")


def test_numbers_at_the_pointer_are_rounded() -> None:
    whiskers = [Whisker("x", 61.77844, 27.6241, 95.9317), Whisker("y", -563.97, -1200.4, inf)]
    chart = whisker_chart("A chart", [*whiskers, Whisker("z", 99.97, 0.01234, 5.0)], 0, " %")
    assert re.findall("<title>(.*?)</title>", chart) == [
        "x: 61.8 % (27.6 to 95.9)",
        "y: -564 % (-1200 to ?)",
        "z: 100 % (0.0123 to 5)",
    ]


def test_cells_of_the_cross_table_are_shaded_only_where_they_are_significant(
    page: str, standings: Standings
) -> None:
    data: Any = standings_json(standings)
    rows = re.findall(r"<tr>(.*?)</tr>", section(page, "Cross table"), re.DOTALL)[1:]
    for left, row in zip(standings.order, rows, strict=True):
        cells = re.findall(r"<td([^>]*)>(.*?)</td>", row)
        for right, (kind, text) in zip(standings.order, cells, strict=True):
            rate = data["cross"].get(left, {}).get(right)
            if rate is None or not rate["seen"]:
                assert not text
                continue
            assert text.startswith(f"{100 * rate['share']:.1f} ")
            assert ("ahead" in kind) == (rate["low"] > 0.5)
            assert ("behind" in kind) == (rate["high"] < 0.5)


@pytest.mark.slow
def test_pages_of_games_are_the_same_from_any_number_of_processes(
    standings: Standings, run_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(standings.run.games) >= 16  # enough for two
    pages = {}
    for cores in (1, 2):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        out = tmp_path / str(cores) / "50 % done.html"
        out.parent.mkdir()
        assert run(["report", str(run_file), "--games", "--out", str(out)]) == 0
        pages[cores] = {
            file.name: file.read_bytes() for file in sorted(out.parent.glob(f"{out.stem}-games/*"))
        }
    assert len(pages[1]) == len(standings.run.games)
    assert pages[1] == pages[2]
    assert b'href="../50%20%25%20done.html"' in pages[1]["3.html"]
    assert "href='50%20%25%20done-games/3.html'" in out.read_text(encoding="utf-8")


def test_games_inside_the_page_are_linked(standings: Standings, run_file: Path) -> None:
    with Journal.read(run_file) as journal:
        saved = {each.record.number: each for each in journal.games()}
    games = {
        number: game_views(each.replay, "here", "", [EVERYTHING])
        for number, each in list(saved.items())[:2]
    }
    page = report_page("A league", standings, 99, [], inside=games)
    assert re.findall(r"<script[^>]* data-game=\"(\d+)\"", page) == [str(n) for n in games]
    assert re.findall(r"href='#game=(\d+)'", page) == [str(n) for n in games]
