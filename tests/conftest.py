"""Tests run on one engine, and never on one that does not fit its sources."""

import os

import pytest

from games.compiled import stale
from games.engine import COMPILED, engine_name


def pytest_configure() -> None:
    if os.environ.get("ARENA_PURE") == "1":
        return
    why = stale()
    if why:
        pytest.exit(why, returncode=3)


def pytest_report_header() -> str:
    return f"engine: {engine_name()}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if not COMPILED and item.get_closest_marker("compiled"):
        pytest.skip("needs the compiled engine")
