"""The possible worlds of a seat in Hidden Leaders, by brute force (see `histories`).

Leaders are independent of everything else, so by default only the true leaders are followed, and
worlds are compared after laying those in. With `dealing_leaders=True` every deal is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.hidden_leaders.rules.constants import Move, Zone
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.hidden_leaders.rules.table import AT, LEADERS_AT
from games.view import EventTuple
from tests.support import histories
from tests.support.histories import Histories, TooWide

__all__ = ["Belief", "EventTuple", "Place", "Player", "Recording", "Start", "TooWide"]

Place = tuple[int, int, int]
"""Zone, index (0 throughout where order means nothing), card."""

Recording = histories.Recording[HiddenLeaders]
Player = histories.Player[HiddenLeaders]


@dataclass(frozen=True)
class Start:
    """A game before the deal."""

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


class Belief(Histories[HiddenLeaders]):
    """Every world that is possible for one seat, with its probability."""

    def __init__(
        self,
        start: histories.Beginning[HiddenLeaders],
        observer: int,
        dealing_leaders: bool = False,
        most: int = 10_000,
    ) -> None:
        super().__init__(start, observer, most)
        self.dealing_leaders = dealing_leaders

    def apart(self, move: int) -> bool:
        return Move.LEADER <= move < Move.COUNT and not self.dealing_leaders

    def settle(self, world: HiddenLeaders) -> None:
        settle(world)

    def marginals(self) -> dict[Place, Fraction]:
        """The probability of every card at every place."""
        odds: dict[Place, Fraction] = {}
        for world, probability in self.worlds.values():
            for place in places(world):
                odds[place] = odds.get(place, Fraction(0)) + probability
        return odds


def places(state: HiddenLeaders) -> Iterator[Place]:
    for zone in range(Zone.COUNT):
        loose = zone in (Zone.HARBOR, Zone.DRAWN) or Zone.HAND <= zone < Zone.OPEN
        for i, card in enumerate(state.cards(zone)):
            if card >= 0:
                yield zone, 0 if loose else i, card


def settle(world: HiddenLeaders) -> None:
    """Sort the cards drawn but not yet placed, because their order means nothing."""
    for i, card in enumerate(sorted(world.cards(Zone.DRAWN))):
        world.m[AT[Zone.DRAWN] + i] = card


def lay_leaders(world: HiddenLeaders, leaders: Sequence[int]) -> None:
    for seat, leader in enumerate(leaders):
        world.m[LEADERS_AT + seat] = leader


def leaders_of(state: HiddenLeaders) -> list[int]:
    return [state.leader(seat) for seat in range(state.players)]


def enumerate_worlds(
    recording: Recording, observer: int, dealing_leaders: bool = False, most: int = 10_000
) -> Belief:
    """The worlds that are possible for the observer at the end of the recording."""
    belief = Belief(recording.start, observer, dealing_leaders, most)
    for move, events in zip(recording.moves, recording.events, strict=True):
        belief.follow(move, events[observer])
    return belief
