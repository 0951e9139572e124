"""Pages in a real browser: they open from a file, work by keyboard, and fit a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.league.config import league_from_json
from arena.league.start import run_league
from arena.match.api import play_game
from arena.web.game_data import EVERYTHING, game_views
from arena.web.report_page import report_page
from arena.web.view_page import view_page
from games.replay import Replay
from tests.arena.web.test_server import Served
from tests.support.browser import (
    PATIENCE,
    accessibility_problems,
    needs_browser,
    open_page,
    page_problems,
)
from tests.support.volume import volume

pytestmark = [needs_browser, pytest.mark.slow]
PAPER = 718
"""Pixels between the margins of a sheet of A4."""
LONG_NAME = "a-bot-with-a-name-of-forty-characters-xx"


@pytest.fixture(scope="module")
def replay() -> Replay:
    played = play_game(["ismcts:iterations=30", *["greedy"] * 5], seed=5).replay
    played.extra["seats"][3] = LONG_NAME  # type: ignore[index]
    return played


@pytest.fixture(scope="module")
def small_replay() -> Replay:
    return play_game(["greedy", "greedy"], seed=5).replay


@pytest.fixture(scope="module")
def game_page(replay: Replay, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("pages") / "game.html"
    file.write_text(view_page(replay, "a game"), encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def game_tab(shared_browser: Browser, game_page: str) -> Page:
    """A page with the game that stays open; tests go to a place in it first."""
    page = open_page(shared_browser, game_page).page
    page.wait_for_selector("#board .seat")
    return page


def test_a_game_opens_with_one_request_and_no_message(chromium: Browser, game_page: str) -> None:
    watched = open_page(chromium, game_page)
    watched.page.wait_for_selector("#board .seat")
    assert watched.requests == [game_page]
    assert watched.messages == []
    assert watched.page.locator(".seat").count() == 6


def test_keys_slider_and_address_move_through_the_game(
    game_tab: Page, game_page: str, replay: Replay
) -> None:
    page = game_tab
    page.goto(f"{game_page}#at=9&view=B")
    status = page.locator("#status")
    expect(status).to_contain_text("Move 9 of ")
    page.keyboard.press("ArrowRight")
    assert status.inner_text().startswith("Move 10 of ")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.url.endswith("#at=8&view=B")
    page.keyboard.press("Shift+ArrowRight")
    turn = page.locator("#headline").inner_text()
    page.keyboard.press("Shift+ArrowRight")
    assert page.locator("#headline").inner_text() != turn
    page.keyboard.press("End")
    assert "Winner" in status.inner_text()
    page.keyboard.press("Home")
    assert "Before the first" in status.inner_text()
    page.locator("#slider").fill("20")
    assert status.inner_text().startswith("Move 20 of ")
    page.get_by_role("button", name="everything").click()
    assert page.url.endswith("#at=20&view=all")
    assert page.locator("#moves button").count() == sum(1 for _ in _choices(replay))


def _choices(replay: Replay) -> Iterator[int]:
    state = replay.new()
    for move in replay.moves:
        if state.actor >= 0:
            yield move
        state.play(move)


def test_the_space_bar_plays_and_a_link_jumps(game_tab: Page, game_page: str) -> None:
    page = game_tab
    page.goto(f"{game_page}#at=0&view=all")
    page.evaluate("document.activeElement.blur()")  # the space bar would press a button
    status = page.locator("#status")
    expect(status).to_contain_text("Before the first")
    page.keyboard.press(" ")
    expect(status).to_contain_text("Move 2 ", timeout=PATIENCE)
    page.keyboard.press(" ")
    page.evaluate("location.hash = '#at=33&view=C'")
    expect(status).to_contain_text("Move 33 ", timeout=PATIENCE)
    page.evaluate("location.hash = '#at=nonsense&view=Z'")
    assert page.locator("#status").inner_text().startswith("Move 33 ")


def test_a_card_explains_itself_to_pointer_and_keyboard(game_tab: Page, game_page: str) -> None:
    page = game_tab
    page.goto(f"{game_page}#at=20&view=all")
    expect(page.locator("#status")).to_contain_text("Move 20 ")
    card = page.locator("#board button.card").first
    card.focus()
    tip = page.locator(".tip")
    name = card.locator(".name").inner_text()
    assert name in tip.inner_text()
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    card.hover()
    assert name in tip.inner_text()


def test_a_spectator_and_curves_are_on_the_page(game_tab: Page, game_page: str) -> None:
    page = game_tab
    page.goto(f"{game_page}#at=40&view=all")
    expect(page.locator("#status")).to_contain_text("Move 40 ")
    assert page.locator("#board .card.back.stack b").first.inner_text().isdigit()
    page.get_by_role("button", name="as A").click()
    height = "card => card.offsetHeight"
    assert page.locator(".seat .card.back").first.evaluate(height) == 36
    assert page.locator("#curves figure svg").count() == 1 + 5  # one bot speaks of five others
    assert page.locator("#ticks line.tick").count() > 10
    page.get_by_role("button", name="spectator").click()
    assert page.url.endswith("#at=40&view=public")
    assert page.locator(".seat .role").all_inner_texts() == ["leader ?"] * 6
    box = page.locator("#estimates svg").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 5)
    assert "Winner" in page.locator("#status").inner_text()


def test_curves_of_several_players_can_be_told_apart(chromium: Browser, tmp_path: Path) -> None:
    replay = play_game(["ismcts:iterations=20"] * 4, seed=2).replay
    file = tmp_path / "speakers.html"
    file.write_text(view_page(replay, "a game of speakers"), encoding="utf-8")
    page = open_page(chromium, f"{file.as_uri()}#at=30").page
    page.wait_for_selector("#board .seat")
    own = page.locator("#curves figure:has(.rest)")
    assert own.count() == 4
    assert own.locator(".line:not(.rest)").count() == 4
    assert own.locator(".line.rest").count() == 4 * 3
    decides = int(page.locator(".seat.decides").get_attribute("data-seat") or "")
    strong = page.locator("#estimates .line.strong")
    expect(strong).to_have_class(f"line line{decides} strong")
    assert strong.evaluate("line => line === line.parentNode.lastChild")
    for ends in page.locator("#curves .ends").all():
        tops = ends.locator(".key").evaluate_all(
            "keys => keys.map(key => key.getBoundingClientRect().top)"
        )
        assert len(tops) == 3
        assert all(below - above >= 14 for above, below in pairwise(sorted(tops)))
    page.get_by_role("button", name="as B").click()
    expect(page.locator("#curves")).to_be_hidden()  # they name roles that B does not know
    lines = page.locator("#estimates .line:not([hidden])")
    expect(lines).to_have_count(1)
    expect(lines).to_have_class(re.compile(r"\bline1\b"))
    page.get_by_role("button", name="everything").click()
    expect(page.locator("#curves")).to_be_visible()
    expect(lines).to_have_count(4)


def test_a_review_marks_moves_and_says_what_was_better(
    chromium: Browser, small_replay: Replay, tmp_path: Path
) -> None:
    decision = {"at": 30, "seat": "A", "value": 0.25, "best": 0.75, "mark": "??", "exact": True}
    decision |= {"better": [{"move": "play X"}], "line": ["A: play X", "B: do nothing"]}
    review = {"format": "arena-review", "version": 1, "verdict": "A lost it.", "lost_at": 30}
    page_text = view_page(small_replay, "a game", review={**review, "decisions": [decision]})
    file = tmp_path / "reviewed.html"
    file.write_text(page_text, encoding="utf-8")
    page = open_page(chromium, f"{file.as_uri()}#at=3").page
    page.get_by_role("button", name="Go to move 30").click()
    verdict = page.locator("#verdict").inner_text()
    assert "?? A had 75% and kept 25%. Better: play X. Then: B: do nothing." in verdict
    assert "lost here" in page.locator('#moves [aria-current="true"]').inner_text()
    assert page.locator("#ticks .at-mark").inner_text() == "??"
    assert accessibility_problems(page) == []


def test_guesses_and_chances_stay_inside_the_panel_of_their_seat(
    chromium: Browser, tmp_path: Path
) -> None:
    bots = ["ismcts:iterations=60", *["random"] * 4]
    replay = play_game(bots, seed=1, game="secrets").replay
    rated = {"value": 0.4, "best": 0.4, "mark": "", "exact": False, "better": [], "line": []}
    decisions = [{"at": at, "seat": seat, **rated} for at, seat in enumerate("ABCDE", 1)]
    review = {"format": "arena-review", "version": 1, "verdict": "", "lost_at": None}
    review["decisions"] = decisions
    file = tmp_path / "secrets.html"
    file.write_text(view_page(replay, "a game", review=review), encoding="utf-8")
    page = open_page(chromium, f"{file.as_uri()}#at=25&view=all").page
    page.wait_for_selector(".seat .belief")
    for width in (1300, 1280, 1000, 420):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(WIDER_THAN_ITS_SEAT) == []


WIDER_THAN_ITS_SEAT = """() => [...document.querySelectorAll(".seat .believed")].filter((each) =>
  each.lastChild.getBoundingClientRect().right > each.closest(".seat").getBoundingClientRect().right
).map((each) => each.title)"""


def test_a_long_touch_asks_about_a_card_and_chooses_nothing(game_tab: Page, game_page: str) -> None:
    page = game_tab
    page.goto(f"{game_page}#at=20&view=all")
    expect(page.locator("#status")).to_contain_text("Move 20 ")
    page.mouse.move(0, 0)  # a card that lies under it by chance would show its tip
    page.keyboard.press("Escape")
    expect(page.locator(".tip")).to_be_hidden()
    page.evaluate(
        """() => {
          const card = document.querySelector("#board button.card");
          window.chosen = 0;
          card.addEventListener("click", () => { window.chosen += 1; });
          const touch = { bubbles: true, pointerType: "touch" };
          card.dispatchEvent(new PointerEvent("pointerdown", touch));
        }"""
    )
    expect(page.locator(".tip")).to_be_visible(timeout=PATIENCE)
    page.evaluate("document.querySelector('#board button.card').click()")
    assert page.evaluate("window.chosen") == 0
    page.evaluate("document.querySelector('#board button.card').click()")
    assert page.evaluate("window.chosen") == 1


def test_without_scripts_the_moves_can_be_read(chromium: Browser, game_page: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(game_page)
    assert "Winner after" in page.inner_text("body")
    context.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    bots = ["greedy", "random", f"random as {LONG_NAME}"]
    league = league_from_json({"bots": bots, "players": [2, 3], "deals": 2, "workers": 1})
    standings = run_league(league, workers=1, run=folder / "run.db")
    file = folder / "report.html"
    games = len(standings.run.games)
    page = report_page("A league", standings, games, ["game 3: x crashed (exception)"])
    file.write_text(page, encoding="utf-8")
    return file.as_uri()


def test_a_report_shows_every_number_of_the_standings(chromium: Browser, report: str) -> None:
    watched = open_page(chromium, report)
    assert watched.requests == [report]
    assert watched.messages == []
    text = watched.page.inner_text("main")
    assert "Strength, Elo points" in text
    assert "game 3: x crashed" in text
    assert watched.page.locator("svg.chart").count() >= 4


def test_a_printed_report_is_dark_on_white_with_whole_tables(
    chromium: Browser, report: str
) -> None:
    page = open_page(chromium, report, PAPER, dark=True).page
    page.emulate_media(media="print", color_scheme="dark")
    body = page.locator("body")
    expect(body).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(body).to_have_css("color", "rgb(29, 29, 31)")
    widths = page.locator(".scroll table").evaluate_all(
        "tables => tables.map(table => Math.round(table.getBoundingClientRect().right))"
    )
    assert widths
    assert max(widths) <= PAPER


def test_in_a_low_window_the_controls_leave_the_table_in_view(game_tab: Page) -> None:
    """Such as a laptop at a zoom of 200 and of 400 %."""
    controls = game_tab.locator("#controls")
    game_tab.set_viewport_size({"width": 683, "height": 384})
    assert controls.evaluate("node => node.offsetHeight") < 384 / 5
    expect(game_tab.locator("#slider")).to_be_in_viewport()
    game_tab.set_viewport_size({"width": 342, "height": 192})
    expect(controls).to_have_css("position", "static")
    game_tab.set_viewport_size({"width": 1280, "height": 900})
    expect(controls).to_have_css("position", "fixed")


def test_a_game_inside_a_report_opens_and_closes(
    chromium: Browser, small_replay: Replay, tmp_path: Path
) -> None:
    league = league_from_json({"bots": ["random", "greedy"], "players": [2], "deals": 2})
    standings = run_league(league, workers=1, run=tmp_path / "run.db")
    games = {
        number: game_views(small_replay, f"game {number}", "", [EVERYTHING]) for number in (1, 2)
    }
    file = tmp_path / "inside.html"
    file.write_text(report_page("A league", standings, 4, [], inside=games), encoding="utf-8")
    watched = open_page(chromium, file.as_uri())
    page = watched.page
    page.locator("summary", has_text="All 4 games").click()
    page.locator("#filter").fill("no such bot")
    assert page.locator("table.games tbody tr:visible").count() == 0
    page.locator("#filter").fill("greedy RANDOM")
    assert page.locator("#found").inner_text() == "4 games"
    page.get_by_role("link", name="2", exact=True).click()
    page.wait_for_selector("#board .seat")
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("#game=2&at=1&view=all")
    page.get_by_role("link", name="Report").click()
    expect(page.locator("#whole-report")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="1", exact=True).click()
    expect(page.locator("header.game")).to_contain_text("game 1", timeout=PATIENCE)
    assert accessibility_problems(page) == []
    assert watched.requests == [file.as_uri()]
    assert watched.messages == []


@pytest.mark.parametrize("which", ["game_page", "report"])
def test_pages_are_accessible_and_never_scroll_sideways(
    chromium: Browser, which: str, request: pytest.FixtureRequest
) -> None:
    page = open_page(chromium, request.getfixturevalue(which)).page
    page.wait_for_selector("h1")
    assert page_problems(page) == []


# ---- the server -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("runs"))
    yield server
    server.close()


COUNTS = """() => ["button.choice", "#story p"].map(
  (each) => document.querySelectorAll(each).length)"""
HAS_MOVED = """(told) => document.querySelectorAll("#story p").length > told
  && !document.querySelector(".choice:disabled")"""


SHORT_GAMES = [("hidden-leaders", 6, 0), ("secrets", 4, 35), ("hidden-leaders", 2, 42)]


@pytest.mark.parametrize(("name", "players", "seed"), SHORT_GAMES[: 1 + volume(2)])
def test_a_person_plays_a_whole_game(
    chromium: Browser, served: Served, name: str, players: int, seed: int
) -> None:
    watched = open_page(chromium, f"{served.address}play")
    page = watched.page
    page.get_by_label("Game").select_option(name)
    page.get_by_label("Players").fill(str(players))
    page.get_by_label("Opponents").select_option("greedy")
    page.get_by_label("Seed").fill(str(seed))
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".choice")
    assert accessibility_problems(page) == []
    for turn in range(400):
        choices, told = page.evaluate(COUNTS)
        if not choices:
            break
        chosen = turn % choices
        if turn % 5 and chosen < 9:
            page.keyboard.press(str(chosen + 1))
        else:
            page.locator(".choice").nth(chosen).click()
        page.wait_for_function(HAS_MOVED, arg=told)
    assert page.get_by_role("link", name="Play again").is_visible()
    assert page.locator("#status").inner_text().startswith(("You ", "Nobody "))
    page.get_by_role("button", name="Review the game").click()
    page.wait_for_url("**/view**")
    page.wait_for_selector("#board .seat")
    assert watched.messages == []


def test_the_number_of_players_follows_the_game(chromium: Browser, served: Served) -> None:
    page = open_page(chromium, f"{served.address}play").page
    players = page.get_by_label("Players")
    expect(players).to_have_attribute("max", "6")
    expect(players).to_have_value("3")
    expect(page.get_by_text("Players, 2 to 6")).to_be_visible()
    assert page.get_by_label("Opponents").locator("option").all_inner_texts()[:2] == [
        "greedy",
        "champion, level 1 (easiest)",
    ]
    page.get_by_label("Game").select_option("secrets")
    expect(players).to_have_value("4")
    expect(page.get_by_text("Players, 4 to 8")).to_be_visible()
    players.fill("8")
    page.get_by_label("Game").select_option("hidden-leaders")
    expect(players).to_have_value("6")


def test_on_a_laptop_the_whole_hand_is_in_view_at_the_start_of_a_game_of_six(
    chromium: Browser, served: Served
) -> None:
    page = open_page(chromium, f"{served.address}play").page
    page.set_viewport_size({"width": 1366, "height": 768})
    page.get_by_label("Players").fill("6")
    page.get_by_label("Seed").fill("3")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".choice")
    hand = page.locator(".seat.own [data-row=hand]").bounding_box()
    assert hand is not None
    assert hand["y"] + hand["height"] <= 768


def test_a_choice_is_made_on_the_table_taken_back_and_hinted(
    chromium: Browser, served: Served
) -> None:
    page = open_page(chromium, f"{served.address}play").page
    page.get_by_label("Seed").fill("7")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".choice")
    first = page.locator("#choose").inner_text()
    page.locator(".seat .card.lit").first.click()
    expect(page.locator("#undo")).to_be_enabled(timeout=PATIENCE)
    page.locator("#undo").click()
    expect(page.locator("#choose")).to_contain_text("hide", timeout=PATIENCE)
    assert page.locator("#choose").inner_text().split() == first.split()
    page.locator("#hint").click()
    expect(page.locator(".hinted")).to_have_count(1, timeout=PATIENCE)


def test_a_league_s_count_rises_without_reloading(chromium: Browser, served: Served) -> None:
    bots = {"bots": ["random", "random as other"], "players": [2], "workers": 1}
    run = served.folder / "live.db"
    run_league(league_from_json({**bots, "deals": 1}), workers=1, run=run)
    page = open_page(chromium, f"{served.address}runs/live").page
    expect(page.locator("#report")).to_contain_text("2 of 2 games", timeout=PATIENCE)
    page.evaluate("window.sameAsBefore = true")
    run_league(league_from_json({**bots, "deals": 4}), workers=1, run=run)
    expect(page.locator("#report")).to_contain_text("8 of 8 games", timeout=PATIENCE)
    assert page.evaluate("window.sameAsBefore")
