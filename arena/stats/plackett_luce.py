"""The strengths that explain all games of a league at once, whatever their order.

The model is that of Plackett and Luce, of which one game shows the first choice: the chance of a
seat to win is its weight, divided by the sum of the weights at the table. A weight is the product
of three factors: of the bot, of the place in turn order, and of the role (the leader); the latter
two are separate for every player count. Copies of a bot share its factor.

* "Nobody wins" competes with a weight of its own: the geometric mean of the table's weights times a
  factor of the player count (Davidson's model of draws, for any number of players). So nobody
  winning says that the seats are close, and not who is better. A player count at which somebody
  always won has no such term.
* Several winners count as one game won in equal parts; a bot that broke down loses to all others
  of its table in equal parts.
* Logarithms of factors are the terms of the model. A weak prior keeps them finite where a bot won
  everything or nothing: normal around 0, 500 points wide for bots and "nobody", 200 points for
  places and roles. It also makes the terms of a group average 0, so that they are determined.

Terms are reported in points: 400 more multiply the weight by ten, as in chess ratings.

How sure we are comes from a bootstrap over deals: games of one deal share their luck, so deals, not
games, are drawn anew. Each draw moves the terms by the sum of what its deals contribute, to first
order (one Newton step from the fit), which takes milliseconds where a full fit would take seconds;
`benchmarks/fit.md` shows how often the intervals then hold the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import exp, inf, log, sqrt
from operator import itemgetter
from random import Random
from typing import Final

from arena.stats.game_record import Played
from arena.stats.intervals import Z_95, student
from games.errors import GameError

POINTS: Final = 400 / log(10)
"""Points of one unit of the natural logarithm."""

BOT_PRIOR: Final = 500 / POINTS
PLACE_PRIOR: Final = 200 / POINTS
DRAWS: Final = 1000
"""Times that deals are drawn anew."""

STEPS: Final = 50
CLOSE: Final = 1e-9
"""Terms that differ by less are equal."""

Term = tuple[str, int, str]
"""("bot", 0, name), ("place", players, "0"), ("role", players, name) or ("nobody", players, "")."""

Vector = list[float]
Matrix = list[list[float]]


@dataclass(frozen=True)
class Estimate:
    """A term in points, and the 95 % interval of the bootstrap over deals.

    The interval is endless where one cannot tell: for one deal, or a bot that did not play.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """What explains the games."""

    bots: dict[str, Estimate]
    """Strength beside the average of these bots."""
    places: dict[tuple[int, int], Estimate]
    """(players, place in turn order) -> what it is worth beside the average place."""
    roles: dict[tuple[int, str], Estimate]
    """(players, role) -> what it is worth beside the average role."""
    superior: dict[tuple[str, str], float]
    """(one, other) -> share of the drawn leagues in which the one is the stronger; ties half."""
    deals: int


def fit(games: Sequence[Played], bots: Sequence[str], seed: int = 1) -> Fit:
    """The most likely terms under the prior, and how far they move when deals are drawn anew."""
    if not games:
        raise GameError("there are no games to find strengths from")
    model = _Model(games, bots)
    terms, deals = model.solve()
    drawn = _bootstrap(terms, deals, Random(seed))
    found = {
        term: _estimate(terms[i], [moved[i] for moved in drawn])
        for i, term in enumerate(model.terms)
    }
    absent = set(bots) - {bot for game in games for bot in game.seats}
    found |= {("bot", 0, bot): Estimate(0.0, -inf, inf) for bot in absent}
    return Fit(
        {name: one for (kind, _, name), one in found.items() if kind == "bot"},
        {(n, int(name)): one for (kind, n, name), one in found.items() if kind == "place"},
        {(n, name): one for (kind, n, name), one in found.items() if kind == "role"},
        _superior(bots, absent, drawn),
        len(deals),
    )


Choice = list[tuple[int, float]]
"""How much of which terms, ascending, is in the logarithm of the weight of a choice."""


class _Game:
    """A game as the model sees it: what could have come of it, and what did."""

    def __init__(self, seats: Sequence[Sequence[int]], game: Played, nobody: int) -> None:
        """`seats` has the terms of every seat, `nobody` the one for nobody winning or -1."""
        self.deal = game.players, game.deal
        self.won: list[float] = list(game.shares())
        """How much of the game went to each choice."""
        self.choices: list[Choice] = [[(term, 1.0) for term in sorted(seat)] for seat in seats]
        if nobody >= 0:
            average: dict[int, float] = {nobody: 1.0}
            for term in (term for seat in seats for term in seat):
                average[term] = average.get(term, 0.0) + 1 / len(seats)
            self.choices.append(sorted(average.items()))
            self.won.append(1 - sum(self.won))

    def sums(self, terms: Vector) -> Vector:
        """The logarithm of the weight of every choice."""
        return [sum(terms[i] * much for i, much in choice) for choice in self.choices]


class _Model:
    """The terms there are, and the games that speak of them."""

    def __init__(self, games: Iterable[Played], bots: Sequence[str]) -> None:
        games = list(games)
        open_ended = {game.players for game in games if not any(game.shares())}
        self.terms: list[Term] = [("bot", 0, bot) for bot in bots]
        self.numbers: dict[Term, int] = {term: i for i, term in enumerate(self.terms)}
        self.games = [self._seen(game, game.players in open_ended) for game in games]

    def _seen(self, game: Played, open_ended: bool) -> _Game:
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
        """The precision of the prior of every term."""
        widths = {"bot": BOT_PRIOR, "nobody": BOT_PRIOR, "place": PLACE_PRIOR, "role": PLACE_PRIOR}
        return [widths[kind] ** -2 for kind, _, _ in self.terms]

    def solve(self) -> tuple[Vector, list[Vector]]:
        """The terms, and for each deal how much it contributes to them."""
        terms = [0.0] * len(self.terms)
        priors = self.priors()
        best = self.likelihood(terms)
        for _ in range(STEPS):
            slopes, curve = self.slopes(terms)
            slope = [sum(column) for column in zip(*slopes.values(), strict=True)]
            slope = [s - p * t for s, p, t in zip(slope, priors, terms, strict=True)]
            step = solve(factor(curve), slope)
            terms, best = self._improve(terms, step, best)
            if max(map(abs, step)) < CLOSE:
                break
        else:
            raise GameError("the strengths do not settle; are the results damaged?")
        lower = factor(curve)
        return terms, [solve(lower, slope) for slope in slopes.values()]

    def _improve(self, terms: Vector, step: Vector, best: float) -> tuple[Vector, float]:
        """The step, halved until it does not make matters worse."""
        for halving in range(STEPS):
            tried = [t + s / 2**halving for t, s in zip(terms, step, strict=True)]
            found = self.likelihood(tried)
            if found >= best - CLOSE:
                return tried, found
        return terms, best

    def likelihood(self, terms: Vector) -> float:
        """The logarithm of likelihood times prior."""
        total = -sum(p * t * t for p, t in zip(self.priors(), terms, strict=True)) / 2
        for game in self.games:
            sums = game.sums(terms)
            most = max(sums)
            whole = most + log(sum(exp(s - most) for s in sums))
            total += sum(w * (s - whole) for w, s in zip(game.won, sums, strict=True) if w)
        return total

    def slopes(self, terms: Vector) -> tuple[dict[tuple[int, int], Vector], Matrix]:
        """Of the likelihood: the slope for each deal, and the curvature of all with the prior.

        Of the curvature, which is symmetric, only the lower half.
        """
        many = len(self.terms)
        curve = [[0.0] * many for _ in range(many)]
        for i, precision in enumerate(self.priors()):
            curve[i][i] = precision
        slopes: dict[tuple[int, int], Vector] = {}
        for game in self.games:
            slope = slopes.setdefault(game.deal, [0.0] * many)
            expected: dict[int, float] = {}
            chances = _chances(game.sums(terms))
            for choice, chance, won in zip(game.choices, chances, game.won, strict=True):
                for i, much in choice:
                    expected[i] = expected.get(i, 0.0) + chance * much
                    slope[i] += won * much
                _add(curve, choice, chance)
            for i, much in expected.items():
                slope[i] -= much
            _add(curve, sorted(expected.items()), -1.0)
        return slopes, curve


def _add(curve: Matrix, choice: Choice, weight: float) -> None:
    """Add the product of the choice's terms with each other to the lower half."""
    for many, (i, much) in enumerate(choice, 1):
        row, part = curve[i], weight * much
        for j, other in choice[:many]:
            row[j] += part * other


def _chances(sums: Vector) -> Vector:
    most = max(sums)
    weights = [exp(s - most) for s in sums]
    whole = sum(weights)
    return [weight / whole for weight in weights]


# ---- drawing deals anew -------------------------------------------------------------------------


def _bootstrap(terms: Vector, deals: list[Vector], rng: Random) -> list[Vector]:
    """The terms of leagues made of deals drawn from this one's, with repetition."""
    many = len(deals)
    columns = list(zip(*deals, strict=True))
    centres = [sum(column) for column in columns]
    if many == 1:  # one deal says nothing about how different deals are
        return [[sign * inf] * len(terms) for sign in (-1, 1)]
    # Drawing with repetition spreads a little less than new deals would, and a few deals cannot
    # tell well how much they spread.
    wider = sqrt(many / (many - 1)) * student(many - 1) / Z_95
    drawn = []
    for _ in range(DRAWS):
        take = itemgetter(*rng.choices(range(many), k=many), 0)  # always a tuple
        moved = [sum(take(column)) - column[0] for column in columns]
        drawn.append([t + wider * (m - c) for t, m, c in zip(terms, moved, centres, strict=True)])
    return drawn


def _estimate(value: float, drawn: Sequence[float]) -> Estimate:
    ordered = sorted(drawn)
    edge = round(len(ordered) * 0.025)
    return Estimate(value * POINTS, ordered[edge] * POINTS, ordered[-edge - 1] * POINTS)


def _superior(
    bots: Sequence[str], absent: set[str], drawn: Sequence[Vector]
) -> dict[tuple[str, str], float]:
    """`drawn` begins with the bots; of those who did not play nothing is known."""
    found: dict[tuple[str, str], float] = {}
    for (i, one), (j, other) in permutations(enumerate(bots), 2):
        gaps = [moved[i] - moved[j] for moved in drawn if not {one, other} & absent]
        ahead = sum(gap > CLOSE for gap in gaps)
        behind = sum(gap < -CLOSE for gap in gaps)
        found[one, other] = 0.5 + (ahead - behind) / (2 * len(drawn))
    return found


# ---- linear equations ---------------------------------------------------------------------------


def factor(matrix: Matrix) -> Matrix:
    """Cholesky's factor of a positive definite matrix, of which the lower half is looked at."""
    many = len(matrix)
    lower = [[0.0] * many for _ in range(many)]
    for i in range(many):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(
                a * b for a, b in zip(lower[i][:j], lower[j][:j], strict=True)
            )
            lower[i][j] = sqrt(rest) if i == j else rest / lower[j][j]
    return lower


def solve(lower: Matrix, right: Vector) -> Vector:
    """The vector that the factored matrix turns into `right`."""
    many = len(right)
    half = [0.0] * many
    for i in range(many):
        half[i] = (right[i] - sum(lower[i][k] * half[k] for k in range(i))) / lower[i][i]
    found = [0.0] * many
    for i in reversed(range(many)):
        rest = half[i] - sum(lower[k][i] * found[k] for k in range(i + 1, many))
        found[i] = rest / lower[i][i]
    return found
