"""Equilibria of two-player endings: guessed by linear programming, proven by exact best answers.

Both seats know which worlds are possible and that all are equally likely; one is dealt, and each
sees its own part of it. One seat wants the goal, the other the opposite, and both may use dice.
Then there is one value that the first can guarantee and the second can hold it to.

A plan is worth what the best answer to it leaves, whatever the plan: so the exact answer to a plan
of the one seat is a lower bound of the value, and to a plan of the other an upper bound, however
the plans were come by. They come from floating-point numbers, rounded to fractions, coarsely at
first; if the bounds meet, the value is exact, and else they are what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Final

from games.state import State
from solver.core.budget import NodeBudget
from solver.core.question import BadQuestion, Question, check_question
from solver.equilibrium.sequence_form import SequenceForm, Shares, Side, Sight
from solver.search.alpha_beta import ONE, ZERO, Interval

ROUNDINGS: Final = (10, 100, 1000, 10_000, 100_000)
"""Denominators up to which shares are rounded, one after the other, until the bounds meet."""
GRID: Final = 2**40
"""At last, one denominator for all: numbers stay small however many shares there are."""
NOTHING: Final = 1e-9
"""Weights below this are taken for rounding errors."""

BestPlan = Callable[[Side, Side, list[tuple[int, int, float]]], list[float]]
Rounding = Callable[[list[float]], list[Fraction]]


@dataclass(frozen=True)
class FirstMove:
    """A move that the seat has at the start."""

    move: int
    share: Fraction
    """How often the seat's plan takes it."""
    value: Fraction
    """The chance of the goal with it, going on at best, against the other seat's plan."""


@dataclass(frozen=True)
class Holding:
    """What the seat to move may see at the start, and what it then does."""

    worlds: tuple[int, ...]
    """The numbers of the worlds that look so."""
    moves: tuple[FirstMove, ...]


@dataclass(frozen=True)
class Proof:
    """A plan, the best answer to it, and so a bound of the value."""

    shares: Shares
    answer: list[Fraction]
    """By sequence of the other seat, what it is worth."""

    @property
    def bound(self) -> Fraction:
        return self.answer[0]


@dataclass(frozen=True)
class Equilibrium:
    """What two seats achieve against each other, and the first moves of the one that begins."""

    form: SequenceForm
    mine: Proof
    """A plan of the seat to move, which wants the goal: it guarantees so much."""
    theirs: Proof
    """A plan of the other seat, which allows no more than so much."""
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
            raise BadQuestion(f"equilibria are for two players, and here are {world.players}")
        check_question(question, world)
    best_plan = programming()
    form = SequenceForm(question, worlds, sight, budget)
    mine, theirs = proven(form, *guessed(form, best_plan))
    holdings = _holdings(form, worlds, sight, mine.shares, theirs.answer)
    return Equilibrium(form, mine, theirs, tuple(holdings))


def _holdings(
    form: SequenceForm,
    worlds: Sequence[State],
    sight: Sight,
    shares: Shares,
    worth: list[Fraction],
) -> Iterator[Holding]:
    """What the seat may see at the start; every world begins with a choice of it."""
    seat = form.question.seat
    for choice, taken in zip(form.mine.choices, shares, strict=True):
        if choice.after:
            continue
        alike = tuple(i for i, world in enumerate(worlds) if (sight(world, seat),) == choice.seen)
        many = Fraction(len(worlds), len(alike))
        yield Holding(
            alike,
            tuple(
                FirstMove(move, share, worth[sequence] * many)
                for move, share, sequence in zip(choice.moves, taken, choice.sequences, strict=True)
            ),
        )


# ---- guessing ---------------------------------------------------------------------------------


def programming() -> BestPlan:
    """`best_plan` of the module that does the linear programming, if it can be had."""
    try:
        from solver.equilibrium.linear_program import best_plan  # noqa: PLC0415  (an extra, and slow to load)
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        raise BadQuestion(
            f"an equilibrium needs the package {package!r}: "
            "pip install 'hidden-leaders-arena[equilibrium]'"
        ) from None
    return best_plan


def guessed(form: SequenceForm, best_plan: BestPlan) -> tuple[list[list[float]], list[list[float]]]:
    """Shares for both seats that are near an equilibrium."""
    # Of many worlds each counts little: without scaling, solvers would take payoffs for nothing.
    scale = max(form.payoffs.values(), default=ONE)
    worth = [(*pair, float(payoff / scale)) for pair, payoff in form.payoffs.items()]
    mine = best_plan(form.mine, form.theirs, worth)
    theirs = best_plan(form.theirs, form.mine, [(two, one, -much) for one, two, much in worth])
    return split(form.mine, mine), split(form.theirs, theirs)


def split(side: Side, weights: list[float]) -> list[list[float]]:
    """How often each move is taken, by choice; the first where the plan never comes to."""
    found = []
    for choice in side.choices:
        taken = [weights[sequence] for sequence in choice.sequences]
        total = sum(taken)
        unused = [1.0] + [0.0] * (len(taken) - 1)
        found.append([one / total for one in taken] if total > NOTHING else unused)
    return found


# ---- proving ----------------------------------------------------------------------------------


def proven(
    form: SequenceForm, mine: list[list[float]], theirs: list[list[float]]
) -> tuple[Proof, Proof]:
    """The best bounds, from below and from above, that roundings of these shares prove."""
    low = high = None
    roundings: list[Rounding] = [partial(simple, most=most) for most in ROUNDINGS]
    for rounding in (*roundings, on_grid):
        shares = [rounding(one) for one in mine]
        proof = Proof(shares, form.their_answer(form.mine.plan(shares)))
        low = proof if low is None or proof.bound > low.bound else low
        shares = [rounding(one) for one in theirs]
        proof = Proof(shares, form.my_answer(form.theirs.plan(shares)))
        high = proof if high is None or proof.bound < high.bound else high
        if low.bound == high.bound:
            break
    assert low is not None
    assert high is not None
    return low, high


def simple(shares: list[float], most: int) -> list[Fraction]:
    """Fractions near the shares, with denominators of at most so much, adding up to one."""
    return whole([Fraction(share).limit_denominator(most) for share in shares])


def on_grid(shares: list[float]) -> list[Fraction]:
    """Fractions with one fixed denominator."""
    return whole([Fraction(round(share * GRID), GRID) for share in shares])


def whole(shares: list[Fraction]) -> list[Fraction]:
    """The largest makes up for what is missing to one; if that is too much, all do."""
    total = sum(shares, ZERO)
    largest = shares.index(max(shares))
    rest = shares[largest] + ONE - total
    if rest < 0:
        return [share / total for share in shares]
    return [rest if i == largest else share for i, share in enumerate(shares)]
