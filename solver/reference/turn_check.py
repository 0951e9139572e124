"""Plain recursion over the rest of one turn, in several worlds that a seat cannot tell apart.

It uses the rules and nothing of the solver's searches, so it can check what these claim about real
games. The only shortcut: once all that is left of the turn is drawing and discarding
(`Analysis.only_cleanup`), the first way to do it is as good as any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt
from typing import Final, NamedTuple

from games.errors import GameError
from games.registry import Game
from games.state import CHANCE, NOBODY, State

RISK: Final = 1e-5
"""The probability, at most, that a true claim is refuted by an unlucky sample of worlds."""
_ROUNDING: Final = 1e-9

_Seen = tuple[tuple[int, ...], ...]
_Plan = dict[_Seen, int]
"""The move of the seat after everything that it has observed."""


class TurnTooLarge(GameError):
    """Plain recursion would take too long."""


class TurnOutcome(NamedTuple):
    """What becomes of a seat in one world if it follows a plan."""

    worst: Fraction
    """Its chance to win this turn if the others choose what is worst for it."""
    best: Fraction
    """The same if they choose what is best for it."""
    ends: bool
    """Whether the game surely ends with this turn."""


class _Undecided(Exception):
    """The plan has no move yet for what was observed; the arguments are that and the moves."""


@dataclass
class _Follower:
    """A seat that follows a plan."""

    rules: Game
    seat: int
    plan: _Plan
    turn: int
    left: list[int]
    """How many positions may still be visited."""

    def outcome(self, state: State, seen: _Seen) -> TurnOutcome:
        self.left[0] -= 1
        if self.left[0] < 0:
            raise TurnTooLarge("there are too many positions")
        if state.actor == NOBODY:
            won = Fraction(self.seat in state.winners())
            return TurnOutcome(won, won, ends=True)
        if state.turns != self.turn:
            return TurnOutcome(Fraction(0), Fraction(0), ends=False)
        if self.rules.analysis.only_cleanup(state):
            return self.after(state, state.moves()[0], seen)
        if state.actor == self.seat:
            if seen not in self.plan:
                raise _Undecided(seen, state.moves())
            return self.after(state, self.plan[seen], seen)
        below = [self.after(state, move, seen) for move in state.moves()]
        ends = all(each.ends for each in below)
        if state.actor != CHANCE:
            return TurnOutcome(
                min(each.worst for each in below), max(each.best for each in below), ends
            )
        odds = [Fraction(weight, sum(state.weights())) for weight in state.weights()]
        pairs = list(zip(odds, below, strict=True))
        return TurnOutcome(
            sum((share * each.worst for share, each in pairs), Fraction(0)),
            sum((share * each.best for share, each in pairs), Fraction(0)),
            ends,
        )

    def after(self, state: State, move: int, seen: _Seen) -> TurnOutcome:
        following = state.copy()
        following.record()
        following.play(move)
        return self.outcome(following, seen + tuple(following.take_events(self.seat)))


def turn_outcomes(
    rules: Game, worlds: Sequence[State], move: int, most: int = 10**6
) -> Iterator[list[TurnOutcome]]:
    """For every plan that begins with the move: what becomes of the seat to move in each world.

    TurnTooLarge if more than `most` positions would be visited.
    """
    seat, turn, left = int(worlds[0].actor), int(worlds[0].turns), [most]
    waiting: list[_Plan] = [{}]
    while waiting:
        follower = _Follower(rules, seat, waiting.pop(), turn, left)
        try:
            yield [follower.after(world, move, ()) for world in worlds]
        except _Undecided as undecided:
            seen, moves = undecided.args
            waiting += [{**follower.plan, seen: reply} for reply in moves]


def refuted(
    rules: Game, worlds: Sequence[State], move: int, value: float, most: int = 10**6
) -> str:
    """Why a move cannot be worth what is claimed to the seat to move; "" if it can.

    The claim: the chance to win is `value`, because a win this turn is certain, or because the game
    surely ends this turn and nobody else has a say in how. One world is the truth, with all cards
    open; several are a sample of those that the seat cannot tell apart.
    """
    plans = list(turn_outcomes(rules, worlds, move, most))
    count = len(worlds)
    worst = max(float(sum(each.worst for each in plan)) / count for plan in plans)
    best = max(float(sum(each.best for each in plan)) / count for plan in plans)
    if value == 1:  # the game may go on after other plans than the one that wins
        return "" if worst == 1 else f"no plan wins more than {worst:.4f} of the worlds"
    if not all(each.ends for plan in plans for each in plan):
        return "the game may go on"
    sampled = count > 1 and value > 0
    off = sqrt(log(2 * len(plans) / RISK) / (2 * count)) if sampled else _ROUNDING
    if worst < value - off:
        return f"no plan wins more than {worst:.4f} of the worlds, {value:.4f} was claimed"
    if best > value + off:
        return f"a plan may win {best:.4f} of the worlds, {value:.4f} was claimed"
    return ""
