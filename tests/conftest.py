"""Tests run on one engine, never on one that is older than its sources, and none waits for ever."""

import gc
import os
import shutil
import signal
import tempfile
from zlib import crc32

import pytest

from games.engine import COMPILED, engine_name, stale
from tests.support.paths import ROOT

# A shell that starts a command in the background lets it ignore Ctrl-C, and so would every child
# of ours: tests that press it would wait until they time out.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Leagues and comparisons have a worker per core, unless told otherwise. A test starts one, and more
# only if it says so: starting a process takes longer than most of these leagues do.
setattr(os, "cpu_count", lambda: 1)  # noqa: B010


def pytest_configure() -> None:
    # Commands keep a person's progress there: not in that of whoever runs the tests.
    os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="arena-tests-")
    # Before anything of the engine is imported: a stale build may not even load.
    if os.environ.get("ARENA_PURE") != "1" and (why := stale()):
        pytest.exit(why, returncode=3)


def pytest_unconfigure() -> None:
    shutil.rmtree(os.environ["XDG_DATA_HOME"], ignore_errors=True)


def pytest_report_header() -> str:
    return f"engine: {engine_name()}"


def pytest_runtest_setup(item: pytest.Item) -> None:
    if not COMPILED and item.get_closest_marker("compiled"):
        pytest.skip("needs the compiled engine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first, so that no worker is left alone with one at the end.

    These in no order of folders: tests that wait would else come all at once.
    """
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    mixed = {path: crc32(str(path.relative_to(ROOT)).encode()) for path in slow}
    items.sort(key=lambda item: (item.path not in slow, mixed.get(item.path, 0)))


def pytest_collection_finish() -> None:
    """Tests are no garbage: looking through all of them again took a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
