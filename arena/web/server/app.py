"""Puts the server together: its pages, files, errors and manners."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.web.page import part, part_names
from arena.web.server.analysis import AnalysisBoard
from arena.web.server.html_pages import problem_page
from arena.web.server.play import Play
from arena.web.server.puzzles import Puzzles
from arena.web.server.requests import NotThere
from arena.web.server.runs import Runs
from arena.web.server.safety import OwnPagesOnly
from games.errors import GameError

_TYPES: Final = {"css": "text/css", "js": "text/javascript"}


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
    analysis = AnalysisBoard(runs)

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
            Route("/parts/{name}", _part),
        ],
        middleware=[Middleware(OwnPagesOnly, hosts=hosts)],
        exception_handlers={GameError: _problem, HTTPException: _missing},
        lifespan=lifespan,
    )


def _part(request: Request) -> Response:
    name = request.path_params["name"]
    kind = _TYPES.get(name.rpartition(".")[2])
    if kind is None or name not in part_names():
        raise NotThere(f"there is no file '{name}'")
    return Response(part(name), media_type=kind)


def _problem(request: Request, error: Exception) -> Response:
    status = 404 if isinstance(error, NotThere) else 400
    if request.method == "POST" or request.url.path.endswith("/state"):
        return JSONResponse({"problem": str(error)}, status)
    return problem_page(str(error), status)


def _missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return problem_page(f"There is no page {request.url.path} here.", error.status_code)
