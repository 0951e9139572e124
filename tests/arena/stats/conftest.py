"""The fixture that runs commands, also for these tests."""

from tests.arena.cli.conftest import arena

__all__ = ["arena"]
