"""Disqualifies bots that have had too many faults, and says which games they forfeit."""

from collections import Counter
from collections.abc import Iterator

from arena.league.config import League
from arena.league.schedule import GameKey


class Disqualifications:
    """Which bots are disqualified, decided in schedule order.

    A game is forfeited if one of its bots reached the limit of faults in games that come before it
    *in the schedule*. Games finish in any order, so some are played first and removed later.
    """

    def __init__(self, league: League, faulty: dict[int, int], forfeited: set[int]) -> None:
        self.league = league
        self.faulty = faulty
        """Game -> the seat whose bot was at fault."""
        self.forfeited = forfeited
        """Games already known to be forfeited."""
        self.faults = Counter[int]()
        """Faults of each bot in the games settled so far."""
        self.disqualified: list[int] = []
        """Bots in the order in which they were disqualified."""
        self._keys: Iterator[GameKey] = iter(())
        self._next: GameKey | None = None

    def open_round(self, keys: Iterator[GameKey]) -> None:
        """Start a round; the previous one is settled."""
        self._keys = keys
        self._next = next(keys, None)

    def forfeited_by(self, key: GameKey) -> str | None:
        """The disqualified bot of this game, if any; the first if there are several.

        That one stays the same when more bots are disqualified later.
        """
        for bot in self.disqualified:
            if bot in key.seats:
                return self.league.names[bot]
        return None

    def settle(self, done: set[int]) -> list[tuple[int, str]]:
        """Advance through the schedule as far as games are done; returns games newly forfeited."""
        forfeits: list[tuple[int, str]] = []
        while (key := self._next) is not None and key.number in done:
            name = self.forfeited_by(key)
            if name is None and key.number in self.faulty:
                bot = key.seats[self.faulty[key.number]]
                self.faults[bot] += 1
                if self.faults[bot] == self.league.probation:
                    self.disqualified.append(bot)
            elif name is not None and key.number not in self.forfeited:
                forfeits.append((key.number, name))
            self._next = next(self._keys, None)
        return forfeits
