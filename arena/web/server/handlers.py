"""What all pages of the server need: its files, and pages that say what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arena.web.page import part, part_names
from arena.web.server.html_pages import problem_page
from arena.web.server.requests import NotThere
from games.errors import GameError

_TYPES: Final = {"css": "text/css", "js": "text/javascript"}


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


PARTS: Final = Route("/parts/{name}", _part)
PROBLEMS: Final[Mapping[Any, Any]] = {GameError: _problem, HTTPException: _missing}
