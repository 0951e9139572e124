"""Writing output files, with errors that name the file, and digests of files."""

import tempfile
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
    try:
        _try_to_write(file)
    except OSError as error:
        raise GameError(f"{file} cannot be written: {error.strerror}") from None


def _try_to_write(file: Path) -> None:
    """OSError says why the file cannot be written; nothing changes."""
    if not file.exists():
        tempfile.TemporaryFile(dir=file.parent).close()
    elif file.is_file():
        file.open("ab").close()


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
