"""What one seat can know: every way the unseen cards can lie, kept exactly and compactly.

Probabilities. A history is a deal, the order of every shuffle, and a card for every face-down
choice. All histories that agree with what the seat perceived weigh the same. Public choices carry
no weight, so nothing is inferred from how well anybody plays (R94). The probability of a world is
the share of histories that lead to it.

Clusters. A hand is a bag: a card that leaves it unseen can be any of its cards (R91). There are two
kinds of cards. A *named* card was seen before it went out of sight. An *unnamed* card came unseen
out of a harbor; all unnamed cards of one harbor are alike until one is seen, so it matters how many
left a hand but not which. Uncertainty therefore starts only where an unseen card leaves a bag that
holds different kinds. It is kept in a *cluster*: a weighted table of the ways the kinds can be
spread over the bags and places concerned. Independent clusters stay separate; two clusters are
joined when a card passes between them.

Places. A place that is never touched again needs no column in the table: its content is stored in
the *branch* that led to a row, and drawn from there when a world is sampled. If such a place is
touched after all, the events are folded again with that place *tracked* in the table.

Thinning. Tables are exact as long as they have at most LIMIT rows, which nearly all do. A larger
one is thinned by weight: the rows kept are still possible, and the odds stay right on average. No
row is certain to go, and the caller's generator decides: whenever the events are folded again from
the start, after `forget`, every possible world has a chance to be kept. If the rows kept turn out
to contradict a later event, that happens at once, with a higher limit. `exact` tells whether
anything was thinned.

Reshuffles. A reshuffle starts a new harbor. Named cards that went into it become identities that
any of its cards may have; unnamed cards of an older harbor cannot have them. Unnamed cards that
went into it are *sunk*: they are counted by the harbor they came from and the harbor they went
into, because the first harbor dealt them an identity and the second one deals it again. When an
unnamed card is seen whose identity came from an earlier harbor, that identity got there through
sunk cards, which are then *used*; if there are several routes, each is a row of a cluster. How many
identities fit how many cards is taken into account when clusters are weighed together (see
`sampler`).
"""

from __future__ import annotations

from math import isqrt
from typing import Final

from games.errors import Contradiction
from games.hidden_leaders.knowledge.hypotheses import (
    FIRST_UNNAMED,
    FREED,
    LIMIT,
    PLACE,
    SUNK,
    Branch,
    Cluster,
    Kinds,
    RowKey,
    Rows,
    WeightedRow,
    born_in,
    replaced,
    thinned,
    with_kind,
    without_kind,
)
from games.hidden_leaders.rules.cards import EMPEROR, HEROES
from games.hidden_leaders.rules.constants import UNKNOWN_INDEX, Event, Zone
from games.state import UNSEEN, Rng

PLACES_PER_EVENT: Final = 128
"""Place numbers reserved for each event; more than one event can create."""


class TouchedAgain(Exception):
    """An untracked place was touched."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class Knowledge:
    """A fold over one seat's events: everything it can know about unseen cards."""

    def __init__(self, seat: int, players: int, deck: tuple[int, ...]) -> None:
        self.seat = seat
        self.players = players
        self.deck = deck
        self.tracked: set[int] = set()
        """Places that are touched later and therefore have a column in the tables."""
        self.events: list[tuple[int, ...]] = []
        self.folded = 0
        self.rng = Rng(0)
        """The generator for thinning, from the last caller of `update`."""
        self.limit = LIMIT
        """Rows kept of one table; doubled whenever thinning led to a contradiction."""
        self.forget()

    def forget(self) -> None:
        """Back to the state before the first event; `update` folds all events again."""
        self.piles: list[list[int]] = [[] for _ in range(Zone.COUNT)]
        """Items of every zone but harbor and tavern: a kind, or PLACE + p. Bags have no order."""
        if EMPEROR in self.deck:
            self.piles[Zone.GRAVEYARD].append(EMPEROR)
        self.pool: dict[int, int] = {card: 1 for card in self.deck if card != EMPEROR}
        """Free identity -> the first harbor whose unnamed cards can have it."""
        self.groups: list[tuple[int, int]] = [(1, 0)]
        """Groups of unnamed cards: number of their harbor, factions they cannot have."""
        self.harbor = 1
        """Number of the current harbor: reshuffles so far plus 1."""
        self.clusters: list[Cluster] = []
        self.cluster_of_bag: dict[int, Cluster] = {}
        self.cluster_of_place: dict[int, Cluster] = {}
        self.cluster_of_card: dict[int, Cluster] = {}
        self.next_place = 0
        """Numbered by event, so that a place keeps its number however tables are thinned."""
        self.sunk: dict[int, int] = {}
        """Outside clusters: how many cards of each sort are sunk, and used."""
        self.sorts: list[int] = []
        """Every sort of sunk card so far."""
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
        """Fold the events that have not been folded yet; thinning draws from `rng`."""
        self.rng = rng
        while self.folded < len(self.events):
            event = self.events[self.folded]
            try:
                self.fold(event)
                self.folded += 1
            except TouchedAgain as again:
                self.tracked.add(again.place)
                self.forget()
            except Contradiction:
                self.start_over()

    def start_over(self) -> None:
        """No row is left that agrees with the events: if tables were thinned, retry with more rows.

        This ends at the latest when no table is thinned any more.
        """
        if self.exact:
            raise Contradiction
        self.limit *= 2
        self.forget()

    def fold(self, event: tuple[int, ...]) -> None:
        self.next_place = self.folded * PLACES_PER_EVENT
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
        """The card at that index turns out to be this one."""
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
        """The kind of unnamed cards of that harbor that cannot have the banned factions."""
        group = (harbor, ban)
        if group not in self.groups:
            self.groups.append(group)
        return FIRST_UNNAMED - self.groups.index(group)

    def routes(self, kind: int, card: int, born: int) -> list[Kinds]:
        """The chains of sunk cards through which this identity, free since harbor number `born`,
        can have reached an unnamed card of the kind; empty if it cannot have.
        """
        harbor, ban = self.groups[FIRST_UNNAMED - kind]
        if born == 0 or harbor < born or HEROES[card].faction & ban:
            return []
        if harbor == born:
            return [()]
        routes: list[Kinds] = []
        for sort in self.sorts:
            if sort % SUNK == harbor:
                for route in self.routes(FIRST_UNNAMED - sort // SUNK, card, born):
                    routes.append((*route, ~sort))
        return routes

    def must_be_free(self, card: int, kind: int) -> None:
        """The identity turned up as an unnamed card of that kind, so no other card can have it."""
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
        """The identity turned up in another cluster, so no card of this one can have it."""
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
        """The harbors since which the identity may be free."""
        return {born_in(key[4], card) for key in owner.rows} - {0}

    # ---- bags -----------------------------------------------------------------------------

    def enter(self, bag: int, item: int) -> None:
        """A card of known kind, or the card at an uncertain place, joins the bag."""
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
        """Any card of the bag may have left. Returns the item at the target, UNSEEN for bags."""
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
        tracked = place in self.tracked
        wild = target == Zone.WILDERNESS
        rows = Rows()
        for key, row in cluster.rows.items():
            for kind in sorted(set(key[0][at])):
                bags = replaced(key[0], at, without_kind(key[0][at], kind))
                weight = row.weight * key[0][at].count(kind)
                if tracked:
                    rows.add((bags, (*key[1], kind), *key[2:]), weight, row.branch, [])
                elif wild:
                    gone = with_kind(key[2], kind)
                    rows.add((bags, key[1], gone, *key[3:]), weight, row.branch, [(place, kind)])
                else:
                    gone = with_kind(key[3], kind)
                    rows.add((bags, *key[1:3], gone, *key[4:]), weight, row.branch, [(place, kind)])
        cluster.rows = rows.finished()
        if tracked:
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
                bags = replaced(key[0], a, without_kind(key[0][a], kind))
                bags = replaced(bags, b, with_kind(bags[b], kind))
                weight = row.weight * key[0][a].count(kind)
                rows.add((bags, *key[1:]), weight, row.branch, [])
        cluster.rows = rows.finished()

    def leaves_seen(self, bag: int, card: int) -> None:
        """This card left the bag, and this seat saw it."""
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
                bags = replaced(key[0], at, without_kind(content, card))
                rows.add((bags, *key[1:]), row.weight, row.branch, [])
                continue
            since, freed = self.use_identity(key, card, born)
            for kind in sorted(set(content)):
                if kind >= 0:
                    continue
                bags = replaced(key[0], at, without_kind(content, kind))
                weight = row.weight * content.count(kind)
                for route in self.routes(kind, card, since):
                    sunk = tuple(sorted(key[5] + route))
                    rows.add((bags, *key[1:4], freed, sunk), weight, row.branch, [])
        cluster.rows = rows.finished()
        if born:
            self.no_longer_free(card)

    def within_reach(self, cluster: Cluster, card: int) -> tuple[Cluster, int]:
        """The cluster, joined if necessary with the one that names the card; and since which
        harbor the identity is free, if that does not depend on this cluster, else 0.
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

    def use_identity(self, key: RowKey, card: int, born: int) -> tuple[int, Kinds]:
        """Since which harbor the identity is free in this row, and what stays free without it."""
        if born:
            return born, key[4]
        since = born_in(key[4], card)
        return since, without_kind(key[4], card + FREED * since) if since else key[4]

    # ---- places ---------------------------------------------------------------------------

    def new_place(self, cluster: Cluster) -> int:
        place = self.next_place
        self.next_place += 1
        self.cluster_of_place[place] = cluster
        return place

    def of_place(self, place: int) -> Cluster:
        cluster = self.cluster_of_place[place]
        if place not in self.tracked:
            raise TouchedAgain(place)
        return cluster

    def forget_place(self, cluster: Cluster, place: int) -> None:
        cluster.places.remove(place)
        del self.cluster_of_place[place]

    def place_is(self, place: int, card: int) -> None:
        """The uncertain place turns out to hold this card."""
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
        """A seat took a card from below the top, and only that seat knows which (P32, R93)."""
        pile = self.piles[Zone.GRAVEYARD]
        below = pile[:-1]
        cluster = self.of_bag(target)
        for item in below:
            if item >= PLACE:
                cluster = self.join(cluster, self.of_place(item - PLACE))
        at = cluster.bags.index(target)
        fresh = [self.new_place(cluster) for _ in below[1:]]
        tracked = [place for place in fresh if place in self.tracked]
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
                kept = tuple(left[n] for n, place in enumerate(fresh) if place in self.tracked)
                untracked = [
                    (place, left[n]) for n, place in enumerate(fresh) if place not in self.tracked
                ]
                rest = tuple(sorted((*key[3], *[kind for _, kind in untracked])))
                rows.add(
                    (bags, old + kept, key[2], rest, *key[4:]), row.weight, row.branch, untracked
                )
        cluster.rows = rows.finished()
        for item in below:
            if item >= PLACE:
                self.forget_place(cluster, item - PLACE)
            else:
                self.cluster_of_card[item] = cluster
        cluster.places.extend(tracked)
        self.piles[Zone.GRAVEYARD] = [PLACE + place for place in fresh] + [pile[-1]]

    def without_places(self, cluster: Cluster, key: RowKey, items: list[int]) -> Kinds:
        return tuple(
            kind
            for place, kind in zip(cluster.places, key[1], strict=True)
            if PLACE + place not in items
        )

    # ---- whole-table events ---------------------------------------------------------------

    def reshuffle(self) -> None:
        """The wilderness becomes a new harbor: its named cards may be anywhere in it."""
        self.harbor += 1
        for item in self.piles[Zone.WILDERNESS]:
            if item < 0:
                self.sink((self.sunk_now(item),))
            elif item < PLACE:
                self.pool[item] = self.harbor
            else:  # untracked: a place touched later has left the wilderness before
                del self.cluster_of_place[item - PLACE]
        self.piles[Zone.WILDERNESS] = []
        for cluster in self.clusters:
            rows = Rows()
            for key, row in cluster.rows.items():
                named = [card + FREED * self.harbor for card in key[2] if card >= 0]
                freed = tuple(sorted((*key[4], *named)))
                gone = [self.sunk_now(kind) for kind in key[2] if kind < 0]
                sunk = tuple(sorted((*key[5], *gone)))
                # Places of the old wilderness are gone; a branch matters only for other places.
                branch = row.branch if key[3] else None
                rows.add((*key[:2], (), key[3], freed, sunk), row.weight, branch, [])
            cluster.rows = rows.finished()

    def sunk_now(self, kind: int) -> int:
        """The sort of an unnamed card of this kind that goes into the new harbor."""
        sort = (FIRST_UNNAMED - kind) * SUNK + self.harbor
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
        harbor, ban = self.groups[FIRST_UNNAMED - kind]
        return self.unnamed(harbor, ban | faction)

    # ---- clusters -------------------------------------------------------------------------

    def of_bag(self, bag: int) -> Cluster:
        """The cluster of a bag; a new one if its content was certain so far."""
        cluster = self.cluster_of_bag.get(bag)
        if cluster is not None:
            return cluster
        cluster = Cluster()
        content = tuple(sorted(self.piles[bag]))
        self.piles[bag] = []
        (key,) = cluster.rows
        cluster.rows = {((content,), *key[1:]): WeightedRow(1.0, None)}
        cluster.bags.append(bag)
        self.cluster_of_bag[bag] = cluster
        self.clusters.append(cluster)
        for kind in content:
            if kind >= 0:
                self.cluster_of_card[kind] = cluster
        return cluster

    def join(self, first: Cluster, second: Cluster) -> Cluster:
        """One table of both: every row of one combined with every row of the other."""
        if first is second:
            return first
        self.thin_for_join(first, second)
        rows: dict[RowKey, WeightedRow] = {}
        for a, row_a in first.rows.items():
            for b, row_b in second.rows.items():
                key: RowKey = (
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
                    rows[key] = WeightedRow(rows[key].weight + weight, both)
                else:
                    rows[key] = WeightedRow(weight, branch)
        first.rows = rows
        first.bags += second.bags
        first.places += second.places
        self.clusters.remove(second)
        for owners in (self.cluster_of_bag, self.cluster_of_place, self.cluster_of_card):
            for what, owner in owners.items():
                if owner is second:
                    owners[what] = first
        return first

    def thin_for_join(self, first: Cluster, second: Cluster) -> None:
        """Thin both tables if the joined one would be too large."""
        if len(first.rows) * len(second.rows) > self.limit:
            self.exact = False
            fewest = min(len(first.rows), len(second.rows), isqrt(self.limit))
            first.rows = thinned(first.rows, self.limit // fewest, self.rng)
            second.rows = thinned(second.rows, self.limit // fewest, self.rng)

    def tidy(self) -> None:
        """Move what has become certain out of the clusters that have changed."""
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
        """An identity set free in every row by the same reshuffle goes into the common pool."""
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
        """Cards sunk or used in every row are counted once instead of in each."""
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
                left = without_kind(left, sort)
            rows.add((*key[:5], left), row.weight, row.branch, [])
        cluster.rows = rows.finished()
        self.sink(tuple(always))

    def release_cards(self, cluster: Cluster) -> None:
        """Drop the cards that no row of the cluster names any more."""
        held = cluster.cards()
        for card, owner in list(self.cluster_of_card.items()):
            if owner is cluster and card not in held:
                del self.cluster_of_card[card]
