"""Keeps test runs side by side apart: every module here has its own TMPDIR."""

import tempfile
from collections.abc import Iterator

import pytest

from tests.arena.cli.conftest import arena

__all__ = ["arena"]


@pytest.fixture(scope="module", autouse=True)
def temporary_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Scratch folders go there, and child processes inherit it: see tests/support/leftovers.py."""
    folder = tmp_path_factory.mktemp("temporary")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr(tempfile, "tempdir", str(folder))
        yield
