"""Which cards may still win in a seat's last turn, whatever lies in hands, tavern and piles.

A card is tried on tables with stand-ins, which have a faction and no ability: whatever really lies
in the tavern, say, to play the card comes to what it comes to on one of these tables. Heroes that
play or perform other cards are tried with each of these.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import (
    FACTION_OF,
    PROGRAM,
    REVEALED,
    REVEALED_PER_KIND,
)
from games.hidden_leaders.rules.cards import EMPEROR, HEROES
from games.hidden_leaders.rules.constants import EMPIRE, EMPTY, Limit, Reads, Zone
from games.hidden_leaders.rules.interpreter import Frame
from games.hidden_leaders.rules.opcodes import Op
from games.hidden_leaders.rules.reach import (
    COPIES_FROM,
    HAND_CARDS,
    LAST_READS,
    OPENS,
    PERFORMS,
    TAVERN_CARDS,
    CopiesFrom,
    Performs,
)
from games.hidden_leaders.rules.solver_table import SolverTable
from games.hidden_leaders.rules.table import FRAMES, LAST, LENGTH, TAVERN_AT
from games.state import ALL_PARTS, Judge, members

ALL_HEROES: Final = (1 << len(HEROES)) - 1
_ALL_HANDS: Final = 63 << 6  # Zone.HAND and five more
_KINDS: Final = 5
"""Stand-ins are of one of the four factions, or of all like the Emperor."""
_OTHER_CARDS: Final = 2
"""Cards of a hand besides the one played, at most."""
_PLAYERS: Final = sum(
    1 << number for number in range(len(HEROES)) if PERFORMS[number] & Performs.PLAYS
)
"""Heroes that let another card of the hand be played."""
_DRAWN_AT_THE_END: Final = 7
_DRAWN_IN_A_TURN: Final = 9
"""Cards that leave the harbor at the end of a turn, and in a whole one, at most."""
_FILLS_TAVERN: Final = frozenset(
    number
    for number, hero in enumerate(HEROES)
    if PERFORMS[number] or any(step.verb in ("exchange", "restock") for step in hero.steps)
)
"""Heroes after which other cards may lie in the tavern than were drawn for it."""


class LastTurnTable(SolverTable):
    """A table that can say which cards may still win."""

    def cards_of(self, zone: i64) -> int:
        """The cards of the zone, as bits."""
        found = 0
        for card in self.cards(zone):
            if card != EMPTY:
                found |= 1 << card
        return found

    def cards_held(self, seat: i64) -> int:
        return self.cards_of(Zone.HAND + seat)

    def next_hand(self) -> int:
        """Its hand if no more is drawn, otherwise all that it can draw as well.

        Nobody but the player ever puts a card into a hand. Who plays none cannot end the game.
        """
        if self.frame != FRAMES:
            return 0
        held = self.cards_of(Zone.HAND + self.player)
        op = PROGRAM[self.m[FRAMES + Frame.ROW]]
        if op == Op.TRIM or op == Op.REFILL:
            return held
        held |= self.cards_of(Zone.TAVERN) | self.cards_of(Zone.HARBOR)
        if self.m[LENGTH + Zone.HARBOR] < Limit.HAND_AFTER_DRAW:
            held |= self.cards_of(Zone.WILDERNESS)
        return held

    def loose_cards(self) -> int:
        """Tavern and harbor; every card, if others can come there or the harbor may run out."""
        others = self.players - 1
        if self.m[LENGTH + Zone.HARBOR] < _DRAWN_AT_THE_END + _DRAWN_IN_A_TURN * others:
            return ALL_HEROES
        for seat in range(self.players):
            if seat != self.player:
                for card in self.cards(Zone.HAND + seat):
                    if card in _FILLS_TAVERN:
                        return ALL_HEROES
        return self.cards_of(Zone.TAVERN) | self.cards_of(Zone.HARBOR)

    def turn_key(self) -> bytes:
        return self.table_key(Reads.GRAVEYARD, False)

    def may_reach(self, move: i64, held: int, loose: int, judge: Judge) -> bool:
        if move >= len(HEROES):
            return False
        trial = TriedCard(self, move, held, loose, judge)
        return trial.may_reach(move, [], [], 1)

    def needs_company(self, move: i64, loose: int) -> bool:
        """Whether another card of the hand may be played because of it."""
        for card in self.may_act(move, False):
            if card >= len(HEROES) or PERFORMS[card] & Performs.PLAYS:
                return True
            if PERFORMS[card] & Performs.ANYTHING and loose & _PLAYERS:
                return True
        return False

    def last_reads(self, move: i64) -> i64:
        """What all heroes read that may act because of the card, and what brings them to act."""
        own = 1 << (Zone.HAND + self.player)
        if move >= len(HEROES):
            return own
        reads: i64 = 0
        for card in self.may_act(move, True):
            if card >= len(HEROES):
                return ALL_PARTS
            kinds = PERFORMS[card]
            if kinds == 0:
                reads |= LAST_READS[card]
            if kinds & Performs.COPIES:
                reads |= Reads.GRAVEYARD
            if kinds & Performs.ANYTHING:
                reads |= Reads.TAVERN
        zones = reads & (Reads.HARBOR | Reads.WILDERNESS | Reads.GRAVEYARD | Reads.TAVERN)
        if reads & Reads.OTHER_HANDS:
            zones |= _ALL_HANDS
        return zones | own

    def may_copy(self, card: i64) -> list[int]:
        """The heroes that this one can perform where they lie now."""
        places = COPIES_FROM[card]
        copied: list[int] = []
        if places & CopiesFrom.OPEN:
            copied += self.cards(Zone.OPEN + self.player)
        if places & CopiesFrom.HIDDEN:
            copied += self.cards(Zone.HIDDEN + self.player)
        if places & CopiesFrom.GRAVEYARD:
            copied += self.cards(Zone.GRAVEYARD)[-1:]
        return copied

    def may_act(self, card: i64, in_tavern: bool) -> list[int]:
        """The card, and every other that may act because it does: performed or played too.

        Those that lie in the tavern only if asked for.
        """
        me = self.player
        acting: list[int] = [card]
        at = 0
        while at < len(acting):
            if acting[at] >= len(HEROES):
                return acting
            kinds = PERFORMS[acting[at]]
            more = self.may_copy(acting[at])
            at += 1
            if kinds & Performs.PLAYS:
                more += self.cards(Zone.HAND + me)
            if kinds & Performs.ANYTHING and in_tavern:
                more += self.cards(Zone.TAVERN)
            for other in more:
                if other != EMPTY and other not in acting:
                    acting.append(other)
        return acting


class TriedCard:
    """One card that is played, on all tables that may make a difference."""

    def __init__(
        self, table: LastTurnTable, played: i64, held: int, loose: int, judge: Judge
    ) -> None:
        self.table = table
        self.played = played
        self.judge = judge
        self.missing: i64 = table.threshold
        """Open heroes that the largest party lacks to end the game."""
        known = 0
        for seat in range(table.players):
            self.missing = min(self.missing, table.threshold - table.m[LENGTH + Zone.OPEN + seat])
            known |= table.cards_of(Zone.OPEN + seat) | table.cards_of(Zone.HIDDEN + seat)
        known |= table.cards_of(Zone.GRAVEYARD)
        self.held = members(held & ~known & ALL_HEROES)
        self.loose = members(loose & ~known & ALL_HEROES)
        self.kinds: i64 = _KINDS - 1 if known >> EMPEROR & 1 else _KINDS

    def may_reach(self, card: i64, hand: list[int], tavern: list[int], plays: i64) -> bool:
        """Whether the turn may succeed once this card acts, with others in hand and tavern.

        `plays`: how many cards have been played, or turned up, by then.
        """
        kinds = PERFORMS[card]
        if kinds == 0:
            if plays + OPENS[card] < self.missing:
                return False
            return self.tried(LAST_READS[card], HAND_CARDS[card], TAVERN_CARDS[card], hand, tavern)
        if kinds == Performs.COPIES:
            return self.copied(card, hand, tavern, plays)
        if self.tried(0, 0, 0, hand, tavern):
            return True
        if kinds == Performs.PLAYS:
            if len(hand) == _OTHER_CARDS:
                return False
            for other in self.held:
                if (
                    other != self.played
                    and not FACTION_OF[other] & EMPIRE
                    and other not in hand
                    and self.may_reach(other, [*hand, other], tavern, plays + 1)
                ):
                    return True
            return False
        if len(tavern) == Limit.TAVERN:
            return False
        for other in self.loose:
            if (
                other != self.played
                and other not in hand
                and other not in tavern
                and self.may_reach(other, hand, [*tavern, other], plays)
            ):
                return True
        return False

    def copied(self, card: i64, hand: list[int], tavern: list[int], plays: i64) -> bool:
        """The same for a hero that performs one that lies in its party or on the graveyard."""
        performed = self.reachable(card, hand)
        reads: i64 = 0
        most: i64 = 0
        others: i64 = 0
        slots: i64 = 0
        for other in performed:
            if other >= len(HEROES):
                return True  # an unknown card
            if PERFORMS[other] == Performs.COPIES:
                plays += OPENS[other]  # it turns a hero up
            elif PERFORMS[other] == 0:
                reads |= LAST_READS[other]
                most = max(most, OPENS[other])
                others = max(others, HAND_CARDS[other])
                slots = max(slots, TAVERN_CARDS[other])
        for other in performed:
            if PERFORMS[other] & ~Performs.COPIES and self.may_reach(other, hand, tavern, plays):
                return True
        if plays + most < self.missing:
            return False
        return self.tried(reads, others, slots, hand, tavern)

    def reachable(self, card: i64, hand: list[int]) -> list[int]:
        """The card, and all that may be performed because of it after cards of the hand."""
        reached: list[int] = [card]
        at = 0
        while at < len(reached):
            other = reached[at]
            at += 1
            if other >= len(HEROES) or PERFORMS[other] != Performs.COPIES:
                continue
            more = self.table.may_copy(other)
            if COPIES_FROM[other] & CopiesFrom.OPEN:
                more += [self.played, *hand]  # these may be open by now
            for copied in more:
                if copied not in reached and copied != EMPEROR:
                    reached.append(copied)
        return reached

    def tried(
        self, reads: i64, others: i64, slots: i64, hand: list[int], tavern: list[int]
    ) -> bool:
        """Whether the judge is content on a table with any stand-ins for what is read."""
        hands = [hand]
        if reads & Reads.OWN_HAND:
            hands = self.filled_up(hand, min(others, _OTHER_CARDS - len(hand)))
        taverns = [tavern]
        if reads & Reads.TAVERN:
            taverns = self.filled_up(tavern, min(slots, Limit.TAVERN - len(tavern)))
        kinds: i64 = 1
        if reads & (Reads.HARBOR | Reads.WILDERNESS | Reads.OTHER_HANDS):
            kinds = self.kinds + 1
        for rest in hands:
            for row in taverns:
                for kind in range(kinds):
                    if self.judge.reaches(self.stand_in(reads, rest, row, kind)):
                        return True
        return False

    def filled_up(self, cards: list[int], most: i64) -> list[list[int]]:
        """These cards with up to that many stand-ins, of all kinds."""
        filled: list[list[int]] = [cards]
        start = 0
        for count in range(most):
            end = len(filled)
            for i in range(start, end):
                least: i64 = 1
                if count > 0:
                    least = (filled[i][-1] - REVEALED) // REVEALED_PER_KIND
                for kind in range(least, self.kinds + 1):
                    filled.append([*filled[i], REVEALED + kind * REVEALED_PER_KIND + count])
            start = end
        return filled

    def stand_in(self, reads: i64, hand: list[int], tavern: list[int], kind: i64) -> LastTurnTable:
        """The table after the card was played there.

        `kind`: of stand-ins in piles and hands of others, as far as these are read; 0: empty.
        """
        table = self.table
        state = table.copy()
        assert isinstance(state, LastTurnTable)
        m = state.m
        me = Zone.HAND + table.player
        m[LENGTH + me] = 0
        state.lay(me, LAST, self.played)
        for card in hand:
            state.lay(me, LAST, card)
        m[LENGTH + Zone.TAVERN] = 0
        for slot in range(i64(Limit.TAVERN)):
            m[TAVERN_AT + slot] = EMPTY
        for slot in range(i64(len(tavern))):
            state.lay(Zone.TAVERN, slot, tavern[slot])
        for zone in range(i64(Zone.HAND + table.players)):
            if not self.is_read(zone, reads):
                continue
            m[LENGTH + zone] = 0
            if kind > 0 and not (zone == Zone.WILDERNESS and reads & Reads.HARBOR):
                state.lay(zone, LAST, REVEALED + kind * REVEALED_PER_KIND + zone % 3)
        state.play(self.played)
        return state

    def is_read(self, zone: i64, reads: i64) -> bool:
        """Whether it is a pile or a hand of another seat, and these bits are of it."""
        if zone == Zone.HARBOR or zone == Zone.WILDERNESS:
            return reads & (1 << zone) != 0
        if zone < Zone.HAND or zone == Zone.HAND + self.table.player:
            return False
        return reads & Reads.OTHER_HANDS != 0
