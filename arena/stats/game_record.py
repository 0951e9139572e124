"""The record of one game that ratings and tables are computed from."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class GameRecord:
    """A finished game: who sat where, who won, whose fault ended it. The same on any machine."""

    number: int
    """Its index in the schedule; ratings do not depend on it."""
    players: int
    deal: int
    """Games of one deal share their random events and count as one observation."""
    seats: tuple[str, ...]
    """The name of the bot in each seat."""
    winners: tuple[int, ...]
    """Winning seats, ascending; may be empty."""
    roles: tuple[str, ...]
    """The secret role of each seat, by name: a leader or a side."""
    decisions: int
    turns: int
    faulty: int | None = None
    """The seat whose bot's fault ended the game, if any."""
    first: int = 0
    """The seat that moved first."""

    def place(self, seat: int) -> int:
        """The seat's place in turn order, from 0."""
        return (seat - self.first) % self.players

    def shares(self) -> tuple[float, ...]:
        """How much of the game each seat won: in total 1, or 0 if nobody won.

        Several winners share equally, and so do all others at the table of a bot at fault.
        """
        best = self.winners
        if self.faulty is not None:
            best = tuple(seat for seat in range(self.players) if seat != self.faulty)
        return tuple(1 / len(best) if seat in best else 0.0 for seat in range(self.players))

    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat, 0 for the best.

        Winners share first place and the others second. If nobody won, all share first place. A
        bot whose fault ended the game is last, and all other seats share first place.
        """
        if self.faulty is not None:
            return tuple(int(seat == self.faulty) for seat in range(self.players))
        if not self.winners:
            return (0,) * self.players
        return tuple(int(seat not in self.winners) for seat in range(self.players))


class TimeSpent(NamedTuple):
    """The decisions and time of one seat in one game."""

    number: int
    """The game's index in the schedule."""
    seat: int
    decisions: int
    seconds: float
    slowest: float
    """Seconds of its longest decision."""


class Rating(NamedTuple):
    """A bot's TrueSkill rating, rounded to be the same on any machine."""

    players: int
    """The player count; 0 for all together."""
    bot: str
    mu: float
    sigma: float
