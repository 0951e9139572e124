"""What a bot is: a class with one method, `choose`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from games.state import Rng
from games.view import View


@dataclass(frozen=True)
class Budget:
    """What a bot may spend on one decision; 0 means that nothing is prescribed."""

    iterations: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Match:
    """Which game is played, by how many, and with which options."""

    game: str
    players: int
    options: Mapping[str, object] = field(default_factory=dict)


class Bot(ABC):
    """A player of one seat in one game; a new one is made for every seat and game.

    Write `choose`. The rest is optional. `self.seat` is the own seat, `self.rng` the bot's own
    generator (use no other: games are repeated from seeds), `self.budget` what may be spent on a
    decision. Declare options as class attributes, see `Option`.
    """

    def __init__(self, seat: int, rng: Rng, budget: Budget | None = None) -> None:
        self.seat = seat
        self.rng = rng
        self.budget = Budget() if budget is None else budget

    def start(self, view: View) -> None:  # noqa: B027  (optional, so not abstract)
        """The game is about to begin; the View is still empty."""

    def observe(self, event: tuple[int, ...]) -> None:  # noqa: B027
        """Something happened. The View has taken it in already."""

    @abstractmethod
    def choose(self, view: View) -> int:
        """One of `view.moves`."""

    def explain(self) -> str:
        """A short reason for the last choice, shown by `arena match --show`; may be empty."""
        return ""

    def belief(self) -> dict[str, float]:
        """What the bot takes for how likely at its last choice: words to chances; may be empty."""
        return {}
