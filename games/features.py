"""What a game's feature vectors hold: the layout that `State.fill_features` and models agree on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.state import State
from games.view import EventTuple, View
from games.world_belief import WorldBelief

Choice = tuple[int, int]
"""A seat and the move it chose."""

PatternSlot = tuple[str, int]
"""What a slot of patterns tells, and how many patterns it has."""


@dataclass(frozen=True)
class PatternLayout:
    """The patterns that `State.fill_patterns` finds, slot by slot.

    A slot is a question about the table, a seat or a claim, and a pattern one of its answers.
    Patterns are numbered through all slots, first those of the table. Neighbouring slots with the
    same name share their patterns: the cards of a hand.
    """

    table: tuple[PatternSlot, ...]
    seat: tuple[PatternSlot, ...]
    claim: tuple[PatternSlot, ...]

    @property
    def count(self) -> int:
        """How many patterns there are."""
        return sum(dict((*self.table, *self.seat, *self.claim)).values())

    @property
    def slots(self) -> int:
        """How many patterns a claim has at most, with those of its seat and the table."""
        return len(self.table) + len(self.seat) + len(self.claim)

    def room(self, players: int, claims: int) -> int:
        """How many numbers `State.fill_patterns` writes."""
        return len(self.table) + players * (len(self.seat) + claims * len(self.claim))


@dataclass(frozen=True)
class FeatureLayout:
    """The names of a game's features, in the order in which `State.fill_features` writes them.

    The vector of a seat is `table`, then `seat`, then `claim` once for each of `claims`, the ways
    in which the seat can win. `version` goes up whenever a number changes its meaning or place.
    """

    version: int
    table: tuple[str, ...]
    seat: tuple[str, ...]
    claim: tuple[str, ...]
    claims: int
    one_winner: bool
    """Whether at most one seat wins a game."""
    moves: int = 0
    """How many features moves have (`State.move_features`); 0 if there are none."""
    observed_choice: Callable[[EventTuple], Choice | None] = lambda _: None
    """The seat and the move of an event that tells of an open choice; None for other events."""
    world_belief: Callable[[View, list[float], float], WorldBelief] | None = None
    """Makes a belief about worlds from a policy's weights and a sharpness, where roles move."""
    patterns: PatternLayout | None = None
    """What models of the game see instead of the numbers, if it has patterns."""

    @property
    def names(self) -> tuple[str, ...]:
        """A name for every number of a seat's vector."""
        claims = (f"claim {i + 1}: {name}" for i in range(self.claims) for name in self.claim)
        return (*self.table, *self.seat, *claims)

    def room(self, players: int) -> int:
        """How many numbers `State.fill_features` writes."""
        per_seat = len(self.seat) + self.claims * len(self.claim)
        return len(self.table) + players * per_seat

    def of(self, state: State, seat: int) -> list[float]:
        """The vector of one seat of a complete state, such as a world that a View has sampled."""
        numbers = state.features(self.room(state.players))
        table, own = len(self.table), len(self.seat)
        at = table + seat * own
        claims = self.claims * len(self.claim)
        first = table + state.players * own + seat * claims
        return numbers[:table] + numbers[at : at + own] + numbers[first : first + claims]
