"""Fixtures of the tests of leagues."""

from pathlib import Path

import pytest

from tests.arena.cli.conftest import arena

__all__ = ["arena", "file"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The run file of a test."""
    return tmp_path / "run.db"
