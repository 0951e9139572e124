"""What others' play says about their secret roles: who gains by it is likely to have meant it."""

from __future__ import annotations

from math import exp

from games.seats import seat_name
from games.state import NOBODY, State
from games.view import View


class Belief:
    """How well every role fits what each seat has done so far, as one seat sees it.

    Whenever somebody has decided, the table as the observer sees it is judged before and after by
    `State.heuristic`, once for every role the decider might have. What a role gained speaks for it: a
    seat of that role is taken to choose among its moves by a softmax over that judgement. What else
    it could have chosen is its secret, so that part is left out.
    """

    def __init__(self, seat: int, players: int) -> None:
        self._seat = seat
        self._gains: list[list[float]] = [[] for _ in range(players)]
        """By seat and role, summed over all decisions seen."""
        self._seen = 0
        self._decider = NOBODY
        self._before: list[float] = []

    def notice(self, view: View) -> None:
        """Take in what has changed since the last decision."""
        if view.decisions == self._seen and view.actor != NOBODY:
            return
        self._seen = view.decisions
        table = view.imagine()
        if table.roles_move:
            return  # what a seat did speaks for a role it may have handed on since
        if self._before:
            after = self._judged(table, self._decider)
            gains = self._gains[self._decider] or [0.0] * len(after)
            self._gains[self._decider] = [
                gain + new - old for gain, new, old in zip(gains, after, self._before, strict=True)
            ]
        self._decider = view.actor
        others = self._decider not in (NOBODY, self._seat)
        self._before = self._judged(table, self._decider) if others else []

    def _judged(self, table: State, seat: int) -> list[float]:
        """How the seat would stand if it had each of the roles."""
        really = table.role(seat)
        found = []
        for role in range(table.roles):
            table.assume_role(seat, role)
            found.append(table.heuristic(seat))
        table.assume_role(seat, really)
        return found

    def credence(self, roles: int, sharpness: float) -> list[float]:
        """How credible each role of each seat is, the most credible of a seat having 1."""
        found: list[float] = []
        for gains in self._gains:
            best = max(gains, default=0.0)
            found.extend(exp(sharpness * (gain - best)) for gain in gains or [0.0] * roles)
        return found

    def favourites(self, view: View, sharpness: float) -> dict[str, float]:
        """The most credible role of every seat that has shown anything, in words, with its chance.

        As far as play tells: what the cards say about who can have which role is not in it.
        """
        table = view.imagine()
        own = table.role(self._seat)
        found: dict[str, float] = {}
        for seat, gains in enumerate(self._gains):
            if not gains or table.role(seat) >= 0:
                continue
            most = max(gains)
            chances = {role: exp(sharpness * (gain - most)) for role, gain in enumerate(gains)}
            chances.pop(own, None)
            best = max(chances, key=lambda role: chances[role])
            words = f"{seat_name(seat)} is {view.role_text(best)}"
            found[words] = round(chances[best] / sum(chances.values()), 3)
        return found
