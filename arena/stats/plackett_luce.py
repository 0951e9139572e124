"""Strengths of bots on the Elo scale, fitted to all games of a league at once.

This is the Plackett-Luce model, of which one game shows the first choice: the probability that a
seat wins is its weight divided by the sum of the weights at the table. A weight is the product of
three factors: for the bot, for the place in turn order, and for the role (the leader). Places and
roles have separate factors at every player count. Copies of a bot share its factor.

* "Nobody wins" competes with a weight of its own: the geometric mean of the table's weights times a
  factor for the player count (Davidson's model of draws, for any number of players). So a game
  without a winner says that the seats are close, not which is better. A player count at which there
  was always a winner has no such term.
* Several winners share the game equally; if a bot's fault ends it, all others at the table do.
* The terms of the model are the logarithms of the factors. A weak prior keeps them finite where a
  bot won everything or nothing: normal around 0, with a standard deviation of 500 points for bots
  and "nobody", and of 200 points for places and roles. It also makes the terms of a group average
  0, so that they are identified.

Terms are reported in Elo points: +400 multiplies the weight by ten.

Confidence intervals come from a bootstrap over deals: games of one deal share their random events,
so deals are resampled, not games. Each sample moves the terms by the sum of its deals'
contributions to first order (one Newton step from the fit), which takes milliseconds where a full
fit would take seconds. More than 500 deals are resampled in 500 groups. A bot that won everything
or nothing has no interval: where the prior alone decides, the spread between deals is tiny.
`benchmarks/fit.md` shows how often the intervals contain the truth.
"""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import permutations
from math import exp, inf, log, prod, sqrt
from operator import itemgetter
from random import Random
from typing import Final

from arena.stats.comparable import comparable
from arena.stats.game_record import GameRecord
from arena.stats.intervals import Z_95, student
from arena.stats.linear_equations import Matrix, Vector, cholesky, solve_linear
from games.errors import GameError

POINTS: Final = 400 / log(10)  # Elo points per unit of the natural logarithm
BOT_PRIOR: Final = 500 / POINTS
PLACE_PRIOR: Final = 200 / POINTS
BOOTSTRAP_SAMPLES: Final = 1000
MOST_STEPS: Final = 50
CLOSE: Final = 1e-9  # terms that differ by less count as equal
_NEAR: Final = 0.01  # after shorter steps the curvature is known well enough
_SAFE: Final = 1.0  # shorter steps cannot overshoot
_MANY: Final = 4000  # games for which it pays to fit a part of them first
_PART: Final = 8  # every so many deals
_MOST_GROUPS: Final = 500  # more deals than that are resampled in groups
Term = tuple[str, int, str]
"""("bot", 0, name), ("place", players, "0"), ("role", players, name) or ("nobody", players, "")."""


@dataclass(frozen=True)
class Estimate:
    """A term in Elo points with its 95 % confidence interval.

    The interval is infinite where nothing is known: with one deal, for a bot that did not play, and
    for one that won everything or nothing against the others, whose value the prior decides.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """The fitted model."""

    bots: dict[str, Estimate]
    """Strength relative to the average of these bots."""
    places: dict[tuple[int, int], Estimate]
    """(players, place in turn order) -> its value relative to the average place."""
    roles: dict[tuple[int, str], Estimate]
    """(players, role) -> its value relative to the average role."""
    superior: dict[tuple[str, str], float]
    """(bot, other) -> share of bootstrap samples in which the bot is stronger; ties count half."""
    deals: int


def fit(games: Sequence[GameRecord], bots: Sequence[str], seed: int = 1) -> Fit:
    """The most likely terms under the prior, with bootstrap confidence intervals."""
    if not games:
        raise GameError("there are no games to compute strengths from")
    model = _Model(games, bots)
    terms, deals = model.solve()
    samples = _bootstrap(terms, deals, Random(seed))
    estimates = {
        term: _estimate(terms[i], [sample[i] for sample in samples])
        for i, term in enumerate(model.terms)
    }
    absent = set(bots) - {bot for game in games for bot in game.seats}
    for bot in set(bots) - comparable(games):
        value = 0.0 if bot in absent else estimates["bot", 0, bot].value
        estimates["bot", 0, bot] = Estimate(value, -inf, inf)
    return Fit(
        {name: value for (kind, _, name), value in estimates.items() if kind == "bot"},
        {(n, int(name)): value for (kind, n, name), value in estimates.items() if kind == "place"},
        {(n, name): value for (kind, n, name), value in estimates.items() if kind == "role"},
        _superior(bots, absent, samples),
        len({game.deal for game in model.games}),
    )


_Coefficients = list[tuple[int, float]]
"""Coefficients of terms in the logarithm of a weight, ascending."""


class _Game:
    """A game in the model: its possible results, and the actual one."""

    def __init__(
        self, seats: Sequence[tuple[int, int, int]], game: GameRecord, nobody: int
    ) -> None:
        """`seats`: the terms of every seat; `nobody`: the term for nobody winning, or -1."""
        self.deal = game.players, game.deal
        self.seats = seats
        self.won = game.shares()
        self.nobody = nobody

    def chances(self, weights: Vector) -> tuple[Vector, float]:
        """The probability that each seat wins, and that nobody does; `weights` are of the terms."""
        products = [weights[a] * weights[b] * weights[c] for a, b, c in self.seats]
        none = 0.0
        if self.nobody >= 0:
            none = weights[self.nobody] * prod(products) ** (1 / len(products))
        whole = sum(products) + none
        return [product / whole for product in products], none / whole

    def likelihood(self, weights: Vector) -> float:
        """The logarithm of the likelihood of the result."""
        chances, none = self.chances(weights)
        total = sum(w * log(chance) for w, chance in zip(self.won, chances, strict=True) if w)
        return total if any(self.won) else log(none)

    def nobody_wins(self) -> _Coefficients:
        """The geometric mean of the table's weights, and the factor for nobody."""
        average = {self.nobody: 1.0}
        for term in (term for seat in self.seats for term in seat):
            average[term] = average.get(term, 0.0) + 1 / len(self.seats)
        return sorted(average.items())


class _Model:
    """The terms of the model, and its games."""

    def __init__(self, games: Iterable[GameRecord], bots: Sequence[str]) -> None:
        games = list(games)
        open_ended = {game.players for game in games if not any(game.shares())}
        self.terms: list[Term] = [("bot", 0, bot) for bot in bots]
        self.numbers: dict[Term, int] = {term: i for i, term in enumerate(self.terms)}
        self.games = [self._game(game, game.players in open_ended) for game in games]

    def _game(self, game: GameRecord, open_ended: bool) -> _Game:
        n = game.players
        seats = tuple(
            (
                self.numbers["bot", 0, bot],
                self._number(("place", n, str(game.place(seat)))),
                self._number(("role", n, game.roles[seat])),
            )
            for seat, bot in enumerate(game.seats)
        )
        nobody = self._number(("nobody", n, "")) if open_ended else -1
        return _Game(seats, game, nobody)

    def _number(self, term: Term) -> int:
        if term not in self.numbers:
            self.numbers[term] = len(self.terms)
            self.terms.append(term)
        return self.numbers[term]

    def priors(self) -> Vector:
        """The precision of every term's prior."""
        widths = {"bot": BOT_PRIOR, "nobody": BOT_PRIOR, "place": PLACE_PRIOR, "role": PLACE_PRIOR}
        return [widths[kind] ** -2 for kind, _, _ in self.terms]

    def solve(self) -> tuple[Vector, list[Vector]]:
        """The fitted terms, and the contribution of each deal (or group of deals) to them."""
        terms = self.start()
        priors = self.priors()
        lower: Matrix = []
        longest = inf
        for _ in range(MOST_STEPS):
            if longest > _NEAR:
                lower = cholesky(self.curve(terms))
            slopes = self.slopes(terms)
            slope = [sum(column) for column in zip(*slopes.values(), strict=True)]
            slope = [s - p * t for s, p, t in zip(slope, priors, terms, strict=True)]
            step = solve_linear(lower, slope)
            longest = max(map(abs, step))
            terms = self._improve(terms, step)
            if longest < CLOSE:
                return terms, [solve_linear(lower, slope) for slope in _grouped([*slopes.values()])]
        raise GameError("the strengths do not converge; the results may be damaged")

    def start(self) -> Vector:
        """Terms to start from: 0, or those of a part of the deals if there are many games."""
        if len(self.games) < _MANY:
            return [0.0] * len(self.terms)
        part = copy(self)
        deals = sorted({game.deal for game in self.games})[::_PART]
        chosen = set(deals)
        part.games = [game for game in self.games if game.deal in chosen]
        return part.solve()[0]

    def _improve(self, terms: Vector, step: Vector) -> Vector:
        """Take the step; halve a long one until it does not lower the likelihood."""
        if max(map(abs, step)) < _SAFE:
            return [t + s for t, s in zip(terms, step, strict=True)]
        best = self.likelihood(terms)
        for halving in range(MOST_STEPS):
            tried = [t + s / 2**halving for t, s in zip(terms, step, strict=True)]
            if self.likelihood(tried) >= best - CLOSE:
                return tried
        return terms

    def likelihood(self, terms: Vector) -> float:
        """The logarithm of the likelihood times the prior."""
        prior = -sum(p * t * t for p, t in zip(self.priors(), terms, strict=True)) / 2
        weights = [exp(term) for term in terms]
        return prior + sum(game.likelihood(weights) for game in self.games)

    def slopes(self, terms: Vector) -> dict[tuple[int, int], Vector]:
        """The gradient for each deal."""
        weights = [exp(term) for term in terms]
        size = len(terms)
        slopes: dict[tuple[int, int], Vector] = {}
        for game in self.games:
            slope = slopes.get(game.deal)
            if slope is None:
                slope = slopes[game.deal] = [0.0] * size
            chances, none = game.chances(weights)
            # A game that nobody won speaks for every seat equally.
            share = 0.0
            if game.nobody >= 0:
                surprise = 1 - sum(game.won) - none
                slope[game.nobody] += surprise
                share = surprise / len(chances)
            for (a, b, c), won, chance in zip(game.seats, game.won, chances, strict=True):
                surprise = won - chance + share
                slope[a] += surprise
                slope[b] += surprise
                slope[c] += surprise
        return slopes

    def curve(self, terms: Vector) -> Matrix:
        """The curvature of all deals and the prior: of the symmetric matrix, the lower half."""
        weights = [exp(term) for term in terms]
        curve = [[0.0] * len(terms) for _ in terms]
        for i, precision in enumerate(self.priors()):
            curve[i][i] = precision
        for game in self.games:
            chances, none = game.chances(weights)
            expected: dict[int, float] = {}
            for seat, chance in zip(game.seats, chances, strict=True):
                a, b, c = sorted(seat)
                for term in seat:
                    expected[term] = expected.get(term, 0.0) + chance
                curve[a][a] += chance
                curve[b][b] += chance
                curve[c][c] += chance
                curve[b][a] += chance
                curve[c][a] += chance
                curve[c][b] += chance
            if game.nobody >= 0:
                result = game.nobody_wins()
                for term, factor in result:
                    expected[term] = expected.get(term, 0.0) + none * factor
                _add(curve, result, none)
            _add(curve, sorted(expected.items()), -1.0)
        return curve


def _grouped(slopes: list[Vector]) -> list[Vector]:
    """Sums over groups of deals if there are many: they spread as much, and are fewer."""
    if len(slopes) <= _MOST_GROUPS:
        return slopes
    groups = (slopes[i::_MOST_GROUPS] for i in range(_MOST_GROUPS))
    return [[sum(column) for column in zip(*group, strict=True)] for group in groups]


def _add(curve: Matrix, result: _Coefficients, weight: float) -> None:
    """Add the outer product of a result's coefficients to the lower half."""
    for count, (i, factor) in enumerate(result, 1):
        row, part = curve[i], weight * factor
        for j, other in result[:count]:
            row[j] += part * other


# ---- bootstrap ----------------------------------------------------------------------------------


def _bootstrap(terms: Vector, deals: list[Vector], rng: Random) -> list[Vector]:
    """The terms of bootstrap samples: leagues of deals drawn from this one with replacement."""
    size = len(deals)
    columns = list(zip(*deals, strict=True))
    centres = [sum(column) for column in columns]
    if size == 1:  # one deal says nothing about the spread between deals
        return [[sign * inf] * len(terms) for sign in (-1, 1)]
    # Drawing with replacement spreads a little less than new deals would, and the spread of few
    # deals is uncertain.
    wider = sqrt(size / (size - 1)) * student(size - 1) / Z_95
    samples = []
    for _ in range(BOOTSTRAP_SAMPLES):
        take = itemgetter(*rng.choices(range(size), k=size), 0)  # the 0 makes it return a tuple
        moved = [sum(take(column)) - column[0] for column in columns]
        samples.append([t + wider * (m - c) for t, m, c in zip(terms, moved, centres, strict=True)])
    return samples


def _estimate(value: float, samples: Sequence[float]) -> Estimate:
    ordered = sorted(samples)
    edge = round(len(ordered) * 0.025)
    return Estimate(value * POINTS, ordered[edge] * POINTS, ordered[-edge - 1] * POINTS)


def _superior(
    bots: Sequence[str], absent: set[str], samples: Sequence[Vector]
) -> dict[tuple[str, str], float]:
    """`samples` start with the terms of the bots; a bot that did not play gets 0.5."""
    superior: dict[tuple[str, str], float] = {}
    for (i, bot), (j, other) in permutations(enumerate(bots), 2):
        gaps = [sample[i] - sample[j] for sample in samples if not {bot, other} & absent]
        ahead = sum(gap > CLOSE for gap in gaps)
        behind = sum(gap < -CLOSE for gap in gaps)
        superior[bot, other] = 0.5 + (ahead - behind) / (2 * len(samples))
    return superior
