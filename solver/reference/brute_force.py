"""Plain recursion over the rules: no bounds, no shortcut.

It shares only the question with the solver, so a bug would have to be made twice to go unnoticed.
It visits everything, so it is for small positions only. For wider ones it can remember positions,
but only such as are the same in every card (`State.key`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.state import CHANCE, NOBODY, State
from solver.core.question import Others, Question

_Seen = tuple[tuple[int, ...], ...]
_Plan = dict[_Seen, int]
"""The move of the seat after everything that it has observed."""


_Known = dict[bytes, list[Fraction]]


class TooManyPositions(Exception):
    """More positions than allowed."""


def brute_values(question: Question, state: State) -> dict[int, Fraction]:
    """The value of every legal move with all cards open."""
    until = state.turns + question.horizon if question.horizon else None
    return {move: _chances(question, _played(state, move), until)[0] for move in state.moves()}


def remembering_values(question: Question, state: State, most: int) -> dict[int, Fraction]:
    """The same, with a memory of at most that many positions; else TooManyPositions.

    The last turn is not played to its end once that cannot change who wins (`State.settled_end`).
    """
    until = state.turns + question.horizon if question.horizon else None
    known: _Known = {}

    def chances(state: State) -> list[Fraction]:
        settled = state.settled_end() if state.actor != NOBODY else None
        if settled is not None and (settled.actor == NOBODY or settled.turns == until):
            return _chances(question, settled, until)
        key = state.key()
        if key not in known:
            if len(known) == most:
                raise TooManyPositions
            known[key] = []
            known[key] = _chances(question, state, until, chances)
        return known[key]

    return {move: chances(_played(state, move))[0] for move in state.moves()}


def _played(state: State, move: int) -> State:
    following = state.copy()
    following.play(move)
    return following


def _end(question: Question, state: State, until: int | None) -> list[Fraction] | None:
    """The chances of the goal and of each seat to win, if the game or the horizon is over."""
    if state.actor == NOBODY:
        wins = [Fraction(seat in state.winners()) for seat in range(state.players)]
        return [Fraction(question.goal.reached(state)), *wins]
    if state.turns == until:
        return [Fraction(question.goal.unless_decided), *[Fraction(0)] * state.players]
    return None


def _chances(
    question: Question,
    state: State,
    until: int | None,
    remembered: Callable[[State], list[Fraction]] | None = None,
) -> list[Fraction]:
    end = _end(question, state, until)
    if end is not None:
        return end

    def after(move: int) -> list[Fraction]:
        following = _played(state, move)
        return remembered(following) if remembered else _chances(question, following, until)

    mine, chance = state.actor == question.seat, state.actor == CHANCE
    if question.policy is not None and not mine and not chance:
        return after(question.policy.choose(state))
    below = [after(move) for move in state.moves()]
    if mine:
        return max(below, key=lambda chances: (chances[0], [-one for one in chances[1:]]))
    if chance or question.others is Others.RANDOM:
        return [_mean(state, column) for column in zip(*below, strict=True)]
    if question.others is Others.COALITION:
        return min(below, key=lambda chances: chances[0])
    own = int(state.actor) + 1
    return max(below, key=lambda chances: (chances[own], [-one for one in chances]))


def _mean(state: State, below: Sequence[Fraction]) -> Fraction:
    weights = state.weights() if state.actor == CHANCE else [1] * len(below)
    total = sum((value * weight for value, weight in zip(below, weights, strict=True)), Fraction())
    return total / sum(weights)


# ---- hidden cards -----------------------------------------------------------------------------


class _Undecided(Exception):
    """The plan has no move yet for what was observed; the arguments are that and the moves."""


def brute_plans(question: Question, worlds: Sequence[State], move: int) -> Iterator[list[Fraction]]:
    """The chance of the goal in each world, for every plan that begins with the move."""
    until = worlds[0].turns + question.horizon if question.horizon else None
    waiting: list[_Plan] = [{(): move}]
    while waiting:
        follower = _Follower(question, waiting.pop(), until)
        try:
            yield [follower.chance(world, ()) for world in worlds]
        except _Undecided as undecided:
            seen, moves = undecided.args
            waiting += [{**follower.plan, seen: reply} for reply in moves]


@dataclass(frozen=True)
class _Follower:
    """The seat follows a plan."""

    question: Question
    plan: _Plan
    until: int | None

    def chance(self, state: State, seen: _Seen) -> Fraction:
        """The chance of the goal, given what the seat has observed."""
        end = _end(self.question, state, self.until)
        if end is not None:
            return end[0]
        if state.actor == self.question.seat:
            if seen not in self.plan:
                raise _Undecided(seen, state.moves())
            return self.after(state, self.plan[seen], seen)
        if self.question.policy is not None and state.actor != CHANCE:
            return self.after(state, self.question.policy.choose(state), seen)
        below = [self.after(state, move, seen) for move in state.moves()]
        if state.actor != CHANCE and self.question.others is Others.COALITION:
            return min(below)
        return _mean(state, below)

    def after(self, state: State, move: int, seen: _Seen) -> Fraction:
        following = state.copy()
        following.record()
        following.play(move)
        return self.chance(following, seen + tuple(following.take_events(self.question.seat)))
