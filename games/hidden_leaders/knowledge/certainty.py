"""What a seat knows for certain, and the chances of the rest, without touching its own sampling.

A second fold of the same events answers these questions, so asking changes nothing about the worlds
that the View samples afterwards.
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from games.errors import Contradiction, GameError
from games.hidden_leaders.knowledge.hypotheses import PLACE, Branch, Cluster
from games.hidden_leaders.knowledge.inference import Knowledge
from games.hidden_leaders.knowledge.sampler import SamplingPlan
from games.hidden_leaders.rules.constants import Limit, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT, LEADERS_AT
from games.state import UNSEEN, Rng

SAMPLES: Final = 1000
"""Worlds drawn where chances cannot be computed."""


class Chances(NamedTuple):
    """How likely each card is to lie in a place, or to be among the cards of a place."""

    odds: dict[int, float]
    """Card -> its chance; a card that is not listed is not there, or was in no sample."""
    samples: int
    """How many worlds were drawn; 0: the chances are exact."""
    certain: tuple[int, ...]
    """The cards that are there in all worlds, ascending."""


class Certainty:
    """Answers what one seat can be sure of."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._fold = Knowledge(knowledge.seat, knowledge.players, knowledge.deck)
        self._fold.events = knowledge.events  # the same list: it grows with the seat's own

    def _update(self) -> Knowledge:
        self._fold.update(Rng(0))
        return self._fold

    # ---- certain cards --------------------------------------------------------------------

    def table(self, board: HiddenLeaders) -> HiddenLeaders:
        """A copy of the seat's table with every card that lies there in all worlds.

        After tables were thinned (`Knowledge.exact`), it may show fewer cards, but never a wrong
        one.
        """
        table = board.copy()
        self._last_leader(table)
        fold = self._fold
        if fold.exact:  # else folding on, which is slow by then, would not make it exact again
            self._update()
        if fold.exact:
            placed = self._places()
            for zone in range(Zone.COUNT):
                if zone in (Zone.WILDERNESS, Zone.GRAVEYARD, Zone.ASIDE) or zone >= Zone.HIDDEN:
                    self._show_pile(table, zone, placed)
                elif fold.is_bag(zone) and table.size(zone):
                    self._show_bag(table, zone)
        return table

    def _last_leader(self, table: HiddenLeaders) -> None:
        """The last leader of six belongs to the last of six players."""
        unknown = [seat for seat in range(table.players) if table.leader(seat) < 0]
        shown = {table.leader(seat) for seat in range(table.players)}
        if len(unknown) == 1 and table.players == Limit.LEADERS:
            (left,) = set(range(Limit.LEADERS)) - shown
            table.m[LEADERS_AT + unknown[0]] = left

    def _show_pile(self, table: HiddenLeaders, zone: int, placed: dict[int, set[int]]) -> None:
        for i, item in enumerate(self._fold.piles[zone]):
            card = self._single(item, placed)
            if card >= 0 and table.m[AT[zone] + i] == UNSEEN:
                table.m[AT[zone] + i] = card

    def _single(self, item: int, placed: dict[int, set[int]]) -> int:
        """The only card that the item of a pile can be; UNSEEN if there are several."""
        kinds = placed.get(item - PLACE, set()) if item >= PLACE else {item}
        if len(kinds) != 1:
            return UNSEEN
        (kind,) = kinds
        if kind < 0 and self._alike and len(self._fold.pool) == 1:
            (kind,) = self._fold.pool
        return max(kind, UNSEEN)

    def _show_bag(self, table: HiddenLeaders, zone: int) -> None:
        size = table.size(zone)
        known = [card for card, chance in self._bag_odds(zone).items() if chance == 1.0]
        if UNSEEN in table.cards(zone):
            cards = [*sorted(known), *[UNSEEN] * (size - len(known))]
            for i, card in enumerate(cards):
                table.m[AT[zone] + i] = card

    def _places(self) -> dict[int, set[int]]:
        """Place -> the kinds that can lie there, in any row of any cluster."""
        placed: dict[int, set[int]] = {}
        seen: set[int] = set()
        for cluster in self._fold.clusters:
            for key, row in cluster.rows.items():
                for place, kind in zip(cluster.places, key[1], strict=True):
                    placed.setdefault(place, set()).add(kind)
                _gather(row.branch, placed, seen)
        return placed

    # ---- chances --------------------------------------------------------------------------

    @property
    def _alike(self) -> bool:
        """Whether any free identity is equally likely at any unnamed card."""
        return self._fold.harbor == 1 and self._fold.groups == [(1, 0)]

    def chances(
        self, board: HiddenLeaders, zone: int, index: int, samples: int, seed: int
    ) -> Chances:
        """For every card, the chance that it lies in the zone, or at that index of it."""
        size = board.size(zone)
        if not -1 <= index < size:
            raise GameError(f"there is no card {index} in a place of {size}")
        fold = self._update()
        if index >= 0 and (zone == Zone.HARBOR or fold.is_bag(zone)):
            raise GameError("hands and the harbor have no order; ask without an index")
        odds = self._exact_odds(board, zone, index)
        exact = odds is not None
        if odds is None:
            odds = self._sampled(board, zone, index, samples, seed)
        sure = _asked(self.table(board).cards(zone), index) if zone != Zone.HARBOR else []
        certain = tuple(sorted(card for card in sure if card >= 0))
        return Chances(odds, 0 if exact else samples, certain)

    def _exact_odds(self, board: HiddenLeaders, zone: int, index: int) -> dict[int, float] | None:
        """The chances where they are cheap, else None."""
        fold, seen = self._fold, _asked(board.cards(zone), index)
        if UNSEEN not in seen and zone != Zone.HARBOR:
            return {card: 1.0 for card in seen if card >= 0}
        if not (fold.exact and self._alike):
            return None
        if fold.is_bag(zone):
            return self._bag_odds(zone)
        item = fold.piles[zone][index] if index >= 0 else PLACE
        if item < 0:
            return {card: 1 / len(fold.pool) for card in sorted(fold.pool)}
        return {item: 1.0} if item < PLACE else None

    def _bag_odds(self, zone: int) -> dict[int, float]:
        """Exact chances while `_alike` holds; otherwise only those of 1 are right."""
        fold = self._fold
        cluster = fold.cluster_of_bag.get(zone)
        rows = [(1.0, tuple(fold.piles[zone]))] if cluster is None else _contents(cluster, zone)
        total = sum(weight for weight, _ in rows)
        odds: dict[int, float] = {}
        unnamed = 0.0
        for weight, kinds in rows:
            for kind in kinds:
                if kind >= 0:
                    odds[kind] = odds.get(kind, 0.0) + weight / total
                else:
                    unnamed += weight / total
        chances = {card: _rounded(chance) for card, chance in sorted(odds.items())}
        if self._alike and unnamed:
            for card in sorted(fold.pool):
                chances[card] = _rounded(unnamed / len(fold.pool))
        return chances

    def _sampled(
        self, board: HiddenLeaders, zone: int, index: int, samples: int, seed: int
    ) -> dict[int, float]:
        rng = Rng(seed)
        while True:
            try:
                plan = SamplingPlan(self._update(), board, self._fold.seat, rng)
                counts: Counter[int] = Counter()
                for _ in range(samples):
                    counts.update(_asked(plan.draw(rng).cards(zone), index))
                break
            except Contradiction:
                self._fold.start_over()
        return {card: count / samples for card, count in sorted(counts.items())}


def _asked(cards: list[int], index: int) -> list[int]:
    """The card at that index, or all if it is -1."""
    return cards if index < 0 else cards[index : index + 1]


def _contents(cluster: Cluster, zone: int) -> list[tuple[float, tuple[int, ...]]]:
    """Every content that the bag can have, with its weight."""
    at = cluster.bags.index(zone)
    return [(row.weight, key[0][at]) for key, row in cluster.rows.items()]


def _gather(branch: Branch | None, placed: dict[int, set[int]], seen: set[int]) -> None:
    """Add what the ways of a branch put on untracked places."""
    todo = [branch]
    while todo:
        way = todo.pop()
        if way is None or id(way) in seen:
            continue
        seen.add(id(way))
        for laid in way.placed:
            for place, kind in laid:
                placed.setdefault(place, set()).add(kind)
        todo += [*way.before, *way.beside]


def _rounded(chance: float) -> float:
    """A chance that differs from 1 only by rounding is 1."""
    return 1.0 if abs(chance - 1.0) < 1e-9 else chance
