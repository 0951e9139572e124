"""The posterior of one seat by brute force: every history is played, wrong ones are dropped.

Nothing here knows how knowledge is kept or worlds are drawn, nor which game it is. It only plays
the rules engine: a belief is a dict of full states with their probabilities, and every ply of the
true game is played in each of them in every way that gives the observer the very same events.

How histories weigh. An outcome of luck has its true probability. At another seat's decision the
moves fall into groups the observer cannot tell apart; that the observed group was chosen says
nothing, and within it every move is equally likely. The observer's own move is what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, Protocol, TypeVar, cast

from games.state import CHANCE, NOBODY, State
from games.view import EventTuple, View

S = TypeVar("S", bound=State)
Started_co = TypeVar("Started_co", bound=State, covariant=True)


class TooWide(Exception):
    """More worlds than the enumeration was allowed to follow."""


class Beginning(Protocol[Started_co]):
    """A game before anything is dealt."""

    @property
    def players(self) -> int: ...

    def state(self) -> Started_co: ...


@dataclass
class Recording(Generic[S]):
    """A true game: its moves, luck included, and what every seat perceived of each."""

    start: Beginning[S]
    before: list[list[EventTuple]]
    """By seat: events before the first ply."""
    moves: list[int] = field(default_factory=list)
    actors: list[int] = field(default_factory=list)
    events: list[list[list[EventTuple]]] = field(default_factory=list)
    """By ply, then by seat."""

    def seen_by(self, seat: int) -> list[EventTuple]:
        seen = list(self.before[seat])
        for ply in self.events:
            seen += ply[seat]
        return seen

    def cut(self, plies: int) -> Recording[S]:
        return Recording(
            self.start, self.before, self.moves[:plies], self.actors[:plies], self.events[:plies]
        )


class Player(Generic[S]):
    """Plays a true game and keeps its recording."""

    def __init__(self, start: Beginning[S]) -> None:
        self.state = start.state()
        before = [self.state.take_events(seat) for seat in range(start.players)]
        self.recording = Recording(start, before)

    def play(self, move: int) -> None:
        recording, state = self.recording, self.state
        recording.moves.append(move)
        recording.actors.append(state.actor)
        state.play(move)
        recording.events.append([state.take_events(seat) for seat in range(state.players)])


class Histories(Generic[S]):
    """Every world one seat must reckon with, and how likely it is."""

    def __init__(self, start: Beginning[S], observer: int, most: int = 10_000) -> None:
        state = start.state()
        self.observer = observer
        self.most = most
        self.worlds: dict[bytes, tuple[S, Fraction]] = {state.key(): (state, Fraction(1))}

    def settle(self, world: S) -> None:
        """Make one of positions whose difference means nothing."""

    def apart(self, move: int) -> bool:
        """Whether this is luck of which only the true outcome is followed."""
        return False

    def follow(self, move: int, events: list[EventTuple]) -> None:
        """The true game went on with this move, and the observer perceived these events."""
        found: dict[bytes, tuple[S, Fraction]] = {}
        for state, likely in self.worlds.values():
            for world, share in self._ways(state, move, events):
                key = world.key()
                if key in found:
                    found[key] = (found[key][0], found[key][1] + likely * share)
                else:
                    found[key] = (world, likely * share)
            if len(found) > self.most:
                raise TooWide
        total = sum((likely for _, likely in found.values()), Fraction(0))
        if not total:
            raise AssertionError("no history agrees with what was perceived")
        self.worlds = {key: (world, likely / total) for key, (world, likely) in found.items()}

    def _ways(self, state: S, move: int, events: list[EventTuple]) -> list[tuple[S, Fraction]]:
        """Every continuation the observer takes for the true one, with its probability."""
        moves = state.moves()
        mine = state.actor == self.observer
        apart = self.apart(move)
        agreeing: list[tuple[S, int]] = []
        weights = state.weights() if state.actor == CHANCE else [1] * len(moves)
        for choice, weight in zip(moves, weights, strict=True):
            if (mine or apart) and choice != move:
                continue
            world = cast("S", state.copy())
            world.record()
            world.play(choice)
            self.settle(world)
            if world.take_events(self.observer) == events:
                agreeing.append((world, weight))
        if apart:
            return [(world, Fraction(1)) for world, _ in agreeing]
        every = sum(weights) if state.actor == CHANCE else sum(w for _, w in agreeing)
        return [(world, Fraction(weight, every)) for world, weight in agreeing]

    def odds(self) -> dict[bytes, Fraction]:
        return {key: likely for key, (_, likely) in self.worlds.items()}


def follow(
    player: Player[S], view: View, beliefs: Histories[S], pick: Callable[[], int]
) -> Iterator[S]:
    """Play a true game to its end; yields at every decision, once View and beliefs have it."""
    observer = beliefs.observer
    for event in player.recording.before[observer]:
        view.observe(event)
    while player.state.actor != NOBODY:
        move = pick()
        player.play(move)
        news = player.recording.events[-1][observer]
        for event in news:
            view.observe(event)
        beliefs.follow(move, news)
        if player.state.actor >= 0:
            yield player.state
