"""One turn of a seat that sees only its own cards, against a coalition that sees everything.

The search walks the imagined table (`games.questions.Unseen`), so its size does not depend on the
number of worlds. A plan without chance leads to a set of ends, one of which the coalition picks
once it knows the world: the plan wins in the worlds in which the seat wins at all of these ends.
Where chance decides, the best plan for each outcome is valued at once. The seat never learns which
world is true, so it cannot choose by it (no strategy fusion). Moves that touch something unseen are
worth anything from 0 to 1, unless they only show a card and nothing is left to decide.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

from games.questions import Odds, Unseen
from games.state import CHANCE, State
from solver.core.budget import BudgetExceeded, NodeBudget
from solver.core.question import BadQuestion, Others, Question
from solver.search.alpha_beta import after, outcomes

MOST_PLANS: Final = 2000
"""Plans of one position; more are not told apart, and its value is open."""

Ends = frozenset[Hashable]


class Chance(NamedTuple):
    """Bounds of a chance."""

    low: float
    high: float
    sampled: bool
    """Whether the odds behind it come from sampled worlds."""


ANY_CHANCE: Final = Chance(0.0, 1.0, sampled=False)


def combined(low: float, high: float, parts: Iterable[Chance]) -> Chance:
    return Chance(low, high, any(part.sampled for part in parts))


@dataclass(frozen=True)
class Worth:
    """What a position is worth: plans, or bounds if they cannot be written as plans."""

    plans: frozenset[Ends] | None
    """The ends that each plan may lead to; a plan that surely fails is left out."""
    bounds: Chance = ANY_CHANCE


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
        self.known: dict[Ends, Odds] = {}
        self.table: dict[bytes, Worth] = {}

    @property
    def asked(self) -> int:
        """How many sets of ends were valued."""
        return len(self.known)

    def values(self) -> dict[int, Chance]:
        """Bounds of the chance to win after every move."""
        root = self.unseen.table
        values = {}
        for move in root.moves():
            worth = OPAQUE
            try:
                if self.unseen.hopeless(move):
                    worth = SURE_LOSS
                elif not self.unseen.opaque(root, move):
                    worth = self.worth(after(root, move))
                values[move] = self.bounds(worth)
            except BudgetExceeded:
                values[move] = OPAQUE.bounds
        return values

    def worth(self, state: State) -> Worth:
        if not self.budget.spend():
            raise BudgetExceeded("too many positions")
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            end = self.unseen.end(state)
            return SURE_LOSS if end is None else Worth(frozenset([frozenset([end])]))
        key = state.key()
        if key not in self.table:
            self.table[key] = self.searched(state)
        return self.table[key]

    def searched(self, state: State) -> Worth:
        if state.actor == self.question.seat:
            return self.best(state)
        moves = dict.fromkeys(state.moves())
        if any(self.unseen.opaque(state, move) for move in moves):
            return OPAQUE
        if state.actor == CHANCE:
            return self.mean(state)
        return self.worst([self.worth(after(state, move)) for move in moves])

    def best(self, state: State) -> Worth:
        worths = []
        for move in state.moves():
            if not self.unseen.opaque(state, move):
                worths.append(self.worth(after(state, move)))
            elif self.unseen.peeks(state, move):
                worths.append(self.peeked(after(state, move)))
            else:
                worths.append(OPAQUE)
        plans = [worth.plans for worth in worths if worth.plans is not None]
        union = frozenset[Ends]().union(*plans)
        if len(plans) == len(worths) and len(union) <= MOST_PLANS:
            return Worth(union)
        bounds = [self.bounds(worth) for worth in worths]
        low, high = max(one.low for one in bounds), max(one.high for one in bounds)
        return Worth(None, combined(low, high, bounds))

    def peeked(self, state: State) -> Worth:
        """What was seen is of no use if nothing is left to decide."""
        worth = self.worth(state)
        return worth if worth.plans is not None and len(worth.plans) <= 1 else OPAQUE

    def worst(self, worths: list[Worth]) -> Worth:
        """The coalition knows the world and picks."""
        distinct = list(dict.fromkeys(worths))
        if len(distinct) == 1:
            return distinct[0]
        plans = [worth.plans for worth in distinct if worth.plans is not None]
        combinations = 1
        for one in plans:
            combinations *= len(one)
        if len(plans) == len(distinct) and combinations <= MOST_PLANS:
            return Worth(frozenset(Ends().union(*chosen) for chosen in product(*plans)))
        bounds = [self.bounds(worth) for worth in distinct]
        # In how many worlds each reply fails is known, but not whether these are the same worlds.
        low = max(0.0, 1.0 - sum(1.0 - one.low for one in bounds))
        return Worth(None, combined(low, min(one.high for one in bounds), bounds))

    def mean(self, state: State) -> Worth:
        moves, weights = outcomes(state)
        worths = [self.worth(after(state, move)) for move in moves]
        if len(set(worths)) == 1:
            return worths[0]
        bounds = [self.bounds(worth) for worth in worths]
        shares = [weight / sum(weights) for weight in weights]
        low = sum(share * one.low for share, one in zip(shares, bounds, strict=True))
        high = sum(share * one.high for share, one in zip(shares, bounds, strict=True))
        return Worth(None, combined(low, high, bounds))

    def bounds(self, worth: Worth) -> Chance:
        """Both are the value of the best plan, if there are plans."""
        if worth.plans is None:
            return worth.bounds
        odds = [self.odds(ends) for ends in worth.plans]
        best = max((one.value for one in odds), default=0.0)
        return Chance(best, best, any(one.samples for one in odds))

    def odds(self, ends: Ends) -> Odds:
        if ends not in self.known:
            if not self.budget.spend():
                raise BudgetExceeded("too many positions")
            self.known[ends] = self.unseen.wins_all(list(ends))
        return self.known[ends]
