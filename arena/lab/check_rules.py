"""Checks the rules of a game by random play: the contract of State and the game's invariants."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from games.conformance import CheckCounts, InvariantBroken, check_game
from games.registry import Game, game

_COPY_EVERY: Final = 8
"""Copies, keys, replays and move texts are checked at every eighth ply, moves and invariants at
each."""

_BATCH_GAMES: Final = 25
"""Games per task of a worker: a fraction of a second, which is how long Ctrl-C may take."""


@dataclass
class RulesReport:
    """What the check found at one player count."""

    rules: Game
    players: int
    tally: CheckCounts = field(default_factory=CheckCounts)
    fault: InvariantBroken | None = None

    def __str__(self) -> str:
        tally = self.tally
        line = (
            f"{self.players} players: {tally.games:,} games, {tally.decisions:,} decisions, "
            f"invariants checked at {tally.plies:,} positions, "
            f"copies and replays at {tally.copies:,}: "
        )
        if self.fault is None:
            return line + "OK"
        return line + f"FAILED: {self.fault}\n    to reproduce it: {self.command}"

    @property
    def command(self) -> str:
        """Checks the failed game again; empty if none failed."""
        if self.fault is None:
            return ""
        return (
            f"arena check-rules --game {self.rules.name} --players {self.players} "
            f"--seed {self.fault.seed} --games 1"
        )

    def as_json(self) -> dict[str, object]:
        tally = self.tally
        return {
            "players": self.players,
            "games": tally.games,
            "decisions": tally.decisions,
            "positions": tally.plies,
            "copies": tally.copies,
            "fault": None if self.fault is None else str(self.fault),
            "command": self.command or None,
        }


Batch = tuple[str, int, int, int]  # (game, players, seed of the first game, number of games)


def check_batch(batch: Batch) -> tuple[CheckCounts, InvariantBroken | None]:
    """Check some games, up to the first failure. Runs in a worker."""
    name, players, seed, games = batch
    rules = game(name)
    try:
        tally = check_game(
            partial(rules.new, players),
            seed,
            games,
            every=_COPY_EVERY,
            invariants=rules.analysis.invariants,
            check_events=rules.analysis.check_events,
            move_text=rules.text.move,
            parse_move=rules.text.parse,
        )
    except InvariantBroken as fault:
        return CheckCounts(), fault
    return tally, None


def check_player_count(
    rules: Game,
    players: int,
    games: int,
    seed: int,
    pool: Executor | None,
    progress: Callable[[int], object],
) -> RulesReport:
    """Check the games `seed` to `seed + games - 1`, up to the first failure in that order.

    The report is the same for any number of workers; `progress` is called with the number of games
    done since the last call.
    """
    batches = [
        (rules.name, players, seed + done, min(_BATCH_GAMES, games - done))
        for done in range(0, games, _BATCH_GAMES)
    ]
    report = RulesReport(rules, players)
    results = map(check_batch, batches) if pool is None else pool.map(check_batch, batches)
    for batch, (tally, fault) in zip(batches, results, strict=False):
        report.tally.add(tally)
        progress(batch[3])
        if fault is not None:
            report.fault = fault
            break
    return report
