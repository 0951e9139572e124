"""A package that is installed, as far as Python can tell: its name, version and entry point."""

from pathlib import Path


def write_entry_point(folder: Path, package: str, group: str, point: str) -> None:
    """Into a folder that is on the path of modules, or will be; `point`: `name = module:thing`."""
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[{group}]\n{point}\n")
