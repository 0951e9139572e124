"""The contract of a View: what one seat has perceived of a game, and nothing else."""

from __future__ import annotations

from mypy_extensions import mypyc_attr

from games.state import NOBODY, Rng, State

EventTuple = tuple[int, ...]
"""What a seat is told of one thing that happened: its kind, then what that kind says."""


@mypyc_attr(allow_interpreted_subclasses=True)
class View:
    """The fold of the events one seat received: the same events build the same View anywhere."""

    def __init__(self, seat: int, players: int) -> None:
        self.seat = seat
        """Whose view this is."""

        self.players = players

        self.actor = NOBODY
        """Who must decide now; NOBODY before the first decision and after the last."""

        self.moves: list[int] = []
        """The legal moves while this seat must decide, ascending; else empty."""

        self.decisions = 0
        """How many decisions, by anybody, have been asked for so far."""

    def observe(self, event: EventTuple) -> None:
        """Take in one event."""
        raise TypeError("a game must say how its events are taken in")

    def text(self, move: int) -> str:
        """One of `moves` in words."""
        raise TypeError("a game must say how its moves are worded")

    def role_text(self, role: int) -> str:
        """One of the secret roles (`State.role`) in words."""
        raise TypeError("a game with roles must say what they are called")

    def imagine(self) -> State:
        """The table as this seat sees it, every unknown card a blank, for looking ahead."""
        raise TypeError("a game must say how a table with blanks is laid out")

    def sample(self, rng: Rng) -> State:
        """A full State that agrees with everything this seat has perceived."""
        raise TypeError("a game must say how worlds are drawn")

    def key(self) -> bytes:
        """Equal for equal Views."""
        raise TypeError("a view must have a key")
