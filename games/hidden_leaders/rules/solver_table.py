"""Hidden Leaders for solvers: keys that leave out what cannot matter, and what a proof has read."""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, write_i16_le, write_i32_le
from mypy_extensions import i16, i32, i64, u8

from games.hidden_leaders.rules.bytecode import PROGRAM, TURN_START
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.constants import EMPTY, Limit, Move, Reads, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.opcodes import Op
from games.hidden_leaders.rules.reach import (
    CARD_CLASS,
    CLASSES,
    COUNTS_ONE,
    KEEPS_NEAR,
    LOOKS_AT,
    LOOKS_AT_FROM,
    MOST_LIFTED,
    PERFORMS,
    PERFORMS_FROM,
    READS,
    READS_PILE,
    READS_PILE_FROM,
    Performs,
)
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES, LEADERS_AT, LENGTH
from games.hidden_leaders.rules.turn import TurnRunner
from games.state import ALL_PARTS, NOBODY

_KEPT: Final = (1 << Zone.ASIDE) | (1 << Zone.DRAWN)
_ALL_HANDS: Final = 63 << 6  # Zone.HAND and five more
_FEW: Final = 2
"""With so few cards in the harbor, a single move may reshuffle the wilderness."""

_NO_CARDS: Final = bytes(len(HEROES))
"""A zone number for each hero, where the order within a zone does not matter."""
_NAMED: Final = 0
_MERGED: Final = 1
_COPIED: Final = 2
"""Kinds of keys, which must never be equal."""
_DRAWN_IN_A_TURN: Final = 9
"""Cards that leave the harbor in a turn, at most: for a hero 2, for a hand 4, for the tavern 3."""


class SolverTable(TurnRunner):
    """A table as solvers see it."""

    # ---- keys -----------------------------------------------------------------------------

    def key(self) -> bytes:
        numbers: list[int] = [
            self.players, self.actor + 2, self.player, self.red, self.green, self.chance,
            self.threshold, self.first + 1, self.faction, self.winner + 1, self.turns // 256,
            self.turns % 256, self.turn_limit // 256, self.turn_limit % 256,
        ]  # fmt: skip
        for seat in range(self.players):
            numbers.append(self.m[LEADERS_AT + seat] + 1)
        for zone in range(i64(Zone.COUNT)):
            cards = self.cards(zone)
            if zone == Zone.HARBOR or zone == Zone.DRAWN:
                cards.sort()  # their order means nothing
            numbers.append(len(cards))
            for card in cards:
                numbers.append(card + 1)
        for at in range(i64(FRAMES), self.frame + FRAME):
            number = self.m[at] + 1
            numbers.append(number // 256)
            numbers.append(number % 256)
        return bytes(numbers)

    def equivalence_key(self, deadline: i64 = -1) -> bytes:
        """Leaves out the order of tavern and wilderness if no hero in the game can read it.

        At the start of the last turn only parties and the player's hand count, provided that no
        card of that hand touches anything else.
        """
        if self.keeps_near(deadline):
            return self.table_key(1 << (Zone.HAND + self.player), False)
        return self.table_key(ALL_PARTS, self.has_pile_reader())

    def value_key(self, deadline: i64 = -1) -> bytes:
        return self.part_key(ALL_PARTS, deadline)

    def part_key(self, parts: i64, deadline: i64 = -1) -> bytes:
        """Parties, cards set aside and cards drawn belong to every key.

        If no seat draws and then acts again, cards that can be neither played nor performed are
        told apart only by their factions, and only where a hero can still read them.
        """
        key = self.merged_key(parts, deadline)
        if len(key) > 0:
            return key
        if parts == ALL_PARTS:
            return self.equivalence_key(deadline)
        reads_wilderness = parts & Reads.WILDERNESS != 0
        return self.table_key(parts | _KEPT, reads_wilderness and self.has_pile_reader())

    def table_key(self, parts: i64, ordered_piles: bool) -> bytes:
        """The zones of these bits, and all parties."""
        m = self.m
        out = BytesWriter()
        out.write(_NO_CARDS)
        out.append(u8(_NAMED))
        for seat in range(self.players):
            out.append(u8(m[LEADERS_AT + seat] + 1))
        for zone in range(i64(Zone.COUNT)):
            if zone < Zone.OPEN and not parts & (1 << zone):
                continue
            size = m[LENGTH + zone]
            if zone == Zone.TAVERN:
                size = Limit.TAVERN
            at = AT[zone]
            if in_order(zone, ordered_piles):
                out.append(u8(size))
                for i in range(at, at + size):
                    out.append(u8(m[i] + 1))
            else:
                for i in range(at, at + size):
                    if m[i] != EMPTY:
                        out[m[i]] = u8(zone + 1)
        self.write_numbers(out)
        return out.getvalue()

    def write_numbers(self, out: BytesWriter) -> None:
        """Everything in a key but cards and leaders."""
        out.append(u8(self.actor + 2))
        out.append(u8(self.player))
        out.append(u8(self.red * 16 + self.green))
        out.append(u8(self.chance))
        out.append(u8(self.first + 1))
        out.append(u8(self.threshold))
        out.append(u8(self.winner + 1))
        write_i32_le(out, i32(self.turns))
        write_i32_le(out, i32(self.turn_limit))
        for at in range(i64(FRAMES), self.frame + FRAME):
            write_i32_le(out, i32(self.m[at]))

    # ---- keys without what cannot matter --------------------------------------------------

    def merged_outcomes(self, deadline: i64 = -1) -> tuple[list[int], list[int]]:
        """Cards of the same factions that come from the harbor when a turn ends, if they come to
        the same there (`merged_key`).
        """
        cards = self.moves()
        if (
            self.chance != ChanceFrom.HARBOR
            or self.frame != FRAMES
            or len(self.merged_key(ALL_PARTS, deadline)) == 0
        ):
            return cards, self.weights()
        first: list[int] = [EMPTY] * CLASSES
        count: list[int] = [0] * CLASSES
        for card in cards:
            kind = CARD_CLASS[card]
            if count[kind] == 0:
                first[kind] = card
            count[kind] += 1
        kinds = [kind for kind in range(CLASSES) if count[kind]]
        return [first[kind] for kind in kinds], [count[kind] for kind in kinds]

    def merged_key(self, parts: i64, deadline: i64) -> bytes:
        """A key in which most cards are only factions; empty if more may matter."""
        row = self.m[FRAMES + Frame.ROW]
        acts_now = self.frame != FRAMES or PROGRAM[row] == Op.ACTION
        end = self.turn_limit
        if deadline >= 0 and deadline < end:
            end = deadline
        actions = end - self.turns
        most = self.players
        if not acts_now:
            actions -= 1
            if PROGRAM[row] != Op.REFILL:
                most -= 1
        if row < TURN_START or actions > most:
            return b""
        return self.key_of_acting(parts, actions, acts_now)

    def key_of_acting(self, parts: i64, actions: i64, acts_now: bool) -> bytes:
        """The same if only some seats still act.

        That many seats still act in turn, each once and before it draws; the current player is the
        first of them if it `acts_now`. A hero performs others, if at all, before any card moves.
        So only cards in the hands of these seats are played, and only heroes that lie in parties or
        on the graveyard when the first seat begins to act are performed.
        """
        m = self.m
        live: i64 = 0
        performs: i64 = 0
        ordered = False
        for at in range(i64(FRAMES + FRAME), self.frame + FRAME, FRAME):
            row = m[at + Frame.ROW]
            live |= LOOKS_AT_FROM[row]
            performs |= PERFORMS_FROM[row]
            ordered = ordered or READS_PILE_FROM[row]
        own = live & Reads.OWN_HAND
        hands: i64 = 0
        first: i64 = 0
        if self.frame != FRAMES and performs == 0:
            first = 1  # the other cards of the hand are not played any more
        seat = self.player if acts_now else (self.player + 1) % self.players
        for number in range(actions):
            if number >= first:
                zone = Zone.HAND + seat
                hands |= 1 << zone
                for i in range(AT[zone], AT[zone] + m[LENGTH + zone]):
                    card = m[i]
                    if number > 0 and PERFORMS[card] & Performs.COPIES:
                        return b""
                    live |= LOOKS_AT[card]
                    performs |= PERFORMS[card]
                    ordered = ordered or READS_PILE[card]
            seat += 1
            if seat == self.players:
                seat = 0
        copies = performs & Performs.COPIES != 0
        if copies:
            for zone in range(i64(Zone.GRAVEYARD), i64(Zone.COUNT)):
                if zone == Zone.GRAVEYARD or zone >= Zone.OPEN:
                    for i in range(AT[zone], AT[zone] + m[LENGTH + zone]):
                        live |= LOOKS_AT[m[i]]
                        performs |= PERFORMS[m[i]]
                        ordered = ordered or READS_PILE[m[i]]
            live |= Reads.GRAVEYARD
        if performs & Performs.ANYTHING:
            return b""
        zones = self.zones_that_matter(live, actions, actions > 1 or not acts_now)
        if own:
            zones |= 1 << (Zone.HAND + self.player)
        top: i64 = 0
        if ordered:
            top = MOST_LIFTED * actions
        return self.class_key(parts, hands, zones & ~hands, copies, top)

    def zones_that_matter(self, live: i64, actions: i64, drawing: bool) -> i64:
        """The zones that heroes who read `live` can read, and all whose cards may come there.

        `drawing`: whether a turn ends before the last seat has acted.
        """
        zones = live & (Reads.HARBOR | Reads.WILDERNESS | Reads.GRAVEYARD | Reads.TAVERN)
        if live & Reads.OTHER_HANDS:
            zones |= _ALL_HANDS
        if drawing:
            if zones & Reads.TAVERN:
                zones |= Reads.HARBOR
            if zones & (Reads.WILDERNESS | _ALL_HANDS):
                zones |= Reads.TAVERN | Reads.HARBOR
        if zones & Reads.HARBOR and self.m[LENGTH + Zone.HARBOR] <= _DRAWN_IN_A_TURN * actions:
            zones |= Reads.WILDERNESS  # it may be reshuffled
        if drawing and zones & Reads.WILDERNESS:
            zones |= _ALL_HANDS | Reads.TAVERN | Reads.HARBOR
        return zones

    def class_key(self, parts: i64, hands: i64, zones: i64, copies: bool, top: i64) -> bytes:
        """The cards of these hands, and classes of cards in these zones and in all parties.

        `copies`: heroes of parties may be performed; `top`: how much of the order of the wilderness
        may be read.
        """
        m = self.m
        hands &= parts
        zones &= parts
        if not zones & Reads.WILDERNESS:
            top = 0
        out = BytesWriter()
        out.write(_NO_CARDS)
        # What follows depends on these, so keys of different kinds are never equal.
        out.append(u8(_COPIED if copies else _MERGED))
        out.append(u8(top))
        write_i32_le(out, i32(hands))
        write_i32_le(out, i32(zones))
        for seat in range(self.players):
            out.append(u8(m[LEADERS_AT + seat] + 1))
        for zone in range(i64(Zone.COUNT)):
            bit = 1 << zone
            size = m[LENGTH + zone]
            if zone == Zone.TAVERN:
                size = Limit.TAVERN
            at = AT[zone]
            if hands & bit or (copies and zone >= Zone.OPEN and zone < Zone.HIDDEN):
                for i in range(at, at + size):
                    out[m[i]] = u8(zone + 1)
            elif zone == Zone.ASIDE or (zone == Zone.GRAVEYARD and zones & bit):
                out.append(u8(size))
                for i in range(at, at + size):
                    out.append(u8(m[i]))
            elif zone >= Zone.HIDDEN:
                out.append(u8(size))
                for i in range(at, at + size):
                    out.append(u8(m[i] if copies else CARD_CLASS[m[i]]))
            elif zone >= Zone.OPEN or zone == Zone.DRAWN or zones & bit:
                if zone == Zone.WILDERNESS and top > 0:
                    size = self.write_top(out, top)
                self.write_classes(out, at, size, zone == Zone.TAVERN and top > 0)
        if zones:
            # How many cards may be drawn depends on these.
            out.append(u8(m[LENGTH + Zone.TAVERN]))
            out.append(u8(m[LENGTH + Zone.HAND + self.player]))
        for at in range(i64(FRAMES + FRAME), self.frame + FRAME, FRAME):
            picked = m[at + Frame.PICK]
            out.append(u8(self.owner_of_open(picked) + 1 if 0 <= picked < Move.DISCARD else 0))
        self.write_numbers(out)
        return out.getvalue()

    def write_top(self, out: BytesWriter, top: i64) -> i64:
        """Write the classes of that many cards on top of the wilderness; returns how many not."""
        at = AT[Zone.WILDERNESS]
        size = self.m[LENGTH + Zone.WILDERNESS]
        rest = max(i64(0), size - top)
        out.append(u8(size - rest))
        for i in range(at + rest, at + size):
            out.append(u8(CARD_CLASS[self.m[i]]))
        return rest

    def write_classes(self, out: BytesWriter, at: i64, size: i64, ordered: bool) -> None:
        """Write how many of these cards are of each class, or their classes in order."""
        m = self.m
        if ordered:
            for i in range(at, at + size):
                out.append(u8(CLASSES if m[i] == EMPTY else CARD_CLASS[m[i]]))
            return
        counts: i64 = 0
        for i in range(at, at + size):
            if m[i] != EMPTY:
                counts += COUNTS_ONE[m[i]]
        write_i32_le(out, i32(counts & 0xFFFFFFFF))
        write_i16_le(out, i16(counts >> 32))

    def keeps_near(self, deadline: i64) -> bool:
        """Whether the last turn starts now, and no card of the hand touches more than parties."""
        m = self.m
        if self.turns + 1 != deadline and self.turns + 1 < self.turn_limit:
            return False
        if self.frame != FRAMES or PROGRAM[m[FRAMES + Frame.ROW]] != Op.ACTION:
            return False
        at = AT[Zone.HAND + self.player]
        for i in range(at, at + m[LENGTH + Zone.HAND + self.player]):
            if not KEEPS_NEAR[m[i]]:
                return False
        return True

    def has_pile_reader(self) -> bool:
        """Whether a hero in the game can read the order of the wilderness."""
        for zone in range(i64(Zone.COUNT)):
            size = self.m[LENGTH + zone]
            if zone == Zone.TAVERN:
                size = Limit.TAVERN
            for i in range(AT[zone], AT[zone] + size):
                if self.m[i] != EMPTY and READS_PILE[self.m[i]]:
                    return True
        return False

    def settle_turn(self, deadline: i64) -> bool:
        """After the action, drawing and refilling do not change parties and markers."""
        if self.frame != FRAMES:
            return False
        op = PROGRAM[self.m[FRAMES + Frame.ROW]]
        if op != Op.MORE and op != Op.DRAW and op != Op.TRIM and op != Op.REFILL:
            return False
        if (
            self.turns + 1 == deadline
            or self.turns + 1 == self.turn_limit
            or self.threshold_reached()
        ):
            self.end_turn(FRAMES)
            return True
        return False

    def waiting_seat(self, turn: i64) -> i64:
        """Doing nothing is always legal, and drawing changes neither parties nor markers."""
        row = self.m[FRAMES + Frame.ROW]
        if row < TURN_START or turn <= self.turns:
            return NOBODY
        return (self.player + turn - self.turns) % self.players

    # ---- what proofs read -----------------------------------------------------------------

    def reads(self, move: i64) -> i64:
        """The bits of the zones before the parties, which belong to every proof."""
        if self.frame != FRAMES:
            reads: i64 = 0
            for at in range(i64(FRAMES + FRAME), self.frame + FRAME, FRAME):
                reads |= READS[self.m[at + Frame.CARD]]
            return self.zones_read(reads)
        op = PROGRAM[self.m[FRAMES + Frame.ROW]]
        hand = 1 << (Zone.HAND + self.player)
        if op == Op.ACTION:
            if move == Move.PASS:
                return 0  # always legal
            return hand if move < 0 or move >= Move.DISCARD else hand | self.zones_read(READS[move])
        if op == Op.MORE or op == Op.TRIM:
            return hand
        if op != Op.DRAW and op != Op.REFILL:
            return ALL_PARTS
        hand |= Reads.TAVERN | Reads.HARBOR
        return hand | Reads.WILDERNESS if self.m[LENGTH + Zone.HARBOR] <= _FEW else hand

    def zones_read(self, reads: i64) -> i64:
        """The zones of these bits of `Reads`, in the turn of the current player."""
        if reads & Reads.OTHER_CARDS:
            reads |= self.read_by_heroes()
            # Cards that come into the party or the hand might be performed or played as well.
            if reads & ~(Reads.OTHER_CARDS | Reads.OWN_HAND):
                return ALL_PARTS
        if reads & Reads.ANYTHING:
            return ALL_PARTS
        own = 1 << (Zone.HAND + self.player)
        zones = reads & (Reads.HARBOR | Reads.WILDERNESS | Reads.GRAVEYARD | Reads.TAVERN)
        if reads & Reads.OWN_HAND:
            zones |= own
        if reads & Reads.OTHER_HANDS:
            zones |= _ALL_HANDS & ~own
        return zones

    def read_by_heroes(self) -> i64:
        """What all heroes of the parties and of the player's hand read together."""
        m = self.m
        reads: i64 = Reads.OWN_HAND
        for zone in range(i64(Zone.OPEN), i64(Zone.COUNT)):
            for i in range(AT[zone], AT[zone] + m[LENGTH + zone]):
                reads |= READS[m[i]]
        hand = Zone.HAND + self.player
        for i in range(AT[hand], AT[hand] + m[LENGTH + hand]):
            reads |= READS[m[i]]
        return reads

    def cleanup_parts(self) -> i64:
        """Drawing, discarding and refilling change only the piles, the tavern and one hand."""
        if self.frame != FRAMES or self.turns + 1 >= self.turn_limit or self.threshold_reached():
            return 0
        op = PROGRAM[self.m[FRAMES + Frame.ROW]]
        piles: i64 = Reads.HARBOR | Reads.WILDERNESS | Reads.TAVERN
        if op == Op.REFILL:
            return piles
        if op != Op.MORE and op != Op.DRAW and op != Op.TRIM:
            return 0
        return piles | (1 << (Zone.HAND + self.player))

    def skip_cleanup(self) -> None:
        self.chance = ChanceFrom.NOTHING
        self.end_turn(FRAMES)
        self.run()


def in_order(zone: i64, ordered_piles: bool) -> bool:
    """Whether the order of the zone's cards belongs in an equivalence key."""
    if zone == Zone.WILDERNESS or zone == Zone.TAVERN:
        return ordered_piles
    return zone == Zone.GRAVEYARD or zone == Zone.ASIDE or zone >= Zone.HIDDEN
