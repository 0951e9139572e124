"""Who may import whom: the packages form a tree, and the rules know nobody."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.package_tree import draw, imported, module_name, package_graph, sources
from tests.support.paths import ROOT

MAY_IMPORT = {
    "games": {"games"},
    "solver": {"solver", "games"},
    "bots": {"bots", "games", "solver"},
    "arena": {"arena", "bots", "games", "solver"},
}
GAME_PACKAGES = tuple(f"games.{path.parent.name}" for path in (ROOT / "games").glob("*/game.py"))


@pytest.mark.slow
def test_packages_have_no_cycles_and_the_page_draws_them() -> None:
    page = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    try:
        drawn = draw(package_graph())
    except CycleError as error:
        pytest.fail(f"packages import each other in a circle: {' -> '.join(error.args[1])}")
    assert f"$ scripts/package-tree\n{drawn}```" in page, (
        "run scripts/package-tree and copy it there"
    )


@pytest.mark.slow
def test_modules_have_no_cycles() -> None:
    modules = {module_name(source): source for source in sources()}
    graph = {name: imported(source) & set(modules) - {name} for name, source in modules.items()}
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_only_what_lies_below_them(package: str) -> None:
    for source in sources(package):
        used = {name.partition(".")[0] for name in imported(source)} & set(MAY_IMPORT)
        assert used <= MAY_IMPORT[package], source


@pytest.mark.parametrize("package", ["arena", "bots", "solver"])
def test_games_are_known_by_the_registry_only(package: str) -> None:
    assert len(GAME_PACKAGES) > 1
    for source in sources(package):
        assert not [name for name in imported(source) if name.startswith(GAME_PACKAGES)], source


def test_nobody_imports_the_command_line_and_nobody_a_command() -> None:
    for source in sources("arena"):
        used = {name for name in imported(source) if name.startswith("arena.cli.")}
        if "cli" in source.parts:
            assert not [name for name in used if name.startswith("arena.cli.commands")], source
        else:
            assert source.name == "__main__.py" or not used, source


def test_the_rules_do_not_speak_of_bots() -> None:
    for source in sources("games"):
        text = source.read_text(encoding="utf-8")
        if source.name == "engine.py":  # it lists the packages that hold compiled modules
            text = text.replace('"bots"', "")
        assert not re.search(r"\bbots?\b", text, re.IGNORECASE), source


def public_names(source: Path) -> Iterator[str]:
    """Names that a module defines at its top level, without a leading underscore."""
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names = [name]
            case ast.Assign(targets=targets):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                names = [name]
            case _:
                names = []
        yield from (name for name in names if not name.startswith("_"))


@pytest.mark.slow
def test_a_public_name_is_defined_in_one_module_only() -> None:
    """The two games have parallel names; every module may have its own `log`.

    What stands in for another package has that package's names.
    """
    homes: dict[str, Counter[str]] = {}
    for source in sources():
        name = module_name(source)
        if name.startswith("arena.web.site.librt_"):
            continue
        family = next((game for game in GAME_PACKAGES if name.startswith(game)), "")
        for public in set(public_names(source)) - {"log"}:
            homes.setdefault(public, Counter())[family] += 1
    twice = {
        name: dict(counts)
        for name, counts in homes.items()
        if max(counts.values()) > 1 or (counts[""] and len(counts) > 1)
    }
    assert not twice
