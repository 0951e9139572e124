"""The public names of games and its two games are complete, importable and loaded on demand."""

import ast
import importlib
from pathlib import Path

import pytest

from games.hidden_leaders.rules.cards import HEROES
from tests.support.interpreter import printed
from tests.support.paths import ROOT

PACKAGES = ("games", "games.hidden_leaders", "games.secrets")


def type_checked_names(package: str) -> set[str]:
    """The names that mypy sees: those imported under TYPE_CHECKING."""
    source = Path(str(importlib.import_module(package).__file__)).read_text()
    blocks = [node for node in ast.parse(source).body if isinstance(node, ast.If)]
    imports = [node for node in blocks[0].body if isinstance(node, ast.ImportFrom)]
    return {alias.asname or alias.name for node in imports for alias in node.names}


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_listed_typed_and_importable(package: str) -> None:
    module = importlib.import_module(package)
    names = set(module.__all__)
    assert len(names) == len(module.__all__)
    assert names - {"RULES_VERSION"} == type_checked_names(package) == set(module._HOMES)
    for name in names:
        assert getattr(module, name) is not None
    with pytest.raises(ImportError, match="cannot import name 'nonsense'"):
        exec(f"from {package} import nonsense")  # noqa: S102


@pytest.mark.parametrize("pure", ["0", "1"])
def test_importing_the_packages_loads_no_extension_module(pure: str) -> None:
    code = f"""
import sys
import {", ".join(PACKAGES)}
files = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
print([file for file in files if file.startswith({str(ROOT)!r}) and not file.endswith(".py")])
"""
    assert printed(code, ARENA_PURE=pure) == "[]"


def test_every_name_works_on_the_pure_engine() -> None:
    imports = "\n".join(f"from {package} import *" for package in PACKAGES)
    code = f"{imports}\nprint(Rng.__module__, Rng(1).below(10), len(HEROES), engine.COMPILED)"
    assert printed("from games import engine\n" + code, ARENA_PURE="1").endswith(
        f"{len(HEROES)} False"
    )


def test_a_stale_build_gets_one_sentence() -> None:
    code = """
from games import engine
engine.COMPILED, engine.stale = True, lambda: "games/state.py was edited after it was compiled"
try:
    from games import Rng
except ImportError as error:
    print(error)
"""
    assert printed(code) == "games/state.py was edited after it was compiled"
