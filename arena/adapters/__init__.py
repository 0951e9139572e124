"""Doors to other libraries: PettingZoo, OpenSpiel, numpy and Parquet. Each needs its extra.

The modules are loaded when they are first asked for: `from arena.adapters import openspiel`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.adapters import (
        openspiel,
        openspiel_bots,
        openspiel_tree,
        pettingzoo,
        policy_bots,
        selfplay,
    )

__all__ = [
    "openspiel",
    "openspiel_bots",
    "openspiel_tree",
    "pettingzoo",
    "policy_bots",
    "selfplay",
]

if not TYPE_CHECKING:  # or type checkers would accept any name

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'arena.adapters' has no attribute {name!r}")
        return import_module(f"arena.adapters.{name}")
