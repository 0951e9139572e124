"""Which engine runs in this process: compiled or pure."""

from __future__ import annotations

from types import ModuleType

from games.hidden_leaders import state


def is_compiled(module: ModuleType) -> bool:
    return not str(module.__file__).endswith(".py")


COMPILED: bool = is_compiled(state)
"""Whether the rules in this process are machine code."""


def engine_name() -> str:
    """For reports: results are the same on both, speed is not."""
    return "compiled" if COMPILED else "pure"
