"""Encodes and decodes the lines exchanged with a bot in its own process.

Every line is one JSON object with a `type`. docs/protocol.md lists the messages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from bots.runtime.faults import BotFailure, FaultKind, one_line

PROTOCOL_VERSION: Final = 1
"""Raised whenever a bot written for the previous version would misunderstand a message."""

MOST_LINE: Final = 1 << 16
"""Bytes allowed in an answer; a move with a reason needs a few hundred."""


def encode(message: Mapping[str, object]) -> bytes:
    """One line of ASCII, so that a bot need not handle encodings."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def decode(line: bytes) -> dict[str, Any]:
    """The object in a line; BotFailure if there is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        shown = one_line(line.decode("utf-8", "replace"))
        raise BotFailure(
            FaultKind.PROTOCOL, f"wrote {shown}, which is not a JSON object on one line"
        )
    return message
