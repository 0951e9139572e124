"""Reads Python files of bots, and finds the classes in them: none of their code runs."""

from __future__ import annotations

import ast
import warnings
from pathlib import Path
from typing import Final

MOST_PARSED: Final = 1_000_000
"""Bytes; a syntax tree takes some 200 times the space of its text."""

_METHOD: Final = "choose"
"""What every bot has to define."""


def parse_source(file: Path) -> ast.Module | None:
    """The syntax tree of a file; None if it has none, or none that this process should bear.

    A stranger's file may be nested too deep for the parser, or be so long that its tree fills the
    memory.
    """
    try:
        if not file.is_file() or file.stat().st_size > MOST_PARSED:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # those of the author's text are not for this reader
            return ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def classes_in_source(file: Path) -> list[str]:
    """The classes that look like bots: based on a ...Bot or one another, or with a `choose`."""
    tree = parse_source(file)
    if tree is None:
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
