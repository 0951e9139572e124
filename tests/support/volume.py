"""How many random cases a test tries.

`make test` tries a part of them, so that it answers in minutes, and `.ci/run` all of them.
`ARENA_TEST_VOLUME=10 make test` tries ten times as many.
"""

from __future__ import annotations

import os

from games.engine import COMPILED

FACTOR = float(os.environ.get("ARENA_TEST_VOLUME", "0.3"))
IS_FULL = FACTOR >= 1
"""Whether there are enough cases to expect every kind of them."""


def volume(compiled: int, pure: int | None = None) -> int:
    """That many on the compiled engine, all counted; the pure one is slower and may have fewer."""
    count = compiled if COMPILED or pure is None else pure
    return max(1, round(count * FACTOR))
