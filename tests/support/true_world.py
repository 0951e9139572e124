"""Checks that a seat's knowledge never rules out what really happened.

`Truth` follows the real history card by card, so it needs none of the tables, weights and branches
in which `Knowledge` keeps all possible histories. For every card it records only what the seat can
tell about it, by the definitions in docs/knowledge.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from games.errors import Contradiction
from games.hidden_leaders.knowledge.hypotheses import (
    FIRST_UNNAMED,
    FREED,
    PLACE,
    SUNK,
    Cluster,
    Kinds,
    RowKey,
    WeightedRow,
)
from games.hidden_leaders.knowledge.inference import Knowledge
from games.hidden_leaders.knowledge.sampler import INTO_ZONE, NO_NODE, SET_FREE, SINK, SamplingPlan
from games.hidden_leaders.rules.cards import EMPEROR
from games.hidden_leaders.rules.constants import Event, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT
from games.state import Rng

Group = tuple[int, int]
"""Of an unnamed card: the harbor it came from, and the factions it cannot have."""
Sort = tuple[Group, int]
"""Of a sunk card: its group, and the harbor it went into."""
Told = tuple[int, tuple[int, ...], tuple[int, ...]]
Ledger = frozenset[tuple[int, int]]
"""Counts: the items of a Counter."""


@dataclass
class TrueCard:
    """A card and what the seat can tell about it."""

    zone: int
    named: bool = False
    group: Group = (0, 0)
    """While it is unnamed and out of the harbor."""
    born: int = 1
    """The harbor since which the seat has not known where this identity is."""
    sank: list[Sort] = field(default_factory=list)
    """The sorts as which it has sunk since."""


class Truth:
    """The true history of every card, as far as one seat could see it."""

    def __init__(self, seat: int, deck: tuple[int, ...]) -> None:
        self.seat = seat
        self.cards = {card: TrueCard(Zone.HARBOR) for card in deck}
        if EMPEROR in deck:
            self.cards[EMPEROR] = TrueCard(Zone.GRAVEYARD, named=True)
        self.harbor = 1
        self.sunk: Counter[Sort] = Counter()
        self.used: Counter[Sort] = Counter()
        """The sunk cards whose identity has turned up since."""
        self.followed = 0

    def follow(self, told: list[Told]) -> None:
        """Catch up with the events so far."""
        for audience, full, _ in told[self.followed :]:
            seen = bool(audience >> self.seat & 1)
            if full[0] == Event.MOVED:
                self.moved(full[5], full[3])
                if seen:
                    self.name(full[5])
            elif full[0] == Event.SEEN and seen:
                self.name(full[3])
            elif full[0] == Event.NONE_HELD:
                self.lacks(full[1], full[2])
            elif full[0] == Event.RESHUFFLED:
                self.reshuffled()
        self.followed = len(told)

    def moved(self, card: int, zone: int) -> None:
        true = self.cards[card]
        if true.zone == Zone.HARBOR:
            true.group = (self.harbor, 0)
        true.zone = zone

    def name(self, card: int) -> None:
        true = self.cards[card]
        true.named = True
        self.used.update(true.sank)
        true.sank = []

    def lacks(self, seat: int, faction: int) -> None:
        for true in self.cards.values():
            if true.zone == Zone.HAND + seat:
                true.group = (true.group[0], true.group[1] | faction)

    def reshuffled(self) -> None:
        self.harbor += 1
        for true in self.cards.values():
            if true.zone != Zone.WILDERNESS:
                continue
            true.zone = Zone.HARBOR
            if true.named:
                true.named = False
                true.born = self.harbor
            else:
                sort = (true.group, self.harbor)
                true.sank.append(sort)
                self.sunk[sort] += 1

    # ---- in the encoding of `Knowledge` ----------------------------------------------------

    def kind(self, card: int, groups: list[Group]) -> int:
        true = self.cards[card]
        return card if true.named else FIRST_UNNAMED - number(true.group, groups)

    def ledger(self, groups: list[Group]) -> Ledger:
        """Sunk cards by sort, used ones by ~ sort."""
        counts: dict[int, int] = {}
        for (group, into), count in self.sunk.items():
            counts[number(group, groups) * SUNK + into] = count
        for (group, into), count in self.used.items():
            counts[~(number(group, groups) * SUNK + into)] = count
        return frozenset(counts.items())


def number(group: Group, groups: list[Group]) -> int:
    """The group's number; for an unknown group a number that no group has."""
    return groups.index(group) if group in groups else len(groups)


def is_bag(zone: int) -> bool:
    return zone == Zone.DRAWN or Zone.HAND <= zone < Zone.OPEN


def summed(ledgers: Iterable[Ledger]) -> Ledger:
    total: Counter[int] = Counter()
    for ledger in ledgers:
        total.update(dict(ledger))
    return frozenset((sort, count) for sort, count in total.items() if count)


class Comparison:
    """Compares one seat's knowledge with the truth."""

    def __init__(self, knowledge: Knowledge, truth: Truth, table: HiddenLeaders) -> None:
        self.knowledge = knowledge
        self.truth = truth
        self.kinds = {
            zone: [truth.kind(card, knowledge.groups) for card in table.cards(zone)]
            for zone in range(Zone.COUNT)
            if zone not in (Zone.HARBOR, Zone.TAVERN) and not Zone.OPEN <= zone < Zone.HIDDEN
        }
        """The true content of every zone with anything to know."""
        self.at_place = {
            item - PLACE: (zone, i, self.kinds[zone][i])
            for zone in self.kinds
            for i, item in enumerate(knowledge.piles[zone])
            if item >= PLACE
        }
        """Zone, index and true kind of every uncertain place."""

    def objections(self) -> Iterator[str]:
        """Every contradiction between knowledge and truth."""
        yield from self.wrong_piles()
        yield from self.wrong_pool()
        certain: Ledger = frozenset(self.knowledge.sunk.items())
        possible = {certain}
        for i, cluster in enumerate(self.knowledge.clusters):
            rows = self.true_rows(cluster)
            if not rows:
                yield f"table {i} of {len(cluster.rows)} rows lacks {self.true_key(cluster)}"
            ledgers = {frozenset(Counter(key[5]).items()) for key in rows}
            possible = {summed((total, ledger)) for total in possible for ledger in ledgers}
        if possible and self.truth.ledger(self.knowledge.groups) not in possible:
            yield "the tables do not add up to the sunk and used cards"

    def wrong_piles(self) -> Iterator[str]:
        for zone, true in self.kinds.items():
            items = self.knowledge.piles[zone]
            if is_bag(zone):
                if zone not in self.knowledge.cluster_of_bag and sorted(items) != sorted(true):
                    yield f"bag {zone} holds {sorted(true)}, not {sorted(items)}"
            elif len(items) != len(true):
                yield f"pile {zone} has {len(true)} cards, not {len(items)}"
            else:
                for i, (item, kind) in enumerate(zip(items, true, strict=True)):
                    if item < PLACE and item != kind:
                        yield f"card {i} of pile {zone} is {kind}, not {item}"

    def wrong_pool(self) -> Iterator[str]:
        owned = self.knowledge.cluster_of_card
        free = {
            card: true.born
            for card, true in self.truth.cards.items()
            if not true.named and card not in owned
        }
        if free != self.knowledge.pool:
            wrong = sorted(free.items() ^ self.knowledge.pool.items())
            yield f"free identities with a wrong harbor, missing or superfluous: {wrong}"

    def true_key(self, cluster: Cluster) -> tuple[tuple[Kinds, ...], Kinds, Kinds, Kinds, Kinds]:
        """The key of the true row without its part of the ledger."""
        knowledge = self.knowledge
        untracked = [
            self.at_place[place]
            for place, owner in knowledge.cluster_of_place.items()
            if owner is cluster and place not in knowledge.tracked
        ]
        freed = [
            card + FREED * self.truth.cards[card].born
            for card, owner in knowledge.cluster_of_card.items()
            if owner is cluster and card >= 0 and not self.truth.cards[card].named
        ]
        return (
            tuple(tuple(sorted(self.kinds[bag])) for bag in cluster.bags),
            tuple(self.at_place[place][2] for place in cluster.places),
            tuple(sorted(kind for zone, _, kind in untracked if zone == Zone.WILDERNESS)),
            tuple(sorted(kind for zone, _, kind in untracked if zone != Zone.WILDERNESS)),
            tuple(sorted(freed)),
        )

    def true_rows(self, cluster: Cluster) -> dict[RowKey, WeightedRow]:
        """Rows that are true, except perhaps for their part of the ledger."""
        true = self.true_key(cluster)
        return {
            key: row for key, row in cluster.rows.items() if key[:5] == true and row.weight > 0.0
        }

    # ---- sampling --------------------------------------------------------------------------

    def can_be_drawn(self, board: HiddenLeaders) -> bool:
        """Whether the true world can be sampled from the true rows.

        Other rows are left out: they can only add worlds, and there may be many.
        """
        clusters = self.knowledge.clusters
        tables = [cluster.rows for cluster in clusters]
        for cluster in clusters:
            cluster.rows = self.true_rows(cluster)
        try:
            return self.is_in(SamplingPlan(self.knowledge, board, self.knowledge.seat, Rng(0)))
        except Contradiction:
            return False
        finally:
            for cluster, rows in zip(clusters, tables, strict=True):
                cluster.rows = rows

    def is_in(self, plan: SamplingPlan) -> bool:
        """Whether some path through the plan places every unseen card where it truly is."""
        walk = Walk(plan, self)
        sure: Ledger = frozenset((SINK + sort, count) for sort, count in enumerate(plan.sort_sure))
        possible = {summed([sure])}
        for root in plan.roots:
            possible = {summed((total, way)) for total in possible for way in walk.ways(root)}
        return self.all_laid(plan) in possible

    def all_laid(self, plan: SamplingPlan) -> Ledger:
        """Every uncertain place and bag once, and the cards that are sunk and not used."""
        places = [(AT[zone] + i, 1) for zone, i, _ in self.at_place.values()]
        bags = [(INTO_ZONE + bag, 1) for bag in self.knowledge.cluster_of_bag if self.kinds[bag]]
        sorts = list(zip(plan.sort_group, plan.sort_into, strict=True))
        groups = self.knowledge.groups
        sunk = [
            (SINK + sorts.index((groups.index(group), into)), count)
            for (group, into), count in (self.truth.sunk - self.truth.used).items()
        ]
        return frozenset(places + bags + sunk)


class Walk:
    """All paths through a plan's graph that place cards where they truly are."""

    def __init__(self, plan: SamplingPlan, comparison: Comparison) -> None:
        self.plan = plan
        self.truth = comparison.truth
        self.bags = {bag: Counter(k) for bag, k in comparison.kinds.items() if is_bag(bag)}
        self.lying = {
            AT[zone] + i: kind
            for zone, kinds in comparison.kinds.items()
            if not is_bag(zone)
            for i, kind in enumerate(kinds)
        }
        self.known: dict[int, set[Ledger]] = {NO_NODE: {frozenset()}}

    def ways(self, node: int) -> set[Ledger]:
        """What each path places: places and bags by target, and by sort cards sunk minus used."""
        if node not in self.known:
            self.known[node] = set()
            plan = self.plan
            before = 0.0
            for alt in range(plan.node_first[node], plan.node_end[node]):
                possible = plan.alt_sum[alt] > before
                before = plan.alt_sum[alt]
                laid = range(plan.alt_first[alt], plan.alt_end[alt])
                cards = [(plan.laid_at[i], plan.laid_kind[i]) for i in laid]
                if possible and self.are_true(cards):
                    self.known[node] |= {
                        summed((self.laid(cards), way, other))
                        for way in self.ways(plan.alt_with[alt])
                        for other in self.ways(plan.alt_also[alt])
                    }
        return self.known[node]

    def are_true(self, cards: list[tuple[int, int]]) -> bool:
        bags: dict[int, Counter[int]] = {}
        for at, kind in cards:
            if at >= SINK:
                continue
            if at >= SET_FREE:
                true = self.truth.cards[kind]
                if true.named or true.born != at - SET_FREE:
                    return False
            elif at >= INTO_ZONE:
                bags.setdefault(at - INTO_ZONE, Counter())[kind] += 1
            elif self.lying[at] != kind:
                return False
        return all(self.bags[bag] == content for bag, content in bags.items())

    def laid(self, cards: list[tuple[int, int]]) -> Ledger:
        counts: Counter[int] = Counter()
        for at, kind in cards:
            if at >= SINK:
                counts[at] += -1 if kind else 1
            elif at < INTO_ZONE:
                counts[at] += 1
            elif at < SET_FREE:
                counts[at] = 1  # a whole bag at once
        return frozenset(counts.items())
