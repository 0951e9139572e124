"""Hidden Leaders as a State: setup, the four steps of a turn, the end, copies and keys."""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, write_i32_le
from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from games.hidden_leaders.rules.bytecode import (
    PROGRAM,
    ROW,
    SETUP_START,
    START,
    TURN_START,
    Act,
    Op,
)
from games.hidden_leaders.rules.card_language import ME, Step, Times, Where
from games.hidden_leaders.rules.cards import EMPEROR, HEROES, RETAIL
from games.hidden_leaders.rules.constants import (
    DEALT,
    EMPTY,
    HAND_AFTER_DISCARD,
    HAND_AFTER_DRAW,
    LEADER_COUNT,
    MOST_DISCARDS,
    ROUND_LIMIT,
    TAVERN_SLOTS,
    THRESHOLDS,
    Event,
    Move,
    Zone,
)
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame, Interpreter
from games.hidden_leaders.rules.scoring import (
    NEAREST,
    heuristic,
    win_estimates,
    winner,
    winning_faction,
)
from games.hidden_leaders.rules.table import (
    AT,
    END,
    FRAME,
    FRAMES,
    LEADERS,
    LENGTH,
    SIZE,
    TAVERN_AT,
)
from games.state import CHANCE, EVERYBODY, MOST_MOVES, NOBODY, UNSEEN, Rng, State

UNDEALT = -1


def reads_pile(step: Step) -> bool:
    """Whether the order of the wilderness matters to the step."""
    if step.verb == "draw":
        return step.place == "wilderness"
    return step.verb in ("show wilderness top", "draw from either pile")


NO_CARDS: Final = bytes(len(HEROES))


def keeps_near(step: Step) -> bool:
    """Whether the step concerns nothing but markers, parties and the own hand."""
    if step.verb not in NEAR_VERBS or step.times not in (Times.ONCE, Times.THEIR_OPEN):
        return False
    for cards in (step.cards, step.second):
        if cards is None or cards.where in (Where.OPEN, Where.HIDDEN, Where.EITHER):
            continue
        if cards.where != Where.HAND or cards.of != ME or step.by != ME:
            return False
    return True


NEAR_VERBS: Final = (
    "markers",
    "bury",
    "discard",
    "exchange",
    "expose",
    "look",
    "move elsewhere",
    "name faction",
    "pick player",
    "place hidden",
    "play another",
    "take",
    "turn over",
    "turn up or look",
)
KEEPS_NEAR: Final = vec[bool]([all(keeps_near(step) for step in hero.steps) for hero in HEROES])
"""For each hero, whether harbor, piles, tavern and other hands mean nothing to it."""
READS_PILE: Final = vec[bool]([any(reads_pile(step) for step in hero.steps) for hero in HEROES])
"""For each hero, whether it looks at the wilderness from its top."""


class HiddenLeaders(Interpreter):
    """The whole truth of one game of Hidden Leaders. Make one with `new_game`."""

    def __init__(self, players: i64, m: vec[i64], room: i64) -> None:
        super().__init__(players, m, room)
        self.move_limit = Move.COUNT
        self.roles = LEADER_COUNT
        self.threshold: i64 = 0
        self.turn_limit: i64 = 0
        self.first: i64 = NOBODY
        """Who begins; NOBODY until luck has decided."""
        self.faction: i64 = 0
        """The winning faction; 0 while the game runs and at the turn limit."""
        self.winner: i64 = NOBODY

    # ---- the contract ---------------------------------------------------------------------

    def moves(self) -> list[int]:
        if self.actor == NOBODY:
            return []
        if self.actor != CHANCE:
            return super().moves()
        if self.chance == ChanceFrom.LEADERS:
            return [
                Move.LEADER + leader for leader in range(LEADER_COUNT) if not self.dealt(leader)
            ]
        if self.chance == ChanceFrom.PLAYERS:
            return [Move.PLAYER + seat for seat in range(self.players)]
        return sorted(self.cards(self.chance_zone()))

    def play(self, move: i64) -> None:
        f = self.frame
        row = self.m[f + Frame.ROW]
        op = PROGRAM[row]
        if self.actor == CHANCE:
            if self.chance <= ChanceFrom.LEADERS - 1:
                self.happen(op, row, f, self.find(self.chance_zone(), move))
            else:
                self.happen(op, row, f, move)
            return
        if self.recording:
            self.tell_choice(op, row, move)
        if op <= Op.LAST_OF_TURN:
            again = self.turn_decision(op, move)
        else:
            again = not self.decide(op, row, f, move)
        if not again:
            self.m[f + Frame.ROW] = row + ROW
        self.run()

    def sample_chance(self, rng: Rng) -> i64:
        f = self.frame
        row = self.m[f + Frame.ROW]
        if self.chance >= ChanceFrom.LEADERS:
            outcomes = self.moves()
            outcome: i64 = outcomes[rng.below(len(outcomes))]
            self.happen(PROGRAM[row], row, f, outcome)
            return outcome
        zone = self.chance_zone()
        at = rng.below(self.m[LENGTH + zone])
        card = self.m[AT[zone] + at]
        self.happen(PROGRAM[row], row, f, at)
        return card

    def copy(self) -> HiddenLeaders:
        twin = HiddenLeaders(self.players, self.m[:], 0)
        twin.legal = self.legal[:]
        self.put_into(twin)
        return twin

    def copy_into(self, spare: State | None) -> HiddenLeaders:
        """Only what is in use is copied into the spare one: far less than a table has room for."""
        if not isinstance(spare, HiddenLeaders) or spare.players != self.players:
            return self.copy()
        m, into = self.m, spare.m
        for i in range(self.frame + FRAME):
            into[i] = m[i]
        for zone in range(i64(Zone.COUNT)):
            many: i64 = TAVERN_SLOTS if zone == Zone.TAVERN else m[LENGTH + zone]
            for i in range(AT[zone], AT[zone] + many):
                into[i] = m[i]
        for i in range(self.count):
            spare.legal[i] = self.legal[i]
        self.put_into(spare)
        return spare

    def put_into(self, twin: HiddenLeaders) -> None:
        """Everything but the vectors."""
        twin.actor = self.actor
        twin.count = self.count
        twin.red = self.red
        twin.green = self.green
        twin.player = self.player
        twin.frame = self.frame
        twin.chance = self.chance
        twin.turns = self.turns
        twin.threshold = self.threshold
        twin.turn_limit = self.turn_limit
        twin.first = self.first
        twin.faction = self.faction
        twin.winner = self.winner

    def observed_move(self, move: i64) -> i64:
        row = self.m[self.frame + Frame.ROW]
        return Move.CONCEALED if self.secret(PROGRAM[row], row, move) else move

    def rollout_move(self, rng: Rng) -> i64:
        """Plays what brings the markers nearest to the own factions; spares the own heroes."""
        row = self.m[self.frame + Frame.ROW]
        op = PROGRAM[row]
        count = self.count
        first = rng.below(count)
        if op == Op.ACTION:
            return self.eager_play(rng) if count > 1 else self.legal[0]
        if op == Op.MARK:
            return self.eager_shift(row, self.actor)
        if op == Op.CHOOSE and PROGRAM[row + 1] == Where.OPEN and PROGRAM[row + 5] == Act.BURY:
            for i in range(count):
                move = self.legal[(first + i) % count]
                if self.find(Zone.OPEN + self.actor, move) < 0:
                    return move
        return self.legal[first]

    def eager_play(self, rng: Rng) -> i64:
        """The hand card whose marker part helps most; now and then any."""
        cards = (self.count - 1) >> 1
        choice = self.legal[rng.below(cards)]
        if rng.below(8) == 0:
            return choice
        nearest = self.distance(self.red * 16 + self.green, self.actor)
        for i in range(cards):
            row = START[self.legal[i]]
            if PROGRAM[row] != Op.MARK or PROGRAM[row + 5] != ME or PROGRAM[row + 3] != Times.ONCE:
                continue
            for k in range(PROGRAM[row + 2]):
                outcome = self.shifted(PROGRAM[row + 1] + k, 1)
                if outcome >= 0:
                    steps = self.distance(outcome, self.actor)
                    if steps < nearest:
                        nearest = steps
                        choice = self.legal[i]
        return choice

    def eager_shift(self, row: i64, seat: i64) -> i64:
        """The marker alternative that brings the seat's factions nearest."""
        times = self.times(row, self.frame)
        nearest: i64 = 1000
        choice = self.legal[0]
        for i in range(self.count):
            outcome = self.shifted(PROGRAM[row + 1] + self.legal[i] - Move.MARKER, times)
            steps = self.distance(outcome, seat)
            if steps < nearest:
                nearest = steps
                choice = self.legal[i]
        return choice

    def distance(self, markers: i64, seat: i64) -> i64:
        """Marker steps until one of the seat's factions would win, at least."""
        return NEAREST[self.m[LEADERS + seat] * 256 + markers]

    def heuristic(self, seat: i64) -> float:
        if self.actor == NOBODY:
            return 100.0 if self.winner == seat else -100.0
        return heuristic(self, seat, self.threshold)

    def win_estimates(self) -> vec[float]:
        return win_estimates(self, self.threshold)

    def role(self, seat: i64) -> i64:
        return self.m[LEADERS + seat]

    def assume_role(self, seat: i64, role: i64) -> None:
        self.m[LEADERS + seat] = role

    def wins(self, seat: i64) -> bool:
        return self.winner == seat

    def winners(self) -> tuple[int, ...]:
        return () if self.winner == NOBODY else (self.winner,)

    def key(self) -> bytes:
        numbers: list[int] = [
            self.players,
            self.actor + 2,
            self.player,
            self.red,
            self.green,
            self.chance,
            self.threshold,
            self.first + 1,
            self.faction,
            self.winner + 1,
            self.turns // 256,
            self.turns % 256,
            self.turn_limit // 256,
            self.turn_limit % 256,
        ]
        for seat in range(self.players):
            numbers.append(self.m[LEADERS + seat] + 1)
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
        """Harbor and drawn cards have no order; tavern and wilderness only if somebody can look.

        In the last turn only parties and the own hand count, if no card at hand goes beyond them.
        """
        m = self.m
        near = self.keeps_near(deadline)
        piles = not near and self.has_pile_reader()
        out = BytesWriter()
        out.write(NO_CARDS)
        for seat in range(self.players):
            out.append(u8(m[LEADERS + seat] + 1))
        for zone in range(i64(Zone.COUNT)):
            if near and zone < Zone.OPEN and zone != Zone.HAND + self.player:
                continue
            many: i64 = TAVERN_SLOTS if zone == Zone.TAVERN else m[LENGTH + zone]
            at = AT[zone]
            if in_order(zone, piles):
                out.append(u8(many))
                for i in range(at, at + many):
                    out.append(u8(m[i] + 1))
            else:
                for i in range(at, at + many):
                    if m[i] != EMPTY:
                        out[m[i]] = u8(zone + 1)
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
            write_i32_le(out, i32(m[at]))
        return out.getvalue()

    def keeps_near(self, deadline: i64) -> bool:
        """Whether the last turn begins, and no card of the hand goes beyond parties."""
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
        """Whether a hero is in the game that looks at the wilderness from its top."""
        for zone in range(i64(Zone.COUNT)):
            many: i64 = TAVERN_SLOTS if zone == Zone.TAVERN else self.m[LENGTH + zone]
            for i in range(AT[zone], AT[zone] + many):
                if self.m[i] != EMPTY and READS_PILE[self.m[i]]:
                    return True
        return False

    def settle_turn(self, deadline: i64) -> bool:
        """Once the action is over, drawing and refilling leave parties and markers as they are."""
        if self.frame != FRAMES:
            return False
        op = PROGRAM[self.m[FRAMES + Frame.ROW]]
        if op != Op.MORE and op != Op.DRAW and op != Op.TRIM and op != Op.REFILL:
            return False
        if self.turns + 1 == deadline or self.turns + 1 == self.turn_limit or self.reached():
            self.end_turn(FRAMES)
            return True
        return False

    def reached(self) -> bool:
        """Whether somebody has as many open heroes as end the game."""
        for seat in range(self.players):
            if self.m[LENGTH + Zone.OPEN + seat] >= self.threshold:
                return True
        return False

    # ---- running --------------------------------------------------------------------------

    def run(self) -> None:
        """Carry on until somebody, or luck, must decide, or the game is over."""
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
            elif op == Op.MARK and PROGRAM[row + 2] == 1:
                times = self.times(row, f)
                if times > 0:
                    outcome = self.shifted(PROGRAM[row + 1], times)
                    self.set_markers(outcome >> 4, outcome & 15)
                asks = False
            elif asking(op):
                asks = self.offer(op, row, f)
            else:
                m[f + Frame.ROW] = row + ROW  # before a performed card's frame comes on top
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
                m[f + Frame.ROW] = row + ROW

    def happen(self, op: i64, row: i64, f: i64, what: i64) -> None:
        """Luck has decided: an index in the chance zone, a leader or a player."""
        again = True
        if op > Op.LAST_OF_TURN:
            again = not self.lucky_card(op, row, f, what)
        else:
            self.turn_luck(op, f, what)
        self.chance = ChanceFrom.NOTHING
        if not again:
            self.m[f + Frame.ROW] = row + ROW
        self.run()

    def resume(self) -> None:
        """Work out the legal moves afresh, after cards were laid out with a decision pending."""
        f = self.frame
        row = self.m[f + Frame.ROW]
        op = PROGRAM[row]
        if op <= Op.LAST_OF_TURN:
            self.turn_step(op, f)
        else:
            self.offer(op, row, f)

    # ---- setup and turn: what is asked ----------------------------------------------------

    def turn_step(self, op: i64, f: i64) -> bool:
        """True if a seat must decide; luck is asked by setting `chance`; else the step is over."""
        m = self.m
        me = self.player
        many = m[LENGTH + Zone.HAND + me]
        legal = self.legal
        if op == Op.ACTION:
            self.actor = me
            at = AT[Zone.HAND + me]
            for i in range(many):
                card = m[at + i]
                legal[i] = card
                legal[many + i] = Move.DISCARD + card
            legal[many + many] = Move.PASS
            self.count = many + many + 1
            return True
        if op == Op.MORE:
            if m[f + Frame.COUNT] == 0 or m[f + Frame.COUNT] == MOST_DISCARDS or many == 0:
                return False
            self.offer_discards(me)
            legal[many] = Move.PASS
            self.count = many + 1
            return True
        if op == Op.DRAW:
            return self.offer_draw(many)
        if op == Op.TRIM:
            if many <= HAND_AFTER_DISCARD:
                return False
            self.offer_discards(me)
            return True
        if op == Op.REFILL:
            if m[LENGTH + Zone.TAVERN] < TAVERN_SLOTS and self.harbor_ready():
                self.chance = ChanceFrom.HARBOR
            return False
        if op == Op.TURN_END:
            self.end_turn(f)
            return False
        return self.setup_step(op, f)

    def offer_discards(self, seat: i64) -> None:
        m = self.m
        self.actor = seat
        at = AT[Zone.HAND + seat]
        many = m[LENGTH + Zone.HAND + seat]
        for i in range(many):
            self.legal[i] = Move.DISCARD + m[at + i]
        self.count = many

    def offer_draw(self, many: i64) -> bool:
        """One card at a time, from the tavern or the harbor, until four are in hand (R11, R12)."""
        if many >= HAND_AFTER_DRAW:
            return False
        m = self.m
        k: i64 = 0
        for i in range(TAVERN_AT, TAVERN_AT + TAVERN_SLOTS):
            if m[i] != EMPTY:
                self.legal[k] = m[i]
                k += 1
        if m[LENGTH + Zone.HARBOR] > 0 or m[LENGTH + Zone.WILDERNESS] > 0:
            self.legal[k] = Move.TOP
            k += 1
        self.count = k
        self.actor = self.player
        return k > 0

    def setup_step(self, op: i64, f: i64) -> bool:
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
            if m[f + Frame.COUNT] < DEALT * self.players and self.harbor_ready():
                self.chance = ChanceFrom.HARBOR
            else:
                m[f + Frame.COUNT] = 0
        elif op == Op.HIDE:
            # Twice per player, first player first: hide one card, then discard one (R5).
            if m[f + Frame.COUNT] < 2 * self.players:
                seat = (self.first + m[f + Frame.COUNT] // 2) % self.players
                self.offer_discards(seat)
                if m[f + Frame.COUNT] % 2 == 0:
                    for i in range(self.count):
                        self.legal[i] -= Move.DISCARD
                return self.count > 0
            m[f + Frame.COUNT] = 0
        return False

    # ---- setup and turn: what a decision or luck does -------------------------------------

    def turn_decision(self, op: i64, move: i64) -> bool:
        """Carry out a decision of setup or turn. True if the same step asks again."""
        m = self.m
        f = self.frame
        seat = self.actor
        mine = i64(1) << seat
        if op == Op.DRAW:
            if move == Move.TOP:
                self.harbor_ready()
                self.chance = ChanceFrom.HARBOR
            else:
                self.move(
                    Zone.TAVERN, self.find(Zone.TAVERN, move), Zone.HAND + seat, END, EVERYBODY
                )
            return True
        if op == Op.HIDE:
            m[f + Frame.COUNT] += 1
            if move < Move.DISCARD:
                self.move(
                    Zone.HAND + seat,
                    self.find(Zone.HAND + seat, move),
                    Zone.HIDDEN + seat,
                    END,
                    mine,
                )
                return True
        if move == Move.PASS:
            return False
        if move < Move.DISCARD:
            m[f + Frame.ROW] += ROW  # the turn goes on below the card's frame
            self.play_card(move)
            return True
        self.move(
            Zone.HAND + seat,
            self.find(Zone.HAND + seat, move - Move.DISCARD),
            Zone.WILDERNESS,
            END,
            mine,
        )
        if op == Op.ACTION:
            m[f + Frame.COUNT] = 1
            return False
        if op == Op.MORE:
            m[f + Frame.COUNT] += 1
        return True

    def turn_luck(self, op: i64, f: i64, what: i64) -> None:
        m = self.m
        if op == Op.REFILL:
            for slot in range(i64(TAVERN_SLOTS)):
                if m[TAVERN_AT + slot] == EMPTY:
                    self.move(Zone.HARBOR, what, Zone.TAVERN, slot, EVERYBODY)
                    return
        elif op == Op.DRAW:
            self.move(Zone.HARBOR, what, Zone.HAND + self.player, END, i64(1) << self.player)
        elif op == Op.DEAL:
            seat = (self.first + m[f + Frame.COUNT] // DEALT) % self.players
            self.move(Zone.HARBOR, what, Zone.HAND + seat, END, i64(1) << seat)
            m[f + Frame.COUNT] += 1
        elif op == Op.LEADERS:
            seat = m[f + Frame.COUNT]
            m[LEADERS + seat] = what - Move.LEADER
            m[f + Frame.COUNT] += 1
            if self.recording:
                told = (Event.LEADER, seat, what - Move.LEADER)
                self.tell(i64(1) << seat, told, (Event.LEADER, seat, UNSEEN))
        else:  # OP_FIRST
            self.first = what - Move.PLAYER
            if self.recording:
                self.tell(EVERYBODY, (Event.FIRST, self.first), ())

    def dealt(self, leader: i64) -> bool:
        for seat in range(self.players):
            if self.m[LEADERS + seat] == leader:
                return True
        return False

    # ---- the end --------------------------------------------------------------------------

    def end_turn(self, f: i64) -> None:
        """The end check, once per turn, after everything else (R81); then the next player."""
        m = self.m
        self.turns += 1
        if self.reached():
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
        """Hands are discarded unseen, leaders and hidden heroes are shown (R84)."""
        m = self.m
        self.faction = faction
        self.winner = winner(self, faction) if faction else NOBODY
        for k in range(1, self.players + 1):
            seat = (self.player + k) % self.players
            while m[LENGTH + Zone.HAND + seat] > 0:
                self.move(Zone.HAND + seat, 0, Zone.WILDERNESS, END, i64(1) << seat)
        if self.recording:
            for seat in range(self.players):
                self.tell(EVERYBODY, (Event.LEADER, seat, m[LEADERS + seat]), ())
                for i in range(m[LENGTH + Zone.HIDDEN + seat]):
                    self.show(Zone.HIDDEN + seat, i, EVERYBODY)
            self.tell(EVERYBODY, (Event.OVER, faction, self.winner), ())
        self.actor = NOBODY
        self.count = 0

    # ---- events ---------------------------------------------------------------------------

    def tell_choice(self, op: int, row: int, move: int) -> None:
        """All see open choices; a choice among face-down cards is the chooser's own (R38)."""
        seat = self.actor
        audience: int = i64(1) << seat if self.secret(op, row, move) else EVERYBODY
        self.tell(audience, (Event.CHOSE, seat, move), (Event.CHOSE, seat, UNSEEN))

    def secret(self, op: i64, row: i64, move: i64) -> bool:
        """Whether the move is a choice among face-down cards."""
        if op == Op.EACH or op == Op.HAND_OVER or op == Op.HIDE:
            return True
        if op <= Op.LAST_OF_TURN:
            return move >= Move.DISCARD and move < 2 * Move.DISCARD
        if op != Op.CHOOSE or move >= Move.DISCARD or PROGRAM[row + 5] == Act.PLAY:
            return False
        where = PROGRAM[row + 1]
        return where == Where.HAND or where == Where.DRAWN or where == Where.GRAVEYARD

    def tell_pending(self) -> None:
        pending: list[int] = [Event.PENDING, self.actor, self.player, self.turns]
        for at in range(i64(FRAMES), self.frame + FRAME):
            pending.append(self.m[at])
        self.tell(EVERYBODY, tuple(pending), ())
        self.tell(i64(1) << self.actor, (Event.LEGAL_MOVES, *self.moves()), ())


def asking(op: i64) -> bool:
    """Whether a card's row of this kind asks somebody."""
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


def in_order(zone: i64, piles: bool) -> bool:
    """Whether the order of the cards in a zone may matter."""
    if zone == Zone.WILDERNESS or zone == Zone.TAVERN:
        return piles
    return zone == Zone.GRAVEYARD or zone == Zone.ASIDE or zone >= Zone.HIDDEN


def blank(players: i64) -> HiddenLeaders:
    """A table with nothing on it: what positions and sampled worlds are built on."""
    m = vec[i64]([0] * SIZE)
    for seat in range(players):
        m[LEADERS + seat] = UNDEALT
    for slot in range(i64(TAVERN_SLOTS)):
        m[TAVERN_AT + slot] = EMPTY
    state = HiddenLeaders(players, m, MOST_MOVES)
    state.threshold = THRESHOLDS[players]
    state.turn_limit = ROUND_LIMIT * players
    return state


def new_game(
    players: i64,
    deck: tuple[int, ...] = RETAIL,
    first: i64 = NOBODY,
    threshold: i64 = 0,
    rounds: i64 = ROUND_LIMIT,
    record: bool = False,
) -> HiddenLeaders:
    """A game before anything is dealt; luck comes first.

    `first` fixes who begins (R6), `threshold` 0 means the standard one (R79).
    """
    state = blank(players)
    if threshold:
        state.threshold = threshold
    state.turn_limit = rounds * players
    state.first = first
    for card in deck:
        if card == EMPEROR:
            state.lay(Zone.GRAVEYARD, END, card)
        else:
            state.lay(Zone.HARBOR, END, card)
    if record:
        state.record()
        if first != NOBODY:
            state.tell(EVERYBODY, (Event.FIRST, first), ())
    state.push_frame(SETUP_START, -1, 1)
    state.run()
    return state
