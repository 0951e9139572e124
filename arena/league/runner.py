"""Plays a league: hands missing games to a pool, saves the results, disqualifies faulty bots.

The journal's content depends on the league alone: not on the number of workers, the order in which
they finish, or how often the league was stopped.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from time import monotonic
from typing import Final

from arena.league.config import MOST_DEALS, League
from arena.league.journal import Journal, plan_of
from arena.league.outcome import Crashed, Finished, Outcome
from arena.league.plan import NO_FAULT, Disqualified, Known, Scheduled, catch_up
from arena.league.pool import Pool, PoolBroken
from arena.league.schedule import OPEN_ENDED, GameKey, is_swiss
from arena.league.worker import command_of
from arena.stats.game_record import GameRecord
from arena.stats.trueskill_ratings import all_ratings
from games.errors import GameError
from games.wording import counted

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
    """Games won by each bot that takes part, summed over its seats."""
    seats: Counter[str] = field(default_factory=Counter)
    """Seats each bot has had."""
    seconds_left: Callable[[], float] | None = None
    """Time left, if the league ends by time."""
    status: str = ""
    """What else there is to say about the progress."""
    open_ended: bool = False
    """Whether more games than `total` may follow."""

    def count(self, game: GameRecord) -> None:
        self.seats.update(game.seats)
        for name, share in zip(game.seats, game.shares(), strict=True):
            if name in self.points:
                self.points[name] += share

    def leaders(self) -> list[tuple[str, float]]:
        """Bots and their share of wins, best first."""
        shares = [(name, won / max(1, self.seats[name])) for name, won in self.points.items()]
        return sorted(shares, key=lambda entry: -entry[1])


Show = Callable[[LeagueProgress], object]
Stop = Callable[[], StopRequest]


def play_league(
    journal: Journal,
    pool: Pool,
    show: Show,
    stop: Stop,
    say: Callable[[str], object] = lambda _text: None,
    seconds: float | None = None,
) -> bool:
    """Play the missing games; returns whether it came to an end. Does not close the pool.

    That is: the league is complete or the time is up, and not that the user stopped it.

    `say` is told what happens to the league as a whole. With `seconds`, the number of deals is not
    the config's: complete rounds are played until the time is up. A league that is played until
    its order is settled is not complete if the time is up before, and can be resumed.
    """
    return _Session(journal, pool, show, stop, say, seconds).play()


def known_games(journal: Journal) -> Known:
    """Which of the league's games are stored, and which are missing; nothing is written."""
    return catch_up(plan_of(journal))


def bring_up_to_date(journal: Journal) -> Known:
    """Let the file say what follows from its games, whatever it said before.

    They are numbered, and who is disqualified is noted. If none is missing the league ends here,
    with its ratings and its seed; only a complete league has them.
    """
    known = known_games(journal)
    journal.set_schedule(known.games, known.disqualified)
    if known.complete:
        save_ratings(journal)
    elif journal.ratings():
        journal.save_ratings([])  # they were those of a smaller league
    return known


def save_ratings(journal: Journal) -> None:
    """Save the ratings of a complete league, unless they are saved already; reveal its seed."""
    if not journal.ratings():
        journal.save_ratings(all_ratings(journal.played(), journal.taking_part()))
    journal.reveal()


class _Session:
    """Plays from a start or resumption to the end or a stop."""

    def __init__(
        self,
        journal: Journal,
        pool: Pool,
        show: Show,
        stop: Stop,
        say: Callable[[str], object],
        seconds: float | None,
    ) -> None:
        self.journal = journal
        self.pool = pool
        self.show = show
        self.stop = stop
        self.say = say
        self.clock = None if seconds is None else RoundClock(seconds)
        if self.clock is not None and not journal.league.until_settled:
            journal.set_league(replace(journal.league, deals=MOST_DEALS))
        self.league = journal.league
        self.results = journal.stored()
        self.plan = plan_of(journal, self.results, self._records)
        self.under_way: dict[int, Scheduled] = {}
        self.unsaved: list[tuple[Scheduled, Finished]] = []
        self.reused: list[Scheduled] = []
        self.saved_at = monotonic()
        self._catch_up()

    def _catch_up(self) -> None:
        """Find which games of the plan are stored, and number them."""
        if self.clock is not None:
            self.plan.may_open = lambda _round: not self.plan.missing
        known = catch_up(self.plan)
        self.journal.set_schedule(known.games, known.disqualified)
        self.noted = len(known.disqualified)
        self.numbered = {game.key.number for game in known.games if game.counted}
        points = dict.fromkeys(self.journal.taking_part(), 0.0)
        self.progress = LeagueProgress(0, len(self.numbered), points)
        self._tell_total()
        for game in self.journal.each_played():
            self.progress.count(game)
        if self.clock is not None:
            self.plan.may_open = self.clock.may_open
            self.clock.known = known.rounds
            self.progress.seconds_left = self.clock.left

    def play(self) -> bool:
        """Play until the end or until the user stops it; returns whether it came to an end."""
        while self.stop() is StopRequest.NONE:
            self._submit()
            self._take(self._results() if self.under_way else [])
            if (out := self.plan.settle()) is not None:
                self._disqualify(out)
            elif self.plan.complete:
                self._save()
                self._wrap_up()
                if self.progress.open_ended:
                    self.progress.open_ended = False
                    self.show(self.progress)
                return True
            elif monotonic() > self.saved_at + SAVE_EVERY:
                self._save()
        return self._finish()

    def _submit(self) -> None:
        """Fill the pool with games that are not stored."""
        batch: list[Scheduled] = []
        room = self.pool.room()
        while len(batch) < room and (game := self.plan.take()) is not None:
            if game.identity not in self.results:
                batch.append(game)
            elif game.key.number not in self.numbered:
                self.reused.append(game)
                self.numbered.add(game.key.number)
        self._note_withdrawn()
        self.under_way.update((game.key.number, game) for game in batch)
        self.pool.submit([game.key for game in batch])

    def _note_withdrawn(self) -> None:
        """Bots that have left a Swiss league, which they do when a round opens."""
        out = self.plan.disqualified
        for each in out[self.noted :]:
            self._announce(each)
        if len(out) > self.noted:
            self.journal.set_disqualified(out)
            self.noted = len(out)

    def _results(self) -> list[Outcome]:
        """The pool's results; if it fails, what it had finished before is saved."""
        try:
            return self.pool.results(POLL)
        except PoolBroken:
            self._save()
            raise

    def _take(self, outcomes: list[Outcome]) -> None:
        """Take in outcomes, and show the progress."""
        self._take_in(outcomes)
        self.progress.done = len(self.numbered)
        self._tell_total()
        self.show(self.progress)

    def _take_in(self, outcomes: list[Outcome]) -> None:
        for outcome in outcomes:
            game = self.under_way.pop(outcome.number)
            if isinstance(outcome, Crashed):
                self._save()
                raise GameCrashed(crash_report(self.league, game.key, outcome.problem))
            self.unsaved.append((game, outcome))
            self.numbered.add(game.key.number)
            fault = outcome.fault
            self.results[game.identity] = NO_FAULT if fault is None else fault.seat
            self.progress.count(record_of(self.league, game.key, outcome))

    def _tell_total(self) -> None:
        """Of an open-ended league, the games it has come to so far.

        When it is resumed, the plan goes through those that are stored once more.
        """
        total = self.plan.total()
        if self.clock or total == OPEN_ENDED:
            self.progress.open_ended = True
            total = max(self.plan.taken, len(self.numbered))
        self.progress.total = total
        if self.plan.settling is not None:
            self.progress.status = f"{counted(self.plan.settling.open_pairs(), 'pair')} open"

    def _disqualify(self, out: Disqualified) -> None:
        """A bot leaves: finish what is under way, then go on with the schedule of the others.

        These games are of the old schedule, so they do not count towards the progress. With them
        the next bot may have too many faults.
        """
        self._announce(out)
        known = len(self.plan.disqualified)
        while self.under_way and self.stop() is not StopRequest.NOW:
            self._take_in(self._results())
        self._save()
        if not self.under_way:
            self._catch_up()
            for more in self.plan.disqualified[known:]:
                self._announce(more)

    def _announce(self, out: Disqualified) -> None:
        name = self.league.names[out.bot]
        effect = "its games no longer count"
        if is_swiss(self.league):
            effect = "it is left out from now on"
        self.say(f"{name} is disqualified after {counted(out.faults, 'fault')}; {effect}")

    def _records(self, games: Sequence[Scheduled]) -> list[GameRecord]:
        self._save()
        return self.journal.records(games)

    def _save(self) -> None:
        if self.unsaved:
            self.journal.add(self.unsaved)
        if self.reused:
            self.journal.add_scheduled(self.reused)
        self.unsaved, self.reused = [], []
        self.saved_at = monotonic()

    def _wrap_up(self) -> bool:
        """Let the file say what the league came to; returns whether it is complete.

        Time is not part of the league: one whose order was to be settled goes on when it is
        resumed, any other has as many deals as there was time for.
        """
        if self.clock is not None and not self.league.until_settled:
            self.journal.set_league(replace(self.league, deals=max(1, self.plan.round)))
        return bring_up_to_date(self.journal).complete

    def _finish(self) -> bool:
        """Wait for the games under way, unless the user wants to stop now."""
        self.pool.finish()
        while self.pool.busy() and self.stop() is not StopRequest.NOW:
            self._take(self._results())
        self._save()
        return self._wrap_up()


class RoundClock:
    """Decides whether another round may begin: the time must not be up before it ends."""

    def __init__(self, seconds: float) -> None:
        self.began = monotonic()
        self.until = self.began + seconds
        self.known = 0
        """Rounds that were played before."""

    def may_open(self, number: int) -> bool:
        """The first new round is always played; then a round must take no longer than the mean."""
        now = monotonic()
        played = number - self.known
        return played <= 0 or now + (now - self.began) / played <= self.until

    def left(self) -> float:
        return max(0.0, self.until - monotonic())


def record_of(league: League, key: GameKey, outcome: Finished) -> GameRecord:
    """The game in the form that ratings and tables use."""
    names = tuple(league.names[bot] for bot in key.seats)
    _, winners, roles, first, decisions, turns = outcome[:6]
    faulty = None if outcome.fault is None else outcome.fault.seat
    return GameRecord(*key[:3], names, winners, roles, decisions, turns, faulty, first)


def crash_report(league: League, key: GameKey, problem: str) -> str:
    """What failed, with the command that reproduces it."""
    return (
        f"a game crashed, and no bot is to blame: {problem}\n"
        f"to reproduce it: {command_of(league, key)}"
    )
