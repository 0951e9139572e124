"""Batches of games for a cluster: how many to send at once, and what to do when they are lost."""

import logging
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

from arena.league.outcome import Crashed
from arena.league.pool import STRIKES_IF_KILLED
from arena.league.schedule import GameKey

BATCH_SECONDS: Final = 0.5  # duration of a batch, long enough that sending it costs next to nothing
MOST_GAMES: Final = 1000  # the most games in a batch

log = logging.getLogger(__name__)


class Batches:
    """The games of a league that are still to be sent, or to be sent again."""

    def __init__(self) -> None:
        self.waiting: deque[GameKey] = deque()
        self.strikes = Counter[int]()
        self.size = 1
        self._played = 0
        self._seconds = 0.0

    def next(self) -> list[GameKey]:
        """The next batch; a game that was lost before is sent alone, as it may be to blame."""
        games = [self.waiting.popleft()]
        if not self.strikes[games[0].number]:
            while len(games) < self.size and self.waiting:
                if self.strikes[self.waiting[0].number]:
                    break
                games.append(self.waiting.popleft())
        return games

    def adapt_size(self, games: int, seconds: float) -> None:
        """Adapt the size of batches to games that took that many seconds."""
        self._played += games
        self._seconds += seconds
        if self._played:
            mean = self._seconds / self._played
            self.size = max(1, min(MOST_GAMES, round(BATCH_SECONDS / max(mean, 1e-6))))

    def lost(self, games: Sequence[GameKey], deaths: int, how: str) -> Crashed | None:
        """Requeue a batch whose workers died; give up a game that was alone too often."""
        first = games[0]
        for key in games:
            self.strikes[key.number] += deaths
        if len(games) == 1 and self.strikes[first.number] >= STRIKES_IF_KILLED:
            times = self.strikes[first.number]
            return Crashed(first.number, f"its workers were lost {times} times (the last: {how})")
        self.waiting.extendleft(reversed(games))
        again = f"{len(games)} games" if len(games) > 1 else "a game"
        log.warning("%s; playing %s again", how, again)
        return None
