"""One browser for all tests of a file; the pages that a test opened are closed after it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browser import browser


@pytest.fixture(scope="module")
def shared_browser() -> Iterator[Browser]:
    with browser() as opened:
        yield opened


@pytest.fixture
def chromium(shared_browser: Browser) -> Iterator[Browser]:
    before = shared_browser.contexts
    yield shared_browser
    for context in shared_browser.contexts:
        if context not in before:
            context.close()
