"""Samples worlds from a seat's knowledge, flattened so that one world takes a microsecond or two.

A `SamplingPlan` is made once per decision. It holds a table with everything certain on it, the
uncertain rest as a graph of weighted alternatives, and the identities still to be dealt. `draw`
walks the graph once and deals the identities; where a hand is known to lack a faction it repeats
the deal until it agrees (rejection sampling), which keeps the odds exact.
"""

from __future__ import annotations

from math import exp, lgamma
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from games.errors import Contradiction
from games.hidden_leaders.knowledge.hypotheses import (
    FIRST_UNNAMED,
    FREED,
    PLACE,
    SUNK,
    Branch,
    Cluster,
    Kinds,
    RowKey,
    WeightedRow,
    evenly_drawn,
    fraction,
)
from games.hidden_leaders.knowledge.inference import Knowledge
from games.hidden_leaders.rules.bytecode import FACTION_OF
from games.hidden_leaders.rules.constants import Limit, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT, LAST, LEADERS_AT, LENGTH
from games.state import Rng

INTO_ZONE: Final = 100000
"""INTO_ZONE + z as a target: the card joins that bag. Smaller targets are indices of Table.m."""
SET_FREE: Final = 200000
"""SET_FREE + h as a target: the identity may belong to any unnamed card from harbor h on."""
SINK: Final = 300000
"""SINK + s as a target: a card of sort s is sunk; if the kind is not 0, it is used."""
NO_NODE: Final = -1
MOST_TOKENS: Final = 96
MOST_TRIES: Final = 1000000
"""Deals in a row that may disagree with what hands are known to lack or hold."""


Alternative = tuple[float, int, int, list[tuple[int, int]]]
"""Weight, up to two nodes that come with it, and the cards laid as (where, kind)."""

Sheet = dict[tuple[int, ...], tuple[float, int]]
"""Counts that rows of a cluster add -> (total weight, node) of the rows that add them."""


class SamplingPlan:
    """Everything needed to sample worlds that agree with one seat's knowledge."""

    def __init__(self, knowledge: Knowledge, board: HiddenLeaders, seat: i64, rng: Rng) -> None:
        self.base: HiddenLeaders = board.copy()
        self.seat: i64 = seat
        self.harbors: i64 = knowledge.harbor
        # The graph. A node is a run of alternatives; an alternative has a cumulative weight, up to
        # two nodes that come with it, and a run of cards it lays.
        self.node_first: vec[i64] = vec[i64]()
        self.node_end: vec[i64] = vec[i64]()
        self.alt_sum: vec[float] = vec[float]()
        self.alt_with: vec[i64] = vec[i64]()
        self.alt_also: vec[i64] = vec[i64]()
        self.alt_first: vec[i64] = vec[i64]()
        self.alt_end: vec[i64] = vec[i64]()
        self.laid_at: vec[i64] = vec[i64]()
        self.laid_kind: vec[i64] = vec[i64]()
        self.roots: vec[i64] = vec[i64]()
        # Unnamed cards at certain places, and the groups of unnamed cards.
        self.sure_at: vec[i64] = vec[i64]()
        self.sure_group: vec[i64] = vec[i64]()
        self.group_harbor: vec[i64] = vec[i64]()
        self.group_ban: vec[i64] = vec[i64]()
        # Sorts of sunk cards, by the harbor they came from: group, the harbor they went into, and
        # how many are certain.
        self.sort_group: vec[i64] = vec[i64]()
        self.sort_into: vec[i64] = vec[i64]()
        self.sort_sure: vec[i64] = vec[i64]()
        # Identities to deal, by harbor; and the leaders not shown yet.
        self.pool_card: vec[i64] = vec[i64]()
        self.pool_born: vec[i64] = vec[i64]()
        self.leaders: vec[i64] = vec[i64]()
        # Scratch, reused from draw to draw.
        self.todo: vec[i64] = vec[i64]([0] * 4096)
        self.token_at: vec[i64] = vec[i64]([0] * MOST_TOKENS)
        self.token_group: vec[i64] = vec[i64]([0] * MOST_TOKENS)
        self.freed_card: vec[i64] = vec[i64]([0] * (MOST_TOKENS * knowledge.harbor))
        self.freed_born: vec[i64] = vec[i64]([0] * (MOST_TOKENS * knowledge.harbor))
        self.sunk: vec[i64] = vec[i64]([0] * len(knowledge.sorts))
        self.deal: vec[i64] = vec[i64]([0] * MOST_TOKENS)
        Builder(self, knowledge, rng).build()

    # ---- drawing --------------------------------------------------------------------------

    def draw(self, rng: Rng) -> HiddenLeaders:
        """One world, with the odds that `inference` describes."""
        most: i64 = MOST_TRIES
        for _ in range(most):
            world = self.base.copy()
            if self.fill(world, rng):
                self.deal_leaders(world, rng)
                if world.actor < 0:
                    return world
                world.resume()
                if world.count > 0:  # a seat that must give a card of a faction has one (P37)
                    return world
        raise Contradiction

    def fill(self, world: HiddenLeaders, rng: Rng) -> bool:
        """Lay the unseen cards; False if a hand got a card it is known not to hold."""
        m = world.m
        token_at = self.token_at
        token_group = self.token_group
        tokens: i64 = 0
        sure: i64 = len(self.sure_at)
        for i in range(sure):
            token_at[tokens] = self.sure_at[i]
            token_group[tokens] = self.sure_group[i]
            tokens += 1
        freed: i64 = 0
        sunk = self.sunk
        sorts: i64 = len(self.sort_sure)
        for i in range(sorts):
            sunk[i] = self.sort_sure[i]
        todo = self.todo
        depth: i64 = 0
        roots: i64 = len(self.roots)
        for i in range(roots):
            todo[depth] = self.roots[i]
            depth += 1
        while depth > 0:
            depth -= 1
            alt = self.pick(todo[depth], rng)
            if self.alt_with[alt] != NO_NODE:
                todo[depth] = self.alt_with[alt]
                depth += 1
            if self.alt_also[alt] != NO_NODE:
                todo[depth] = self.alt_also[alt]
                depth += 1
            for i in range(self.alt_first[alt], self.alt_end[alt]):
                at = self.laid_at[i]
                kind = self.laid_kind[i]
                if at >= SINK:
                    sunk[at - SINK] += 1 if kind == 0 else -1
                elif at >= SET_FREE:
                    self.freed_card[freed] = kind
                    self.freed_born[freed] = at - SET_FREE
                    freed += 1
                elif kind < 0:
                    token_at[tokens] = at
                    token_group[tokens] = FIRST_UNNAMED - kind
                    tokens += 1
                elif at >= INTO_ZONE:
                    world.lay(at - INTO_ZONE, LAST, kind)
                else:
                    m[at] = kind
        return self.deal_identities(world, rng, tokens, freed)

    def pick(self, node: i64, rng: Rng) -> i64:
        """An alternative of the node, by weight."""
        first = self.node_first[node]
        last = self.node_end[node] - 1
        if first == last:
            return first
        aim = (float(rng.below(1 << 26)) + 0.5) / 67108864.0 * self.alt_sum[last]
        while first < last:
            middle = (first + last) >> 1
            if self.alt_sum[middle] > aim:
                last = middle
            else:
                first = middle + 1
        return first

    def deal_identities(self, world: HiddenLeaders, rng: Rng, tokens: i64, freed: i64) -> bool:
        """Give every unnamed card an identity its harbor can have had, all ways equally likely.

        Harbors deal one after the other, to all their cards including sunk ones; a sunk card brings
        its identity into the harbor it went into.
        """
        m = world.m
        deal = self.deal
        # Vectors in local names: reading one from an attribute counts a reference each time.
        token_at = self.token_at
        token_group = self.token_group
        group_harbor = self.group_harbor
        group_ban = self.group_ban
        given: i64 = 0
        ready: i64 = 0
        k: i64 = 0
        sort: i64 = 0
        pool: i64 = len(self.pool_card)
        sorts: i64 = len(self.sort_group)
        for harbor in range(1, self.harbors + 1):
            given = 0
            ready = 0
            while k < pool and self.pool_born[k] == harbor:
                deal[ready] = self.pool_card[k]
                ready += 1
                k += 1
            for i in range(freed):
                if self.freed_born[i] == harbor:
                    deal[ready] = self.freed_card[i]
                    ready += 1
            for i in range(tokens):
                group = token_group[i]
                if group_harbor[group] != harbor:
                    continue
                j = given + rng.below(ready - given)
                card = deal[j]
                if FACTION_OF[card] & group_ban[group]:
                    return False
                deal[j] = deal[given]
                given += 1
                at = token_at[i]
                if at >= INTO_ZONE:
                    world.lay(at - INTO_ZONE, LAST, card)
                else:
                    m[at] = card
            while sort < sorts and group_harbor[self.sort_group[sort]] == harbor:
                ban = group_ban[self.sort_group[sort]]
                rest = self.sunk[sort] == ready - given  # everything left goes there
                for _ in range(self.sunk[sort]):
                    j = given if rest else given + rng.below(ready - given)
                    card = deal[j]
                    if FACTION_OF[card] & ban:
                        return False
                    deal[j] = deal[given]
                    given += 1
                    self.freed_card[freed] = card
                    self.freed_born[freed] = self.sort_into[sort]
                    freed += 1
                sort += 1
        harbor_at = AT[Zone.HARBOR]
        m[LENGTH + Zone.HARBOR] = ready - given
        for i in range(given, ready):
            m[harbor_at] = deal[i]
            harbor_at += 1
        return True

    def deal_leaders(self, world: HiddenLeaders, rng: Rng) -> None:
        m = world.m
        left: i64 = len(self.leaders)
        deal = self.deal
        for i in range(left):
            deal[i] = self.leaders[i]
        for seat in range(world.players):
            if m[LEADERS_AT + seat] < 0:
                j = rng.below(left)
                m[LEADERS_AT + seat] = deal[j]
                left -= 1
                deal[j] = deal[left]


class Builder:
    """Flattens knowledge into a plan."""

    def __init__(self, plan: SamplingPlan, knowledge: Knowledge, rng: Rng) -> None:
        self.plan = plan
        self.knowledge = knowledge
        self.rng = rng
        self.place_at: dict[int, int] = {}
        self.sorts = sorted(knowledge.sorts, key=self.harbor_of)
        self.used: dict[int, int] = {}
        """The sorts of which a card is used, numbered."""
        self.scale = -1.0
        """The logarithm of the first share: others are divided by it, to stay within range."""
        self.nodes: dict[int, int] = {}
        self.kept: list[Branch] = []
        """Branches already flattened, kept alive so that their ids stay unique."""

    def build(self) -> None:
        plan, knowledge = self.plan, self.knowledge
        for harbor, ban in knowledge.groups:
            plan.group_harbor = append(plan.group_harbor, harbor)
            plan.group_ban = append(plan.group_ban, ban)
        for card, born in sorted(knowledge.pool.items(), key=by_birth):
            plan.pool_card = append(plan.pool_card, card)
            plan.pool_born = append(plan.pool_born, born)
        for sort in self.sorts:
            plan.sort_group = append(plan.sort_group, sort // SUNK)
            plan.sort_into = append(plan.sort_into, sort % SUNK)
            sure = knowledge.sunk.get(sort, 0) - knowledge.sunk.get(~sort, 0)
            plan.sort_sure = append(plan.sort_sure, sure)
        self.lay_out_certain()
        self.set_aside_leaders()
        self.add_clusters()

    def harbor_of(self, sort: int) -> int:
        return self.knowledge.groups[sort // SUNK][0]

    def lay_out_certain(self) -> None:
        base = self.plan.base
        for zone in range(Zone.COUNT):
            if zone in (Zone.WILDERNESS, Zone.GRAVEYARD, Zone.ASIDE) or zone >= Zone.HIDDEN:
                for i, item in enumerate(self.knowledge.piles[zone]):
                    self.certain_item(AT[zone] + i, item)
            elif zone == Zone.DRAWN or Zone.HAND <= zone < Zone.OPEN:
                base.m[LENGTH + zone] = 0
                for item in self.knowledge.piles[zone]:
                    if item >= 0:
                        base.lay(zone, LAST, item)
                    else:
                        self.certain_item(INTO_ZONE + zone, item)
        base.m[LENGTH + Zone.HARBOR] = 0

    def certain_item(self, at: int, item: int) -> None:
        plan = self.plan
        if item >= PLACE:
            self.place_at[item - PLACE] = at
        elif item >= 0:
            plan.base.m[at] = item
        else:
            plan.sure_at = append(plan.sure_at, at)
            plan.sure_group = append(plan.sure_group, FIRST_UNNAMED - item)

    def set_aside_leaders(self) -> None:
        plan = self.plan
        shown = [plan.base.m[LEADERS_AT + seat] for seat in range(plan.base.players)]
        for leader in range(Limit.LEADERS):
            if leader not in shown:
                plan.leaders = append(plan.leaders, leader)

    # ---- the graph ------------------------------------------------------------------------

    def new_node(self, alternatives: list[Alternative]) -> int:
        """A node of (weight, node with it, node also, cards laid)."""
        plan = self.plan
        plan.node_first = append(plan.node_first, len(plan.alt_sum))
        total = 0.0
        for weight, with_it, also, laid in alternatives:
            total += weight
            plan.alt_sum = append(plan.alt_sum, total)
            plan.alt_with = append(plan.alt_with, with_it)
            plan.alt_also = append(plan.alt_also, also)
            plan.alt_first = append(plan.alt_first, len(plan.laid_at))
            for at, kind in laid:
                plan.laid_at = append(plan.laid_at, at)
                plan.laid_kind = append(plan.laid_kind, kind)
            plan.alt_end = append(plan.alt_end, len(plan.laid_at))
        plan.node_end = append(plan.node_end, len(plan.alt_sum))
        return len(plan.node_first) - 1

    def branch_node(self, branch: Branch | None) -> int:
        if branch is None:
            return NO_NODE
        known = self.nodes.get(id(branch))
        if known is not None:
            return known
        alternatives: list[Alternative] = []
        for i, weight in enumerate(branch.weights):
            laid = [
                (self.place_at[place], kind)
                for place, kind in branch.placed[i]
                if place in self.place_at
            ]
            before = self.branch_node(branch.before[i])
            alternatives.append((weight, before, self.branch_node(branch.beside[i]), laid))
        node = self.new_node(alternatives)
        self.nodes[id(branch)] = node
        self.kept.append(branch)
        return node

    def row_alternative(self, cluster: Cluster, key: RowKey, row: WeightedRow) -> Alternative:
        laid: list[tuple[int, int]] = []
        for bag, content in zip(cluster.bags, key[0], strict=True):
            laid.extend((INTO_ZONE + bag, kind) for kind in content)
        for place, kind in zip(cluster.places, key[1], strict=True):
            laid.append((self.place_at[place], kind))
        for freed in key[4]:
            laid.append((SET_FREE + freed // FREED, freed % FREED))
        for sort in key[5]:
            used = sort < 0
            laid.append((SINK + self.sorts.index(~sort if used else sort), 1 if used else 0))
        return (row.weight, self.branch_node(row.branch), NO_NODE, laid)

    def add_clusters(self) -> None:
        """Before the first reshuffle clusters are independent; after it they are weighed together.

        Even if none is left: thinned tables may agree on more cards used than sunk.
        """
        knowledge = self.knowledge
        if knowledge.harbor == 1:
            for cluster in knowledge.clusters:
                rows = [
                    self.row_alternative(cluster, key, row) for key, row in cluster.rows.items()
                ]
                self.plan.roots = append(self.plan.roots, self.new_node(rows))
            return
        ledgers = [key[5] for cluster in knowledge.clusters for key in cluster.rows]
        for sort in sorted({~sort for sunk in (*ledgers, knowledge.sunk) for sort in sunk}):
            if sort >= 0:
                self.used[sort] = len(self.used)
        sheets: list[Sheet] = []
        for cluster in knowledge.clusters:
            by_census: dict[tuple[int, ...], list[Alternative]] = {}
            for key, row in cluster.rows.items():
                census = self.census(key[4], key[5])
                by_census.setdefault(census, []).append(self.row_alternative(cluster, key, row))
            sheet: Sheet = {}
            for census, rows in by_census.items():
                sheet[census] = (sum(row[0] for row in rows), self.new_node(rows))
            sheets.append(sheet)
        free = [card + FREED * born for card, born in knowledge.pool.items()]
        sunk = [sort for sort, count in knowledge.sunk.items() for _ in range(count)]
        root = self.weigh_all(sheets, self.census(tuple(free), tuple(sunk)))
        if root == NO_NODE:
            raise Contradiction
        self.plan.roots = append(self.plan.roots, root)

    def weigh_all(self, sheets: list[Sheet], census: tuple[int, ...]) -> int:
        """The node that picks a row of every cluster, by its weight and the share of the sum."""
        sheets.sort(key=len)  # small ones first: they share many sums
        slack = self.slack(sheets)
        sums: Sheet = {census: (1.0, NO_NODE)}
        for level, sheet in enumerate(sheets):
            ways: dict[tuple[int, ...], list[Alternative]] = {}
            for so_far, (weight, node) in sums.items():
                for part, (part_weight, part_node) in sheet.items():
                    total = tuple([a + b for a, b in zip(so_far, part, strict=True)])
                    if self.can_come_right(total, slack[level + 1]):
                        way: Alternative = (weight * part_weight, part_node, node, [])
                        ways.setdefault(total, []).append(way)
            sums = self.summed(ways)
        chosen: list[Alternative] = []
        for total, (weight, node) in sums.items():
            share = self.share(total)
            if share > 0.0:
                chosen.append((weight * share, node, NO_NODE, []))
        return self.new_node(chosen) if chosen else NO_NODE

    def summed(self, ways: dict[tuple[int, ...], list[Alternative]]) -> Sheet:
        """A node for every sum; if there are more than `limit`, for some, drawn by weight."""
        weights = {total: sum(way[0] for way in same) for total, same in ways.items()}
        limit = self.knowledge.limit
        if len(weights) > limit:
            self.knowledge.exact = False
            drawn = evenly_drawn(list(weights.values()), limit // 2, fraction(self.rng))
            kept = zip(weights, drawn, strict=True)
            weights = {total: weight for total, weight in kept if weight > 0.0}
        largest = max(weights.values(), default=1.0)
        return {
            total: (weight / largest, self.new_node(ways[total]))
            for total, weight in weights.items()
        }

    def slack(self, sheets: list[Sheet]) -> list[list[int]]:
        """For each cluster, by sort: the most sunk minus used cards it and later ones can add."""
        sorts = len(self.used)
        at = self.knowledge.harbor
        slack = [[0] * sorts]
        for sheet in reversed(sheets):
            gains = [max(c[at + 2 * k] - c[at + 2 * k + 1] for c in sheet) for k in range(sorts)]
            slack.append([a + b for a, b in zip(slack[-1], gains, strict=True)])
        slack.reverse()
        return slack

    def can_come_right(self, census: tuple[int, ...], slack: list[int]) -> bool:
        """Whether every sort can still get as many sunk cards as are used."""
        at = self.knowledge.harbor
        for best in slack:
            if census[at] + best < census[at + 1]:
                return False
            at += 2
        return True

    def census(self, freed: Kinds, sunk: Kinds) -> tuple[int, ...]:
        """The size of each harbor, then cards sunk and cards used of each sort in `used`."""
        harbors = self.knowledge.harbor
        counts = [0] * (harbors + 2 * len(self.used))
        for identity in freed:
            counts[identity // FREED - 1] += 1
        for sort in sunk:
            if sort < 0:
                counts[~sort % SUNK - 1] -= 1
                counts[harbors + 2 * self.used[~sort] + 1] += 1
            else:
                counts[sort % SUNK - 1] += 1
                if sort in self.used:
                    counts[harbors + 2 * self.used[sort]] += 1
        return tuple(counts)

    def share(self, census: tuple[int, ...]) -> float:
        """The number of ways the harbors can have dealt their identities, up to a constant.

        Every harbor deals in any order, and every card used can be any card of its sort.
        """
        harbors = self.knowledge.harbor
        ways = 0.0
        for at in range(harbors, len(census), 2):
            sunk, used = census[at], census[at + 1]
            if used > sunk:
                return 0.0
            ways += lgamma(sunk + 1) - lgamma(sunk - used + 1)
        for size in census[:harbors]:
            ways += lgamma(size + 1)
        if self.scale < 0.0:
            self.scale = ways
        return exp(ways - self.scale)


def by_birth(identity: tuple[int, int]) -> tuple[int, int]:
    return identity[1], identity[0]
