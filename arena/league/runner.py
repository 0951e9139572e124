"""Plays a league: hands out the games that are missing, keeps what comes back, judges faults.

What ends up in the journal depends on the league alone, not on how many workers there are, in which
order they finish or how often the league was stopped.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import tee
from time import monotonic
from typing import Final

from arena.league.config import League
from arena.league.journal import Journal
from arena.league.outcome import Broken, Finished, Outcome
from arena.league.pool import Pool, PoolBroken
from arena.league.schedule import GameKey, game_count, games_of_round, round_count
from arena.stats.game_record import Played
from arena.stats.trueskill_ratings import rated
from games.errors import GameError

SAVE: Final = 0.25
"""Seconds of results that are written down at once: what a power failure may cost."""

PATIENCE: Final = 0.1
"""Seconds until progress is shown and Ctrl-C is noticed."""


class Wish(Enum):
    """What the person at the keyboard wants."""

    GO_ON = 0
    FINISH = 1
    """Finish the games under way, and stop."""
    STOP = 2
    """Stop now."""


class RulesBroken(GameError):
    """The rules failed in a game; no bot is to blame, and the league cannot go on."""


@dataclass
class Progress:
    """How far a league has come, for whoever shows it."""

    total: int
    done: int
    points: dict[str, float]
    """What each bot has won, added up over its seats."""
    seats: Counter[str] = field(default_factory=Counter)
    """Seats each bot has had."""

    def count(self, game: Played) -> None:
        self.seats.update(game.seats)
        for name, share in zip(game.seats, game.shares(), strict=True):
            self.points[name] += share

    def leaders(self) -> list[tuple[str, float]]:
        """Bots and their share of wins, best first."""
        shares = [(name, won / max(1, self.seats[name])) for name, won in self.points.items()]
        return sorted(shares, key=lambda one: -one[1])


def play_league(
    journal: Journal,
    pool: Pool,
    show: Callable[[Progress], object],
    wish: Callable[[], Wish],
) -> bool:
    """Play what is missing; whether the league is complete. The pool is left to its owner."""
    sitting = _Sitting(journal, pool, show, wish)
    complete = all(sitting.play_round(number) for number in range(round_count(journal.league)))
    if complete:
        rate(journal)
    return complete


def rate(journal: Journal) -> None:
    """Note the ratings of a complete league, unless that was done."""
    if not journal.ratings():
        journal.keep_ratings(rated(journal.played(), journal.league.names))


class _Sitting:
    """One stretch of playing, from a start or resumption to the end or a stop."""

    def __init__(
        self,
        journal: Journal,
        pool: Pool,
        show: Callable[[Progress], object],
        wish: Callable[[], Wish],
    ) -> None:
        self.journal = journal
        self.league = journal.league
        self.pool = pool
        self.show = show
        self.wish = wish
        self.done = journal.numbers()
        faulty = {number: fault.seat for number, _, fault in journal.faults()}
        self.judge = Disqualifications(
            self.league, faulty, {number for number, _ in journal.forfeits()}
        )
        self.under_way: dict[int, GameKey] = {}
        self.unsaved: list[tuple[GameKey, Finished]] = []
        self.forfeits: list[tuple[int, str]] = []
        self.saved = monotonic()
        names = self.league.names
        self.progress = Progress(game_count(self.league), len(self.done), dict.fromkeys(names, 0.0))
        for game in journal.each_played():
            self.progress.count(game)

    def play_round(self, number: int) -> bool:
        """Whether the round is complete."""
        earlier = self.journal.played() if number else []
        missing, settling = tee(games_of_round(self.league, number, earlier))
        self.judge.open_round(settling)
        while self.wish() is Wish.GO_ON:
            more = self._hand_out(missing)
            self._take(self._results() if self.under_way else [])
            if not more and not self.under_way:
                self._save()
                return True
            if monotonic() > self.saved + SAVE:
                self._save()
        self._wind_up()
        return False

    def _hand_out(self, missing: Iterator[GameKey]) -> bool:
        """Supply the pool, leaving out what a bot on probation forfeits; whether more may come."""
        order: list[GameKey] = []
        room = self.pool.room()
        while len(order) < room:
            key = next(missing, None)
            if key is None:
                break
            if key.number in self.done:
                continue
            absent = self.judge.absent(key)
            if absent is None:
                order.append(key)
            else:
                self._forfeit([(key.number, absent)])
        self.under_way.update((key.number, key) for key in order)
        self.pool.submit(order)
        return len(order) == room

    def _results(self) -> list[Outcome]:
        """What the pool has finished; what it had finished before it broke is kept."""
        try:
            return self.pool.results(PATIENCE)
        except PoolBroken:
            self._save()
            raise

    def _take(self, found: list[Outcome]) -> None:
        """Judge what has come back, and show how far that brings the league."""
        for outcome in found:
            key = self.under_way.pop(outcome.number)
            if isinstance(outcome, Broken):
                self._save()
                raise RulesBroken(reproduction(self.league, key, outcome.problem))
            self.unsaved.append((key, outcome))
            self.done.add(key.number)
            self.judge.note(key, outcome)
            self.progress.count(played(self.league, key, outcome))
        self._forfeit(self.judge.settle(self.done))
        self.progress.done = len(self.done)
        self.show(self.progress)

    def _forfeit(self, games: list[tuple[int, str]]) -> None:
        self.forfeits += games
        for number, _ in games:
            self.done.add(number)
            self.judge.forfeited.add(number)

    def _save(self) -> None:
        """Write down everything that is not written down yet."""
        if self.unsaved or self.forfeits:
            self.journal.add(self.unsaved, self.forfeits)
        self.unsaved, self.forfeits = [], []
        self.saved = monotonic()

    def _wind_up(self) -> None:
        """Let the games under way come to an end, unless even that is too long."""
        self.pool.finish()
        while self.pool.busy() and self.wish() is not Wish.STOP:
            self._take(self._results())
        self._save()


class Disqualifications:
    """Puts bots on probation that break down too often.

    A game is forfeited if one of its bots has had its fill of faults in the games before it *in the
    schedule*. Games come back in any order, so some are played in vain, and taken out again.
    """

    def __init__(self, league: League, faulty: dict[int, int], forfeited: set[int]) -> None:
        self.league = league
        self.faulty = faulty
        """Game -> the seat whose bot broke down."""
        self.forfeited = forfeited
        """Games already known to be forfeited."""
        self.counted = Counter[int]()
        """Faults of each bot in the games settled so far."""
        self.out: list[int] = []
        """Bots on probation, in the order in which they got there."""
        self._keys: Iterator[GameKey] = iter(())
        self._next: GameKey | None = None

    def open_round(self, keys: Iterator[GameKey]) -> None:
        """Begin with a round; the one before is settled."""
        self._keys = keys
        self._next = next(keys, None)

    def note(self, key: GameKey, found: Finished) -> None:
        if found.fault is not None:
            self.faulty[key.number] = found.fault.seat

    def absent(self, key: GameKey) -> str | None:
        """The bot of this game that is on probation, if any; of several the first to get there.

        So the answer is the same as soon as there is one, whoever joins that bot later.
        """
        for bot in self.out:
            if bot in key.seats:
                return self.league.names[bot]
        return None

    def settle(self, done: set[int]) -> list[tuple[int, str]]:
        """Go on through the schedule as far as games are done; those now found forfeited."""
        found: list[tuple[int, str]] = []
        while (key := self._next) is not None and key.number in done:
            absent = self.absent(key)
            if absent is None and key.number in self.faulty:
                bot = key.seats[self.faulty[key.number]]
                self.counted[bot] += 1
                if self.counted[bot] == self.league.probation:
                    self.out.append(bot)
            elif absent is not None and key.number not in self.forfeited:
                found.append((key.number, absent))
            self._next = next(self._keys, None)
        return found


def played(league: League, key: GameKey, found: Finished) -> Played:
    """The game as ratings and tables see it."""
    return Played(
        key.number,
        key.players,
        key.deal,
        tuple(league.names[bot] for bot in key.seats),
        found.winners,
        found.roles,
        found.decisions,
        found.turns,
        None if found.fault is None else found.fault.seat,
        found.first,
    )


def reproduction(league: League, key: GameKey, problem: str) -> str:
    """The rules' fault in words, with the command that shows it again."""
    words = ["arena", "match", *(league.bots[bot].bot for bot in key.seats)]
    words += ["--seed", str(key.seed), "--game", league.game]
    for name, value in league.options.items():
        words += ["--option", f"{name}={value}"]
    if league.iterations:
        words += ["--iterations", str(league.iterations)]
    if league.seconds_per_move:
        words += ["--seconds", str(league.seconds_per_move)]
    return (
        f"game {key.number} could not go on, and no bot is to blame: {problem}\n"
        f"to see it again: {shlex.join(words)}"
    )
