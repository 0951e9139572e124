"""Random games of every kind, for invariants that hold in all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from hypothesis import settings
from hypothesis import strategies as st

from games.registry import Game, game, game_names
from games.state import NOBODY, Rng, State
from games.view import View
from tests.support.playing import random_move
from tests.support.volume import volume

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)

FEW = settings(max_examples=volume(10, 4), deadline=None)
SOME = settings(max_examples=volume(30, 8), deadline=None)
MANY = settings(max_examples=volume(80, 15), deadline=None)

OPTIONS: dict[str, list[dict[str, object]]] = {
    "hidden-leaders": [{"deck": "beginner"}, {"deck": "retail"}]
}
"""Options to start each game with; a game that is not listed has none."""


@dataclass(frozen=True)
class Case:
    """A random game: its name, players, seed and options."""

    name: str
    players: int
    seed: int
    options: dict[str, object] = field(default_factory=dict)

    @property
    def rules(self) -> Game:
        return game(self.name)

    def start(self, record: bool = False) -> State:
        return self.rules.new(self.players, record=record, **self.options)

    def play(self, state: State) -> Iterator[int]:
        """Play random moves to the end; yields every move after it was played."""
        rng = Rng(self.seed)
        while state.actor != NOBODY:
            yield random_move(state, rng)


def cases(name: str) -> st.SearchStrategy[Case]:
    """Random cases of one game."""
    return st.builds(
        Case,
        name=st.just(name),
        players=st.sampled_from(game(name).player_counts),
        seed=st.integers(0, 2**60),
        options=st.sampled_from(OPTIONS.get(name, [{}])),
    )


EVERY_GAME = st.one_of([cases(name) for name in game_names()])


class Table(Generic[S, V]):
    """A game and the views its seats build from their events."""

    def __init__(self, case: Case) -> None:
        self.state = cast("S", case.start(record=True))
        self.views = [
            cast("V", case.rules.view(seat, case.players, **case.options))
            for seat in range(case.players)
        ]

    def fold(self) -> None:
        for seat, view in enumerate(self.views):
            for event in self.state.take_events(seat):
                view.observe(event)
