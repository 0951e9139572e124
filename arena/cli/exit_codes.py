"""Exit codes of every command; `arena compare` adds its own verdicts."""

from typing import Final

FAILED: Final = 1
"""The command ran and its answer is no, incomplete or not exact."""
INVALID: Final = 2
"""The command cannot run with this input."""
INTERRUPTED: Final = 130
"""Ctrl-C, as shells report it."""
TERMINATED: Final = 143
"""SIGTERM, by which services and containers are stopped, as shells report it."""
PIPE_CLOSED: Final = 141
"""Nobody reads the output any more (`arena ... | head`), as shells report it."""
