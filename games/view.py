"""The contract of a View: what one seat has perceived of a game, and nothing else."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from games.errors import ChancePending
from games.state import NOBODY, Rng, State

EventTuple = tuple[int, ...]
"""One event as one seat perceives it: its kind, then the values of that kind."""


@mypyc_attr(allow_interpreted_subclasses=True)
class View:
    """A fold over the events one seat received: the same events build the same View anywhere."""

    def __init__(self, seat: int, players: int) -> None:
        self.seat = seat
        """Whose view this is."""

        self.players = players

        self.actor = NOBODY
        """The seat that decides or decided last; NOBODY before the first decision and at the end.
        """

        self.moves: list[int] = []
        """The legal moves while this seat must decide, ascending; otherwise empty."""

        self.decisions = 0
        """How many decisions, by any seat, have come up so far."""

        self.complete = False
        """Whether the events reach up to a decision or to the end; only then can worlds be sampled.

        False before the first decision, and after a choice until the next decision is announced.
        """

    def observe(self, event: EventTuple) -> None:
        """Take in one event."""
        raise TypeError("a View must implement observe(event)")

    def text(self, move: int) -> str:
        """One of `moves` in words."""
        raise TypeError("a View must implement text(move)")

    def role_text(self, role: int) -> str:
        """One of the secret roles (`State.role`) in words."""
        raise TypeError("the View of a game with roles must implement role_text(role)")

    def imagine(self) -> State:
        """The table as this seat sees it, every unknown card a blank; for looking ahead."""
        raise TypeError("a View must implement imagine()")

    def known_table(self) -> State:
        """The table with everything this seat can be sure of; for showing it to people."""
        return self.imagine()

    def sample(self, rng: Rng) -> State:
        """A full State that agrees with everything this seat has perceived.

        Raises ChancePending unless the View is `complete`.
        """
        raise TypeError("a View must implement sample(rng)")

    def fill_observation(self, out: vec[i64], at: i64) -> None:
        """Write what this seat sees, exactly as `State.fill_observation` does."""
        raise TypeError("the View of a game with observations must define fill_observation()")

    def note_in(self, world: State) -> None:
        """Give a sampled world notes (`State.take_notes`) with what this seat has seen."""
        world.take_notes()

    def check_complete(self) -> None:
        """Raise ChancePending unless the View is `complete`."""
        if not self.complete:
            raise ChancePending

    def key(self) -> bytes:
        """Equal for equal Views."""
        raise TypeError("a View must implement key()")
