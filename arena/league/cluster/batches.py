"""Games that wait to be sent somewhere in batches: how many at once, and what if they get lost."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

from arena.league.outcome import Broken
from arena.league.pool import STRIKES_FROM_OUTSIDE
from arena.league.schedule import GameKey

SECONDS: Final = 0.5
"""Of games that are sent at once, so that sending them costs next to nothing."""

MOST: Final = 1000
"""Games that are sent at once."""

log = logging.getLogger(__name__)


class Batches:
    """The games of a league that have yet to be sent, or sent again."""

    def __init__(self) -> None:
        self.waiting: deque[GameKey] = deque()
        self.strikes = Counter[int]()
        self.size = 1
        self._played = 0
        self._seconds = 0.0

    def next(self) -> list[GameKey]:
        """The next batch; a game that was lost before travels alone: it may be to blame."""
        games = [self.waiting.popleft()]
        if not self.strikes[games[0].number]:
            while len(games) < self.size and self.waiting:
                if self.strikes[self.waiting[0].number]:
                    break
                games.append(self.waiting.popleft())
        return games

    def pace(self, games: int, seconds: float) -> None:
        """So many games were played in so many seconds: learn how many make a batch."""
        self._played += games
        self._seconds += seconds
        if self._played:
            each = self._seconds / self._played
            self.size = max(1, min(MOST, round(SECONDS / max(each, 1e-6))))

    def lost(self, games: Sequence[GameKey], deaths: int, how: str) -> Broken | None:
        """A batch cost so many workers: send it again, or give up the one game that did it."""
        first = games[0]
        for key in games:
            self.strikes[key.number] += deaths
        if len(games) == 1 and self.strikes[first.number] >= STRIKES_FROM_OUTSIDE:
            times = self.strikes[first.number]
            return Broken(first.number, f"its workers were lost {times} times (the last: {how})")
        self.waiting.extendleft(reversed(games))
        others = f" and {len(games) - 1} others are" if len(games) > 1 else " is"
        log.warning("%s; game %d%s played again", how, first.number, others)
        return None
