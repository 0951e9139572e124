"""What one seat can know: every way the unseen cards can lie, kept exactly and compactly.

The measure. A history is a deal, an order of every shuffle and a face-down choice at every unseen
choice. All histories that agree with what the seat perceived weigh the same; public choices carry
no weight, so nothing is inferred from how cleverly anybody plays (R94). A world is as likely as the
share of histories that lead to it.

The idea. A hand is a bag: a card that leaves it unseen is any of its cards (R91). Cards are of two
kinds. A *named* card is one whose identity was seen before it went out of sight. An *unnamed* card
came unseen out of a harbor; all unnamed cards of one harbor are alike until one is seen, so which
left a hand does not matter, only how many. Uncertainty therefore begins only where an unseen card
leaves a bag that holds different kinds, and it is kept in a *cluster*: a weighted table of the ways
the kinds can be spread over the bags and places concerned. Clusters that have nothing to do with
one another stay apart; they are joined when a card passes between them.

A place that nobody touches again need not be told apart in the table: its content is remembered in
the *branch* by which a row of the table came about, and drawn from there when a world is sampled.
If such a place is touched after all, the events are gone through once more with that place kept.

Tables are exact as long as they stay below LIMIT rows, which nearly all do. A larger one is thinned
by weight: what is left is still possible, and the odds stay right on average. No row is thinned
away for certain, and the luck of it is the caller's: whenever the events are gone through from the
start, with `forget`, every possible world has a chance to be among those kept. If what was kept
turns out to disagree with what is seen, that is done at once, with more room. `exact` says whether
anything had to be thinned.

A reshuffle starts a new harbor. Named cards that went into it become identities any of its cards
may have; unnamed cards of an older harbor cannot have them. Unnamed cards that went into it are
*sunk*: they are still counted by the harbor they came from and the one they went into, for whatever
they are was dealt to them by the first and is dealt anew by the second. When an unnamed card is
seen that had its identity from an earlier harbor, the identity got there through sunk cards, which
are *used* by that; if it can have come by several ways, they are rows of a cluster. How many
identities fit how many cards enters when the clusters are weighed against each other (see
`sampler`).
"""

from __future__ import annotations

from math import isqrt
from typing import Final

from games.hidden_leaders.knowledge.hypotheses import (
    FREED,
    LIMIT,
    PLACE,
    SUNK,
    UNNAMED,
    Branch,
    Cluster,
    Contradiction,
    Key,
    Kinds,
    Row,
    Rows,
    born_in,
    replaced,
    thinned,
    with_kind,
    without,
)
from games.hidden_leaders.rules.cards import EMPEROR, HEROES
from games.hidden_leaders.rules.constants import UNKNOWN_INDEX, Event, Zone
from games.state import UNSEEN, Rng

MOST_PLACES: Final = 128
"""More than one event can make."""


class TouchedAgain(Exception):
    """A place was touched whose content the table no longer tells apart."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class Knowledge:
    """The fold of one seat's events into all it can know about unseen cards."""

    def __init__(self, seat: int, players: int, deck: tuple[int, ...]) -> None:
        self.seat = seat
        self.players = players
        self.deck = deck
        self.told: set[int] = set()
        """Places that are touched later and therefore kept in the tables."""
        self.events: list[tuple[int, ...]] = []
        self.folded = 0
        self.rng = Rng(0)
        """The luck of thinning: that of whoever asked last."""
        self.limit = LIMIT
        """Rows kept of one table; twice as many whenever thinning has led nowhere."""
        self.forget()

    def forget(self) -> None:
        """Begin anew: the events are still to be gone through."""
        self.piles: list[list[int]] = [[] for _ in range(Zone.COUNT)]
        """Items of every zone but harbor and tavern: a kind, or PLACE + p. Bags have no order."""
        if EMPEROR in self.deck:
            self.piles[Zone.GRAVEYARD].append(EMPEROR)
        self.pool: dict[int, int] = {card: 1 for card in self.deck if card != EMPEROR}
        """Identity -> the first harbor whose unnamed cards can have it."""
        self.groups: list[tuple[int, int]] = [(1, 0)]
        """Of unnamed cards: number of their harbor, factions they are known not to be."""
        self.harbor = 1
        """Number of the present harbor: one more than reshuffles so far."""
        self.clusters: list[Cluster] = []
        self.cluster_of_bag: dict[int, Cluster] = {}
        self.cluster_of_place: dict[int, Cluster] = {}
        self.cluster_of_card: dict[int, Cluster] = {}
        self.next_place = 0
        """Numbered by event, so that a place has the same number however tables are thinned."""
        self.sunk: dict[int, int] = {}
        """Outside clusters: how many cards are sunk, and used, of each sort."""
        self.sorts: list[int] = []
        """Every sort of sunk card there may be."""
        self.folded = 0
        self.exact = True
        """False once a table, or sums over tables, have been thinned."""

    def observe(self, event: tuple[int, ...]) -> None:
        kind = event[0]
        if (
            kind == Event.MOVED
            or kind == Event.SEEN
            or kind == Event.RESHUFFLED
            or kind == Event.NONE_HELD
        ):
            self.events.append(event)

    def update(self, rng: Rng) -> None:
        """Take in the events not yet gone through; what must be thinned is, by this luck."""
        self.rng = rng
        while self.folded < len(self.events):
            event = self.events[self.folded]
            try:
                self.fold(event)
                self.folded += 1
            except TouchedAgain as again:
                self.told.add(again.place)
                self.forget()
            except Contradiction:
                self.start_over()

    def start_over(self) -> None:
        """Nothing is left that agrees with the events: begin anew with more room, if that is why.

        This ends, at the latest when there is room for everything.
        """
        if self.exact:
            raise Contradiction
        self.limit *= 2
        self.forget()

    def fold(self, event: tuple[int, ...]) -> None:
        self.next_place = self.folded * MOST_PLACES
        kind = event[0]
        if kind == Event.MOVED:
            self.move(event[1], event[2], event[3], event[4], event[5])
        elif kind == Event.SEEN:
            self.seen(event[1], event[2], event[3])
        elif kind == Event.RESHUFFLED:
            self.reshuffle()
        else:
            self.none_held(event[1], event[2])
        self.tidy()

    # ---- events ---------------------------------------------------------------------------

    def is_bag(self, zone: int) -> bool:
        return zone == Zone.DRAWN or Zone.HAND <= zone < Zone.OPEN

    def move(self, source: int, i: int, target: int, j: int, card: int) -> None:
        if source == Zone.GRAVEYARD and i == UNKNOWN_INDEX:
            self.taken_from_graveyard(target)
            return
        if card == UNSEEN and self.is_bag(source):
            item = self.leaves_unseen(source, target)
            if item == UNSEEN:
                return  # straight into another bag
        elif self.is_bag(source):
            self.leaves_seen(source, card)
            item = card
        elif source == Zone.HARBOR:
            if card == UNSEEN:
                item = self.unnamed(self.harbor, 0)
            else:
                self.must_be_free(card, self.unnamed(self.harbor, 0))
                item = card
        elif source == Zone.TAVERN or Zone.OPEN <= source < Zone.HIDDEN:
            item = card
        else:
            if card != UNSEEN:
                self.seen(source, i, card)
            item = self.piles[source].pop(i)
        self.arrive(target, j, item)

    def arrive(self, target: int, j: int, item: int) -> None:
        if target == Zone.TAVERN or Zone.OPEN <= target < Zone.HIDDEN:
            return
        if self.is_bag(target):
            self.enter(target, item)
        elif j == UNKNOWN_INDEX:
            self.piles[target].append(item)
        else:
            self.piles[target].insert(j, item)

    def seen(self, zone: int, index: int, card: int) -> None:
        """The card at that index turned out to be this one."""
        if card == UNSEEN:
            return
        item = self.piles[zone][index]
        if item >= PLACE:
            self.place_is(item - PLACE, card)
        elif item < 0:
            self.must_be_free(card, item)
        elif item != card:
            raise Contradiction
        self.piles[zone][index] = card

    # ---- kinds ----------------------------------------------------------------------------

    def unnamed(self, harbor: int, ban: int) -> int:
        """The kind of unnamed cards of that harbor that are known not to be of some factions."""
        group = (harbor, ban)
        if group not in self.groups:
            self.groups.append(group)
        return UNNAMED - self.groups.index(group)

    def routes(self, kind: int, card: int, born: int) -> list[Kinds]:
        """By what cards, sunk one after the other, this identity, free since harbor number `born`,
        can have come to be an unnamed card of the kind; none if it cannot.
        """
        harbor, ban = self.groups[UNNAMED - kind]
        if born == 0 or harbor < born or HEROES[card].faction & ban:
            return []
        if harbor == born:
            return [()]
        found: list[Kinds] = []
        for sort in self.sorts:
            if sort % SUNK == harbor:
                for route in self.routes(UNNAMED - sort // SUNK, card, born):
                    found.append((*route, ~sort))
        return found

    def must_be_free(self, card: int, kind: int) -> None:
        """The identity turned up as an unnamed card of that kind: nobody else can have it."""
        owner = self.cluster_of_card.get(card)
        if owner is None:
            routes = self.routes(kind, card, self.pool.pop(card, 0))
            if len(routes) == 1:
                self.sink(routes[0])
                return
            owner = Cluster()
            self.clusters.append(owner)
            (key,) = owner.rows
            rows = Rows()
            for route in routes:
                rows.add((*key[:5], tuple(sorted(route))), 1.0, None, [])
            owner.rows = rows.finished()
            return
        rows = Rows()
        for key, row in owner.rows.items():
            since, freed = self.use_identity(key, card, 0)
            for route in self.routes(kind, card, since):
                sunk = tuple(sorted(key[5] + route))
                rows.add((*key[:4], freed, sunk), row.weight, row.branch, [])
        owner.rows = rows.finished()

    def no_longer_free(self, card: int) -> None:
        """The identity turned up in another cluster: nobody else can have it."""
        owner = self.cluster_of_card.get(card)
        if owner is None:
            del self.pool[card]
            return
        rows = Rows()
        for key, row in owner.rows.items():
            since, freed = self.use_identity(key, card, 0)
            if since:
                rows.add((*key[:4], freed, key[5]), row.weight, row.branch, [])
        owner.rows = rows.finished()

    def sink(self, sorts: Kinds) -> None:
        for sort in sorts:
            self.sunk[sort] = self.sunk.get(sort, 0) + 1

    def births(self, owner: Cluster, card: int) -> set[int]:
        """Since which harbors the identity may be free."""
        return {born_in(key[4], card) for key in owner.rows} - {0}

    # ---- bags -----------------------------------------------------------------------------

    def enter(self, bag: int, item: int) -> None:
        """A card whose kind is known, or that of an uncertain place, joins the bag."""
        if item >= PLACE:
            cluster = self.join(self.of_place(item - PLACE), self.of_bag(bag))
            at = cluster.bags.index(bag)
            p = cluster.places.index(item - PLACE)
            rows = Rows()
            for key, row in cluster.rows.items():
                bags = replaced(key[0], at, with_kind(key[0][at], key[1][p]))
                places = key[1][:p] + key[1][p + 1 :]
                rows.add((bags, places, *key[2:]), row.weight, row.branch, [])
            cluster.rows = rows.finished()
            self.forget_place(cluster, item - PLACE)
            return
        known = self.cluster_of_bag.get(bag)
        if known is None:
            self.piles[bag].append(item)
            return
        at = known.bags.index(bag)
        rows = Rows()
        for key, row in known.rows.items():
            bags = replaced(key[0], at, with_kind(key[0][at], item))
            rows.add((bags, *key[1:]), row.weight, row.branch, [])
        known.rows = rows.finished()
        if item >= 0:
            self.cluster_of_card[item] = known

    def leaves_unseen(self, bag: int, target: int) -> int:
        """Any card of the bag may have left. Returns what is at the target now, UNSEEN for bags."""
        items = self.piles[bag]
        if bag not in self.cluster_of_bag and len(set(items)) == 1:
            item = items.pop()
            if self.is_bag(target):
                self.enter(target, item)
                return UNSEEN
            return item
        if self.is_bag(target):
            self.passes_between(bag, target)
            return UNSEEN
        cluster = self.of_bag(bag)
        at = cluster.bags.index(bag)
        place = self.new_place(cluster)
        told = place in self.told
        wild = target == Zone.WILDERNESS
        rows = Rows()
        for key, row in cluster.rows.items():
            for kind in sorted(set(key[0][at])):
                many = key[0][at].count(kind)
                bags = replaced(key[0], at, without(key[0][at], kind))
                weight = row.weight * many
                if told:
                    rows.add((bags, (*key[1], kind), *key[2:]), weight, row.branch, [])
                elif wild:
                    gone = with_kind(key[2], kind)
                    rows.add((bags, key[1], gone, *key[3:]), weight, row.branch, [(place, kind)])
                else:
                    gone = with_kind(key[3], kind)
                    rows.add((bags, *key[1:3], gone, *key[4:]), weight, row.branch, [(place, kind)])
        cluster.rows = rows.finished()
        if told:
            cluster.places.append(place)
        return PLACE + place

    def passes_between(self, bag: int, target: int) -> None:
        """Any card of one bag went into another."""
        cluster = self.join(self.of_bag(bag), self.of_bag(target))
        a = cluster.bags.index(bag)
        b = cluster.bags.index(target)
        rows = Rows()
        for key, row in cluster.rows.items():
            for kind in sorted(set(key[0][a])):
                bags = replaced(key[0], a, without(key[0][a], kind))
                bags = replaced(bags, b, with_kind(bags[b], kind))
                many = key[0][a].count(kind)
                rows.add((bags, *key[1:]), row.weight * many, row.branch, [])
        cluster.rows = rows.finished()

    def leaves_seen(self, bag: int, card: int) -> None:
        """This card left the bag for all, or for this seat, to see."""
        items = self.piles[bag]
        cluster = self.cluster_of_bag.get(bag)
        if cluster is None:
            if card in items:
                items.remove(card)
                return
            unnamed = {kind for kind in items if kind < 0}
            if len(unnamed) == 1:
                kind = unnamed.pop()
                items.remove(kind)
                self.must_be_free(card, kind)
                return
            cluster = self.of_bag(bag)
        cluster, born = self.within_reach(cluster, card)
        at = cluster.bags.index(bag)
        rows = Rows()
        for key, row in cluster.rows.items():
            content = key[0][at]
            if card in content:
                bags = replaced(key[0], at, without(content, card))
                rows.add((bags, *key[1:]), row.weight, row.branch, [])
                continue
            since, freed = self.use_identity(key, card, born)
            for kind in sorted(set(content)):
                if kind >= 0:
                    continue
                bags = replaced(key[0], at, without(content, kind))
                weight = row.weight * content.count(kind)
                for route in self.routes(kind, card, since):
                    sunk = tuple(sorted(key[5] + route))
                    rows.add((bags, *key[1:4], freed, sunk), weight, row.branch, [])
        cluster.rows = rows.finished()
        if born:
            self.no_longer_free(card)

    def within_reach(self, cluster: Cluster, card: int) -> tuple[Cluster, int]:
        """The cluster, joined if need be with the one that knows the card by name; and since when
        the identity is free if it is so independently of this cluster, else 0.
        """
        owner = self.cluster_of_card.get(card)
        if owner is cluster:
            return cluster, 0
        if owner is None:
            return cluster, self.pool.get(card, 0)
        births = self.births(owner, card)
        if len(births) == 1:
            return cluster, births.pop()
        return self.join(cluster, owner), 0

    def use_identity(self, key: Key, card: int, born: int) -> tuple[int, Kinds]:
        """Since when the identity is free in this row, and what stays free when it is used."""
        if born:
            return born, key[4]
        since = born_in(key[4], card)
        return since, without(key[4], card + FREED * since) if since else key[4]

    # ---- places ---------------------------------------------------------------------------

    def new_place(self, cluster: Cluster) -> int:
        place = self.next_place
        self.next_place += 1
        self.cluster_of_place[place] = cluster
        return place

    def of_place(self, place: int) -> Cluster:
        cluster = self.cluster_of_place[place]
        if place not in self.told:
            raise TouchedAgain(place)
        return cluster

    def forget_place(self, cluster: Cluster, place: int) -> None:
        cluster.places.remove(place)
        del self.cluster_of_place[place]

    def place_is(self, place: int, card: int) -> None:
        """The uncertain place turned out to hold this card."""
        cluster, born = self.within_reach(self.of_place(place), card)
        p = cluster.places.index(place)
        rows = Rows()
        for key, row in cluster.rows.items():
            kind = key[1][p]
            places = key[1][:p] + key[1][p + 1 :]
            if kind == card:
                rows.add((key[0], places, *key[2:]), row.weight, row.branch, [])
            if kind >= 0:
                continue
            since, freed = self.use_identity(key, card, born)
            for route in self.routes(kind, card, since):
                sunk = tuple(sorted(key[5] + route))
                rows.add((key[0], places, *key[2:4], freed, sunk), row.weight, row.branch, [])
        cluster.rows = rows.finished()
        self.forget_place(cluster, place)
        if born:
            self.no_longer_free(card)

    def taken_from_graveyard(self, target: int) -> None:
        """Somebody took a card below the top, nobody else knows which (P32, R93)."""
        pile = self.piles[Zone.GRAVEYARD]
        below = pile[:-1]
        cluster = self.of_bag(target)
        for item in below:
            if item >= PLACE:
                cluster = self.join(cluster, self.of_place(item - PLACE))
        at = cluster.bags.index(target)
        fresh = [self.new_place(cluster) for _ in below[1:]]
        told = [place for place in fresh if place in self.told]
        rows = Rows()
        for key, row in cluster.rows.items():
            kinds = [
                key[1][cluster.places.index(item - PLACE)] if item >= PLACE else item
                for item in below
            ]
            old = self.without_places(cluster, key, below)
            for gone in range(len(kinds)):
                left = kinds[:gone] + kinds[gone + 1 :]
                bags = replaced(key[0], at, with_kind(key[0][at], kinds[gone]))
                kept = tuple(left[n] for n, place in enumerate(fresh) if place in self.told)
                untold = [
                    (place, left[n]) for n, place in enumerate(fresh) if place not in self.told
                ]
                rest = tuple(sorted((*key[3], *(kind for _, kind in untold))))
                rows.add((bags, old + kept, key[2], rest, *key[4:]), row.weight, row.branch, untold)
        cluster.rows = rows.finished()
        for item in below:
            if item >= PLACE:
                self.forget_place(cluster, item - PLACE)
            else:
                self.cluster_of_card[item] = cluster
        cluster.places.extend(told)
        self.piles[Zone.GRAVEYARD] = [PLACE + place for place in fresh] + [pile[-1]]

    def without_places(self, cluster: Cluster, key: Key, items: list[int]) -> Kinds:
        return tuple(
            kind
            for place, kind in zip(cluster.places, key[1], strict=True)
            if PLACE + place not in items
        )

    # ---- whole-table events ---------------------------------------------------------------

    def reshuffle(self) -> None:
        """The wilderness becomes a new harbor: what was named in it may be anywhere there."""
        self.harbor += 1
        for item in self.piles[Zone.WILDERNESS]:
            if item < 0:
                self.sink((self.sunk_now(item),))
            elif item < PLACE:
                self.pool[item] = self.harbor
            else:  # not told: what is touched later has left the wilderness before
                del self.cluster_of_place[item - PLACE]
        self.piles[Zone.WILDERNESS] = []
        for cluster in self.clusters:
            rows = Rows()
            for key, row in cluster.rows.items():
                named = [card + FREED * self.harbor for card in key[2] if card >= 0]
                freed = tuple(sorted((*key[4], *named)))
                gone = [self.sunk_now(kind) for kind in key[2] if kind < 0]
                sunk = tuple(sorted((*key[5], *gone)))
                # Places of the old wilderness are gone; a branch matters only for other ones.
                branch = row.branch if key[3] else None
                rows.add((*key[:2], (), key[3], freed, sunk), row.weight, branch, [])
            cluster.rows = rows.finished()

    def sunk_now(self, kind: int) -> int:
        """The sort of an unnamed card that goes into the new harbor."""
        sort = (UNNAMED - kind) * SUNK + self.harbor
        if sort not in self.sorts:
            self.sorts.append(sort)
        return sort

    def none_held(self, seat: int, faction: int) -> None:
        """That hand has no card of the faction (P37)."""
        bag = Zone.HAND + seat
        if seat == self.seat:
            return
        cluster = self.cluster_of_bag.get(bag)
        if cluster is None:
            self.piles[bag] = [self.banned(item, faction) for item in self.piles[bag]]
            return
        at = cluster.bags.index(bag)
        rows = Rows()
        for key, row in cluster.rows.items():
            if any(kind >= 0 and HEROES[kind].faction & faction for kind in key[0][at]):
                continue
            content = tuple(sorted(self.banned(kind, faction) for kind in key[0][at]))
            rows.add((replaced(key[0], at, content), *key[1:]), row.weight, row.branch, [])
        cluster.rows = rows.finished()

    def banned(self, kind: int, faction: int) -> int:
        if kind >= 0:
            return kind
        harbor, ban = self.groups[UNNAMED - kind]
        return self.unnamed(harbor, ban | faction)

    # ---- clusters -------------------------------------------------------------------------

    def of_bag(self, bag: int) -> Cluster:
        """The cluster a bag belongs to; a new one if its content was certain so far."""
        cluster = self.cluster_of_bag.get(bag)
        if cluster is not None:
            return cluster
        cluster = Cluster()
        content = tuple(sorted(self.piles[bag]))
        self.piles[bag] = []
        (key,) = cluster.rows
        cluster.rows = {((content,), *key[1:]): Row(1.0, None)}
        cluster.bags.append(bag)
        self.cluster_of_bag[bag] = cluster
        self.clusters.append(cluster)
        for kind in content:
            if kind >= 0:
                self.cluster_of_card[kind] = cluster
        return cluster

    def join(self, one: Cluster, two: Cluster) -> Cluster:
        """One table of both: every row of the one with every row of the other."""
        if one is two:
            return one
        self.thin_for_join(one, two)
        rows: dict[Key, Row] = {}
        for a, row_a in one.rows.items():
            for b, row_b in two.rows.items():
                key: Key = (
                    a[0] + b[0],
                    a[1] + b[1],
                    tuple(sorted(a[2] + b[2])),
                    tuple(sorted(a[3] + b[3])),
                    tuple(sorted(a[4] + b[4])),
                    tuple(sorted(a[5] + b[5])),
                )
                weight = row_a.weight * row_b.weight
                branch = row_a.branch
                if row_a.branch is None:
                    branch = row_b.branch
                elif row_b.branch is not None:
                    branch = Branch()
                    branch.add(1.0, row_a.branch, row_b.branch, [])
                if key in rows:
                    both = Branch()
                    both.add(rows[key].weight, rows[key].branch, None, [])
                    both.add(weight, branch, None, [])
                    rows[key] = Row(rows[key].weight + weight, both)
                else:
                    rows[key] = Row(weight, branch)
        one.rows = rows
        one.bags += two.bags
        one.places += two.places
        self.clusters.remove(two)
        for owners in (self.cluster_of_bag, self.cluster_of_place, self.cluster_of_card):
            for what, owner in owners.items():
                if owner is two:
                    owners[what] = one
        return one

    def thin_for_join(self, one: Cluster, two: Cluster) -> None:
        """Make sure that the joined table does not become too large to build."""
        if len(one.rows) * len(two.rows) > self.limit:
            self.exact = False
            fewest = min(len(one.rows), len(two.rows), isqrt(self.limit))
            one.rows = thinned(one.rows, self.limit // fewest, self.rng)
            two.rows = thinned(two.rows, self.limit // fewest, self.rng)

    def tidy(self) -> None:
        """Take out of the clusters that have changed what has become certain."""
        for cluster in list(self.clusters):
            if cluster.rows is cluster.tidied:
                continue
            if len(cluster.rows) > self.limit:
                cluster.rows = thinned(cluster.rows, self.limit // 2, self.rng)
                self.exact = False
            for bag in list(cluster.bags):
                at = cluster.bags.index(bag)
                contents = {key[0][at] for key in cluster.rows}
                if len(contents) == 1:
                    self.bag_is_certain(cluster, bag, contents.pop())
            for place in list(cluster.places):
                p = cluster.places.index(place)
                kinds = {key[1][p] for key in cluster.rows}
                if len(kinds) == 1:
                    self.place_is_certain(cluster, place, kinds.pop())
            self.settle_freed(cluster)
            self.settle_sunk(cluster)
            self.release_cards(cluster)
            cluster.tidied = cluster.rows
            if len(cluster.rows) == 1:
                ((key, row),) = cluster.rows.items()
                if row.branch is None and not any(key):
                    self.clusters.remove(cluster)

    def bag_is_certain(self, cluster: Cluster, bag: int, content: Kinds) -> None:
        at = cluster.bags.index(bag)
        rows = Rows()
        for key, row in cluster.rows.items():
            rows.add((key[0][:at] + key[0][at + 1 :], *key[1:]), row.weight, row.branch, [])
        cluster.rows = rows.finished()
        cluster.bags.remove(bag)
        del self.cluster_of_bag[bag]
        self.piles[bag] = list(content)

    def place_is_certain(self, cluster: Cluster, place: int, kind: int) -> None:
        p = cluster.places.index(place)
        rows = Rows()
        for key, row in cluster.rows.items():
            rows.add((key[0], key[1][:p] + key[1][p + 1 :], *key[2:]), row.weight, row.branch, [])
        cluster.rows = rows.finished()
        self.forget_place(cluster, place)
        for pile in self.piles:
            for i, item in enumerate(pile):
                if item == PLACE + place:
                    pile[i] = kind

    def settle_freed(self, cluster: Cluster) -> None:
        """An identity set free in every row, at the same reshuffle, is in the common pool."""
        keys = list(cluster.rows)
        always = set(keys[0][4])
        for key in keys[1:]:
            always &= set(key[4])
        if not always:
            return
        rows = Rows()
        for key, row in cluster.rows.items():
            freed = tuple(f for f in key[4] if f not in always)
            rows.add((*key[:4], freed, key[5]), row.weight, row.branch, [])
        cluster.rows = rows.finished()
        for f in always:
            self.pool[f % FREED] = f // FREED
            del self.cluster_of_card[f % FREED]

    def settle_sunk(self, cluster: Cluster) -> None:
        """Cards sunk, or used, in every row need not be counted in each."""
        keys = list(cluster.rows)
        always: list[int] = []
        for sort in sorted(set(keys[0][5])):
            fewest = min(key[5].count(sort) for key in keys)
            always.extend([sort] * fewest)
        if not always:
            return
        rows = Rows()
        for key, row in cluster.rows.items():
            left = key[5]
            for sort in always:
                left = without(left, sort)
            rows.add((*key[:5], left), row.weight, row.branch, [])
        cluster.rows = rows.finished()
        self.sink(tuple(always))

    def release_cards(self, cluster: Cluster) -> None:
        """Cards that no row names any more belong to no cluster."""
        held = cluster.cards()
        for card, owner in list(self.cluster_of_card.items()):
            if owner is cluster and card not in held:
                del self.cluster_of_card[card]
