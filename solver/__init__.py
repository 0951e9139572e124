"""Exact answers: what every move of a position is worth, and what proves it.

Searches, certificates and questions know the games only by their contract. What makes puzzles and
cases to be compared has to know what is interesting, and so knows Hidden Leaders.
"""

from pathlib import Path
from runpy import run_path

# First, and by its path: a folder of the user's called `games` would break all other imports.
run_path(str(Path(__file__).parents[1] / "games/shadowing.py"))["require"]("games")
