"""Makes the pictures of the documentation: `scripts/update-pictures [NAME ...]`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import chdir, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, expect

from arena.league.config import league_from_json
from arena.league.start import run_league
from arena.match.api import play_game
from arena.review.game_review import ReviewPlan
from arena.review.reviewer import review_game
from arena.review.verdict import verdict
from arena.web.report_page import report_page
from arena.web.review_marks import REVIEW_FORMAT, REVIEW_VERSION
from arena.web.site.build import build_pages
from arena.web.view_page import view_page
from solver.puzzles.files import find_puzzle, load_puzzle
from tests.arena.web.test_server import Served
from tests.support.browser import PATIENCE, browser, open_page, served_folder
from tests.support.paths import ROOT
from tests.support.small_png import write_small

PICTURES: Final = ROOT / "docs/pictures"
LAPTOP: Final = (1366, 768)
PHONE: Final = (420, 820)
PUZZLE: Final = "doubt"


@dataclass(frozen=True)
class Shot:
    """A page, of which three pictures are taken: by day, by night (-dark) and on a phone."""

    name: str
    address: str
    size: tuple[int, int] = LAPTOP
    prepare: Callable[[Page], object] = lambda _page: None
    """What a visitor does before they are taken."""
    only_by_day: bool = False


def _play(page: Page) -> None:
    """Some moves of a game, and a hint."""
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Opponents").select_option("greedy")
    page.get_by_role("button", name="Start").click()
    for turn in range(12):
        page.wait_for_selector(".choice:enabled")
        choices = page.locator(".choice")
        choices.nth(turn % choices.count()).click()
        expect(page.locator(".choice:disabled")).to_have_count(0)
    page.locator("#hint").click()
    page.wait_for_selector(".hinted")


def _miss(page: Page) -> None:
    """A wrong choice in a puzzle."""
    page.get_by_role("button", name="play Rotting Orangutan").click()
    expect(page.locator("#status")).to_contain_text("Not the best")


def _solve(page: Page) -> None:
    page.locator("#solve").click()
    expect(page.locator("#status")).to_contain_text("Exact", timeout=PATIENCE)


def _file_shots(folder: Path) -> list[Shot]:
    """Pages that are files."""
    place = folder.as_uri()
    return [
        Shot("game", f"{place}/game.html#at=71"),
        Shot("seat", f"{place}/game.html#at=71&view=A", only_by_day=True),
        Shot("secrets", f"{place}/secrets.html#at=30", only_by_day=True),
        Shot("review", f"{place}/review.html", only_by_day=True),
        Shot("report", f"{place}/report.html", (1200, 900)),
    ]


def _site_shots(address: str) -> list[Shot]:
    size = (1200, 760)
    return [
        Shot("site", f"{address}/index.html", size),
        Shot("cards", f"{address}/cards/hidden-leaders.html", size),
        Shot("docs", f"{address}/docs/solver.html", size),
    ]


def _server_shots(address: str) -> list[Shot]:
    position = str(load_puzzle(find_puzzle(PUZZLE)).query.position)
    analysis = urlencode({"game": "hidden-leaders", "position": position})
    return [
        Shot("runs", address, (1000, 420)),
        Shot("start", f"{address}play", (1000, 700)),
        Shot("play", f"{address}play", prepare=_play),
        Shot("puzzles", f"{address}puzzles", (1200, 700)),
        Shot("puzzle", f"{address}puzzles/{PUZZLE}", prepare=_miss),
        Shot("analysis", f"{address}analysis?{analysis}", prepare=_solve),
    ]


def main(names: Sequence[str]) -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, chdir(temporary), browser() as chromium:
        folder = Path(temporary)
        _write_pages(folder)
        server = Served(Path("runs"))  # a name that the pictures may show
        with closing(server), served_folder(folder / "site") as site:
            shots = (*_file_shots(folder), *_site_shots(site), *_server_shots(server.address))
            for shot in shots:
                if not names or shot.name in names:
                    _take(chromium, shot)


def _write_pages(folder: Path) -> None:
    bots = ["ismcts:iterations=300", "greedy", "champion:iterations=200", "random"]
    replay = play_game(bots, seed=11).replay
    _write(folder / "game.html", view_page(replay, "a game"))
    _write(folder / "review.html", _reviewed())
    spies = ["ismcts:iterations=100", *["greedy"] * 3]
    secrets = play_game(spies * 2, game="secrets", seed=5).replay
    _write(folder / "secrets.html", view_page(secrets, "a game of eight"))
    league = league_from_json(
        {
            "bots": ["ismcts:iterations=60", "greedy", "greedy:depth=1 as shallow", "random"],
            "players": [2, 3, 4],
            "deals": 4,
        }
    )
    (folder / "runs").mkdir()
    standings = run_league(league, run=folder / "runs" / "evening.db")
    games = len(standings.run.games)
    _write(folder / "report.html", report_page("Evening league", standings, games, []))
    build_pages(folder / "site")


def _reviewed() -> str:
    """The page of a game that was lost by one move: the first that is found."""
    for seed in range(100):
        replay = play_game(["greedy", "ismcts:iterations=60", "greedy"], seed=seed).replay
        review = review_game(replay, ReviewPlan())
        data = {"format": REVIEW_FORMAT, "version": REVIEW_VERSION, "verdict": verdict(review)}
        if (lost_at := review.to_json()["lost_at"]) is not None:
            page = view_page(replay, "a lost game", review={**data, **review.to_json()})
            return page.replace("<body>", f"<body data-at='{lost_at}'>")
    raise AssertionError("no game was lost by a single move")


def _write(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8")


def _take(chromium: Browser, shot: Shot) -> None:
    """The page is loaded once, and looked at in three ways."""
    page = open_page(chromium, shot.address).page
    page.set_viewport_size({"width": shot.size[0], "height": shot.size[1]})
    page.wait_for_selector("h1")
    if at := page.evaluate("document.body.dataset.at"):
        page.evaluate(f"location.hash = '#at={at}'")
    shot.prepare(page)
    pictures: dict[str, bytes] = {}
    looks: list[tuple[str, tuple[int, int], Literal["light", "dark"]]] = [
        ("", shot.size, "light"),
        ("-dark", shot.size, "dark"),
        ("-phone", PHONE, "light"),
    ]
    for ending, (width, height), scheme in looks[: 1 if shot.only_by_day else None]:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.mouse.move(0, 0)
        page.evaluate("scrollTo(0, 0)")
        pictures[f"{shot.name}{ending}.png"] = page.screenshot()
    page.close()
    blank = chromium.new_page()
    for name, png in pictures.items():
        write_small(PICTURES / name, png, blank)
    blank.close()


if __name__ == "__main__":
    main(sys.argv[1:])
