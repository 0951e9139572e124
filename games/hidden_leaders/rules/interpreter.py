"""Resolving cards: for every step, who may choose what, and what then happens.

What is being resolved is a stack of frames of integers in `Table.m`: a copy taken between any two
choices plays on identically. A frame is a card, the row of its program that comes next, and a few
scratch numbers; performing a card pushes a frame, and the closing clause of the card below simply
follows when that frame has ended (R57).
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import (
    ANOTHER,
    ASK_ANYWAY,
    FACTION_OF,
    MAY,
    MOVABLE,
    NEEDS_NEXT,
    NEW_IN_CHAIN,
    OP_CHOOSE,
    OP_CLOSE,
    OP_DRAW_HARBOR,
    OP_EACH,
    OP_FACTION,
    OP_HAND_OVER,
    OP_LIFT,
    OP_MANNER,
    OP_MARK,
    OP_PERFORM_PICKED,
    OP_PERFORM_TOP,
    OP_PILE,
    OP_PLAYER,
    OP_RANDOM,
    OP_RECEIVER,
    OP_REST,
    OP_RESTOCK,
    OP_SHOW,
    OP_SWEEP,
    PROGRAM,
    ROW,
    SHIFT,
    SHIFTS,
    START,
    V_BURY,
    V_DISCARD,
    V_EXPOSE,
    V_HIDE,
    V_LOOK,
    V_MANNER,
    V_OPEN,
    V_PERFORM,
    V_PICK,
    V_PLAY,
    V_SWAP,
    V_SWAP_TOP,
    V_TAKE,
    V_TURN,
)
from games.hidden_leaders.rules.card_language import (
    ANYONE,
    CARDS_DISCARDED,
    DISCARDED_ONE,
    GRAVEYARD_SIZE,
    GREEN_LEADS,
    I_SHOW,
    IN_DRAWN,
    IN_EITHER,
    IN_GRAVEYARD,
    IN_HAND,
    IN_HIDDEN,
    IN_OPEN,
    IN_TAVERN,
    ME,
    NEXT,
    OTHERS,
    RED_LEADS,
    SHOWN_IS_NOT,
    THEIR_OPEN,
    THEM,
)
from games.hidden_leaders.rules.cards import EMPEROR
from games.hidden_leaders.rules.constants import (
    ASIDE,
    DRAWN,
    E_NONE_HELD,
    E_SEEN,
    EMPTY,
    FACTION,
    FIRST_SPACE,
    GRAVEYARD,
    HAND,
    HARBOR,
    HIDDEN,
    LAST_SPACE,
    LOOK,
    MARKER,
    OPEN,
    PASS,
    PILE,
    PLAYER,
    STACK,
    STACK_ROOM,
    TAVERN,
    TAVERN_SLOTS,
    TURN_UP,
    WILDERNESS,
)
from games.hidden_leaders.rules.table import AT, END, FRAME, FRAMES, LENGTH, TAVERN_AT, Table
from games.state import EVERYBODY, UNSEEN

# Fields of a frame.
F_ROW: Final = 0
F_CARD: Final = 1
F_HEAD: Final = 2
"""1 if the card was played from hand: a chain begins here (R58, R61)."""
F_WHO: Final = 3
"""THEM: the player picked or robbed; -1 if none."""
F_PICK: Final = 4
"""A card or a move picked earlier; -1 if none. Never something a player chose secretly."""
F_COUNT: Final = 5
F_FACTION: Final = 6
"""The faction named."""

# Where luck decides.
NO_CHANCE: Final = 0
FROM_HARBOR: Final = 1
FROM_HAND: Final = 2
FROM_OPEN: Final = 3
FROM_LEADERS: Final = 4
FROM_PLAYERS: Final = 5


def clip(space: i64) -> i64:
    if space < FIRST_SPACE:
        return FIRST_SPACE
    if space > LAST_SPACE:
        return LAST_SPACE
    return space


class Interpreter(Table):
    """A table on which cards take effect."""

    def __init__(self, players: i64, m: vec[i64], room: i64) -> None:
        super().__init__(players, m, room)
        self.player: i64 = 0
        """Whose turn it is; also the performer of every ability."""
        self.frame: i64 = FRAMES - FRAME
        """Where in m the frame being resolved begins."""
        self.chance: i64 = NO_CHANCE

    # ---- frames ---------------------------------------------------------------------------

    def push_frame(self, row: i64, card: i64, head: i64) -> None:
        f = self.frame + FRAME
        self.frame = f
        m = self.m
        m[f + F_ROW] = row
        m[f + F_CARD] = card
        m[f + F_HEAD] = head
        m[f + F_WHO] = -1
        m[f + F_PICK] = -1
        m[f + F_COUNT] = 0
        m[f + F_FACTION] = 0

    def in_chain(self, card: i64) -> bool:
        """Whether the card was already played or performed in the present chain (R58)."""
        m = self.m
        f = self.frame
        while True:
            if m[f + F_CARD] == card:
                return True
            if m[f + F_HEAD]:
                return False
            f -= FRAME

    def perform(self, card: i64) -> None:
        """Use the card's ability as if just played, unless that is forbidden (R58, R59, R62)."""
        if card != EMPEROR and not self.in_chain(card):
            self.push_frame(START[card], card, 0)

    def play_card(self, card: i64) -> None:
        """From hand, open, into the own party; then its whole ability (R10)."""
        me = self.player
        self.move(HAND + me, self.find(HAND + me, card), OPEN + me, END, EVERYBODY)
        self.push_frame(START[card], card, 1)

    # ---- who and what may be chosen -------------------------------------------------------

    def decider(self, by: i64, f: i64) -> i64:
        if by == NEXT:
            return (self.player + 1) % self.players
        if by == THEM:
            return self.m[f + F_WHO]
        return self.player

    def concerns(self, seat: i64, of: i64, f: i64) -> bool:
        """Whether the seat is among those described: me, others, anyone, them."""
        if of == ANYONE:
            return True
        if of == ME:
            return seat == self.player
        if of == OTHERS:
            return seat != self.player
        return seat == self.m[f + F_WHO]

    def exists(self, where: i64, of: i64, f: i64) -> bool:
        """Whether there is any such card, judged by public sizes alone (R28)."""
        m = self.m
        if where == IN_TAVERN:
            return m[LENGTH + TAVERN] > 0
        for seat in range(self.players):
            if self.concerns(seat, of, f) and self.has(seat, where):
                return True
        return False

    def has(self, seat: i64, where: i64) -> bool:
        m = self.m
        if where == IN_OPEN:
            return m[LENGTH + OPEN + seat] > 0
        if where == IN_HIDDEN:
            return m[LENGTH + HIDDEN + seat] > 0
        return m[LENGTH + HAND + seat] > 0

    def collect(self, row: i64, f: i64) -> i64:
        """List the cards a choosing row describes as legal moves; returns how many."""
        where = PROGRAM[row + 1]
        of = PROGRAM[row + 2]
        self.count = 0
        if where == IN_OPEN:
            self.collect_open(row, of, f)
        elif where == IN_HIDDEN:
            self.collect_hidden(row, of, f)
        elif where == IN_EITHER:
            self.collect_open(row, of, f)
            self.collect_hidden(row, of, f)
        elif where == IN_HAND:
            self.collect_zone(HAND + self.player, row)
        elif where == IN_TAVERN:
            self.collect_tavern(PROGRAM[row + 3])
        elif where == IN_GRAVEYARD:
            self.collect_zone(GRAVEYARD, row)
        else:
            self.collect_zone(DRAWN, row)
        return self.count

    def collect_open(self, row: i64, of: i64, f: i64) -> None:
        m = self.m
        legal = self.legal
        want = PROGRAM[row + 3]
        ban = PROGRAM[row + 4]
        flags = PROGRAM[row + 6]
        k = self.count
        for seat in range(self.players):
            if not self.concerns(seat, of, f):
                continue
            if flags & MOVABLE and self.players == 2 and seat != self.player:
                continue
            at = AT[OPEN + seat]
            for i in range(at, at + m[LENGTH + OPEN + seat]):
                card = m[i]
                faction = FACTION_OF[card]
                if faction & want and not faction & ban:
                    if flags & NEW_IN_CHAIN and (card == EMPEROR or self.in_chain(card)):
                        continue
                    legal[k] = card
                    k += 1
        self.count = k

    def collect_hidden(self, row: i64, of: i64, f: i64) -> None:
        m = self.m
        legal = self.legal
        k = self.count
        done: i64 = -1
        if PROGRAM[row + 6] & ANOTHER:
            done = m[f + F_PICK]
        for seat in range(self.players):
            if self.concerns(seat, of, f):
                first = STACK + seat * STACK_ROOM
                for move in range(first, first + m[LENGTH + HIDDEN + seat]):
                    if move != done:
                        legal[k] = move
                        k += 1
        self.count = k

    def collect_zone(self, zone: i64, row: i64) -> None:
        m = self.m
        legal = self.legal
        ban = PROGRAM[row + 4]
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
        for i in range(TAVERN_AT, TAVERN_AT + TAVERN_SLOTS):
            if m[i] != EMPTY and FACTION_OF[m[i]] & want:
                self.legal[k] = m[i]
                k += 1
        self.count = k

    # ---- offering: the legal moves of a card's step ---------------------------------------

    def offer(self, op: i64, row: i64, f: i64) -> bool:
        """Fill in actor and legal moves of a deciding row; False if there is nothing to decide."""
        if op == OP_MARK:
            return self.offer_markers(row, f)
        if op == OP_CHOOSE:
            return self.offer_choice(row, f)
        m = self.m
        legal = self.legal
        self.actor = self.player
        self.count = 0
        if op == OP_PLAYER:
            where = PROGRAM[row + 1]
            for seat in range(self.players):
                fits = where < 0 or self.has(seat, where)
                if fits and self.concerns(seat, PROGRAM[row + 2], f):
                    legal[self.count] = PLAYER + seat
                    self.count += 1
        elif op == OP_FACTION:
            if self.exists(PROGRAM[row + 1], PROGRAM[row + 2], f):
                for k in range(4):
                    legal[k] = FACTION + k
                self.count = 4
        elif op == OP_EACH:
            self.offer_each(f)
        elif op == OP_PILE:
            if m[LENGTH + WILDERNESS] > 0:
                legal[0] = PILE + WILDERNESS
                self.count = 1
            if m[LENGTH + GRAVEYARD] > 0:
                legal[self.count] = PILE + GRAVEYARD
                self.count += 1
        elif op == OP_MANNER:
            if self.exists(PROGRAM[row + 1], PROGRAM[row + 2], f):
                legal[0] = TURN_UP
                legal[1] = LOOK
                self.count = 2
        elif op == OP_RECEIVER:
            card = m[f + F_PICK]
            if card >= 0:
                owner = self.owner_of_open(card)
                for seat in range(self.players):
                    if seat != self.player and seat != owner:
                        legal[self.count] = PLAYER + seat
                        self.count += 1
        elif op == OP_HAND_OVER:
            self.offer_hand_over(f)
        return self.count > 0

    def offer_markers(self, row: i64, f: i64) -> bool:
        """The alternatives that move something, one for each outcome (R31, R32)."""
        by = PROGRAM[row + 5]
        times = self.times(row, f)
        if times == 0:
            return False
        first = PROGRAM[row + 1]
        legal = self.legal
        seen: i64 = 0
        for k in range(PROGRAM[row + 2]):
            outcome = self.shifted(first + k, times)
            fresh = outcome >= 0 and outcome != self.red * 16 + self.green
            for i in range(seen):
                if outcome == self.shifted(first + legal[i] - MARKER, times):
                    fresh = False
            if fresh:
                legal[seen] = MARKER + k
                seen += 1
        self.count = seen
        self.actor = self.decider(by, f)
        return seen > 0

    def times(self, row: i64, f: i64) -> i64:
        """By what a marker phrase is multiplied; 0 if it is not to happen at all (R35)."""
        m = self.m
        if PROGRAM[row + 5] == THEM and m[f + F_WHO] < 0:
            return 0
        condition = PROGRAM[row + 6]
        if condition == I_SHOW:
            if self.count_open(self.player, PROGRAM[row + 7]) == 0:
                return 0
        elif condition == DISCARDED_ONE:
            if m[f + F_COUNT] == 0:
                return 0
        elif condition == SHOWN_IS_NOT:
            if m[f + F_PICK] < 0 or FACTION_OF[m[f + F_PICK]] & PROGRAM[row + 7]:
                return 0
        kind = PROGRAM[row + 3]
        found: i64 = 1
        if kind == CARDS_DISCARDED:
            found = m[f + F_COUNT]
        elif kind == THEIR_OPEN:
            found = self.count_open(m[f + F_WHO], PROGRAM[row + 7])
        elif kind == GRAVEYARD_SIZE:
            found = m[LENGTH + GRAVEYARD]
        else:
            return 1
        cap = PROGRAM[row + 4]
        return cap if found > cap else found

    def shifted(self, shift: i64, times: i64) -> i64:
        """Where a shift would bring the markers, as red * 16 + green; -1 if it is not allowed."""
        s = shift * SHIFT
        red = self.red
        green = self.green
        ahead = red - green
        condition = SHIFTS[s + 4]
        if (condition == RED_LEADS and ahead <= 0) or (condition == GREEN_LEADS and ahead >= 0):
            return -1
        by_red = SHIFTS[s]
        by_green = SHIFTS[s + 1]
        if ahead > 0:
            by_red += SHIFTS[s + 2]
            by_green += SHIFTS[s + 3]
        elif ahead < 0:
            by_green += SHIFTS[s + 2]
            by_red += SHIFTS[s + 3]
        return clip(red + by_red * times) * 16 + clip(green + by_green * times)

    def offer_choice(self, row: i64, f: i64) -> bool:
        m = self.m
        flags = PROGRAM[row + 6]
        if PROGRAM[row + 2] == THEM and m[f + F_WHO] < 0:
            return False
        if flags & ANOTHER and m[f + F_PICK] < 0:
            return False
        verb = PROGRAM[row + 5]
        if verb == V_SWAP and m[f + F_PICK] < 0:
            return False
        if verb == V_SWAP_TOP and m[LENGTH + GRAVEYARD] == 0:
            return False
        if flags & NEEDS_NEXT and self.collect(row + ROW, f) == 0:
            return False
        if self.collect(row, f) == 0:
            if not (flags & ASK_ANYWAY and m[LENGTH + HAND + self.player] > 0):
                return False
        if flags & MAY:
            self.legal[self.count] = PASS
            self.count += 1
        self.actor = self.decider(PROGRAM[row + 7], f)
        if self.recording and PROGRAM[row + 1] == IN_GRAVEYARD:
            for i in range(m[LENGTH + GRAVEYARD]):  # who may take any card looks through all
                self.tell(i64(1) << self.player, (E_SEEN, GRAVEYARD, i, m[AT[GRAVEYARD] + i]), ())
        return True

    def offer_each(self, f: i64) -> None:
        """The next other player with a hand card discards one (R127)."""
        m = self.m
        while m[f + F_COUNT] + 1 < self.players:
            seat = (self.player + m[f + F_COUNT] + 1) % self.players
            at = AT[HAND + seat]
            many = m[LENGTH + HAND + seat]
            if many > 0:
                for i in range(many):
                    self.legal[i] = m[at + i]
                self.count = many
                self.actor = seat
                return
            m[f + F_COUNT] += 1

    def offer_hand_over(self, f: i64) -> None:
        m = self.m
        who = m[f + F_WHO]
        if who < 0:
            return
        at = AT[HAND + who]
        known = True
        for i in range(at, at + m[LENGTH + HAND + who]):
            faction = FACTION_OF[m[i]]
            if faction & m[f + F_FACTION]:
                self.legal[self.count] = m[i]
                self.count += 1
            elif faction == 0:
                known = False  # a blank of an imagined table says nothing of what is held
        self.actor = who
        if self.count == 0 and known and self.recording:
            self.tell(EVERYBODY, (E_NONE_HELD, who, m[f + F_FACTION]), ())

    # ---- steps without a choice -----------------------------------------------------------

    def carry_out(self, op: i64, row: i64, f: i64) -> bool:
        """Do a row that asks nobody. False if luck must decide first and the row comes again."""
        m = self.m
        me = self.player
        if op == OP_SWEEP:
            want = PROGRAM[row + 3]
            if want == 0:
                want = m[f + F_FACTION]
            for i in range(TAVERN_SLOTS):
                card = m[TAVERN_AT + i]
                if card != EMPTY and FACTION_OF[card] & want:
                    self.move(TAVERN, i, WILDERNESS, END, EVERYBODY)
                    m[f + F_COUNT] += 1
        elif op == OP_RANDOM:
            if m[f + F_WHO] >= 0:
                self.chance = FROM_HAND if PROGRAM[row + 1] == IN_HAND else FROM_OPEN
                return False
        elif op == OP_DRAW_HARBOR:
            if m[f + F_COUNT] < PROGRAM[row + 1] and self.harbor_ready():
                self.chance = FROM_HARBOR
                return False
        elif op == OP_LIFT:
            pile = PROGRAM[row + 1]
            audience: i64 = EVERYBODY if pile == GRAVEYARD else i64(1) << me
            for _ in range(PROGRAM[row + 2]):
                if m[LENGTH + pile] > 0:
                    self.move(pile, m[LENGTH + pile] - 1, DRAWN, END, audience)
        elif op == OP_REST:
            zone = PROGRAM[row + 1]
            if zone == HAND:
                zone += me
            while m[LENGTH + DRAWN] > 0:
                self.move(DRAWN, 0, zone, END, i64(1) << me)
        elif op == OP_RESTOCK:
            for i in range(TAVERN_SLOTS):
                if m[TAVERN_AT + i] == EMPTY and m[LENGTH + GRAVEYARD] > 0:
                    self.move(GRAVEYARD, m[LENGTH + GRAVEYARD] - 1, TAVERN, i, EVERYBODY)
        elif op == OP_SHOW:
            top = m[LENGTH + WILDERNESS] - 1
            if top >= 0:
                m[f + F_PICK] = m[AT[WILDERNESS] + top]
                self.show(WILDERNESS, top, EVERYBODY)
        elif op == OP_PERFORM_TOP:
            if m[LENGTH + GRAVEYARD] > 0:
                self.perform(m[AT[GRAVEYARD] + m[LENGTH + GRAVEYARD] - 1])
        elif op == OP_PERFORM_PICKED:
            if m[f + F_PICK] >= 0:
                self.perform(m[f + F_PICK])
        elif op == OP_CLOSE:
            if m[f + F_PICK] >= 0:
                zone = PROGRAM[row + 1]
                if zone == HIDDEN:
                    zone += me
                self.move(ASIDE, m[LENGTH + ASIDE] - 1, zone, END, EVERYBODY)
        return True

    def show(self, zone: i64, index: i64, audience: i64) -> None:
        """Let the audience see a card that stays where it is; that it was seen is public (R48)."""
        if self.recording:
            card = self.m[AT[zone] + index]
            self.tell(audience, (E_SEEN, zone, index, card), (E_SEEN, zone, index, UNSEEN))

    # ---- what a choice does ---------------------------------------------------------------

    def decide(self, op: i64, row: i64, f: i64, move: i64) -> bool:
        """Carry out the chosen move. False if the same row asks again."""
        m = self.m
        if op == OP_MARK:
            outcome = self.shifted(PROGRAM[row + 1] + move - MARKER, self.times(row, f))
            self.set_markers(outcome >> 4, outcome & 15)
        elif op == OP_CHOOSE:
            if move != PASS:
                self.act(row, f, move)
        elif op == OP_PLAYER:
            m[f + F_WHO] = move - PLAYER
        elif op == OP_FACTION:
            m[f + F_FACTION] = i64(1) << (move - FACTION)
        elif op == OP_EACH:
            seat = self.actor
            at = self.find(HAND + seat, move)
            self.move(HAND + seat, at, WILDERNESS, END, i64(1) << seat)
            m[f + F_COUNT] += 1
            return False
        elif op == OP_PILE:
            pile = move - PILE
            mine: i64 = i64(1) << self.player
            for _ in range(PROGRAM[row + 1]):
                top = m[LENGTH + pile] - 1
                if top >= 0:
                    audience: i64 = EVERYBODY if pile == GRAVEYARD else mine
                    self.move(pile, top, HAND + self.player, END, audience)
        elif op == OP_MANNER:
            m[f + F_COUNT] = move
        elif op == OP_RECEIVER:
            card = m[f + F_PICK]
            owner = self.owner_of_open(card)
            at = self.find(OPEN + owner, card)
            self.move(OPEN + owner, at, OPEN + move - PLAYER, END, EVERYBODY)
        else:  # OP_HAND_OVER
            who = m[f + F_WHO]
            self.move(HAND + who, self.find(HAND + who, move), HAND + self.player, END, EVERYBODY)
        return True

    def act(self, row: i64, f: i64, move: i64) -> None:
        """Apply the row's verb to the chosen card."""
        m = self.m
        verb = PROGRAM[row + 5]
        if verb == V_PICK:
            m[f + F_PICK] = move
            return
        if verb == V_SWAP:
            self.swap(row, f, move)
            return
        if verb == V_PERFORM:
            self.perform(move)
            return
        if verb == V_PLAY:
            self.play_card(move)
            return
        if move >= STACK:
            seat = (move - STACK) // STACK_ROOM
            self.act_on_hidden(verb, f, seat, (move - STACK) % STACK_ROOM, move)
            return
        where = PROGRAM[row + 1]
        if where == IN_OPEN or where == IN_EITHER:
            owner = self.owner_of_open(move)
            self.act_on_open(verb, f, owner, self.find(OPEN + owner, move))
            return
        zone: i64 = TAVERN
        audience: i64 = EVERYBODY
        me = self.player
        if where != IN_TAVERN:
            audience = i64(1) << me
            zone = GRAVEYARD if where == IN_GRAVEYARD else DRAWN if where == IN_DRAWN else HAND + me
        at = self.find(zone, move)
        if zone == GRAVEYARD and at == m[LENGTH + GRAVEYARD] - 1:
            audience = EVERYBODY  # the top lay open; all see that it is gone (R93)
        if verb == V_TAKE:
            self.move(zone, at, HAND + me, END, audience)
        elif verb == V_HIDE:
            self.move(zone, at, HIDDEN + me, END, audience)
        elif verb == V_OPEN:
            self.move(zone, at, OPEN + me, END, audience)
        elif verb == V_DISCARD:
            self.move(zone, at, WILDERNESS, END, audience)
            m[f + F_COUNT] += 1
        else:  # V_ASIDE
            m[f + F_PICK] = self.move(zone, at, ASIDE, END, audience)

    def act_on_open(self, verb: i64, f: i64, owner: i64, at: i64) -> None:
        zone = OPEN + owner
        m = self.m
        if verb == V_BURY:
            self.move(zone, at, GRAVEYARD, END, EVERYBODY)
        elif verb == V_TURN:
            self.move(zone, at, HIDDEN + owner, END, EVERYBODY)
        elif verb == V_DISCARD:
            self.move(zone, at, WILDERNESS, END, EVERYBODY)
        elif verb == V_TAKE:
            m[f + F_WHO] = owner
            self.move(zone, at, HAND + self.player, END, EVERYBODY)
        else:  # V_SWAP_TOP: laid on top first, so that the card beneath stays covered (R93)
            self.move(zone, at, GRAVEYARD, END, EVERYBODY)
            self.move(GRAVEYARD, m[LENGTH + GRAVEYARD] - 2, zone, END, EVERYBODY)

    def act_on_hidden(self, verb: i64, f: i64, seat: i64, at: i64, move: i64) -> None:
        m = self.m
        zone = HIDDEN + seat
        if verb == V_BURY:
            self.move(zone, at, GRAVEYARD, END, EVERYBODY)
        elif verb == V_LOOK or (verb == V_MANNER and m[f + F_COUNT] == LOOK):
            m[f + F_PICK] = move
            self.show(zone, at, i64(1) << self.player)
        elif verb == V_EXPOSE and FACTION_OF[m[AT[zone] + at]] & m[f + F_FACTION]:
            self.move(zone, at, GRAVEYARD, END, EVERYBODY)
        else:  # turned over, or exposed after a wrong guess
            m[f + F_PICK] = self.move(zone, at, OPEN + seat, END, EVERYBODY)

    def swap(self, row: i64, f: i64, second: i64) -> None:
        """Exchange the card picked before with the one picked now (R42)."""
        m = self.m
        first = m[f + F_PICK]
        a = self.zone_of(PROGRAM[row - ROW + 1], first)
        b = self.zone_of(PROGRAM[row + 1], second)
        i = self.index_of(a, first)
        j = self.index_of(b, second)
        audience: i64 = EVERYBODY
        if a >= HIDDEN:
            # Both owners see both cards (P22); with a hand card both are the performer's (P19).
            audience = i64(1) << self.player
            audience |= i64(1) << (a - HIDDEN)
        self.move(b, j, ASIDE, END, audience)
        self.move(a, i, b, j, audience)
        self.move(ASIDE, m[LENGTH + ASIDE] - 1, a, i, audience)

    def zone_of(self, where: i64, move: i64) -> i64:
        if where == IN_TAVERN:
            return TAVERN
        if where == IN_HAND:
            return HAND + self.player
        if where == IN_HIDDEN:
            return HIDDEN + (move - STACK) // STACK_ROOM
        return OPEN + self.owner_of_open(move)

    def index_of(self, zone: i64, move: i64) -> i64:
        if zone >= HIDDEN:
            return (move - STACK) % STACK_ROOM
        return self.find(zone, move)

    # ---- luck -----------------------------------------------------------------------------

    def chance_zone(self) -> i64:
        """The zone luck takes a card from."""
        if self.chance == FROM_HARBOR:
            return HARBOR
        who = self.m[self.frame + F_WHO]
        return HAND + who if self.chance == FROM_HAND else OPEN + who

    def lucky_card(self, op: i64, row: i64, f: i64, at: i64) -> bool:
        """Luck picked the card at that index. False if the same row goes on."""
        m = self.m
        zone = self.chance_zone()
        me = self.player
        mine = i64(1) << me
        if op == OP_DRAW_HARBOR:
            self.move(zone, at, DRAWN, END, mine)
            m[f + F_COUNT] += 1
            return False
        victim = i64(1) << m[f + F_WHO]
        verb = PROGRAM[row + 5]
        if verb == V_BURY:
            self.move(zone, at, GRAVEYARD, END, EVERYBODY)
        elif verb == V_TAKE:
            self.move(zone, at, HAND + me, END, mine | victim)
        else:
            self.move(zone, at, HIDDEN + me, END, mine | victim)
        return True
