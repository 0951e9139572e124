"""What a seat can expect from drawing, if it is known what every hand is worth.

`CleanupPlan` says how a game lets the seat discard and draw. The value follows from all hands that
it may end with, each valued once, so no position in between is searched. Bounds of hands give
bounds of the value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.state import CleanupPlan
from solver.core.budget import NodeBudget
from solver.core.ratio import ALWAYS, NEVER, Ratio, at_least, divided, larger, plus
from solver.search.replies import HandBounds

_NONE: Final[HandBounds] = (NEVER, NEVER)
_SURE: Final[HandBounds] = (ALWAYS, ALWAYS)
_UNKNOWN: Final[HandBounds] = (NEVER, ALWAYS)


class Draws:
    """The value of one cleanup. Hands and displays are sets of bits, one for each card."""

    def __init__(
        self, plan: CleanupPlan, hand_worth: Callable[[list[int]], HandBounds], budget: NodeBudget
    ) -> None:
        self.plan = plan
        self.hand_worth = hand_worth
        """For the cards of a hand, ascending."""
        self.budget = budget
        self.cards = plan.held + plan.display + plan.face_down
        self.face_down = bits(len(plan.held) + len(plan.display), len(self.cards))
        self.worths: dict[int, HandBounds] = {}
        self.known: dict[int, HandBounds] = {}

    def value(self) -> HandBounds:
        held = len(self.plan.held)
        display = bits(held, held + len(self.plan.display))
        found = self.discarding(bits(0, held), display, self.plan.discards)
        return _UNKNOWN if self.budget.over else found

    def discarding(self, hand: int, display: int, left: int) -> HandBounds:
        """The best of drawing now and of discarding up to so many cards first."""
        best = self.drawing(hand, display)
        if left == 0 or best[0] == ALWAYS:
            return best
        for at in range(len(self.plan.held)):
            if hand & (1 << at):
                best = better_hand(best, self.discarding(hand & ~(1 << at), display, left - 1))
        return best

    def drawing(self, hand: int, display: int) -> HandBounds:
        """Before a card is drawn, if one is."""
        if hand.bit_count() >= self.plan.draw_to:
            return self.kept(hand)
        key = hand | display << 64
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self.drawn(hand, display)
        return known

    def drawn(self, hand: int, display: int) -> HandBounds:
        if not self.budget.spend():
            return _UNKNOWN
        best = _NONE
        some = False
        for at in range(len(self.plan.held), len(self.cards)):
            card = 1 << at
            if display & card:
                some = True
                best = better_hand(best, self.drawing(hand | card, display & ~card))
                if best[0] == ALWAYS:
                    return best
        left = self.face_down & ~hand
        if left:
            return better_hand(best, self.mean(hand, display, left))
        return best if some else self.kept(hand)

    def mean(self, hand: int, display: int, left: int) -> HandBounds:
        """If the next card is a random one of those left."""
        won = count = 0
        low, high = NEVER, NEVER
        for at in range(len(self.cards)):
            card = 1 << at
            if not left & card:
                continue
            count += 1
            found = self.drawing(hand | card, display)
            if found is _SURE:
                won += 1
            elif found is not _NONE:
                low, high = plus(low, found[0]), plus(high, found[1])
        low, high = plus(low, (won, 1)), plus(high, (won, 1))
        return simple(divided(low, count), divided(high, count))

    def kept(self, hand: int) -> HandBounds:
        """The best hand that is left after too many cards are discarded."""
        if hand.bit_count() <= self.plan.keep:
            return self.worth(hand)
        best = _NONE
        left = hand
        while left:
            card = left & -left
            left ^= card
            best = better_hand(best, self.kept(hand & ~card))
            if best is _SURE:
                break
        return best

    def worth(self, hand: int) -> HandBounds:
        found = self.worths.get(hand)
        if found is None:
            cards = sorted([self.cards[at] for at in range(len(self.cards)) if hand >> at & 1])
            low, high = self.hand_worth(cards)
            found = self.worths[hand] = simple(low, high)
        return found


def plan_key(plan: CleanupPlan) -> bytes:
    """Equal only for the same plan."""
    counts = bytes([len(plan.held), len(plan.display), plan.discards, plan.draw_to])
    return counts + bytes(plan.held + sorted(plan.display) + sorted(plan.face_down))


def bits(first: int, last: int) -> int:
    """The bits from the first to just before the last."""
    return (1 << last) - (1 << first)


def simple(low: Ratio, high: Ratio) -> HandBounds:
    """The bounds; a sure win or loss is always the same object."""
    if high == NEVER:
        return _NONE
    return _SURE if low == ALWAYS else (low, high)


def better_hand(one: HandBounds, other: HandBounds) -> HandBounds:
    """What a choice between the two is worth."""
    if one is _NONE or other is _SURE:
        return other
    if other is _NONE or one is _SURE:
        return one
    if at_least(one[0], other[0]) and at_least(one[1], other[1]):
        return one
    return larger(one[0], other[0]), larger(one[1], other[1])
