"""Checks the rules by random play on all cores: the contract of State and the laws of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from bots.runtime.processes import process_pool
from games.conformance import CheckCounts, InvariantBroken, check_game
from games.registry import Game, game

EVERY = 8
"""Copies, keys, replays and move texts are compared at every eighth ply; moves and laws at each."""

BATCH = 25
"""Games handed to a worker at once: a fraction of a second, also what Ctrl-C may have to wait."""


@dataclass
class Verdict:
    """What the check found at one player count."""

    rules: Game
    players: int
    tally: CheckCounts = field(default_factory=CheckCounts)
    fault: InvariantBroken | None = None

    def __str__(self) -> str:
        seen = self.tally
        line = (
            f"{self.players} players: {seen.games:,} games, {seen.decisions:,} decisions, "
            f"laws checked at {seen.plies:,} positions, copies and replays at {seen.copies:,}: "
        )
        if self.fault is None:
            return line + "OK"
        again = (
            f"arena check-rules --game {self.rules.name} --players {self.players} "
            f"--seed {self.fault.seed} --games 1"
        )
        return line + f"BROKEN: {self.fault}\n  to see it again: {again}"


Batch = tuple[str, int, int, int]
"""(game, players, first game seed, games)."""


def check_batch(batch: Batch) -> tuple[CheckCounts, InvariantBroken | None]:
    """Runs in a worker: what was checked, and the first fault if there is one."""
    name, players, seed, games = batch
    rules = game(name)
    try:
        tally = check_game(
            partial(rules.new, players),
            seed,
            games,
            every=EVERY,
            invariants=rules.analysis.invariants,
            check_events=rules.analysis.check_events,
            move_text=rules.text.move,
            parse_move=rules.text.parse,
        )
    except InvariantBroken as fault:
        return CheckCounts(), fault
    return tally, None


def check(
    rules: Game,
    players: int,
    games: int,
    seed: int,
    pool: Executor | None,
    checked: Callable[[int], object],
) -> Verdict:
    """Check the games `seed` to `seed + games - 1`, stopping at the first fault in that order.

    The verdict is the same for any number of workers; `checked` is told how many games are done.
    """
    batches = [
        (rules.name, players, seed + done, min(BATCH, games - done))
        for done in range(0, games, BATCH)
    ]
    verdict = Verdict(rules, players)
    results = map(check_batch, batches) if pool is None else pool.map(check_batch, batches)
    for batch, (tally, fault) in zip(batches, results, strict=False):
        verdict.tally.add(tally)
        checked(batch[3])
        if fault is not None:
            verdict.fault = fault
            break
    return verdict


@contextmanager
def workers(many: int) -> Iterator[Executor | None]:
    """A pool of that many processes; none for one worker, which is this process itself."""
    if many == 1:
        yield None
        return
    pool = process_pool(many)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)
