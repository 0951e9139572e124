"""Where the leagues, puzzles and endings bundled with the arena lie."""

from __future__ import annotations

from pathlib import Path

from games.engine import ROOT


def bundled(name: str) -> Path:
    """A file or folder of `configs/`: beside the packages in a checkout, inside `arena` installed.

    `configs` is too common a name to install as a package of its own.
    """
    installed = ROOT / "arena" / "configs"
    return (installed if installed.is_dir() else ROOT / "configs") / name
