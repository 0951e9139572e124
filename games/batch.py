"""Many games side by side, for learners: observations and masks of all in a few vectors.

The vectors are plain memory that numpy arrays can share (arena.adapters.selfplay): nothing is
copied on the way to a learner. A game that ends is replaced by a new one at once.
"""

from __future__ import annotations

from typing import Final

from librt.strings import read_i64_le
from librt.vecs import vec
from mypy_extensions import i64, u8

from games.state import CHANCE, NOBODY, Rng, State

STILL_RUNNING: Final = 0
ENDED: Final = 1
CUT: Final = 2
"""A game that was stopped because it had too many decisions."""


def payoff(state: State, seat: i64) -> float:
    """What a finished game is worth to a seat: all seats together get 0.

    With one winner, 1 for it and -1 / (players - 1) for each of the others; 0 if nobody has won.
    """
    winners: i64 = 0
    for other in range(state.players):
        if state.wins(other):
            winners += 1
    own = state.players if state.wins(seat) else i64(0)
    return float(own - winners) / float(state.players - 1)


def fill_mask(state: State, mask: vec[u8]) -> None:
    """Set 1 for each legal move of the seat that decides, 0 for all others."""
    for i in range(i64(len(mask))):
        mask[i] = 0
    if state.actor >= 0:
        legal = state.legal
        for i in range(state.count):
            mask[legal[i]] = 1


class GameBatch:
    """The games, and what their learners read and write."""

    def __init__(self, start: State, games: i64, seed: i64, words: i64, limit: i64) -> None:
        self.start: State = start
        """What every game begins with; nothing is dealt, notes are taken."""
        self.games: i64 = games
        self.players: i64 = start.players
        self.moves: i64 = start.move_limit
        self.words: i64 = words
        self.limit: i64 = limit
        """How many decisions a game may have."""
        self.states: list[State] = []
        self.luck: list[Rng] = []
        self.choice: Rng = Rng(seed ^ 0x5DEECE66D)
        """For `choose_at_random`."""
        self.observations: vec[i64] = vec[i64]([0] * (games * words))
        """Eight numbers to a word, game by game: what the seat to move sees."""
        self.masks: vec[u8] = vec[u8]([0] * (games * start.move_limit))
        """1 for each legal move of the seat to move, game by game."""
        self.actors: vec[i64] = vec[i64]([0] * games)
        """The seat to move in each game."""
        self.actions: vec[i64] = vec[i64]([0] * games)
        """The moves that `step` plays."""
        self.ended: vec[u8] = vec[u8]([0] * games)
        """STILL_RUNNING, ENDED or CUT: whether the last step ended a game there."""
        self.payoffs: vec[float] = vec[float]([0.0] * (games * start.players))
        """Where a game ended: what it is worth to each of its seats."""
        self.decisions: vec[i64] = vec[i64]([0] * games)
        """How many decisions each running game has had."""
        for g in range(games):
            rng = Rng(seed + g * 0x10001)
            self.luck.append(rng)
            self.states.append(start.copy())
            self.deal(g)

    def deal(self, g: i64) -> None:
        """Start a new game there."""
        state = self.start.copy_into(self.states[g])  # in the memory of the last game
        self.states[g] = state
        self.decisions[g] = 0
        run_chance(state, self.luck[g])
        self.show(g, state)

    def show(self, g: i64, state: State) -> None:
        """Write what the seat to move sees and may do."""
        actor = state.actor
        self.actors[g] = actor
        state.fill_observation(actor, self.observations, g * self.words)
        masks = self.masks
        legal = state.legal
        first = g * self.moves
        for i in range(state.count):
            masks[first + legal[i]] = 1

    def choose_at_random(self) -> None:
        """Fill `actions` with legal moves, each equally likely."""
        rng = self.choice
        actions = self.actions
        for g in range(self.games):
            state = self.states[g]
            actions[g] = state.legal[rng.below(state.count)]

    def take_actions(self, numbers: bytes) -> None:
        """Fill `actions` from 64-bit numbers, little end first."""
        actions = self.actions
        for g in range(self.games):
            actions[g] = read_i64_le(numbers, g * 8)

    def illegal(self) -> i64:
        """The first game whose action is not legal; -1 if all are."""
        moves = self.moves
        for g in range(self.games):
            action = self.actions[g]
            if action < 0 or action >= moves or self.masks[g * moves + action] == 0:
                return g
        return -1

    def step(self) -> None:
        """Play one action in each game, all of which must be legal."""
        masks = self.masks
        for g in range(self.games):
            state = self.states[g]
            legal = state.legal
            first = g * self.moves
            for i in range(state.count):
                masks[first + legal[i]] = 0
            state.play(self.actions[g])
            self.decisions[g] += 1
            run_chance(state, self.luck[g])
            if state.actor == NOBODY:
                self.end(g, state, ENDED)
            elif self.decisions[g] >= self.limit:
                self.end(g, state, CUT)
            else:
                self.ended[g] = STILL_RUNNING
                self.show(g, state)

    def end(self, g: i64, state: State, how: i64) -> None:
        """Write what the game was worth, and start the next one."""
        self.ended[g] = u8(how)
        for seat in range(self.players):
            worth = payoff(state, seat) if how == ENDED else 0.0
            self.payoffs[g * self.players + seat] = worth
        self.deal(g)


def run_chance(state: State, rng: Rng) -> None:
    """Let chance decide until a seat must, or the game is over."""
    while state.actor == CHANCE:
        state.sample_chance(rng)
