"""The two engines, compiled and pure: which one runs, and whether it matches its sources.

The hot modules are ordinary Python files that mypyc compiles into extension modules beside them.
Python prefers the extension, silently, even if the source was edited since. So every build leaves
a record of the sources it was made from, and `stale` compares them. With ARENA_PURE=1,
`prefer_sources` reverses Python's preference. Sources are loaded with constants written in
(games/inlining.py). This module imports nothing that may be compiled.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from games.inlining import InliningLoader

ROOT = Path(__file__).parent.parent
"""The folder that holds the packages: the checkout, or site-packages."""

SUFFIX: str = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
"""File suffix of extension modules for the running Python; others are ignored."""

HOT_PACKAGES = ("games", "bots", "solver")
"""The top-level packages that may hold compiled modules, whether or not a build left a record."""

REBUILD = "rebuild with `make compile`, or run the sources as they are with ARENA_PURE=1"


def built_from(root: Path = ROOT) -> dict[str, str]:
    """Source file -> its SHA-256 when it was compiled for the running Python; empty if none was."""
    record = root / "games" / f"compiled{SUFFIX}.json"
    if not record.exists():
        return {}
    try:
        built: dict[str, str] = json.loads(record.read_text())
    except ValueError:  # cut short by a full disk or a power failure: as good as none
        return {}
    return built


def stale(root: Path = ROOT) -> str:
    """One sentence on why the compiled modules must not be used; empty if they match."""
    built = built_from(root)
    compiled = {
        path.relative_to(root).as_posix().removesuffix(SUFFIX) + ".py"
        for package in HOT_PACKAGES
        for path in (root / package).rglob(f"*{SUFFIX}")
    }
    for source in sorted(compiled | set(built)):
        if source not in compiled:
            return f"the compiled engine lacks {source}; {REBUILD}"
        if source not in built:
            return f"there is no record of what {source} was compiled from; {REBUILD}"
        if source_digest(root / source) != built[source]:
            return f"{source} was edited after it was compiled; {REBUILD}"
    return ""


def source_digest(source: Path) -> str:
    """SHA-256 of the file; of the empty string if there is no such file."""
    return hashlib.sha256(source.read_bytes() if source.exists() else b"").hexdigest()


class SourcesOnly:
    """A meta path finder that loads packages with compiled modules from their sources only.

    The shared library behind the compiled modules is then never loaded, so engines cannot mix.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """None leaves it to Python's own finders: other packages, and top-level names."""
        if path is None or name.partition(".")[0] not in self.names:
            return None
        for folder in path:
            finder = FileFinder(folder, (InliningLoader, SOURCE_SUFFIXES))
            spec = finder.find_spec(name, target)
            if spec is not None:
                return spec
        return None


def prefer_sources() -> None:
    """From now on, load modules from their sources even if they are compiled."""
    sys.meta_path.insert(0, SourcesOnly(HOT_PACKAGES))


def _is_compiled(module: str) -> bool:
    spec = find_spec(module)
    return spec is not None and not str(spec.origin).endswith(".py")


COMPILED: bool = os.environ.get("ARENA_PURE") != "1" and _is_compiled("games.state")
"""Whether the rules in this process are machine code."""

if not COMPILED:
    # Before any other module is imported: a process runs one engine from start to end.
    prefer_sources()


def engine_name() -> str:
    """For reports: results are the same on both engines, speed is not."""
    return "compiled" if COMPILED else "pure"


def let_signals_in() -> None:
    """Lets Python run signal handlers during long compiled loops: this call is interpreted."""


def load_public_name(package: str, homes: Mapping[str, str], name: str) -> object:
    """For a package's `__getattr__`: load a public name from the module that defines it.

    `homes` maps names to modules, or to "module:name" where the module has another name for it.
    Loading on demand keeps `import games` free of compiled modules, so that a stale build gets one
    sentence instead of a crash.
    """
    if name not in homes:
        raise AttributeError(f"module '{package}' has no attribute '{name}'")
    if COMPILED and (why := stale()):
        raise ImportError(why)
    module, _, original = homes[name].partition(":")
    value: object = getattr(import_module(f"{package}.{module}"), original or name)
    setattr(sys.modules[package], name, value)
    return value
