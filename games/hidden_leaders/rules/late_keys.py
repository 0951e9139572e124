"""Keys for the end of the turn before a seat's last turn, and for that turn's start.

By then markers and parties are what they are. Of the seat's hand only some cards may help, and of
what lies in tavern and piles only some may help if a hero performs them. All others matter by their
factions at most, and only where a hero can read them.
"""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, write_i16_le, write_i32_le
from mypy_extensions import i16, i32, i64, u8

from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import EMPTY, Limit, Reads, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom
from games.hidden_leaders.rules.last_turn import LastTurnTable
from games.hidden_leaders.rules.reach import (
    CARD_CLASS,
    CLASSES,
    COUNTS_ONE,
    LAST_READS,
    MOST_LIFTED,
    PERFORMS,
    READS_PILE,
    Performs,
)
from games.hidden_leaders.rules.table import AT, FRAMES, LENGTH
from games.state import LastTurn, members

_NO_CARDS: Final = bytes(len(HEROES))
_LATE: Final = 3
"""A kind of keys besides those of `solver_table`, which must never be equal."""
_ORDERED: Final = 1 << 20
"""In a scope: which cards lie on top of the wilderness can be read."""
_ALL_OF_HAND: Final = 1 << 21
"""In a scope: a hero may play any card of the hand."""
_ALL_ZONES: Final = 0x3FF
"""Every bit of `Reads`."""
_DRAWN_UNTIL_THEN: Final = 9
"""Cards that leave the harbor at the end of a turn and by a hero in the next, at most."""


class LateTable(LastTurnTable):
    """A table with keys for what comes right before a last turn."""

    def last_turn(self, acting: int, used: int, sure: int) -> LastTurn:
        apart = used & ~sure
        heroes = members(acting)
        live: i64 = 0
        scope: i64 = 0
        at = 0
        while at < len(heroes):
            card = heroes[at]
            at += 1
            if card >= len(HEROES):  # it could be any
                everything = _ALL_ZONES | _ORDERED | _ALL_OF_HAND
                return LastTurn(self.player, acting, -1, 0, everything)
            kinds = PERFORMS[card]
            more = self.may_copy(card)
            if kinds == 0:
                live |= LAST_READS[card]
            if READS_PILE[card]:
                scope |= _ORDERED
            if kinds & Performs.PLAYS:
                scope |= _ALL_OF_HAND
                more += self.cards(Zone.HAND + self.player)
            if kinds & Performs.ANYTHING:
                live |= Reads.TAVERN
                more += members(apart)
            for other in more:
                if other not in heroes:
                    heroes.append(other)
        return LastTurn(self.player, acting, apart, sure, scope | self.zones_in_scope(live))

    def has_sure_card(self, last: LastTurn) -> bool:
        return any(card != EMPTY and last.is_sure[card] for card in self.cards(Zone.TAVERN))

    def zones_in_scope(self, live: i64) -> i64:
        """The zones that can be read, and those whose cards may come there until then."""
        zones = live & (Reads.HARBOR | Reads.WILDERNESS | Reads.TAVERN)
        zones |= live & (Reads.OWN_HAND | Reads.OTHER_HANDS)
        if zones & Reads.TAVERN:
            zones |= Reads.HARBOR
        if zones & Reads.HARBOR and self.m[LENGTH + Zone.HARBOR] <= _DRAWN_UNTIL_THEN:
            zones |= Reads.WILDERNESS
        if zones & (Reads.WILDERNESS | Reads.OTHER_HANDS):
            zones |= Reads.WILDERNESS | Reads.OTHER_HANDS | Reads.TAVERN | Reads.HARBOR
        return zones

    def late_key(self, last: LastTurn) -> bytes:
        m = self.m
        scope = last.scope
        out = BytesWriter()
        out.write(_NO_CARDS)
        out.append(u8(_LATE))
        write_i32_le(out, i32(scope))
        self.write_parties(out, last.seat)
        self.write_list(out, Zone.GRAVEYARD)
        self.write_own_hand(out, last)
        if scope & Reads.HARBOR:
            self.write_cards(out, Zone.HARBOR, last)
        if scope & Reads.TAVERN:
            self.write_cards(out, Zone.TAVERN, last)
        if scope & Reads.WILDERNESS:
            self.write_cards(out, Zone.WILDERNESS, last)
            if scope & _ORDERED:
                for card in self.cards(Zone.WILDERNESS)[-MOST_LIFTED:]:
                    out.append(u8(card if last.apart[card] else len(HEROES) + CARD_CLASS[card]))
        for seat in range(self.players):
            if seat != last.seat:
                out.append(u8(m[LENGTH + Zone.HAND + seat]))
                if scope & Reads.OTHER_HANDS:
                    self.write_cards(out, Zone.HAND + seat, last)
        out.append(u8(m[LENGTH + Zone.TAVERN]))
        self.write_numbers(out)
        return out.getvalue()

    def write_own_hand(self, out: BytesWriter, last: LastTurn) -> None:
        """The cards that may act, and the classes of the others if they may be read."""
        zone = Zone.HAND + last.seat
        counts: i64 = 0
        for card in self.cards(zone):
            if last.acts[card] or last.scope & _ALL_OF_HAND:
                out[card] = u8(zone + 1)
            else:
                counts += COUNTS_ONE[card]
        if last.scope & Reads.OWN_HAND:
            write_counts(out, counts)

    def write_cards(self, out: BytesWriter, zone: i64, last: LastTurn) -> None:
        """Cards of the zone that are told apart, and how many others there are of each class."""
        m = self.m
        size = m[LENGTH + zone]
        if zone == Zone.TAVERN:
            size = Limit.TAVERN
        counts: i64 = 0
        sure: i64 = 0
        for i in range(AT[zone], AT[zone] + size):
            card = m[i]
            if card == EMPTY:
                continue
            if last.apart[card]:
                out[card] = u8(zone + 1)
            elif last.is_sure[card]:
                sure += COUNTS_ONE[card]
            else:
                counts += COUNTS_ONE[card]
        write_counts(out, counts)
        if last.sure:
            write_counts(out, sure)

    def late_outcomes(self, last: LastTurn) -> tuple[list[int], list[int]]:
        """Cards that come from the harbor, one for all of a class that are not told apart."""
        cards = self.moves()
        if self.chance != ChanceFrom.HARBOR or self.frame != FRAMES:
            return cards, self.weights()
        kept: list[int] = []
        odds: list[int] = []
        at: list[int] = [-1] * (2 * CLASSES)
        for card in cards:
            kind = CARD_CLASS[card]
            if last.is_sure[card]:
                kind += CLASSES
            if last.apart[card]:
                kept.append(card)
                odds.append(1)
            elif at[kind] >= 0:
                odds[at[kind]] += 1
            else:
                at[kind] = len(kept)
                kept.append(card)
                odds.append(1)
        return kept, odds


def write_counts(out: BytesWriter, counts: i64) -> None:
    """Six bytes."""
    write_i32_le(out, i32(counts & 0xFFFFFFFF))
    write_i16_le(out, i16(counts >> 32))
