"""`arena compare`: an A/B test of two bots that stops once the result is clear."""

from __future__ import annotations

import multiprocessing
import sys
from textwrap import indent
from typing import Final

import click

from arena.cli import options
from arena.cli.completion import complete_bots
from arena.cli.console import StatusLine, show_json, show_report, wrap
from arena.cli.exit_codes import INTERRUPTED
from arena.cli.positions import FromCommand, load_start, start_options
from arena.cli.trust import move_limits, warn_of_strangers
from arena.cli.verbosity import log, note, output_options
from arena.lab.compare import Comparison, Pairing, play_deals
from arena.match.bot_factory import bot_factory
from arena.match.bot_output import bots_print_to_stderr
from arena.stats.sequential_test import SequentialTest, Verdict
from arena.worker_processes import worker_pool
from bots.bot import Budget, Match
from games.registry import game
from games.wording import counted

EXIT_CODES: Final = {Verdict.BETTER: 0, Verdict.WORSE: 1, Verdict.EQUAL: 3, None: 4}


@click.command("compare", cls=FromCommand)
@click.argument("first", metavar="A", shell_complete=complete_bots)
@click.argument("second", metavar="B", shell_complete=complete_bots)
@options.game_option
@click.option(
    "--players",
    type=click.IntRange(2),
    show_default="the fewest of the game, or those of the position",
    help="Number of players in each game.",
)
@start_options
@click.option(
    "--deals", type=click.IntRange(1, 1_000_000), default=4000, help="Stop after this many deals."
)
@click.option(
    "--margin",
    type=options.Number(0.001, 0.5),
    default=0.05,
    help="Differences below this, in wins per game, count as equal.",
)
@click.option(
    "--risk",
    type=options.Number(0.0001, 0.5),
    default=0.05,
    help="Chance of a wrong verdict.",
)
@options.seed_option
@options.iterations_option
@options.seconds_option
@options.isolate_option
@options.move_limit_option
@options.workers_option("the result does not depend on it, unless bots search by the clock")
@options.json_option
@output_options
@click.pass_context
def compare_command(
    ctx: click.Context,
    first: str,
    second: str,
    game_name: str,
    players: int | None,
    position: str | None,
    source: str | None,
    at: int | None,
    deals: int,
    margin: float,
    risk: float,
    seed: int,
    iterations: int | None,
    seconds: float | None,
    isolate: bool,
    move_limit: float | None,
    worker_count: int,
    as_json: bool,
) -> int:
    """A/B test: is one bot better than another?

    Every deal is played twice with seats swapped and counts as one observation: wins of A minus
    wins of B, per game. With more than two players the two bots share the table, in seats drawn for
    each deal. The test stops once the confidence interval of the difference excludes 0 (better or
    worse) or lies within the margin (equal). The interval is valid whenever you stop: it contains
    the true difference at all times with probability 1 - risk. So this does what an SPRT does for
    chess engines, but needs no guess of the difference, in Elo, before the test.

    With --position or --from every game starts there. A deal is then what chance brings from there
    on, and a card or leader written as ? in the position is drawn anew for each deal.

    Ctrl-C stops with the result so far. Exit codes: 0 A is better, 1 B is better, 3 equal within
    the margin, 4 no verdict, 130 interrupted.

    \b
    Examples:
      arena compare greedy random
      arena compare my_bot.py:MyBot my_old_bot.py:MyBot --players 4
      arena compare ismcts:iterations=400 ismcts:iterations=200 --deals 500
      arena compare greedy greedy:depth=2 --margin 0.02 --json
      arena compare ismcts greedy --game secrets --players 8
      arena compare my_bot.py:MyBot theirs.py:TheirBot --isolate
      arena compare ismcts greedy --from runs/default.db 12 --at 36
    """
    start = load_start(ctx, position, source, at)
    rules = game(start.played.game if start else game_name)
    if players is None:
        players = start.players if start else rules.min_players
    rules.check_players(players)
    if start is not None:
        start.check_players(players, f"--players is {players}")
    limits = move_limits((first, second), isolate, move_limit)
    if not isolate:
        warn_of_strangers((first, second), "--isolate")
    match = Match(rules.name, players, start.played.options if start else {})
    with bots_print_to_stderr() as output:
        for name in (first, second):
            bot_factory(name, isolate, limits, matches=[match])
        budget = Budget(iterations or 0, seconds or 0.0)
        pairing = Pairing(first, second, players, seed, budget, rules, start, isolate, limits)
        progress = Comparison(pairing, SequentialTest(risk, margin), deals)
        interrupted = _play(progress, worker_count)
        if as_json:
            show_json("compare", comparison_json(progress, interrupted), output)
        else:
            show_report(comparison_text(progress), output)
    return INTERRUPTED if interrupted else EXIT_CODES[progress.test.verdict]


def _play(progress: Comparison, worker_count: int) -> bool:
    """Play to the end and show how it stands; true if Ctrl-C stopped it."""
    line = StatusLine(sys.stderr)
    with worker_pool(worker_count) as pool:
        try:
            reported = 0
            for _ in play_deals(progress, pool):
                for fault in progress.faults[reported:]:
                    log.info("%s", fault)
                reported = len(progress.faults)
                log.debug("%s", interim_result(progress))
                _show(line, progress)
        except KeyboardInterrupt:
            # Games in progress would not count any more, and with some bots would never end.
            for child in multiprocessing.active_children():
                child.terminate()
            return True
        finally:
            line.clear()
    return False


def _show(line: StatusLine, progress: Comparison) -> None:
    """The comparison so far: rewritten in place, or a line at deals 16, 32, 64, ..."""
    deals = progress.deals
    if line.due:
        line.draw(interim_result(progress))
    elif not line.live and deals >= 16 and deals.bit_count() == 1 and not progress.done:
        note(interim_result(progress))


def interim_result(progress: Comparison) -> str:
    test = progress.test
    low, high = test.bounds()
    total = test.forecast(progress.most)
    left = f"no verdict expected by deal {progress.most}"
    if total is not None:
        left = f"about {total - progress.deals} deals to go"
    difference = f"{test.mean:+.3f} wins per game ({low:+.3f} to {high:+.3f})"
    return f"deal {progress.deals}: {progress.pairing.first} {difference}, {left}"


def comparison_text(progress: Comparison) -> str:
    pairing, test = progress.pairing, progress.test
    low, high = test.bounds()
    deals = counted(progress.deals, "deal")
    games = f"{pairing.players} players, {deals}, {2 * progress.deals:,} games"
    lines = [
        wrap(f"A = {pairing.first}, B = {pairing.second}, {games}", indent=4),
        f"Won: A {progress.first:g}, B {progress.second:g}, nobody {progress.nobody:g}",
        f"Wins of A minus wins of B, per game: {test.mean:+.3f} ({low:+.3f} to {high:+.3f})",
        f"({100 * (1 - test.risk):g} % confidence, valid whenever you stop)",
    ]
    if progress.faults:
        lines.append(f"Lost by a fault: {counted(len(progress.faults), 'game')}; the first:")
        lines.append(indent(progress.faults[0], "  "))
    return "\n".join([*lines, verdict_sentence(progress)])


def verdict_sentence(progress: Comparison) -> str:
    test = progress.test
    if test.verdict is None:
        total = test.forecast(100 * progress.most)
        more = "" if total is None else f" At this rate it would take about {total} deals in total."
        return f"Verdict: none yet.{more}"
    if test.verdict is Verdict.EQUAL:
        return f"Verdict: equal; the difference is below {test.margin:g} wins per game."
    return f"Verdict: {'A' if test.verdict is Verdict.BETTER else 'B'} is better."


def comparison_json(progress: Comparison, interrupted: bool) -> dict[str, object]:
    test = progress.test
    low, high = test.bounds()
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
        "verdict": None if test.verdict is None else test.verdict.value,
        "stopped": interrupted,
        "faults": progress.faults,
    }
