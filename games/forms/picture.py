"""A table as plain data that any program can draw: tracks, piles, seats, cards and choices.

A game describes itself once by its `Faces`, and every table by a `TablePicture`. Everything in them
is JSON. Cards are numbers: the index of a face, or BACK for a card that is not known, or GAP for an
empty slot.
"""

from __future__ import annotations

from typing import Final, TypedDict

BACK: Final = -1
GAP: Final = -2


class CardKind(TypedDict):
    """What a card or role belongs to, such as a faction: told by colour and by sign."""

    name: str
    hue: int
    """Of its colour, in degrees."""
    sign: str
    """The outline of its sign: an SVG path in a square of 24 by 24."""


class Face(TypedDict):
    """The front of a card."""

    name: str
    kinds: list[int]
    """Indices of its kinds."""
    corner: str
    """A few characters that say most, such as `R+1`."""
    text: str
    """What it does."""
    rulings: list[str]


class Faces(TypedDict):
    """All that the tables of a game refer to."""

    kinds: list[CardKind]
    cards: list[Face]
    roles: dict[str, list[int]]
    """Name of a role -> indices of its kinds."""


class TrackPicture(TypedDict):
    """Markers on a row of numbered spaces."""

    name: str
    first: int
    last: int
    zone: list[int]
    """The first and last space of a part that is special."""
    zone_name: str
    markers: list[tuple[str, int]]
    """Name and space of each marker."""
    kind: int
    """The kind that is ahead as the markers stand; -1 if none is."""
    says: str
    """What that means, in a sentence."""


class Pile(TypedDict):
    """Cards that belong to nobody."""

    name: str
    size: int
    cards: list[int]
    """Those worth showing: all of a short row, only the top of a stack."""
    kind: int
    """The kind that `says` is about; -1 if it is about none."""
    says: str


class CardRow(TypedDict):
    """Cards of one seat."""

    name: str
    cards: list[int]
    of: int
    """How many of them end the game; 0 if their number does not matter."""


class SeatPicture(TypedDict):
    """One seat and what lies before it."""

    role: str
    """Empty if it is not known."""
    facts: list[str]
    rows: list[CardRow]


class PictureChoice(TypedDict):
    """A legal move, and what it touches on the table."""

    move: int
    text: str
    cards: list[int]
    seats: list[int]
    spots: list[tuple[int, str, int]]
    """Single cards by their place: seat, name of the row, index; for seat -1, name of the pile."""


class TablePicture(TypedDict):
    """A table, as far as somebody knows it."""

    headline: str
    text: str
    """The table in lines of text, for a game that describes it in no other way."""
    turn: int
    """The seat whose turn it is; -1 if it is nobody's."""
    decides: int
    """The seat that must choose; -1 if chance must, or if the game is over."""
    over: bool
    tracks: list[TrackPicture]
    piles: list[Pile]
    seats: list[SeatPicture]


def no_faces() -> Faces:
    """For a game without cards."""
    return Faces(kinds=[], cards=[], roles={})


def pile(
    name: str, cards: list[int], size: int | None = None, says: str = "", kind: int = -1
) -> Pile:
    size = len(cards) if size is None else size
    return Pile(name=name, size=size, cards=cards, kind=kind, says=says)


def row(name: str, cards: list[int], of: int = 0) -> CardRow:
    return CardRow(name=name, cards=cards, of=of)
