"""Tests run on one engine, and never on one that does not fit its sources."""

import os

import pytest

from games.engine import stale


def pytest_configure() -> None:
    # Before anything of the engine is imported: a misfit may not even load.
    if os.environ.get("ARENA_PURE") != "1" and (why := stale()):
        pytest.exit(why, returncode=3)


def pytest_report_header() -> str:
    from games.engine import engine_name  # noqa: PLC0415

    return f"engine: {engine_name()}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    from games.engine import COMPILED  # noqa: PLC0415

    if not COMPILED and item.get_closest_marker("compiled"):
        pytest.skip("needs the compiled engine")
