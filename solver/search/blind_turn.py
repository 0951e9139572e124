"""One turn of a seat that sees only its own cards, against a coalition that sees everything.

The search walks the imagined table (`games.questions.Unseen`), so its size does not depend on the
number of worlds. A plan without chance leads to a set of ends, one of which the coalition picks
once it knows the world: the plan wins in the worlds in which the seat wins at all of these ends.
Where the seat gets to see an unseen card, a plan goes on for each kind of card that it may be; its
ends then hold only if that fact does. Where chance decides, the best plan for each outcome is
valued at once. The seat never learns more than these facts, so it cannot choose by anything else
(no strategy fusion). What depends on still more is worth anything from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Final, NamedTuple

from games.questions import Case, Finding, Odds, Unseen
from games.state import CHANCE, State
from solver.core.budget import BudgetExceeded, NodeBudget
from solver.core.question import BadQuestion, Others, Question
from solver.search.alpha_beta import after, outcomes

MOST_PLANS: Final = 2000
"""TurnPlans of one position; more are not told apart, and its value is open."""
FEW_PLANS: Final = 10
"""TurnPlans whose odds take no time to speak of."""
_NEARLY: Final = 1.0 - 1e-12

GivenEnd = tuple[frozenset[Finding], Hashable]
"""An end, or None where the seat loses, and the facts under which it is reached."""
TurnPlan = frozenset[GivenEnd]
TurnPlans = frozenset[TurnPlan]


class Chance(NamedTuple):
    """Bounds of a chance."""

    low: float
    high: float
    sampled: bool
    """Whether the odds behind it come from sampled worlds."""
    least: float = 0.0
    """Bounds of the chance in the worst world: at least this,"""
    most: float = 1.0
    """and at most this. Without luck, a plan either wins in every world or loses in one."""
    contested: bool = True
    """Whether it may be another chance if the others are no coalition."""


ANY_CHANCE: Final = Chance(0.0, 1.0, sampled=False)


def combined(low: float, high: float, least: float, most: float, parts: Iterable[Chance]) -> Chance:
    return Chance(low, high, any(part.sampled for part in parts), least, min(most, high))


@dataclass(frozen=True)
class Worth:
    """What a position is worth: plans, or bounds if they cannot be written as plans."""

    plans: TurnPlans | None
    """The ends that each plan may lead to; a plan that surely fails is left out."""
    bounds: Chance = ANY_CHANCE
    contested: bool = field(default=False, compare=False)
    """Whether another seat has a choice that matters."""


SURE_LOSS: Final = Worth(frozenset())
OPAQUE: Final = Worth(None)


class BlindTurn:
    """Answers whether a seat can win this turn."""

    def __init__(self, question: Question, unseen: Unseen, budget: NodeBudget) -> None:
        if question.horizon != 1 or question.others is not Others.COALITION:
            raise BadQuestion("this search is about one turn against a coalition")
        self.question = question
        self.unseen = unseen
        self.budget = budget
        self.deadline = question.deadline(unseen.table)
        self.known: dict[TurnPlan, Odds] = {}
        self.table: dict[bytes, Worth] = {}

    @property
    def asked(self) -> int:
        """How many plans were valued."""
        return len(self.known)

    def values(self) -> dict[int, Chance]:
        """Bounds of the chance to win after every move.

        Moves with many plans are valued last: the odds of all these may use up the budget.
        """
        moves = self.unseen.table.moves()
        values = dict.fromkeys(moves, self.valued(SURE_LOSS))
        hopeful = [move for move in moves if not self.unseen.hopeless(move)]
        values.update(dict.fromkeys(hopeful, OPAQUE.bounds))
        later = dict[int, Worth]()
        with suppress(BudgetExceeded):
            for move in hopeful:
                worth = self.moved(self.unseen.table, move)
                if len(worth.plans or ()) > FEW_PLANS:
                    later[move] = worth
                else:
                    values[move] = self.valued(worth)
            for move, worth in later.items():
                values[move] = self.valued(worth)
        return values

    def valued(self, worth: Worth) -> Chance:
        return self.bounds(worth)._replace(contested=worth.contested)

    # ---- plans ----------------------------------------------------------------------------

    def moved(self, state: State, move: int) -> Worth:
        """What it is worth to make this move."""
        cases = self.unseen.cases(state, move)
        if cases is None:
            return OPAQUE
        worths = [self.worth(after(case.table, move)) for case in cases]
        return united(self.told_apart(cases, worths), worths)

    def worth(self, state: State) -> Worth:
        if not self.budget.spend():
            raise BudgetExceeded("too many positions")
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            end = self.unseen.end(state)
            if end is None:
                return SURE_LOSS
            return Worth(frozenset([frozenset([(frozenset[Finding](), end)])]))
        key = state.key()
        if key not in self.table:
            self.table[key] = self.searched(state)
        return self.table[key]

    def searched(self, state: State) -> Worth:
        cases = self.unseen.drawn(state)
        if cases is None:
            return OPAQUE
        if len(cases) > 1 or cases[0].facts:
            worths = [self.worth(case.table) for case in cases]
            return united(self.told_apart(cases, worths), worths)
        if state.actor == CHANCE:
            return self.mean(state)
        worths = [self.moved(state, move) for move in dict.fromkeys(state.moves())]
        if state.actor == self.question.seat:
            return united(self.best(worths), worths)
        return united(self.worst(worths), worths, contested=len(set(worths)) > 1)

    def best(self, worths: list[Worth]) -> Worth:
        plans = [worth.plans for worth in worths if worth.plans is not None]
        union = self.undominated(frozenset[TurnPlan]().union(*plans))
        if len(plans) == len(worths) and len(union) <= MOST_PLANS:
            return Worth(union)
        bounds = [self.bounds(worth) for worth in worths]
        low, high = max(one.low for one in bounds), max(one.high for one in bounds)
        least, most = max(one.least for one in bounds), max(one.most for one in bounds)
        return Worth(None, combined(low, high, least, most, bounds))

    def undominated(self, plans: TurnPlans) -> TurnPlans:
        """Without plans to one end that another such plan matches or beats in every world."""
        single = [plan for plan in plans if len(plan) == 1]
        dropped = set[TurnPlan]()
        for plan in single:
            self.budget.check_time()
            ((given, end),) = plan
            for other in single:
                ((facts, better),) = other
                if other == plan or other in dropped or facts != given or better is None:
                    continue
                if end is None or self.unseen.no_worse(better, end):
                    dropped.add(plan)
                    break
        return plans - dropped

    def worst(self, worths: list[Worth]) -> Worth:
        """The coalition knows the world and picks."""
        distinct = list(dict.fromkeys(worths))
        if len(distinct) == 1:
            return distinct[0]
        plans = [worth.plans for worth in distinct if worth.plans is not None]
        if len(plans) == len(distinct) and prod(map(len, plans)) <= MOST_PLANS:
            return Worth(all_of(plans))
        bounds = [self.bounds(worth) for worth in distinct]
        # In how many worlds each reply fails is known, but not whether these are the same worlds.
        low = max(0.0, 1.0 - sum(1.0 - one.low for one in bounds))
        least = max(0.0, 1.0 - sum(1.0 - one.least for one in bounds))
        high, most = min(one.high for one in bounds), min(one.most for one in bounds)
        return Worth(None, combined(low, high, least, most, bounds))

    def told_apart(self, cases: Sequence[Case], worths: list[Worth]) -> Worth:
        """The seat sees which case it is."""
        if len(set(worths)) == 1:
            return worths[0]
        if any(worth.plans is None for worth in worths):
            return OPAQUE
        self.budget.check_time()
        plans = [given(case, worth) for case, worth in zip(cases, worths, strict=True)]
        if prod(map(len, plans)) <= MOST_PLANS:
            return Worth(all_of(plans))
        # The best plan for each case. A plan for one case counts as won in all others.
        odds = [[self.odds(plan) for plan in one] for one in plans]
        best = [max(one.value for one in row) for row in odds]
        value = 1.0 - sum(1.0 - one for one in best)
        if value != 1.0 or set(best) != {1.0}:
            value = min(max(value, 0.0), _NEARLY)
        every = [one for row in odds for one in row]
        return Worth(None, planned(value, every))

    def mean(self, state: State) -> Worth:
        moves, weights = outcomes(state)
        alike = self.unseen.outcomes(state)
        if alike is not None:
            moves, weights = alike, [1] * len(alike)
        if not moves:
            return OPAQUE
        worths = [self.worth(after(state, move)) for move in moves]
        if len(set(worths)) == 1:
            return united(worths[0], worths)
        bounds = [self.bounds(worth) for worth in worths]
        shares = [weight / sum(weights) for weight in weights]
        low = sum(share * one.low for share, one in zip(shares, bounds, strict=True))
        high = sum(share * one.high for share, one in zip(shares, bounds, strict=True))
        least = sum(share * one.least for share, one in zip(shares, bounds, strict=True))
        # The worst world for one outcome may be a good one for all others that can be won.
        hope = sum(share for share, one in zip(shares, bounds, strict=True) if one.high > 0.0)
        losses = (
            share * (1.0 - one.most)
            for share, one in zip(shares, bounds, strict=True)
            if one.high > 0.0
        )
        most = hope - max(losses, default=0.0)
        return united(Worth(None, combined(low, high, least, most, bounds)), worths)

    # ---- odds -----------------------------------------------------------------------------

    def bounds(self, worth: Worth) -> Chance:
        """Both are the value of the best plan, if there are plans."""
        if worth.plans is None:
            return worth.bounds
        odds = [self.odds(plan) for plan in worth.plans]
        return planned(max((one.value for one in odds), default=0.0), odds)

    def odds(self, plan: TurnPlan) -> Odds:
        if plan not in self.known:
            if not self.budget.spend():
                raise BudgetExceeded("too many positions")
            self.known[plan] = self.unseen.wins_all(list(plan))
        return self.known[plan]


def united(worth: Worth, parts: Iterable[Worth], *, contested: bool = False) -> Worth:
    """What these parts come to; contested if one of them is."""
    return replace(worth, contested=contested or any(part.contested for part in parts))


def planned(value: float, odds: Sequence[Odds]) -> Chance:
    """The chance of the best of some plans, which have these odds."""
    worst = 1.0 if value == 1.0 else 0.0
    lucky = any(one.luck for one in odds)
    return Chance(value, value, any(one.samples for one in odds), worst, value if lucky else worst)


def all_of(choices: list[TurnPlans]) -> TurnPlans:
    """Every way to choose one plan from each of these, followed at once."""
    return frozenset(TurnPlan().union(*chosen) for chosen in product(*choices))


def given(case: Case, worth: Worth) -> TurnPlans:
    """The plans, for this case only. If all fail, a plan that loses in this case and no other."""
    assert worth.plans is not None
    if not worth.plans:
        return frozenset([frozenset([(case.facts, None)])])
    return frozenset(
        frozenset((facts | case.facts, end) for facts, end in plan) for plan in worth.plans
    )
