"""Runs the right search and assembles the answer: the value of every move and its line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from games.questions import Unseen
from games.state import State
from solver.core.budget import NodeBudget
from solver.core.question import Others, Question, check_question
from solver.estimates import ESTIMATE_CONFIDENCE, Ceilings, ceilings, margin
from solver.search.alpha_beta import ANYTHING, Interval, LineStep, OpenSearch
from solver.search.blind_turn import OPAQUE, BlindTurn, Chance
from solver.search.hidden_plans import Front, PlanSearch, WorldChances
from solver.search.max_n import SelfishSearch

LINE_NODES: Final = 20_000
"""Positions that may be visited to show what follows a move whose value is known."""

_CARDS_OPEN: Final = "Everyone sees all cards, including cards drawn later."
_CARDS_OPEN_TO_ONE: Final = "The seat to move sees all cards, including cards drawn later."


@dataclass(frozen=True)
class MoveValue:
    """What a move is worth."""

    move: int
    likely: Interval
    """Bounds of the chance of the goal over all worlds; equal if exact."""
    sure: Interval
    """Bounds of the chance of the goal in the worst world; with one world, the same."""
    line: tuple[LineStep, ...] = ()
    """The move and what follows, with the worst outcomes of chance; only with all cards open."""
    worlds: WorldChances = ()
    """The chance of the goal in each world, with the plan that is likeliest over all worlds."""
    estimate: Interval | None = None
    """Where sampled worlds put the chance, at the confidence of the answer; within `likely`."""

    @property
    def interval(self) -> Interval:
        """The estimate if there is one, else the proven bounds."""
        return self.estimate or self.likely


@dataclass(frozen=True)
class Answer:
    """The values of all moves of a position."""

    question: Question
    sight: str
    """Who sees what, as a sentence."""
    values: tuple[MoveValue, ...]
    """Every legal move, in order."""
    nodes: int
    why: str
    """Why the answer is not exact; "" if it is."""
    confidence: float = 1.0
    """The probability, at least, that all estimates hold."""

    @property
    def exact(self) -> bool:
        return _all_exact(self.values)

    @property
    def best(self) -> list[MoveValue]:
        """The moves likeliest to reach the goal; if not exact, all that may be."""
        return self._top(lambda value: value.likely)

    @property
    def surest(self) -> list[MoveValue]:
        """The moves that guarantee most in the worst world; if not exact, all that may."""
        return self._top(lambda value: value.sure)

    def _top(self, interval: Callable[[MoveValue], Interval]) -> list[MoveValue]:
        least = max(interval(value)[0] for value in self.values)
        return [value for value in self.values if interval(value)[1] >= least]

    @property
    def estimated(self) -> bool:
        """Whether some values come from sampled worlds."""
        return any(value.estimate is not None for value in self.values)

    def sentences(self) -> list[str]:
        """The question in words, as the solver understood it."""
        goal, horizon, others, chance = self.question.sentences()
        return [goal, horizon, others, *([] if self.estimated else [chance]), self.sight]


def solve_open(question: Question, state: State, budget: NodeBudget, lines: bool = True) -> Answer:
    """The answer with all cards open."""
    check_question(question, state)
    selfish = question.others is Others.SELFISH
    search: SelfishSearch | OpenSearch
    if selfish:
        search = SelfishSearch(question, state, budget)
    else:
        search = OpenSearch(question, state, budget, jumps=True)
    values = []
    for move, interval in search.values().items():
        line: tuple[LineStep, ...] = ()
        if lines and interval[0] == interval[1]:
            # A value may need few positions to prove and very many to show move by move.
            budget.open_slice(LINE_NODES)
            line = tuple(search.line(move))
            budget.close_slice()
        values.append(MoveValue(move, interval, interval, line))
    # Bots see only their own cards, so only the seat to move knows them all.
    sight = _CARDS_OPEN_TO_ONE if question.others is Others.BOT else _CARDS_OPEN
    return _answer(question, sight, values, budget)


def solve_hidden(
    question: Question, worlds: Sequence[State], budget: NodeBudget, name: str = "the seat"
) -> Answer:
    """The answer for a seat that cannot tell these equally likely worlds apart."""
    for world in worlds:
        check_question(question, world)
    fronts = PlanSearch(question, worlds, budget).fronts()
    values = [_value(move, front) for move, front in fronts.items()]
    sight = f"{name} knows the cards that the position names, and later what it observes."
    if (count := len(worlds)) > 1:
        sight += f" There are {count} equally likely worlds, and {name} cannot tell which is true."
    return _answer(question, sight, values, budget)


def solve_blind(
    question: Question,
    unseen: Unseen | None,
    draw: Callable[[], State],
    budget: NodeBudget,
    name: str = "the seat",
    posed: bool = False,
) -> Answer:
    """The answer for a seat with too many worlds to go through; `draw` samples one.

    `unseen` is there if the goal is to win and the seat's turn can be searched on the imagined
    table. `posed`: whether the seat knows what a position names, and not what it has observed in a
    game.
    """
    root = draw()
    check_question(question, root)
    proven = dict.fromkeys(root.moves(), OPAQUE.bounds)
    asked = 0
    if unseen is not None:
        # What wins this turn against a coalition wins against anybody, within any number of turns.
        against_all = replace(question, horizon=1, others=Others.COALITION, policy=None)
        turn = BlindTurn(against_all, unseen, budget)
        proven = turn.values()
        asked = turn.asked
        if question.horizon != 1 or question.others is not Others.COALITION:
            proven = {
                move: found
                if question.horizon == 1 and not found.contested
                else found._replace(high=1.0, most=1.0)
                for move, found in proven.items()
            }
    off = margin(unseen.samples, asked) if unseen is not None and unseen.samples else 0.0
    wide = [move for move, found in proven.items() if found.low < found.high]
    upper = ceilings(question, draw, wide, budget) if wide else Ceilings({}, 0)
    values = [
        _blind_value(move, found, off if found.sampled else 0.0, upper.upper.get(move, found.high))
        for move, found in proven.items()
    ]
    samples = max(upper.samples, unseen.samples if unseen is not None else 0)
    estimated = any(value.estimate is not None for value in values)
    if estimated:
        budget.cut(f"values were estimated from {samples} sampled worlds")
    sight = f"{name} decides by what it has observed so far, and later by what it observes."
    if posed:
        sight = (
            f"{name} knows the cards that the position names, and later what it observes. All ways "
            "to fill in the others are equally likely."
        )
    if estimated:
        sight += f" Estimates hold with {ESTIMATE_CONFIDENCE:.0%} confidence, all at once."
    answer = _answer(question, sight, values, budget)
    return replace(answer, confidence=ESTIMATE_CONFIDENCE if estimated else 1.0)


def _blind_value(move: int, found: Chance, off: float, ceiling: float) -> MoveValue:
    """The value of a move; `off` is how far sampled bounds may be off."""
    low, high = found.low, found.high
    top = min(high, max(low, ceiling))
    if found.sampled:
        estimate = as_fraction(max(0.0, low - off)), as_fraction(min(1.0, top + off))
        return MoveValue(move, ANYTHING, ANYTHING, estimate=estimate)
    likely = as_fraction(low), as_fraction(high)
    sure = as_fraction(found.least), as_fraction(min(found.most, high))
    guess = (likely[0], as_fraction(top)) if low < high else None
    return MoveValue(move, likely, sure, estimate=guess)


def as_fraction(value: float) -> Fraction:
    """The simple fraction that the number stands for, or the number with nine digits."""
    simple = Fraction(value).limit_denominator(10_000)
    return simple if abs(float(simple) - value) < 1e-12 else Fraction(round(value * 10**9), 10**9)


def _value(move: int, front: Front | None) -> MoveValue:
    """The value of a move with this front; None means that nothing is known."""
    if front is None:
        return MoveValue(move, ANYTHING, ANYTHING)
    plan = max(front, key=sum)
    likely = sum(plan, Fraction(0)) / len(plan)
    sure = max(min(chances) for chances in front)
    return MoveValue(move, (likely, likely), (sure, sure), worlds=plan)


def _answer(question: Question, sight: str, values: list[MoveValue], budget: NodeBudget) -> Answer:
    # Lines are searched for after the values, so a budget that cuts them short leaves these exact.
    why = "" if _all_exact(values) else budget.why
    return Answer(question, sight, tuple(values), budget.nodes, why)


def _all_exact(values: Sequence[MoveValue]) -> bool:
    return all(value.likely[0] == value.likely[1] for value in values)
