"""What a seat perceived while a card was resolved, as lines short enough to compare."""

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
    """The seat's news, except public choices and the play of a card from hand.

    "Keen Koi: tavern 2 to A's hidden" is a card that moved, "?: harbor to drawn" one whose face
    the seat does not see, "Keen Koi: seen in B's hidden 1" one that stayed. Places are counted
    from 1; there is no number where order means nothing or the seat does not learn it. A secret
    choice is "A chooses in secret" to all other seats, and "B holds no Tribes" is a declaration.
    """
    lines = [_line(event) for event in game.events(seat)]
    return [line for line in lines if line]


def perceived_by_all(game: Scenario) -> list[str]:
    """The news of all seats, which must be the same."""
    first, *others = [perceived(game, seat) for seat in range(game.state.players)]
    assert all(news == first for news in others), f"{first} is not what others perceived: {others}"
    return first


def _line(event: tuple[int, ...]) -> str:
    kind = event[0]
    if kind == Event.MOVED:
        _, source, i, target, j, card = event
        played = Zone.HAND <= source < Zone.OPEN and source - Zone.HAND == target - Zone.OPEN
        if played:
            return ""
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
