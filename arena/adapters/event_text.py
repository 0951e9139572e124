"""Events as one line of text: cheap to extend, to copy, to compare and to pickle."""

from __future__ import annotations

from collections.abc import Iterable

from games.view import EventTuple


def add_events(text: str, events: Iterable[EventTuple]) -> str:
    """The text with these events at its end: `7 0 12;8 1 1 3;`."""
    return text + "".join(f"{' '.join(map(str, event))};" for event in events)


def parse_events(text: str) -> list[EventTuple]:
    """The events of a text; a leading `?` says that it does not start at the beginning."""
    lines = text.lstrip("?").split(";")[:-1]
    return [tuple(int(number) for number in line.split()) for line in lines]
