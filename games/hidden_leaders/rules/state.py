"""Hidden Leaders as a State: setup, the four steps of a turn, the end, copies and keys."""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, write_i32_le
from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from games.hidden_leaders.rules.bytecode import (
    LAST_TURN_OP,
    OP_ACTION,
    OP_CHOOSE,
    OP_DEAL,
    OP_DRAW,
    OP_EACH,
    OP_END,
    OP_FACTION,
    OP_FIRST,
    OP_HAND_OVER,
    OP_HIDE,
    OP_LEADERS,
    OP_MANNER,
    OP_MARK,
    OP_MORE,
    OP_PILE,
    OP_PLAYER,
    OP_RECEIVER,
    OP_REFILL,
    OP_TRIM,
    OP_TURN_END,
    PROGRAM,
    ROW,
    SETUP_START,
    START,
    TURN_START,
    V_BURY,
    V_PLAY,
)
from games.hidden_leaders.rules.card_language import (
    IN_DRAWN,
    IN_EITHER,
    IN_GRAVEYARD,
    IN_HAND,
    IN_HIDDEN,
    IN_OPEN,
    ME,
    ONCE,
    THEIR_OPEN,
    Step,
)
from games.hidden_leaders.rules.cards import EMPEROR, HEROES, RETAIL
from games.hidden_leaders.rules.constants import (
    ASIDE,
    CONCEALED,
    DEALT,
    DISCARD,
    DRAWN,
    E_CHOSE,
    E_FIRST,
    E_LEADER,
    E_MOVES,
    E_OVER,
    E_PENDING,
    EMPTY,
    GRAVEYARD,
    HAND,
    HAND_AFTER_DISCARD,
    HAND_AFTER_DRAW,
    HARBOR,
    HIDDEN,
    LEADER,
    LEADER_COUNT,
    MARKER,
    MOST_DISCARDS,
    MOVE_COUNT,
    OPEN,
    PASS,
    PLAYER,
    ROUND_LIMIT,
    TAVERN,
    TAVERN_SLOTS,
    THRESHOLDS,
    TOP,
    WILDERNESS,
    ZONES,
)
from games.hidden_leaders.rules.interpreter import (
    F_COUNT,
    F_ROW,
    FROM_HARBOR,
    FROM_LEADERS,
    FROM_PLAYERS,
    NO_CHANCE,
    Interpreter,
)
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
    if step.verb not in NEAR_VERBS or step.times not in (ONCE, THEIR_OPEN):
        return False
    for cards in (step.cards, step.second):
        if cards is None or cards.where in (IN_OPEN, IN_HIDDEN, IN_EITHER):
            continue
        if cards.where != IN_HAND or cards.of != ME or step.by != ME:
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
        self.move_limit = MOVE_COUNT
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
        if self.chance == FROM_LEADERS:
            return [LEADER + leader for leader in range(LEADER_COUNT) if not self.dealt(leader)]
        if self.chance == FROM_PLAYERS:
            return [PLAYER + seat for seat in range(self.players)]
        return sorted(self.cards(self.chance_zone()))

    def play(self, move: i64) -> None:
        f = self.frame
        row = self.m[f + F_ROW]
        op = PROGRAM[row]
        if self.actor == CHANCE:
            if self.chance <= FROM_LEADERS - 1:
                self.happen(op, row, f, self.find(self.chance_zone(), move))
            else:
                self.happen(op, row, f, move)
            return
        if self.recording:
            self.tell_choice(op, row, move)
        if op <= LAST_TURN_OP:
            again = self.turn_decision(op, move)
        else:
            again = not self.decide(op, row, f, move)
        if not again:
            self.m[f + F_ROW] = row + ROW
        self.run()

    def sample_chance(self, rng: Rng) -> i64:
        f = self.frame
        row = self.m[f + F_ROW]
        if self.chance >= FROM_LEADERS:
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
        for zone in range(i64(ZONES)):
            many: i64 = TAVERN_SLOTS if zone == TAVERN else m[LENGTH + zone]
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
        row = self.m[self.frame + F_ROW]
        return CONCEALED if self.secret(PROGRAM[row], row, move) else move

    def rollout_move(self, rng: Rng) -> i64:
        """Plays what brings the markers nearest to the own factions; spares the own heroes."""
        row = self.m[self.frame + F_ROW]
        op = PROGRAM[row]
        count = self.count
        first = rng.below(count)
        if op == OP_ACTION:
            return self.eager_play(rng) if count > 1 else self.legal[0]
        if op == OP_MARK:
            return self.eager_shift(row, self.actor)
        if op == OP_CHOOSE and PROGRAM[row + 1] == IN_OPEN and PROGRAM[row + 5] == V_BURY:
            for i in range(count):
                move = self.legal[(first + i) % count]
                if self.find(OPEN + self.actor, move) < 0:
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
            if PROGRAM[row] != OP_MARK or PROGRAM[row + 5] != ME or PROGRAM[row + 3] != ONCE:
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
            outcome = self.shifted(PROGRAM[row + 1] + self.legal[i] - MARKER, times)
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
        for zone in range(i64(ZONES)):
            cards = self.cards(zone)
            if zone == HARBOR or zone == DRAWN:
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
        for zone in range(i64(ZONES)):
            if near and zone < OPEN and zone != HAND + self.player:
                continue
            many: i64 = TAVERN_SLOTS if zone == TAVERN else m[LENGTH + zone]
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
        if self.frame != FRAMES or PROGRAM[m[FRAMES + F_ROW]] != OP_ACTION:
            return False
        at = AT[HAND + self.player]
        for i in range(at, at + m[LENGTH + HAND + self.player]):
            if not KEEPS_NEAR[m[i]]:
                return False
        return True

    def has_pile_reader(self) -> bool:
        """Whether a hero is in the game that looks at the wilderness from its top."""
        for zone in range(i64(ZONES)):
            many: i64 = TAVERN_SLOTS if zone == TAVERN else self.m[LENGTH + zone]
            for i in range(AT[zone], AT[zone] + many):
                if self.m[i] != EMPTY and READS_PILE[self.m[i]]:
                    return True
        return False

    def settle_turn(self, deadline: i64) -> bool:
        """Once the action is over, drawing and refilling leave parties and markers as they are."""
        if self.frame != FRAMES:
            return False
        op = PROGRAM[self.m[FRAMES + F_ROW]]
        if op != OP_MORE and op != OP_DRAW and op != OP_TRIM and op != OP_REFILL:
            return False
        if self.turns + 1 == deadline or self.turns + 1 == self.turn_limit or self.reached():
            self.end_turn(FRAMES)
            return True
        return False

    def reached(self) -> bool:
        """Whether somebody has as many open heroes as end the game."""
        for seat in range(self.players):
            if self.m[LENGTH + OPEN + seat] >= self.threshold:
                return True
        return False

    # ---- running --------------------------------------------------------------------------

    def run(self) -> None:
        """Carry on until somebody, or luck, must decide, or the game is over."""
        m = self.m
        while True:
            f = self.frame
            row = m[f + F_ROW]
            op = PROGRAM[row]
            if op == OP_END:
                self.frame = f - FRAME
                continue
            if op <= LAST_TURN_OP:
                asks = self.turn_step(op, f)
                if self.actor == NOBODY:
                    return
                if self.chance != NO_CHANCE:
                    self.actor = CHANCE
                    return
            elif op == OP_MARK and PROGRAM[row + 2] == 1:
                times = self.times(row, f)
                if times > 0:
                    outcome = self.shifted(PROGRAM[row + 1], times)
                    self.set_markers(outcome >> 4, outcome & 15)
                asks = False
            elif asking(op):
                asks = self.offer(op, row, f)
            else:
                m[f + F_ROW] = row + ROW  # before a performed card's frame comes on top
                if not self.carry_out(op, row, f):
                    m[f + F_ROW] = row
                    self.actor = CHANCE
                    return
                continue
            if asks:
                if self.recording:
                    self.tell_pending()
                return
            if op != OP_TURN_END:
                m[f + F_ROW] = row + ROW

    def happen(self, op: i64, row: i64, f: i64, what: i64) -> None:
        """Luck has decided: an index in the chance zone, a leader or a player."""
        again = True
        if op > LAST_TURN_OP:
            again = not self.lucky_card(op, row, f, what)
        else:
            self.turn_luck(op, f, what)
        self.chance = NO_CHANCE
        if not again:
            self.m[f + F_ROW] = row + ROW
        self.run()

    def resume(self) -> None:
        """Work out the legal moves afresh, after cards were laid out with a decision pending."""
        f = self.frame
        row = self.m[f + F_ROW]
        op = PROGRAM[row]
        if op <= LAST_TURN_OP:
            self.turn_step(op, f)
        else:
            self.offer(op, row, f)

    # ---- setup and turn: what is asked ----------------------------------------------------

    def turn_step(self, op: i64, f: i64) -> bool:
        """True if a seat must decide; luck is asked by setting `chance`; else the step is over."""
        m = self.m
        me = self.player
        many = m[LENGTH + HAND + me]
        legal = self.legal
        if op == OP_ACTION:
            self.actor = me
            at = AT[HAND + me]
            for i in range(many):
                card = m[at + i]
                legal[i] = card
                legal[many + i] = DISCARD + card
            legal[many + many] = PASS
            self.count = many + many + 1
            return True
        if op == OP_MORE:
            if m[f + F_COUNT] == 0 or m[f + F_COUNT] == MOST_DISCARDS or many == 0:
                return False
            self.offer_discards(me)
            legal[many] = PASS
            self.count = many + 1
            return True
        if op == OP_DRAW:
            return self.offer_draw(many)
        if op == OP_TRIM:
            if many <= HAND_AFTER_DISCARD:
                return False
            self.offer_discards(me)
            return True
        if op == OP_REFILL:
            if m[LENGTH + TAVERN] < TAVERN_SLOTS and self.harbor_ready():
                self.chance = FROM_HARBOR
            return False
        if op == OP_TURN_END:
            self.end_turn(f)
            return False
        return self.setup_step(op, f)

    def offer_discards(self, seat: i64) -> None:
        m = self.m
        self.actor = seat
        at = AT[HAND + seat]
        many = m[LENGTH + HAND + seat]
        for i in range(many):
            self.legal[i] = DISCARD + m[at + i]
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
        if m[LENGTH + HARBOR] > 0 or m[LENGTH + WILDERNESS] > 0:
            self.legal[k] = TOP
            k += 1
        self.count = k
        self.actor = self.player
        return k > 0

    def setup_step(self, op: i64, f: i64) -> bool:
        m = self.m
        if op == OP_LEADERS:
            if m[f + F_COUNT] < self.players:
                self.chance = FROM_LEADERS
        elif op == OP_FIRST:
            if self.first == NOBODY:
                self.chance = FROM_PLAYERS
            else:
                self.player = self.first
            m[f + F_COUNT] = 0
        elif op == OP_DEAL:
            if m[f + F_COUNT] < DEALT * self.players and self.harbor_ready():
                self.chance = FROM_HARBOR
            else:
                m[f + F_COUNT] = 0
        elif op == OP_HIDE:
            # Twice per player, first player first: hide one card, then discard one (R5).
            if m[f + F_COUNT] < 2 * self.players:
                seat = (self.first + m[f + F_COUNT] // 2) % self.players
                self.offer_discards(seat)
                if m[f + F_COUNT] % 2 == 0:
                    for i in range(self.count):
                        self.legal[i] -= DISCARD
                return self.count > 0
            m[f + F_COUNT] = 0
        return False

    # ---- setup and turn: what a decision or luck does -------------------------------------

    def turn_decision(self, op: i64, move: i64) -> bool:
        """Carry out a decision of setup or turn. True if the same step asks again."""
        m = self.m
        f = self.frame
        seat = self.actor
        mine = i64(1) << seat
        if op == OP_DRAW:
            if move == TOP:
                self.harbor_ready()
                self.chance = FROM_HARBOR
            else:
                self.move(TAVERN, self.find(TAVERN, move), HAND + seat, END, EVERYBODY)
            return True
        if op == OP_HIDE:
            m[f + F_COUNT] += 1
            if move < DISCARD:
                self.move(HAND + seat, self.find(HAND + seat, move), HIDDEN + seat, END, mine)
                return True
        if move == PASS:
            return False
        if move < DISCARD:
            m[f + F_ROW] += ROW  # the turn goes on below the card's frame
            self.play_card(move)
            return True
        self.move(HAND + seat, self.find(HAND + seat, move - DISCARD), WILDERNESS, END, mine)
        if op == OP_ACTION:
            m[f + F_COUNT] = 1
            return False
        if op == OP_MORE:
            m[f + F_COUNT] += 1
        return True

    def turn_luck(self, op: i64, f: i64, what: i64) -> None:
        m = self.m
        if op == OP_REFILL:
            for slot in range(i64(TAVERN_SLOTS)):
                if m[TAVERN_AT + slot] == EMPTY:
                    self.move(HARBOR, what, TAVERN, slot, EVERYBODY)
                    return
        elif op == OP_DRAW:
            self.move(HARBOR, what, HAND + self.player, END, i64(1) << self.player)
        elif op == OP_DEAL:
            seat = (self.first + m[f + F_COUNT] // DEALT) % self.players
            self.move(HARBOR, what, HAND + seat, END, i64(1) << seat)
            m[f + F_COUNT] += 1
        elif op == OP_LEADERS:
            seat = m[f + F_COUNT]
            m[LEADERS + seat] = what - LEADER
            m[f + F_COUNT] += 1
            if self.recording:
                told = (E_LEADER, seat, what - LEADER)
                self.tell(i64(1) << seat, told, (E_LEADER, seat, UNSEEN))
        else:  # OP_FIRST
            self.first = what - PLAYER
            if self.recording:
                self.tell(EVERYBODY, (E_FIRST, self.first), ())

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
        m[f + F_ROW] = TURN_START
        m[f + F_COUNT] = 0

    def finish(self, faction: i64) -> None:
        """Hands are discarded unseen, leaders and hidden heroes are shown (R84)."""
        m = self.m
        self.faction = faction
        self.winner = winner(self, faction) if faction else NOBODY
        for k in range(1, self.players + 1):
            seat = (self.player + k) % self.players
            while m[LENGTH + HAND + seat] > 0:
                self.move(HAND + seat, 0, WILDERNESS, END, i64(1) << seat)
        if self.recording:
            for seat in range(self.players):
                self.tell(EVERYBODY, (E_LEADER, seat, m[LEADERS + seat]), ())
                for i in range(m[LENGTH + HIDDEN + seat]):
                    self.show(HIDDEN + seat, i, EVERYBODY)
            self.tell(EVERYBODY, (E_OVER, faction, self.winner), ())
        self.actor = NOBODY
        self.count = 0

    # ---- events ---------------------------------------------------------------------------

    def tell_choice(self, op: int, row: int, move: int) -> None:
        """All see open choices; a choice among face-down cards is the chooser's own (R38)."""
        seat = self.actor
        audience: int = i64(1) << seat if self.secret(op, row, move) else EVERYBODY
        self.tell(audience, (E_CHOSE, seat, move), (E_CHOSE, seat, UNSEEN))

    def secret(self, op: i64, row: i64, move: i64) -> bool:
        """Whether the move is a choice among face-down cards."""
        if op == OP_EACH or op == OP_HAND_OVER or op == OP_HIDE:
            return True
        if op <= LAST_TURN_OP:
            return move >= DISCARD and move < 2 * DISCARD
        if op != OP_CHOOSE or move >= DISCARD or PROGRAM[row + 5] == V_PLAY:
            return False
        where = PROGRAM[row + 1]
        return where == IN_HAND or where == IN_DRAWN or where == IN_GRAVEYARD

    def tell_pending(self) -> None:
        pending: list[int] = [E_PENDING, self.actor, self.player, self.turns]
        for at in range(i64(FRAMES), self.frame + FRAME):
            pending.append(self.m[at])
        self.tell(EVERYBODY, tuple(pending), ())
        self.tell(i64(1) << self.actor, (E_MOVES, *self.moves()), ())


def asking(op: i64) -> bool:
    """Whether a card's row of this kind asks somebody."""
    return (
        op == OP_MARK
        or op == OP_CHOOSE
        or op == OP_PLAYER
        or op == OP_FACTION
        or op == OP_EACH
        or op == OP_PILE
        or op == OP_MANNER
        or op == OP_RECEIVER
        or op == OP_HAND_OVER
    )


def in_order(zone: i64, piles: bool) -> bool:
    """Whether the order of the cards in a zone may matter."""
    if zone == WILDERNESS or zone == TAVERN:
        return piles
    return zone == GRAVEYARD or zone == ASIDE or zone >= HIDDEN


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
            state.lay(GRAVEYARD, END, card)
        else:
            state.lay(HARBOR, END, card)
    if record:
        state.record()
        if first != NOBODY:
            state.tell(EVERYBODY, (E_FIRST, first), ())
    state.push_frame(SETUP_START, -1, 1)
    state.run()
    return state
