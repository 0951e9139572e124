"""Bots, and what it takes to write one. A bot sees a View, never a State."""

from pathlib import Path
from runpy import run_path

# First, and by its path: a folder of the user's called `games` would break the imports below.
run_path(str(Path(__file__).parents[1] / "games/shadowing.py"))["require"]("games", "solver")

from bots.bot import Bot, Budget, Match  # noqa: E402
from bots.champion.model import BadModel, Model, load_model  # noqa: E402
from bots.options import BadOption, Option  # noqa: E402
from bots.runtime.loading import BadBot, load_bot  # noqa: E402
from bots.runtime.mid_game import bot_policy  # noqa: E402
from games.replay import Belief  # noqa: E402

__all__ = [
    "BadBot", "BadModel", "BadOption", "Belief", "Bot", "Budget", "Match", "Model", "Option",
    "bot_policy", "load_bot", "load_model",
]  # fmt: skip
