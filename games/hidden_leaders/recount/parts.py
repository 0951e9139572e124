"""Ways in which the cards of some hands and places can lie, each with its number of histories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final, NamedTuple

from games.errors import GameError
from games.hidden_leaders.rules.constants import Zone

MOST_PART_WAYS: Final = 20_000
"""Ways of one part; more are not counted."""
TOO_MANY: Final = "there are too many ways in which the unseen cards can lie"
FRESH: Final = -2
AGAIN: Final = -3
BY_FACTION: Final = 100
"""BY_FACTION + factions: a card that was seen and is never named again."""
AT_PLACE: Final = 1000
"""AT_PLACE + p: in a pile, the card at place p."""

Codes = tuple[int, ...]


class Uncounted(GameError):
    """The ways cannot be counted; the message says why."""


class BadEvents(GameError):
    """No game can have shown a seat these events."""


class PlaceWanted(Exception):
    """What lies at this place matters after all; the events must be told again."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class CardWay(NamedTuple):
    """One way in which the cards of a part can lie."""

    bags: tuple[Codes, ...] = ()
    """The cards of each hand, sorted."""
    places: Codes = ()
    pool: Codes = ()
    """Until the reshuffle: cards in the wilderness. Then: cards of the second harbor by name."""
    sunk: int = 0
    shown: int = 0
    raised: int = 0


class WaysPart:
    """Some hands and places, and all ways in which their cards can lie."""

    def __init__(self) -> None:
        self.bags: list[int] = []
        self.places: list[int] = []
        self.ways: dict[CardWay, int] = {CardWay(): 1}

    def replace(self, ways: Iterator[tuple[CardWay, int]]) -> None:
        """These ways instead; those that come to the same are added up."""
        total: defaultdict[CardWay, int] = defaultdict(int)
        for way, count in ways:
            total[way] += count
            if len(total) > MOST_PART_WAYS:
                raise Uncounted(TOO_MANY)
        if not total:
            raise BadEvents("the cards that it names cannot all have been where they were seen")
        self.ways = dict(total)

    def names(self, card: int) -> bool:
        """Whether the card may be among those of this part."""
        return any(
            card in way.pool or card in way.places or any(card in bag for bag in way.bags)
            for way in self.ways
        )


OPEN_ZONES: Final = tuple(range(Zone.OPEN, Zone.HIDDEN))


def is_bag(zone: int) -> bool:
    return zone == Zone.DRAWN or Zone.HAND <= zone < Zone.OPEN


def with_code(codes: Codes, code: int) -> Codes:
    return tuple(sorted((*codes, code)))


def less_one(codes: Codes, code: int) -> Codes:
    at = codes.index(code)
    return codes[:at] + codes[at + 1 :]


def changed(bags: tuple[Codes, ...], at: int, bag: Codes) -> tuple[Codes, ...]:
    return (*bags[:at], bag, *bags[at + 1 :])
