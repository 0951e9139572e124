"""A real browser for tests: the Chromium of the system, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE: Final = 60_000
"""Milliseconds after which a page has failed, even on a busy machine."""
needs_browser: Final = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        # Its own sandbox needs rights that a container may not give.
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@dataclass
class Watched:
    """A page, and everything it said or asked for."""

    page: Page
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def open_page(chromium: Browser, url: str, width: int = 1280, dark: bool = False) -> Watched:
    page = chromium.new_page(
        viewport={"width": width, "height": 900}, color_scheme="dark" if dark else "light"
    )
    page.set_default_timeout(PATIENCE)
    watched = Watched(page)
    page.on("console", lambda message: watched.messages.append(message.text))
    page.on("pageerror", lambda error: watched.messages.append(str(error)))
    page.on("request", lambda request: watched.requests.append(request.url))
    page.goto(url)
    return watched


def accessibility_problems(page: Page) -> list[str]:
    """Serious and critical findings of axe-core."""
    found = Axe().run(page)["violations"]
    return [each["id"] for each in found if each["impact"] in ("serious", "critical")]
