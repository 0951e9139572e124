"""Seat letters: what people, files and commands call a seat. A is seat 0."""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.errors import GameError


def seat_name(seat: int) -> str:
    return chr(ord("A") + seat)


def listed_seats(seats: Sequence[int]) -> str:
    """The letters of these seats: A, A and B, or A, B and C."""
    *most, last = map(seat_name, seats)
    return f"{', '.join(most)} and {last}" if most else last


def who(seat: int, reader: int) -> str:
    """The seat as the reader, who is a seat too, calls it."""
    return "you" if seat == reader else seat_name(seat)


def whose(seat: int, reader: int) -> str:
    return "your" if seat == reader else f"{seat_name(seat)}'s"


def seat_from_name(letter: str) -> int:
    """The seat with that letter, upper or lower case."""
    if not re.fullmatch("[A-Za-z]", letter):
        raise GameError(f"'{letter}' is not a seat; seats are letters, the first one is A")
    return ord(letter.upper()) - ord("A")
