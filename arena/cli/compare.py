"""`arena compare`: an A/B test of two bots that stops once the result is clear."""

from __future__ import annotations

import multiprocessing
import sys
from typing import Final

import click

from arena.cli.console import StatusLine, print_json
from arena.cli.exit_codes import INTERRUPTED
from arena.cli.options import (
    Number,
    game_option,
    iterations_option,
    json_option,
    seconds_option,
    seed_option,
    workers_option,
)
from arena.lab.compare import Comparison, Pairing, play_deals
from arena.match.bot_factory import bot_factory
from arena.stats.sequential_test import SequentialTest, Verdict
from arena.worker_processes import worker_pool
from bots.bot import Budget
from games.registry import game

EXIT_CODES: Final = {Verdict.BETTER: 0, Verdict.WORSE: 1, Verdict.EQUAL: 3, None: 4}


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@game_option
@click.option(
    "--players",
    type=click.IntRange(2),
    show_default="the fewest of the game",
    help="Number of players in each game.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 1_000_000),
    default=4000,
    help="Stop without a verdict after this many deals, of two games each.",
)
@click.option(
    "--margin",
    type=Number(0.001, 0.5),
    default=0.05,
    help="Differences below this, in wins per game, count as equal.",
)
@click.option(
    "--risk",
    type=Number(0.0001, 0.5),
    default=0.05,
    help="Accepted probability of a wrong verdict.",
)
@seed_option
@iterations_option
@seconds_option
@workers_option("the result does not depend on it, unless bots search by the clock")
@json_option
def compare_command(
    first: str,
    second: str,
    game_name: str,
    players: int | None,
    deals: int,
    margin: float,
    risk: float,
    seed: int,
    iterations: int | None,
    seconds: float | None,
    worker_count: int,
    as_json: bool,
) -> int:
    """A/B test: is one bot better than another?

    Every deal is played twice with seats swapped and counts as one observation: wins of A minus
    wins of B, per game. With more than two players the two bots share the table, in seats drawn for
    each deal. The test stops once the confidence interval of the difference excludes 0 (better or
    worse) or lies within the margin (equal). The interval is valid whenever you stop: it contains
    the true difference at all times with probability 1 - risk.

    Ctrl-C stops with the result so far. Exit codes: 0 A is better, 1 B is better, 3 equal within
    the margin, 4 no verdict, 130 interrupted.

    \b
    Examples:
      arena compare greedy random
      arena compare my_bot.py:MyBot my_old_bot.py:MyBot --players 4
      arena compare ismcts:iterations=400 ismcts:iterations=200 --deals 500
      arena compare greedy greedy:depth=2 --margin 0.02 --json
      arena compare ismcts greedy --game secrets --players 8
    """
    budget = Budget(iterations or 0, seconds or 0.0)
    rules = game(game_name)
    players = rules.min_players if players is None else players
    rules.check_players(players)
    pairing = Pairing(first, second, players, seed, budget, rules)
    for name in (first, second):
        bot_factory(name)
    progress = Comparison(pairing, SequentialTest(risk, margin), deals)
    interrupted = _play(progress, worker_count)
    if as_json:
        print_json(comparison_json(progress, interrupted))
    else:
        click.echo(comparison_text(progress))
    return INTERRUPTED if interrupted else EXIT_CODES[progress.test.verdict]


def _play(progress: Comparison, worker_count: int) -> bool:
    """Play to the end and show how it stands; true if Ctrl-C stopped it."""
    display = _Display()
    with worker_pool(worker_count) as pool:
        try:
            for _ in play_deals(progress, pool):
                display.show(progress)
        except KeyboardInterrupt:
            # Games in progress would not count any more, and with some bots would never end.
            for child in multiprocessing.active_children():
                child.terminate()
            return True
        finally:
            display.line.clear()
    return False


class _Display:
    """The comparison so far: rewritten in place, or a line at deals 16, 32, 64, ..."""

    def __init__(self) -> None:
        self.line = StatusLine(sys.stderr)
        self.next = 16

    def show(self, progress: Comparison) -> None:
        if self.line.due:
            self.line.draw(interim_result(progress))
        elif not self.line.live and progress.deals == self.next and not progress.done:
            self.next *= 2
            click.echo(interim_result(progress), err=True)


def interim_result(progress: Comparison) -> str:
    """The comparison so far, in one line."""
    test = progress.test
    low, high = test.bounds()
    total = test.forecast(progress.most)
    left = f"no verdict expected by deal {progress.most}"
    if total is not None:
        left = f"about {total - progress.deals} deals to go"
    return (
        f"deal {progress.deals}: {progress.pairing.first} {test.mean:+.3f} wins per game "
        f"({low:+.3f} to {high:+.3f}), {left}"
    )


def comparison_text(progress: Comparison) -> str:
    """The result in a few lines."""
    pairing, test = progress.pairing, progress.test
    low, high = test.bounds()
    games = f"{pairing.players} players, {progress.deals} deals, {2 * progress.deals} games"
    lines = [
        f"A = {pairing.first}, B = {pairing.second}, {games}",
        f"Won: A {progress.first:g}, B {progress.second:g}, nobody {progress.nobody:g}",
        f"Wins of A minus wins of B, per game: {test.mean:+.3f} ({low:+.3f} to {high:+.3f})",
        f"({100 * (1 - test.risk):g} % confidence, valid whenever you stop)",
    ]
    if progress.faults:
        lines.append(f"Lost by a fault: {len(progress.faults)} games; the first:")
        lines.append(f"  {progress.faults[0]}")
    return "\n".join([*lines, verdict_sentence(progress)])


def verdict_sentence(progress: Comparison) -> str:
    test = progress.test
    if test.verdict is Verdict.BETTER:
        return "Verdict: A is better."
    if test.verdict is Verdict.WORSE:
        return "Verdict: B is better."
    if test.verdict is Verdict.EQUAL:
        return f"Verdict: equal; the difference is below {test.margin:g} wins per game."
    total = test.forecast(100 * progress.most)
    more = "" if total is None else f" At this rate it would take about {total} deals in total."
    return f"Verdict: none yet.{more}"


def comparison_json(progress: Comparison, interrupted: bool) -> dict[str, object]:
    test = progress.test
    low, high = test.bounds()
    verdict = test.verdict
    return {
        "a": progress.pairing.first,
        "b": progress.pairing.second,
        "game": progress.pairing.rules.name,
        "players": progress.pairing.players,
        "seed": progress.pairing.seed,
        "deals": progress.deals,
        "games": 2 * progress.deals,
        "won_by_a": progress.first,
        "won_by_b": progress.second,
        "won_by_nobody": progress.nobody,
        "difference": round(test.mean, 6),
        "low": round(low, 4),
        "high": round(high, 4),
        "risk": test.risk,
        "margin": test.margin,
        "verdict": None if verdict is None else verdict.value,
        "stopped": interrupted,
        "faults": progress.faults,
    }
