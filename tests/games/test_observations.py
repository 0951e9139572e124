"""Observations show what a seat sees and nothing else: the same numbers as from its View."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from librt.vecs import vec
from mypy_extensions import i64

from games.batch import run_chance
from games.engine import COMPILED
from games.hidden_leaders.rules import observation as leaders
from games.registry import game
from games.secrets import observation as secrets
from games.state import NOBODY, Rng, State, put_byte, put_bytes
from games.view import View

COUNTS = [(name, n) for name in ("hidden-leaders", "secrets") for n in game(name).player_counts]
GAMES, EVERY = (4, 1) if COMPILED else (1, 5)
"""Games at each number of players, and which decisions are compared."""


def observed(state: State, seat: int, words: int) -> list[int]:
    out = vec[i64]([-1] * words)
    state.fill_observation(seat, out, 0)
    return list(out)


def seen_by(view: View, words: int) -> list[int]:
    out = vec[i64]([-1] * words)
    view.fill_observation(out, 0)
    return list(out)


def followed_game(name: str, players: int, seed: int) -> Iterator[tuple[State, list[View]]]:
    """A random game at every decision, with the Views of all seats up to date."""
    rules = game(name)
    state = rules.new(players, record=True)
    state.take_notes()
    views = [rules.view(seat, players) for seat in range(players)]
    rng = Rng(seed)
    run_chance(state, rng)
    while state.actor != NOBODY:
        for seat, view in enumerate(views):
            for event in state.take_events(seat):
                view.observe(event)
        yield state, views
        state.play(state.rollout_move(rng) if rng.below(2) else rng.choice(state.moves()))
        run_chance(state, rng)


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_the_numbers_are_those_of_the_view(name: str, players: int) -> None:
    layout = game(name).observation
    assert layout is not None
    compared = 0
    for seed in range(GAMES):
        for number, (state, views) in enumerate(followed_game(name, players, seed)):
            if number % EVERY == 0:
                for view in views:
                    true = observed(state, view.seat, layout.words)
                    assert true == seen_by(view, layout.words), (seed, number, view.seat)
                    compared += 1
    assert compared > 20


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_twin_worlds_look_the_same(name: str, players: int) -> None:
    """A world that a seat cannot tell from the true one gives it the same numbers."""
    layout = game(name).observation
    assert layout is not None
    different = 0
    for number, (state, views) in enumerate(followed_game(name, players, 9)):
        if number > 70:  # drawing worlds gets slow after reshuffles
            break
        if number % 9:
            continue
        for view in views:
            world = view.sample(Rng(number))
            view.note_in(world)
            different += world.key() != state.key()
            numbers = observed(world, view.seat, layout.words)
            assert numbers == observed(state, view.seat, layout.words), (number, view.seat)
    assert different > 5


@pytest.mark.parametrize("name", ["hidden-leaders", "secrets"])
def test_an_onlooker_sees_only_the_public_part(name: str) -> None:
    layout = game(name).observation
    assert layout is not None
    public = layout.public_size // 8
    for state, views in followed_game(name, 4, 2):
        numbers = observed(state, NOBODY, layout.words)
        assert not any(numbers[public:])
        # Seat 0 counts seats as an onlooker does.
        assert numbers[:public] == seen_by(views[0], layout.words)[:public]


def test_copies_keep_their_own_notes() -> None:
    """Notes of a copy do not change with the original."""
    layout = game("hidden-leaders").observation
    assert layout is not None
    for number, (state, _) in enumerate(followed_game("hidden-leaders", 3, 5)):
        if number == 12:
            twin = state.copy()
            before = [observed(twin, seat, layout.words) for seat in range(3)]
        elif number > 60:
            break
    assert [observed(twin, seat, layout.words) for seat in range(3)] == before


def test_without_notes_nothing_is_shown() -> None:
    state = game("hidden-leaders").new(2)
    run_chance(state, Rng(1))
    with pytest.raises(ValueError, match=r"call take_notes\(\) on a new game"):
        observed(state, 0, leaders.WORDS)


def test_constants_agree_with_the_layouts() -> None:
    for module, name in ((leaders, "hidden-leaders"), (secrets, "secrets")):
        layout = game(name).observation
        assert layout is not None
        assert (layout.words, layout.public_size) == (module.WORDS, module.PRIVATE_AT)
    at = {name: first for name, first, _ in game("hidden-leaders").observation.parts()}  # type: ignore[union-attr]
    assert at["cards in the tavern"] == leaders.TAVERN
    assert at["top of the graveyard"] == leaders.GRAVEYARD
    assert at["cards being resolved"] == leaders.RESOLVED
    assert at["card picked before"] == leaders.PICKED
    assert at["players: 2 to 6"] == leaders.NUMBERS_AT
    assert at["open heroes"] == leaders.NUMBERS_AT + 79
    assert at["own hand"] == leaders.HAND
    assert at["cards drawn, to choose from"] == leaders.DRAWN
    assert at["hidden heroes of this seat that it has seen"] == leaders.HIDDEN
    at = {name: first for name, first, _ in game("secrets").observation.parts()}  # type: ignore[union-attr]
    assert at["players: 4 to 8"] == secrets.NUMBERS_AT
    assert at["what the card is said to be, or silence"] == secrets.NUMBERS_AT + 89
    assert at["Bullet to give"] == secrets.PRIVATE_AT + 67


def test_a_description_names_what_is_there() -> None:
    layout = game("hidden-leaders").observation
    assert layout is not None
    numbers = [0] * layout.size
    numbers[leaders.NUMBERS_AT + 5] = 4
    numbers[leaders.HAND + 17] = 1
    assert layout.describe(numbers) == "red marker 4; own hand 17=1"


@given(st.integers(0, 15), st.lists(st.integers(0, 127), min_size=8, max_size=8))
def test_eight_bytes_at_once_are_eight_single_bytes(index: int, values: list[int]) -> None:
    """At any place of a word: compiled code once shifted only 32 bits."""
    one, eight = vec[i64]([0] * 4), vec[i64]([0] * 4)
    for k, value in enumerate(values):
        put_byte(one, 1, index + k, value)
    put_bytes(eight, 1, index, sum(value << 8 * k for k, value in enumerate(values)))
    assert list(eight) == list(one)
