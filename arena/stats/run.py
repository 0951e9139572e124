"""The results of a run: its bots, games and times, from which ratings and tables are computed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from arena.stats.game_record import GameRecord, TimeSpent
from games.errors import GameError
from games.registry import DEFAULT_GAME


class BadResults(GameError):
    """Results that cannot be read; the message names the file, the line and the problem."""


@dataclass(frozen=True)
class Run:
    """Bots, games and times."""

    bots: tuple[str, ...]
    """All bots that take part, in the order of the config."""
    games: tuple[GameRecord, ...]
    """In schedule order."""
    spent: tuple[TimeSpent, ...] = ()
    game: str = DEFAULT_GAME
    rounds: Mapping[int, int] = field(default_factory=dict, compare=False)
    """Game number -> round from 0, in a Swiss league; empty in others."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """Sentences for the foot of the table, such as who was disqualified and why."""
    deserted: bool = field(default=False, compare=False)
    """Whether those that were disqualified leave the others nobody to play against."""

    def counts(self) -> tuple[int, ...]:
        """The player counts of the games, ascending."""
        return tuple(sorted({game.players for game in self.games}))

    def empty_text(self) -> str:
        """What is said instead of a table if there are no games, and why, as far as is known."""
        if not self.notes:
            return "No games have been played yet."
        head = "No games that count have been played yet."
        if self.deserted:
            left = {0: "No bot is left", 1: "Only one bot is left"}
            why = left.get(len(self.bots), "The bot of the gauntlet has left")
            head = f"{why}, so there are no games to play."
        return "\n".join((head, *self.notes))

    def fault_counts(self) -> dict[str, int]:
        """The number of games that each bot lost by a fault."""
        faults = Counter(game.seats[game.faulty] for game in self.games if game.faulty is not None)
        return {bot: faults[bot] for bot in self.bots}

    def at(self, players: int) -> Self:
        """Only the games with that many players; BadResults if there are none."""
        games = tuple(game for game in self.games if game.players == players)
        if not games:
            known = ", ".join(map(str, self.counts())) or "none"
            raise BadResults(f"there are no games with {players} players, only with {known}")
        numbers = {game.number for game in games}
        spent = tuple(time for time in self.spent if time.number in numbers)
        return replace(self, games=games, spent=spent)
