"""The two engines: which one runs in this process, and whether it matches its sources.

The hot modules are ordinary Python files that mypyc compiles into extension modules beside them.
Python prefers the extension, silently, even if the source was edited since. So every build leaves
a record of the sources it was made from, which `stale` compares. With ARENA_PURE=1,
`prefer_sources` reverses Python's preference. Nothing here imports a module that may be compiled.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import sysconfig
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent
"""What module names start from: the checkout, or the installation's library folder."""

SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
"""How extension modules of the running Python end; others are none of its business."""

REBUILD = "rebuild with `make compile`, or run the sources as they are with ARENA_PURE=1"


def built_from(root: Path = ROOT) -> dict[str, str]:
    """Source file -> its SHA-256 when it was compiled for the running Python; empty if none was."""
    record = root / "games" / f"compiled{SUFFIX}.json"
    if not record.exists():
        return {}
    built: dict[str, str] = json.loads(record.read_text())
    return built


def packages(built: dict[str, str]) -> set[str]:
    """The top-level packages that may hold compiled modules."""
    return {"games"} | {source.partition("/")[0] for source in built}


def stale(root: Path = ROOT) -> str:
    """One sentence on why the compiled modules must not be trusted; empty if all is well."""
    built = built_from(root)
    compiled = {
        path.relative_to(root).as_posix().removesuffix(SUFFIX) + ".py"
        for package in packages(built)
        for path in (root / package).rglob(f"*{SUFFIX}")
    }
    for source in sorted(compiled | set(built)):
        if source not in compiled:
            return f"the compiled engine lacks {source}: {REBUILD}"
        if source not in built:
            return f"nothing says from which source {source} was compiled: {REBUILD}"
        if digest(root / source) != built[source]:
            return f"{source} was edited after it was compiled: {REBUILD}"
    return ""


def digest(source: Path) -> str:
    """SHA-256 of the file; of nothing, if the file is gone."""
    return hashlib.sha256(source.read_bytes() if source.exists() else b"").hexdigest()


class SourcesOnly:
    """Finds modules of packages that may be compiled, and finds them only as sources.

    The shared library behind the compiled modules is then never asked for: engines cannot mix.
    """

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None where Python's own finders shall decide: other packages, and top-level names."""
        if path is None or name.partition(".")[0] not in self.names:
            return None
        for folder in path:
            finder = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
            spec = finder.find_spec(name, target)
            if spec is not None:
                return spec
        return None


def prefer_sources() -> None:
    """From now on, load from sources whatever could be loaded compiled."""
    sys.meta_path.insert(0, SourcesOnly(packages(built_from())))


def _is_compiled(module: str) -> bool:
    spec = find_spec(module)
    return spec is not None and not str(spec.origin).endswith(".py")


if os.environ.get("ARENA_PURE") == "1":
    # Before any other module is looked up: a process runs one engine, from start to end.
    prefer_sources()

COMPILED: bool = _is_compiled("games.state")
"""Whether the rules in this process are machine code."""


def engine_name() -> str:
    """For reports: results are the same on both engines, speed is not."""
    return "compiled" if COMPILED else "pure"


def let_signals_in() -> None:
    """Lets Python run signal handlers during long compiled loops: this call is interpreted."""
