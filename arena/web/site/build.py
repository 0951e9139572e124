"""Builds the static site: `python -m arena.web.site.build FOLDER`, or `make site`.

Everything in the folder is a file that any web server can send. Nothing in it asks another server.
"""

from __future__ import annotations

import argparse
import html
import shutil
import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from arena.league.config import league_from_json
from arena.league.journal import Journal
from arena.league.progress import fault_sentences
from arena.league.read_run import run_of
from arena.league.start import run_league
from arena.match.api import play_game
from arena.stats.standings import standings_of
from arena.web.page import part
from arena.web.report_page import report_page
from arena.web.site.card_pages import card_pages
from arena.web.site.engine_archive import write_archive
from arena.web.site.html_frame import TITLE, site_page
from arena.web.site.markdown_pages import doc_page
from arena.web.site.pyodide_files import PYODIDE_VERSION, copy_pyodide
from arena.web.view_page import view_page
from games.engine import ROOT
from games.errors import GameError

MARK: Final = ".arena-site"
"""A file in every site, so that a folder with anything else in it is never overwritten."""
_OWN: Final = files("arena.web.site") / "parts"
_SAMPLE_BOTS: Final = ("champion:iterations=60", "greedy", "ismcts:iterations=150", "greedy")
_SAMPLE_LEAGUE: Final = {"bots": ["greedy", "greedy:depth=1 as shallow", "random"], "deals": 4}
_PICTURE: Final = "docs/pictures/game.png"
_PICTURE_DARK: Final = "docs/pictures/game-dark.png"

_DOORS: Final = (
    (
        "app.html#/play",
        "Play",
        "Against bots, at any player count. You see what you may know.",
    ),
    (
        "app.html#/puzzles",
        "Puzzles",
        "Every answer is proven by the solver, in your browser.",
    ),
    ("cards/index.html", "Cards", "All cards in words, with their rulings."),
    ("sample/game.html", "Watch a game", "Through all eyes or one seat's, with what bots thought."),
    ("sample/report.html", "A league's report", "Ratings with confidence intervals, and why."),
    ("docs.html", "Documentation", "Run leagues, write bots, solve positions."),
)


def build_site(folder: Path, cache: Path) -> None:
    """Write the site into a folder that is empty, or holds a site already."""
    if not (ROOT / "docs").is_dir():
        raise GameError("the site is built from a checkout of the project; run `make site` there")
    _clear(folder)
    copy_pyodide(folder / "pyodide", cache)
    write_archive(folder / "engine.zip")
    build_pages(folder)


def build_pages(folder: Path) -> None:
    """Write all that needs no Python in the browser."""
    for path, content in {**_own_pages(), **card_pages(), **_parts()}.items():
        _write(folder, path, content)
    _write_docs(folder)
    _write_samples(folder)


def _clear(folder: Path) -> None:
    if folder.is_dir() and any(folder.iterdir()):
        if not (folder / MARK).exists():
            raise GameError(f"{folder} is not empty and not a site; name another folder")
        shutil.rmtree(folder)
    _write(folder, MARK, f"{TITLE}, Pyodide {PYODIDE_VERSION}\n")


def _write(folder: Path, path: str, content: str | bytes) -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def _parts() -> dict[str, str]:
    """Scripts and styles; workers lie where their files and addresses are."""
    own = {entry.name: entry.read_text(encoding="utf-8") for entry in _OWN.iterdir()}
    return {
        "parts/base.css": part("base.css"),
        "parts/site.css": own["site.css"],
        "parts/cards.js": own["cards.js"],
        "app.js": own["app.js"],
        "python_worker.js": own["python_worker.js"],
        "run/service_worker.js": own["service_worker.js"],
    }


# ---- pages --------------------------------------------------------------------------------------


def _own_pages() -> dict[str, str]:
    doors = "".join(
        f'<a href="{address}"><b>{name}</b>{words}</a>' for address, name, words in _DOORS
    )
    home = (
        f'<main class="hero"><h1>{TITLE}</h1><p>Bot leagues, tree search and an exact solver for '
        "card games with hidden roles. Play and solve here: everything runs in your browser, and "
        f'nothing is sent anywhere.</p><div class="doors">{doors}</div>'
        f'<picture><source srcset="{_PICTURE_DARK}" media="(prefers-color-scheme: dark)">'
        f'<img src="{_PICTURE}" alt="A game of Hidden Leaders" width="1366" height="768">'
        "</picture></main>"
    )
    shell = (
        '<p id="status" role="status">Starting ...</p>'
        '<iframe id="frame" title="Play and puzzles" hidden></iframe>'
        "<noscript><p>Playing needs JavaScript. The cards and the documentation do not."
        "</p></noscript>"
    )
    return {
        "index.html": site_page("index.html", TITLE, home),
        "app.html": site_page("app.html", TITLE, shell, (), "app.js", "shell"),
    }


def _write_docs(folder: Path) -> None:
    """The project's pages, at the paths that they have in the project."""
    pages = sorted(path.relative_to(ROOT).as_posix() for path in _doc_files())
    titles = {}
    needed = {_PICTURE, _PICTURE_DARK}
    for path in pages:
        page = doc_page(path, (ROOT / path).read_text(encoding="utf-8"), pages)
        titles[path], needed = page.title, needed | page.files
        target = f"{path.removesuffix('.md')}.html"
        body = f'<main class="doc">{page.body}</main>'
        _write(folder, target, site_page(target, page.title, body))
    for path in sorted(needed):
        source = (ROOT / path).resolve()
        if source.is_file() and source.is_relative_to(ROOT):
            copied = path if source.suffix == ".png" else f"{path}.txt"
            _write(folder, copied, source.read_bytes())
    body = f'<main class="doc"><h1>Documentation</h1>{_doc_list(titles)}</main>'
    _write(folder, "docs.html", site_page("docs.html", "Documentation", body))


def _doc_list(titles: Mapping[str, str]) -> str:
    """Links to all pages by kind; pages of one title are told apart by their names."""
    kinds: dict[str, list[str]] = {"Guides": [], "Project": [], "Measurements": []}
    for path, title in titles.items():
        folder = {"docs": "Guides", "benchmarks": "Measurements"}.get(path.partition("/")[0])
        twin = list(titles.values()).count(title) > 1
        words = html.escape(f"{title} ({Path(path).stem})" if twin else title)
        link = f'<li><a href="{path.removesuffix(".md")}.html">{words}</a></li>'
        kinds[folder or "Project"].append(link)
    return "".join(
        f'<h2>{kind}</h2><ul class="pages">{"".join(links)}</ul>' for kind, links in kinds.items()
    )


def _doc_files() -> list[Path]:
    return [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")]


def _write_samples(folder: Path) -> None:
    """A game and a league to look at, played now."""
    replay = play_game(list(_SAMPLE_BOTS), seed=11).replay
    _write(
        folder, "sample/game.html", view_page(replay, "a game of four bots", back="../index.html")
    )
    run = folder / "sample" / "run.db"
    league = league_from_json({**_SAMPLE_LEAGUE, "players": [2, 3, 4]})
    run_league(league, workers=1, run=run)
    with Journal.read(run) as journal:
        standings, faults = standings_of(run_of(journal)), fault_sentences(journal)
    page = report_page("A small league", standings, len(standings.run.games), faults)
    _write(folder, "sample/report.html", page)
    for file in (folder / "sample").glob("run.db*"):
        file.unlink()


def run_build(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the static site.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cache", type=Path, default=Path("build/npm"), help="keeps Pyodide here")
    options = parser.parse_args(arguments)
    try:
        build_site(options.folder, options.cache)
    except (GameError, OSError) as error:
        print(f"arena: {error}", file=sys.stderr)
        return 1
    print(f"{options.folder} is built; look at it with:")
    print(f"  python3 -m http.server --directory {options.folder} --bind 127.0.0.1")
    return 0


if __name__ == "__main__":
    raise SystemExit(run_build())
