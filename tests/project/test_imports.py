"""Who may import whom: the rules know nobody, players and solvers know the rules."""

import ast
import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT

OURS = ("games", "bots", "solver", "arena")
MAY_IMPORT = {
    "games": {"games"},
    "solver": {"solver", "games"},
    "bots": {"bots", "games", "solver"},
    "arena": {"arena", "bots", "games", "solver"},
}
SOURCES = [path for package in OURS for path in sorted((ROOT / package).rglob("*.py"))]


def imported(source: Path) -> set[str]:
    """Full names of the modules, and of what is taken out of them, in the file's imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source} uses a relative import"
            names.add(str(node.module))
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def name_of(source: Path) -> str:
    return source.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_packages_import_only_what_lies_below_them(source: Path) -> None:
    package = source.relative_to(ROOT).parts[0]
    used = {name.partition(".")[0] for name in imported(source)} & set(OURS)
    assert used <= MAY_IMPORT[package]


@pytest.mark.parametrize("source", SOURCES, ids=name_of)
def test_nobody_imports_the_command_line(source: Path) -> None:
    if name_of(source) != "arena/__main__.py":
        assert "arena.cli.main" not in imported(source)


@pytest.mark.parametrize("source", sorted((ROOT / "games").rglob("*.py")), ids=name_of)
def test_the_rules_do_not_speak_of_bots(source: Path) -> None:
    assert not re.search(r"\bbots?\b", source.read_text(), re.IGNORECASE)


OUTSIDE_GAMES = [path for path in SOURCES if path.relative_to(ROOT).parts[0] != "games"]


@pytest.mark.parametrize("source", OUTSIDE_GAMES, ids=name_of)
def test_arena_bots_and_solver_reach_games_through_the_registry_only(source: Path) -> None:
    games = tuple(f"games.{path.parent.name}" for path in (ROOT / "games").glob("*/game.py"))
    assert len(games) > 1
    assert not [name for name in imported(source) if name.startswith(games)]
