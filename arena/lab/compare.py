"""Plays two bots against each other, deal by deal, until it is clear which is better.

A deal is played twice with the seats swapped: where the one sat, the other sits, with the same
luck. At two players that is all. At more, the two bots fill the table, as evenly as it goes, in
seats drawn for each deal: at three players one bot has one seat and the other two, and then the
reverse. What the first bot's seats won of the two games minus what the other's won, halved, is one
observation: 1 if it won both games, 0 if each won one, -1 if it lost both.
"""

from __future__ import annotations

import shlex
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from random import Random
from typing import Final

from arena.match.bot_factory import bot_factory
from arena.match.referee import BotFactory, BotFault, play_game
from arena.seeds import MOST_SEED, derive_seed
from arena.stats.game_record import Played
from arena.stats.sequential_test import Comparison
from bots.bot import Budget
from games.errors import GameError
from games.registry import DEFAULT_GAME, Game, game

AHEAD: Final = 64
"""Deals handed to the workers at a time."""


class ProcessLost(GameError):
    """A bot did not only fail but took its process with it."""


@dataclass(frozen=True)
class Pairing:
    """Who is compared with whom, and how; all that a worker needs to know."""

    first: str
    second: str
    players: int = 2
    seed: int = 1
    budget: Budget = field(default_factory=Budget)
    rules: Game = field(default_factory=lambda: game(DEFAULT_GAME))

    def deal_seed(self, deal: int) -> int:
        """The seed of a deal, small enough for `arena match` to play it again."""
        return derive_seed(self.seed, "compare", self.players, deal) % MOST_SEED

    def line_ups(self, deal: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Which bot, 0 or 1, sits where in the two games of a deal."""
        rng = Random(derive_seed(self.deal_seed(deal), "line-up"))
        taken = rng.sample(range(self.players), self.players // 2)
        one = tuple(int(seat not in taken) for seat in range(self.players))
        return one, tuple(1 - bot for bot in one)


@dataclass(frozen=True)
class Block:
    """What came of one deal."""

    deal: int
    first: float
    """What the first bot won of its two games."""
    second: float
    faults: tuple[str, ...] = ()

    @property
    def difference(self) -> float:
        return (self.first - self.second) / 2


def play_block(task: tuple[Pairing, int]) -> Block:
    """Play the two games of one deal. Runs in a worker."""
    pairing, deal = task
    names = pairing.first, pairing.second
    seed = pairing.deal_seed(deal)
    won = [0.0, 0.0]
    faults: list[str] = []
    for line_up in pairing.line_ups(deal):
        table = [_entrant(names[bot]) for bot in line_up]
        shares, fault = _play(pairing.rules, table, seed, pairing.budget)
        for bot, share in zip(line_up, shares, strict=True):
            won[bot] += share
        if fault:
            faults.append(f"{fault} (to see it again: {_again(pairing, table, seed)})")
    return Block(deal, won[0], won[1], tuple(faults))


_entrant = cache(bot_factory)


def _play(
    rules: Game, table: list[BotFactory], seed: int, budget: Budget
) -> tuple[tuple[float, ...], str]:
    """What every seat won of a game, and the fault that ended it, if one did."""
    winners: tuple[int, ...] = ()
    faulty, fault = None, ""
    try:
        winners = play_game(rules, table, seed, budget=budget).winners
    except BotFault as error:
        faulty, fault = error.seat, str(error)
    names = tuple(bot_factory.name for bot_factory in table)
    return Played(0, len(table), 0, names, winners, (), 0, 0, faulty).shares(), fault


def _again(pairing: Pairing, table: list[BotFactory], seed: int) -> str:
    """The command that plays a game once more."""
    budget = pairing.budget
    names = [bot_factory.name for bot_factory in table]
    words = ["arena", "match", *names, "--seed", str(seed), "--game", pairing.rules.name]
    words += ["--iterations", str(budget.iterations)] if budget.iterations else []
    words += ["--seconds", f"{budget.seconds:g}"] if budget.seconds else []
    return shlex.join(words)


@dataclass
class Progress:
    """How far a comparison has come."""

    pairing: Pairing
    comparison: Comparison
    most: int
    """Deals after which it ends unsettled."""
    first: float = 0.0
    second: float = 0.0
    faults: list[str] = field(default_factory=list)

    @property
    def deals(self) -> int:
        return self.comparison.seen

    @property
    def nobody(self) -> float:
        """Games that nobody won."""
        return 2 * self.deals - self.first - self.second

    @property
    def done(self) -> bool:
        return self.comparison.verdict is not None or self.deals >= self.most

    def take(self, block: Block) -> None:
        self.comparison.add(block.difference)
        self.comparison.bounds()  # at every deal, so that they only ever tighten
        self.first += block.first
        self.second += block.second
        self.faults += block.faults


def run(progress: Progress, pool: Executor | None) -> Iterator[Progress]:
    """Play on until it is clear or the last deal is played; yields after every deal, in order.

    Blocks count in the order of deals whoever finishes first, so that the outcome is the same for
    any number of workers.
    """
    tasks = ((progress.pairing, deal) for deal in range(progress.deals, progress.most))
    for block in map(play_block, tasks) if pool is None else _shared(tasks, pool):
        progress.take(block)
        yield progress
        if progress.done:
            return


def _shared(tasks: Iterator[tuple[Pairing, int]], pool: Executor) -> Iterator[Block]:
    """The blocks in the order of tasks; workers are given a few tasks ahead."""
    ahead: deque[Future[Block]] = deque()
    try:
        while True:
            for task in islice(tasks, AHEAD - len(ahead)):
                ahead.append(pool.submit(play_block, task))
            if not ahead:
                return
            yield ahead.popleft().result()
    except BrokenProcessPool:
        wait(ahead)  # the pool tells each of them; stopping it in the middle of that confuses it
        raise ProcessLost(
            "one of the two bots brought down its whole process; such a bot cannot be compared"
        ) from None
