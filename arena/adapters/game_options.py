"""Options of a game as one word, for libraries whose parameters are numbers and strings.

`rounds:2/first:0/deck:Shaky Sharpshooter+Flailing Knight`: numbers, names, and lists with `+`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.errors import GameError


def options_to_text(options: Mapping[str, object]) -> str:
    """The options as text; GameError for a value that cannot be written."""
    return "/".join(f"{name}:{_format(name, value)}" for name, value in sorted(options.items()))


def _format(name: str, value: object) -> str:
    if isinstance(value, str):
        text = value
    elif isinstance(value, Sequence):
        text = "+".join(str(item) for item in value) + ("+" if len(value) < 2 else "")
    else:
        text = str(value)
    if any(mark in text for mark in "/:,()="):
        raise GameError(f"the option {name} cannot be written in a parameter: {text}")
    return text


def options_from_text(text: str) -> dict[str, object]:
    """The options that a text says; GameError if it is none."""
    options: dict[str, object] = {}
    for part in filter(None, text.split("/")):
        name, colon, value = part.partition(":")
        if not colon or not name:
            raise GameError(f"options are written name:value/name:value, not {text!r}")
        options[name] = _parse(value)
    return options


def _parse(value: str) -> object:
    if "+" in value:
        return [item for item in value.split("+") if item]
    if value in ("True", "False"):
        return value == "True"
    if value.lstrip("-").isdigit():
        return int(value)
    return value
