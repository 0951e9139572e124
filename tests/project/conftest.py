"""Tests of pages run commands as the tests of commands do."""

from tests.arena.cli.conftest import arena, folder

__all__ = ["arena", "folder"]
