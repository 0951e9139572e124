"""Plays two bots against each other, deal by deal, until it is clear which is better.

Every deal is played twice with the seats swapped: each bot gets the other's seats and the same
random events. At more than two players, the bots fill the table as evenly as possible, in seats
drawn for each deal: at three players, one bot has one seat and the other two, and then the reverse.
One observation is what the first bot's seats won in the two games, minus what the second's won,
halved: 1 if it won both games, 0 if each bot won one, -1 if it lost both.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache
from random import Random

from arena.match.bot_factory import bot_factory, needs_name
from arena.match.referee import BotFault, run_game
from arena.match.repeat import fault_lines, repeat_command
from arena.match.start import Start
from arena.sandbox.bot_process import Limits
from arena.seeds import MOST_SEED, derive_seed
from arena.stats.game_record import GameRecord
from arena.stats.sequential_test import SequentialTest, Verdict
from arena.worker_processes import results_in_order, worker_pool
from bots.bot import Budget, Match
from bots.runtime.loading import BadBot
from games.errors import GameError
from games.registry import DEFAULT_GAME, Game
from games.registry import game as find_game


class ProcessLost(GameError):
    """A bot crashed the process it ran in."""


@dataclass(frozen=True)
class Pairing:
    """Which bots are compared, and how; everything a worker needs to know."""

    first: str
    second: str
    players: int = 2
    seed: int = 1
    budget: Budget = field(default_factory=Budget)
    rules: Game = field(default_factory=lambda: find_game(DEFAULT_GAME))
    start: Start | None = None
    """Where the games begin if not with the deal; the deal's seed then decides what follows."""
    isolate: bool = False
    """Whether every bot plays in its own process and sandbox."""
    limits: Limits = field(default_factory=Limits)
    """What bots in their own processes may use."""

    def deal_seed(self, deal: int) -> int:
        """The seed of a deal, small enough for `arena match`."""
        return derive_seed(self.seed, "compare", self.players, deal) % MOST_SEED

    def line_ups(self, deal: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Which bot, 0 or 1, has which seat in the two games of a deal."""
        rng = Random(derive_seed(self.deal_seed(deal), "line-up"))
        seats = rng.sample(range(self.players), self.players // 2)
        line_up = tuple(int(seat not in seats) for seat in range(self.players))
        return line_up, tuple(1 - bot for bot in line_up)


@dataclass(frozen=True)
class DealResult:
    """The result of the two games of a deal."""

    deal: int
    first: float
    """Games won by the first bot."""
    second: float
    faults: tuple[str, ...] = ()
    """Each in a few lines: what happened, where in the bot's code, and how to reproduce it."""

    @property
    def difference(self) -> float:
        return (self.first - self.second) / 2


@dataclass
class Comparison:
    """The results of a comparison so far."""

    pairing: Pairing
    test: SequentialTest
    most: int
    """Deals after which it ends without a verdict."""
    first: float = 0.0
    """Games won by the first bot."""
    second: float = 0.0
    faults: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict | None:
        """Whether the first bot is better, worse or equal; None if that is not clear."""
        return self.test.verdict

    @property
    def difference(self) -> float:
        """Wins of the first bot minus wins of the second, per game."""
        return self.test.mean

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the difference, valid whenever you stop."""
        return self.test.bounds()

    @property
    def deals(self) -> int:
        return self.test.seen

    @property
    def nobody(self) -> float:
        """Games that nobody won."""
        return 2 * self.deals - self.first - self.second

    @property
    def done(self) -> bool:
        return self.verdict is not None or self.deals >= self.most

    def add(self, result: DealResult) -> None:
        self.test.add(result.difference)
        self.test.bounds()  # after every deal, so that they only ever tighten
        self.first += result.first
        self.second += result.second
        self.faults += result.faults


def compare(
    a: str,
    b: str,
    *,
    players: int | None = None,
    deals: int = 4000,
    seed: int = 1,
    margin: float = 0.05,
    confidence: float = 0.95,
    game: str = DEFAULT_GAME,
    budget: Budget | None = None,
    workers: int | None = None,
    progress: Callable[[Comparison], object] | None = None,
) -> Comparison:
    """Find out whether bot `a` is better than bot `b`; stops as soon as the result is clear.

    `players` is the size of the table, by default the smallest the game allows. Without a clear
    result, play ends after `deals` deals of two games each. A difference below `margin` wins per
    game counts as equal. A verdict is wrong with probability 1 - `confidence` at most. `budget`
    limits bots that search. `workers` is the number of processes, by default one per core; it
    does not change the result. `progress` is called after every deal.

    Raises a `GameError` if a bot or a number is invalid.
    """
    rules = find_game(game)
    players = rules.min_players if players is None else players
    rules.check_players(players)
    if deals < 1:
        raise GameError(f"deals must be at least 1, not {deals}")
    for name, value in (("margin", margin), ("confidence", confidence)):
        if not 0 < value < 1:
            raise GameError(f"{name} must be between 0 and 1, not {value}")
    for bot in (a, b):
        if not isinstance(bot, str):
            raise BadBot(needs_name(bot, "compare plays in several processes"))
        bot_factory(bot, matches=[Match(rules.name, players)])
    pairing = Pairing(a, b, players, seed, budget or Budget(), rules)
    comparison = Comparison(pairing, SequentialTest(1 - confidence, margin), deals)
    with worker_pool(workers or os.cpu_count() or 1) as pool:
        for _ in play_deals(comparison, pool):
            if progress is not None:
                progress(comparison)
    return comparison


def play_deals(comparison: Comparison, pool: Executor | None) -> Iterator[Comparison]:
    """Play until the result is clear or the last deal is played; yields after every deal.

    Deals count in order, no matter which finishes first, so the result is the same for any number
    of workers.
    """
    tasks = ((comparison.pairing, deal) for deal in range(comparison.deals, comparison.most))
    for result in _results(tasks, pool):
        comparison.add(result)
        yield comparison
        if comparison.done:
            return


def _results(tasks: Iterator[tuple[Pairing, int]], pool: Executor | None) -> Iterator[DealResult]:
    try:
        yield from results_in_order(pool, play_deal, tasks)
    except BrokenProcessPool:
        raise ProcessLost(
            "one of the two bots crashed its process; with --isolate that is a lost game, and the "
            "report names the bot"
        ) from None


def play_deal(task: tuple[Pairing, int]) -> DealResult:
    """Play the two games of a deal. Runs in a worker."""
    pairing, deal = task
    names = pairing.first, pairing.second
    seed = pairing.deal_seed(deal)
    won = [0.0, 0.0]
    faults: list[str] = []
    for line_up in pairing.line_ups(deal):
        table = [_factory(names[bot], pairing.isolate, pairing.limits) for bot in line_up]
        opening = pairing.start.opening(seed) if pairing.start else None
        winners: tuple[int, ...] = ()
        faulty = None
        try:
            result = run_game(pairing.rules, table, seed, budget=pairing.budget, opening=opening)
            winners = result.winners
        except BotFault as fault:
            faulty = fault.seat
            seated = [factory.name for factory in table]
            words = pairing.start.words if pairing.start else ()
            name, budget = pairing.rules.name, pairing.budget
            command = repeat_command(
                seated,
                seed,
                name,
                {},
                budget,
                isolate=pairing.isolate,
                move_limit=pairing.limits.move,
                start=words,
            )
            faults.append("\n".join(fault_lines(fault, command)))
        seats = tuple(factory.name for factory in table)
        game = GameRecord(0, pairing.players, 0, seats, winners, (), 0, 0, faulty)
        for bot, share in zip(line_up, game.shares(), strict=True):
            won[bot] += share
    return DealResult(deal, won[0], won[1], tuple(faults))


_factory = cache(bot_factory)
