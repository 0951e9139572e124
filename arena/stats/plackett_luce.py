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
fit would take seconds. `benchmarks/fit.md` shows how often the intervals contain the truth.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import exp, inf, log, sqrt
from operator import itemgetter
from random import Random
from typing import Final

from arena.stats.game_record import GameRecord
from arena.stats.intervals import Z_95, student
from arena.stats.linear_equations import Matrix, Vector, cholesky, solve
from games.errors import GameError

POINTS: Final = 400 / log(10)  # Elo points per unit of the natural logarithm
BOT_PRIOR: Final = 500 / POINTS
PLACE_PRIOR: Final = 200 / POINTS
SAMPLES: Final = 1000  # bootstrap samples
MOST_STEPS: Final = 50
CLOSE: Final = 1e-9  # terms that differ by less count as equal
Term = tuple[str, int, str]
"""("bot", 0, name), ("place", players, "0"), ("role", players, name) or ("nobody", players, "")."""


@dataclass(frozen=True)
class Estimate:
    """A term in Elo points with its 95 % confidence interval.

    The interval is infinite where nothing is known: with one deal, or for a bot that did not play.
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
    estimates |= {("bot", 0, bot): Estimate(0.0, -inf, inf) for bot in absent}
    return Fit(
        {name: value for (kind, _, name), value in estimates.items() if kind == "bot"},
        {(n, int(name)): value for (kind, n, name), value in estimates.items() if kind == "place"},
        {(n, name): value for (kind, n, name), value in estimates.items() if kind == "role"},
        _superior(bots, absent, samples),
        len(deals),
    )


_Result = list[tuple[int, float]]
"""A possible result of a game: coefficients of terms in the logarithm of its weight, ascending."""


class _Game:
    """A game in the model: its possible results, and the actual one."""

    def __init__(self, seats: Sequence[Sequence[int]], game: GameRecord, nobody: int) -> None:
        """`seats`: the terms of every seat; `nobody`: the term for nobody winning, or -1."""
        self.deal = game.players, game.deal
        self.won: list[float] = list(game.shares())
        """How much of the game went to each result."""
        self.results: list[_Result] = [[(term, 1.0) for term in sorted(seat)] for seat in seats]
        if nobody >= 0:
            average: dict[int, float] = {nobody: 1.0}
            for term in (term for seat in seats for term in seat):
                average[term] = average.get(term, 0.0) + 1 / len(seats)
            self.results.append(sorted(average.items()))
            self.won.append(1 - sum(self.won))

    def sums(self, terms: Vector) -> Vector:
        """The logarithm of the weight of every result."""
        return [sum(terms[i] * factor for i, factor in result) for result in self.results]


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
        """The fitted terms, and each deal's contribution to them."""
        terms = [0.0] * len(self.terms)
        priors = self.priors()
        best = self.likelihood(terms)
        for _ in range(MOST_STEPS):
            slopes, curve = self.slopes(terms)
            slope = [sum(column) for column in zip(*slopes.values(), strict=True)]
            slope = [s - p * t for s, p, t in zip(slope, priors, terms, strict=True)]
            step = solve(cholesky(curve), slope)
            terms, best = self._improve(terms, step, best)
            if max(map(abs, step)) < CLOSE:
                break
        else:
            raise GameError("the strengths do not converge; the results may be damaged")
        lower = cholesky(curve)
        return terms, [solve(lower, slope) for slope in slopes.values()]

    def _improve(self, terms: Vector, step: Vector, best: float) -> tuple[Vector, float]:
        """Take the step, halved until it does not lower the likelihood."""
        for halving in range(MOST_STEPS):
            tried = [t + s / 2**halving for t, s in zip(terms, step, strict=True)]
            value = self.likelihood(tried)
            if value >= best - CLOSE:
                return tried, value
        return terms, best

    def likelihood(self, terms: Vector) -> float:
        """The logarithm of the likelihood times the prior."""
        total = -sum(p * t * t for p, t in zip(self.priors(), terms, strict=True)) / 2
        for game in self.games:
            sums = game.sums(terms)
            most = max(sums)
            whole = most + log(sum(exp(s - most) for s in sums))
            total += sum(w * (s - whole) for w, s in zip(game.won, sums, strict=True) if w)
        return total

    def slopes(self, terms: Vector) -> tuple[dict[tuple[int, int], Vector], Matrix]:
        """The gradient for each deal, and the curvature of all deals and the prior.

        Of the curvature, which is symmetric, only the lower half.
        """
        size = len(self.terms)
        curve = [[0.0] * size for _ in range(size)]
        for i, precision in enumerate(self.priors()):
            curve[i][i] = precision
        slopes: dict[tuple[int, int], Vector] = {}
        for game in self.games:
            slope = slopes.setdefault(game.deal, [0.0] * size)
            expected: dict[int, float] = {}
            chances = _chances(game.sums(terms))
            for result, chance, won in zip(game.results, chances, game.won, strict=True):
                for i, factor in result:
                    expected[i] = expected.get(i, 0.0) + chance * factor
                    slope[i] += won * factor
                _add(curve, result, chance)
            for i, factor in expected.items():
                slope[i] -= factor
            _add(curve, sorted(expected.items()), -1.0)
        return slopes, curve


def _add(curve: Matrix, result: _Result, weight: float) -> None:
    """Add the outer product of a result's coefficients to the lower half."""
    for count, (i, factor) in enumerate(result, 1):
        row, part = curve[i], weight * factor
        for j, other in result[:count]:
            row[j] += part * other


def _chances(sums: Vector) -> Vector:
    most = max(sums)
    weights = [exp(s - most) for s in sums]
    whole = sum(weights)
    return [weight / whole for weight in weights]


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
    for _ in range(SAMPLES):
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
