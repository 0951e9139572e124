"""Moves in words, as one seat sees them or as a spectator who sees everything."""

from __future__ import annotations

from collections.abc import Sequence

from games.registry import Game
from games.seats import seat_name
from games.state import State


class Narrator:
    """Puts the moves of one game into words without revealing what its seat cannot see."""

    def __init__(self, rules: Game, names: Sequence[str], seat: int | None) -> None:
        self.rules = rules
        self.names = names
        self.seat = seat
        """The seat it speaks to; None for a spectator who sees everything."""

    def who(self, seat: int) -> str:
        return f"{seat_name(seat)} ({self.names[seat]})"

    def move_text(self, state: State, move: int) -> str:
        """A move about to be played."""
        own = self.seat in (None, state.actor)
        if not own and state.observed_move(move) != move:
            return "chooses face down"
        return self.rules.text.move(state, move)

    def outcome_text(self, state: State, outcome: int) -> str:
        """What chance brings, to be told as chance's: some outcomes have no other source."""
        return self.move_text(state, outcome).removeprefix("chance: ")

    def winners(self, seats: Sequence[int]) -> str:
        return " and ".join(self.who(seat) for seat in seats)

    def line(self, state: State, move: int, reason: str = "") -> str:
        """A move about to be played, with its reason if the seat may know that."""
        shared = reason and self.seat in (None, state.actor)
        because = f"   [{reason}]" if shared else ""
        return f"{self.who(state.actor)}: {self.move_text(state, move)}{because}"

    def verdict(self, winners: Sequence[int], decisions: int) -> str:
        """A sentence that names the winners."""
        if not winners:
            return f"Nobody wins after {decisions} decisions."
        return f"Winner after {decisions} decisions: {self.winners(winners)}"
