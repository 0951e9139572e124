"""Detects a file or folder of the user's that hides one of our packages from Python's imports.

Python looks for modules in the folder of the script, or in the current folder, first. The packages
run this file by its path, because `games` may be the package that is hidden.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]


def hidden_package(*packages: str) -> str:
    """One sentence about the first package that Python would not find beside us; "" if none."""
    for package in packages:
        spec = find_spec(package)
        origin = Path(spec.origin) if spec is not None and spec.origin is not None else None
        if origin is not None and origin.resolve().parent != _ROOT / package:
            hiding = origin.parent if origin.stem == "__init__" else origin
            return (
                f"{hiding} hides the package {package!r} of the arena; "
                "rename it, or run from another folder"
            )
    return ""


def require(*packages: str) -> None:
    """Refuse to import what would fail: as a command with one line, elsewhere by an ImportError."""
    problem = hidden_package(*packages)
    if not problem:
        return
    # While `python -m` looks for the program, its argument is "-m".
    if Path(sys.argv[0]).stem in ("-m", "arena"):
        print(f"arena: {problem}", file=sys.stderr)
        sys.exit(2)
    raise ImportError(problem)
