"""Gets Pyodide, the Python interpreter for browsers, from the npm registry: pinned and checked."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from base64 import b64encode
from hashlib import sha512
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from games.errors import GameError

PYODIDE_VERSION: Final = "314.0.7"
INTEGRITY: Final = (
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+"
    "SNvi/6V5JEsOlD2R1A=="
)
"""Of the package, as the registry states it."""
PYODIDE_FILES: Final = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
_SECONDS: Final = 300


class NoPyodide(GameError):
    """Pyodide is not to be had; the message says why."""


def copy_pyodide(target: Path, cache: Path) -> None:
    """Put Pyodide's files into a folder; the package is fetched once and kept in the cache."""
    package = cache / f"pyodide-{PYODIDE_VERSION}.tgz"
    if not package.exists():
        cache.mkdir(parents=True, exist_ok=True)
        _fetch(package)
    _check(package)
    target.mkdir(parents=True, exist_ok=True)
    with tarfile.open(package) as archive:
        for name in PYODIDE_FILES:
            member = archive.extractfile(f"package/{name}")
            if member is None:
                raise NoPyodide(f"{package} has no {name}; delete it and run `make site` again")
            (target / name).write_bytes(member.read())


def _fetch(package: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise NoPyodide("npm is not installed, and Pyodide comes from its registry; install npm")
    with TemporaryDirectory() as folder:
        command = [
            npm,
            "pack",
            f"pyodide@{PYODIDE_VERSION}",
            "--silent",
            "--pack-destination",
            folder,
        ]
        try:
            done = subprocess.run(  # noqa: S603  # a command of our own
                command, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd=folder
            )
        except subprocess.TimeoutExpired:
            raise NoPyodide(f"npm did not answer within {_SECONDS} s; try again later") from None
        made = Path(folder, package.name)
        if done.returncode or not made.exists():
            why = (done.stderr.strip().splitlines() or ["npm failed"])[-1]
            raise NoPyodide(f"npm cannot fetch pyodide {PYODIDE_VERSION}: {why}; check the network")
        shutil.move(made, package)


def _check(package: Path) -> None:
    digest = b64encode(sha512(package.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != INTEGRITY:
        raise NoPyodide(
            f"{package} is not Pyodide {PYODIDE_VERSION}; delete it and run `make site` again"
        )
