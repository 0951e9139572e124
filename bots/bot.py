"""The interface of a bot: a class with one required method, `choose`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from games.replay import Belief
from games.state import Rng
from games.view import View


@dataclass(frozen=True)
class Budget:
    """What a bot may spend on one decision; 0 means that the bot decides."""

    iterations: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Match:
    """What is played: the game, the number of players and the game's options."""

    game: str
    players: int
    options: Mapping[str, object] = field(default_factory=dict)


class Bot(ABC):
    """Plays one seat of one game; a new instance is made for every seat and game.

    Write `choose`; the other methods are optional. `self.seat` is the bot's seat, `self.rng` its
    random generator (use no other, so that a seed reproduces the game) and `self.budget` what it
    may spend on a decision. Options are class attributes, see `Option`.
    """

    def __init__(self, seat: int, rng: Rng, budget: Budget | None = None) -> None:
        self.seat = seat
        self.rng = rng
        self.budget = Budget() if budget is None else budget

    def check_match(self, match: Match) -> None:  # noqa: B027
        """Raise a GameError such as BadBot if the bot, set as it is, cannot play that match.

        Called before the first game, on an instance that does not play. The person who set up the
        match reads the error, and the bot does not lose its games for it.
        """

    def start(self, view: View) -> None:  # noqa: B027  (optional, so not abstract)
        """Called once before the game; the View is still empty."""

    def observe(self, event: tuple[int, ...]) -> None:  # noqa: B027
        """Called for every event the seat perceives, after the View has been updated."""

    @abstractmethod
    def choose(self, view: View) -> int:
        """Return one of `view.moves`."""

    # What a bot says about its last choice. All of it is optional and saved in the replay.

    def explain(self) -> str:
        """A short reason for the last choice, shown by `arena match --show`; may be empty."""
        return ""

    def considered(self) -> Sequence[tuple[int, int, float]]:
        """The moves it considered, best first: (move, visits, value) of each.

        Visits is how often a search tried the move, or 0. The value may be on any scale; bots that
        search give the share of wins. The first 32 are kept.
        """
        return ()

    def belief(self) -> Belief:
        """What the bot believed: the probability of every role of every other seat.

        As in `{"B": {"Cyra": 0.4, "Pavyr": 0.6}, "C": ...}`; the roles of a seat add up to 1. A
        key may also be any other statement, with its probability: `{"B has the Emperor": 0.2}`.
        """
        return {}
