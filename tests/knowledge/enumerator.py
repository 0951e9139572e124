"""The posterior of one seat by brute force: every history is played, wrong ones are dropped.

Nothing here knows how knowledge is kept or worlds are drawn. It only plays the rules engine: a
belief is a dict of full states with their probabilities, and every ply of the true game is played
in each of them in every way that gives the observer the very same events.

How histories weigh. An outcome of luck has its true probability. At another seat's decision the
moves fall into groups the observer cannot tell apart; that the observed group was chosen says
nothing, and within it every move is equally likely. The observer's own move is what it was.

Leaders are dealt apart from everything else, so by default only the true ones are followed and
worlds are compared with those laid in (`dealing_leaders=True` follows every deal of them).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from games.hidden_leaders.state import HiddenLeaders, new_game
from games.hidden_leaders.table import AT, LEADERS
from games.hidden_leaders.words import (
    DRAWN,
    HAND,
    HARBOR,
    LEADER,
    MOVE_COUNT,
    OPEN,
    ZONES,
)
from games.state import CHANCE

Event = tuple[int, ...]
Place = tuple[int, int, int]
"""Zone, index (0 throughout where order means nothing), card."""


class TooWide(Exception):
    """More worlds than the enumeration was allowed to follow."""


@dataclass(frozen=True)
class Start:
    """A game before anything is dealt."""

    players: int
    deck: tuple[int, ...]
    threshold: int = 9
    rounds: int = 8

    def state(self) -> HiddenLeaders:
        return new_game(
            self.players,
            deck=self.deck,
            first=0,
            threshold=self.threshold,
            rounds=self.rounds,
            record=True,
        )


@dataclass
class Recording:
    """A true game: its moves, luck included, and what every seat perceived of each."""

    start: Start
    before: list[list[Event]]
    """By seat: events before the first ply."""
    moves: list[int] = field(default_factory=list)
    actors: list[int] = field(default_factory=list)
    events: list[list[list[Event]]] = field(default_factory=list)
    """By ply, then by seat."""

    def seen_by(self, seat: int) -> list[Event]:
        seen = list(self.before[seat])
        for ply in self.events:
            seen += ply[seat]
        return seen

    def cut(self, plies: int) -> Recording:
        return Recording(
            self.start, self.before, self.moves[:plies], self.actors[:plies], self.events[:plies]
        )


class Player:
    """Plays a true game and keeps its recording."""

    def __init__(self, start: Start) -> None:
        self.state = start.state()
        before = [self.state.take_events(seat) for seat in range(start.players)]
        self.recording = Recording(start, before)

    def play(self, move: int) -> None:
        recording, state = self.recording, self.state
        recording.moves.append(move)
        recording.actors.append(state.actor)
        state.play(move)
        recording.events.append([state.take_events(seat) for seat in range(state.players)])


class Belief:
    """Every world one seat must reckon with, and how likely it is."""

    def __init__(
        self, start: Start, observer: int, dealing_leaders: bool = False, most: int = 10_000
    ) -> None:
        state = start.state()
        self.observer = observer
        self.dealing_leaders = dealing_leaders
        self.most = most
        self.worlds: dict[bytes, tuple[HiddenLeaders, Fraction]] = {
            state.key(): (state, Fraction(1))
        }

    def follow(self, move: int, events: list[Event]) -> None:
        """The true game went on with this move, and the observer perceived these events."""
        found: dict[bytes, tuple[HiddenLeaders, Fraction]] = {}
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

    def _ways(
        self, state: HiddenLeaders, move: int, events: list[Event]
    ) -> list[tuple[HiddenLeaders, Fraction]]:
        """Every continuation the observer takes for the true one, with its probability."""
        moves = state.moves()
        mine = state.actor == self.observer
        dealt = LEADER <= move < MOVE_COUNT and not self.dealing_leaders
        agreeing: list[tuple[HiddenLeaders, int]] = []
        weights = state.weights() if state.actor == CHANCE else [1] * len(moves)
        for choice, weight in zip(moves, weights, strict=True):
            if (mine or dealt) and choice != move:
                continue
            world = state.copy()
            world.record()
            world.play(choice)
            settle(world)
            if world.take_events(self.observer) == events:
                agreeing.append((world, weight))
        if dealt:
            return [(world, Fraction(1)) for world, _ in agreeing]
        every = sum(weights) if state.actor == CHANCE else sum(w for _, w in agreeing)
        return [(world, Fraction(weight, every)) for world, weight in agreeing]

    def odds(self) -> dict[bytes, Fraction]:
        return {key: likely for key, (_, likely) in self.worlds.items()}

    def marginals(self) -> dict[Place, Fraction]:
        """How likely every card is at every place it can be at."""
        found: dict[Place, Fraction] = {}
        for world, likely in self.worlds.values():
            for place in places(world):
                found[place] = found.get(place, Fraction(0)) + likely
        return found


def places(state: HiddenLeaders) -> Iterator[Place]:
    for zone in range(ZONES):
        loose = zone in (HARBOR, DRAWN) or HAND <= zone < OPEN
        for i, card in enumerate(state.cards(zone)):
            if card >= 0:
                yield zone, 0 if loose else i, card


def settle(world: HiddenLeaders) -> None:
    """Cards drawn and not yet placed have no order that means anything: make it one."""
    for i, card in enumerate(sorted(world.cards(DRAWN))):
        world.m[AT[DRAWN] + i] = card


def lay_leaders(world: HiddenLeaders, leaders: Sequence[int]) -> None:
    for seat, leader in enumerate(leaders):
        world.m[LEADERS + seat] = leader


def leaders_of(state: HiddenLeaders) -> list[int]:
    return [state.leader(seat) for seat in range(state.players)]


def enumerate_worlds(
    recording: Recording, observer: int, dealing_leaders: bool = False, most: int = 10_000
) -> Belief:
    """What the observer must reckon with at the end of the recording."""
    belief = Belief(recording.start, observer, dealing_leaders, most)
    for move, events in zip(recording.moves, recording.events, strict=True):
        belief.follow(move, events[observer])
    return belief
