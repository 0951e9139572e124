"""Rules of the games. Knows nothing of who plays, runs or solves them."""

import os

if os.environ.get("ARENA_PURE") == "1":
    # Before any other module is looked up: a process runs one engine, from start to end.
    from games.compiled import prefer_sources

    prefer_sources()
