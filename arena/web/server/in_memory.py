"""The pages that keep nothing in files: for a browser that runs them itself, without a server."""

from __future__ import annotations

from typing import Final

from starlette.applications import Starlette

from arena.review.game_review import ReviewPlan
from arena.web.server.handlers import PARTS, PROBLEMS
from arena.web.server.play import Play
from arena.web.server.puzzles import Puzzles

OPPONENTS: Final = ("greedy", "ismcts:iterations=40", "random")
"""Bots that decide within a second or two on the pure engine in a browser."""
_ADVISER: Final = "ismcts:iterations=60"


_PLAN: Final = ReviewPlan(iterations=20, nodes=500)


def make_app_in_memory() -> Starlette:
    """Play and puzzles, for one visitor who is also the server."""
    play = Play(OPPONENTS, _ADVISER, _PLAN, has_analysis=False)
    puzzles = Puzzles(has_analysis=False)
    return Starlette(routes=[*play.routes(), *puzzles.routes(), PARTS], exception_handlers=PROBLEMS)
