"""How large the pages of games and reports are, and how soon they can be used in Chromium.

    .venv/bin/python benchmarks/game_page.py [--report-games 1000]

Prints a table: the size of each file, and the milliseconds from opening it until its table (or its
list of games) is drawn, the median of several times. Notes are in game_page.md.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Final

from playwright.sync_api import Browser
from tabulate import tabulate

from arena.league.config import league_from_json
from arena.league.journal import Journal
from arena.league.start import run_league
from arena.match.api import play_game
from arena.web.game_data import EVERYTHING, game_views
from arena.web.report_page import report_page
from arena.web.view_page import view_page
from tests.support.browser import browser

TIMES: Final = 7
_WATCH: Final = """
new MutationObserver(() => {
  if (!window.drawnAt && document.querySelector("#board .seat, main section")) {
    window.drawnAt = performance.now();
  }
}).observe(document, { childList: true, subtree: true });
"""


def pages(folder: Path, report_games: int) -> Iterator[tuple[str, int, Path]]:
    """What each page shows, how many moves or games it has, and its file."""
    games = [("hidden-leaders", players) for players in (2, 4, 6)] + [("secrets", 8)]
    for name, players in games:
        played = [play_game(["random"] * players, game=name, seed=seed).replay for seed in range(8)]
        longest = max(played, key=lambda replay: len(replay.moves))
        file = folder / f"{name}-{players}.html"
        file.write_text(view_page(longest, "a game"), encoding="utf-8")
        yield f"{name}, {players} players, random", len(longest.moves), file
    bots = ["ismcts:iterations=100"] * 6
    searched = play_game(bots, seed=1).replay
    file = folder / "searched.html"
    file.write_text(view_page(searched, "a game"), encoding="utf-8")
    yield "hidden-leaders, 6 players, ismcts with comments", len(searched.moves), file
    if report_games:
        yield (
            f"report with {report_games} games inside",
            report_games,
            _report(folder, report_games),
        )


def _report(folder: Path, games: int) -> Path:
    run = folder / "run.db"
    bots = ["greedy", "random", "greedy:depth=1 as shallow"]
    league = league_from_json({"bots": bots, "players": [3], "deals": games // 3 + 1})
    standings = run_league(league, run=run)
    with Journal.read(run) as journal:
        inside = {
            saved.record.number: game_views(saved.replay, "a game", "", [EVERYTHING])
            for saved in journal.games()
        }
    file = folder / "report.html"
    page = report_page("A league", standings, len(inside), [], inside=inside)
    file.write_text(page, encoding="utf-8")
    return file


def milliseconds(chromium: Browser, file: Path) -> float:
    """From opening the page until it is drawn."""
    times = []
    for _ in range(TIMES):
        page = chromium.new_page()
        page.add_init_script(_WATCH)
        page.goto(file.as_uri())
        times.append(float(page.wait_for_function("window.drawnAt").json_value()))
        page.close()
    return median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report-games", type=int, default=1000)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as temporary, browser() as chromium:
        for what, count, file in pages(Path(temporary), options.report_games):
            size = file.stat().st_size / 1000
            rows.append((what, count, f"{size:,.0f}", f"{milliseconds(chromium, file):.0f}"))
    headers = ["page", "moves or games", "kB", "ms until drawn"]
    print(tabulate(rows, headers, tablefmt="github", disable_numparse=True))


if __name__ == "__main__":
    main()
