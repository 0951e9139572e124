"""Hidden Leaders as a State: the contract, and what searches need."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from games.hidden_leaders.rules.bytecode import PROGRAM, SETUP_START, START
from games.hidden_leaders.rules.card_language import ME, Times, Where
from games.hidden_leaders.rules.cards import EMPEROR, RETAIL
from games.hidden_leaders.rules.constants import THRESHOLDS, Event, Limit, Move, Zone
from games.hidden_leaders.rules.features import fill_features
from games.hidden_leaders.rules.interpreter import ChanceFrom, Frame
from games.hidden_leaders.rules.late_keys import LateTable
from games.hidden_leaders.rules.move_features import move_features, score_moves
from games.hidden_leaders.rules.observation import fill_observation, start_notes
from games.hidden_leaders.rules.opcodes import Act, MarkRow, Op, Row
from games.hidden_leaders.rules.patterns import fill_patterns
from games.hidden_leaders.rules.scoring import NEAREST, heuristic, win_estimates
from games.hidden_leaders.rules.table import AT, BARE_TABLE, FRAME, LAST, LEADERS_AT, LENGTH
from games.state import CHANCE, EVERYBODY, MOST_MOVES, NOBODY, Rng, State


class HiddenLeaders(LateTable):
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
        if self.is_secret(PROGRAM[row], row, move):
            return Move.CONCEALED
        return move

    # ---- copies ---------------------------------------------------------------------------

    def copy(self) -> HiddenLeaders:
        other = HiddenLeaders(self.players, self.m[:], 0)
        other.legal = self.legal[:]
        self.copy_numbers(other)
        if self.noting:
            self.copy_notes(other)
        return other

    def copy_into(self, spare: State | None) -> HiddenLeaders:
        """Copies only what is in use, far less than a table has room for."""
        if not isinstance(spare, HiddenLeaders) or spare.players != self.players:
            return self.copy()
        m, into = self.m, spare.m
        for i in range(self.frame + FRAME):
            into[i] = m[i]
        for zone in range(i64(Zone.COUNT)):
            size = m[LENGTH + zone]
            if zone == Zone.TAVERN:
                size = Limit.TAVERN
            for i in range(AT[zone], AT[zone] + size):
                into[i] = m[i]
        for i in range(self.count):
            spare.legal[i] = self.legal[i]
        self.copy_numbers(spare)
        self.copy_notes(spare)
        return spare

    def copy_numbers(self, other: HiddenLeaders) -> None:
        """Copy everything but the vectors and notes."""
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

    def take_notes(self) -> None:
        start_notes(self)

    def fill_observation(self, seat: i64, out: vec[i64], at: i64) -> None:
        fill_observation(self, seat, out, at)

    def fill_patterns(self, out: vec[i64]) -> None:
        fill_patterns(self, out)

    def move_features(self, move: i64, role: i64, out: vec[i64]) -> i64:
        return move_features(self, move, role, out)

    def score_moves(
        self, role: i64, weights: vec[float], scratch: vec[i64], out: vec[float]
    ) -> None:
        score_moves(self, role, weights, scratch, out)


def blank(players: i64) -> HiddenLeaders:
    """An empty table, on which positions and sampled worlds are built."""
    m = BARE_TABLE[:]
    for seat in range(players):
        m[LEADERS_AT + seat] = -1
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
    dealt: i64 = Limit.DEALT,
    record: bool = False,
) -> HiddenLeaders:
    """A game before anything is dealt; its first node is a chance node.

    `first` fixes who begins (R6); `threshold` 0 means the standard one (R79); `dealt` is how many
    heroes each seat gets.
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
    if dealt != Limit.DEALT:
        state.m[state.frame + Frame.DEALT] = dealt
    state.run()
    return state
