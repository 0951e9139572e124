"""Tests run on one engine, never on one that is older than its sources, and none waits for ever."""

import os
import signal

import pytest

from games.engine import COMPILED, engine_name, stale

# A shell that starts a command in the background lets it ignore Ctrl-C, and so would every child
# of ours: tests that press it would wait until they time out.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure() -> None:
    # Before anything of the engine is imported: a stale build may not even load.
    if os.environ.get("ARENA_PURE") != "1" and (why := stale()):
        pytest.exit(why, returncode=3)


def pytest_report_header() -> str:
    return f"engine: {engine_name()}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if not COMPILED and item.get_closest_marker("compiled"):
        pytest.skip("needs the compiled engine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first, so that no worker is left alone with one at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
