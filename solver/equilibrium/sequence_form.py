"""The sequence form of a two-player ending (Koller, Megiddo and von Stengel).

A sequence is everything that a seat has chosen so far, with what it had observed at each choice;
sequence 0 is empty. A mixed plan is one realization weight per sequence: the probability that the
seat's own choices lead there. The chance of the goal is the sum, over pairs of sequences, of weight
times weight times payoff, where the payoff is the chance of the goal if both seats choose so. This
reduces the game tree to a sparse matrix.

Seats have perfect recall by construction: an information set is identified by the sequence before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from games.state import CHANCE, State
from solver.core.budget import MAX_DEPTH, NodeBudget
from solver.core.question import BadQuestion, Question
from solver.search.alpha_beta import ONE, ZERO

_T = TypeVar("_T")
_Pair = tuple[_T, _T]
_Seen = tuple[Hashable, ...]
Sight = Callable[[State, int], Hashable]
"""What a seat sees of a world at the start; it cannot tell worlds apart where this is equal."""
EndWorth = Callable[[State], Fraction]
"""What the end of a game is worth to the solving seat, from 0 to 1."""
Shares = list[list[Fraction]]
"""A mixed plan: the probability of each move, by information set."""


@dataclass(frozen=True)
class InformationSet:
    """A point at which a seat decides, as far as it can tell."""

    after: int
    """The sequence that leads here."""
    seen: _Seen
    """What the seat has observed since its last choice, or since the start."""
    moves: tuple[int, ...]
    first: int
    """The sequence that ends with the first of the moves; the others follow in order."""

    @property
    def sequences(self) -> range:
        return range(self.first, self.first + len(self.moves))


@dataclass
class Side:
    """A seat's information sets, each after those that lead to it, and its number of sequences."""

    information_sets: list[InformationSet] = field(default_factory=list)
    sequences: int = 1
    _known: dict[tuple[int, _Seen], InformationSet] = field(default_factory=dict)

    def information_set(self, after: int, seen: _Seen, moves: list[int]) -> InformationSet:
        """The information set of the seat here; it is added if it is new."""
        known = self._known.get((after, seen))
        if known is None:
            known = InformationSet(after, seen, tuple(moves), self.sequences)
            self._known[after, seen] = known
            self.information_sets.append(known)
            self.sequences += len(moves)
        elif known.moves != tuple(moves):
            raise BadQuestion("a seat must be able to tell apart worlds in which its moves differ")
        return known

    def plan(self, shares: Shares) -> list[Fraction]:
        """The weight of every sequence under this mixed plan."""
        weights = [ONE] * self.sequences
        for decision, taken in zip(self.information_sets, shares, strict=True):
            for sequence, share in zip(decision.sequences, taken, strict=True):
                weights[sequence] = weights[decision.after] * share
        return weights

    def answer(self, gains: list[Fraction], best: Callable[..., Fraction]) -> list[Fraction]:
        """The value of every sequence under the best response; that of sequence 0 is the total.

        The gains are what each sequence adds directly, given the plan of the other seat.
        """
        worth = list(gains)
        for decision in reversed(self.information_sets):
            worth[decision.after] += best(worth[sequence] for sequence in decision.sequences)
        return worth


class SequenceForm:
    """The sequence form of a question about equally likely worlds."""

    def __init__(
        self,
        question: Question,
        worlds: Sequence[State],
        sight: Sight,
        budget: NodeBudget,
        worth: EndWorth | None = None,
    ) -> None:
        self.question = question
        self.budget = budget
        self.worth = worth
        """What an end is worth, from 0 to 1; None: 1 if the goal is reached, else 0."""
        self.deadline = question.deadline(worlds[0])
        self.mine = Side()
        """The seat that wants the goal."""
        self.theirs = Side()
        """The seat that does not."""
        self.payoffs: dict[tuple[int, int], Fraction] = {}
        """By my sequence and theirs: the chance of the goal, or the expected worth, if not 0."""
        share = Fraction(1, len(worlds))
        for world in worlds:
            seen = ((sight(world, question.seat),), (sight(world, 1 - question.seat),))
            self._enter(world.copy(), (0, 0), seen, share, 0)

    def _enter(
        self, state: State, sequences: _Pair[int], seen: _Pair[_Seen], chance: Fraction, depth: int
    ) -> None:
        """Add the subtree; the solving seat comes first in every pair."""
        self._pay(depth)
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            gain = chance * (verdict if self.worth is None else self.worth(state))
            if gain:
                self.payoffs[sequences] = self.payoffs.get(sequences, ZERO) + gain
            return
        mine, theirs = sequences
        moves = state.moves()
        if state.actor == CHANCE:
            weights = state.weights()
            for move, weight in zip(moves, weights, strict=True):
                share = chance * Fraction(weight, sum(weights))
                self._follow(state, move, sequences, seen, share, depth)
        elif state.actor == self.question.seat:
            decision = self.mine.information_set(mine, seen[0], moves)
            for move, sequence in zip(moves, decision.sequences, strict=True):
                self._follow(state, move, (sequence, theirs), ((), seen[1]), chance, depth)
        else:
            decision = self.theirs.information_set(theirs, seen[1], moves)
            for move, sequence in zip(moves, decision.sequences, strict=True):
                self._follow(state, move, (mine, sequence), (seen[0], ()), chance, depth)

    def _follow(
        self,
        state: State,
        move: int,
        sequences: _Pair[int],
        seen: _Pair[_Seen],
        chance: Fraction,
        depth: int,
    ) -> None:
        """Play the move and add what follows, with what both seats have observed by then."""
        state = state.copy()
        state.record()
        state.play(move)
        seat = self.question.seat
        mine = seen[0] + tuple(state.take_events(seat))
        theirs = seen[1] + tuple(state.take_events(1 - seat))
        self._enter(state, sequences, (mine, theirs), chance, depth + 1)

    def _pay(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            self.budget.too_deep()
        if not self.budget.spend() or depth > MAX_DEPTH:
            raise BadQuestion(
                f"an equilibrium needs the whole ending to be searched, but {self.budget.why}"
            )

    # ---- exact values of plans ------------------------------------------------------------

    def my_answer(self, their_plan: list[Fraction]) -> list[Fraction]:
        """The value of my sequences when I respond best to that plan."""
        gains = [ZERO] * self.mine.sequences
        for (mine, theirs), payoff in self.payoffs.items():
            if their_plan[theirs]:
                gains[mine] += payoff * their_plan[theirs]
        return self.mine.answer(gains, max)

    def their_answer(self, my_plan: list[Fraction]) -> list[Fraction]:
        """The value of their sequences when they respond best to that plan."""
        gains = [ZERO] * self.theirs.sequences
        for (mine, theirs), payoff in self.payoffs.items():
            if my_plan[mine]:
                gains[theirs] += payoff * my_plan[mine]
        return self.theirs.answer(gains, min)
