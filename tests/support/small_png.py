"""Makes screenshots small: PNG files with a palette of at most 256 colours.

The browser that took the picture reads its pixels; what is left is to write the file.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

_REDUCE: Final = Path(__file__).with_name("reduce_colours.js").read_text(encoding="utf-8")


def write_small(path: Path, png: bytes, page: Page) -> None:
    """Write a picture with fewer colours; any page may do the work."""
    found = page.evaluate(_REDUCE, b64encode(png).decode())
    width, height = found["width"], found["height"]
    indices = b64decode(found["indices"])
    rows = b"".join(b"\0" + indices[y * width : (y + 1) * width] for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", bytes(found["palette"])),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
