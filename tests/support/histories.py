"""The posterior of one seat by brute force: play every history, drop those that do not fit.

This uses only the rules engine. It knows neither the game nor how views and samplers work. A belief
is a dict of full states with their probabilities. For every ply of the true game, every state is
continued in all ways that give the observer exactly the same events.

Probabilities. An outcome of chance has its true probability. At another seat's decision the moves
fall into groups the observer cannot tell apart: the choice of a group carries no information, and
all moves within a group are equally likely. The observer's own move is known.
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
    """There are more worlds than the enumeration may follow."""


class Beginning(Protocol[Started_co]):
    """A game before the deal."""

    @property
    def players(self) -> int: ...

    def state(self) -> Started_co: ...


@dataclass
class Recording(Generic[S]):
    """A true game: its moves and outcomes of chance, and every seat's events for each of them."""

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
    """Plays a true game and records it."""

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
    """Every world that is possible for one seat, with its probability."""

    def __init__(self, start: Beginning[S], observer: int, most: int = 10_000) -> None:
        state = start.state()
        self.observer = observer
        self.most = most
        self.worlds: dict[bytes, tuple[S, Fraction]] = {state.key(): (state, Fraction(1))}

    def settle(self, world: S) -> None:
        """Normalize a world: remove differences that mean nothing."""

    def apart(self, move: int) -> bool:
        """Whether only the true outcome of this chance move is followed."""
        return False

    def follow(self, move: int, events: list[EventTuple]) -> None:
        """The true game continued with this move, and the observer perceived these events."""
        continued: dict[bytes, tuple[S, Fraction]] = {}
        for state, probability in self.worlds.values():
            for world, share in self._ways(state, move, events):
                key = world.key()
                if key in continued:
                    continued[key] = (continued[key][0], continued[key][1] + probability * share)
                else:
                    continued[key] = (world, probability * share)
            if len(continued) > self.most:
                raise TooWide
        total = sum((probability for _, probability in continued.values()), Fraction(0))
        if not total:
            raise AssertionError("no history agrees with what was perceived")
        self.worlds = {
            key: (world, probability / total) for key, (world, probability) in continued.items()
        }

    def _ways(self, state: S, move: int, events: list[EventTuple]) -> list[tuple[S, Fraction]]:
        """Every continuation that gives the observer these events, with its probability."""
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
        total = sum(weights) if state.actor == CHANCE else sum(weight for _, weight in agreeing)
        return [(world, Fraction(weight, total)) for world, weight in agreeing]

    def odds(self) -> dict[bytes, Fraction]:
        return {key: probability for key, (_, probability) in self.worlds.items()}


def follow(
    player: Player[S], view: View, beliefs: Histories[S], pick: Callable[[], int]
) -> Iterator[S]:
    """Play a true game to its end; yields every decision after View and beliefs were updated."""
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
