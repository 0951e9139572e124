"""The pure engine's constants: written into its code, and out of date with their namespaces."""

import ast
import dis
import os
import shutil
import sys
from pathlib import Path

import pytest

from games import inlining
from games.engine import ROOT
from games.inlining import Inliner, InliningLoader, inlined, namespace_sources, namespaces

NAMESPACES = {
    name: constants
    for source in namespace_sources().values()
    for name, constants in namespaces(ast.parse(source)).items()
    if constants
}
SOURCES = sorted(
    path for package in ("games", "bots", "solver") for path in (ROOT / package).rglob("*.py")
)


def left_in(path: Path) -> list[str]:
    """The constants of namespaces that a module's code would still look up."""
    tree = Inliner(parsed := ast.parse(path.read_bytes())).visit(parsed)
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.attr in NAMESPACES.get(node.value.id, ())
    ]


@pytest.mark.slow
def test_no_look_up_is_left_in_the_rules_and_searches() -> None:
    assert {"Zone", "Move", "Op", "Frame", "Where", "Token"} <= NAMESPACES.keys()
    assert {path.name: left for path in SOURCES if (left := left_in(path))} == {}


def test_code_holds_the_number_and_keeps_its_line() -> None:
    source = b"from games.hidden_leaders.rules.constants import Zone\n\nx = Zone.HAND\n"
    code = inlined(source, "example.py")
    scope: dict[str, object] = {}
    exec(code, scope)  # noqa: S102 - the three lines above
    assert scope["x"] == 6
    assert "HAND" not in code.co_names
    assert 3 in [line for _, line in dis.findlinestarts(code)]


def test_what_is_not_a_literal_integer_is_left_alone() -> None:
    source = "class A:\n    X: Final = 1\n    Y: Final = f()\n    Z: int = 2\n    T: Final = True\n"
    assert namespaces(ast.parse(source)) == {"A": {"X": 1}}


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module that uses a namespace, in a package of its own."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games/constants.py").write_text("class Zone:\n    HAND: Final = 6\n")
    path = tmp_path / "games/rules.py"
    path.write_text("from games.constants import Zone\n\n\ndef hand():\n    return Zone.HAND\n")
    monkeypatch.setattr(inlining, "_ROOT", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return path


def hand(path: Path) -> object:
    """What the module's function returns, as a new process would load it."""
    inlining.namespace_sources.cache_clear()
    inlining.namespaces_of.cache_clear()
    code = InliningLoader("games.rules", str(path)).get_code("games.rules")
    inlining.namespace_sources.cache_clear()
    inlining.namespaces_of.cache_clear()
    function = next(item for item in code.co_consts if hasattr(item, "co_consts"))
    return function.co_consts[-1]


def test_cached_code_is_remade_when_a_namespace_or_the_source_changes(module: Path) -> None:
    assert hand(module) == hand(module) == 6
    kept = list((module.parent / "__pycache__").iterdir())
    assert len(kept) == 1
    (module.parent / "constants.py").write_text("class Zone:\n    HAND: Final = 7\n")
    assert hand(module) == 7
    module.write_text(module.read_text().replace("Zone.HAND", "Zone.HAND + 1"))
    assert hand(module) == 8


def test_a_damaged_cache_is_remade_and_one_that_cannot_be_written_does_no_harm(
    module: Path,
) -> None:
    assert hand(module) == 6
    cache = module.parent / "__pycache__"
    next(cache.iterdir()).write_bytes(b"not code")
    assert hand(module) == 6
    shutil.rmtree(cache)
    cache.write_text("a file where the folder should be")
    assert hand(module) == 6


def test_a_cache_is_as_readable_as_its_source_since_isolated_bots_are_other_users(
    module: Path,
) -> None:
    previous = os.umask(0o022)
    try:
        assert hand(module) == 6
    finally:
        os.umask(previous)
    (cached,) = (module.parent / "__pycache__").iterdir()
    assert cached.stat().st_mode & 0o777 == 0o644


def test_no_cache_is_written_where_python_must_not_write_its_own(
    module: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert hand(module) == 6
    assert not (module.parent / "__pycache__").exists()
