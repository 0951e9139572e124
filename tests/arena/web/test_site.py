"""The static site: links lead somewhere, and Python in the visitor's browser plays and solves."""

from __future__ import annotations

import json
import re
from asyncio import run
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

import pytest
from playwright.sync_api import Browser, FrameLocator, expect

from arena.web.site.build import MARK, build_site, run_build
from arena.web.site.in_browser import answer, moved
from arena.web.site.markdown_pages import doc_page
from arena.web.site.pyodide_files import NoPyodide, copy_pyodide
from games.errors import GameError
from solver.puzzles.files import find_puzzle, load_puzzle
from solver.puzzles.progress import Attempt, load_progress, record_attempt
from tests.arena.web.test_solving_in_a_browser import best_line
from tests.support.browser import accessibility_problems, needs_browser, served_folder
from tests.support.browser_store import read_kept_file, write_kept_file
from tests.support.paths import ROOT

CACHE = ROOT / "build/npm"
PUZZLE = "doubt"
SOLVED_BEFORE = "so-he-says"
PROGRESS = ".local/share/hidden-leaders-arena/puzzle-progress.jsonl"
PATIENCE = 240_000
"""Milliseconds: Python itself starts in the page, which takes long on a busy machine."""


# ---- without a browser --------------------------------------------------------------------------


def ask(method: str, path: str, body: object = None) -> Any:
    text = "" if body is None else json.dumps(body)
    return json.loads(run(answer(method, path, "", text, "/base/")))


def test_pages_of_the_server_are_answered_below_the_folder_of_the_site() -> None:
    page = ask("GET", "/play")
    assert page["status"] == 200
    assert 'href="/base/parts/base.css"' in page["content"]
    assert not re.search(r'(href|src|action)="/(?!base/)', page["content"])
    assert '<nav class="site"' not in page["content"]
    started = json.loads(ask("POST", "/play/new", {"players": 2, "seed": 3})["content"])
    assert started["address"].startswith("/base/play/")
    script = ask("GET", "/parts/puzzle.js")["content"]
    assert "`/base/puzzles/" in script
    assert not re.search(r"[\"'`]/(play|puzzles|parts)\b", script)


def test_redirections_and_problems_are_answered_as_well() -> None:
    assert ask("GET", "/puzzles/next")["headers"]["location"].startswith("/base/puzzles/")
    assert ask("GET", "/puzzles/none")["status"] == 404
    assert "There is no page" in ask("GET", "/runs")["content"]
    refused = ask("POST", "/play/new", {"players": 2, "bot": "champion"})
    assert "cannot play here" in refused["content"]


def test_only_addresses_of_the_server_are_moved() -> None:
    page = '<a href="/play">x</a><a href="//other/"></a><a href="#top"></a>'
    assert moved(page, "text/html; charset=utf-8", "/b/") == page.replace('"/play', '"/b/play')
    assert moved('"/play/x" "/etc"', "application/json", "/b/") == '"/b/play/x" "/etc"'
    assert moved("/play", "text/css", "/b/") == "/play"


def test_documentation_links_to_pages_and_copies() -> None:
    text = "# A `b`\n\n[x](c.md#d) [y](../games/state.py) ![z](p.png) [w](https://x.org)\n\n## A b"
    page = doc_page("docs/a.md", text, ["docs/a.md", "docs/c.md"])
    assert page.title == "A b"
    for part in ('href="c.html#d"', 'href="../games/state.py.txt"', 'src="p.png"', 'id="a-b-1"'):
        assert part in page.body
    assert page.files == {"games/state.py", "docs/p.png"}


def test_a_folder_with_other_things_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "precious.txt").touch()
    with pytest.raises(GameError, match="is not empty and not a site"):
        build_site(tmp_path, CACHE)
    assert run_build([str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("arena: ")
    assert [path.name for path in tmp_path.iterdir()] == ["precious.txt"]


def test_a_package_that_is_not_pyodide_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pyodide-314.0.7.tgz").write_bytes(b"something else")
    with pytest.raises(NoPyodide, match="is not Pyodide"):
        copy_pyodide(tmp_path / "out", tmp_path)


# ---- the whole site -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "below" / "site"
    try:
        build_site(folder, CACHE)
    except NoPyodide as error:
        pytest.skip(f"no Pyodide: {error}")
    return folder


@pytest.mark.slow
def test_every_link_of_the_site_leads_to_a_file(site: Path) -> None:
    assert (site / MARK).exists()
    broken = []
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8").partition("<script")[0]
        for address in re.findall(r'\b(?:href|src)="([^"]+)"', text):
            target, anchor = urldefrag(unquote(address))
            if urlsplit(address).scheme or target.endswith("app.html"):
                continue
            file = (page.parent / target).resolve() if target else page
            if not leads_to(file, anchor) or site not in file.parents:
                broken.append((page.name, address))
    assert broken == []


def leads_to(file: Path, anchor: str) -> bool:
    """Whether the file exists, and has the place."""
    if not file.is_file():
        return False
    return not anchor or f'id="{anchor}"' in file.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Served from a folder below the root, as project pages are."""
    with served_folder(site.parent.parent) as server:
        yield f"{server}/below/site/"


@needs_browser
@pytest.mark.slow
def test_a_visitor_solves_a_puzzle_and_plays_without_a_server(
    chromium: Browser, address: str, tmp_path: Path
) -> None:
    """Python starts once, which takes seconds: everything that needs it is tried here."""
    messages: list[str] = []
    foreign: list[str] = []
    context = chromium.new_context(
        viewport={"width": 420, "height": 900}, reduced_motion="reduce", color_scheme="dark"
    )
    context.on("request", lambda request: _note(foreign, request.url, address))
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    for name in ("index", "docs", "cards/secrets", "docs/rules"):
        page.goto(f"{address}{name}.html")
        assert accessibility_problems(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= 420
    # What was solved before is remembered by the browser: this visitor comes for the second time.
    record_attempt(Attempt(SOLVED_BEFORE, solved=True, rating=1500), tmp_path / "progress")
    write_kept_file(page, PROGRESS, (tmp_path / "progress").read_text())
    page.goto(f"{address}app.html#/puzzles/{PUZZLE}")
    frame = page.frame_locator("#frame")
    line = best_line(load_puzzle(find_puzzle(PUZZLE)))
    assert line
    for move in line:
        frame.locator(f'.choice[data-move="{move}"]').click(timeout=PATIENCE)
        expect(frame.locator("#status")).to_contain_text("Right:", timeout=PATIENCE)
    expect(frame.locator("#status")).to_contain_text("Solved", timeout=PATIENCE)
    page.get_by_role("link", name="Puzzles").click()
    expect(frame.locator("#score")).to_contain_text("2 of", timeout=PATIENCE)
    page.get_by_role("link", name="Play").click()
    frame.get_by_label("Seed").fill("7")
    frame.get_by_role("button", name="Start").click()
    _play(frame, moves=4)
    assert page.url.partition("#")[2].startswith("/play/")
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    assert page.frames[1].evaluate("document.documentElement.scrollWidth") <= 420
    page.close()
    page = context.new_page()
    page.goto(f"{address}docs.html")
    (tmp_path / "kept").write_text(read_kept_file(page, PROGRESS))
    assert load_progress(tmp_path / "kept").marks == {SOLVED_BEFORE: "solved", PUZZLE: "solved"}
    assert foreign == []
    assert messages == []


def _note(foreign: list[str], url: str, address: str) -> None:
    if not url.startswith((address, "data:", "blob:")):
        foreign.append(url)


def _play(frame: FrameLocator, moves: int) -> None:
    for _ in range(moves):
        frame.locator(".choice:enabled").first.click(timeout=PATIENCE)
        expect(frame.locator(".choice:disabled")).to_have_count(0, timeout=PATIENCE)
        expect(frame.locator(".choice")).not_to_have_count(0, timeout=PATIENCE)
