"""The arena: runs games between bots, measures, reports."""

from pathlib import Path
from runpy import run_path

# First, and by its path: a folder of the user's called `games` would break all other imports.
run_path(str(Path(__file__).parents[1] / "games/shadowing.py"))["require"](
    "games", "bots", "solver"
)
