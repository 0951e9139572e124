"""Files that commands write: their places looked at first, and complaints that name them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from games.errors import GameError


def check_place(file: Path | None) -> None:
    """GameError if the file, should there be one, could not be written."""
    if file is None:
        return
    if not file.parent.is_dir():
        raise GameError(f"{file}: there is no folder {file.parent} to write it into")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise GameError(f"{file} cannot be written: it is not allowed here")


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Whatever the system says against writing there is one sentence that names the place."""
    try:
        yield
    except OSError as error:
        where = error.filename or place
        raise GameError(f"{where} cannot be written: {error.strerror}") from None


def write_file(file: Path, text: str) -> None:
    with writing(file):
        file.write_text(text, encoding="utf-8")
