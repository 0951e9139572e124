"""The server's pages answered inside a browser: Python runs there, and no server is asked.

A page of the site holds a Python interpreter in a worker (`parts/python_worker.js`). A service
worker catches the requests of the pages that it shows, and they are answered here. The pages are
those of `arena serve`, written for the root of a server; addresses in them are moved below the
folder in which the site lies.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import anyio.to_thread
from starlette.applications import Starlette
from starlette.types import Message

from arena.web.server.in_memory import make_app_in_memory

NAVIGATION: Final = re.compile(r'<nav class="site".*?</nav>', re.DOTALL)
"""The server's own links to its pages: the site has others around them."""
_IN_HTML: Final = re.compile(r'\b(href|src|action)="/(?!/)')
_IN_SCRIPTS: Final = re.compile(r"""(["'`])/(?=(?:play|puzzles|parts)\b)""")
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'"
)
_KEPT_HEADERS: Final = ("content-type", "content-disposition", "location")


@cache
def app() -> Starlette:
    """The pages that need nothing but the rules, the bots and the solver."""
    if sys.platform == "emscripten":
        anyio.to_thread.run_sync = _run_here
    return make_app_in_memory()


async def _run_here(function: Callable[..., Any], *args: Any, **_options: Any) -> Any:
    """What Starlette does in threads, where there are none."""
    return function(*args)


async def answer(method: str, path: str, query: str, body: str, base: str) -> str:
    """Answer a request for a path below the base; status, headers and content as JSON."""
    received: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body.encode(), "more_body": False}

    async def send(message: Message) -> None:
        received.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "scheme": "http",
        "headers": [(b"content-type", b"application/json")],
    }
    await app()(scope, receive, send)
    start = received[0]
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    content = b"".join(message.get("body", b"") for message in received[1:]).decode()
    kept = {name: headers[name] for name in _KEPT_HEADERS if name in headers}
    if "x-own-policy" not in headers:  # pages of one file have a stricter one in their heads
        kept["content-security-policy"] = _POLICY
    if kept.get("location", "").startswith("/"):
        kept["location"] = base + kept["location"][1:]
    text = moved(content, headers.get("content-type", ""), base)
    return json.dumps({"status": start["status"], "headers": kept, "content": text})


def moved(content: str, kind: str, base: str) -> str:
    """The content with addresses from the root of the server moved below the base."""
    if kind.startswith("text/html"):
        return _IN_HTML.sub(rf'\1="{base}', NAVIGATION.sub("", content))
    if kind.startswith(("text/javascript", "application/json")):
        return _IN_SCRIPTS.sub(rf"\1{base}", content)
    return content
