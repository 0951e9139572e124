"""Turns the project's Markdown pages into pages of the site, with the links between them."""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token


@dataclass
class DocPage:
    """A page, and the files that it links to."""

    title: str
    body: str
    files: set[str] = field(default_factory=set)
    """Paths, from the project's folder, of pictures and sources that it needs."""


def doc_page(path: str, text: str, known: Sequence[str]) -> DocPage:
    """The page at that path of the project; `known`: the paths of all pages."""
    parser = MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(text)
    page = DocPage(title=path, body="")
    slugs: dict[str, int] = {}
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            words = tokens[number + 1].content
            token.attrSet("id", _slug(words, slugs))
            if token.tag == "h1" and page.title == path:
                page.title = _plain(words)
        for inner in token.children or ():
            _move_link(inner, path, known, page)
    rendered = parser.renderer.render(tokens, parser.options, {})
    page.body = rendered.replace("<table>", _SCROLL + "<table>").replace(
        "</table>", "</table></div>"
    )
    return page


_SCROLL = '<div class="scroll" tabindex="0" role="region" aria-label="Table">'


def _move_link(token: Token, path: str, known: Sequence[str], page: DocPage) -> None:
    """Let a link or picture point to the site's own copy of what it names."""
    key = {"link_open": "href", "image": "src"}.get(token.type)
    if key is None:
        return
    address = urlsplit(str(token.attrGet(key) or ""))
    if address.scheme or not address.path:
        return
    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), address.path))
    suffix = f"#{address.fragment}" if address.fragment else ""
    if target in known:
        token.attrSet(key, f"{address.path.removesuffix('.md')}.html{suffix}")
        return
    page.files.add(target)
    if token.type == "link_open":  # sources are shown as text
        token.attrSet(key, f"{address.path}.txt")


def _slug(words: str, taken: dict[str, int]) -> str:
    """The name of a heading in addresses, as code hosts make it."""
    plain = re.sub(r"[^\w\- ]", "", _plain(words).lower()).replace(" ", "-")
    count = taken.get(plain, 0)
    taken[plain] = count + 1
    return f"{plain}-{count}" if count else plain


def _plain(words: str) -> str:
    """The words of a heading without signs of Markdown."""
    return html.unescape(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", words).replace("`", ""))
