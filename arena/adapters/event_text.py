"""Events as one line of text, or as bytes: cheap to extend, to copy, to compare and to pickle."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Final

from games.view import EventTuple

PACKED_NUMBER: Final = "h"
"""16 bits with a sign; every number of an event fits."""
BYTES_PER_NUMBER: Final = 2


def add_events(text: str, events: Iterable[EventTuple]) -> str:
    """The text with these events at its end: `7 0 12;8 1 1 3;`."""
    return text + "".join(f"{' '.join(map(str, event))};" for event in events)


def parse_events(text: str) -> list[EventTuple]:
    """The events of a text; a leading `?` says that it does not start at the beginning."""
    lines = text.lstrip("?").split(";")[:-1]
    return [tuple(int(number) for number in line.split()) for line in lines]


def pack_events(events: Iterable[EventTuple]) -> bytes:
    """The events as numbers, each event after the number of its numbers."""
    numbers = array(PACKED_NUMBER)
    for event in events:
        numbers.append(len(event))
        numbers.extend(event)
    return numbers.tobytes()


def unpack_events(packed: bytes) -> list[EventTuple]:
    """The reverse of `pack_events`."""
    numbers = memoryview(packed).cast(PACKED_NUMBER)
    events: list[EventTuple] = []
    at = 0
    while at < len(numbers):
        end = at + 1 + numbers[at]
        events.append(tuple(numbers[at + 1 : end]))
        at = end
    return events
