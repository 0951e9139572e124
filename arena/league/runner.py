"""Plays a league: hands missing games to a pool, saves the results, disqualifies faulty bots.

The journal's content depends on the league alone: not on the number of workers, the order in which
they finish, or how often the league was stopped.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import tee
from time import monotonic
from typing import Final

from arena.league.config import League
from arena.league.disqualification import Disqualifications
from arena.league.journal import Journal
from arena.league.outcome import Crashed, Finished, Outcome
from arena.league.pool import Pool, PoolBroken
from arena.league.schedule import GameKey, game_count, games_of_round, round_count
from arena.league.worker import command_of
from arena.stats.game_record import GameRecord
from arena.stats.trueskill_ratings import all_ratings
from games.errors import GameError

SAVE_EVERY: Final = 0.25
"""Seconds between writes of results; a power failure costs at most that much."""

POLL: Final = 0.1  # seconds between updates of the progress display and checks for Ctrl-C


class StopRequest(Enum):
    """Whether the user wants to stop the league."""

    NONE = 0
    FINISH = 1
    """Finish the games under way, then stop."""
    NOW = 2


class GameCrashed(GameError):
    """The rules or the arena failed in a game; no bot is to blame, and the league cannot resume."""


@dataclass
class LeagueProgress:
    """How far a league has come."""

    total: int
    done: int
    points: dict[str, float]
    """Games won by each bot, summed over its seats."""
    seats: Counter[str] = field(default_factory=Counter)
    """Seats each bot has had."""

    def count(self, game: GameRecord) -> None:
        self.seats.update(game.seats)
        for name, share in zip(game.seats, game.shares(), strict=True):
            self.points[name] += share

    def leaders(self) -> list[tuple[str, float]]:
        """Bots and their share of wins, best first."""
        shares = [(name, won / max(1, self.seats[name])) for name, won in self.points.items()]
        return sorted(shares, key=lambda entry: -entry[1])


Show = Callable[[LeagueProgress], object]
Stop = Callable[[], StopRequest]


def play_league(journal: Journal, pool: Pool, show: Show, stop: Stop) -> bool:
    """Play the missing games; returns whether the league is complete. Does not close the pool."""
    session = _Session(journal, pool, show, stop)
    complete = all(session.play_round(number) for number in range(round_count(journal.league)))
    if complete:
        save_ratings(journal)
    return complete


def save_ratings(journal: Journal) -> None:
    """Save the ratings of a complete league, unless they are saved already."""
    if not journal.ratings():
        journal.save_ratings(all_ratings(journal.played(), journal.league.names))


class _Session:
    """Plays from a start or resumption to the end or a stop."""

    def __init__(self, journal: Journal, pool: Pool, show: Show, stop: Stop) -> None:
        self.journal = journal
        self.league = journal.league
        self.pool = pool
        self.show = show
        self.stop = stop
        self.done = journal.numbers()
        faulty = {number: fault.seat for number, _, fault in journal.faults()}
        forfeited = {number for number, _ in journal.forfeits()}
        self.disqualifications = Disqualifications(self.league, faulty, forfeited)
        self.under_way: dict[int, GameKey] = {}
        self.unsaved: list[tuple[GameKey, Finished]] = []
        self.forfeits: list[tuple[int, str]] = []
        self.saved_at = monotonic()
        points = dict.fromkeys(self.league.names, 0.0)
        self.progress = LeagueProgress(game_count(self.league), len(self.done), points)
        for game in journal.each_played():
            self.progress.count(game)

    def play_round(self, number: int) -> bool:
        """Play one round; returns whether it is complete."""
        earlier = self.journal.played() if number else []
        missing, settling = tee(games_of_round(self.league, number, earlier))
        self.disqualifications.open_round(settling)
        while self.stop() is StopRequest.NONE:
            more = self._submit(missing)
            self._take(self._results() if self.under_way else [])
            if not more and not self.under_way:
                self._save()
                return True
            if monotonic() > self.saved_at + SAVE_EVERY:
                self._save()
        self._finish()
        return False

    def _submit(self, missing: Iterator[GameKey]) -> bool:
        """Fill the pool, skipping forfeited games; returns whether there may be more to play."""
        batch: list[GameKey] = []
        room = self.pool.room()
        while len(batch) < room and (key := next(missing, None)) is not None:
            if key.number in self.done:
                continue
            disqualified = self.disqualifications.forfeited_by(key)
            if disqualified is None:
                batch.append(key)
            else:
                self._forfeit([(key.number, disqualified)])
        self.under_way.update((key.number, key) for key in batch)
        self.pool.submit(batch)
        return len(batch) == room

    def _results(self) -> list[Outcome]:
        """The pool's results; if it fails, what it had finished before is saved."""
        try:
            return self.pool.results(POLL)
        except PoolBroken:
            self._save()
            raise

    def _take(self, outcomes: list[Outcome]) -> None:
        """Take in outcomes, and show the progress."""
        for outcome in outcomes:
            key = self.under_way.pop(outcome.number)
            if isinstance(outcome, Crashed):
                self._save()
                raise GameCrashed(crash_report(self.league, key, outcome.problem))
            self.unsaved.append((key, outcome))
            self.done.add(key.number)
            if outcome.fault is not None:
                self.disqualifications.faulty[key.number] = outcome.fault.seat
            self.progress.count(record_of(self.league, key, outcome))
        self._forfeit(self.disqualifications.settle(self.done))
        self.progress.done = len(self.done)
        self.show(self.progress)

    def _forfeit(self, games: list[tuple[int, str]]) -> None:
        self.forfeits += games
        for number, _ in games:
            self.done.add(number)
            self.disqualifications.forfeited.add(number)

    def _save(self) -> None:
        if self.unsaved or self.forfeits:
            self.journal.add(self.unsaved, self.forfeits)
        self.unsaved, self.forfeits = [], []
        self.saved_at = monotonic()

    def _finish(self) -> None:
        """Wait for the games under way, unless the user wants to stop now."""
        self.pool.finish()
        while self.pool.busy() and self.stop() is not StopRequest.NOW:
            self._take(self._results())
        self._save()


def record_of(league: League, key: GameKey, outcome: Finished) -> GameRecord:
    """The game in the form that ratings and tables use."""
    names = tuple(league.names[bot] for bot in key.seats)
    _, winners, roles, first, decisions, turns = outcome[:6]
    faulty = None if outcome.fault is None else outcome.fault.seat
    return GameRecord(*key[:3], names, winners, roles, decisions, turns, faulty, first)


def crash_report(league: League, key: GameKey, problem: str) -> str:
    """What failed, with the command that reproduces it."""
    return (
        f"game {key.number} crashed, and no bot is to blame: {problem}\n"
        f"to reproduce it: {command_of(league, key)}"
    )
