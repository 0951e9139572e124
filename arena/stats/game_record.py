"""One game of a league as ratings and tables see it: who sat where, who won, who broke down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Played:
    """A finished game. Everything here is the same on any machine; times are kept elsewhere."""

    number: int
    """Its place in the schedule, from 0: the order in which games are rated."""
    players: int
    deal: int
    """Games of one deal share their luck and are one observation, not several."""
    seats: tuple[str, ...]
    """The bot in each seat, as the league names it."""
    winners: tuple[int, ...]
    """Winning seats, ascending; may be empty."""
    roles: tuple[str, ...]
    """What each seat secretly was, as its game names it (a leader's name)."""
    decisions: int
    turns: int
    faulty: int | None = None
    """The seat whose bot broke down and so ended the game, if any."""
    first: int = 0
    """The seat that began; turn order goes on from it."""

    def place(self, seat: int) -> int:
        """The seat's place in turn order, 0 for the one that began."""
        return (seat - self.first) % self.players

    def shares(self) -> tuple[float, ...]:
        """How much of the game each seat won: together 1, or 0 if nobody won.

        Several winners share evenly, and so do those who sat with a bot that broke down.
        """
        best = self.winners
        if self.faulty is not None:
            best = tuple(seat for seat in range(self.players) if seat != self.faulty)
        return tuple(1 / len(best) if seat in best else 0.0 for seat in range(self.players))

    def ranks(self) -> tuple[int, ...]:
        """Place of each seat, 0 for the best.

        Winners share the first place and the others the next. If nobody won, all share the first:
        nobody did better than anybody. A bot that broke down is last and alone; a game ends there,
        and the other seats share the first place.
        """
        if self.faulty is not None:
            return tuple(int(seat == self.faulty) for seat in range(self.players))
        if not self.winners:
            return (0,) * self.players
        return tuple(int(seat not in self.winners) for seat in range(self.players))


@dataclass(frozen=True)
class Spent:
    """What one seat's bot spent in one game."""

    number: int
    """The game's place in the schedule."""
    seat: int
    decisions: int
    seconds: float
    slowest: float
    """Seconds of its longest decision."""


class Rated(NamedTuple):
    """A bot's TrueSkill rating, rounded so that it is the same on any machine."""

    players: int
    """At which player count; 0 for all together."""
    bot: str
    mu: float
    sigma: float
