"""A two-player ending in sequence form: what either seat may have chosen, and what that leads to.

A sequence is all that a seat has chosen so far, with what it had perceived at each of its choices;
number 0 is having chosen nothing. A plan that may use dice is one weight per sequence: the share
of the game that the seat's own choices let come so far. The chance of the goal is then the sum
over pairs of sequences of weight, weight and payoff, where the payoff is the chance that luck
leads to the goal if both seats do their part: no more than a matrix is left of the tree.

Seats forget nothing, by construction: a choice is known by the sequence before it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from games.state import CHANCE, State
from solver.core.budget import DEEPEST, NodeBudget
from solver.core.question import BadQuestion, Question
from solver.search.alpha_beta import ONE, ZERO

Perceived = tuple[Hashable, ...]
Sight = Callable[[State, int], Hashable]
"""What a seat sees of a world at the start: worlds in which that is equal look alike to it."""
Shares = list[list[Fraction]]
"""By choice, how often each of its moves is taken: a plan with dice, choice by choice."""


@dataclass(frozen=True)
class Choice:
    """A point at which a seat decides, as far as it can tell."""

    after: int
    """The sequence that leads here."""
    seen: Perceived
    """What the seat has perceived since; at its first choice, since the start."""
    moves: tuple[int, ...]
    first: int
    """The sequence that goes on with the first of the moves; the others follow in order."""

    @property
    def sequences(self) -> range:
        return range(self.first, self.first + len(self.moves))


@dataclass
class Side:
    """One seat's choices, each after those that lead to it, and how many sequences they make."""

    choices: list[Choice] = field(default_factory=list)
    sequences: int = 1
    _known: dict[tuple[int, Perceived], Choice] = field(default_factory=dict)

    def choice(self, after: int, seen: Perceived, moves: list[int]) -> Choice:
        """The choice that the seat has here, new or one that it cannot tell apart from this."""
        found = self._known.get((after, seen))
        if found is None:
            found = Choice(after, seen, tuple(moves), self.sequences)
            self._known[after, seen] = found
            self.choices.append(found)
            self.sequences += len(moves)
        elif found.moves != tuple(moves):
            raise BadQuestion("a seat must be able to tell apart worlds in which its moves differ")
        return found

    def plan(self, shares: Shares) -> list[Fraction]:
        """The weight of every sequence, if moves are taken with these shares."""
        weights = [ONE] * self.sequences
        for choice, taken in zip(self.choices, shares, strict=True):
            for sequence, share in zip(choice.sequences, taken, strict=True):
                weights[sequence] = weights[choice.after] * share
        return weights

    def answer(self, gains: list[Fraction], best: Callable[..., Fraction]) -> list[Fraction]:
        """What every sequence is worth if the seat goes on in the best way; the first says it all.

        The gains are what each sequence adds by itself, the other seat's plan being known.
        """
        worth = list(gains)
        for choice in reversed(self.choices):
            worth[choice.after] += best(worth[sequence] for sequence in choice.sequences)
        return worth


class SequenceForm:
    """A question about equally likely worlds, one of which is dealt to both seats."""

    def __init__(
        self, question: Question, worlds: Sequence[State], sight: Sight, budget: NodeBudget
    ) -> None:
        self.question = question
        self.budget = budget
        self.deadline = question.deadline(worlds[0])
        self.mine = Side()
        """The seat that wants the goal."""
        self.theirs = Side()
        """The seat that does not."""
        self.payoffs: dict[tuple[int, int], Fraction] = {}
        """By my sequence and theirs: the chance that luck then leads to the goal; if any."""
        share = Fraction(1, len(worlds))
        for world in worlds:
            seen = ((sight(world, question.seat),), (sight(world, 1 - question.seat),))
            self._enter(world.copy(), (0, 0), seen, share, 0)

    def _enter(
        self,
        state: State,
        sequences: tuple[int, int],
        seen: tuple[Perceived, Perceived],
        chance: Fraction,
        depth: int,
    ) -> None:
        """Note what may follow, mine coming first in every pair."""
        self._pay(depth)
        verdict = self.question.verdict(state, self.deadline)
        if verdict is not None:
            if verdict:
                self.payoffs[sequences] = self.payoffs.get(sequences, ZERO) + chance
            return
        mine, theirs = sequences
        moves = state.moves()
        if state.actor == CHANCE:
            weights = state.weights()
            for move, weight in zip(moves, weights, strict=True):
                share = chance * Fraction(weight, sum(weights))
                self._enter(*self._played(state, move, sequences, seen), share, depth + 1)
        elif state.actor == self.question.seat:
            choice = self.mine.choice(mine, seen[0], moves)
            for move, sequence in zip(moves, choice.sequences, strict=True):
                after = self._played(state, move, (sequence, theirs), ((), seen[1]))
                self._enter(*after, chance, depth + 1)
        else:
            choice = self.theirs.choice(theirs, seen[1], moves)
            for move, sequence in zip(moves, choice.sequences, strict=True):
                after = self._played(state, move, (mine, sequence), (seen[0], ()))
                self._enter(*after, chance, depth + 1)

    def _played(
        self,
        state: State,
        move: int,
        sequences: tuple[int, int],
        seen: tuple[Perceived, Perceived],
    ) -> tuple[State, tuple[int, int], tuple[Perceived, Perceived]]:
        """The state after the move, with what both have perceived by then."""
        state = state.copy()
        state.record()
        state.play(move)
        seat = self.question.seat
        mine = seen[0] + tuple(state.take_events(seat))
        theirs = seen[1] + tuple(state.take_events(1 - seat))
        return state, sequences, (mine, theirs)

    def _pay(self, depth: int) -> None:
        if depth > DEEPEST:
            self.budget.too_deep()
        if not self.budget.spend() or depth > DEEPEST:
            raise BadQuestion(
                f"an equilibrium takes a look at the whole ending, but {self.budget.why}"
            )

    # ---- exact values of plans ------------------------------------------------------------

    def my_answer(self, their_plan: list[Fraction]) -> list[Fraction]:
        """What my sequences are worth at best against that plan."""
        gains = [ZERO] * self.mine.sequences
        for (mine, theirs), payoff in self.payoffs.items():
            if their_plan[theirs]:
                gains[mine] += payoff * their_plan[theirs]
        return self.mine.answer(gains, max)

    def their_answer(self, my_plan: list[Fraction]) -> list[Fraction]:
        """What their sequences leave of the goal at least against that plan."""
        gains = [ZERO] * self.theirs.sequences
        for (mine, theirs), payoff in self.payoffs.items():
            if my_plan[mine]:
                gains[theirs] += payoff * my_plan[mine]
        return self.theirs.answer(gains, min)
