"""Which of our packages import which, read off the import statements."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

from tests.support.paths import ROOT

OURS = ("games", "bots", "solver", "arena")
Graph = dict[str, set[str]]


def sources(package: str = "") -> list[Path]:
    """The source files of one package, or of all of them."""
    roots = [package] if package else OURS
    return [path for root in roots for path in sorted((ROOT / root).rglob("*.py"))]


@cache
def imported(source: Path) -> frozenset[str]:
    """Full names of the modules, and of what is taken out of them, in the file's imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source} uses a relative import"
            names.add(str(node.module))
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def module_name(source: Path) -> str:
    return ".".join(source.relative_to(ROOT).with_suffix("").parts)


def package_graph() -> Graph:
    """Package -> the packages whose modules its own modules import.

    A package's `__init__` and `__main__` are the way in from outside: they re-export, and do not
    count as a dependency of the modules beside them.
    """
    modules = {module_name(source): source for source in sources()}
    graph: Graph = {}
    for name, source in modules.items():
        package = name.rpartition(".")[0]
        edges = graph.setdefault(package, set())
        if source.stem not in ("__init__", "__main__"):
            used = imported(source) & set(modules)
            edges |= {module.rpartition(".")[0] for module in used} - {package}
    return graph


def below(graph: Graph, package: str) -> set[str]:
    """Everything that the package needs, directly or not."""
    return graph[package].union(*(below(graph, name) for name in graph[package]))


def draw(graph: Graph) -> str:
    """One line per package, each after those it needs; what follows from others is left out."""
    by_name = {name: sorted(graph[name]) for name in sorted(graph)}
    order = list(TopologicalSorter(by_name).static_order())
    lines = []
    for name in order:
        implied = set().union(*(below(graph, used) for used in graph[name]))
        needs = sorted(graph[name] - implied, key=order.index)
        lines.append(f"{name:<{max(map(len, order))}}  {' '.join(needs)}".rstrip())
    return "\n".join(lines) + "\n"
