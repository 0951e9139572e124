"""The frame of every page of the site: head, policy and the links at the top."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Final

TITLE: Final = "Hidden Leaders Arena"
LINKS: Final = (
    ("app.html#/play", "Play", "play"),
    ("app.html#/puzzles", "Puzzles", "puzzles"),
    ("cards/index.html", "Cards", ""),
    ("sample/game.html", "A game", ""),
    ("sample/report.html", "A league", ""),
    ("docs.html", "Docs", ""),
)
"""Address from the site's folder, words, and the page in the frame of `app.html`."""
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"
)


def site_page(
    path: str,
    title: str,
    body: str,
    styles: Sequence[str] = (),
    script: str = "",
    body_class: str = "",
) -> str:
    """The page at that path of the site; styles and scripts are named from the site's folder."""
    up = "../" * path.count("/")
    links = "".join(_link(up, path, *link) for link in LINKS)
    sheets = "".join(
        f'<link rel="stylesheet" href="{up}{name}">'
        for name in ("parts/base.css", "parts/site.css", *styles)
    )
    module = f'<script type="module" src="{up}{script}"></script>' if script else ""
    kind = f' class="{body_class}"' if body_class else ""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">'
        f"<title>{html.escape(title)}</title>{sheets}</head>\n<body{kind}>"
        f'<nav class="top" aria-label="Site"><a class="home" href="{up}index.html">{TITLE}</a>'
        f"{links}</nav>\n{body}\n{module}</body></html>\n"
    )


def _link(up: str, path: str, address: str, words: str, page: str) -> str:
    inside = f' data-page="{page}"' if page and path == "app.html" else ""
    here = ' aria-current="page"' if address == path else ""
    return f'<a href="{up}{address}"{inside}{here}>{words}</a>'
