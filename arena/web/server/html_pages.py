"""The frame of the server's pages: head, navigation, scripts and styles as files of the server."""

from __future__ import annotations

import html
from collections.abc import Sequence

from starlette.responses import HTMLResponse

_LINKS = (("/", "Runs"), ("/play", "Play"), ("/puzzles", "Puzzles"), ("/analysis", "Analysis"))

_CURRENT = ' aria-current="page"'


def served_page(
    title: str,
    body: str,
    styles: Sequence[str] = (),
    script: str = "",
    status: int = 200,
    here: str = "",
) -> HTMLResponse:
    """A page of the server; `script` is a module of `parts/`, `here` the link that leads here."""
    links = "".join(
        f'<a href="{address}"{_CURRENT if address == here else ""}>{name}</a>'
        for address, name in _LINKS
    )
    sheets = "".join(
        f'<link rel="stylesheet" href="/parts/{name}">'
        for name in ("base.css", "site.css", *styles)
    )
    module = f'<script type="module" src="/parts/{script}"></script>' if script else ""
    return HTMLResponse(
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>{html.escape(title)}</title>{sheets}</head>\n'
        f'<body><nav class="site" aria-label="Site">{links}</nav>\n{body}\n{module}'
        "</body></html>\n",
        status,
    )


def problem_page(problem: str, status: int) -> HTMLResponse:
    """A page that says what is wrong."""
    body = f'<main class="site"><h1>That does not work</h1><p>{html.escape(problem)}</p></main>'
    return served_page("That does not work", body, status=status)
