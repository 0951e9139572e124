"""What each bot of a league loses per decision: the reviews of many of its games, added up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Final, NamedTuple

from arena.league.journal import Journal
from arena.review.game_review import ReviewPlan
from arena.review.reviewer import review_game
from arena.stats.intervals import student
from arena.stats.text_table import TextTable
from arena.worker_processes import results_in_order
from games.errors import GameError

_QUEUED: Final = 8
"""Games waiting at the workers."""
_LEGEND: Final = (
    "Loss: by how much the best move was worth more than the one played, in chance to win, per "
    "decision of the last two turns of every player, judged by what the seat could know; partly "
    "exact, mostly estimated by search. In brackets: 95 % confidence interval over deals. "
    "Kept: the share of its chance that a decision kept, on average; unlike the loss, it does not "
    "favour bots that have little to lose. `arena review RUN GAME` shows one game's decisions."
)


class GameLosses(NamedTuple):
    """What the decisions of one game lost."""

    deal: tuple[int, int]
    """Number of players and deal: games of one deal count as one observation."""
    seats: tuple[tuple[str, tuple[float, ...], tuple[float, ...]], ...]
    """The bot of each seat; of its decisions, the losses and the shares of the chance kept."""


@dataclass(frozen=True)
class BotLoss:
    """What one bot loses per decision."""

    bot: str
    decisions: int
    accuracy: float
    """The share of its chance that a decision kept, on average."""
    loss: float
    low: float | None
    high: float | None
    """The 95 % confidence interval; None if there is only one deal."""


def spread(numbers: Sequence[int], count: int) -> list[int]:
    """So many of the numbers, spread evenly over all; 0: all."""
    if not count or count >= len(numbers):
        return list(numbers)
    return [numbers[at * len(numbers) // count] for at in range(count)]


def review_games(
    run: Path, numbers: Sequence[int], plan: ReviewPlan, pool: Executor | None = None
) -> Iterator[GameLosses]:
    """Review these games of a run; in their order, whatever the number of workers."""
    tasks = ((run, number, plan) for number in numbers)
    try:
        yield from results_in_order(pool, _losses, tasks, ahead=_QUEUED)
    except BrokenProcessPool:
        raise GameError(
            "a worker process was killed, perhaps for lack of memory; try it with fewer --workers"
        ) from None


def _losses(task: tuple[Path, int, ReviewPlan]) -> GameLosses:
    """Review one game. Runs in a worker."""
    run, number, plan = task
    with Journal.read(run) as journal:
        saved = next(iter(journal.games(number)))
    review = review_game(saved.replay, plan)
    bots = saved.record.seats
    seats = tuple((bots[seat.seat], seat.losses, seat.kept) for seat in review.seats)
    return GameLosses((saved.record.players, saved.record.deal), seats)


def bot_losses(games: Sequence[GameLosses]) -> list[BotLoss]:
    """The mean loss of every bot, the smallest first."""
    by_bot: defaultdict[str, defaultdict[tuple[int, int], list[float]]]
    by_bot = defaultdict(lambda: defaultdict(list))
    kept: defaultdict[str, list[float]] = defaultdict(list)
    for game in games:
        for bot, losses, shares in game.seats:
            by_bot[bot][game.deal] += losses
            kept[bot] += shares
    rated = [
        _rated(bot, [losses for losses in deals.values() if losses], kept[bot])
        for bot, deals in by_bot.items()
        if any(deals.values())
    ]
    return sorted(rated, key=lambda one: (one.loss, one.bot))


def _rated(bot: str, deals: Sequence[Sequence[float]], kept: Sequence[float]) -> BotLoss:
    """The mean over decisions; its error is that of a ratio of sums over deals."""
    losses = [loss for deal in deals for loss in deal]
    mean = sum(losses) / len(losses)
    residuals = [sum(deal) - mean * len(deal) for deal in deals]
    low = high = None
    if (count := len(deals)) > 1:
        variance = count / (count - 1) * sum(one * one for one in residuals)
        reach = student(count - 1) * sqrt(variance) / len(losses)
        low, high = max(0.0, mean - reach), min(1.0, mean + reach)
    return BotLoss(bot, len(losses), sum(kept) / len(kept), mean, low, high)


def losses_table(losses: Sequence[BotLoss], reviewed: int, total: int) -> TextTable:
    rows = [
        [one.bot, f"{one.decisions:,}", f"{100 * one.accuracy:.1f}", _interval(one)]
        for one in losses
    ]
    title = f"Review of {reviewed:,} of {total:,} games"
    return TextTable(title, ["bot", "decisions", "kept, %", "loss"], rows, (_LEGEND,))


def _interval(one: BotLoss) -> str:
    reach = "" if one.low is None else f" ({one.low:.4f}-{one.high:.4f})"
    return f"{one.loss:.4f}{reach}"


def losses_json(losses: Sequence[BotLoss], reviewed: int, total: int) -> dict[str, object]:
    return {"games": reviewed, "of": total, "bots": [_rounded(one) for one in losses]}


def _rounded(one: BotLoss) -> dict[str, object]:
    return {
        name: round(value, 6) if isinstance(value, float) else value
        for name, value in asdict(one).items()
    }
