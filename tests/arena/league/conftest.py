"""Fixtures of the tests of leagues."""

from pathlib import Path

import pytest

from tests.arena.cli.conftest import arena, folder

__all__ = ["arena", "file", "folder"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The run file of a test."""
    return tmp_path / "run.db"
