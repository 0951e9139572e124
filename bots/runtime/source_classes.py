"""Finds the classes of bots in a Python file by reading it: none of its code runs."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path
from typing import Final

_MOST_BYTES: Final = 1_000_000
_METHOD: Final = "choose"
"""What every bot has to define."""


def classes_in_source(file: Path) -> list[str]:
    """The classes that look like bots: based on a ...Bot or one another, or with a `choose`."""
    try:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # those of the author's text are not for this reader
            tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _is_bot(node, found):
            found.append(node.name)
    return found


def _is_bot(node: ast.ClassDef, found: list[str]) -> bool:
    bases = [base.attr if isinstance(base, ast.Attribute) else _name(base) for base in node.bases]
    methods = [each.name for each in node.body if isinstance(each, ast.FunctionDef)]
    return any(base.endswith("Bot") or base in found for base in bases) or _METHOD in methods


def _name(base: ast.expr) -> str:
    return base.id if isinstance(base, ast.Name) else ""
