"""What a game's feature vectors hold: the layout that `State.fill_features` and models agree on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.state import State
from games.view import EventTuple

Choice = tuple[int, int]
"""A seat and the move it chose."""


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
