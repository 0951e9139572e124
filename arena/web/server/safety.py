"""Who may talk to the server: pages that it served itself, and nobody else.

A page of another site could make a visitor's browser send requests to a server on their machine.
So the Host must be one of ours (against names that are made to point here), and whatever changes
something must come from one of our own pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class OwnPagesOnly:
    """Refuses foreign requests, and adds the headers that keep foreign content out."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self.app = app
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal:
            await PlainTextResponse(refusal + "\n", 403)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                # A page of one file brings a stricter policy of its own, in its head.
                if not headers.get("X-Own-Policy"):
                    headers["Content-Security-Policy"] = _POLICY
                else:
                    del headers["X-Own-Policy"]
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _refusal(self, method: str, headers: Headers) -> str:
        host = headers.get("host", "")
        if host not in self.hosts:
            known = ", ".join(sorted(self.hosts))
            name = host.rpartition(":")[0] or host
            return (
                f"this server is not called '{host}'; it answers at {known}. If it should, start "
                f"it with: arena serve --allow-host {name}"
            )
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return f"requests from '{origin}' are not answered"
        if method not in ("GET", "HEAD") and origin is None:
            return "a request that changes something must come from one of the server's own pages"
        return ""
