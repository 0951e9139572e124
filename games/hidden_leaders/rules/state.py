"""Hidden Leaders as a State: the contract, what searches need, keys for solvers."""

from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, write_i32_le
from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from games.hidden_leaders.rules.bytecode import PROGRAM, SETUP_START, START
from games.hidden_leaders.rules.card_language import ME, Times, Where
from games.hidden_leaders.rules.cards import EMPEROR, HEROES, RETAIL
from games.hidden_leaders.rules.constants import EMPTY, THRESHOLDS, Event, Limit, Move, Reads, Zone
from games.hidden_leaders.rules.features import fill_features
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.move_features import move_features
from games.hidden_leaders.rules.opcodes import Act, MarkRow, Op, Row
from games.hidden_leaders.rules.patterns import fill_patterns
from games.hidden_leaders.rules.reach import KEEPS_NEAR, READS, READS_PILE
from games.hidden_leaders.rules.scoring import NEAREST, heuristic, win_estimates
from games.hidden_leaders.rules.table import AT, FRAME, FRAMES, LAST, LEADERS_AT, LENGTH, SIZE
from games.hidden_leaders.rules.turn import TurnRunner
from games.state import (
    ALL_PARTS,
    CHANCE,
    EVERYBODY,
    MOST_MOVES,
    NOBODY,
    Rng,
    State,
)

_KEPT: Final = (1 << Zone.ASIDE) | (1 << Zone.DRAWN)
_ALL_HANDS: Final = 63 << Zone.HAND
_FEW: Final = 2
"""With so few cards in the harbor, a single move may reshuffle the wilderness."""

_NO_CARDS: Final = bytes(len(HEROES))
"""A zone number for each hero, where the order within a zone does not matter."""


class HiddenLeaders(TurnRunner):
    """The complete state of one game of Hidden Leaders. Make one with `new_game`."""

    # ---- the rules ------------------------------------------------------------------------

    def moves(self) -> list[int]:
        if self.actor == NOBODY:
            return []
        if self.actor != CHANCE:
            return super().moves()
        if self.chance == ChanceFrom.LEADERS:
            return [
                Move.LEADER + leader for leader in range(Limit.LEADERS) if not self.is_dealt(leader)
            ]
        if self.chance == ChanceFrom.PLAYERS:
            return [Move.PLAYER + seat for seat in range(self.players)]
        return sorted(self.cards(self.chance_zone()))

    def play(self, move: i64) -> None:
        f = self.frame
        row = self.m[f + Frame.ROW]
        op = PROGRAM[row]
        if self.actor == CHANCE:
            if self.chance < ChanceFrom.LEADERS:
                self.resolve_chance(op, row, f, self.find(self.chance_zone(), move))
            else:
                self.resolve_chance(op, row, f, move)
            return
        if self.recording:
            self.tell_choice(op, row, move)
        if op <= Op.LAST_OF_TURN:
            again = self.turn_decision(op, move)
        else:
            again = not self.decide(op, row, f, move)
        if not again:
            self.m[f + Frame.ROW] = row + Row.SIZE
        self.run()

    def sample_chance(self, rng: Rng) -> i64:
        f = self.frame
        row = self.m[f + Frame.ROW]
        if self.chance >= ChanceFrom.LEADERS:
            outcomes = self.moves()
            outcome: i64 = outcomes[rng.below(len(outcomes))]
            self.resolve_chance(PROGRAM[row], row, f, outcome)
            return outcome
        zone = self.chance_zone()
        at = rng.below(self.m[LENGTH + zone])
        card = self.m[AT[zone] + at]
        self.resolve_chance(PROGRAM[row], row, f, at)
        return card

    def wins(self, seat: i64) -> bool:
        return self.winner == seat

    def winners(self) -> tuple[int, ...]:
        return () if self.winner == NOBODY else (self.winner,)

    def role(self, seat: i64) -> i64:
        return self.m[LEADERS_AT + seat]

    def assume_role(self, seat: i64, role: i64) -> None:
        self.m[LEADERS_AT + seat] = role

    def observed_move(self, move: i64) -> i64:
        row = self.m[self.frame + Frame.ROW]
        return Move.CONCEALED if self.is_secret(PROGRAM[row], row, move) else move

    # ---- copies ---------------------------------------------------------------------------

    def copy(self) -> HiddenLeaders:
        other = HiddenLeaders(self.players, self.m[:], 0)
        other.legal = self.legal[:]
        self.copy_numbers(other)
        return other

    def copy_into(self, spare: State | None) -> HiddenLeaders:
        """Copies only what is in use, far less than a table has room for."""
        if not isinstance(spare, HiddenLeaders) or spare.players != self.players:
            return self.copy()
        m, into = self.m, spare.m
        for i in range(self.frame + FRAME):
            into[i] = m[i]
        for zone in range(i64(Zone.COUNT)):
            size: i64 = Limit.TAVERN if zone == Zone.TAVERN else m[LENGTH + zone]
            for i in range(AT[zone], AT[zone] + size):
                into[i] = m[i]
        for i in range(self.count):
            spare.legal[i] = self.legal[i]
        self.copy_numbers(spare)
        return spare

    def copy_numbers(self, other: HiddenLeaders) -> None:
        """Copy everything but the vectors."""
        other.actor = self.actor
        other.count = self.count
        other.red = self.red
        other.green = self.green
        other.player = self.player
        other.frame = self.frame
        other.chance = self.chance
        other.turns = self.turns
        other.threshold = self.threshold
        other.turn_limit = self.turn_limit
        other.first = self.first
        other.faction = self.faction
        other.winner = self.winner

    # ---- for search -----------------------------------------------------------------------

    def rollout_move(self, rng: Rng) -> i64:
        """Prefers what moves the markers towards its factions, and buries others' heroes."""
        row = self.m[self.frame + Frame.ROW]
        op = PROGRAM[row]
        count = self.count
        first = rng.below(count)
        if op == Op.ACTION:
            return self.rollout_card(rng) if count > 1 else self.legal[0]
        if op == Op.MARK:
            return self.rollout_shift(row, self.actor)
        if (
            op == Op.CHOOSE
            and PROGRAM[row + Row.WHERE] == Where.OPEN
            and PROGRAM[row + Row.ACT] == Act.BURY
        ):
            for i in range(count):
                move = self.legal[(first + i) % count]
                if self.find(Zone.OPEN + self.actor, move) < 0:
                    return move
        return self.legal[first]

    def rollout_card(self, rng: Rng) -> i64:
        """The hand card whose marker part helps most; one time in eight any card."""
        cards = (self.count - 1) >> 1
        choice = self.legal[rng.below(cards)]
        if rng.below(8) == 0:
            return choice
        nearest = self.marker_distance(self.red * 16 + self.green, self.actor)
        for i in range(cards):
            row = START[self.legal[i]]
            if (
                PROGRAM[row] != Op.MARK
                or PROGRAM[row + MarkRow.BY] != ME
                or PROGRAM[row + MarkRow.TIMES] != Times.ONCE
            ):
                continue
            for k in range(PROGRAM[row + MarkRow.ALTERNATIVES]):
                outcome = self.shifted(PROGRAM[row + MarkRow.FIRST] + k, 1)
                if outcome >= 0:
                    steps = self.marker_distance(outcome, self.actor)
                    if steps < nearest:
                        nearest = steps
                        choice = self.legal[i]
        return choice

    def rollout_shift(self, row: i64, seat: i64) -> i64:
        """The marker alternative that brings the seat's factions nearest to a win."""
        times = self.times(row, self.frame)
        nearest: i64 = 1000
        choice = self.legal[0]
        for i in range(self.count):
            outcome = self.shifted(
                PROGRAM[row + MarkRow.FIRST] + self.legal[i] - Move.MARKER, times
            )
            steps = self.marker_distance(outcome, seat)
            if steps < nearest:
                nearest = steps
                choice = self.legal[i]
        return choice

    def marker_distance(self, markers: i64, seat: i64) -> i64:
        """Fewest marker steps until one of the seat's factions would win."""
        return NEAREST[self.m[LEADERS_AT + seat] * 256 + markers]

    def heuristic(self, seat: i64) -> float:
        if self.actor == NOBODY:
            return 100.0 if self.winner == seat else -100.0
        return heuristic(self, seat, self.threshold)

    def win_estimates(self) -> vec[float]:
        return win_estimates(self, self.threshold)

    def fill_features(self, out: vec[float]) -> None:
        fill_features(self, out)

    def fill_patterns(self, out: vec[i64]) -> None:
        fill_patterns(self, out)

    def move_features(self, move: i64, role: i64, out: vec[i64]) -> i64:
        return move_features(self, move, role, out)

    # ---- for solvers ----------------------------------------------------------------------

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
            return self.table_key(i64(1) << (Zone.HAND + self.player), False)
        return self.table_key(ALL_PARTS, self.has_pile_reader())

    def part_key(self, parts: i64, deadline: i64 = -1) -> bytes:
        """Parties, cards set aside and cards drawn belong to every key."""
        if parts == ALL_PARTS:
            return self.equivalence_key(deadline)
        reads_wilderness = parts & Reads.WILDERNESS != 0
        return self.table_key(parts | _KEPT, reads_wilderness and self.has_pile_reader())

    def table_key(self, parts: i64, ordered_piles: bool) -> bytes:
        """The zones of these bits, and all parties."""
        m = self.m
        out = BytesWriter()
        out.write(_NO_CARDS)
        for seat in range(self.players):
            out.append(u8(m[LEADERS_AT + seat] + 1))
        for zone in range(i64(Zone.COUNT)):
            if zone < Zone.OPEN and not parts & (i64(1) << zone):
                continue
            size: i64 = Limit.TAVERN if zone == Zone.TAVERN else m[LENGTH + zone]
            at = AT[zone]
            if in_order(zone, ordered_piles):
                out.append(u8(size))
                for i in range(at, at + size):
                    out.append(u8(m[i] + 1))
            else:
                for i in range(at, at + size):
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
            size: i64 = Limit.TAVERN if zone == Zone.TAVERN else self.m[LENGTH + zone]
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

    # ---- what proofs read -----------------------------------------------------------------

    def reads(self, move: i64) -> i64:
        """The bits of the zones before the parties, which belong to every proof."""
        if self.frame != FRAMES:
            reads: i64 = 0
            for at in range(i64(FRAMES + FRAME), self.frame + FRAME, FRAME):
                reads |= READS[self.m[at + Frame.CARD]]
            return self.zones_read(reads)
        op = PROGRAM[self.m[FRAMES + Frame.ROW]]
        hand = i64(1) << (Zone.HAND + self.player)
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
        own = i64(1) << (Zone.HAND + self.player)
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
        return piles | (i64(1) << (Zone.HAND + self.player))

    def skip_cleanup(self) -> None:
        self.chance = ChanceFrom.NOTHING
        self.end_turn(FRAMES)
        self.run()


def in_order(zone: i64, ordered_piles: bool) -> bool:
    """Whether the order of the zone's cards belongs in an equivalence key."""
    if zone == Zone.WILDERNESS or zone == Zone.TAVERN:
        return ordered_piles
    return zone == Zone.GRAVEYARD or zone == Zone.ASIDE or zone >= Zone.HIDDEN


def blank(players: i64) -> HiddenLeaders:
    """An empty table, on which positions and sampled worlds are built."""
    m = vec[i64]([0] * SIZE)
    for seat in range(players):
        m[LEADERS_AT + seat] = -1
    for slot in range(i64(Limit.TAVERN)):
        m[AT[Zone.TAVERN] + slot] = EMPTY
    state = HiddenLeaders(players, m, MOST_MOVES)
    state.threshold = THRESHOLDS[players]
    state.turn_limit = Limit.ROUNDS * players
    return state


def new_game(
    players: i64,
    deck: tuple[int, ...] = RETAIL,
    first: i64 = NOBODY,
    threshold: i64 = 0,
    rounds: i64 = Limit.ROUNDS,
    record: bool = False,
) -> HiddenLeaders:
    """A game before anything is dealt; its first node is a chance node.

    `first` fixes who begins (R6); `threshold` 0 means the standard one (R79).
    """
    state = blank(players)
    if threshold:
        state.threshold = threshold
    state.turn_limit = rounds * players
    state.first = first
    for card in deck:
        if card == EMPEROR:
            state.lay(Zone.GRAVEYARD, LAST, card)
        else:
            state.lay(Zone.HARBOR, LAST, card)
    if record:
        state.record()
        if first != NOBODY:
            state.tell(EVERYBODY, (Event.FIRST, first), ())
    state.push_frame(SETUP_START, -1, 1)
    state.run()
    return state
