"""Runs the rows of the cards: for every row, who may choose what, and what then happens.

The cards being resolved are a stack of frames, integers in `Table.m`, so a copy taken between any
two choices plays on identically. A frame holds a card, the row that comes next, and a few scratch
numbers. Performing a card pushes a frame; the card below continues when that frame has ended (R57).
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import FACTION_OF, PROGRAM, SHIFTS, START
from games.hidden_leaders.rules.card_language import (
    ANYONE,
    GREEN_LEADS,
    ME,
    NEXT,
    OTHERS,
    RED_LEADS,
    THEM,
    Times,
    When,
    Where,
)
from games.hidden_leaders.rules.cards import EMPEROR
from games.hidden_leaders.rules.constants import EMPTY, Event, Limit, Move, Zone
from games.hidden_leaders.rules.opcodes import Act, Flag, MarkRow, Op, Row, ShiftRow
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES, LAST, LENGTH, TAVERN_AT, Table, clip
from games.state import EVERYBODY, UNSEEN


class Frame:
    """Fields of a frame."""

    ROW: Final = 0
    CARD: Final = 1
    HEAD: Final = 2
    """1 if the card was played from hand, which starts a new chain (R58, R61)."""
    WHO: Final = 3
    """THEM: the player picked or robbed; -1 if none."""
    PICK: Final = 4
    """A card or a move picked earlier; -1 if none. Public: never a secret choice."""
    COUNT: Final = 5
    FACTION: Final = 6
    """The faction named."""
    DEALT: Final = 7
    """During setup, if not the usual number: how many heroes each seat is dealt; otherwise 0."""


class ChanceFrom:
    """What chance decides at a chance node."""

    NOTHING: Final = 0
    HARBOR: Final = 1
    HAND: Final = 2
    OPEN: Final = 3
    LEADERS: Final = 4
    PLAYERS: Final = 5


class Interpreter(Table):
    """A table on which cards take effect."""

    def __init__(self, players: i64, m: vec[i64], room: i64) -> None:
        super().__init__(players, m, room)
        self.frame: i64 = FRAMES - FRAME
        """Where in m the frame being resolved begins."""
        self.chance: i64 = ChanceFrom.NOTHING

    # ---- frames ---------------------------------------------------------------------------

    def push_frame(self, row: i64, card: i64, head: i64) -> None:
        f = self.frame + FRAME
        self.frame = f
        m = self.m
        m[f + Frame.ROW] = row
        m[f + Frame.CARD] = card
        m[f + Frame.HEAD] = head
        m[f + Frame.WHO] = -1
        m[f + Frame.PICK] = -1
        m[f + Frame.COUNT] = 0
        m[f + Frame.FACTION] = 0

    def in_chain(self, card: i64) -> bool:
        """Whether the card was already played or performed in the current chain (R58)."""
        m = self.m
        f = self.frame
        while True:
            if m[f + Frame.CARD] == card:
                return True
            if m[f + Frame.HEAD]:
                return False
            f -= FRAME

    def perform(self, card: i64) -> None:
        """Use the card's ability as if just played, unless forbidden (R58, R59, R62)."""
        if card != EMPEROR and not self.in_chain(card):
            self.push_frame(START[card], card, 0)

    def play_card(self, card: i64) -> None:
        """From the hand, open, into the party; then its whole ability (R10)."""
        me = self.player
        self.move_card(Zone.HAND + me, card, Zone.OPEN + me, EVERYBODY)
        self.push_frame(START[card], card, 1)

    # ---- who and what may be chosen -------------------------------------------------------

    def decider(self, by: i64, f: i64) -> i64:
        if by == NEXT:
            return (self.player + 1) % self.players
        if by == THEM:
            return self.m[f + Frame.WHO]
        return self.player

    def is_among(self, seat: i64, of: i64, f: i64) -> bool:
        """Whether the seat is one of `of`: ME, OTHERS, ANYONE or THEM."""
        if of == ANYONE:
            return True
        if of == ME:
            return seat == self.player
        if of == OTHERS:
            return seat != self.player
        return seat == self.m[f + Frame.WHO]

    def exists(self, where: i64, of: i64, f: i64) -> bool:
        """Whether there is any such card, as far as everybody can see (R28)."""
        m = self.m
        if where == Where.TAVERN:
            return m[LENGTH + Zone.TAVERN] > 0
        for seat in range(self.players):
            if self.is_among(seat, of, f) and self.has(seat, where):
                return True
        return False

    def has(self, seat: i64, where: i64) -> bool:
        m = self.m
        if where == Where.OPEN:
            return m[LENGTH + Zone.OPEN + seat] > 0
        if where == Where.HIDDEN:
            return m[LENGTH + Zone.HIDDEN + seat] > 0
        return m[LENGTH + Zone.HAND + seat] > 0

    def collect(self, row: i64, f: i64) -> i64:
        """List the cards that a choosing row describes as legal moves; returns how many."""
        where = PROGRAM[row + Row.WHERE]
        of = PROGRAM[row + Row.OF]
        self.count = 0
        if where == Where.OPEN:
            self.collect_open(row, of, f)
        elif where == Where.HIDDEN:
            self.collect_hidden(row, of, f)
        elif where == Where.EITHER:
            self.collect_open(row, of, f)
            self.collect_hidden(row, of, f)
        elif where == Where.HAND:
            self.collect_zone(Zone.HAND + self.player, row)
        elif where == Where.TAVERN:
            self.collect_tavern(PROGRAM[row + Row.WANT])
        elif where == Where.GRAVEYARD:
            self.collect_zone(Zone.GRAVEYARD, row)
        else:
            self.collect_zone(Zone.DRAWN, row)
        return self.count

    def collect_open(self, row: i64, of: i64, f: i64) -> None:
        m = self.m
        legal = self.legal
        want = PROGRAM[row + Row.WANT]
        ban = PROGRAM[row + Row.BAN]
        flags = PROGRAM[row + Row.FLAGS]
        k = self.count
        for seat in range(self.players):
            if not self.is_among(seat, of, f):
                continue
            if flags & Flag.MOVABLE and self.players == 2 and seat != self.player:
                continue
            at = AT[Zone.OPEN + seat]
            for i in range(at, at + m[LENGTH + Zone.OPEN + seat]):
                card = m[i]
                faction = FACTION_OF[card]
                if faction & want and not faction & ban:
                    if flags & Flag.NEW_IN_CHAIN and (card == EMPEROR or self.in_chain(card)):
                        continue
                    legal[k] = card
                    k += 1
        self.count = k

    def collect_hidden(self, row: i64, of: i64, f: i64) -> None:
        m = self.m
        legal = self.legal
        k = self.count
        done: i64 = -1
        if PROGRAM[row + Row.FLAGS] & Flag.ANOTHER:
            done = m[f + Frame.PICK]
        for seat in range(self.players):
            if self.is_among(seat, of, f):
                first = Move.STACK + seat * Move.STACK_ROOM
                for move in range(first, first + m[LENGTH + Zone.HIDDEN + seat]):
                    if move != done:
                        legal[k] = move
                        k += 1
        self.count = k

    def collect_zone(self, zone: i64, row: i64) -> None:
        m = self.m
        legal = self.legal
        ban = PROGRAM[row + Row.BAN]
        k = self.count
        at = AT[zone]
        for i in range(at, at + m[LENGTH + zone]):
            if not FACTION_OF[m[i]] & ban:
                legal[k] = m[i]
                k += 1
        self.count = k

    def collect_tavern(self, want: i64) -> None:
        m = self.m
        k = self.count
        slots: i64 = Limit.TAVERN
        for i in range(slots):
            card = m[TAVERN_AT + i]
            if card != EMPTY and FACTION_OF[card] & want:
                self.legal[k] = card
                k += 1
        self.count = k

    # ---- the legal moves of a row that asks -----------------------------------------------

    def offer(self, op: i64, row: i64, f: i64) -> bool:
        """Set actor and legal moves of a row that asks; False if there is nothing to decide."""
        if op == Op.MARK:
            return self.offer_markers(row, f)
        if op == Op.CHOOSE:
            return self.offer_choice(row, f)
        m = self.m
        legal = self.legal
        self.actor = self.player
        self.count = 0
        if op == Op.PLAYER:
            where = PROGRAM[row + Row.WHERE]
            for seat in range(self.players):
                fits = where < 0 or self.has(seat, where)
                if fits and self.is_among(seat, PROGRAM[row + Row.OF], f):
                    legal[self.count] = Move.PLAYER + seat
                    self.count += 1
        elif op == Op.FACTION:
            if self.exists(PROGRAM[row + Row.WHERE], PROGRAM[row + Row.OF], f):
                for k in range(i64(4)):
                    legal[k] = Move.FACTION + k
                self.count = 4
        elif op == Op.EACH:
            self.offer_each(f)
        elif op == Op.PILE:
            if m[LENGTH + Zone.WILDERNESS] > 0:
                legal[0] = Move.PILE + Zone.WILDERNESS
                self.count = 1
            if m[LENGTH + Zone.GRAVEYARD] > 0:
                legal[self.count] = Move.PILE + Zone.GRAVEYARD
                self.count += 1
        elif op == Op.MANNER:
            if self.exists(PROGRAM[row + Row.WHERE], PROGRAM[row + Row.OF], f):
                legal[0] = Move.TURN_UP
                legal[1] = Move.LOOK
                self.count = 2
        elif op == Op.RECEIVER:
            card = m[f + Frame.PICK]
            if card >= 0:
                owner = self.owner_of_open(card)
                for seat in range(self.players):
                    if seat != self.player and seat != owner:
                        legal[self.count] = Move.PLAYER + seat
                        self.count += 1
        elif op == Op.HAND_OVER:
            self.offer_hand_over(f)
        return self.count > 0

    def offer_markers(self, row: i64, f: i64) -> bool:
        """The alternatives that move something, one for each outcome (R31, R32)."""
        by = PROGRAM[row + MarkRow.BY]
        times = self.times(row, f)
        if times == 0:
            return False
        first = PROGRAM[row + MarkRow.FIRST]
        legal = self.legal
        seen: i64 = 0
        for k in range(PROGRAM[row + MarkRow.ALTERNATIVES]):
            outcome = self.shifted(first + k, times)
            fresh = outcome >= 0 and outcome != self.red * 16 + self.green
            for i in range(seen):
                if outcome == self.shifted(first + legal[i] - Move.MARKER, times):
                    fresh = False
            if fresh:
                legal[seen] = Move.MARKER + k
                seen += 1
        self.count = seen
        self.actor = self.decider(by, f)
        return seen > 0

    def times(self, row: i64, f: i64) -> i64:
        """The factor of a marker phrase; 0 if it does not happen (R35)."""
        m = self.m
        if PROGRAM[row + MarkRow.BY] == THEM and m[f + Frame.WHO] < 0:
            return 0
        condition = PROGRAM[row + MarkRow.CONDITION]
        if condition == When.I_SHOW:
            if self.count_open(self.player, PROGRAM[row + MarkRow.FACTION]) == 0:
                return 0
        elif condition == When.DISCARDED_ONE:
            if m[f + Frame.COUNT] == 0:
                return 0
        elif condition == When.SHOWN_IS_NOT:
            if (
                m[f + Frame.PICK] < 0
                or FACTION_OF[m[f + Frame.PICK]] & PROGRAM[row + MarkRow.FACTION]
            ):
                return 0
        kind = PROGRAM[row + MarkRow.TIMES]
        factor: i64 = 1
        if kind == Times.CARDS_DISCARDED:
            factor = m[f + Frame.COUNT]
        elif kind == Times.THEIR_OPEN:
            factor = self.count_open(m[f + Frame.WHO], PROGRAM[row + MarkRow.FACTION])
        elif kind == Times.GRAVEYARD_SIZE:
            factor = m[LENGTH + Zone.GRAVEYARD]
        else:
            return 1
        cap = PROGRAM[row + MarkRow.CAP]
        return cap if factor > cap else factor

    def shifted(self, shift: i64, times: i64) -> i64:
        """Where a shift would move the markers, as red * 16 + green; -1 if it is not allowed."""
        s = shift * ShiftRow.SIZE
        red = self.red
        green = self.green
        ahead = red - green
        condition = SHIFTS[s + ShiftRow.CONDITION]
        if (condition == RED_LEADS and ahead <= 0) or (condition == GREEN_LEADS and ahead >= 0):
            return -1
        by_red = SHIFTS[s + ShiftRow.RED]
        by_green = SHIFTS[s + ShiftRow.GREEN]
        if ahead > 0:
            by_red += SHIFTS[s + ShiftRow.LEADING]
            by_green += SHIFTS[s + ShiftRow.TRAILING]
        elif ahead < 0:
            by_green += SHIFTS[s + ShiftRow.LEADING]
            by_red += SHIFTS[s + ShiftRow.TRAILING]
        return clip(red + by_red * times) * 16 + clip(green + by_green * times)

    def offer_choice(self, row: i64, f: i64) -> bool:
        m = self.m
        flags = PROGRAM[row + Row.FLAGS]
        if PROGRAM[row + Row.OF] == THEM and m[f + Frame.WHO] < 0:
            return False
        if flags & Flag.ANOTHER and m[f + Frame.PICK] < 0:
            return False
        act = PROGRAM[row + Row.ACT]
        if act == Act.SWAP and m[f + Frame.PICK] < 0:
            return False
        if act == Act.SWAP_TOP and m[LENGTH + Zone.GRAVEYARD] == 0:
            return False
        if flags & Flag.NEEDS_NEXT and self.collect(row + Row.SIZE, f) == 0:
            return False
        if self.collect(row, f) == 0:
            if not (flags & Flag.ASK_ANYWAY and m[LENGTH + Zone.HAND + self.player] > 0):
                return False
        if flags & Flag.MAY:
            self.legal[self.count] = Move.PASS
            self.count += 1
        self.actor = self.decider(PROGRAM[row + Row.BY], f)
        if self.recording and PROGRAM[row + Row.WHERE] == Where.GRAVEYARD:
            for i in range(m[LENGTH + Zone.GRAVEYARD]):  # to take any card is to see them all
                self.tell(
                    1 << self.player,
                    (Event.SEEN, Zone.GRAVEYARD, i, m[AT[Zone.GRAVEYARD] + i]),
                    (),
                )
        return True

    def offer_each(self, f: i64) -> None:
        """The next other player with a hand card discards one (R127)."""
        m = self.m
        while m[f + Frame.COUNT] + 1 < self.players:
            seat = (self.player + m[f + Frame.COUNT] + 1) % self.players
            at = AT[Zone.HAND + seat]
            held = m[LENGTH + Zone.HAND + seat]
            if held > 0:
                for i in range(held):
                    self.legal[i] = m[at + i]
                self.count = held
                self.actor = seat
                return
            m[f + Frame.COUNT] += 1

    def offer_hand_over(self, f: i64) -> None:
        m = self.m
        who = m[f + Frame.WHO]
        if who < 0:
            return
        at = AT[Zone.HAND + who]
        known = True
        for i in range(at, at + m[LENGTH + Zone.HAND + who]):
            faction = FACTION_OF[m[i]]
            if faction & m[f + Frame.FACTION]:
                self.legal[self.count] = m[i]
                self.count += 1
            elif faction == 0:
                known = False  # a blank of an imagined table could be of any faction
        self.actor = who
        if self.count == 0 and known and self.recording:
            self.tell(EVERYBODY, (Event.NONE_HELD, who, m[f + Frame.FACTION]), ())

    # ---- rows that ask nobody -------------------------------------------------------------

    def carry_out(self, op: i64, row: i64, f: i64) -> bool:
        """Do a row that asks nobody. False if chance must decide first, then the row runs again."""
        m = self.m
        me = self.player
        if op == Op.SWEEP:
            want = PROGRAM[row + Row.WANT]
            if want == 0:
                want = m[f + Frame.FACTION]
            for i in range(i64(Limit.TAVERN)):
                card = m[TAVERN_AT + i]
                if card != EMPTY and FACTION_OF[card] & want:
                    self.move(Zone.TAVERN, i, Zone.WILDERNESS, LAST, EVERYBODY)
                    m[f + Frame.COUNT] += 1
        elif op == Op.RANDOM:
            if m[f + Frame.WHO] >= 0:
                self.chance = (
                    ChanceFrom.HAND if PROGRAM[row + Row.WHERE] == Where.HAND else ChanceFrom.OPEN
                )
                return False
        elif op == Op.DRAW_HARBOR:
            if m[f + Frame.COUNT] < PROGRAM[row + Row.COUNT] and self.harbor_ready():
                self.chance = ChanceFrom.HARBOR
                return False
        elif op == Op.LIFT:
            pile = PROGRAM[row + Row.ZONE]
            audience = i64(EVERYBODY) if pile == Zone.GRAVEYARD else 1 << me
            for _ in range(PROGRAM[row + Row.COUNT]):
                if m[LENGTH + pile] > 0:
                    self.move(pile, m[LENGTH + pile] - 1, Zone.DRAWN, LAST, audience)
        elif op == Op.REST:
            zone = PROGRAM[row + Row.ZONE]
            if zone == Zone.HAND:
                zone += me
            while m[LENGTH + Zone.DRAWN] > 0:
                self.move(Zone.DRAWN, 0, zone, LAST, 1 << me)
        elif op == Op.RESTOCK:
            for i in range(i64(Limit.TAVERN)):
                if m[TAVERN_AT + i] == EMPTY and m[LENGTH + Zone.GRAVEYARD] > 0:
                    self.move(
                        Zone.GRAVEYARD, m[LENGTH + Zone.GRAVEYARD] - 1, Zone.TAVERN, i, EVERYBODY
                    )
        elif op == Op.SHOW:
            top = m[LENGTH + Zone.WILDERNESS] - 1
            if top >= 0:
                m[f + Frame.PICK] = m[AT[Zone.WILDERNESS] + top]
                self.show(Zone.WILDERNESS, top, EVERYBODY)
        elif op == Op.PERFORM_TOP:
            if m[LENGTH + Zone.GRAVEYARD] > 0:
                self.perform(m[AT[Zone.GRAVEYARD] + m[LENGTH + Zone.GRAVEYARD] - 1])
        elif op == Op.PERFORM_PICKED:
            if m[f + Frame.PICK] >= 0:
                self.perform(m[f + Frame.PICK])
        elif op == Op.CLOSE:
            if m[f + Frame.PICK] >= 0:
                zone = PROGRAM[row + Row.ZONE]
                if zone == Zone.HIDDEN:
                    zone += me
                self.move(Zone.ASIDE, m[LENGTH + Zone.ASIDE] - 1, zone, LAST, EVERYBODY)
        return True

    def show(self, zone: i64, index: i64, audience: i64) -> None:
        """Let the audience see a card that stays put; everybody sees that it was seen (R48)."""
        if self.noting:
            self.notes[self.m[AT[zone] + index]] |= audience
        if self.recording:
            card = self.m[AT[zone] + index]
            self.tell(audience, (Event.SEEN, zone, index, card), (Event.SEEN, zone, index, UNSEEN))

    # ---- what a choice does ---------------------------------------------------------------

    def decide(self, op: i64, row: i64, f: i64, move: i64) -> bool:
        """Carry out the chosen move. False if the same row asks again."""
        m = self.m
        if op == Op.MARK:
            outcome = self.shifted(
                PROGRAM[row + MarkRow.FIRST] + move - Move.MARKER, self.times(row, f)
            )
            self.set_markers(outcome >> 4, outcome & 15)
        elif op == Op.CHOOSE:
            if move != Move.PASS:
                self.act(row, f, move)
        elif op == Op.PLAYER:
            m[f + Frame.WHO] = move - Move.PLAYER
        elif op == Op.FACTION:
            m[f + Frame.FACTION] = 1 << (move - Move.FACTION)
        elif op == Op.EACH:
            seat = self.actor
            self.move_card(Zone.HAND + seat, move, Zone.WILDERNESS, 1 << seat)
            m[f + Frame.COUNT] += 1
            return False
        elif op == Op.PILE:
            pile = move - Move.PILE
            mine: i64 = 1 << self.player
            for _ in range(PROGRAM[row + Row.COUNT]):
                top = m[LENGTH + pile] - 1
                if top >= 0:
                    audience = i64(EVERYBODY) if pile == Zone.GRAVEYARD else mine
                    self.move(pile, top, Zone.HAND + self.player, LAST, audience)
        elif op == Op.MANNER:
            m[f + Frame.COUNT] = move
        elif op == Op.RECEIVER:
            card = m[f + Frame.PICK]
            owner = self.owner_of_open(card)
            self.move_card(Zone.OPEN + owner, card, Zone.OPEN + move - Move.PLAYER, EVERYBODY)
        else:  # Op.HAND_OVER
            who = m[f + Frame.WHO]
            self.move_card(Zone.HAND + who, move, Zone.HAND + self.player, EVERYBODY)
        return True

    def act(self, row: i64, f: i64, move: i64) -> None:
        """Do what the row says with the chosen card."""
        m = self.m
        act = PROGRAM[row + Row.ACT]
        if act == Act.PICK:
            m[f + Frame.PICK] = move
            return
        if act == Act.SWAP:
            self.swap(row, f, move)
            return
        if act == Act.PERFORM:
            self.perform(move)
            return
        if act == Act.PLAY:
            self.play_card(move)
            return
        if move >= Move.STACK:
            seat = (move - Move.STACK) // Move.STACK_ROOM
            self.act_on_hidden(act, f, seat, (move - Move.STACK) % Move.STACK_ROOM, move)
            return
        where = PROGRAM[row + Row.WHERE]
        if where == Where.OPEN or where == Where.EITHER:
            owner = self.owner_of_open(move)
            self.act_on_open(act, f, owner, self.find(Zone.OPEN + owner, move))
            return
        zone: i64 = Zone.TAVERN
        audience: i64 = EVERYBODY
        me = self.player
        if where != Where.TAVERN:
            audience = 1 << me
            zone = Zone.HAND + me
            if where == Where.GRAVEYARD:
                zone = Zone.GRAVEYARD
            elif where == Where.DRAWN:
                zone = Zone.DRAWN
        at = self.find(zone, move)
        if zone == Zone.GRAVEYARD and at == m[LENGTH + Zone.GRAVEYARD] - 1:
            audience = EVERYBODY  # the top was visible, so everybody sees it go (R93)
        if act == Act.TAKE:
            self.move(zone, at, Zone.HAND + me, LAST, audience)
        elif act == Act.HIDE:
            self.move(zone, at, Zone.HIDDEN + me, LAST, audience)
        elif act == Act.OPEN:
            self.move(zone, at, Zone.OPEN + me, LAST, audience)
        elif act == Act.DISCARD:
            self.move(zone, at, Zone.WILDERNESS, LAST, audience)
            m[f + Frame.COUNT] += 1
        else:  # Act.ASIDE
            m[f + Frame.PICK] = self.move(zone, at, Zone.ASIDE, LAST, audience)

    def act_on_open(self, act: i64, f: i64, owner: i64, at: i64) -> None:
        zone = Zone.OPEN + owner
        m = self.m
        if act == Act.BURY:
            self.move(zone, at, Zone.GRAVEYARD, LAST, EVERYBODY)
        elif act == Act.TURN:
            self.move(zone, at, Zone.HIDDEN + owner, LAST, EVERYBODY)
        elif act == Act.DISCARD:
            self.move(zone, at, Zone.WILDERNESS, LAST, EVERYBODY)
        elif act == Act.TAKE:
            m[f + Frame.WHO] = owner
            self.move(zone, at, Zone.HAND + self.player, LAST, EVERYBODY)
        else:  # Act.SWAP_TOP: laid on top first, so that the card below stays covered (R93)
            self.move(zone, at, Zone.GRAVEYARD, LAST, EVERYBODY)
            self.move(Zone.GRAVEYARD, m[LENGTH + Zone.GRAVEYARD] - 2, zone, LAST, EVERYBODY)

    def act_on_hidden(self, act: i64, f: i64, seat: i64, at: i64, move: i64) -> None:
        m = self.m
        zone = Zone.HIDDEN + seat
        if act == Act.BURY:
            self.move(zone, at, Zone.GRAVEYARD, LAST, EVERYBODY)
        elif act == Act.LOOK or (act == Act.MANNER and m[f + Frame.COUNT] == Move.LOOK):
            m[f + Frame.PICK] = move
            self.show(zone, at, 1 << self.player)
        elif act == Act.EXPOSE and FACTION_OF[m[AT[zone] + at]] & m[f + Frame.FACTION]:
            self.move(zone, at, Zone.GRAVEYARD, LAST, EVERYBODY)
        else:  # turned over, or exposed after a wrong guess
            m[f + Frame.PICK] = self.move(zone, at, Zone.OPEN + seat, LAST, EVERYBODY)

    def swap(self, row: i64, f: i64, second: i64) -> None:
        """Exchange the card picked before with the one picked now (R42)."""
        m = self.m
        first = m[f + Frame.PICK]
        a = self.zone_of(PROGRAM[row - Row.SIZE + Row.WHERE], first)
        b = self.zone_of(PROGRAM[row + Row.WHERE], second)
        i = self.index_of(a, first)
        j = self.index_of(b, second)
        audience: i64 = EVERYBODY
        if a >= Zone.HIDDEN:
            # Both owners see both cards (P22); with a hand card both are the performer's (P19).
            audience = 1 << self.player
            audience |= 1 << (a - Zone.HIDDEN)
        self.move(b, j, Zone.ASIDE, LAST, audience)
        self.move(a, i, b, j, audience)
        self.move(Zone.ASIDE, m[LENGTH + Zone.ASIDE] - 1, a, i, audience)

    def zone_of(self, where: i64, move: i64) -> i64:
        if where == Where.TAVERN:
            return Zone.TAVERN
        if where == Where.HAND:
            return Zone.HAND + self.player
        if where == Where.HIDDEN:
            return Zone.HIDDEN + (move - Move.STACK) // Move.STACK_ROOM
        return Zone.OPEN + self.owner_of_open(move)

    def index_of(self, zone: i64, move: i64) -> i64:
        if zone >= Zone.HIDDEN:
            return (move - Move.STACK) % Move.STACK_ROOM
        return self.find(zone, move)

    # ---- chance ---------------------------------------------------------------------------

    def chance_zone(self) -> i64:
        """The zone that chance takes a card from."""
        if self.chance == ChanceFrom.HARBOR:
            return Zone.HARBOR
        who = self.m[self.frame + Frame.WHO]
        return Zone.HAND + who if self.chance == ChanceFrom.HAND else Zone.OPEN + who

    def chance_in_card(self, op: i64, row: i64, f: i64, at: i64) -> bool:
        """Chance picked the card at that index. False if the same row runs again."""
        m = self.m
        zone = self.chance_zone()
        me = self.player
        mine = 1 << me
        if op == Op.DRAW_HARBOR:
            self.move(zone, at, Zone.DRAWN, LAST, mine)
            m[f + Frame.COUNT] += 1
            return False
        victim = 1 << m[f + Frame.WHO]
        act = PROGRAM[row + Row.ACT]
        if act == Act.BURY:
            self.move(zone, at, Zone.GRAVEYARD, LAST, EVERYBODY)
        elif act == Act.TAKE:
            self.move(zone, at, Zone.HAND + me, LAST, mine | victim)
        else:
            self.move(zone, at, Zone.HIDDEN + me, LAST, mine | victim)
        return True
