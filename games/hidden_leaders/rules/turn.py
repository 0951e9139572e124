"""Setup, the four steps of a turn, and the end of the game."""

from __future__ import annotations

from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import PROGRAM, TURN_START
from games.hidden_leaders.rules.card_language import Where
from games.hidden_leaders.rules.constants import EMPTY, Event, Limit, Move, Zone
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame, Interpreter
from games.hidden_leaders.rules.opcodes import Act, MarkRow, Op, Row
from games.hidden_leaders.rules.scoring import winner, winning_faction
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES, LAST, LEADERS_AT, LENGTH, TAVERN_AT
from games.state import CHANCE, EVERYBODY, NOBODY, UNSEEN


class TurnRunner(Interpreter):
    """A table on which turns are played, from the first leader dealt to the last card shown."""

    # ---- running --------------------------------------------------------------------------

    def run(self) -> None:
        """Run rows until a seat or chance must decide, or the game is over."""
        m = self.m
        while True:
            f = self.frame
            row = m[f + Frame.ROW]
            op = PROGRAM[row]
            if op == Op.END:
                self.frame = f - FRAME
                continue
            if op <= Op.LAST_OF_TURN:
                asks = self.turn_step(op, f)
                if self.actor == NOBODY:
                    return
                if self.chance != ChanceFrom.NOTHING:
                    self.actor = CHANCE
                    return
            elif op == Op.MARK and PROGRAM[row + MarkRow.ALTERNATIVES] == 1:
                times = self.times(row, f)
                if times > 0:
                    outcome = self.shifted(PROGRAM[row + MarkRow.FIRST], times)
                    self.set_markers(outcome >> 4, outcome & 15)
                asks = False
            elif asks_somebody(op):
                asks = self.offer(op, row, f)
            else:
                m[f + Frame.ROW] = row + Row.SIZE  # before a performed card pushes its frame
                if not self.carry_out(op, row, f):
                    m[f + Frame.ROW] = row
                    self.actor = CHANCE
                    return
                continue
            if asks:
                if self.recording:
                    self.tell_pending()
                return
            if op != Op.TURN_END:
                m[f + Frame.ROW] = row + Row.SIZE

    def resolve_chance(self, op: i64, row: i64, f: i64, what: i64) -> None:
        """Chance has decided: on an index in the chance zone, a leader move or a player move."""
        again = True
        if op > Op.LAST_OF_TURN:
            again = not self.chance_in_card(op, row, f, what)
        else:
            self.chance_in_turn(op, f, what)
        self.chance = ChanceFrom.NOTHING
        if not again:
            self.m[f + Frame.ROW] = row + Row.SIZE
        self.run()

    def resume(self) -> None:
        """Compute the legal moves again, after cards were placed while a decision is pending."""
        f = self.frame
        row = self.m[f + Frame.ROW]
        op = PROGRAM[row]
        if op <= Op.LAST_OF_TURN:
            self.turn_step(op, f)
        else:
            self.offer(op, row, f)

    # ---- what setup and turn ask ----------------------------------------------------------

    def turn_step(self, op: i64, f: i64) -> bool:
        """True if a seat must decide; sets `chance` if chance must; otherwise the step is over."""
        m = self.m
        me = self.player
        held = m[LENGTH + Zone.HAND + me]
        legal = self.legal
        if op == Op.ACTION:
            self.actor = me
            at = AT[Zone.HAND + me]
            for i in range(held):
                card = m[at + i]
                legal[i] = card
                legal[held + i] = Move.DISCARD + card
            legal[held + held] = Move.PASS
            self.count = held + held + 1
            return True
        if op == Op.MORE:
            if m[f + Frame.COUNT] == 0 or m[f + Frame.COUNT] == Limit.DISCARDS or held == 0:
                return False
            self.offer_discards(me)
            legal[held] = Move.PASS
            self.count = held + 1
            return True
        if op == Op.DRAW:
            return self.offer_draw(held)
        if op == Op.TRIM:
            if held <= Limit.HAND_AFTER_DISCARD:
                return False
            self.offer_discards(me)
            return True
        if op == Op.REFILL:
            if (
                m[LENGTH + Zone.TAVERN] < Limit.TAVERN
                and (m[f + Frame.DEALT] == 0 or self.can_spare_hero(f))
                and self.harbor_ready()
            ):
                self.chance = ChanceFrom.HARBOR
            return False
        if op == Op.TURN_END:
            self.end_turn(f)
            return False
        return self.setup_step(op, f)

    def can_spare_hero(self, f: i64) -> bool:
        """Whether a small deck has a hero for the tavern besides those that are dealt."""
        return self.m[LENGTH + Zone.HARBOR] > self.m[f + Frame.DEALT] * self.players

    def heroes_dealt(self, f: i64) -> i64:
        """How many heroes each seat is dealt."""
        dealt = self.m[f + Frame.DEALT]
        if dealt == 0:
            return Limit.DEALT
        return dealt

    def offer_discards(self, seat: i64) -> None:
        """Every card of the hand."""
        m = self.m
        self.actor = seat
        at = AT[Zone.HAND + seat]
        held = m[LENGTH + Zone.HAND + seat]
        legal = self.legal
        for i in range(held):
            legal[i] = Move.DISCARD + m[at + i]
        self.count = held

    def offer_draw(self, held: i64) -> bool:
        """One card at a time, from tavern or harbor, until the hand has four (R11, R12)."""
        if held >= Limit.HAND_AFTER_DRAW:
            return False
        m = self.m
        k: i64 = 0
        legal = self.legal
        slots: i64 = Limit.TAVERN
        for i in range(slots):
            card = m[TAVERN_AT + i]
            if card != EMPTY:
                legal[k] = card
                k += 1
        if m[LENGTH + Zone.HARBOR] > 0 or m[LENGTH + Zone.WILDERNESS] > 0:
            legal[k] = Move.TOP
            k += 1
        self.count = k
        self.actor = self.player
        return k > 0

    def setup_step(self, op: i64, f: i64) -> bool:
        """Like `turn_step`, for setup."""
        m = self.m
        if op == Op.LEADERS:
            if m[f + Frame.COUNT] < self.players:
                self.chance = ChanceFrom.LEADERS
        elif op == Op.FIRST:
            if self.first == NOBODY:
                self.chance = ChanceFrom.PLAYERS
            else:
                self.player = self.first
            m[f + Frame.COUNT] = 0
        elif op == Op.DEAL:
            if m[f + Frame.COUNT] < self.heroes_dealt(f) * self.players and self.harbor_ready():
                self.chance = ChanceFrom.HARBOR
            else:
                m[f + Frame.COUNT] = 0
        elif op == Op.HIDE:
            # Two decisions per player, first player first: hide one card, discard one (R5). Where
            # fewer than three are dealt, less is done, so that each keeps a card.
            dealt = self.heroes_dealt(f)
            each: i64 = 2
            if dealt < 3:
                each = dealt - 1
            if m[f + Frame.COUNT] < each * self.players:
                seat = (self.first + m[f + Frame.COUNT] // each) % self.players
                self.offer_discards(seat)
                if m[f + Frame.COUNT] % each == 0:
                    for i in range(self.count):
                        self.legal[i] -= Move.DISCARD
                return self.count > 0
            m[f + Frame.COUNT] = 0
            m[f + Frame.DEALT] = 0
        return False

    # ---- what a decision or chance does in setup and turn ---------------------------------

    def turn_decision(self, op: i64, move: i64) -> bool:
        """Carry out a decision of setup or turn. True if the same step asks again."""
        m = self.m
        f = self.frame
        seat = self.actor
        mine = 1 << seat
        if op == Op.DRAW:
            if move == Move.TOP:
                self.harbor_ready()
                self.chance = ChanceFrom.HARBOR
            else:
                self.move_card(Zone.TAVERN, move, Zone.HAND + seat, EVERYBODY)
            return True
        if op == Op.HIDE:
            m[f + Frame.COUNT] += 1
            if move < Move.DISCARD:
                self.move_card(Zone.HAND + seat, move, Zone.HIDDEN + seat, mine)
                return True
        if move == Move.PASS:
            return False
        if move < Move.DISCARD:
            m[f + Frame.ROW] += Row.SIZE  # the turn continues once the card's frame is done
            self.play_card(move)
            return True
        self.move_card(Zone.HAND + seat, move - Move.DISCARD, Zone.WILDERNESS, mine)
        if op == Op.ACTION:
            m[f + Frame.COUNT] = 1
            return False
        if op == Op.MORE:
            m[f + Frame.COUNT] += 1
        return True

    def chance_in_turn(self, op: i64, f: i64, what: i64) -> None:
        """Carry out what chance decided in setup or turn."""
        m = self.m
        if op == Op.REFILL:
            slots: i64 = Limit.TAVERN
            for slot in range(slots):
                if m[TAVERN_AT + slot] == EMPTY:
                    self.move(Zone.HARBOR, what, Zone.TAVERN, slot, EVERYBODY)
                    return
        elif op == Op.DRAW:
            self.move(Zone.HARBOR, what, Zone.HAND + self.player, LAST, 1 << self.player)
        elif op == Op.DEAL:
            seat = (self.first + m[f + Frame.COUNT] // self.heroes_dealt(f)) % self.players
            self.move(Zone.HARBOR, what, Zone.HAND + seat, LAST, 1 << seat)
            m[f + Frame.COUNT] += 1
        elif op == Op.LEADERS:
            seat = m[f + Frame.COUNT]
            m[LEADERS_AT + seat] = what - Move.LEADER
            m[f + Frame.COUNT] += 1
            if self.recording:
                event = (Event.LEADER, seat, what - Move.LEADER)
                self.tell(1 << seat, event, (Event.LEADER, seat, UNSEEN))
        else:  # Op.FIRST
            self.first = what - Move.PLAYER
            if self.recording:
                self.tell(EVERYBODY, (Event.FIRST, self.first), ())

    def is_dealt(self, leader: i64) -> bool:
        """Whether a seat has this leader already."""
        for seat in range(self.players):
            if self.m[LEADERS_AT + seat] == leader:
                return True
        return False

    # ---- the end --------------------------------------------------------------------------

    def threshold_reached(self) -> bool:
        """Whether a seat has enough open heroes to end the game."""
        for seat in range(self.players):
            if self.m[LENGTH + Zone.OPEN + seat] >= self.threshold:
                return True
        return False

    def end_turn(self, f: i64) -> None:
        """Check for the end, once per turn, after everything else (R81); then the next player."""
        m = self.m
        self.turns += 1
        if self.threshold_reached():
            self.finish(winning_faction(self.red, self.green))
            return
        if self.turns >= self.turn_limit:
            self.finish(0)
            return
        self.player += 1
        if self.player == self.players:
            self.player = 0
        m[f + Frame.ROW] = TURN_START
        m[f + Frame.COUNT] = 0

    def finish(self, faction: i64) -> None:
        """Discard hands face down, show leaders and hidden heroes (R84)."""
        m = self.m
        self.faction = faction
        self.winner = winner(self, faction) if faction else NOBODY
        for k in range(1, self.players + 1):
            seat = (self.player + k) % self.players
            while m[LENGTH + Zone.HAND + seat] > 0:
                self.move(Zone.HAND + seat, 0, Zone.WILDERNESS, LAST, 1 << seat)
        if self.recording:
            for seat in range(self.players):
                self.tell(EVERYBODY, (Event.LEADER, seat, m[LEADERS_AT + seat]), ())
                for i in range(m[LENGTH + Zone.HIDDEN + seat]):
                    self.show(Zone.HIDDEN + seat, i, EVERYBODY)
            self.tell(EVERYBODY, (Event.OVER, faction, self.winner), ())
        self.actor = NOBODY
        self.count = 0

    # ---- events ---------------------------------------------------------------------------

    def tell_choice(self, op: int, row: int, move: int) -> None:
        """Everybody sees open choices, only the chooser a choice among face-down cards (R38)."""
        seat = self.actor
        audience: int = 1 << seat if self.is_secret(op, row, move) else EVERYBODY
        self.tell(audience, (Event.CHOSE, seat, move), (Event.CHOSE, seat, UNSEEN))

    def is_secret(self, op: i64, row: i64, move: i64) -> bool:
        """Whether the move is a choice among face-down cards."""
        if op == Op.EACH or op == Op.HAND_OVER or op == Op.HIDE:
            return True
        if op <= Op.LAST_OF_TURN:
            return move >= Move.DISCARD and move < 2 * Move.DISCARD
        if op != Op.CHOOSE or move >= Move.DISCARD or PROGRAM[row + Row.ACT] == Act.PLAY:
            return False
        where = PROGRAM[row + Row.WHERE]
        return where == Where.HAND or where == Where.DRAWN or where == Where.GRAVEYARD

    def tell_pending(self) -> None:
        pending: list[int] = [Event.PENDING, self.actor, self.player, self.turns]
        for at in range(i64(FRAMES), self.frame + FRAME):
            pending.append(self.m[at])
        self.tell(EVERYBODY, tuple(pending), ())
        self.tell(1 << self.actor, (Event.LEGAL_MOVES, *self.moves()), ())


def asks_somebody(op: i64) -> bool:
    """Whether a card's row of this kind needs a decision of a seat."""
    return (
        op == Op.MARK
        or op == Op.CHOOSE
        or op == Op.PLAYER
        or op == Op.FACTION
        or op == Op.EACH
        or op == Op.PILE
        or op == Op.MANNER
        or op == Op.RECEIVER
        or op == Op.HAND_OVER
    )
