"""What a seat makes of the others' moves, by a model, whatever it believes: roles or worlds."""

from __future__ import annotations

from bots.champion.belief import MoveBelief
from bots.champion.model import Model
from bots.champion.search import ValueSearch
from games.view import EventTuple, View
from games.world_belief import WorldBelief


class MoveWatch:
    """Watches the moves of the others, and lets a search draw the worlds that they speak for."""

    def __init__(self, model: Model, view: View, sharpness: float = 1.0) -> None:
        """With a sharpness below 1, likely and unlikely worlds differ less than it believes."""
        self.sharpness = sharpness
        self.roles: MoveBelief | None = None
        """If roles stay with their seats."""
        self.worlds: WorldBelief | None = None
        """If roles move."""
        if model.belief:
            self.roles = model.watch(view)
        elif model.policy:
            self.worlds = model.watch_worlds(view, sharpness)

    def observe(self, event: EventTuple) -> None:
        """Account for an event that the View has just taken in."""
        if self.roles is not None:
            self.roles.observe(event)
        elif self.worlds is not None:
            self.worlds.observe(event)

    def guide(self, search: ValueSearch) -> None:
        """Have it draw the worlds of the next decision accordingly."""
        if self.roles is not None:
            search.set_belief(*self.roles.assignments(self.sharpness))
        search.belief = self.worlds

    def role_weights(self) -> list[float] | None:
        """By seat and role, roles of seat 0 first: its probability; None if nothing is believed."""
        belief = self.roles or self.worlds
        return belief.role_weights() if belief is not None else None
