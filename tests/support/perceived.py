"""What a seat perceived while a card was resolved, in words short enough to compare."""

from __future__ import annotations

from typing import Final

from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import FACTION_NAMES, Event, Zone
from games.seats import seat_name
from games.state import UNSEEN
from tests.support.scenario import Scenario

_PLACES: Final = {
    Zone.HARBOR: "harbor",
    Zone.WILDERNESS: "wilderness",
    Zone.GRAVEYARD: "graveyard",
    Zone.TAVERN: "tavern",
    Zone.ASIDE: "aside",
    Zone.DRAWN: "drawn",
}
_SEATS_PLACES: Final = ((Zone.HIDDEN, "hidden"), (Zone.OPEN, "open"), (Zone.HAND, "hand"))


def perceived(game: Scenario, seat: int) -> list[str]:
    """Cards moved or seen, choices kept secret, and hands said to be without a faction.

    "Keen Koi: tavern 2 to A's hidden" is a card that moved, "?: harbor to drawn" one the seat is
    not told, "Keen Koi: seen in B's hidden 1" one that stayed. Places are counted from 1; where a
    place has no order, or the seat is not told, there is no number. A public choice is left out,
    a secret one is "A chooses in secret" to everybody but the chooser.
    """
    words = [_words(event) for event in game.events(seat)]
    return [said for said in words if said]


def moved(game: Scenario, seat: int) -> list[str]:
    """The same without choices: only cards that moved or were seen."""
    news = [event for event in game.events(seat) if event[0] in (Event.MOVED, Event.SEEN)]
    return [_words(event) for event in news]


def _words(event: tuple[int, ...]) -> str:
    kind = event[0]
    if kind == Event.MOVED:
        _, source, i, target, j, card = event
        return f"{_card(card)}: {_place(source, i)} to {_place(target, j)}"
    if kind == Event.SEEN:
        _, zone, index, card = event
        return f"{_card(card)}: seen in {_place(zone, index)}"
    if kind == Event.CHOSE and event[2] == UNSEEN:
        return f"{seat_name(event[1])} chooses in secret"
    if kind == Event.NONE_HELD:
        return f"{seat_name(event[1])} holds no {FACTION_NAMES[event[2]]}"
    return "reshuffle" if kind == Event.RESHUFFLED else ""


def _card(card: int) -> str:
    return "?" if card == UNSEEN else HEROES[card].name


def _place(zone: int, index: int) -> str:
    numbered = index >= 0 and zone != Zone.ASIDE
    return f"{_zone(zone)} {index + 1}" if numbered else _zone(zone)


def _zone(zone: int) -> str:
    for base, name in _SEATS_PLACES:
        if zone >= base:
            return f"{seat_name(zone - base)}'s {name}"
    return _PLACES[zone]
