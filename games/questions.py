"""Questions about positions: what a game offers to solvers and to people who write positions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from games.errors import GameError
from games.state import Rng, State

Watch = Callable[[State], None]
"""Called on every position of a search; raises SecretsMatter if the answer needs more worlds."""


MOST_LISTED_WORLDS: Final = 100_000
"""Worlds that are listed at the most: they take about a gigabyte and some seconds."""

Tick = Callable[[], None]
"""Called now and then during long computations; raises an error if there is no time left."""


def no_limit() -> None:
    """A `Tick` without a limit."""


class TooManyWorlds(GameError):
    """There are more ways to fill in the unknown cards than the caller allows."""


class SecretsMatter(GameError):
    """Something that was left out turns out to matter."""


@dataclass(frozen=True)
class Learned:
    """What a seat of a position has learned before, besides its own cards and the open ones."""

    cards: frozenset[int] = frozenset()
    """Cards whose place it knows, as the game numbers them."""
    roles: frozenset[int] = frozenset()
    """Seats whose secret role it knows."""


NOTHING_LEARNED: Final = Learned()


class PosedPosition(Protocol):
    """A position as a person wrote it; parts of it may be unknown to the seat to move.

    Every way to fill in the unknown parts is a world.
    """

    @property
    def players(self) -> int: ...

    def unknowns(self) -> list[str]:
        """What is unknown, place by place; empty if nothing is."""

    def world_count(self, idle: bool = False) -> int:
        """How many worlds there are."""

    def worlds(self, most: int, idle: bool = False) -> list[State]:
        """All worlds, each equally likely; TooManyWorlds if there are more than `most`.

        With `idle`, parts that may not matter in this turn are filled in one way only; a search of
        such worlds must `watch`.
        """

    def can_idle(self) -> bool:
        """Whether `idle` would make fewer worlds."""

    def watch(self, world: State) -> Watch:
        """A check that what was filled in one way only does not matter from this world on."""

    def told(self, world: State, idle: bool) -> str:
        """What the unknown parts are in this world, in the position's notation."""

    def agreed_table(self, states: Sequence[State], idle: bool) -> State:
        """A table to draw for the seat to move, which cannot tell these states apart.

        Whatever differs between them is unseen, and so are parts that were left `idle`.
        """

    def doubts(self, states: Sequence[State], idle: bool) -> list[str]:
        """What is unseen on that table and what it may be, in sentences; empty if nothing is."""

    def draw(self, rng: Rng) -> State:
        """One of the worlds, each equally likely."""

    def filled(self, world: State) -> PosedPosition:
        """The same position with nothing unknown, as in this world."""

    def options(self) -> dict[str, object]:
        """The options of a new game with the same cards and limits."""

    def learned(self, seat: int) -> Learned:
        """What the position says the seat has learned before."""


@runtime_checkable
class PosedEquilibrium(PosedPosition, Protocol):
    """A position that also allows questions in which each seat knows its own hidden cards.

    Named cards are then known to all; unknown ones to the seats that see them at the table.
    """

    def sight(self, world: State, seat: int) -> Hashable:
        """What the seat sees of the world; equal for worlds it cannot tell apart."""

    def seen(self, world: State, seat: int) -> str:
        """What the unknown parts are that the seat sees in this world, in the same notation."""


@runtime_checkable
class PosedKnowledge(PosedPosition, Protocol):
    """A position that can say what the seat to move knows as something it has learned."""

    def named(self) -> Learned:
        """All cards and roles that the position names."""

    def unnamed(self, seat: int) -> list[str]:
        """What the seat has or sees in every game but the position does not name, in words."""


class WorstCases(NamedTuple):
    """The worst worlds for a seat in its turn, and its moves that touch nothing unseen.

    A line that starts with one of the moves and wins in this turn in all these worlds, by the same
    choices, wins in every world that agrees with what the seat has perceived.
    """

    worlds: list[State]
    moves: list[int]


class Odds(NamedTuple):
    """The chance of something that depends on what a seat does not see."""

    value: float
    samples: int
    """How many worlds were drawn to estimate it; 0: it was computed."""
    luck: bool = False
    """Whether it also depends on cards that are picked at random, from a hand or the draw pile."""


Finding = tuple[int, int]
"""An unseen card, by number, and what kind of card it is."""


class Case(NamedTuple):
    """What a seat may find out, and the imagined table on which it knows that."""

    facts: frozenset[Finding]
    """Empty if there is nothing to find out."""
    table: State


class Unseen(Protocol):
    """A seat's own turn as far as it can see, for searches of that turn.

    They walk the imagined table to the end of the turn. Unseen cards have stand-ins there.
    """

    @property
    def table(self) -> State:
        """The imagined table: everything certain, and stand-ins."""

    @property
    def samples(self) -> int:
        """Worlds drawn for the odds so far; 0: they are computed."""

    def cases(self, state: State, move: int) -> list[Case] | None:
        """What the seat finds out by a move: on these tables the move does what it really would.

        None if that depends on more than can be told apart.
        """

    def drawn(self, state: State) -> list[Case] | None:
        """The same for unseen cards that the seat has drawn and sees now."""

    def outcomes(self, state: State) -> list[int] | None:
        """At a chance node: one outcome that stands for all, if any; None: there are many."""

    def hopeless(self, move: int) -> bool:
        """Whether the turn cannot end the game after this move of the imagined table."""

    def end(self, state: State) -> Hashable:
        """What decides who wins on a finished imagined table; None if nobody can."""

    def no_worse(self, one: Any, other: Any) -> bool:
        """Whether the seat surely wins at the one end wherever it wins at the other."""

    def wins_all(self, ends: Sequence[Any]) -> Odds:
        """The chance that the seat would win at each one of these ends that is reached.

        Each is a pair: the facts under which the end is reached, and the end.
        """


class SupposedWorld(NamedTuple):
    """A complete world that agrees with what a seat has seen."""

    state: State
    spot_of: dict[int, int]
    """Where the cards lie that the seat does not see, by numbers that all such worlds share."""


class Witness(Protocol):
    """A seat's own turn, worked out from its events alone, for checkers of certificates.

    It shares nothing with `Unseen`. Unseen cards lie at numbered spots; a finding is a spot and the
    kind of card that the seat sees there.
    """

    @property
    def everywhere(self) -> int:
        """Every way in which the secret roles can have been dealt, one bit each."""

    def worlds(self, facts: frozenset[Finding]) -> list[SupposedWorld]:
        """Worlds in which these facts hold, filled in very different ways; [] if there are none.

        What happens in the same way in all of them happens so in every world.
        """

    def offered(self, world: SupposedWorld, state: State) -> dict[str, int]:
        """The moves or outcomes, in words that name unseen cards by their spots."""

    def outcomes(
        self, world: SupposedWorld, state: State, facts: frozenset[Finding]
    ) -> dict[str, int]:
        """At a chance node: the outcomes with their weights; one stands for all that are alike."""

    def news(
        self, world: SupposedWorld, state: State, events: Sequence[tuple[int, ...]]
    ) -> tuple[tuple[tuple[int, ...], ...], frozenset[Finding]]:
        """What the seat perceives of the events that led to this state, and what it finds out."""

    def kinds(self) -> list[int]:
        """The kinds of card that may lie at a spot."""

    def end(self, world: SupposedWorld, state: State) -> Hashable:
        """What decides who wins after the turn; None if the seat surely does not."""

    def spots_of(self, end: Any) -> tuple[int, ...]:
        """The spots that matter at an end, ascending."""

    def wins(self, end: Any, kinds: tuple[int, ...]) -> int:
        """The deals of the roles in which the seat wins, if its spots are of these kinds."""

    def odds(self, spots: tuple[int, ...], every_faction: bool) -> dict[tuple[int, ...], Fraction]:
        """The exact odds of the kinds of card at these spots; GameError if they are not known.

        Unless `every_faction`, kinds that are the same to the seat at the end are not told apart.
        """

    def possible(self, spots: tuple[int, ...]) -> Iterator[tuple[int, ...]] | None:
        """The kinds of card that may lie at these spots, without any odds; None: too many."""


def too_many(count: int, most: int) -> TooManyWorlds:
    few = count <= MOST_LISTED_WORLDS
    ways = f"{count:,}" if few else f"about 10^{len(str(count)) - 1}"
    raise_it = ", or raise the limit with `arena solve --worlds`" if few else ""
    return TooManyWorlds(
        f"there are {ways} ways to fill in what is unknown, but at most {most:,} are allowed; "
        f"name more cards{raise_it}"
    )
