"""Plays games between bots: single games, leagues and A/B tests; reviews saved games.

    from arena import compare, play_game, review_game, run_league

The names are imported when they are first used, so that `import arena` stays fast.
"""

from importlib import import_module
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from arena.lab.compare import Comparison, compare
    from arena.lab.exploitability import exploitability
    from arena.league.runner import LeagueProgress
    from arena.league.start import run_league
    from arena.match.api import play_game
    from arena.match.referee import BotFault, Result
    from arena.review.game_review import GameReview, ReviewPlan
    from arena.review.reviewer import review_game
    from arena.stats.standings import Standings

# First, and by its path: a folder of the user's called `games` would break all other imports.
run_path(str(Path(__file__).parents[1] / "games/shadowing.py"))["require"](
    "games", "bots", "solver"
)

__all__ = [
    "BotFault", "Comparison", "GameReview", "LeagueProgress", "Result", "ReviewPlan", "Standings",
    "compare", "exploitability", "play_game", "review_game", "run_league",
]  # fmt: skip

_HOMES: Final = {
    "BotFault": "arena.match.referee",
    "Comparison": "arena.lab.compare",
    "GameReview": "arena.review.game_review",
    "LeagueProgress": "arena.league.runner",
    "Result": "arena.match.referee",
    "ReviewPlan": "arena.review.game_review",
    "Standings": "arena.stats.standings",
    "compare": "arena.lab.compare",
    "exploitability": "arena.lab.exploitability",
    "play_game": "arena.match.api",
    "review_game": "arena.review.reviewer",
    "run_league": "arena.league.start",
}


if not TYPE_CHECKING:  # or type checkers would accept any name

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module 'arena' has no attribute {name!r}")
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
