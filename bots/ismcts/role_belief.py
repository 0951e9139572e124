"""A belief about the other seats' secret roles, inferred from their play."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from games.seats import seat_name
from games.state import NOBODY, State
from games.view import View


class RoleBelief:
    """How well each role explains what each seat has done so far, as one seat sees it.

    After every decision the visible table is scored before and after it by `State.heuristic`, once
    for every role the deciding seat might have. Gains are evidence for a role: a seat is modelled
    as choosing its moves by a softmax over that score. The alternatives it had are hidden, so the
    softmax is not normalized.
    """

    def __init__(self, seat: int, players: int) -> None:
        self._seat = seat
        self._gains: list[list[float]] = [[] for _ in range(players)]
        """By seat and role, summed over all decisions seen."""
        self._decisions = 0
        self._decider = NOBODY
        self._before: list[float] = []

    def update(self, view: View) -> None:
        """Account for what has changed since the last decision."""
        if view.decisions == self._decisions and view.actor != NOBODY:
            return
        self._decisions = view.decisions
        table = view.imagine()
        if table.roles_move or not table.roles:
            return  # the seat may have passed on the role that its play is evidence for
        if self._before:
            after = self._scores(table, self._decider)
            gains = self._gains[self._decider] or [0.0] * len(after)
            self._gains[self._decider] = [
                gain + new - old for gain, new, old in zip(gains, after, self._before, strict=True)
            ]
        self._decider = view.actor
        is_other = self._decider not in (NOBODY, self._seat)
        self._before = self._scores(table, self._decider) if is_other else []

    def _scores(self, table: State, seat: int) -> list[float]:
        """The heuristic value for the seat under each role it might have."""
        actual = table.role(seat)
        scores = []
        for role in range(table.roles):
            table.assume_role(seat, role)
            scores.append(table.heuristic(seat))
        table.assume_role(seat, actual)
        return scores

    def prior(self, roles: int, sharpness: float) -> list[float]:
        """The likelihood of each role of each seat, relative to the seat's likeliest role."""
        prior: list[float] = []
        for gains in self._gains:
            best = max(gains, default=0.0)
            prior.extend(exp(sharpness * (gain - best)) for gain in gains or [0.0] * roles)
        return prior


def role_distributions(
    view: View, roles: int, weights: Sequence[float]
) -> dict[str, dict[str, float]]:
    """For every other seat, the probability of each role it may have, in words.

    `weights` has an entry for each seat and role, roles of seat 0 first: how often worlds had it.
    """
    believed: dict[str, dict[str, float]] = {}
    for seat in range(view.players):
        of_seat = weights[seat * roles : (seat + 1) * roles]
        total = sum(of_seat)
        if seat != view.seat and total > 0:
            shares = {role: weight / total for role, weight in enumerate(of_seat) if weight}
            believed[seat_name(seat)] = {view.role_text(role): shares[role] for role in shares}
    return believed
