"""A run: which bots played, every game, and the time they took; what ratings and tables need."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arena.stats.game_record import Played, Spent
from games.errors import GameError
from games.registry import DEFAULT_GAME


class BadResults(GameError):
    """Results that cannot be read; the message names file, line and fault."""


@dataclass(frozen=True)
class Run:
    """What ratings and tables are made from."""

    bots: tuple[str, ...]
    """Every bot that takes part, in the order in which its host listed them."""
    games: tuple[Played, ...]
    """In the order of the schedule."""
    spent: tuple[Spent, ...] = ()
    game: str = DEFAULT_GAME

    def counts(self) -> tuple[int, ...]:
        """The player counts that were played, ascending."""
        return tuple(sorted({game.players for game in self.games}))

    def at(self, players: int) -> Run:
        """The games with that many players only; BadResults if there are none."""
        games = tuple(game for game in self.games if game.players == players)
        if not games:
            known = ", ".join(map(str, self.counts())) or "none"
            raise BadResults(f"no games with {players} players (player counts there are: {known})")
        numbers = {game.number for game in games}
        spent = tuple(one for one in self.spent if one.number in numbers)
        return replace(self, games=games, spent=spent)
