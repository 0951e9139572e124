"""The exact odds of what matters at the end of a turn: the factions of hidden heroes.

Who wins depends on unseen cards only through the factions of hidden heroes, and of a few cards that
may come into a party, so the many ways the other unseen cards can lie are summed up. Every cluster
of the seat's knowledge is reduced to what it says about these cards; these parts are combined as
the sampler combines rows, and unnamed cards then get factions from what their harbor can have
dealt. All of it is computed in double precision, as the knowledge is. `TooManyWays` says that this
does not work, and worlds must be sampled: after two reshuffles, where a seat said that it lacks a
faction, or if the tables of the knowledge had to be thinned.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import exp, lgamma
from typing import Final

from games.errors import GameError
from games.hidden_leaders.knowledge.hypotheses import FIRST_UNNAMED, FREED, PLACE, Branch, Cluster
from games.hidden_leaders.knowledge.inference import Knowledge
from games.hidden_leaders.rules.bytecode import FACTION_OF
from games.hidden_leaders.rules.constants import ALL_FACTIONS, Zone
from games.questions import Tick, no_limit
from games.state import Rng

MOST_ROWS: Final = 4000
"""Rows of a table of the knowledge, before it is thinned."""
MOST_WAYS: Final = 50_000
"""Ways the hidden heroes can lie, at most, while clusters are combined."""
MOST_DEALT: Final = 2_000_000
"""Ways to deal factions to unnamed cards that are gone through, at most: about five seconds."""
_MOST_HARBORS: Final = 2

Slot = tuple[int, int]
"""An unseen card: its zone and its index there. In the harbor all are alike, so the index only
tells cards apart; in a hand it is a card picked at random, and the index is 0."""
HeroKind = int
"""The factions of a card, or below 0 an unnamed one: minus the number of its harbor."""
FreeCards = tuple[tuple[int, int], ...]
"""Identities set free, sorted: harbor and factions of each."""
Way = tuple[tuple[tuple[int, HeroKind], ...], FreeCards, int, int]
"""Slots (by number) and their kinds, identities set free, cards sunk, cards used."""
Ways = dict[Way, float]

FactionOdds = dict[tuple[int, ...], float]
"""The factions of every unknown hidden hero -> the probability."""


class TooManyWays(GameError):
    """The odds cannot be computed, only sampled."""


class PartyOdds:
    """What one seat knows about the hidden heroes of all parties."""

    def __init__(
        self,
        knowledge: Knowledge,
        relevant: int = ALL_FACTIONS,
        more: Sequence[Slot] = (),
        hindsight: bool = True,
        tick: Tick = no_limit,
    ) -> None:
        """Cards are told apart only by the factions in `relevant`; `more` are other such cards.

        Without `hindsight`, tables keep what they would need if another reshuffle came: the same
        odds with more work.
        """
        fold = Knowledge(knowledge.seat, knowledge.players, knowledge.deck)
        fold.events = knowledge.events
        fold.limit = MOST_ROWS
        self.tick = tick
        if hindsight:
            fold.look_back()
        tick()
        fold.update(Rng(0))
        tick()
        self.fold = fold
        self.relevant = relevant
        self.slots: list[Slot] = []
        """The hidden heroes that are not known for certain, then other cards."""
        self.places: dict[int, int] = {}
        """Place -> the number of its slot."""
        self.sure: dict[int, HeroKind] = {}
        """Slots outside clusters: unnamed cards."""
        self.picks: dict[int, int] = {}
        """Hand -> the number of the slot that is a card picked from it."""
        self._find_slots(more)
        self._odds: FactionOdds | None = None

    def _find_slots(self, more: Sequence[Slot]) -> None:
        for seat in range(self.fold.players):
            for index, item in enumerate(self.fold.piles[Zone.HIDDEN + seat]):
                if not 0 <= item < PLACE:
                    self._add_slot((Zone.HIDDEN + seat, index), item)
        for zone, index in more:
            if Zone.HAND <= zone < Zone.OPEN:
                self.picks[zone] = len(self.slots)
                self.slots.append((zone, index))
            elif zone == Zone.HARBOR:
                self.sure[len(self.slots)] = -self.fold.harbor
                self.slots.append((zone, index))
            else:
                self._add_slot((zone, index), self.fold.piles[zone][index])

    def _add_slot(self, slot: Slot, item: int) -> None:
        if item >= PLACE:
            self.places[item - PLACE] = len(self.slots)
        else:
            self.sure[len(self.slots)] = self._kind(item)
        self.slots.append(slot)

    def _kind(self, kind: int) -> HeroKind:
        """A card's factions, or minus the harbor of an unnamed card."""
        return -self.fold.groups[FIRST_UNNAMED - kind][0] if kind < 0 else self._factions(kind)

    def _factions(self, card: int) -> int:
        return int(FACTION_OF[card]) & self.relevant

    # ---- the odds -------------------------------------------------------------------------

    def odds(self) -> FactionOdds:
        """The joint odds of the factions of all slots; TooManyWays if they cannot be computed."""
        if self._odds is None:
            fold = self.fold
            if not fold.exact:
                raise TooManyWays("the tables of the seat's knowledge were thinned")
            if fold.harbor > _MOST_HARBORS:
                raise TooManyWays("the harbor was reshuffled more than once")
            if any(ban for _, ban in fold.groups):
                raise TooManyWays("a seat is known to lack a faction")
            self._odds = self._dealt(self._combined())
        return self._odds

    def _combined(self) -> Ways:
        """All clusters together, weighed as the sampler weighs their rows."""
        fold = self.fold
        free = [(born, self._factions(card)) for card, born in fold.pool.items()]
        sunk = sum(count for sort, count in fold.sunk.items() if sort >= 0)
        used = sum(count for sort, count in fold.sunk.items() if sort < 0)
        sure = tuple(sorted(self.sure.items()))
        ways: Ways = {(sure, tuple(sorted(free)), sunk, used): 1.0}
        for bag, slot in self.picks.items():
            if bag not in fold.cluster_of_bag:
                ways = self._joined(ways, self._picked(slot, fold.piles[bag]))
        for cluster in sorted(fold.clusters, key=lambda cluster: len(cluster.rows)):
            ways = self._joined(ways, self._reduced(cluster))
        if fold.harbor == 1:
            return ways
        return _weighed(ways)

    def _reduced(self, cluster: Cluster) -> Ways:
        """What the rows of a cluster say about hidden heroes."""
        ways: defaultdict[Way, float] = defaultdict(float)
        known: dict[int, Ways] = {}
        for key, row in cluster.rows.items():
            tracked = {
                self.places[place]: self._kind(kind)
                for place, kind in zip(cluster.places, key[1], strict=True)
                if place in self.places
            }
            free = tuple(sorted((one // FREED, self._factions(one % FREED)) for one in key[4]))
            sunk = sum(sort >= 0 for sort in key[5])
            own: Way = (tuple(sorted(tracked.items())), free, sunk, len(key[5]) - sunk)
            laid = self._joined({own: row.weight}, self._placed(row.branch, known))
            for bag, content in zip(cluster.bags, key[0], strict=True):
                if bag in self.picks:
                    laid = self._joined(laid, self._picked(self.picks[bag], content))
            for way, weight in laid.items():
                ways[way] += weight
        return dict(ways)

    def _picked(self, slot: int, content: Sequence[int]) -> Ways:
        """One of these cards, each equally likely."""
        ways: defaultdict[Way, float] = defaultdict(float)
        for kind in content:
            ways[((slot, self._kind(kind)),), (), 0, 0] += 1.0 / len(content)
        return dict(ways)

    def _placed(self, branch: Branch | None, known: dict[int, Ways]) -> Ways:
        """What the ways of a branch put on hidden places, with their probabilities."""
        nothing: Ways = {((), (), 0, 0): 1.0}
        if branch is None:
            return nothing
        if id(branch) not in known:
            total = sum(branch.weights)
            ways: defaultdict[Way, float] = defaultdict(float)
            for weight, before, beside, placed in zip(
                branch.weights, branch.before, branch.beside, branch.placed, strict=True
            ):
                slots = sorted(
                    (self.places[place], self._kind(kind))
                    for place, kind in placed
                    if place in self.places
                )
                laid: Ways = {(tuple(slots), (), 0, 0): weight / total}
                for part in (before, beside):
                    laid = self._joined(laid, self._placed(part, known))
                for way, chance in laid.items():
                    ways[way] += chance
            known[id(branch)] = dict(ways)
        return known[id(branch)]

    def _dealt(self, ways: Ways) -> FactionOdds:
        """Unnamed cards get their factions."""
        total = sum(ways.values())
        alike: defaultdict[tuple[tuple[HeroKind, ...], FreeCards, int], float] = defaultdict(float)
        for (slots, free, sunk, used), weight in ways.items():
            alike[tuple(kind for _, kind in slots), free, sunk - used] += weight / total
        # Named cards have their factions, so only the unnamed ones are dealt.
        deals: dict[tuple[tuple[HeroKind, ...], FreeCards, int], FactionOdds] = {}
        odds: defaultdict[tuple[int, ...], float] = defaultdict(float)
        work = 0
        for (kinds, free, sunk), weight in alike.items():
            unnamed = tuple(kind for kind in kinds if kind < 0)
            key = unnamed, free, sunk
            if key not in deals:
                deals[key] = _deals(unnamed, free, sunk, self.tick)
                work += 10 * len(deals[key])
            work += len(deals[key])
            if len(odds) > MOST_WAYS or work > MOST_DEALT:
                raise TooManyWays("there are too many ways the hidden heroes can lie")
            self.tick()
            for dealt, chance in deals[key].items():
                new = iter(dealt)
                odds[tuple(next(new) if kind < 0 else kind for kind in kinds)] += weight * chance
        return dict(odds)

    def _joined(self, one: Ways, other: Ways) -> Ways:
        """Independent parts together."""
        return _joined(one, other, self.tick)


def _joined(one: Ways, other: Ways, tick: Tick) -> Ways:
    """Independent parts together."""
    if len(one) * len(other) > 20 * MOST_WAYS:
        raise TooManyWays("there are too many ways the unseen cards can lie")
    ways: defaultdict[Way, float] = defaultdict(float)
    for (slots, free, sunk, used), weight in one.items():
        tick()
        for (more_slots, more_free, more_sunk, more_used), chance in other.items():
            way = (
                tuple(sorted(slots + more_slots)) if more_slots else slots,
                tuple(sorted(free + more_free)) if more_free else free,
                sunk + more_sunk,
                used + more_used,
            )
            ways[way] += weight * chance
    if len(ways) > MOST_WAYS:
        raise TooManyWays("there are too many ways the unseen cards can lie")
    return dict(ways)


def _weighed(ways: Ways) -> Ways:
    """Weighed by how many deals of two harbors agree with each way (as `sampler` does)."""
    shares: dict[Way, float] = {}
    for _, free, sunk, used in ways:
        share = -1.0
        if sunk >= used:
            first = sum(harbor == 1 for harbor, _ in free)
            second = len(free) - first + sunk - used
            share = lgamma(first + 1) + lgamma(second + 1)
            share += lgamma(sunk + 1) - lgamma(sunk - used + 1)
        shares[(), free, sunk, used] = share
    largest = max(shares.values())
    weighed: Ways = {}
    for (slots, free, sunk, used), weight in ways.items():
        share = shares[(), free, sunk, used]
        if share >= 0.0:
            weighed[slots, free, sunk, used] = weight * exp(share - largest)
    return weighed


Counts = tuple[tuple[int, int], ...]
"""Factions and how many cards have them, sorted."""
_Dealt = tuple[tuple[int, ...], Counts, Counts, int]
"""Factions dealt so far, what is left of both harbors, and how many sunk cards are left."""


def _deals(kinds: Sequence[HeroKind], free: FreeCards, sunk: int, tick: Tick) -> FactionOdds:
    """The odds of the factions of these cards, given what their harbors deal from.

    A sunk card is a random one of those that the first harbor has left; the second deals it again.
    """
    first = _counted(factions for harbor, factions in free if harbor == 1)
    second = _counted(factions for harbor, factions in free if harbor > 1)
    start: _Dealt = ((), first, second, sunk)
    states: dict[_Dealt, float] = {start: 1.0}
    # The first harbor deals before the second.
    order = sorted(range(len(kinds)), key=lambda slot: (kinds[slot] < -1, slot))
    for slot in order:
        following: defaultdict[_Dealt, float] = defaultdict(float)
        tick()
        for (dealt, one, two, left), chance in states.items():
            kind = kinds[slot]
            if kind >= 0:
                following[(*dealt, kind), one, two, left] += chance
                continue
            here = sum(count for _, count in two)
            from_sunk = 1.0 if kind == -1 else left / (left + here)
            size = sum(count for _, count in one)
            if from_sunk > 0.0:
                after = left if kind == -1 else left - 1
                for factions, count in one:
                    key = ((*dealt, factions), _less(one, factions), two, after)
                    following[key] += chance * from_sunk * count / size
            if from_sunk < 1.0:
                for factions, count in two:
                    key = ((*dealt, factions), one, _less(two, factions), left)
                    following[key] += chance * (1.0 - from_sunk) * count / here
        states = dict(following)
        if len(states) > MOST_WAYS:
            raise TooManyWays("there are too many ways the hidden heroes can lie")
    odds: defaultdict[tuple[int, ...], float] = defaultdict(float)
    back = {slot: at for at, slot in enumerate(order)}
    for (dealt, _, _, _), chance in states.items():
        odds[tuple(dealt[back[slot]] for slot in range(len(kinds)))] += chance
    return dict(odds)


def _counted(factions: Iterable[int]) -> Counts:
    return tuple(sorted(Counter(factions).items()))


def _less(counts: Counts, factions: int) -> Counts:
    """One card of these factions less."""
    return tuple(
        (one, count - 1 if one == factions else count)
        for one, count in counts
        if count > 1 or one != factions
    )
