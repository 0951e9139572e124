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

from arena.config import League
from arena.journal import Journal
from arena.outcome import Broken, Finished, Outcome
from arena.pool import Pool
from arena.schedule import GameKey, game_count, games_of_round, round_count
from games.errors import GameError

AHEAD: Final = 4000
"""Games handed to the pool and not yet back, at most: enough to keep any number of cores busy."""

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
    """Share of first places of each bot: sum over its seats."""
    seats: Counter[str] = field(default_factory=Counter)
    """Seats each bot has had."""

    def count(self, seats: tuple[str, ...], winners: tuple[int, ...]) -> None:
        self.seats.update(seats)
        for winner in winners:
            self.points[seats[winner]] += 1 / len(winners)

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
    return all(sitting.play_round(number) for number in range(round_count(journal.league)))


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
        self.judge = Judge(self.league, faulty, {number for number, _ in journal.forfeits()})
        self.under_way: dict[int, GameKey] = {}
        self.unsaved: list[tuple[GameKey, Finished]] = []
        self.forfeits: list[tuple[int, str]] = []
        self.saved = monotonic()
        names = self.league.names
        self.progress = Progress(game_count(self.league), len(self.done), dict.fromkeys(names, 0.0))
        for game in journal.played():
            self.progress.count(game.seats, game.winners)

    def play_round(self, number: int) -> bool:
        """Whether the round is complete."""
        earlier = self.journal.played() if number else []
        missing, settling = tee(games_of_round(self.league, number, earlier))
        self.judge.open_round(settling)
        while self.wish() is Wish.GO_ON:
            self._hand_out(missing)
            self._take(self.pool.results(PATIENCE) if self.under_way else [])
            if not self.under_way:
                self._save()
                return True
            if monotonic() > self.saved + SAVE:
                self._save()
        self._wind_up()
        return False

    def _hand_out(self, missing: Iterator[GameKey]) -> None:
        """Supply the pool with games, those left out that a bot on probation forfeits."""
        order: list[GameKey] = []
        while len(self.under_way) < AHEAD and (key := next(missing, None)) is not None:
            if key.number in self.done:
                continue
            absent = self.judge.absent(key)
            if absent is None:
                order.append(key)
                self.under_way[key.number] = key
            else:
                self._forfeit([(key.number, absent)])
        if order:
            self.pool.submit(order)

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
            names = tuple(self.league.names[bot] for bot in key.seats)
            self.progress.count(names, outcome.winners)
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
            self._take(self.pool.results(PATIENCE))
        self._save()


class Judge:
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
        """The bot of this game that is on probation, if any."""
        limit = self.league.probation
        out = [bot for bot in key.seats if limit and self.counted[bot] >= limit]
        return self.league.names[out[0]] if out else None

    def settle(self, done: set[int]) -> list[tuple[int, str]]:
        """Go on through the schedule as far as games are done; those now found forfeited."""
        found: list[tuple[int, str]] = []
        while (key := self._next) is not None and key.number in done:
            absent = self.absent(key)
            if absent is None and key.number in self.faulty:
                self.counted[key.seats[self.faulty[key.number]]] += 1
            elif absent is not None and key.number not in self.forfeited:
                found.append((key.number, absent))
            self._next = next(self._keys, None)
        return found


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
