"""States and generators survive pickle and deepcopy, at any point of a game and on both engines."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from games.registry import game
from games.state import NOBODY, Rng, State
from tests.support.layered_game import Layers, LayerState
from tests.support.playing import random_move

T = TypeVar("T")


def pickled(thing: T) -> T:
    result: T = pickle.loads(pickle.dumps(thing))  # noqa: S301  our own bytes
    return result


WAYS = pytest.mark.parametrize("duplicate", [pickled, copy.deepcopy, copy.copy])
GAMES = pytest.mark.parametrize(
    "start",
    [
        *(lambda n=n: game("hidden-leaders").new(n) for n in (2, 4, 6)),
        *(lambda n=n: game("secrets").new(n) for n in (4, 8)),
        *(lambda n=n: LayerState(Layers.random(n, 8, 0)) for n in range(3)),
    ],
    ids=["leaders 2", "leaders 4", "leaders 6", "secrets 4", "secrets 8", *("layers",) * 3],
)


def positions(state: State, rng: Rng) -> Iterator[State]:
    """Every position of a random game; the caller must not change them."""
    while state.actor != NOBODY:
        yield state
        random_move(state, rng)
    yield state


def rest_of_game(state: State, seed: int) -> list[tuple[int, list[int], bytes]]:
    """What is seen on the way when the state is played to the end at random."""
    return [(at.actor, at.moves(), at.key()) for at in positions(state, Rng(seed))]


@WAYS
@GAMES
def test_a_duplicated_state_is_equal_and_plays_on_identically(
    start: Callable[[], State], duplicate: Callable[[State], State]
) -> None:
    dice = Rng(7)
    for state in positions(start(), Rng(1)):
        if dice.below(20):
            continue
        other = duplicate(state)
        assert type(other) is type(state)
        assert (other.key(), other.moves(), other.turns) == (
            state.key(),
            state.moves(),
            state.turns,
        )
        expected = rest_of_game(state.copy(), 3)
        before = state.key()
        assert rest_of_game(other, 3) == expected
        assert state.key() == before, "the two share something"


def test_the_middle_of_a_card_is_among_the_positions_tested() -> None:
    state = game("hidden-leaders").new(4)
    frames = {at.frame for at in positions(state, Rng(1))}  # type: ignore[attr-defined]
    assert len(frames) > 1


@pytest.mark.parametrize("name", ["hidden-leaders", "secrets"])
def test_a_pickle_keeps_recorded_events_and_a_deep_copy_drops_them(name: str) -> None:
    state = game(name).new(4, record=True)
    for _ in range(40):
        random_move(state, Rng(2))
    state.take_events(0)
    random_move(state, Rng(3))
    silent = copy.deepcopy(state)
    restored = pickled(state)
    assert restored.take_events(0) == state.take_events(0)
    assert restored.take_events(1) == state.take_events(1) != []
    random_move(restored, Rng(4))
    random_move(silent, Rng(4))
    assert restored.key() == silent.key() != state.key()


@WAYS
def test_a_duplicated_generator_continues_the_same_stream(duplicate: Callable[[Rng], Rng]) -> None:
    rng = Rng(5)
    for step in range(50):
        other = duplicate(rng)
        expected = [other.below(1000) for _ in range(20)]
        assert [duplicate(rng).below(1000)] == expected[:1], step
        assert [rng.below(1000) for _ in range(20)] == expected
