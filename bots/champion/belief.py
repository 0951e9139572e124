"""A belief about the other seats' secret roles: what their open moves say for each role.

Every feature of a move (`State.move_features`) has a weight: how much it speaks for the role that
was assumed. A seat's weights are added up by role, and a softmax makes them probabilities. The
weights are trained for just that, on games of bots, so the probabilities are calibrated for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import exp

from librt.vecs import vec
from mypy_extensions import i64

from games.features import FeatureLayout
from games.state import MOST_MOVE_FEATURES
from games.view import EventTuple, View


class MoveBelief:
    """What one seat makes of the others' moves so far."""

    def __init__(self, view: View, layout: FeatureLayout, weights: Sequence[float]) -> None:
        self._view = view
        self._layout = layout
        self._weights = weights
        self._scratch: vec[i64] = vec[i64]([0] * MOST_MOVE_FEATURES)
        self.roles = view.imagine().roles
        self.scores = [[0.0] * self.roles for _ in range(view.players)]
        """By seat and role."""

    def observe(self, event: EventTuple) -> None:
        """Account for an event that the View has just taken in."""
        choice = self._layout.observed_choice(event)
        if choice is None or choice[0] == self._view.seat:
            return
        for role, found in enumerate(self.features(*choice)):
            self.scores[choice[0]][role] += sum(self._weights[feature] for feature in found)

    def features(self, seat: int, move: int) -> list[list[int]]:
        """By role: the features of a move that the seat has just chosen."""
        table = self._view.imagine()
        found = []
        for role in range(self.roles):
            table.assume_role(seat, role)
            count = table.move_features(move, role, self._scratch)
            found.append([self._scratch[i] for i in range(count)])
        return found

    def assignments(self, sharpness: float = 1.0) -> tuple[list[list[int]], list[float]]:
        """Every way to give the seats different roles, and the probability of each.

        With a sharpness below 1, they differ less than the evidence says.
        """
        known = self._view.imagine()
        taken = [int(known.role(seat)) for seat in range(self._view.players)]
        scores = [[sharpness * score for score in seat] for seat in self.scores]
        return likely_assignments(taken, scores)

    def role_weights(self) -> list[float]:
        """By seat and role, roles of seat 0 first: the probability of that role."""
        weights = [0.0] * (self._view.players * self.roles)
        for assigned, chance in zip(*self.assignments(), strict=True):
            for seat, role in enumerate(assigned):
                weights[seat * self.roles + role] += chance
        return weights


def likely_assignments(
    taken: Sequence[int], scores: Sequence[Sequence[float]]
) -> tuple[list[list[int]], list[float]]:
    """Every way to complete the known roles (-1: unknown), and the probability of each.

    `scores` are the logarithms of odds, by seat and role.
    """
    found = _completions(tuple(taken), len(scores[0]))
    unknown = [seat for seat, role in enumerate(taken) if role < 0]
    sums = [sum([scores[seat][roles[seat]] for seat in unknown]) for roles in found]
    best = max(sums)
    weights = [exp(score - best) for score in sums]
    total = sum(weights)
    return found, [weight / total for weight in weights]


@cache
def _completions(taken: tuple[int, ...], roles: int) -> list[list[int]]:
    free = [role for role in range(roles) if role not in taken]
    found = []
    for drawn in permutations(free, taken.count(-1)):
        left = iter(drawn)
        found.append([role if role >= 0 else next(left) for role in taken])
    return found
