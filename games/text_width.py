"""How many columns of a terminal a text takes: some characters are two wide, some none."""

import unicodedata


def cells(text: str) -> int:
    """How many columns of a terminal the text takes."""
    return len(text) if text.isascii() else sum(map(_cell, text))


def _cell(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def beginning(text: str, columns: int) -> str:
    """As much of the text as fits into so many columns."""
    kept, used = "", 0
    for character in text:
        used += _cell(character)
        if used > columns:
            break
        kept += character
    return kept


def cut(text: str, columns: int) -> str:
    """The text in so many columns, with an ellipsis for what does not fit."""
    if cells(text) <= columns:
        return text
    return f"{beginning(text, columns - 1)}\u2026"
