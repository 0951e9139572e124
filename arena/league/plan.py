"""Which games belong to a league, given the results of those played so far.

The plan goes through the schedule in order and decides which bots are disqualified. It depends on
the results alone, not on the order in which games finished or in which session they were played.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from arena.league.config import League
from arena.league.game_identity import GameIdentity
from arena.league.schedule import (
    OPEN_ENDED,
    GameKey,
    ScheduledDeal,
    deals_of_round,
    game_count,
    games_per_round,
    is_swiss,
    needs_results,
    rotations,
    round_count,
)
from arena.league.settling import Settling
from arena.stats.game_record import GameRecord

NO_FAULT: Final = -1
"""As the result of a game: no bot was at fault."""

Results = Mapping[bytes, int]
"""Identity of a game -> the seat at fault, or NO_FAULT."""


class Scheduled(NamedTuple):
    """A game of the league, its identity, and its round."""

    key: GameKey
    identity: bytes
    round: int
    counted: bool = True
    """False for a game that only shows why a bot was disqualified."""


class Disqualified(NamedTuple):
    """A bot that has left the league."""

    bot: int
    faults: int
    identity: bytes
    """The game of its last fault."""


@dataclass(frozen=True)
class Known:
    """What is known about a league from the games that are already played."""

    games: list[Scheduled]
    """Those that are played, as far as it follows from the results, then the evidence."""
    absent: list[Scheduled]
    """Those that are not."""
    disqualified: list[Disqualified]
    rounds: int
    """Complete rounds."""
    total: int
    """How many games the league has as far as can be known, or OPEN_ENDED."""
    complete: bool
    """Whether all games of the league are there."""

    @property
    def stored(self) -> int:
        """How many games of the league are there, without the evidence."""
        return sum(game.counted for game in self.games)


class Plan:
    """Goes through the games of a league; a bot with too many faults leaves, as if it had never
    been there.

    `take` returns the next game, whether it was played before or not, and `settle` goes through the
    results in the same order. When a bot is disqualified, the plan starts again without it: games
    between the others are found by their identity. Only in a Swiss league, where every pairing
    depends on all results before, the bot's games stay, and it is left out from the next round on.
    """

    def __init__(
        self,
        league: League,
        identity: GameIdentity,
        results: Results,
        records: Callable[[Sequence[Scheduled]], Sequence[GameRecord]],
        may_open: Callable[[int], bool] = lambda _: True,
    ) -> None:
        """`records`: looks up games that were played; `may_open`: may another round begin?"""
        self.league = league
        self.identity = identity
        self.results = results
        self.records = records
        self.may_open = may_open
        self.active = list(range(len(league.bots)))
        self.disqualified: list[Disqualified] = []
        self.evidence: list[Scheduled] = []
        """Games of disqualified bots up to their last fault."""
        self._totals: dict[tuple[int, ...], int] = {}
        self._start()

    def rewind(self) -> None:
        """Go back to the first game, with the bots that are still in the league."""
        if is_swiss(self.league):
            self.active = list(range(len(self.league.bots)))
            self.disqualified = []
        self._start()

    def _start(self) -> None:
        self.round = 0
        """Rounds opened so far."""
        self.taken = 0
        """Games taken so far."""
        self.missing = 0
        """Those of them that were not played when they were taken."""
        self._all_taken = False
        self._is_settled = False
        self._deal = 0
        self._round: Iterator[Scheduled] = iter(())
        self._open: deque[Scheduled] = deque()
        self._settled: list[Scheduled] = []
        self._fed = 0  # settled games whose results were used to make a round
        self._faults = Counter[int]()
        self._last_fault: dict[int, bytes] = {}
        self.settling = Settling(self.league, self.active) if self.league.until_settled else None

    def take(self) -> Scheduled | None:
        """The next game; None if there is none before more results are known, or at all."""
        while (game := next(self._round, None)) is None:
            if not self._open_round():
                self._all_taken = True
                return None
        self._open.append(game)
        self.taken += 1
        self.missing += game.identity not in self.results
        return game

    def _open_round(self) -> bool:
        number = self.round
        if number >= round_count(self.league) or not self.may_open(number):
            return False
        if needs_results(self.league) and self._open:
            return False
        if is_swiss(self.league):
            self._withdraw()
        deals = self._deals(number)
        if self.settling is not None and not deals:
            self._is_settled = True
            return False
        self._round = self._games(number, deals)
        self._all_taken = False
        self.round += 1
        return True

    def _deals(self, number: int) -> list[ScheduledDeal]:
        if self.settling is not None:
            news = self._settled[self._fed :]
            self._fed = len(self._settled)
            return self.settling.next_deals(self.records(news))
        earlier = self.records(self._settled) if needs_results(self.league) else ()
        return list(deals_of_round(self.league, self.active, number, earlier))

    def _games(self, number: int, deals: Sequence[ScheduledDeal]) -> Iterator[Scheduled]:
        names = self.league.names
        game = self.taken
        for deal in deals:
            for seats in rotations(deal.seats):
                key = GameKey(game, deal.players, self._deal, deal.seed, seats)
                identity = self.identity.of(deal.seed, tuple(names[bot] for bot in seats))
                yield Scheduled(key, identity, number)
                game += 1
            self._deal += 1

    def settle(self) -> Disqualified | None:
        """Go on through the results; returns the first bot that must leave, if any."""
        while self._open and self._open[0].identity in self.results:
            game = self._open.popleft()
            self._settled.append(game)
            seat = self.results[game.identity]
            if seat == NO_FAULT:
                continue
            bot = game.key.seats[seat]
            self._faults[bot] += 1
            self._last_fault[bot] = game.identity
            if self._faults[bot] == self.league.probation and not is_swiss(self.league):
                return self._disqualify(bot)
        return None

    def _disqualify(self, bot: int) -> Disqualified:
        self._leave(bot)
        self.evidence += [
            game._replace(counted=False) for game in self._settled if bot in game.key.seats
        ]
        self._start()
        return self.disqualified[-1]

    def _withdraw(self) -> None:
        """In a Swiss league: leave out bots with too many faults from now on."""
        limit = self.league.probation
        for bot in [bot for bot in self.active if limit and self._faults[bot] >= limit]:
            self._leave(bot)

    def _leave(self, bot: int) -> None:
        self.active.remove(bot)
        self.disqualified.append(Disqualified(bot, self._faults[bot], self._last_fault[bot]))

    @property
    def complete(self) -> bool:
        """Whether all games have been taken and settled."""
        return self._all_taken and not self._open and not self._more_rounds()

    def _more_rounds(self) -> bool:
        return (
            not self._is_settled
            and self.round < round_count(self.league)
            and self.may_open(self.round)
        )

    def total(self) -> int:
        """How many games the league has as far as can be known."""
        if self.settling is not None:
            return self.taken if self.complete else OPEN_ENDED
        left = round_count(self.league) - self.round
        if is_swiss(self.league) and self.round:
            return self.taken + left * games_per_round(self.league, self.active)
        bots = tuple(self.active)
        if bots not in self._totals:
            self._totals[bots] = game_count(self.league, bots)
        return self._totals[bots]


def catch_up(plan: Plan) -> Known:
    """Go through a plan as far as the results go, and say what that shows; the plan is rewound.

    Ask the answer, not the plan: rewound, it no longer knows its end or who left a Swiss league.
    """
    known: list[Scheduled] = []
    others: list[Scheduled] = []
    progress = True
    while progress:
        progress = False
        while (game := plan.take()) is not None:
            progress = True
            if game.identity in plan.results:
                known.append(game)
            else:
                others.append(game)
        if plan.settle() is not None:
            known = []
            others.clear()
            progress = True
    known += numbered_evidence(plan)
    rounds = plan.round - bool(plan.missing)
    whole = Known(known, others, [*plan.disqualified], rounds, plan.total(), plan.complete)
    plan.rewind()
    return whole


def numbered_evidence(plan: Plan) -> list[Scheduled]:
    """The evidence, numbered after the games that count."""
    first = plan.total()
    return [
        game._replace(key=game.key._replace(number=first + place))
        for place, game in enumerate(plan.evidence)
    ]


def first_games(league: League) -> list[Scheduled]:
    """The games that follow from the config alone; of a Swiss league, those of its first round."""
    plan = Plan(league, GameIdentity(league), {}, lambda _games: ())
    games = []
    while (game := plan.take()) is not None:
        games.append(game)
    return games
