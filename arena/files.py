"""Writing output files, with errors that name the file, and digests of files."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from games.errors import GameError


def check_writable(file: Path | None) -> None:
    """GameError if the file cannot be written; None is fine."""
    if file is None:
        return
    if not file.parent.is_dir():
        raise GameError(f"{file} cannot be written: there is no folder {file.parent}")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise GameError(f"{file} cannot be written: permission denied")


@contextmanager
def write_errors(place: Path) -> Iterator[None]:
    """Turn an OSError into a GameError that names the file."""
    try:
        yield
    except OSError as error:
        where = error.filename or place
        raise GameError(f"{where} cannot be written: {error.strerror}") from None


def file_digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def write_file(file: Path, text: str) -> None:
    with write_errors(file):
        file.write_text(text, encoding="utf-8")
