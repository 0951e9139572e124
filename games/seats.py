"""Seat letters: what people, files and commands call a seat. A is seat 0."""

from __future__ import annotations

import re

from games.errors import GameError


def seat_name(seat: int) -> str:
    """The letter of a seat."""
    return chr(ord("A") + seat)


def seat_from_name(letter: str) -> int:
    """The seat with that letter, upper or lower case."""
    if not re.fullmatch("[A-Za-z]", letter):
        raise GameError(f"'{letter}' is not a seat; seats are letters, the first one is A")
    return ord(letter.upper()) - ord("A")
