"""The pages that keep nothing in files: for a browser that runs them itself, without a server."""

from __future__ import annotations

from starlette.applications import Starlette

from arena.web.server.handlers import PARTS, PROBLEMS
from arena.web.server.play import Play


def make_app_in_memory() -> Starlette:
    """Play, for one visitor who is also the server."""
    return Starlette(routes=[*Play().routes(), PARTS], exception_handlers=PROBLEMS)
