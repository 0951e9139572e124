"""Puzzles in the browser, for the commands that offer them there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlencode

from arena.cli.browser import needs_web, serve_page
from solver.puzzles.choice import PuzzleFilter
from solver.puzzles.files import Puzzle


def serve_puzzles(
    path: str = "", wanted: PuzzleFilter | None = None, extra: Sequence[Puzzle] = ()
) -> None:
    """Open a page of the puzzles, `path` behind `/puzzles`; `extra`: besides the bundled ones."""
    needs_web("--browser")
    from arena.web.server.app import make_app  # noqa: PLC0415  (needs the extra)
    from arena.web.server.puzzles import Puzzles  # noqa: PLC0415

    puzzles = Puzzles(extra)
    filters = {} if wanted is None else {k: v for k, v in vars(wanted).items() if v is not None}
    query = f"?{urlencode(filters)}" if filters else ""
    page = f"/puzzles{path}{query}"
    serve_page(lambda hosts: make_app(Path("runs"), hosts, puzzles=puzzles), page)
