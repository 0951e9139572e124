"""Puts the server together: its pages, files, errors and manners."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware

from arena.web.server.analysis import AnalysisBoard
from arena.web.server.handlers import PARTS, PROBLEMS
from arena.web.server.play import Play
from arena.web.server.puzzles import Puzzles
from arena.web.server.runs import Runs
from arena.web.server.safety import OwnPagesOnly


def make_app(
    folder: Path,
    hosts: Sequence[str],
    play: Play | None = None,
    puzzles: Puzzles | None = None,
) -> Starlette:
    """The server for the runs of a folder; `hosts`: by which names and ports it is called.

    `play` may have games that have begun already, `puzzles` more than the bundled ones.
    """
    runs, play, puzzles = Runs(folder), play or Play(), puzzles or Puzzles()
    analysis = AnalysisBoard(runs, play)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        play.sessions.close()
        analysis.jobs.close()

    return Starlette(
        routes=[
            *runs.routes(),
            *play.routes(),
            *puzzles.routes(),
            *analysis.routes(),
            PARTS,
        ],
        middleware=[Middleware(OwnPagesOnly, hosts=hosts)],
        exception_handlers=PROBLEMS,
        lifespan=lifespan,
    )
