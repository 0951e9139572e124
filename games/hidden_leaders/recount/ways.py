"""Counts the ways in which unseen cards can lie, event by event, in whole numbers.

It follows the definition of the odds (docs/knowledge.md): every history that shows the seat the
same events weighs the same. It is written for checkers and shares nothing with `knowledge`.

Cards are *codes*. A card that some later event names has its own code. One that was seen but is
never named again counts by its factions only, and so does one that was never seen: it is `FRESH` if
it comes from the first harbor and `AGAIN` if from the second. Where a card leaves a hand unseen, a
*part* lists all ways, each with the number of histories. Places that no later event touches, and
that nobody asks about, are summed over at once.

After the reshuffle an `AGAIN` card is any card of the second harbor that has not been seen since:
one that went in by name (`CardWay.pool`), or one of those that went in unseen (`sunk`). `shown`
counts the cards of the second harbor seen since, `raised` those of them that went in unseen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from games.hidden_leaders.recount.parts import (
    AGAIN,
    AT_PLACE,
    BY_FACTION,
    FRESH,
    MOST_PART_WAYS,
    OPEN_ZONES,
    TOO_MANY,
    BadEvents,
    CardWay,
    Codes,
    PlaceWanted,
    Uncounted,
    WaysPart,
    changed,
    is_bag,
    less_one,
    with_code,
)
from games.hidden_leaders.rules.cards import EMPEROR, HEROES
from games.hidden_leaders.rules.constants import UNKNOWN_INDEX, Event, Limit, Zone
from games.state import UNSEEN
from games.view import EventTuple


class WaysTold:
    """The cards of one seat's game, as far as its events tell."""

    def __init__(
        self, seat: int, players: int, deck: tuple[int, ...], events: list[EventTuple], kinds: int
    ) -> None:
        """`kinds`: the factions by which cards are told apart."""
        self.seat = seat
        self.players = players
        self.deck = deck
        self.events = events
        self.kinds = kinds
        self.last_named = _last_named(events)
        self.wanted: set[int] = set()
        """Places that need a column."""
        self.tell_all()

    def tell_all(self) -> None:
        """From the first event to the last; again, whenever a place turns out to matter."""
        while True:
            try:
                self._start()
                for number, event in enumerate(self.events):
                    self.now = number
                    self._tell(event)
                return
            except PlaceWanted as place:
                self.wanted.add(place.place)
            except (IndexError, KeyError, ValueError):
                raise BadEvents(f"event {self.now} does not fit what came before it") from None

    def _start(self) -> None:
        self.now = 0
        self.piles: dict[int, list[int]] = {zone: [] for zone in range(Zone.COUNT)}
        self.piles[Zone.TAVERN] = [UNSEEN] * Limit.TAVERN
        self.unnamed = set(self.deck)
        """Cards that no event has named so far."""
        self.harbor = len(self.deck)
        if EMPEROR in self.deck:
            self.piles[Zone.GRAVEYARD].append(EMPEROR)
            self.unnamed.remove(EMPEROR)
            self.harbor -= 1
        self.parts: list[WaysPart] = []
        self.reshuffles_left = sum(event[0] == Event.RESHUFFLED for event in self.events)
        if self.reshuffles_left > 1:
            raise Uncounted("the harbor was reshuffled more than once")
        self.again = False
        """Whether the harbor was reshuffled."""
        self.pool: Counter[int] = Counter()
        """Outside parts, as in `CardWay`."""
        self.sunk = self.shown = self.raised = self.reshuffled = 0
        self.next_place = 0

    def _tell(self, event: EventTuple) -> None:
        kind = event[0]
        if kind == Event.MOVED:
            self._moved(*event[1:])
        elif kind == Event.SEEN and event[3] != UNSEEN:
            self._seen(event[1], event[2], event[3])
        elif kind == Event.RESHUFFLED:
            self._reshuffled()
        elif kind == Event.NONE_HELD and event[1] != self.seat:
            raise Uncounted("a seat has said that it holds no card of a faction")

    def code(self, card: int) -> int:
        """A card in a part: by its name only as long as that can matter."""
        if 0 <= card < BY_FACTION and self.last_named.get(card, -1) <= self.now:
            return BY_FACTION + (HEROES[card].faction & self.kinds)
        return card

    # ---- events -----------------------------------------------------------------------------

    def _moved(self, source: int, i: int, target: int, j: int, card: int) -> None:
        if source == Zone.GRAVEYARD and i == UNKNOWN_INDEX:
            self._taken_from_graveyard(target)
            return
        if is_bag(source):
            if card == UNSEEN:
                self._leaves_unseen(source, target, j)
                return
            self._leaves_seen(source, card)
            item = card
        elif source == Zone.HARBOR:
            self.harbor -= 1
            if self.harbor < 0:
                raise IndexError
            item = AGAIN if self.again else FRESH
            if card != UNSEEN:
                self._is(item, card)
                item = card
        elif source == Zone.TAVERN:
            item = self.piles[source][i]
            self.piles[source][i] = UNSEEN
        else:
            if card != UNSEEN:
                at = self.piles[source].index(card) if source in OPEN_ZONES else i
                self._seen(source, at, card)
                i = at
            item = self.piles[source].pop(i)
        if source in (Zone.TAVERN, *OPEN_ZONES) and (item != card or card < 0):
            raise ValueError
        self._arrives(target, j, item)

    def _arrives(self, target: int, j: int, item: int) -> None:
        if is_bag(target):
            self._enters(target, item)
        elif target == Zone.TAVERN:
            if self.piles[target][j] != UNSEEN:
                raise ValueError
            self.piles[target][j] = item
        elif j == UNKNOWN_INDEX or target in OPEN_ZONES:
            self.piles[target].append(item)
        else:
            self.piles[target].insert(j, item)

    def _seen(self, zone: int, index: int, card: int) -> None:
        """The card at that index is this one."""
        item = self.piles[zone][index]
        if item >= AT_PLACE:
            self._place_is(item - AT_PLACE, card)
        elif item < 0:
            self._is(item, card)
        elif item != card:
            raise ValueError
        self.piles[zone][index] = card

    def _reshuffled(self) -> None:
        """The wilderness is the new harbor."""
        if self.harbor:
            raise ValueError
        self.reshuffles_left -= 1
        self.again = True
        items = self.piles[Zone.WILDERNESS]
        self.harbor = self.reshuffled = len(items)
        for item in items:
            if item >= AT_PLACE:
                if item - AT_PLACE in self.wanted:
                    part = self._part_of_place(item - AT_PLACE)
                    self._drop_place(part, item - AT_PLACE, keep=True)
            elif item == FRESH:
                self.sunk += 1
            else:
                self.pool[self.code(item)] += 1
        self.piles[Zone.WILDERNESS] = []
        for part in self.parts:
            part.replace(
                (
                    way._replace(
                        pool=tuple(code for code in way.pool if code != FRESH),
                        sunk=way.pool.count(FRESH),
                    ),
                    count,
                )
                for way, count in part.ways.items()
            )

    # ---- an unseen card turns out to be this one ----------------------------------------------

    def _is(self, item: int, card: int) -> None:
        """A card outside parts turns out to be this one."""
        if card in self.unnamed:
            self.unnamed.remove(card)
            if item == AGAIN:
                self.shown += 1
                self.raised += 1
            return
        if item == FRESH:
            raise ValueError
        self.shown += 1
        if self.pool[card]:
            self.pool[card] -= 1
            return
        owner = self._owner(card)
        if owner is None:
            raise ValueError
        owner.replace(
            (way._replace(pool=less_one(way.pool, card)), count)
            for way, count in owner.ways.items()
            if card in way.pool
        )

    def _owner(self, card: int) -> WaysPart | None:
        return next((part for part in self.parts if part.names(card)), None)

    def _found(self, way: CardWay, codes: Codes, card: int) -> Iterator[tuple[int, CardWay, int]]:
        """Which of these codes of a way can be the card: the code, the way then, how often."""
        if card in codes:
            yield card, way, 1
            return
        if card in self.unnamed:
            yield FRESH, way, codes.count(FRESH)
            raised = way._replace(shown=way.shown + 1, raised=way.raised + 1)
            yield AGAIN, raised, codes.count(AGAIN)
        elif card in way.pool:
            left = less_one(way.pool, card)
            yield AGAIN, way._replace(pool=left, shown=way.shown + 1), codes.count(AGAIN)
        elif self.pool[card]:
            yield AGAIN, way._replace(shown=way.shown + 1), codes.count(AGAIN)

    def _named_now(self, card: int) -> None:
        """The card was seen in a part."""
        self.unnamed.discard(card)
        if self.pool[card]:
            self.pool[card] -= 1

    def _place_is(self, place: int, card: int) -> None:
        part = self._with_owner(self._part_of_place(place), card)
        p = part.places.index(place)
        part.replace(
            (found, count * times)
            for way, count in part.ways.items()
            for _, found, times in self._found(way, (way.places[p],), card)
            if times
        )
        self._drop_place(part, place, keep=False)
        self._named_now(card)

    def _with_owner(self, part: WaysPart, card: int) -> WaysPart:
        owner = self._owner(card)
        return part if owner is None else self._joined(part, owner)

    # ---- hands ------------------------------------------------------------------------------

    def _leaves_seen(self, bag: int, card: int) -> None:
        items = self.piles[bag]
        if card in items:
            items.remove(card)
            return
        if self._part_of_bag(bag) is None and not self.again:
            items.remove(FRESH)
            self._is(FRESH, card)
            return
        part = self._with_owner(self._part(bag), card)
        b = part.bags.index(bag)
        part.replace(
            (
                found._replace(bags=changed(found.bags, b, less_one(way.bags[b], code))),
                count * times,
            )
            for way, count in part.ways.items()
            for code, found, times in self._found(way, way.bags[b], card)
            if times
        )
        self._named_now(card)

    def _leaves_unseen(self, bag: int, target: int, j: int) -> None:
        """Any card of the hand may have left."""
        items = self.piles[bag]
        if self._part_of_bag(bag) is None and len(set(items)) == 1:
            self._arrives(target, j, items.pop())
            return
        part = self._part(bag)
        if is_bag(target):
            part = self._joined(part, self._part(target))
        b = part.bags.index(bag)
        place = self.next_place
        self.next_place += 1
        tracked = place in self.wanted
        sinks = target == Zone.WILDERNESS and self.reshuffles_left > 0

        def gone(way: CardWay, code: int) -> CardWay:
            left = way._replace(bags=changed(way.bags, b, less_one(way.bags[b], code)))
            if is_bag(target):
                t = part.bags.index(target)
                return left._replace(bags=changed(left.bags, t, with_code(left.bags[t], code)))
            if tracked:
                return left._replace(places=(*way.places, code))
            return left._replace(pool=with_code(way.pool, code)) if sinks else left

        part.replace(
            (gone(way, code), count * way.bags[b].count(code))
            for way, count in part.ways.items()
            for code in set(way.bags[b])
        )
        if not is_bag(target):
            if tracked:
                part.places.append(place)
            self._arrives(target, j, AT_PLACE + place)

    def _enters(self, bag: int, item: int) -> None:
        if item >= AT_PLACE:
            part = self._joined(self._part_of_place(item - AT_PLACE), self._part(bag))
            p, b = part.places.index(item - AT_PLACE), part.bags.index(bag)
            part.replace(
                (
                    way._replace(bags=changed(way.bags, b, with_code(way.bags[b], way.places[p]))),
                    n,
                )
                for way, n in part.ways.items()
            )
            self._drop_place(part, item - AT_PLACE, keep=False)
            return
        known = self._part_of_bag(bag)
        if known is None:
            self.piles[bag].append(item)
            return
        b, code = known.bags.index(bag), self.code(item)
        known.replace(
            (way._replace(bags=changed(way.bags, b, with_code(way.bags[b], code))), count)
            for way, count in known.ways.items()
        )

    def _taken_from_graveyard(self, bag: int) -> None:
        """A seat took a card from below the top, and only that seat knows which (R93)."""
        *below, top = self.piles[Zone.GRAVEYARD]
        part = self._part(bag)
        for item in below:
            if item >= AT_PLACE:
                part = self._joined(part, self._part_of_place(item - AT_PLACE))
        b = part.bags.index(bag)
        at = [part.places.index(item - AT_PLACE) if item >= AT_PLACE else -1 for item in below]
        fresh = range(self.next_place, self.next_place + len(below) - 1)
        self.next_place += len(fresh)
        kept = [p for p in range(len(part.places)) if p not in at]

        def taken() -> Iterator[tuple[CardWay, int]]:
            for way, count in part.ways.items():
                codes = [
                    way.places[p] if p >= 0 else self.code(item)
                    for p, item in zip(at, below, strict=True)
                ]
                for gone, code in enumerate(codes):
                    left = zip(fresh, codes[:gone] + codes[gone + 1 :], strict=True)
                    tracked = [one for place, one in left if place in self.wanted]
                    places = (*(way.places[p] for p in kept), *tracked)
                    bags = changed(way.bags, b, with_code(way.bags[b], code))
                    yield way._replace(bags=bags, places=places), count

        part.replace(taken())
        part.places = [part.places[p] for p in kept]
        part.places += [place for place in fresh if place in self.wanted]
        self.piles[Zone.GRAVEYARD] = [*(AT_PLACE + place for place in fresh), top]

    # ---- parts ------------------------------------------------------------------------------

    def _part_of_bag(self, bag: int) -> WaysPart | None:
        return next((part for part in self.parts if bag in part.bags), None)

    def _part_of_place(self, place: int) -> WaysPart:
        if place not in self.wanted:
            raise PlaceWanted(place)
        return next(part for part in self.parts if place in part.places)

    def _part(self, bag: int) -> WaysPart:
        """The part of a hand; a new one if its cards were certain so far."""
        part = self._part_of_bag(bag)
        if part is None:
            part = WaysPart()
            part.bags.append(bag)
            codes = tuple(sorted(self.code(item) for item in self.piles[bag]))
            part.ways = {CardWay((codes,)): 1}
            self.piles[bag] = []
            self.parts.append(part)
        return part

    def _joined(self, one: WaysPart, other: WaysPart) -> WaysPart:
        if one is other:
            return one
        if len(one.ways) * len(other.ways) > 10 * MOST_PART_WAYS:
            raise Uncounted(TOO_MANY)
        one.replace(
            (
                CardWay(
                    a.bags + b.bags,
                    a.places + b.places,
                    tuple(sorted(a.pool + b.pool)),
                    a.sunk + b.sunk,
                    a.shown + b.shown,
                    a.raised + b.raised,
                ),
                n * k,
            )
            for a, n in one.ways.items()
            for b, k in other.ways.items()
        )
        one.bags += other.bags
        one.places += other.places
        self.parts.remove(other)
        return one

    def _drop_place(self, part: WaysPart, place: int, keep: bool) -> None:
        """A place has no column any more; with `keep`, its card goes into the pool."""
        p = part.places.index(place)
        part.replace(
            (
                way._replace(
                    places=way.places[:p] + way.places[p + 1 :],
                    pool=with_code(way.pool, way.places[p]) if keep else way.pool,
                ),
                count,
            )
            for way, count in part.ways.items()
        )
        part.places.remove(place)


def _last_named(events: list[EventTuple]) -> dict[int, int]:
    """For each card, the last event that names it."""
    last = {}
    for number, event in enumerate(events):
        if event[0] in (Event.MOVED, Event.SEEN) and event[-1] >= 0:
            last[event[-1]] = number
    return last
