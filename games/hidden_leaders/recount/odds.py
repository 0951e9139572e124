"""The exact odds of the factions of some unseen cards, from the ways counted by `ways`.

The parts are put together; each way of them weighs as many histories as there are, times the
number of orders in which the second harbor can have dealt what was seen of it. Cards never named
then get their factions: one of the second harbor is a card that went in by name, or one that went
in unseen; one that was never seen is any of those never named.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import factorial, perm
from typing import Final

from games.hidden_leaders.recount.parts import (
    AGAIN,
    AT_PLACE,
    BY_FACTION,
    FRESH,
    TOO_MANY,
    CardWay,
    Codes,
    PlaceWanted,
    Uncounted,
    WaysPart,
    less_one,
)
from games.hidden_leaders.recount.ways import WaysTold
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import Zone

MOST_JOINT: Final = 60_000
"""Ways of all parts together, and ways to deal factions; more are not counted."""
MOST_WORK: Final = 2_000_000
"""Steps in which factions are dealt; more are not taken."""

Spot = tuple[int, int]
"""An unseen card: zone and index. In hands and the harbor, which have no order, the index only
tells cards apart."""
SpotKinds = tuple[int, ...]
"""The factions of each spot."""
_Joint = tuple[tuple[tuple[int, int], ...], Codes, int, int, int]
"""Spots (by number) and their codes, pool by faction, sunk, shown and raised cards."""
_Counts = tuple[tuple[int, int], ...]
"""Factions and how many cards have them."""
_Dealing = tuple[SpotKinds, _Counts, int, _Counts]
"""Factions dealt, and what is left: cards by name, cards unseen, cards never named."""


def faction_odds(told: WaysTold, spots: Sequence[Spot]) -> dict[SpotKinds, Fraction]:
    """The joint odds of the factions at these spots; Uncounted says why there are none."""
    while True:
        try:
            joint = _joint(told, spots)
            break
        except PlaceWanted as place:
            told.wanted.add(place.place)
            told.tell_all()
    never = _by_faction(told, told.unnamed)
    odds: defaultdict[SpotKinds, Fraction] = defaultdict(Fraction)
    total = 0
    weights: list[tuple[_Joint, int]] = []
    for way, count in joint.items():
        _, _, sunk, shown, raised = way
        if raised > sunk or shown > told.reshuffled:
            continue
        weight = count * factorial(told.reshuffled - shown) * perm(sunk, raised)
        weights.append((way, weight))
        total += weight
    dealt: dict[tuple[Codes, Codes, int], dict[SpotKinds, int]] = {}
    # Whole numbers, by what they must be divided by in the end: fractions are slow to add.
    sums: defaultdict[int, Counter[SpotKinds]] = defaultdict(Counter)
    work = 0
    for (codes, pool, sunk, _, raised), weight in weights:
        key = tuple(code for _, code in codes), pool, sunk - raised
        if key not in dealt:
            dealt[key] = _dealt(*key, never)
        work += len(dealt[key])
        if work > MOST_WORK:
            raise Uncounted(TOO_MANY)
        counts = sums[sum(dealt[key].values())]
        for kinds, count in dealt[key].items():
            counts[kinds] += count * weight
    for ways, counts in sums.items():
        for kinds, count in counts.items():
            odds[kinds] += Fraction(count, ways * total)
    return dict(odds)


def _joint(told: WaysTold, spots: Sequence[Spot]) -> dict[_Joint, int]:
    """All parts together, as far as they say something about the spots or the second harbor."""
    certain: list[tuple[int, int]] = []
    places: dict[int, int] = {}
    hands: defaultdict[int, list[int]] = defaultdict(list)
    for number, (zone, index) in enumerate(spots):
        if zone == Zone.HARBOR:
            certain.append((number, AGAIN if told.again else FRESH))
        elif Zone.HAND <= zone < Zone.OPEN:
            hands[zone].append(number)
        elif told.piles[zone][index] < AT_PLACE:
            certain.append((number, _kind(told, told.piles[zone][index])))
        else:
            place = told.piles[zone][index] - AT_PLACE
            if place not in told.wanted:
                raise PlaceWanted(place)
            places[place] = number
    pool = tuple(sorted(_kind(told, code) for code in told.pool.elements()))
    start: _Joint = (tuple(certain), pool, told.sunk, told.shown, told.raised)
    joint = {start: 1}
    for hand, numbers in hands.items():
        if told.piles[hand]:
            whole = WaysPart()
            whole.bags.append(hand)
            whole.ways = {CardWay((tuple(told.piles[hand]),)): 1}
            joint = _product(joint, _reduced(told, whole, places, {hand: numbers}))
    for part in told.parts:
        joint = _product(joint, _reduced(told, part, places, hands))
    return joint


def _reduced(
    told: WaysTold, part: WaysPart, places: dict[int, int], hands: dict[int, list[int]]
) -> dict[_Joint, int]:
    """What the ways of a part come to."""
    reduced: defaultdict[_Joint, int] = defaultdict(int)
    for way, count in part.ways.items():
        laid = [
            (places[place], _kind(told, code))
            for place, code in zip(part.places, way.places, strict=True)
            if place in places
        ]
        drawn: dict[tuple[tuple[int, int], ...], int] = {tuple(laid): count}
        for bag, codes in zip(part.bags, way.bags, strict=True):
            kinds = tuple(_kind(told, code) for code in codes)
            drawn = _picked(drawn, hands.get(bag, []), kinds)
        pool = tuple(sorted(_kind(told, code) for code in way.pool)) if told.again else ()
        for cards, times in drawn.items():
            reduced[tuple(sorted(cards)), pool, way.sunk, way.shown, way.raised] += times
    return reduced


def _picked(
    drawn: dict[tuple[tuple[int, int], ...], int], numbers: list[int], codes: Codes
) -> dict[tuple[tuple[int, int], ...], int]:
    """Cards of a hand in any order, as many as are asked about."""
    left = {cards: {codes: count} for cards, count in drawn.items()}
    for number in numbers:
        following: dict[tuple[tuple[int, int], ...], dict[Codes, int]] = {}
        for cards, rests in left.items():
            for rest, count in rests.items():
                for code in set(rest):
                    more = following.setdefault((*cards, (number, code)), {})
                    smaller = less_one(rest, code)
                    more[smaller] = more.get(smaller, 0) + count * rest.count(code)
        left = following
    return {cards: sum(rests.values()) for cards, rests in left.items()}


def _product(one: dict[_Joint, int], other: dict[_Joint, int]) -> dict[_Joint, int]:
    product: defaultdict[_Joint, int] = defaultdict(int)
    if len(one) * len(other) > 20 * MOST_JOINT:
        raise Uncounted(TOO_MANY)
    for (a_codes, a_pool, *a), n in one.items():
        for (b_codes, b_pool, *b), k in other.items():
            codes = tuple(sorted(a_codes + b_codes))
            numbers = (x + y for x, y in zip(a, b, strict=True))
            sunk, shown, raised = numbers
            product[codes, tuple(sorted(a_pool + b_pool)), sunk, shown, raised] += n * k
            if len(product) > MOST_JOINT:
                raise Uncounted(TOO_MANY)
    return product


def _kind(told: WaysTold, code: int) -> int:
    """The factions of a card, or a code below 0 if it was never named."""
    if code < 0:
        return code
    if code >= BY_FACTION:
        return code - BY_FACTION
    return HEROES[code].faction & told.kinds


def _by_faction(told: WaysTold, cards: Iterable[int]) -> _Counts:
    return tuple(sorted(Counter(_kind(told, card) for card in cards).items()))


# ---- cards never named --------------------------------------------------------------------------


def _dealt(codes: Codes, pool: Codes, sunk: int, never: _Counts) -> dict[SpotKinds, int]:
    """The ways in which these cards can have been dealt, by their factions."""
    by_name = tuple(sorted(Counter(pool).items()))
    states: dict[_Dealing, int] = {((), by_name, sunk, never): 1}
    for code in codes:
        following: defaultdict[_Dealing, int] = defaultdict(int)
        for (kinds, named, unseen, free), ways in states.items():
            if code >= 0:
                following[(*kinds, code), named, unseen, free] += ways
                continue
            again = code == AGAIN
            if again:
                for kind, count in named:
                    following[(*kinds, kind), _less(named, kind), unseen, free] += ways * count
            sources = unseen if again else 1
            for kind, count in free if sources else ():
                key = (*kinds, kind), named, unseen - again, _less(free, kind)
                following[key] += ways * sources * count
        states = dict(following)
        if len(states) > MOST_JOINT:
            raise Uncounted(TOO_MANY)
    dealt: defaultdict[SpotKinds, int] = defaultdict(int)
    for (kinds, _, _, free), ways in states.items():
        # The other cards never named can lie in any order.
        dealt[kinds] += ways * factorial(_size(free))
    return dict(dealt)


def _size(counts: _Counts) -> int:
    return sum(count for _, count in counts)


def _less(counts: _Counts, kind: int) -> _Counts:
    return tuple((one, count - (one == kind)) for one, count in counts if count > 1 or one != kind)
