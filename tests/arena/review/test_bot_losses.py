"""Mean losses of bots over many games, with intervals over deals."""

import multiprocessing
from math import sqrt
from pathlib import Path

import pytest

from arena import ReviewPlan, run_league
from arena.review.bot_losses import GameLosses, bot_losses, losses_table, review_games, spread
from arena.stats.intervals import student
from arena.worker_processes import worker_pool
from games.errors import GameError


def lost(deal: int, **seats: tuple[float, ...]) -> GameLosses:
    """Losses of the bots `a` and `b`, each from a chance of 0.8."""
    kept = {bot: tuple(1 - loss / 0.8 for loss in losses) for bot, losses in seats.items()}
    return GameLosses((2, deal), tuple((bot, seats[bot], kept[bot]) for bot in seats))


def test_games_are_spread_evenly() -> None:
    assert spread(range(100), 4) == [0, 25, 50, 75]
    assert spread(range(3), 20) == [0, 1, 2]
    assert spread([4, 7, 9], 0) == [4, 7, 9]


def test_the_mean_is_over_decisions_and_its_error_over_deals() -> None:
    games = [lost(0, a=(0.2, 0.0), b=()), lost(1, a=(0.4,), b=(0.0,)), lost(1, a=(0.0,), b=())]
    careful, rash = bot_losses(games)
    assert (careful.bot, careful.decisions, careful.loss, careful.low) == ("b", 1, 0.0, None)
    assert (rash.bot, rash.decisions, rash.accuracy) == ("a", 4, 1 - 0.15 / 0.8)
    assert rash.loss == pytest.approx(0.15)
    reach = student(1) * sqrt(2 * (0.1**2 + 0.1**2)) / 4
    assert rash.low == pytest.approx(max(0, 0.15 - reach))
    assert rash.high == pytest.approx(min(1, 0.15 + reach))


def test_games_of_one_deal_are_no_independent_observations() -> None:
    """Twice the same deal tells no more about other deals than once."""
    once = [lost(deal, a=(0.1 * deal,)) for deal in range(4)]
    twice = [lost(deal, a=(0.1 * deal,) * 2) for deal in range(4)]
    (one,), (two,) = bot_losses(once), bot_losses(twice)
    assert (one.low, one.high) == pytest.approx((two.low, two.high))


def test_a_table_without_reviewed_games() -> None:
    assert bot_losses([]) == []
    assert "Review of 0 of 4 games" in losses_table([], 0, 4).text()


def test_a_worker_that_was_killed_is_one_sentence(tmp_path: Path) -> None:
    """It was a traceback, and could wait for ever."""
    file = tmp_path / "run.db"
    run_league(bots=["greedy", "random"], players=[2], deals=6, run=file, workers=1)
    plan = ReviewPlan(turns=1, iterations=4)
    others = multiprocessing.active_children()
    with worker_pool(2) as pool:
        games = review_games(file, range(12), plan, pool)
        next(games)
        for child in multiprocessing.active_children():
            if child not in others:
                child.kill()
        with pytest.raises(GameError, match="a worker process was killed"):
            list(games)
