"""Faults are reported by commands as well."""

from tests.arena.cli.conftest import arena

__all__ = ["arena"]
