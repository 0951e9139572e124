"""Posing positions: what a game offers to those who write positions down and ask about them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import NamedTuple, Protocol, runtime_checkable

from games.errors import GameError
from games.state import State

Watch = Callable[[State], None]
"""Looks at every open position of a search; SecretsMatter if the answer needs more worlds."""


class TooManyWorlds(GameError):
    """More ways to fill in what is unknown than may be looked at."""


class SecretsMatter(GameError):
    """Something that was left out of account turns out to matter."""


class PosedPosition(Protocol):
    """A position as somebody wrote it down; some of it may be unknown.

    Unknown is what the seat to move does not know. Every way to fill it in is a world.
    """

    @property
    def players(self) -> int: ...

    def unknowns(self) -> list[str]:
        """What is not known, place by place; empty if everything is."""

    def world_count(self, idle: bool = False) -> int:
        """How many worlds there are."""

    def worlds(self, most: int, idle: bool = False) -> list[State]:
        """All worlds, each equally likely; TooManyWorlds if there are more than so many.

        If idle, what may turn out not to matter in this turn is filled in one way only: whoever
        searches such worlds must `watch`.
        """

    def can_idle(self) -> bool:
        """Whether that would make fewer worlds."""

    def watch(self, world: State) -> Watch:
        """Sees to it that what was filled in in one way does not matter, from this world on."""

    def told(self, world: State, idle: bool) -> str:
        """What the world says about what is unknown, in the position's notation."""


@runtime_checkable
class PosedEquilibrium(PosedPosition, Protocol):
    """A position that can also be asked about with each seat knowing its own part of the unknown.

    What is named is then known to all; what is unknown, to the seats that see it at the table.
    """

    def sight(self, world: State, seat: int) -> Hashable:
        """What the seat sees of the world: equal for worlds that it cannot tell apart."""

    def seen(self, world: State, seat: int) -> str:
        """What the world says about what is unknown and the seat sees, in the same notation."""


class WorstCases(NamedTuple):
    """Worlds a seat must fear in its turn, and moves of it that touch nothing unseen.

    What begins with one of the moves and wins in this turn in all of the worlds, by the same
    choices, wins in every world that agrees with what the seat has perceived.
    """

    worlds: list[State]
    moves: list[int]


def too_many(many: int, most: int) -> TooManyWorlds:
    return TooManyWorlds(
        f"there are {many} ways to fill in what is unknown, and at most {most} can be looked at "
        f"(make more of it known; `arena solve` has --worlds)"
    )
