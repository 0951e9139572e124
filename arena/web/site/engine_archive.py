"""Packs what Python needs in the browser into one archive: our sources and a few packages."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Final

from games.bundled import bundled
from games.engine import ROOT
from games.errors import GameError
from games.extras import how_to_install

ARCHIVED_PACKAGES: Final = ("games", "solver", "bots", "arena")
DATA: Final = ("*.css", "*.js", "*.html", "*.json")
"""Files of our packages that are read besides sources."""
OTHER_PACKAGES: Final = ("mypy_extensions", "starlette", "anyio", "idna", "typing_extensions")
"""Pure Python packages of others that the pages import."""
_STAND_INS: Final = {
    "librt/vecs.py": "arena/web/site/librt_vecs.py",
    "librt/strings.py": "arena/web/site/librt_strings.py",
}
_LEFT_OUT: Final = ("arena/cli", "arena/training", "arena/league/cluster", "arena/web/site/parts")
_DATE: Final = (2020, 1, 1, 0, 0, 0)
"""Of every file, so that the same sources give the same bytes."""


def write_archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(_contents().items()):
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)


def _contents() -> dict[str, bytes]:
    """Name in the archive -> content."""
    contents = {"librt/__init__.py": b""}
    for name, source in _STAND_INS.items():
        contents[name] = (ROOT / source).read_bytes()
    for path in _own_files():
        contents[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    for path in bundled("puzzles").glob("*.toml"):
        contents[f"configs/puzzles/{path.name}"] = path.read_bytes()
    for package in OTHER_PACKAGES:
        contents |= _package(package)
    return contents


def _own_files() -> Iterator[Path]:
    for package in ARCHIVED_PACKAGES:
        for pattern in ("*.py", *DATA):
            for path in (ROOT / package).rglob(pattern):
                name = path.relative_to(ROOT).as_posix()
                compiled = path.name.startswith("compiled.")
                if not compiled and not name.startswith((*_LEFT_OUT, "arena/configs")):
                    yield path


def _package(name: str) -> dict[str, bytes]:
    """The sources of an installed package."""
    try:
        listed = files(name) or []
    except PackageNotFoundError:
        raise GameError(f"the site needs {name}; {how_to_install('site')}") from None
    return {
        str(file): file.locate().read_bytes()  # type: ignore[attr-defined]  # it is a path
        for file in listed
        if str(file).endswith(".py") and not str(file).startswith("..")
    }
