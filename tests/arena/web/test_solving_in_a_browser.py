"""Puzzles and the analysis board in a real browser, used by a scripted person."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from arena.league.config import league_from_json
from arena.league.start import run_league
from arena.web.server.puzzles import all_puzzles
from bots.runtime.mid_game import bot_policy
from games.registry import game_names
from games.state import CHANCE
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.puzzles.files import Puzzle, prove
from solver.puzzles.progress import load_progress
from solver.puzzles.trial import start_trial
from tests.arena.web.test_server import Served
from tests.support.browser import DESK, PATIENCE, PHONE, needs_browser, open_page, page_problems
from tests.support.volume import volume

pytestmark = [needs_browser, pytest.mark.slow]

PUZZLES = volume(10)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("solving")
    league = league_from_json({"bots": ["greedy", "random"], "players": [2], "deals": 1})
    run_league(league, workers=1, run=folder / "small.db")
    server = Served(folder)
    yield server
    server.close()


def best_line(puzzle: Puzzle) -> list[int]:
    """What a person who sees everything chooses, move by move; empty if chance has a say."""
    solved = prove(puzzle, NodeBudget(USUAL_NODES), bot_policy)
    trial = start_trial(solved, 1, puzzle.ask == "sure", NodeBudget(USUAL_NODES))
    line = []
    while trial.reached is None:
        options = trial.options()
        best = max(options, key=options.__getitem__)
        if len(options) > 1:
            line.append(best)
        trial.choose(best)
    chance = solved.hidden or any(made.table.actor == CHANCE for made in trial.history)
    return [] if chance else line


def some_puzzles() -> list[tuple[str, list[int]]]:
    chosen: list[tuple[str, list[int]]] = []
    for puzzle in all_puzzles().values():
        line = best_line(puzzle)
        if len(line) > 1:
            chosen.append((puzzle.name, line))
        if len(chosen) == PUZZLES:
            break
    return chosen


WAS_RIGHT = """() => document.getElementById("status").textContent.includes("Right:")
  && !document.querySelector(".choice:disabled")"""


def ready(page: Page) -> None:
    expect(page.locator(".choice:disabled")).to_have_count(0, timeout=PATIENCE)


def test_a_person_solves_puzzles_by_keyboard_and_mouse(chromium: Browser, served: Served) -> None:
    puzzles = some_puzzles()
    assert len(puzzles) == PUZZLES
    watched = open_page(chromium, f"{served.address}puzzles")
    page = watched.page
    for number, (name, line) in enumerate(puzzles):
        page.goto(f"{served.address}puzzles/{name}")
        for move in line:
            button = page.locator(f'.choice[data-move="{move}"]')
            button.wait_for()
            if number % 2:
                place = button.evaluate(
                    "node => [...node.parentNode.querySelectorAll('.choice')].indexOf(node)"
                )
                page.keyboard.press(str(place + 1))
            else:
                button.click()
            page.wait_for_function(WAS_RIGHT)
        expect(page.locator("#status")).to_contain_text("Solved", timeout=PATIENCE)
    expect(page.locator("#score")).to_contain_text(str(PUZZLES))
    progress = load_progress(served.data / "hidden-leaders-arena" / "puzzle-progress.jsonl")
    assert (progress.streak, len(progress.marks)) == (PUZZLES, PUZZLES)
    page.keyboard.press("n")
    page.wait_for_url(lambda url: not url.endswith(puzzles[-1][0]))
    assert watched.messages == []


def test_a_miss_is_refuted_and_the_person_goes_on(chromium: Browser, served: Served) -> None:
    watched = open_page(chromium, f"{served.address}puzzles/doubt")
    page = watched.page
    page.get_by_role("button", name="play Rotting Orangutan").click()
    expect(page.locator("#status")).to_contain_text("Not the best", timeout=PATIENCE)
    page.keyboard.press("w")
    expect(page.locator("ol.line li")).not_to_have_count(0, timeout=PATIENCE)
    expect(page.locator("#status")).to_contain_text("wins", timeout=PATIENCE)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#status")).not_to_contain_text("wins")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(page.locator(".choice")).to_have_count(7, timeout=PATIENCE)
    for _ in range(3):
        page.keyboard.press("h")
        ready(page)
    expect(page.locator("p.hint")).to_have_count(3, timeout=PATIENCE)
    page.locator(".seat.own .card.lit").first.focus()
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".choice.hinted")).to_have_count(1, timeout=PATIENCE)
    page.locator(".choice.hinted").click()
    expect(page.locator("#status")).to_contain_text("Right", timeout=PATIENCE)
    assert watched.messages == []


def test_every_choice_has_a_key_and_the_focus_stays_with_the_choices(
    chromium: Browser, served: Served
) -> None:
    page = open_page(chromium, f"{served.address}puzzles/one-swap").page
    page.wait_for_selector(".choice")
    assert page.locator(".choice").count() == page.locator(".choice kbd").count() > 9
    tenth = page.locator(".choice").nth(9)
    words = tenth.locator("span").evaluate("span => span.lastChild.textContent")
    page.keyboard.press(tenth.locator("kbd").inner_text())
    expect(page.locator("#story")).to_contain_text(words, timeout=PATIENCE)
    page.keyboard.press("u")
    page.locator(".choice:enabled").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#story")).not_to_be_empty(timeout=PATIENCE)
    expect(page.locator("#choose h2")).to_be_focused()


def test_on_a_phone_a_button_leads_to_the_choices_and_the_verdict_is_in_view(
    chromium: Browser, served: Served
) -> None:
    page = open_page(chromium, f"{served.address}puzzles/the-smaller-party", PHONE).page
    page.wait_for_selector(".choice")
    assert page.evaluate("scrollY") == 0
    jump = page.get_by_role("button", name="Your choice")
    expect(jump).to_be_in_viewport()
    jump.click()
    expect(page.locator(".choice").first).to_be_in_viewport()
    expect(jump).to_be_hidden()
    page.evaluate("scrollTo(0, 0)")
    page.locator(".seat.own .card.lit").first.click()
    first = page.locator(".choice").first
    expect(first).to_be_focused()
    expect(first).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#status")).not_to_be_empty(timeout=PATIENCE)
    expect(page.locator("#status")).to_be_in_viewport()


def test_two_possibilities_are_called_both(chromium: Browser, served: Served) -> None:
    page = open_page(chromium, f"{served.address}puzzles/so-he-says").page
    expect(page.locator(".worlds")).to_contain_text("Both possibilities", timeout=PATIENCE)


def test_puzzles_are_filtered_and_read_without_scripts(chromium: Browser, served: Served) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served.address}puzzles")
    assert page.locator(".list li").count() == len(all_puzzles())
    page.get_by_label("Game").select_option("secrets")
    with page.expect_navigation():
        page.get_by_role("button", name="Show").click()
    assert 0 < page.locator(".list li").count() < len(all_puzzles())
    page.locator(".list a").first.click()
    assert "token" in page.locator("noscript").inner_text()
    context.close()


# ---- the analysis board -----------------------------------------------------------------------


def test_a_position_is_typed_solved_and_played_on(chromium: Browser, served: Served) -> None:
    watched = open_page(chromium, f"{served.address}analysis")
    page = watched.page
    page.wait_for_selector(".choice")
    text = page.locator("#position").input_value()
    page.locator("#position").fill(text.replace("red 7", "red 77"))
    expect(page.locator("#problems")).to_contain_text("track goes from 1 to 12", timeout=PATIENCE)
    assert page.locator("#solve").is_disabled()
    page.locator("#position").fill(text)
    expect(page.locator("#problems")).to_be_hidden(timeout=PATIENCE)
    page.get_by_role("button", name="Solve").click()
    expect(page.locator("#status")).to_contain_text("Exact", timeout=PATIENCE)
    best = page.locator(".value.best")
    expect(best).to_have_count(1)
    board, edit = page.locator("#board").bounding_box(), page.locator(".edit").bounding_box()
    assert board is not None
    assert edit is not None
    assert 0 <= edit["y"] - board["y"] - board["height"] < 50  # whatever stands beside them
    best.locator(".move").click()
    expect(page.locator("#trail li")).to_have_count(1, timeout=PATIENCE)
    shared = page.url
    page.go_back()
    expect(page.locator("#trail li")).to_have_count(0, timeout=PATIENCE)
    again = open_page(chromium, shared).page
    expect(again.locator("#values")).to_contain_text("red +2", timeout=PATIENCE)
    assert watched.messages == []


def test_a_line_is_walked_and_a_search_is_stopped(chromium: Browser, served: Served) -> None:
    page = open_page(chromium, f"{served.address}analysis").page
    page.wait_for_selector(".choice")
    page.keyboard.press("s")
    expect(page.locator("#status")).to_contain_text("Exact", timeout=PATIENCE)
    page.locator(".value.best .steps button").last.click()
    expect(page.locator("#trail li")).to_have_count(1, timeout=PATIENCE)
    page.locator("#position").fill(
        "red 6; green 6; threshold 8; A leader Cyra hand DoPr RoOr LeLi; B leader Pavyr hand KeKo"
    )
    expect(page.locator("#board .seat")).to_have_count(2, timeout=PATIENCE)
    page.get_by_label("Within").select_option("end")
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#status")).to_contain_text("it was stopped", timeout=PATIENCE)
    assert page.locator(".value").count() > 3


def test_cards_and_markers_are_moved_by_clicking(chromium: Browser, served: Served) -> None:
    watched = open_page(chromium, f"{served.address}analysis")
    page = watched.page
    page.wait_for_selector(".choice")
    text = page.locator("#position")
    page.get_by_role("button", name="Edit by clicking").click()
    padding = page.locator(".row h4.lit").first.evaluate("node => getComputedStyle(node).padding")
    assert "0px 4.8px" in padding  # so that the frame touches no letter
    page.locator(".track .space").nth(8).click()
    expect(text).to_have_value(re.compile("red 9;"), timeout=PATIENCE)
    page.locator('.seat[data-seat="0"] [data-row="hand"] .card').first.click()
    page.locator('.seat[data-seat="1"] .row h4').first.click()
    expect(text).to_have_value(re.compile(r"A leader Xiadul hand RoOr LeLi open .*B .*open .*DoPr"))
    page.locator("#card").fill("Crow Carrier")
    page.locator("#place").select_option("tavern")
    page.get_by_role("button", name="Put it there").click()
    expect(text).to_have_value(re.compile("tavern CrCa - -"), timeout=PATIENCE)
    page.get_by_label("C leader").select_option("unknown")
    expect(page.locator("#status")).to_contain_text("Unknown: C leader", timeout=PATIENCE)
    page.get_by_role("button", name="Step back").click()
    expect(text).to_have_value(re.compile("C leader Lemron"), timeout=PATIENCE)
    assert watched.messages == []


def test_a_game_is_opened_from_a_move(chromium: Browser, served: Served) -> None:
    watched = open_page(chromium, f"{served.address}runs/small/games/1#at=9")
    page = watched.page
    page.get_by_role("link", name="game 1 of small.db").click()
    page.wait_for_url("**/runs/small")
    page.get_by_text("All 2 games").click()
    link = page.locator("table.games a").first.bounding_box()
    assert link is not None
    assert min(link["width"], link["height"]) >= 24  # a finger can hit it
    page.go_back()
    page.get_by_role("link", name="Analyse from this move").click()
    page.wait_for_selector(".choice")
    assert "at=9" in page.url
    assert watched.messages == []


# ---- the board --------------------------------------------------------------------------------

# Draws all cards of a game in one place.
ALL_CARDS = """async ([game, size, place]) => {
  const { drawTable } = await import("/parts/board.js");
  const facts = await (await fetch(`/analysis/games/${game}`)).json();
  const cards = facts.faces.cards.map((_, number) => number);
  const pile = { name: "pile", size: 99, cards, kind: -1, says: "" };
  const rows = [{ name: "hand", cards, of: 0 }];
  const table = {
    headline: "", text: "", turn: 0, decides: 0, over: false, tracks: [],
    piles: place === "pile" ? [pile] : [], seats: [{ role: "", facts: [], rows }],
  };
  const board = document.getElementById("board");
  board.dataset.size = size;
  const observer = place === "own" ? 0 : -1;
  drawTable(board, { ...facts, seats: [{ letter: "A", name: "" }], observer }, table, null);
}"""
# The cards whose name or text is cut.
CUT = """() => [...document.querySelectorAll("#board .card:not(.back, .gap)")].filter((card) => {
  const [name, text] = [card.querySelector(".name"), card.querySelector(".ability")];
  const lines = text.offsetHeight / Number.parseFloat(getComputedStyle(text).lineHeight);
  const floor = card.getBoundingClientRect().bottom;
  return name.getBoundingClientRect().bottom > floor || Math.abs(lines - Math.round(lines)) > 0.2
    || (text.offsetParent && text.getBoundingClientRect().bottom > floor);
}).map((card) => card.querySelector(".name").textContent)"""


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_no_name_is_cut_on_a_card_and_no_text_within_a_line(
    chromium: Browser, served: Served, width: int
) -> None:
    page = open_page(chromium, f"{served.address}analysis", width).page
    page.wait_for_selector(".choice")
    for game in game_names():
        for size in ("small", "medium", "large"):
            for place in ("seat", "own", "pile"):
                page.evaluate(ALL_CARDS, [game, size, place])
                assert page.evaluate(CUT) == [], (game, size, place)
    page.evaluate(ALL_CARDS, ["hidden-leaders", "medium", "own"])
    page.set_viewport_size({"width": DESK + PHONE - width, "height": 900})
    page.wait_for_function(f"() => ({CUT})().length === 0")


def test_frames_of_what_can_be_chosen_touch_no_text_and_no_other_frame(
    chromium: Browser, served: Served
) -> None:
    page = open_page(chromium, f"{served.address}analysis?game=secrets").page
    page.wait_for_selector(".choice")
    lit = page.locator(".card.lit")
    assert lit.evaluate_all("cards => cards.map(card => card.closest('.pile') !== null)") == [
        True,
        True,
    ]
    left, right = (lit.nth(i).bounding_box() for i in range(2))
    assert left is not None
    assert right is not None
    frame = 2
    assert right["x"] - left["x"] - left["width"] > 2 * frame
    page.locator(".choice").first.click()
    header = page.locator(".seat header.lit").first
    header.wait_for()
    right_of = "node => node.getBoundingClientRect().right"
    assert header.evaluate(right_of) - header.locator(".role").evaluate(right_of) >= frame


# ---- manners ----------------------------------------------------------------------------------

PAGES = {
    "list": ("puzzles?game=secrets", ".list li"),
    "puzzle": ("puzzles/doubt", ".choice"),
    "hidden": ("puzzles/so-he-says", ".choice"),
    "analysis": ("analysis", ".choice"),
    "problem": ("puzzles/nonsense", "h1"),
    "play": ("play", "h1"),
    "home": ("", "h1"),
    "run": ("runs/small", "h1"),
}


def test_pages_are_accessible_and_never_scroll_sideways(chromium: Browser, served: Served) -> None:
    page = open_page(chromium, served.address).page
    for name, (path, selector) in PAGES.items():
        page.set_viewport_size({"width": DESK, "height": 900})
        page.goto(f"{served.address}{path}")
        page.wait_for_selector(selector)
        if name == "analysis":
            page.get_by_role("button", name="Solve").click()
            expect(page.locator("#status")).to_contain_text("Exact", timeout=PATIENCE)
            page.get_by_role("button", name="Edit by clicking").click()
        assert page_problems(page) == [], name
