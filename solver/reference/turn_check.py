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
    plans = list(turn_outcomes(rules, worlds, move, most))
    count = len(worlds)
    worst = max(float(sum(each.worst for each in plan)) / count for plan in plans)
    best = max(float(sum(each.best for each in plan)) / count for plan in plans)
    if not all(each.ends for plan in plans for each in plan):
        return "the game may go on"
    sampled = count > 1 and value > 0
    off = sqrt(log(2 * len(plans) / RISK) / (2 * count)) if sampled else _ROUNDING
    if worst < value - off:
        return f"no plan wins more than {worst:.4f} of the worlds, {value:.4f} was claimed"
    if best > value + off:
        return f"a plan may win {best:.4f} of the worlds, {value:.4f} was claimed"
    return ""
