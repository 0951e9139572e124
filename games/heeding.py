"""A moment for Python to handle signals, for compiled loops that would else leave it none."""

from __future__ import annotations


def let_signals_in() -> None:
    """Do nothing, but not in compiled code: on the way, Ctrl-C gets its turn."""
