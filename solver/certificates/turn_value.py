"""What a turn is worth to a seat that sees only its own cards: of one plan, and at most.

A plan leads to a *course*: ends, of which the others pick the worst in each world, chance picks
one, or what the seat sees decides. Who wins at an end depends on the kinds of card at some spots
and on the deal of the roles, so a course is valued for each way these can be. The seat's own
choices are made before that, once for all worlds: a plan cannot depend on what the seat has not
seen.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import Final, NamedTuple

from games.questions import Witness
from solver.certificates.turn_tree import Facts, TurnNode

MOST_COURSES: Final = 500
"""Plans that are gone through one by one where the others reply."""

_ZERO: Final = Fraction(0)
_ONE: Final = Fraction(1)
NO_FACTS: Final[Facts] = frozenset()


class PlanCourse(NamedTuple):
    """What a plan leads to."""

    who: str
    """`end`, `theirs`, `chance` or `seen`."""
    end: Hashable = None
    parts: tuple[tuple[int, Facts, PlanCourse], ...] = ()
    """Weight, facts, and what follows."""


LOST: Final = PlanCourse("end")


def course(who: str, parts: Iterable[tuple[int, Facts, PlanCourse]]) -> PlanCourse:
    """The course of several ones; a simpler one where it makes no difference which."""
    parts = tuple(parts)
    distinct = {following for _, _, following in parts}
    if len(distinct) == 1:
        return distinct.pop()
    if who == "theirs":
        if LOST in distinct:
            return LOST
        ordered = sorted(distinct, key=repr)
        return PlanCourse(who, None, tuple((1, NO_FACTS, following) for following in ordered))
    return PlanCourse(who, None, parts)


PlanChoices = tuple[object, ...]
"""How a plan goes on: see `Valuer.plans`."""


@dataclass
class Valuer:
    """Values the courses of one seat's turn."""

    witness: Witness
    _known: dict[tuple[Facts, PlanCourse], Fraction] = field(default_factory=dict)
    _sure: dict[tuple[Hashable, bool], bool] = field(default_factory=dict)

    # ---- without any odds ---------------------------------------------------------------------

    def surely(self, one: PlanCourse | TurnNode, wins: bool) -> bool:
        """Whether the seat wins (or loses, whatever it does) in every world, without odds."""
        if one.who == "end":
            return self.end_is(one.end, wins)
        following: Iterator[PlanCourse | TurnNode]
        if isinstance(one, PlanCourse):
            following = (part for _, _, part in one.parts)
        else:
            following = (branch.node for branch in one.branches)
        enough = any if one.who == ("mine" if wins else "theirs") else all
        return enough(self.surely(each, wins) for each in following)

    def end_is(self, end: Hashable, wins: bool) -> bool:
        if end is None:
            return not wins
        if (end, wins) not in self._sure:
            ways = self.witness.possible(self.witness.spots_of(end))
            wanted = self.witness.everywhere if wins else 0
            self._sure[end, wins] = ways is not None and all(
                self.witness.wins(end, kinds) == wanted for kinds in ways
            )
        return self._sure[end, wins]

    # ---- with odds ----------------------------------------------------------------------------

    def value(self, one: PlanCourse, facts: Facts = NO_FACTS) -> Fraction:
        """The chance that the facts hold and the seat wins."""
        if one == LOST:
            return _ZERO
        if one.who == "chance":
            total = sum(weight for weight, _, _ in one.parts)
            return sum(
                (self.value(part, facts) * weight / total for weight, _, part in one.parts), _ZERO
            )
        if one.who == "seen":
            return sum((self.value(part, facts | found) for _, found, part in one.parts), _ZERO)
        if (facts, one) not in self._known:
            self._known[facts, one] = self._counted(one, facts)
        return self._known[facts, one]

    def _counted(self, one: PlanCourse, facts: Facts) -> Fraction:
        every_faction = bool(facts) or _has_facts(one)
        spots = tuple(sorted({spot for spot, _ in facts} | self._spots(one)))
        deals = self.witness.everywhere.bit_count()
        total = _ZERO
        for kinds, chance in self.witness.odds(spots, every_faction).items():
            kind_at = dict(zip(spots, kinds, strict=True))
            if all(kind_at[spot] == kind for spot, kind in facts):
                total += chance * self._won(one, kind_at) / deals
        return total

    def _won(self, one: PlanCourse, kind_at: dict[int, int]) -> Fraction:
        """In how many deals of the roles the seat wins, if the cards are of these kinds."""
        bits = self._bits(one, kind_at)
        if bits is not None:
            return Fraction(bits.bit_count())
        deals = range(self.witness.everywhere.bit_length())
        return sum((self._in_deal(one, kind_at, 1 << deal) for deal in deals), _ZERO)

    def _bits(self, one: PlanCourse, kind_at: dict[int, int]) -> int | None:
        """The deals in which the seat wins; None if chance has a part in that."""
        if one.who == "chance":
            return None
        if one.who == "end":
            return self._end_bits(one.end, kind_at)
        bits = self.witness.everywhere
        for _, facts, part in one.parts:
            if all(kind_at[spot] == kind for spot, kind in facts):
                won = self._bits(part, kind_at)
                if won is None:
                    return None
                bits &= won
        return bits

    def _end_bits(self, end: Hashable, kind_at: dict[int, int]) -> int:
        if end is None:
            return 0
        kinds = tuple(kind_at[spot] for spot in self.witness.spots_of(end))
        return self.witness.wins(end, kinds)

    def _in_deal(self, one: PlanCourse, kind_at: dict[int, int], deal: int) -> Fraction:
        """The chance to win in one world."""
        if one.who == "end":
            return _ONE if self._end_bits(one.end, kind_at) & deal else _ZERO
        each = [
            (weight, self._in_deal(part, kind_at, deal))
            for weight, facts, part in one.parts
            if all(kind_at[spot] == kind for spot, kind in facts)
        ]
        if one.who == "chance":
            total = sum(weight for weight, _ in each)
            return sum((value * weight / total for weight, value in each), _ZERO)
        return min(value for _, value in each)

    def _spots(self, one: PlanCourse) -> set[int]:
        if one.who == "end":
            return set() if one.end is None else set(self.witness.spots_of(one.end))
        spots = {spot for _, facts, _ in one.parts for spot, _ in facts}
        return spots.union(*(self._spots(part) for _, _, part in one.parts))

    # ---- the best plan ------------------------------------------------------------------------

    def best(self, node: TurnNode, facts: Facts = NO_FACTS) -> tuple[Fraction, PlanChoices]:
        """No plan does better than this; and a plan to try, which mostly achieves it."""
        if node.who == "end":
            return self.value(PlanCourse("end", node.end), facts), ()
        if node.who == "theirs":
            return self._best_reply(node, facts)
        if node.who == "mine":
            values = [self.best(branch.node, facts) for branch in node.branches]
            at = max(range(len(values)), key=lambda number: values[number][0])
            return values[at][0], (at, values[at][1])
        found = [self.best(branch.node, facts | branch.facts) for branch in node.branches]
        choices = tuple(rest for _, rest in found)
        if node.who == "seen":
            return sum((value for value, _ in found), _ZERO), choices
        weights = [branch.weight for branch in node.branches]
        mean = sum(
            (weight * value for weight, (value, _) in zip(weights, found, strict=True)), _ZERO
        )
        return mean / sum(weights), choices

    def _best_reply(self, node: TurnNode, facts: Facts) -> tuple[Fraction, PlanChoices]:
        plans = self.plans(node)
        if plans is not None:
            values = {one: self.value(one, facts) for one in plans}
            top = max(values, key=lambda one: values[one])
            return values[top], plans[top]
        found = [self.best(branch.node, facts) for branch in node.branches]
        return min(value for value, _ in found), tuple(rest for _, rest in found)

    def plans(self, node: TurnNode) -> dict[PlanCourse, PlanChoices] | None:
        """Every plan by its course, with its choices; None if there are too many.

        The choices of a node: at `mine` the number of the branch and the choices after it,
        elsewhere the choices of every branch.
        """
        if node.who == "end":
            return {PlanCourse("end", node.end): ()}
        below = [self.plans(branch.node) for branch in node.branches]
        known = [plans for plans in below if plans is not None]
        if len(known) < len(below):
            return None
        plans: dict[PlanCourse, PlanChoices] = {}
        if node.who == "mine":
            for at, each in enumerate(known):
                for one, rest in each.items():
                    plans.setdefault(one, (at, rest))
            return plans
        if prod(map(len, known)) > MOST_COURSES:
            return None
        for chosen in product(*(each.items() for each in known)):
            parts = [
                (branch.weight, branch.facts, one)
                for branch, (one, _) in zip(node.branches, chosen, strict=True)
            ]
            plans.setdefault(course(node.who, parts), tuple(rest for _, rest in chosen))
        return plans


def _has_facts(one: PlanCourse) -> bool:
    return any(facts or _has_facts(part) for _, facts, part in one.parts)
