"""Builds pages that are one file: styles, scripts and data inside, no request to anywhere.

The content security policy allows exactly the styles and scripts of the page, by their hashes.
"""

from __future__ import annotations

import html
import json
import re
import zlib
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files

_PARTS = files("arena.web") / "parts"


def part(name: str) -> str:
    """A style sheet, script or template of the pages."""
    return (_PARTS / name).read_text(encoding="utf-8")


def part_names() -> set[str]:
    """The names of all parts."""
    return {entry.name for entry in _PARTS.iterdir()}


def packed(data: object) -> str:
    """The data as compressed text, for a page to unpack."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    # The same bytes with every version of zlib that keeps to the format is not promised; with the
    # same machine and Python it is.
    squeezer = zlib.compressobj(9, wbits=-15)
    return b64encode(squeezer.compress(text) + squeezer.flush()).decode()


def one_file(
    title: str, body: str, styles: Sequence[str], scripts: Sequence[str], data: object = None
) -> str:
    """A page with these styles and scripts (names of parts), and data for the scripts."""
    style = "\n".join(part(name) for name in styles)
    script = joined(scripts)
    allowed = [f"style-src {_hash(style)}"]
    if script:
        allowed.append(f"script-src {_hash(script)}")
    policy = "; ".join(["default-src 'none'", *allowed, "base-uri 'none'", "form-action 'none'"])
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{html.escape(title)}</title>",
        f"<style>{style}</style>",
        "</head>",
        f"<body>\n{body}",
    ]
    if data is not None:
        lines.append(f'<script type="application/octet-stream" id="data">{packed(data)}</script>')
    if script:
        lines.append(f"<script>{script}</script>")
    return "\n".join([*lines, "</body>", "</html>", ""])


def joined(scripts: Sequence[str]) -> str:
    """Modules as one script: their imports of each other are not needed there."""
    if not scripts:
        return ""
    modules = [part(name) for name in scripts]
    text = "\n".join(re.sub(r"(?m)^import .*\n|^export (?=\w)", "", module) for module in modules)
    return f'"use strict";\n(() => {{\n{text}\n}})();\n'


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
