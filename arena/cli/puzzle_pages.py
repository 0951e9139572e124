"""Puzzles in the browser, for the commands that offer them there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.cli.browser import needs_web, serve_page
from solver.puzzles.files import Puzzle


def serve_puzzles(path: str, extra: Sequence[Puzzle] = ()) -> None:
    """Open a page of the puzzles, `path` behind `/puzzles`; with these besides the bundled ones."""
    needs_web("--browser")
    from arena.web.server.app import make_app  # noqa: PLC0415  (needs the extra)
    from arena.web.server.puzzles import Puzzles  # noqa: PLC0415

    puzzles = Puzzles(extra)
    serve_page(lambda hosts: make_app(Path("runs"), hosts, puzzles=puzzles), f"/puzzles{path}")
