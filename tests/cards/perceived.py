"""What a seat saw of cards moving and being looked at, in words."""

from __future__ import annotations

from games.hidden_leaders.drawing import card_name, seat_letter
from games.hidden_leaders.words import (
    ASIDE,
    DRAWN,
    E_MOVE,
    E_SEEN,
    GRAVEYARD,
    HAND,
    HARBOR,
    HIDDEN,
    OPEN,
    TAVERN,
    WILDERNESS,
)
from tests.scenario import Scenario

_PLACES = {
    HARBOR: "harbor",
    WILDERNESS: "wilderness",
    GRAVEYARD: "graveyard",
    TAVERN: "tavern",
    ASIDE: "aside",
    DRAWN: "drawn",
}


def perceived(game: Scenario, seat: int) -> list[str]:
    """The seat's news: 'card: from > to' and 'card seen: place', with ? for a card not shown.

    Hidden heroes and tavern cards carry their number, counted from 1, where the event tells it.
    """
    lines = []
    for kind, *rest in game.events(seat):
        if kind == E_MOVE:
            source, i, target, j, card = rest
            lines.append(f"{card_name(card)}: {_place(source, i)} > {_place(target, j)}")
        elif kind == E_SEEN:
            zone, index, card = rest
            lines.append(f"{card_name(card)} seen: {_place(zone, index)}")
    return lines


def _place(zone: int, index: int) -> str:
    number = f" {index + 1}" if index >= 0 and (zone == TAVERN or zone >= HIDDEN) else ""
    if zone in _PLACES:
        return _PLACES[zone] + number
    for base, word in ((HIDDEN, "hidden"), (OPEN, "open"), (HAND, "hand")):
        if zone >= base:
            return f"{word} {seat_letter(zone - base)}{number}"
    raise AssertionError(f"no zone {zone}")
