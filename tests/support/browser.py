"""A real browser for tests: the Chromium of the system, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final

import pytest
from axe_core_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM: Final = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE: Final = 60_000
"""Milliseconds after which a page has failed, even on a busy machine."""
DESK: Final = 1280
PHONE: Final = 420
# What passes is not described: that would take most of the time.
_RUN_AXE: Final = """async (runOnly) => {
  const options = { resultTypes: ["violations"], ...(runOnly.length ? { runOnly } : {}) };
  const { violations } = await axe.run(document, options);
  return violations.filter((each) => ["serious", "critical"].includes(each.impact))
    .map((each) => `${each.id}: ${each.nodes[0].html.slice(0, 120)}`);
}"""
LOOKS: Final = ("color-contrast", "link-in-text-block", "scrollable-region-focusable")
"""Rules of axe-core that depend on colours or on the width of the page; the others do not."""
needs_browser: Final = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        # Its own sandbox needs rights that a container may not give.
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


class QuietHandler(SimpleHTTPRequestHandler):
    """Does not report its requests."""

    def log_message(self, *_args: object) -> None:
        pass


@contextmanager
def served_folder(folder: Path) -> Iterator[str]:
    """A web server for the files of a folder; its address."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@dataclass
class Watched:
    """A page, and everything it said or asked for."""

    page: Page
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def open_page(chromium: Browser, url: str, width: int = 1280, dark: bool = False) -> Watched:
    page = chromium.new_page(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",  # frames of animations are most of the work without a GPU
    )
    page.set_default_timeout(PATIENCE)
    watched = Watched(page)
    page.on("console", lambda message: watched.messages.append(message.text))
    page.on("pageerror", lambda error: watched.messages.append(str(error)))
    page.on("request", lambda request: watched.requests.append(request.url))
    page.goto(url)
    return watched


def accessibility_problems(page: Page, *rules: str) -> list[str]:
    """Serious and critical findings of axe-core, which checks these rules or all that it knows."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return list(page.evaluate(_RUN_AXE, rules))


def page_problems(page: Page) -> list[str]:
    """What is wrong with a page on a desk by day and on a phone by night; it is left as that."""
    problems = []
    for width, scheme, rules in ((DESK, "light", ()), (PHONE, "dark", LOOKS)):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        if page.evaluate("document.documentElement.scrollWidth") > width:
            problems.append(f"scrolls sideways at {width} px")
        problems += [f"{each} ({scheme})" for each in accessibility_problems(page, *rules)]
    return problems
