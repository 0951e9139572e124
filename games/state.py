"""The contract every game keeps: what searchers, solvers and referees may rely on."""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

NOBODY: Final = -1
"""Actor of a finished game."""

CHANCE: Final = -2
"""Actor of a node where luck decides."""

UNSEEN: Final = -1
"""Stands in a seat's event for what that seat is not entitled to."""

EVERYBODY: Final = 0xFFFF
"""Audience of a public fact: one bit per seat, all set."""

MOST_MOVES: Final = 160
"""Room for the legal moves of one decision."""

FOREVER: Final = 1 << 40
"""More moves than any game has."""

LOW: Final = 0xFFFFFFFF


class Rng:
    """A small, fast, reproducible generator: the same numbers on every machine and engine.

    Multiply-with-carry: 62 bits of state, all arithmetic within 63 bits, so that compiled and
    interpreted code agree. It never lives inside a State: whoever wants luck hands one in.
    """

    def __init__(self, seed: i64) -> None:
        # Neighbouring seeds must not give neighbouring streams: both halves are scrambled.
        low = scramble(seed & LOW)
        high = scramble(((seed >> 32) & LOW) ^ low ^ 0x9E3779B9) & 0x1FFFFFFF
        self.x: i64 = (high << 32) | (low | 1)

    def below(self, n: i64) -> i64:
        """A whole number from 0 to n - 1, each equally likely to within n / 2**32."""
        x = 698769069 * (self.x & LOW) + (self.x >> 32)
        self.x = x
        return (((x ^ (x >> 32)) & LOW) * n) >> 32

    def choice(self, items: list[int]) -> int:
        """One of the items, each equally likely."""
        return items[self.below(len(items))]


def scramble(x: i64) -> i64:
    """Mix the 32 bits of x; a bijection, so different seeds stay different."""
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & LOW
    x = ((x ^ (x >> 16)) * 0x45D9F3B) & LOW
    return x ^ (x >> 16)


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """The whole truth of one game, seats numbered from 0.

    Only a referee owns the real one. Searchers own sampled ones and may do with them as they like.
    """

    def __init__(self, players: i64, room: i64 = MOST_MOVES) -> None:
        self.players: i64 = players
        """How many seats."""

        self.actor: i64 = CHANCE
        """Who must decide now: a seat, CHANCE, or NOBODY when the game is over."""

        self.legal: vec[i64] = vec[i64]([0] * room)
        """The first `count` entries are the actor's legal moves, in any order. For hot loops."""

        self.count: i64 = 0
        """Number of legal moves; never 0 while a seat acts. Undefined at chance nodes."""

        self.move_limit: i64 = 0
        """Every move, chance outcome and veiled move is a number from 0 to span - 1."""

        self.roles: i64 = 0
        """How many secret roles there are (numbered from 0), of which each seat may have one."""

        self.roles_move: bool = False
        """Whether roles may pass from seat to seat during the game."""

        self.turns: i64 = 0
        """Turns completed."""

    def moves(self) -> list[int]:
        """The legal moves (at a chance node: the outcomes), ascending, unique, none when over."""
        found: list[int] = []
        legal = self.legal
        for i in range(self.count):
            found.append(legal[i])
        found.sort()
        return found

    def weights(self) -> list[int]:
        """At a chance node: how often each of `moves()` comes, as whole numbers in that order."""
        return [1] * len(self.moves())

    def play(self, move: i64) -> None:
        """Make a legal move or a chance outcome happen. Trusts its caller: check before."""
        raise TypeError("a game must say how moves are played")

    def observed_move(self, move: i64) -> i64:
        """The actor's move as the other seats perceive it: itself, or what it looks like."""
        return move

    def rollout_move(self, rng: Rng) -> i64:
        """A legal move that a hasty but not foolish actor might make; for lifelike playouts."""
        return self.legal[rng.below(self.count)]

    def heuristic(self, seat: i64) -> float:
        """How well the seat seems to stand, by open cards and its own; higher is better."""
        return 0.0

    def win_estimates(self) -> vec[float]:
        """Every seat's estimated chance to win an unfinished game, all being known."""
        return vec[float]([1.0 / float(self.players)] * self.players)

    def role(self, seat: i64) -> i64:
        """The seat's secret role; -1 if it has none or, on an imagined table, it is not known."""
        return -1

    def assume_role(self, seat: i64, role: i64) -> None:
        """Give the seat that role, to see how things would look; for imagined tables."""
        raise TypeError("a game with roles must say how one is supposed")

    def wins(self, seat: i64) -> bool:
        """Whether the seat is among the winners of a finished game."""
        return int(seat) in self.winners()

    def sample_chance(self, rng: Rng) -> i64:
        """At a chance node: draw one outcome with the right odds, play it and return it."""
        moves = self.moves()
        outcome: i64 = moves[rng.below(len(moves))]
        self.play(outcome)
        return outcome

    def copy(self) -> State:
        """An equal, independent State; possible between any two choices; never keeps events."""
        raise TypeError("a game must say how it is copied")

    def copy_into(self, spare: State | None) -> State:
        """As `copy`; a spare one, itself a copy that nobody needs any more, may be made into it."""
        return self.copy()

    def winners(self) -> tuple[int, ...]:
        """The winning seats of a finished game, ascending; may be empty."""
        raise TypeError("a game must say who wins")

    def key(self) -> bytes:
        """Equal for equal positions and different for different ones, whatever led to them."""
        raise TypeError("a game must have a key")

    def equivalence_key(self, deadline: i64 = -1) -> bytes:
        """Equal only for positions that come to the same for everybody; for solvers' tables.

        As `key`, but an order that means nothing may be left out, and so may whatever cannot be
        reached before as many turns as `deadline` are completed; -1: before the end.
        """
        return self.key()

    def settle_turn(self, deadline: i64) -> bool:
        """Go to the end of this turn, if it is the last one and nothing left of it matters.

        The last turn is one that ends the game, or that completes as many turns as `deadline`.
        What does not matter is what cannot change who wins then. Whether it was done: afterwards
        only `actor`, `turns` and the winners mean anything.
        """
        return False

    def settled_end(self) -> State | None:
        """The table at the end of this turn, if nothing left of it can change who wins then."""
        end = self.copy()
        return end if end.settle_turn(self.turns + 1) else None

    def record(self) -> None:
        """From now on `play` also leaves events, to be fetched with `take_events`."""
        raise TypeError("a game must keep events")

    def take_events(self, seat: i64) -> list[tuple[int, ...]]:
        """What `seat` perceived since this was last called for that seat."""
        raise TypeError("a game must keep events")

    def playout(self, rng: Rng, most: i64 = FOREVER) -> i64:
        """Play at most so many random moves; returns how many decisions seats made."""
        decisions: i64 = 0
        while True:
            actor = self.actor
            if actor >= 0:
                if decisions == most:
                    return decisions
                self.play(self.legal[rng.below(self.count)])
                decisions += 1
            elif actor == CHANCE:
                self.sample_chance(rng)
            else:
                return decisions

    def rollout(self, rng: Rng, most: i64 = FOREVER) -> i64:
        """Play at most so many eager moves; returns how many decisions seats made."""
        decisions: i64 = 0
        while True:
            actor = self.actor
            if actor >= 0:
                if decisions == most:
                    return decisions
                self.play(self.rollout_move(rng))
                decisions += 1
            elif actor == CHANCE:
                self.sample_chance(rng)
            else:
                return decisions
