"""Makes the pictures of the documentation: `scripts/update-pictures`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser

from arena.league.config import league_from_json
from arena.league.start import run_league
from arena.match.api import play_game
from arena.web.report_page import report_page
from arena.web.view_page import view_page
from tests.arena.web.test_server import Served
from tests.support.browser import browser, open_page
from tests.support.paths import ROOT

PICTURES: Final = ROOT / "docs/pictures"
SHOTS: Final = (
    # name, page, width, height, dark
    ("game", "game.html#at=71", 1280, 1180, False),
    ("game-phone", "game.html#at=71&view=A", 420, 900, True),
    ("report", "report.html", 1100, 1000, False),
)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        bots = ["ismcts:iterations=300", "greedy", "ismcts:iterations=300", "random"]
        replay = play_game(bots, seed=11).replay
        (folder / "game.html").write_text(view_page(replay, "a game"), encoding="utf-8")
        league = league_from_json(
            {
                "bots": ["ismcts:iterations=60", "greedy", "greedy:depth=1 as shallow", "random"],
                "players": [2, 3, 4],
                "deals": 4,
            }
        )
        standings = run_league(league, run=folder / "run.db")
        page = report_page("Evening league", standings, len(standings.run.games), [])
        (folder / "report.html").write_text(page, encoding="utf-8")
        with browser() as chromium:
            for name, address, width, height, dark in SHOTS:
                watched = open_page(chromium, f"{folder.as_uri()}/{address}", width, dark)
                watched.page.set_viewport_size({"width": width, "height": height})
                watched.page.wait_for_selector("h1")
                watched.page.screenshot(path=PICTURES / f"{name}.png")
            _play(chromium, folder)


def _play(chromium: Browser, folder: Path) -> None:
    """A person in the middle of a game."""
    server = Served(folder)
    try:
        page = open_page(chromium, f"{server.address}play", 1280).page
        page.get_by_label("Seed").fill("7")
        page.get_by_role("button", name="Start").click()
        for turn in range(12):
            page.wait_for_selector(".choice:enabled")
            choices = page.locator(".choice")
            choices.nth(turn % choices.count()).click()
        page.wait_for_selector(".choice:enabled")
        page.locator("#hint").click()
        page.wait_for_selector(".hinted")
        page.screenshot(path=PICTURES / "play.png")
    finally:
        server.close()


if __name__ == "__main__":
    main()
