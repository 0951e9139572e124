"""Rules of the games. Knows nothing of who plays, runs or solves them."""

# First of all, so that with ARENA_PURE=1 no compiled module is loaded.
from games import engine
