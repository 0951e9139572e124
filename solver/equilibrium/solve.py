"""Equilibria of two-player endings: guessed by linear programming, proven by exact best responses.

Both seats know which worlds are possible and that all are equally likely; each sees its own part of
the true one. One seat wants the goal, the other the opposite, and both may mix moves at random. So
there is one value that the first can guarantee and the second can hold it to.

The exact best response to any plan of the first seat gives a lower bound of the value, and to any
plan of the second an upper bound. The plans come from floating-point numbers, rounded to ever finer
fractions; if the bounds meet, the value is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Final

from games.extras import how_to_install
from games.state import State
from solver.core.budget import NodeBudget
from solver.core.question import BadQuestion, Question, check_question
from solver.equilibrium.sequence_form import SequenceForm, Shares, Side, Sight
from solver.search.alpha_beta import ONE, ZERO, Interval

_DENOMINATORS: Final = (10, 100, 1000, 10_000, 100_000)
"""Largest denominators that probabilities are rounded to, in turn, until the bounds meet."""
_GRID: Final = 2**40
"""The last resort: one denominator for all, which keeps the numbers small."""
_ROUNDING_NOISE: Final = 1e-9
"""Weights below this count as rounding errors."""

BestPlan = Callable[[Side, Side, list[tuple[int, int, float]]], list[float]]
Rounding = Callable[[list[float]], list[Fraction]]


@dataclass(frozen=True)
class FirstMove:
    """A first move of the seat to move."""

    move: int
    share: Fraction
    """The probability with which the plan takes it."""
    value: Fraction
    """The chance of the goal with it and best play after it, against the other seat's plan."""


@dataclass(frozen=True)
class Holding:
    """Something that the seat to move may see at the start, and what it then does."""

    worlds: tuple[int, ...]
    """The numbers of the worlds that look like this."""
    moves: tuple[FirstMove, ...]


@dataclass(frozen=True)
class Proof:
    """A plan and the best response to it, which is a bound of the value."""

    shares: Shares
    answer: list[Fraction]
    """The value of each sequence of the responding seat."""

    @property
    def bound(self) -> Fraction:
        return self.answer[0]


@dataclass(frozen=True)
class Equilibrium:
    """The value of an ending, the plans that prove it, and the first moves of the seat to move."""

    form: SequenceForm
    mine: Proof
    """A plan of the seat to move, which wants the goal, and what it guarantees."""
    theirs: Proof
    """A plan of the other seat, and the most that it allows."""
    holdings: tuple[Holding, ...]

    @property
    def value(self) -> Interval:
        return self.mine.bound, self.theirs.bound

    @property
    def exact(self) -> bool:
        return self.mine.bound == self.theirs.bound


def solve_equilibrium(
    question: Question, worlds: Sequence[State], sight: Sight, budget: NodeBudget
) -> Equilibrium:
    """The value of the ending for the seat to move, with plans that prove it."""
    for world in worlds:
        if world.players != 2:
            raise BadQuestion(f"equilibria are for two players, not {world.players}")
        check_question(question, world)
    _load_best_plan()  # fails before a long search
    form = SequenceForm(question, worlds, sight, budget)
    mine, theirs = prove_plans(form)
    holdings = _holdings(form, worlds, sight, mine.shares, theirs.answer)
    return Equilibrium(form, mine, theirs, tuple(holdings))


def _holdings(
    form: SequenceForm, worlds: Sequence[State], sight: Sight, shares: Shares, worth: list[Fraction]
) -> Iterator[Holding]:
    """The first decisions of the seat to move; every world begins with one."""
    seat = form.question.seat
    for decision, taken in zip(form.mine.information_sets, shares, strict=True):
        if decision.after:
            continue
        alike = tuple(i for i, world in enumerate(worlds) if (sight(world, seat),) == decision.seen)
        scale = Fraction(len(worlds), len(alike))
        rows = zip(decision.moves, taken, decision.sequences, strict=True)
        moves = (FirstMove(move, share, worth[at] * scale) for move, share, at in rows)
        yield Holding(alike, tuple(moves))


def prove_plans(form: SequenceForm) -> tuple[Proof, Proof]:
    """Plans of both seats with the bounds that they prove."""
    return prove_bounds(form, *_guess(form, _load_best_plan()))


# ---- guessing ---------------------------------------------------------------------------------


def _load_best_plan() -> BestPlan:
    """`linear_program.best_plan`; BadQuestion if scipy is not installed."""
    try:
        from solver.equilibrium.linear_program import best_plan  # noqa: PLC0415  (an extra, and slow to load)
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        raise BadQuestion(f"equilibria need {package}; {how_to_install('equilibrium')}") from None
    return best_plan


def _guess(form: SequenceForm, best_plan: BestPlan) -> tuple[list[list[float]], list[list[float]]]:
    """Mixed plans of both seats near an equilibrium."""
    # With many worlds payoffs are tiny; unscaled, they would fall below the tolerance.
    scale = max(form.payoffs.values(), default=ONE)
    worth = [(*pair, float(payoff / scale)) for pair, payoff in form.payoffs.items()]
    mine = best_plan(form.mine, form.theirs, worth)
    theirs = best_plan(form.theirs, form.mine, [(b, a, -payoff) for a, b, payoff in worth])
    return _move_shares(form.mine, mine), _move_shares(form.theirs, theirs)


def _move_shares(side: Side, weights: list[float]) -> list[list[float]]:
    """The probability of each move by information set; the first move where the plan never gets."""
    shares = []
    for decision in side.information_sets:
        taken = [weights[sequence] for sequence in decision.sequences]
        total = sum(taken)
        unused = [1.0] + [0.0] * (len(taken) - 1)
        shares.append([weight / total for weight in taken] if total > _ROUNDING_NOISE else unused)
    return shares


# ---- proving ----------------------------------------------------------------------------------


def prove_bounds(
    form: SequenceForm, mine: list[list[float]], theirs: list[list[float]]
) -> tuple[Proof, Proof]:
    """The best lower and upper bound that roundings of these plans prove."""
    bound = attrgetter("bound")
    lows: list[Proof] = []
    highs: list[Proof] = []
    roundings: list[Rounding] = [partial(_simple_fractions, most=most) for most in _DENOMINATORS]
    for rounding in (*roundings, _grid_fractions):
        shares = [rounding(taken) for taken in mine]
        lows.append(Proof(shares, form.their_answer(form.mine.plan(shares))))
        shares = [rounding(taken) for taken in theirs]
        highs.append(Proof(shares, form.my_answer(form.theirs.plan(shares))))
        low, high = max(lows, key=bound), min(highs, key=bound)
        if low.bound == high.bound:
            break
    return low, high


def _simple_fractions(shares: list[float], most: int) -> list[Fraction]:
    """Fractions near the shares with denominators of at most `most` that sum to one."""
    return _sum_to_one([Fraction(share).limit_denominator(most) for share in shares])


def _grid_fractions(shares: list[float]) -> list[Fraction]:
    """Fractions near the shares with one fixed denominator that sum to one."""
    return _sum_to_one([Fraction(round(share * _GRID), _GRID) for share in shares])


def _sum_to_one(shares: list[Fraction]) -> list[Fraction]:
    """Adjust the largest share so that all sum to one; scale them all if it would be negative."""
    total = sum(shares, ZERO)
    largest = shares.index(max(shares))
    rest = shares[largest] + ONE - total
    if rest < 0:
        return [share / total for share in shares]
    return [rest if i == largest else share for i, share in enumerate(shares)]
