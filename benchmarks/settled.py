"""Error rates and cost of `arena league --until-settled`, on thousands of simulated leagues.

    python benchmarks/settled.py
    python benchmarks/settled.py --leagues 100 --pairs 20

A game is won with chances in proportion to 10^(Elo / 400) times the luck of the hand (a
Plackett-Luce model). A hand's luck is the same in all rotations of a deal; its standard deviation
is that of 150 Elo. `FIELDS` has the strengths.

The first table: how many leagues end with at least one false claim about any pair. "Separated" is
false for equal bots and in the wrong direction; "equal" is false if the true lead is the margin or
more. At most 5 % of leagues may have one. In the fields "company" and "seating" a bot's strength
depends on who else is at the table, or on the circular order, such that a bot leads another clearly
in some deals, and by exactly 0 on average. "ALL COUNT" is a wrong rule, for comparison: it counts a
deal for every pair at the table. The columns after that: the mean numbers of pairs found separated
and equal, leagues that reached the limit of deals, the medians of deals and games, and the 90 %
quantile of games.

The second table: the mean number of games until the order is settled, against a round robin that
plays all line-ups in turn, counts every deal for every pair, and stops by the same rule; with a
95 % interval of the ratio.
"""

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import exp, log, sqrt
from random import Random
from statistics import fmean, median, variance
from typing import Any, NamedTuple

from tabulate import tabulate

from arena.stats.intervals import Z_95, wilson
from arena.stats.sequential_test import Verdict
from arena.stats.settled import BATCH, LeagueDeal, OrderTest
from arena.worker_processes import worker_pool
from bots.runtime.processes import CHILD_CONTEXT

LineUp = tuple[int, ...]
Pair = tuple[int, int]
Plan = tuple[list[Any], tuple[Pair, ...]]
NATURAL = log(10) / 400  # of one Elo point
LUCK = 150 * NATURAL
TRUTH_SAMPLES = 20_000
NOTHING = 0.004  # a smaller difference than any pair here has; sampling errors are below 0.002
ALL_COUNT = "ALL COUNT: "
GROUP = 10  # leagues per task


# ---- simulated games ----------------------------------------------------------------------------


def by_strength(*elo: float) -> Callable[[LineUp, int], list[float]]:
    return lambda line_up, _: [elo[bot] for bot in line_up]


def by_company(line_up: LineUp, _: int) -> list[float]:
    """0 beats 1 if 2 is there, 1 beats 0 if 3 is there, so they are equal; and so are 2 and 3."""
    if line_up == (0, 1, 2):
        return [200, -200, 0]
    if line_up == (0, 1, 3):
        return [-200, 200, 0]
    return [0, 0, 0]


def by_ring(line_up: LineUp, _: int) -> list[float]:
    """Five bots in a ring. Of three in a row, the middle one is strong; else the lone one is.

    All leads are 0: each line-up with a pair has a mirror image in which the other one is strong.
    """
    gaps = [sum((bot - other) % 5 in {1, 4} for other in line_up) for bot in line_up]
    middle = 2 in gaps
    return [200.0 * (gap == (2 if middle else 0)) for gap in gaps]


def by_seating(line_up: LineUp, turn: int) -> list[float]:
    """0 is strong in the first half of the circular orders, 1 in the second."""
    return [200.0 * (bot == turn // 60) for bot in line_up]


@dataclass(frozen=True)
class Field:
    """The bots of a simulated league."""

    bots: int
    players: Sequence[int]
    elo: Callable[[LineUp, int], list[float]]
    """Line-up and circular order -> the strength of each seat."""
    margin: float = 0.05
    top: int | None = None
    orders: int = 1
    """Circular orders that differ."""

    @property
    def names(self) -> list[str]:
        return [f"bot{bot}" for bot in range(self.bots)]

    @property
    def line_ups(self) -> dict[int, list[LineUp]]:
        return {count: list(combinations(range(self.bots), count)) for count in self.players}

    def test(self, kind: type[OrderTest], seed: int) -> OrderTest:
        return kind(self.names, self.line_ups, margin=self.margin, top=self.top, seed=seed)


TWO, ALL = (2,), (2, 3, 4, 5, 6)
EQUAL = by_strength(*[0] * 6)
EVEN = by_strength(*(40 * bot for bot in range(6)))
STRONG = by_strength(100, 0, 0, 0, 0, 0)
LADDER = by_strength(400, 370, 300, 200, 150, 120, 30, 0)

FIELDS = {
    "6 equal": Field(6, TWO, EQUAL, margin=0.1),
    "6 equal, 2-6 players": Field(6, ALL, EQUAL, margin=0.1),
    "6 evenly spaced by 40 Elo": Field(6, TWO, EVEN),
    "6 evenly spaced, 2-6 players": Field(6, ALL, EVEN),
    "5 equal, 1 stronger by 100 Elo": Field(6, TWO, STRONG, margin=0.1),
    "5 equal, 1 stronger, 2-6 players": Field(6, ALL, STRONG, margin=0.1),
    "6 evenly spaced, top 2": Field(6, TWO, EVEN, top=2),
    "6 evenly spaced, top 2, 2-6 players": Field(6, ALL, EVEN, top=2),
    "company, 4 bots, 3 players": Field(4, (3,), by_company),
    "company, 5 bots in a ring, 3 players": Field(5, (3,), by_ring, margin=0.1),
    "seating, 6 bots, 6 players": Field(6, (6,), by_seating, orders=120),
}
RATIOS = {
    "6 evenly spaced by 40 Elo": FIELDS["6 evenly spaced by 40 Elo"],
    "6 evenly spaced, 2-6 players": FIELDS["6 evenly spaced, 2-6 players"],
    "5 equal, 1 stronger by 100 Elo, top 1": Field(6, TWO, STRONG, top=1),
    "5 equal, 1 stronger, top 1, 2-6 players": Field(6, ALL, STRONG, top=1),
    "8 versions, 0 to 400 Elo": Field(8, TWO, LADDER),
    "8 versions, 2-6 players": Field(8, ALL, LADDER),
}


def play(field: Field, deal: LeagueDeal, rng: Random) -> dict[str, float]:
    """Every bot's share of the wins in all rotations of a deal."""
    line_up, players = deal.line_up, deal.players
    weights = [exp(NATURAL * elo) for elo in field.elo(line_up, deal.number % field.orders)]
    luck = [exp(rng.gauss(0, LUCK)) for _ in line_up] * 2
    wins = [0] * players
    for turn in range(players):
        chances = [weight * luck[turn + seat] for seat, weight in enumerate(weights)]
        left, winner = rng.random() * sum(chances) - chances[0], 0
        while left > 0 and winner < players - 1:
            winner += 1
            left -= chances[winner]
        wins[winner] += 1
    return {f"bot{bot}": won / players for bot, won in zip(line_up, wins, strict=True)}


@cache
def truth(name: str) -> dict[Pair, float]:
    """The true lead in each pair: the mean over line-ups and circular orders, and sampled luck."""
    field = (FIELDS | RATIOS)[name]
    leads: dict[Pair, list[float]] = {}
    rng = Random(1)
    deals = [
        (line_up, turn)
        for count in field.players
        for line_up in field.line_ups[count]
        for turn in range(field.orders)
    ]
    samples = max(1, TRUTH_SAMPLES // len(deals))
    for line_up, turn in deals:
        weights = [exp(NATURAL * elo) for elo in field.elo(line_up, turn)]
        for _ in range(samples):
            luck = [exp(rng.gauss(0, LUCK)) for _ in line_up]
            chances = [weight * hand for weight, hand in zip(weights, luck, strict=True)]
            total = sum(chances)
            for (i, a), (j, b) in combinations(enumerate(line_up), 2):
                # The two hands swapped, so that equal bots have a lead of exactly 0.
                swapped = total + (weights[i] - weights[j]) * (luck[j] - luck[i])
                lead = (chances[i] - chances[j]) / total
                lead += (weights[i] * luck[j] - weights[j] * luck[i]) / swapped
                leads.setdefault((a, b), []).append(lead / 2)
    means = {pair: fmean(values) for pair, values in leads.items()}
    return {pair: 0.0 if abs(mean) < NOTHING else mean for pair, mean in means.items()}


# ---- leagues ------------------------------------------------------------------------------------


class AllCount(OrderTest):
    """Wrong: counts a deal for every pair at the table, however the line-up was drawn."""

    def _plan(self, wanted: int) -> Plan:
        return super()._plan(wanted)[0], tuple(self._pairs)


class RoundRobin(OrderTest):
    """Plays all line-ups in turn, and counts every deal for every pair."""

    turn = 0

    def next_deals(self, most: int = BATCH) -> list[LeagueDeal]:
        if self.settled():
            return []
        self.turn += most
        turns = range(self.turn - most, self.turn)
        tables = [self._tables[turn % len(self._tables)][0] for turn in turns]
        return [self._ask(table, self._pairs) for table in tables]


class Result(NamedTuple):
    """How a simulated league ended."""

    wrong: bool
    settled: bool
    separated: int
    equal: int
    deals: int
    games: int


class Task(NamedTuple):
    """Some leagues of a field."""

    name: str
    kind: type[OrderTest]
    limit: int
    first: int


def leagues(task: Task) -> list[Result]:
    return [league(task, number) for number in range(task.first, task.first + GROUP)]


def league(task: Task, number: int) -> Result:
    field = (FIELDS | RATIOS)[task.name]
    test = field.test(task.kind, number)
    rng = Random(f"{task.name}/{number}")
    games = 0
    while test.deals < task.limit and (deals := test.next_deals()):
        for deal in deals:
            test.add(deal, play(field, deal, rng))
            games += deal.players
    leads = truth(task.name)
    verdicts = [test.verdict(*pair) for pair in leads]
    found = zip(verdicts, leads.values(), strict=True)
    wrong = any(is_false(verdict, lead, field.margin) for verdict, lead in found)
    equal = verdicts.count(Verdict.EQUAL)
    separated = len(verdicts) - equal - verdicts.count(None)
    return Result(wrong, test.settled(), separated, equal, test.deals, games)


def is_false(verdict: Verdict | None, lead: float, margin: float) -> bool:
    if verdict is Verdict.EQUAL:
        return abs(lead) >= margin
    return (verdict is Verdict.BETTER and lead <= 0) or (verdict is Verdict.WORSE and lead >= 0)


# ---- tables -------------------------------------------------------------------------------------


def error_row(name: str, results: Sequence[Result]) -> list[str]:
    errors = sum(result.wrong for result in results)
    low, high = wilson(errors, len(results))
    lengths = sorted(result.games for result in results)
    return [
        name,
        str(FIELDS[name.removeprefix(ALL_COUNT)].margin),
        f"{100 * errors / len(results):.1f} ({100 * low:.1f}-{100 * high:.1f})",
        f"{fmean(result.separated for result in results):.1f}",
        f"{fmean(result.equal for result in results):.1f}",
        f"{100 * fmean(not result.settled for result in results):.0f} %",
        f"{median(result.deals for result in results):.0f}",
        f"{median(lengths):.0f}",
        str(lengths[len(lengths) * 9 // 10]),
    ]


def ratio_row(name: str, ours: Sequence[Result], theirs: Sequence[Result]) -> list[str]:
    means, relative = [], 0.0
    for results in (ours, theirs):
        games = [result.games for result in results]
        means.append(fmean(games))
        relative += variance(games) / len(games) / means[-1] ** 2
    ratio = means[1] / means[0]
    spread = exp(Z_95 * sqrt(relative))
    wrong = (100 * fmean(result.wrong for result in results) for results in (ours, theirs))
    return [
        name,
        *(f"{mean:.0f}" for mean in means),
        f"{ratio:.2f} ({ratio / spread:.2f}-{ratio * spread:.2f})",
        *(f"{share:.1f}" for share in wrong),
    ]


ERROR_HEADS = ["field", "margin", "wrong, %", "separated", "equal", "unsettled", "deals", "games"]
RATIO_HEADS = ["field", "games", "round robin", "ratio", "wrong, %", "round robin"]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--leagues", type=int, default=1000, help="per field in the first table")
    parser.add_argument("--pairs", type=int, default=200, help="of leagues in the second table")
    parser.add_argument("--limit", type=int, default=100_000, help="deals per league")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    print(f"{options.leagues} leagues of each field; {options.pairs} of each in the second table\n")
    with worker_pool(options.workers, CHILD_CONTEXT) as pool:

        def simulate(name: str, kind: type[OrderTest], count: int) -> list[Result]:
            starts = range(0, count, GROUP)
            tasks = [Task(name, kind, options.limit, start) for start in starts]
            groups = map(leagues, tasks) if pool is None else pool.map(leagues, tasks)
            return [result for group in groups for result in group]

        rows = [error_row(name, simulate(name, OrderTest, options.leagues)) for name in FIELDS]
        for name in (name for name in FIELDS if name.startswith("company")):
            results = simulate(name, AllCount, options.leagues)
            rows.append(error_row(ALL_COUNT + name, results))
        print(tabulate(rows, headers=[*ERROR_HEADS, "90 %"], disable_numparse=True), flush=True)
        rows = []
        for name in RATIOS:
            kinds = (simulate(name, kind, options.pairs) for kind in (OrderTest, RoundRobin))
            rows.append(ratio_row(name, *kinds))
    print("\nMean number of games until the order is settled\n")
    print(tabulate(rows, headers=RATIO_HEADS, disable_numparse=True))


if __name__ == "__main__":
    main()
