"""Hidden Leaders for solvers: hands that a seat may draw, tried out before anything is drawn."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import PROGRAM
from games.hidden_leaders.rules.cards import EMPEROR
from games.hidden_leaders.rules.constants import EMPTY, Limit, Reads, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.opcodes import Op
from games.hidden_leaders.rules.reach import (
    CARD_CLASS,
    CLASSES,
    MOST_LIFTED,
    PERFORMS,
    READS,
    Performs,
)
from games.hidden_leaders.rules.solver_table import DRAWN_IN_A_TURN, SolverTable
from games.hidden_leaders.rules.table import AT, FRAMES, LAST, LENGTH
from games.state import ALL_PARTS, CleanupPlan, Rest, State

_RESTLESS: Final = Reads.OWN_HAND | Reads.OTHER_CARDS | Reads.TOP_CARD | Reads.ANYTHING
"""Reading any of these makes the rest of the hand matter, or may."""
EMPEROR_CLASS: Final = CLASSES - 1


class UndrawnHands(SolverTable):
    """A table on which hands and piles can be exchanged for others."""

    def key_without(self, parts: i64) -> bytes:
        return self.table_key(ALL_PARTS & ~parts, parts & Reads.WILDERNESS == 0)

    def piles_last(self) -> bool:
        return self.m[LENGTH + Zone.HARBOR] > DRAWN_IN_A_TURN * self.players

    def hand_part(self, seat: i64) -> i64:
        return i64(1) << (Zone.HAND + seat)

    def held(self, seat: i64) -> list[int]:
        return self.cards(Zone.HAND + seat)

    def within_reach(self, seat: i64) -> list[int]:
        """The cards of the tavern, of the harbor, and of the wilderness that may become it."""
        cards = self.held(seat) + self.cards(Zone.HARBOR) + self.cards(Zone.WILDERNESS)
        for card in self.cards(Zone.TAVERN):
            if card != EMPTY:
                cards.append(card)
        return cards

    def hold(self, seat: i64, cards: list[int]) -> None:
        self.m[LENGTH + Zone.HAND + seat] = 0
        for card in cards:
            for zone in (Zone.HARBOR, Zone.WILDERNESS, Zone.TAVERN):
                at = self.find(zone, card)
                if at >= 0:
                    self.lift(zone, at)
                    break
            self.lay(Zone.HAND + seat, LAST, card)

    def cleanup_plan(self) -> CleanupPlan | None:
        """None while chance decides, and if the wilderness may have to be reshuffled."""
        m = self.m
        if self.frame != FRAMES or self.chance != ChanceFrom.NOTHING:
            return None
        op = PROGRAM[m[FRAMES + Frame.ROW]]
        if m[LENGTH + Zone.HARBOR] < Limit.HAND_AFTER_DRAW:
            return None
        discards: i64 = 0
        if op == Op.MORE:
            discards = Limit.DISCARDS - m[FRAMES + Frame.COUNT]
        elif op != Op.DRAW and op != Op.TRIM:
            return None
        draw_to: i64 = Limit.HAND_AFTER_DRAW if op != Op.TRIM else 0
        display = [card for card in self.cards(Zone.TAVERN) if card != EMPTY]
        held = self.held(self.player)
        face_down = self.cards(Zone.HARBOR)
        keep = Limit.HAND_AFTER_DISCARD
        return CleanupPlan(held, display, face_down, discards, draw_to, keep)

    def rest_matters(self, card: i64) -> i64:
        """Heroes that perform others count as what those read."""
        if PERFORMS[card] & (Performs.ANYTHING | Performs.PLAYS):
            return Rest.BY_CARD
        reads = READS[card]
        if PERFORMS[card]:
            m = self.m
            for zone in (Zone.OPEN + self.player, Zone.HIDDEN + self.player):
                for i in range(AT[zone], AT[zone] + m[LENGTH + zone]):
                    reads |= READS[m[i]]
            reads |= READS[self.top_of_graveyard()]
            return Rest.BY_CARD if reads & _RESTLESS else Rest.IDLE
        return Rest.BY_KIND if reads & Reads.OWN_HAND else Rest.IDLE

    def kind_of(self, card: i64) -> i64:
        return CARD_CLASS[card]

    def pile_variants(self, card: i64) -> list[State]:
        """By kinds of cards: all that a hero who performs no other can read of unseen places."""
        reads = READS[card] & ~(Reads.GRAVEYARD | Reads.OWN_HAND)
        if PERFORMS[card]:
            return []
        kinds = self.samples_of_kinds()
        if reads == Reads.TAVERN:
            return self.laid_out(Zone.TAVERN, multisets(kinds, Limit.TAVERN))
        if reads == Reads.HARBOR | Reads.WILDERNESS:
            pairs = [two for two in multisets(kinds, MOST_LIFTED) if len(two) == MOST_LIFTED]
            return self.laid_out(Zone.HARBOR, pairs)
        # Cards from hands may be discarded or held, of kinds of which there is no sample.
        for kind in range(i64(1), i64(CLASSES)):
            if len(kinds[kind]) == 0 and not (kind == EMPEROR_CLASS and self.lies_open(EMPEROR)):
                return []
        if reads == Reads.WILDERNESS:
            return self.laid_out(Zone.WILDERNESS, sequences(kinds, MOST_LIFTED))
        if reads == Reads.OTHER_HANDS:
            return self.laid_out(Zone.HAND, multisets(kinds, 1))
        return []

    def samples_of_kinds(self) -> list[list[int]]:
        """Up to three cards of each kind from the piles and the tavern."""
        samples: list[list[int]] = [[] for _ in range(CLASSES)]
        for zone in (Zone.HARBOR, Zone.WILDERNESS, Zone.TAVERN):
            for card in self.cards(zone):
                if card != EMPTY and len(samples[CARD_CLASS[card]]) < Limit.TAVERN:
                    samples[CARD_CLASS[card]].append(card)
        return samples

    def lies_open(self, card: i64) -> bool:
        """Whether the card is in a party or in the graveyard."""
        for zone in range(i64(Zone.GRAVEYARD), i64(Zone.COUNT)):
            if (zone == Zone.GRAVEYARD or zone >= Zone.OPEN) and self.find(zone, card) >= 0:
                return True
        return False

    def laid_out(self, zone: i64, layouts: list[list[int]]) -> list[State]:
        """This table with each of these lists of cards in the zone instead of what is there.

        In all other hands, if the zone is a hand.
        """
        tables: list[State] = []
        for cards in layouts:
            table = self.copy()
            assert isinstance(table, UndrawnHands)
            for seat in range(self.players if zone == Zone.HAND else 1):
                if zone != Zone.HAND or seat != self.player:
                    table.lay_out(zone + seat, cards)
            tables.append(table)
        return tables

    def lay_out(self, zone: i64, cards: list[int]) -> None:
        """Nothing but these cards in the zone. They may lie elsewhere as well."""
        m = self.m
        at = AT[zone]
        if zone == Zone.TAVERN:
            for i in range(i64(Limit.TAVERN)):
                m[at + i] = EMPTY
        m[LENGTH + zone] = len(cards)
        for i in range(i64(len(cards))):
            m[at + i] = cards[i]


def multisets(kinds: list[list[int]], most: i64) -> list[list[int]]:
    """All ways to take up to `most` cards, each kind from its own list; the first is empty."""
    found: list[list[int]] = [[]]
    for kind in kinds:
        more: list[list[int]] = []
        for cards in found:
            for count in range(min(i64(len(kind)), most - len(cards)) + 1):
                more.append(cards + kind[:count])
        found = more
    return found


def sequences(kinds: list[list[int]], most: i64) -> list[list[int]]:
    """All ordered ways to take up to `most` cards, by kind."""
    found: list[list[int]] = [[]]
    last: list[list[int]] = [[]]
    for length in range(most):
        last = [[*cards, kind[length % len(kind)]] for cards in last for kind in kinds if kind]
        found = found + last
    return found
