"""What users are shown imports from the public packages only, and these export what they say."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import get_args, get_type_hints

import pytest

import arena.adapters
from arena.cli.main import run
from bots import Bot
from tests.support.paths import ROOT

ADAPTERS = [f"arena.adapters.{name}" for name in arena.adapters.__all__]
GAMES = ("games", "games.hidden_leaders", "games.secrets")
PUBLIC = (*GAMES, "bots", "solver", "arena", "arena.adapters", *ADAPTERS)
OURS = {name.partition(".")[0] for name in PUBLIC}
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))


def imports(code: str) -> set[tuple[str, str]]:
    """(module, name) of everything of ours that the code imports."""
    taken: set[tuple[str, str]] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            taken |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            taken |= {(str(node.module), alias.name) for alias in node.names}
    return {(module, name) for module, name in taken if module.partition(".")[0] in OURS}


def check(code: str) -> None:
    for module, name in imports(code):
        assert module in PUBLIC, f"{module} is not a public package"
        assert name in importlib.import_module(module).__all__, f"{module} does not export {name}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_import_from_public_packages(page: Path) -> None:
    for code in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        check(code)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_examples_import_from_public_packages(example: Path) -> None:
    check(example.read_text(encoding="utf-8"))


def test_new_bots_import_from_public_packages(tmp_path: Path) -> None:
    assert run(["new-bot", "Miser", "--folder", str(tmp_path)]) == 0
    written = sorted(tmp_path.iterdir())
    assert [path.name for path in written] == ["miser.py", "test_miser.py"]
    for path in written:
        check(path.read_text(encoding="utf-8"))


TYPED = [
    *(getattr(Bot, name) for name in ("check_match", "start", "choose", "considered", "belief")),
    *(getattr(arena, name) for name in arena.__all__ if name.islower()),
]
PUBLIC_NAMES = {name for package in PUBLIC for name in importlib.import_module(package).__all__}
UNNEEDED = {"League"}
"""Accepted by run_league, for our own programs; others give a config."""


def classes_in(annotation: object) -> Iterator[type]:
    """The classes of ours that an annotation is made of."""
    if isinstance(annotation, list):
        for part in annotation:
            yield from classes_in(part)
    for part in get_args(annotation):
        yield from classes_in(part)
    if isinstance(annotation, type) and annotation.__module__.partition(".")[0] in OURS:
        yield annotation


@pytest.mark.parametrize("function", TYPED, ids=lambda function: function.__name__)
def test_types_of_signatures_are_public(function: FunctionType) -> None:
    """Or else a bot or script with annotations would have to import from private modules."""
    found = {
        kind.__name__ for hint in get_type_hints(function).values() for kind in classes_in(hint)
    }
    assert found - UNNEEDED <= PUBLIC_NAMES


@pytest.mark.parametrize("package", PUBLIC)
def test_every_exported_name_is_there(package: str) -> None:
    module = importlib.import_module(package)
    assert len(module.__all__) == len(set(module.__all__))
    for name in module.__all__:
        assert getattr(module, name) is not None
    with pytest.raises(AttributeError):
        _ = module.no_such_name
