"""How lines between the arena and a bot in a process of its own are written and read.

Every line is one JSON object with a `type`. docs/protocol.md lists them all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from bots.runtime.faults import BotFailure, FaultKind, told

VERSION: Final = 1
"""Rises whenever a bot written for the page as it was would be misunderstood."""

MOST_LINE: Final = 1 << 16
"""Bytes of an answer. A move with its reason needs some hundred."""


def encode(message: Mapping[str, object]) -> bytes:
    """One line, ASCII only: bots need not know of encodings."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def decode(line: bytes) -> dict[str, object]:
    """The object in a line; Breakdown if there is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        shown = told(line.decode("utf-8", "replace"))
        raise BotFailure(
            FaultKind.PROTOCOL, f"wrote {shown}, which is not a JSON object on one line"
        )
    return message
