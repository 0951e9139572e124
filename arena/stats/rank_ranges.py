"""The range of ranks of each bot: how many bots are clearly better, and how many clearly worse.

A bot's best possible rank is one more than the number of bots that are clearly better than it, its
worst the number of bots minus those that are clearly worse. "Clearly" is a statement about all
pairs at once: with a probability of 95 %, *all* ranges contain the bots' true ranks. These are
confidence sets for ranks from pairwise comparisons (Mogstad, Romano, Shaikh and Wilhelm 2024; Al
Mohamad, Goeman and van Zwet 2022), and the correction for the number of pairs is the step-down
maximum test of Romano and Wolf (2005):

* What is ranked is the mean of the TrueSkill rating, so a bot's place in the table always lies in
  its range.
* Its covariance matrix comes from the spread between deals, because games of one deal share their
  random events: each deal moves the ratings by the pulls of its games, to first order.
* The threshold for the largest of all standardised differences is the 95 % quantile of the largest
  of as many correlated differences, drawn from Student's t distribution; its degrees of freedom
  are the number of deals minus that of the bots whose ratings were computed from them.
  Pairs that exceed the threshold are settled; the threshold for the others is found anew without
  them, until no more pairs are settled.
* A bot can be clearly better or worse only after as many deals as a sign test needs if it won or
  lost all of them: six for two bots, eleven for eight. Else a bot that won its first two deals
  would be clearly better, as deals that do not differ show no spread.

`benchmarks/rank_ranges.md` shows how often the ranges contain the true ranks.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from math import comb, log2, sqrt
from random import Random
from typing import Final

from arena.stats.game_record import GameRecord
from arena.stats.linear_equations import Matrix, Vector, cholesky, solve_linear
from arena.stats.trueskill_ratings import DIGITS, Ratings, result_of

CONFIDENCE: Final = 0.95
DRAWS: Final = 2000  # random differences for a threshold
_NOTHING: Final = 1e-9  # variances relative to the largest that are rounding errors
_SAME: Final = 10.0**-DIGITS  # ratings that differ by less are equal


def rank_ranges(
    games: Sequence[GameRecord], ratings: Ratings, seed: int = 1
) -> dict[str, tuple[int, int]]:
    """Best and worst rank of every bot that played."""
    bots = sorted(ratings.skills)
    pulls = deal_pulls(games, ratings, bots)
    deals = Counter(bot for pull in pulls for bot in pull)
    played = sorted({bot for game in games for bot in game.seats})
    enough = 1 + log2(max(1, comb(len(played), 2)) / (1 - CONFIDENCE))
    known = [number for number in range(len(bots)) if deals[number] >= enough]
    means = [ratings.skills[bot].mu for bot in bots]
    freedom = len(pulls) - len(played)
    spread = _covariance(pulls, _inverse(ratings.curve), max(1, freedom))
    better = _clearly_better(known if freedom > 0 else [], means, spread, freedom, Random(seed))
    worse_than = Counter(bots[a] for a, _ in better)
    better_than = Counter(bots[b] for _, b in better)
    return {bot: (1 + better_than[bot], len(played) - worse_than[bot]) for bot in played}


def deal_pulls(
    games: Iterable[GameRecord], ratings: Ratings, bots: Sequence[str]
) -> list[dict[int, float]]:
    """How strongly each deal pulls at the mean of each bot that played it."""
    numbers = {bot: number for number, bot in enumerate(bots)}
    deals: dict[tuple[int, int], list[dict[str, float]]] = {}
    for game in games:
        pulls = ratings.slopes.get(result_of(game), {})
        deals.setdefault((game.players, game.deal), []).append(pulls)
    summed = []
    for _, members in sorted(deals.items()):
        total: dict[int, float] = {}
        for pulls in sorted(members, key=lambda pulls: sorted(pulls.items())):
            for bot, pull in pulls.items():
                total[numbers[bot]] = total.get(numbers[bot], 0.0) + pull
        summed.append(total)
    return summed


def _inverse(matrix: Matrix) -> Matrix:
    lower = cholesky(matrix)
    size = range(len(matrix))
    return [solve_linear(lower, [float(a == b) for b in size]) for a in size]


def _covariance(pulls: Sequence[dict[int, float]], inverse: Matrix, freedom: int) -> Matrix:
    """The covariance matrix of the means, from the spread of the pulls between deals."""
    size = len(inverse)
    middle = [[0.0] * size for _ in range(size)]
    for pull in pulls:
        for a, at_a in pull.items():
            for b, at_b in pull.items():
                middle[a][b] += at_a * at_b
    wider = len(pulls) / freedom
    half = _product(inverse, middle)
    return [[wider * value for value in row] for row in _product(half, inverse)]


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left
    ]


def _clearly_better(
    known: Sequence[int], means: Vector, spread: Matrix, freedom: int, rng: Random
) -> set[tuple[int, int]]:
    """Pairs (better, worse) that are settled, all of them together with the stated confidence."""
    left = list(permutations(known, 2))
    if not left:
        return set()
    variances = {(a, b): spread[a][a] + spread[b][b] - 2 * spread[a][b] for a, b in left}
    scales = {pair: 1 / sqrt(max(variance, _SAME**2)) for pair, variance in variances.items()}
    widest = max(row[number] for number, row in enumerate(spread))
    root = cholesky(spread, least=_NOTHING * widest)
    draws = [_draw(root, freedom, rng) for _ in range(DRAWS)]
    settled: set[tuple[int, int]] = set()
    while left:
        largest = sorted(max((d[a] - d[b]) * scales[a, b] for a, b in left) for d in draws)
        threshold = max(largest[int(CONFIDENCE * DRAWS)], 1.0)
        more = {(a, b) for a, b in left if (means[a] - means[b]) * scales[a, b] > threshold}
        if not more:
            break
        settled |= more
        left = [pair for pair in left if pair not in settled]
    return settled


def _draw(root: Matrix, freedom: int, rng: Random) -> Vector:
    """Random deviations of all means, with the covariance matrix of this root."""
    normal = [rng.gauss(0.0, 1.0) for _ in root]
    wider = sqrt(freedom / (2 * rng.gammavariate(freedom / 2, 1.0)))
    return [wider * sum(a * b for a, b in zip(row, normal, strict=True)) for row in root]
