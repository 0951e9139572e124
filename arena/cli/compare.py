"""`arena compare`: is this bot better than that one? Plays until it can tell."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from time import monotonic

import click

from arena.cli.options import ITERATIONS, Number, game_option, seed_option
from arena.lab.compare import Comparison, Pairing, play_deals
from arena.match.bot_factory import bot_factory
from arena.stats.sequential_test import SequentialTest, Verdict
from arena.worker_processes import worker_pool
from bots.bot import Budget
from games.registry import game

CODES = {Verdict.BETTER: 0, Verdict.WORSE: 1, Verdict.EQUAL: 3, None: 4}
INTERRUPTED = 130
EVERY = 0.2
"""Seconds between two lines of progress on a screen."""


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@game_option
@click.option(
    "--players",
    type=click.IntRange(2),
    show_default="the fewest of the game",
    help="How many sit at the table.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 1_000_000),
    default=4000,
    show_default=True,
    help="End unsettled after so many deals, of two games each.",
)
@click.option(
    "--margin",
    type=Number(0.001, 0.5),
    default=0.05,
    show_default=True,
    help="A smaller difference, in wins per game, does not matter.",
)
@click.option(
    "--risk",
    type=Number(0.0001, 0.5),
    default=0.05,
    show_default=True,
    help="Chance of a wrong verdict that you accept.",
)
@seed_option
@click.option("--iterations", type=ITERATIONS, help="Budget per decision of searching bots.")
@click.option("--seconds", type=Number(0.001), help="Time per decision of such bots.")
@click.option(
    "--workers",
    "many",
    type=click.IntRange(1, 256),
    default=os.cpu_count() or 1,
    show_default="one per core",
    help="Processes to share the work; changes nothing unless bots think by the clock.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")
def compare(
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
    many: int,
    as_json: bool,
) -> int:
    """Find out whether bot A is better than bot B.

    Every deal is played twice with seats swapped, and counts as one observation: what A won minus
    what B won, per game. At more than two players the two share the table in seats drawn for each
    deal. Play stops by itself as soon as the interval of the difference leaves 0 (better or worse)
    or lies within plus-minus the margin (equal). The interval may be looked at after every deal:
    it holds the true difference at all times with probability 1 - risk.

    Ctrl-C ends it with the result so far. Exit codes: 0 A is better, 1 B is better, 3 equal within
    the margin, 4 unsettled, 130 stopped.

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
    stopped = _play(progress, many)
    click.echo(json.dumps(as_object(progress, stopped), indent=2) if as_json else told(progress))
    return INTERRUPTED if stopped else CODES[progress.test.verdict]


def _play(progress: Comparison, many: int) -> bool:
    """Play to the end, telling how it stands; true if somebody stopped it."""
    screen = _Screen()
    with worker_pool(many) as pool:
        try:
            for _ in play_deals(progress, pool):
                screen.show(progress)
        except KeyboardInterrupt:
            # What is under way would not count any more, and with some bots would never end.
            for child in multiprocessing.active_children():
                child.terminate()
            return True
        finally:
            screen.clear()
    return False


class _Screen:
    """One line that is written over and over; on something else than a screen, a few lines."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty()
        self.last = 0.0
        self.next = 16

    def show(self, progress: Comparison) -> None:
        if self.live and monotonic() - self.last > EVERY:
            self.last = monotonic()
            click.echo(f"\r\x1b[K{standing(progress)}", nl=False, err=True)
        elif not self.live and progress.deals == self.next and not progress.done:
            self.next *= 2
            click.echo(standing(progress), err=True)

    def clear(self) -> None:
        if self.live:
            click.echo("\r\x1b[K", nl=False, err=True)


def standing(progress: Comparison) -> str:
    """How it stands, on a line."""
    comparison = progress.test
    low, high = comparison.bounds()
    total = comparison.forecast(progress.most)
    left = f"no verdict expected by deal {progress.most}"
    if total is not None:
        left = f"about {total - progress.deals} deals to go"
    return (
        f"deal {progress.deals}: {progress.pairing.first} {comparison.mean:+.3f} wins per game "
        f"({low:+.3f} to {high:+.3f}), {left}"
    )


def told(progress: Comparison) -> str:
    """The result in a few lines."""
    first, second = progress.pairing.first, progress.pairing.second
    comparison = progress.test
    low, high = comparison.bounds()
    pairing = progress.pairing
    table = f"{pairing.players} players, {progress.deals} deals, {2 * progress.deals} games"
    found = f"{comparison.mean:+.3f}, between {low:+.3f} and {high:+.3f}"
    lines = [
        f"A = {first}, B = {second}, {table}",
        f"Won: A {progress.first:g}, B {progress.second:g}, nobody {progress.nobody:g}",
        f"Wins of A minus wins of B, per game: {found}",
        f"(bounds that hold at any time of looking, with {100 * (1 - comparison.risk):g} %)",
    ]
    if progress.faults:
        lines.append(f"Broke down and so lost: {len(progress.faults)} games; the first:")
        lines.append(f"  {progress.faults[0]}")
    return "\n".join([*lines, verdict_sentence(progress)])


def verdict_sentence(progress: Comparison) -> str:
    comparison = progress.test
    if comparison.verdict is Verdict.BETTER:
        return "Verdict: A is better."
    if comparison.verdict is Verdict.WORSE:
        return "Verdict: B is better."
    if comparison.verdict is Verdict.EQUAL:
        return f"Verdict: equal; neither is better by {comparison.margin:g} wins per game or more."
    total = comparison.forecast(100 * progress.most)
    more = "" if total is None else f" At this rate it would take about {total} deals in all."
    return f"Verdict: none yet.{more}"


def as_object(progress: Comparison, stopped: bool) -> dict[str, object]:
    comparison = progress.test
    low, high = comparison.bounds()
    verdict = comparison.verdict
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
        "difference": round(comparison.mean, 6),
        "low": round(low, 4),
        "high": round(high, 4),
        "risk": comparison.risk,
        "margin": comparison.margin,
        "verdict": None if verdict is None else verdict.value,
        "stopped": stopped,
        "faults": progress.faults,
    }
