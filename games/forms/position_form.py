"""What can be edited in a position, for programs that offer fields and cards to click on."""

from __future__ import annotations

from typing import TypedDict


class NumberField(TypedDict):
    """A number of a position; a marker has the name it has on the track."""

    key: str
    least: int
    most: int


class PositionForm(TypedDict):
    """The fields of a game's notation; `games.reading.fields.split_fields` gives their values."""

    numbers: list[NumberField]
    seat: str
    """The field that says whose turn it is."""
    role: str
    """The part of a seat that names its secret role."""
    roles: list[str]
    rows: list[str]
    """The parts of a seat that hold cards."""
    parts: list[str]
    """Its other parts."""
    piles: list[str]
    """The fields that hold cards of nobody."""
    slots: list[str]
    """Those of them with fixed places, which may be empty."""
    derived: list[str]
    """Fields that follow from the others, and are left out after an edit."""
    cards: list[str]
    """For each face of the game's picture, the word for that card; empty if it has none."""
    single: bool
    """Whether every card exists once."""
    example: str
    """A position to begin with."""
