"""Secrets as a State: setup, the turn, the effects of the characters, the end, copies and keys."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from games.secrets.constants import (
    BULLETS,
    CENTRE,
    COPIES,
    DECK_SIZE,
    FEWEST_PLAYERS,
    KINDS,
    THRESHOLDS,
    TOKENS_IN_USE,
    Character,
    Event,
    Move,
    Phase,
    Token,
)
from games.secrets.features import fill_features, first_of_side
from games.secrets.move_features import move_features
from games.secrets.observation import fill_observation, start_notes
from games.secrets.scoring import WORTH, heuristic, win_estimates, winners, winning_side
from games.secrets.table import BAG, BOTTOM, SHOT, SIZE, TOKENS, UP, Table, bare_table
from games.state import CHANCE, EVERYBODY, NO_MOVE, NOBODY, UNSEEN, Rng

MOST_CHOICES: Final = 36
"""Room for the legal moves of one decision; a Psychiatrist among eight players has 28."""
IN_USE: Final = vec[i64]([count for row in TOKENS_IN_USE for count in row])
BARE: Final = bare_table(COPIES)
"""What every game begins with."""


class Secrets(Table):
    """The whole truth of one game of Secrets. Make one with `new_game`."""

    def __init__(self, players: i64, m: vec[i64], room: i64) -> None:
        super().__init__(players, m, room)
        self.move_limit = Move.COUNT
        self.roles = Token.COUNT
        self.roles_move = True
        self.dealt: i64 = 0
        """Tokens dealt so far: to the seats in order, then to the centre."""
        self.side: i64 = -1
        """The side that has won; -1 before the end, and when everybody loses."""
        self.winning: i64 = 0
        """One bit per winning seat."""

    # ---- the contract ---------------------------------------------------------------------

    def moves(self) -> list[int]:
        if self.actor == NOBODY:
            return []
        if self.actor != CHANCE:
            return super().moves()
        return [int(outcome) for outcome, _ in self.chances()]

    def weights(self) -> list[int]:
        return [int(weight) for _, weight in self.chances()]

    def chances(self) -> list[tuple[int, int]]:
        """The chance outcomes, ascending, with their weights."""
        outcomes: list[tuple[int, int]] = []
        if self.phase == Phase.FIRST:
            for seat in range(self.players):
                outcomes.append((Move.PLACE + seat, 1))
        elif self.phase == Phase.TOKENS:
            for side in range(i64(Token.COUNT)):
                if self.undealt(side) > 0:
                    outcomes.append((Move.TOKEN + side, self.undealt(side)))
        elif self.phase == Phase.BULLET:
            for k in range(i64(BULLETS)):
                if self.pile & (1 << k):
                    outcomes.append((Move.BULLET + k, 1))
        else:
            for c in range(i64(Character.COUNT)):
                if self.m[BAG + c] > 0:
                    outcomes.append((Move.CARD + c, self.m[BAG + c]))
        return outcomes

    def sample_chance(self, rng: Rng) -> i64:
        """By weight, but without building lists: setup takes a large part of a short game."""
        if self.phase == Phase.REVEAL:
            left = rng.below(self.bag)
            c: i64 = 0
            while left >= self.m[BAG + c]:
                left -= self.m[BAG + c]
                c += 1
            self.play(Move.CARD + c)
            return Move.CARD + c
        if self.phase == Phase.TOKENS:
            at = rng.below(self.players + 1 - self.dealt)
            side: i64 = 0
            while at >= self.undealt(side):
                at -= self.undealt(side)
                side += 1
            self.play(Move.TOKEN + side)
            return Move.TOKEN + side
        return super().sample_chance(rng)  # the other outcomes are all equally likely

    def play(self, move: i64) -> None:
        if self.actor == CHANCE:
            self.happen(move)
            return
        if self.recording:
            self.tell_choice(move)
        phase = self.phase
        if phase == Phase.CHOOSE:
            self.choose(move - Move.CARD)
        elif phase == Phase.TARGET:
            self.target = move - Move.PLACE
            self.ask(Phase.CLAIM, self.player)
        elif phase == Phase.CLAIM:
            self.claim = move
            self.open_window()
        elif phase == Phase.UN:
            if move == Move.INTERRUPT:
                self.take(self.un)
            else:
                self.ask(Phase.ANSWER, self.target)
        elif phase == Phase.ANSWER:
            self.take(self.target if move == Move.ACCEPT else self.player)
        else:
            self.effect(phase, move)
            self.end_turn()

    def copy(self) -> Secrets:
        twin = Secrets(self.players, self.m[:], 0)
        twin.actor = self.actor
        twin.count = self.count
        twin.legal = self.legal[:]
        twin.phase = self.phase
        twin.player = self.player
        twin.un = self.un
        twin.bag = self.bag
        twin.bottom = self.bottom
        twin.pile = self.pile
        twin.bullets = self.bullets
        twin.one = self.one
        twin.two = self.two
        twin.surplus = self.surplus
        twin.offered = self.offered
        twin.target = self.target
        twin.claim = self.claim
        twin.taker = self.taker
        twin.bullet = self.bullet
        twin.blank_worth = self.blank_worth
        twin.turns = self.turns
        twin.threshold = self.threshold
        twin.first = self.first
        twin.dealt = self.dealt
        twin.side = self.side
        twin.winning = self.winning
        self.copy_notes(twin)
        return twin

    def observed_move(self, move: i64) -> i64:
        if self.secret():
            return Move.CONCEALED
        return move

    def secret(self) -> bool:
        """Whether the pending choice is secret (Q4, Q12)."""
        return self.phase == Phase.CHOOSE or self.phase == Phase.NEIGHBOUR

    def heuristic(self, seat: i64) -> float:
        if self.actor == NOBODY:
            return 100.0 if self.wins(seat) else -100.0
        return heuristic(self, seat)

    def win_estimates(self) -> vec[float]:
        return win_estimates(self, self.threshold)

    def fill_features(self, out: vec[float]) -> None:
        fill_features(self, out)

    def twin(self, seat: i64) -> i64:
        return first_of_side(self, seat)

    def move_features(self, move: i64, role: i64, out: vec[i64]) -> i64:
        return move_features(self, move, role, out)

    def idle_move(self) -> i64:
        return Move.SILENCE if self.phase == Phase.CLAIM else NO_MOVE

    def moment(self) -> i64:
        return self.phase * 8 + self.actor

    def take_notes(self) -> None:
        start_notes(self)

    def fill_observation(self, seat: i64, out: vec[i64], at: i64) -> None:
        fill_observation(self, seat, out, at)

    def role(self, seat: i64) -> i64:
        return self.m[TOKENS + seat]

    def assume_role(self, seat: i64, role: i64) -> None:
        self.m[TOKENS + seat] = role

    def wins(self, seat: i64) -> bool:
        return (self.winning >> seat) & 1 == 1

    def winners(self) -> tuple[int, ...]:
        return tuple([seat for seat in range(self.players) if self.wins(seat)])

    def key(self) -> bytes:
        numbers: list[int] = [
            self.players, self.actor, self.phase, self.player, self.un, self.bag, self.bottom,
            self.pile, self.bullets, self.one, self.two, self.surplus, self.offered, self.target,
            self.claim, self.taker, self.bullet, self.turns, self.threshold, self.first, self.dealt,
            self.side,
        ]  # fmt: skip
        for i in range(i64(BOTTOM) + self.bottom):
            numbers.append(self.m[i])
        shifted = [number + 2 for number in numbers]  # the least is -2
        shifted.append(self.winning)
        return bytes(shifted)

    def rollout_move(self, rng: Rng) -> i64:
        """Takes cards that suit its side on average, gives Bullets to others, else any move."""
        actor = self.actor
        any_move = self.legal[rng.below(self.count)]
        phase = self.phase
        wants_points = self.m[TOKENS + actor] != Token.HIPPIE
        if phase == Phase.CLAIM:
            return Move.SILENCE
        if phase == Phase.ANSWER or phase == Phase.UN:
            if rng.below(4) == 0:
                return any_move
            hopeful = self.likely_worth() > 1
            if phase == Phase.UN:
                return Move.INTERRUPT if hopeful == wants_points else Move.STAY_OUT
            return Move.ACCEPT if hopeful == wants_points else Move.REFUSE
        if phase == Phase.GIVE and any_move == Move.PLACE + actor and wants_points:
            return Move.PLACE + self.left(actor)
        return any_move

    def likely_worth(self) -> i64:
        """Twice the average value of the card on offer, to a seat that saw both cards."""
        if self.two == UNSEEN:
            return 2 * WORTH[self.one]
        return worth(self.one) + worth(self.two)

    # ---- chance ---------------------------------------------------------------------------

    def happen(self, outcome: i64) -> None:
        if self.phase == Phase.REVEAL:
            self.turn_up(outcome - Move.CARD)
            self.reveal()
        elif self.phase == Phase.BULLET:
            self.draw_bullet(self.taker, outcome - Move.BULLET)
            self.ask(Phase.GIVE, self.taker)
        elif self.phase == Phase.TOKENS:
            place = i64(CENTRE) if self.dealt == self.players else self.dealt
            self.m[TOKENS + place] = outcome - Move.TOKEN
            self.dealt += 1
            if self.dealt > self.players:
                self.first_looks()
                self.begin_turn()
        else:
            self.first = outcome - Move.PLACE
            self.player = self.first
            if self.recording:
                self.tell(EVERYBODY, (Event.FIRST, self.first), ())
            self.phase = Phase.TOKENS

    def undealt(self, side: i64) -> i64:
        """Tokens of that side still to be dealt (S2)."""
        left = IN_USE[(self.players - FEWEST_PLAYERS) * Token.COUNT + side]
        for place in range(self.dealt):
            if self.m[TOKENS + place] == side:
                left -= 1
        return left

    def first_looks(self) -> None:
        """Looks before the first turn; more players see more (chapter "setup")."""
        if not self.recording and not self.noting:
            return
        for seat in range(self.players):
            self.look(seat, seat)
            if self.players > 4:
                self.look(seat, self.right(seat))
        if self.players > 6:
            self.show(CENTRE, EVERYBODY)

    # ---- the turn -------------------------------------------------------------------------

    def begin_turn(self) -> None:
        self.clear_offer()
        if self.recording:
            self.tell(EVERYBODY, (Event.TURN, self.player), ())
        self.phase = Phase.REVEAL
        self.reveal()

    def reveal(self) -> None:
        """Turn up cards until there are two characters (S5); cards from the bag are chance."""
        while self.two == UNSEEN:
            if self.bag > 0:
                self.actor = CHANCE
                return
            if self.bottom == 0:
                break
            self.turn_up(self.m[BOTTOM])
        if self.one == UNSEEN:
            self.finish()  # no deck, no turn (S8)
            return
        if self.two == UNSEEN:  # nothing but copies of one character (S7)
            self.offered = self.one
            self.put_under(self.one, self.surplus, EVERYBODY)
            self.ask(Phase.TARGET, self.player)
            return
        self.put_under(self.one, self.surplus, EVERYBODY)
        self.ask(Phase.CHOOSE, self.player)

    def choose(self, character: i64) -> None:
        """One is offered, the other becomes the last card of the deck (S6)."""
        self.offered = character
        other = self.two if character == self.one else self.one
        self.put_under(other, 1, 1 << self.player)
        self.ask(Phase.TARGET, self.player)

    def open_window(self) -> None:
        """The UN player decides first, unless active or the target (S11, S12)."""
        if self.un != NOBODY and self.un != self.player and self.un != self.target:
            self.ask(Phase.UN, self.un)
        else:
            self.ask(Phase.ANSWER, self.target)

    def take(self, seat: i64) -> None:
        """The card is laid open and takes effect at once (S14)."""
        character = self.offered
        self.taker = seat
        self.lay(seat, character)
        if character == Character.PSYCHIATRIST:
            self.ask(Phase.SWAP, seat)
        elif character == Character.POLITICIAN:
            self.ask(Phase.PASS_ON, seat)
        elif character == Character.DETECTIVE:
            self.ask(Phase.LOOK, seat)
        elif character == Character.DIPLOMAT:
            self.show(CENTRE, EVERYBODY)
            self.ask(Phase.NEIGHBOUR, seat)
        elif character == Character.ASSASSIN:
            self.phase = Phase.BULLET
            self.actor = CHANCE
        else:
            if character == Character.DOUBLE_AGENT:
                self.swap(seat, CENTRE, EVERYBODY)
                self.look(seat, seat)
            elif character == Character.JOURNALIST:
                self.show(seat, EVERYBODY & ~(1 << seat))
            elif (
                character == Character.SCIENTIST
                and self.m[UP + seat * KINDS + Character.SCIENTIST] > 1
            ):
                self.turn_all_down(seat)
            self.end_turn()

    def effect(self, phase: i64, move: i64) -> None:
        """Carry out what the taker chose to do with the character."""
        taker = self.taker
        if phase == Phase.SWAP:
            pair = move - Move.SWAP
            self.swap(pair >> 3, pair & 7, EVERYBODY)
        elif phase == Phase.PASS_ON:
            self.pass_on(taker, move - Move.PLACE, Character.POLITICIAN)
            self.look(taker, move - Move.PLACE)
        elif phase == Phase.NEIGHBOUR:
            neighbour = self.left(taker) if move == Move.LEFT else self.right(taker)
            self.swap(CENTRE, neighbour, 1 << taker)
        elif phase == Phase.LOOK:
            self.look(taker, move - Move.PLACE)
        else:
            self.give_bullet(move - Move.PLACE, 1 << taker)

    def look(self, seat: i64, place: i64) -> None:
        """All see which token is looked at; only the looker sees its side."""
        if self.noting:
            self.note_token(seat, place, self.m[TOKENS + place])
        if self.recording:
            event: tuple[int, ...] = (Event.LOOK, seat, place, self.m[TOKENS + place])
            self.tell(1 << seat, event, (Event.LOOK, seat, place, UNSEEN))

    def show(self, place: i64, audience: i64) -> None:
        if self.noting:
            for seat in range(self.players):
                if (audience >> seat) & 1:
                    self.note_token(seat, place, self.m[TOKENS + place])
        if self.recording:
            event: tuple[int, ...] = (Event.SHOW, place, self.m[TOKENS + place])
            self.tell(audience, event, (Event.SHOW, place, UNSEEN))

    # ---- the end of the turn, and of the game ---------------------------------------------

    def end_turn(self) -> None:
        """Pairs, UN token, end check, next player (S27)."""
        self.turn_pairs()
        self.move_un()
        self.turns += 1
        for seat in range(self.players):
            if self.m[SIZE + seat] >= self.threshold:
                self.finish()
                return
        self.player = self.left(self.player)
        self.begin_turn()

    def turn_pairs(self) -> None:
        """Only the character just laid can form a pair, in any display (S28)."""
        character = self.offered
        if character == Character.BLANK:
            return
        for seat in range(self.players):
            if self.m[UP + seat * KINDS + character] > 1:
                self.turn_pair_down(seat, character)

    def move_un(self) -> None:
        """To the player who alone has the fewest cards; to the centre if several do (S30)."""
        fewest: i64 = 1000
        holder: i64 = NOBODY
        for seat in range(self.players):
            size = self.m[SIZE + seat]
            if size < fewest:
                fewest = size
                holder = seat
            elif size == fewest:
                holder = NOBODY
        if holder != self.un:
            self.un = holder
            if self.recording:
                self.tell(EVERYBODY, (Event.UN, holder), ())

    def finish(self) -> None:
        """Show all tokens and Bullets, and name the winners (S32 to S36)."""
        self.side = winning_side(self)
        self.winning = winners(self, self.side)
        if self.recording:
            for seat in range(self.players):
                self.show(seat, EVERYBODY)
                self.tell(EVERYBODY, (Event.BULLETS, seat, self.m[SHOT + seat]), ())
            self.show(CENTRE, EVERYBODY)
            self.tell(EVERYBODY, (Event.OVER, self.side, self.winning, self.turns), ())
        self.phase = Phase.OVER
        self.actor = NOBODY
        self.count = 0

    # ---- asking ---------------------------------------------------------------------------

    def ask(self, phase: i64, seat: i64) -> None:
        self.phase = phase
        self.actor = seat
        self.list_moves()
        if self.recording:
            self.tell(EVERYBODY, self.pending_event(), ())
            self.tell(1 << seat, (Event.LEGAL_MOVES, *self.moves()), ())

    def pending_event(self) -> tuple[int, ...]:
        offer = (self.target, self.claim, self.taker)
        return (Event.PENDING, self.actor, self.phase, self.turns, *offer)

    def list_moves(self) -> None:
        """Work out the legal moves of the pending decision."""
        phase = self.phase
        legal = self.legal
        if phase == Phase.CHOOSE:
            self.two_ways(Move.CARD + self.one, Move.CARD + self.two)
        elif phase == Phase.UN:
            self.two_ways(Move.INTERRUPT, Move.STAY_OUT)
        elif phase == Phase.ANSWER:
            self.two_ways(Move.ACCEPT, Move.REFUSE)
        elif phase == Phase.NEIGHBOUR:
            self.two_ways(Move.LEFT, Move.RIGHT)
        elif phase == Phase.CLAIM:
            for c in range(i64(Character.COUNT)):
                legal[c] = Move.CLAIM + c
            legal[Character.COUNT] = Move.SILENCE
            self.count = Character.COUNT + 1
        elif phase == Phase.SWAP:
            k: i64 = 0
            for a in range(self.players):
                for b in range(a + 1, self.players):
                    legal[k] = Move.SWAP + 8 * a + b
                    k += 1
            self.count = k
        else:
            self.list_places()

    def two_ways(self, one: i64, other: i64) -> None:
        self.legal[0] = one
        self.legal[1] = other
        self.count = 2

    def list_places(self) -> None:
        """The seats that may be picked, and the centre if it may be."""
        barred: i64 = NOBODY
        if self.phase == Phase.TARGET:
            barred = self.player
        elif self.phase == Phase.PASS_ON:
            barred = self.taker
        k: i64 = 0
        for seat in range(self.players):
            if seat != barred:
                self.legal[k] = Move.PLACE + seat
                k += 1
        if self.phase == Phase.LOOK:
            self.legal[k] = Move.PLACE + CENTRE
            k += 1
        self.count = k

    def tell_choice(self, move: int) -> None:
        seat = self.actor
        audience: int = 1 << seat if self.secret() else EVERYBODY
        self.tell(audience, (Event.CHOSE, seat, move), (Event.CHOSE, seat, UNSEEN))


def worth(character: i64) -> i64:
    """The value of a character; 0 for a blank."""
    if character < Character.COUNT:
        return WORTH[character]
    return 0


def blank(players: i64) -> Secrets:
    """A table before anything is dealt or known; games, views and positions are built on it."""
    state = Secrets(players, BARE[:], MOST_CHOICES)
    state.bag = DECK_SIZE
    state.threshold = THRESHOLDS[players - FEWEST_PLAYERS]
    return state


def new_game(players: i64, first: i64 = NOBODY, record: bool = False) -> Secrets:
    """A game before anything is dealt; chance acts first. `first` fixes who begins (S3)."""
    state = blank(players)
    if record:
        state.record()
    if first == NOBODY:
        state.phase = Phase.FIRST
    else:
        state.first = first
        state.player = first
        state.phase = Phase.TOKENS
        if record:
            state.tell(EVERYBODY, (Event.FIRST, first), ())
    return state
