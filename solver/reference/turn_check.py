"""Plain recursion over the rest of one turn, in several worlds that a seat cannot tell apart.

It uses the rules and nothing of the solver's searches, so it can check what these claim about real
games. The only shortcut: once all that is left of the turn is drawing and discarding
(`Analysis.only_cleanup`), the first way to do it is as good as any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log, sqrt
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


class _OthersChoose(Exception):
    """Another seat has a choice."""


class _GoesOn(Exception):
    """The turn may end without ending the game."""


class _Undecided(Exception):
    """The plan has no move yet for what was observed; the arguments are that and the moves."""


class _Weighed(NamedTuple):
    """A world, and how much it counts."""

    weight: Fraction
    state: State


class _BestPlan(NamedTuple):
    """What comes of the best plan."""

    won: Fraction
    """The weight of the worlds that it wins."""
    plans: float
    """The logarithm of how many plans there are."""


@dataclass
class _Turn:
    """The rest of a turn, as the seat to move sees it."""

    rules: Game
    seat: int
    turn: int
    left: int
    """How many positions may still be visited."""

    def after(self, state: State, move: int, seen: _Seen) -> tuple[State, _Seen]:
        """What the move leads to, and all that the seat has observed then."""
        following = state.copy()
        following.record()
        while True:
            self.left -= 1
            if self.left < 0:
                raise TurnTooLarge("there are too many positions")
            following.play(move)
            seen += tuple(following.take_events(self.seat))
            if self.is_over(following) or not self.rules.analysis.only_cleanup(following):
                return following, seen
            move = following.moves()[0]

    def is_over(self, state: State) -> bool:
        return state.actor == NOBODY or state.turns != self.turn

    def won(self, state: State) -> bool:
        """Whether the seat has won; not if the turn is over and the game goes on."""
        return state.actor == NOBODY and self.seat in state.winners()

    # ---- a certain win ------------------------------------------------------------------------

    def surely_wins(self, worlds: Sequence[State], move: int, seen: _Seen = ()) -> bool:
        """Whether the seat wins in all of these worlds, which it cannot tell apart."""
        told: dict[_Seen, list[State]] = {}
        return all(self._wins_or_waits(world, move, seen, told) for world in worlds) and all(
            any(self.surely_wins(alike, reply, known) for reply in alike[0].moves())
            for known, alike in told.items()
        )

    def _wins_or_waits(
        self, state: State, move: int, seen: _Seen, told: dict[_Seen, list[State]]
    ) -> bool:
        """Whether the seat wins or decides again, whatever happens until then.

        The positions in which it decides again are noted by what it has observed.
        """
        following, seen = self.after(state, move, seen)
        if self.is_over(following):
            return self.won(following)
        if following.actor == self.seat:
            told.setdefault(seen, []).append(following)
            return True
        return all(self._wins_or_waits(following, each, seen, told) for each in following.moves())

    # ---- a chance that is only the seat's and luck's ---------------------------------------------

    def best_plan(self, worlds: Sequence[_Weighed], move: int, seen: _Seen = ()) -> _BestPlan:
        """What the seat can win of these worlds, which it cannot tell apart."""
        told: dict[_Seen, list[_Weighed]] = {}
        won = sum((self._won_or_waits(one, move, seen, told) for one in worlds), Fraction(0))
        plans = 0.0
        for known, alike in told.items():
            replies = alike[0].state.moves()
            below = [self.best_plan(alike, reply, known) for reply in replies]
            won += max(each.won for each in below)
            most = max(each.plans for each in below)
            plans += most + log(sum(exp(each.plans - most) for each in below))
        return _BestPlan(won, plans)

    def _won_or_waits(
        self, world: _Weighed, move: int, seen: _Seen, told: dict[_Seen, list[_Weighed]]
    ) -> Fraction:
        """What the seat wins before it decides again; positions in which it does are noted."""
        following, seen = self.after(world.state, move, seen)
        if self.is_over(following):
            if following.actor != NOBODY:
                raise _GoesOn
            return world.weight * self.won(following)
        if following.actor == self.seat:
            told.setdefault(seen, []).append(_Weighed(world.weight, following))
            return Fraction(0)
        moves, weights = following.moves(), following.weights()
        if following.actor != CHANCE:
            if len(moves) > 1:
                raise _OthersChoose
            weights = [1]
        shares = [world.weight * Fraction(weight, sum(weights)) for weight in weights]
        below = [_Weighed(share, following) for share in shares]
        pairs = zip(below, moves, strict=True)
        return sum((self._won_or_waits(one, each, seen, told) for one, each in pairs), Fraction(0))

    # ---- one plan -----------------------------------------------------------------------------

    def outcome(self, plan: _Plan, state: State, move: int, seen: _Seen = ()) -> TurnOutcome:
        """What becomes of the seat in one world if it follows the plan after that move."""
        following, seen = self.after(state, move, seen)
        if self.is_over(following):
            won = Fraction(self.won(following))
            return TurnOutcome(won, won, ends=following.actor == NOBODY)
        if following.actor == self.seat:
            if seen not in plan:
                raise _Undecided(seen, following.moves())
            return self.outcome(plan, following, plan[seen], seen)
        below = [self.outcome(plan, following, each, seen) for each in following.moves()]
        ends = all(each.ends for each in below)
        if following.actor != CHANCE:
            return TurnOutcome(
                min(each.worst for each in below), max(each.best for each in below), ends
            )
        weights = following.weights()
        odds = [Fraction(weight, sum(weights)) for weight in weights]
        pairs = list(zip(odds, below, strict=True))
        return TurnOutcome(
            sum((share * each.worst for share, each in pairs), Fraction(0)),
            sum((share * each.best for share, each in pairs), Fraction(0)),
            ends,
        )


def _turn(rules: Game, worlds: Sequence[State], most: int) -> _Turn:
    return _Turn(rules, int(worlds[0].actor), int(worlds[0].turns), most)


def turn_outcomes(
    rules: Game, worlds: Sequence[State], move: int, most: int = 10**6
) -> Iterator[list[TurnOutcome]]:
    """For every plan that begins with the move: what becomes of the seat to move in each world.

    TurnTooLarge if more than `most` positions would be visited.
    """
    turn = _turn(rules, worlds, most)
    waiting: list[_Plan] = [{}]
    while waiting:
        plan = waiting.pop()
        try:
            yield [turn.outcome(plan, world, move) for world in worlds]
        except _Undecided as undecided:
            seen, moves = undecided.args
            waiting += [{**plan, seen: reply} for reply in moves]


def refuted(
    rules: Game, worlds: Sequence[State], move: int, value: float, most: int = 10**6
) -> str:
    """Why a move cannot be worth what is claimed to the seat to move; "" if it can.

    The claim: the chance to win is `value`, because a win this turn is certain, or because the game
    surely ends this turn and nobody else has a say in how. One world is the truth, with all cards
    open; several are a sample of those that the seat cannot tell apart.
    """
    if value == 1:  # the game may go on after other plans than the one that wins
        sure = _turn(rules, worlds, most).surely_wins(worlds, move)
        return "" if sure else "no plan wins in all of the worlds"
    try:
        weighed = [_Weighed(Fraction(1, len(worlds)), world) for world in worlds]
        best = _turn(rules, worlds, most).best_plan(weighed, move)
    except _GoesOn:
        return "the game may go on"
    except _OthersChoose:
        return _refuted_by_others(rules, worlds, move, value, most)
    return _beyond(value, float(best.won), float(best.won), _error(worlds, value, best.plans))


def _refuted_by_others(
    rules: Game, worlds: Sequence[State], move: int, value: float, most: int
) -> str:
    """The same, if others choose: plan by plan, whatever they choose."""
    plans = list(turn_outcomes(rules, worlds, move, most))
    if not all(each.ends for plan in plans for each in plan):
        return "the game may go on"
    worst = max(float(sum(each.worst for each in plan)) / len(worlds) for plan in plans)
    best = max(float(sum(each.best for each in plan)) / len(worlds) for plan in plans)
    return _beyond(value, worst, best, _error(worlds, value, log(len(plans))))


def _error(worlds: Sequence[State], value: float, plans: float) -> float:
    """How far off a sample of worlds may be for the best of so many plans (their logarithm)."""
    if len(worlds) == 1 or value == 0:
        return _ROUNDING
    return sqrt((log(2 / RISK) + plans) / (2 * len(worlds)))


def _beyond(value: float, worst: float, best: float, off: float) -> str:
    if worst < value - off:
        return f"no plan wins more than {worst:.4f} of the worlds, {value:.4f} was claimed"
    if best > value + off:
        return f"a plan may win {best:.4f} of the worlds, {value:.4f} was claimed"
    return ""
