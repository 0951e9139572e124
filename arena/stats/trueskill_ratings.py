"""TrueSkill ratings of the bots of a league, whatever the order of its games.

TrueSkill as usually computed goes through the games once, and the result depends on their order.
Here expectation propagation goes through all games again and again until nothing changes: every
game is rated from the skills as all *other* games see them, so each game counts once, and none is
first or last (as in "TrueSkill Through Time" without drift). For a single game of two bots this is
plain TrueSkill. `arena/stats/trueskill_game.py` has the model of one game.

* Winners are first and the others tie behind them; if nobody won, all tie; a bot whose fault ended
  the game is last and the others tie before it (`GameRecord.ranks`).
* The draw probability is estimated for each player count from the games: the share of pairs of
  seats of different bots that tied, after adding one pair that tied and one that did not. At six
  players most pairs tie because both lost, which says little; a fixed probability would read too
  much into it.
* If a bot has several seats, a game stands for all ways to pick one seat per bot, and what it says
  is their mean. So a bot gains nothing from copies, and copies are never compared with each other.
  A table of copies of one bot says nothing.
* Among tied bots, the model depends slightly on their order. What a game says is the mean over a
  balanced set of orders (`balanced_orders`), so that no bot gains by its name.

Games with the same bots on the same ranks say the same, so they are rated together: the work grows
with the number of different results, not with the number of games. All sums are made in one order,
so the same games give the same digits.

Each sweep rates every result once and then improves all means together by a step of Newton's method
(game by game they would creep: what a game says about a bot depends on the skill of its opponents).
It ends when no mean or standard deviation moves by more than 1e-9, mostly after ten sweeps.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product
from math import gcd, inf
from typing import Final

from arena.stats.game_record import GameRecord, Rating
from arena.stats.intervals import Z_95
from arena.stats.linear_equations import Matrix, Vector, cholesky, solve_linear
from arena.stats.trueskill_game import BETA, MU, SIGMA, Ranking, draw_margin

DIGITS: Final = 6  # decimal places of ratings; further ones may differ between machines
_PRIOR: Final = SIGMA**-2
_CLOSE: Final = 1e-9  # skills that move by less have converged
_MOST_SWEEPS: Final = 1000  # 140 were the most in thousands of odd leagues
_PATIENCE: Final = 10  # sweeps until precisions take smaller steps, in case they overshoot
_NEAR: Final = 0.1  # while skills move by more, Newton's method needs new curvatures

TableResult = tuple[int, tuple[tuple[str, tuple[int, ...]], ...]]
"""Player count and, by name, the bots at the table with the ranks of their seats, ascending."""


@dataclass(frozen=True)
class Skill:
    """A bot's rating: a normal distribution of its skill."""

    mu: float = MU
    sigma: float = round(SIGMA, DIGITS)

    @property
    def spread(self) -> float:
        """Half the width of the 95 % interval around mu, if the model holds."""
        return Z_95 * self.sigma


@dataclass(frozen=True)
class Ratings:
    """The ratings after some games."""

    skills: dict[str, Skill]
    ties: dict[int, float]
    """Player count -> the draw probability that was used."""
    slopes: dict[TableResult, dict[str, float]]
    """For each result, how strongly a game with it pulls at the mean of each bot at the table."""
    curve: Matrix
    """How strongly prior and games resist a change of the means; bots in alphabetical order."""


def rate_games(games: Sequence[GameRecord], bots: Iterable[str]) -> Ratings:
    """The ratings after these games; bots that played none keep the initial rating."""
    results = Counter(map(result_of, games))
    counts = sorted({players for players, _ in results})
    ties = {players: tie_probability(results, players) for players in counts}
    league = _League(sorted(bots), results, ties)
    league.converge()
    skills = {
        bot: Skill(round(mean, DIGITS), round(precision**-0.5, DIGITS))
        for bot, mean, precision in zip(league.bots, league.means, league.precisions, strict=True)
    }
    slopes = {table.result: table.slope_by_bot() for table in league.tables}
    return Ratings(skills, ties, slopes, league.curve())


def all_ratings(games: Sequence[GameRecord], bots: Sequence[str]) -> list[Rating]:
    """The ratings over all games (players 0) and at each player count, sorted by name."""
    counts = sorted({game.players for game in games})
    ratings = []
    for players in (0, *counts):
        selected = [game for game in games if players in (0, game.players)]
        for bot, skill in sorted(rate_games(selected, bots).skills.items()):
            ratings.append(Rating(players, bot, skill.mu, skill.sigma))
    return ratings


def tie_probability(results: Mapping[TableResult, int], players: int) -> float:
    """The estimated probability that seats of different bots tie; never exactly 0 or 1."""
    tied, pairs = 1, 2
    for (count, bots), games in results.items():
        if count == players:
            for (_, ranks), (_, others) in combinations(bots, 2):
                tied += games * sum(a == b for a, b in product(ranks, others))
                pairs += games * len(ranks) * len(others)
    return tied / pairs


def result_of(game: GameRecord) -> TableResult:
    """What the game says about skills: games with equal results are rated alike."""
    ranks: dict[str, list[int]] = {}
    for bot, rank in zip(game.seats, game.ranks(), strict=True):
        ranks.setdefault(bot, []).append(rank)
    return game.players, tuple((bot, tuple(sorted(ranks[bot]))) for bot in sorted(ranks))


class _Variant:
    """One way to pick a seat for each bot of a result, and to order tied bots."""

    def __init__(self, order: Sequence[int], ranks: Sequence[int], share: float, margin: float):
        self.order = order
        """Places of the bots in the result's table, best first."""
        self.share = share
        tied = [ranks[a] == ranks[b] for a, b in pairwise(order)]
        self.comparison = Ranking(tied, margin)


class _Table:
    """All games with the same result, and what each of them says about the skills."""

    def __init__(
        self, result: TableResult, games: int, numbers: dict[str, int], margin: float
    ) -> None:
        self.result = result
        self.games = games
        ranks = [ranks for _, ranks in result[1]]
        self.bots = [numbers[bot] for bot, _ in result[1]]
        self.variants = list(_variants(ranks, margin))
        self.weights = [0.0] * len(ranks)
        """The precision that one game adds to each skill."""
        self.slopes = [0.0] * len(ranks)
        """How strongly one game pulls at each mean."""
        self.behind = [0.0] * len(ranks)
        """How far each mean is from where the game, alone, would have put it."""
        self.links: Matrix = []
        """How strongly one game ties each two skills together."""

    def rate(self, means: Vector, precisions: Vector) -> None:
        """Rate one of the games from the skills as all others see them."""
        variances = [
            1 / max(precisions[bot] - weight, _PRIOR)
            for bot, weight in zip(self.bots, self.weights, strict=True)
        ]
        present = [means[bot] for bot in self.bots]
        triples = zip(present, self.slopes, variances, strict=True)
        centres = [mean - slope * variance for mean, slope, variance in triples]
        self.weights = [0.0] * len(self.bots)
        self.slopes = [0.0] * len(self.bots)
        for variant in self.variants:
            order, share = variant.order, variant.share
            learned = variant.comparison.learn(
                [centres[i] for i in order], [variances[i] for i in order]
            )
            for i, (slope, weight) in zip(order, learned, strict=True):
                self.slopes[i] += share * slope
                self.weights[i] += share * weight
        self.behind = [
            present[i] - centres[i] - self.slopes[i] * variances[i] for i in range(len(self.bots))
        ]

    def slope_by_bot(self) -> dict[str, float]:
        return {bot: slope for (bot, _), slope in zip(self.result[1], self.slopes, strict=True)}

    def relink(self) -> None:
        """Compute anew how strongly the result ties the skills of its bots together."""
        size = range(len(self.bots))
        self.links = [[0.0 for _ in size] for _ in size]
        for variant in self.variants:
            links = variant.comparison.links()
            for (i, a), (j, b) in permutations(enumerate(variant.order), 2):
                self.links[a][b] += variant.share * links[i][j]

    def follow(self, moves: Vector) -> None:
        """Foresee the pulls after a move of each mean, to first order."""
        self.slopes = [
            slope - sum(link * (move - other) for link, other in zip(links, moves, strict=True))
            for slope, move, links in zip(self.slopes, moves, self.links, strict=True)
        ]


def _variants(ranks: Sequence[tuple[int, ...]], margin: float) -> Iterator[_Variant]:
    """Every way to pick one rank per bot, with the bots on a rank in several orders."""
    picks = Counter(product(*ranks))
    total = picks.total()
    for pick, times in sorted(picks.items()):
        groups = [
            [place for place, other in enumerate(pick) if other == rank]
            for rank in sorted(set(pick))
        ]
        orders = list(product(*map(balanced_orders, groups)))
        for order in orders:
            chain = [place for group in order for place in group]
            yield _Variant(chain, pick, times / total / len(orders), margin)


def balanced_orders(group: Sequence[int]) -> list[list[int]]:
    """Orders in which all members have every place equally often.

    For up to five members, even all pairs have every pair of places equally often, so that it
    hardly matters who comes first in `group`.
    """
    size = len(group)
    if size == 4:  # not a prime: here the even permutations do it
        return [
            list(order)
            for order in permutations(group)
            if sum(a > b for a, b in combinations(order, 2)) % 2 == 0
        ]
    return [
        [group[(factor * place + shift) % size] for place in range(size)]
        for factor in range(1, max(size, 2))
        if gcd(factor, size) == 1
        for shift in range(size)
    ]


class _League:
    """The skills of all bots, and all games by result."""

    def __init__(
        self, bots: list[str], results: Counter[TableResult], ties: dict[int, float]
    ) -> None:
        self.bots = bots
        numbers = {bot: number for number, bot in enumerate(bots)}
        margins = {players: draw_margin(chance) for players, chance in ties.items()}
        self.tables = [
            _Table(result, games, numbers, margins[result[0]])
            for result, games in sorted(results.items())
            if len(result[1]) > 1
        ]
        self.means = [MU] * len(bots)
        self.precisions = [_PRIOR] * len(bots)

    def converge(self) -> None:
        """Rate all games until the skills do not change any more."""
        lower: Matrix = []
        change = inf
        for sweep in range(_MOST_SWEEPS):
            for table in self.tables:
                table.rate(self.means, self.precisions)
            if change > _NEAR:
                for table in self.tables:
                    table.relink()
                lower = cholesky(self.curve())
            for table in self.tables:
                table.follow(table.behind)
            change = max(
                self._move_means(lower), self._take_precisions(1 / min(1 + sweep // _PATIENCE, 4))
            )
            if change < _CLOSE:
                return

    def _move_means(self, lower: Matrix) -> float:
        """A step of Newton's method; returns the largest change of a mean."""
        pulls = [_PRIOR * (MU - mean) for mean in self.means]
        for table in self.tables:
            for bot, slope in zip(table.bots, table.slopes, strict=True):
                pulls[bot] += table.games * slope
        step = solve_linear(lower, pulls)
        longest = max(map(abs, step), default=0.0)
        if longest > BETA:  # do not overshoot
            step = [move * BETA / longest for move in step]
        self.means = [mean + move for mean, move in zip(self.means, step, strict=True)]
        for table in self.tables:
            table.follow([step[bot] for bot in table.bots])
        return longest

    def _take_precisions(self, part: float) -> float:
        """Move towards what the games say about precisions; returns the largest gap of a sigma."""
        implied = [_PRIOR] * len(self.bots)
        for table in self.tables:
            for bot, weight in zip(table.bots, table.weights, strict=True):
                implied[bot] += table.games * weight
        pairs = list(zip(self.precisions, implied, strict=True))
        self.precisions = [old ** (1 - part) * new**part for old, new in pairs]
        return max((abs(old**-0.5 - new**-0.5) for old, new in pairs), default=0.0)

    def curve(self) -> Matrix:
        """How strongly prior and games resist a change of the means."""
        size = range(len(self.bots))
        curve = [[_PRIOR * (a == b) for b in size] for a in size]
        for table in self.tables:
            for (a, bot), (b, other) in permutations(enumerate(table.bots), 2):
                strength = table.games * table.links[a][b]
                curve[bot][bot] += strength
                curve[bot][other] -= strength
        return curve
