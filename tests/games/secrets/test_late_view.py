"""A seat that joins a game of Secrets knows the open cards and its own token, nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.registry import game
from games.secrets.constants import Phase
from games.secrets.late_view import late_view
from games.secrets.notation import read
from games.secrets.position import UNKNOWN, Position, position_of
from games.secrets.state import Secrets, new_game
from games.secrets.view import SecretsView
from games.state import NOBODY, Rng


def public(state: Secrets, seat: int) -> Position:
    """The position without what the seat may not see."""
    position = position_of(state)
    seats = tuple(
        replace(
            owner,
            token=owner.token if number == seat else UNKNOWN,
            bullets=(UNKNOWN,) * len(owner.bullets),
        )
        for number, owner in enumerate(position.seats)
    )
    return replace(
        position,
        seats=seats,
        centre=position.centre if position.phase == Phase.NEIGHBOUR else UNKNOWN,
        offered=UNKNOWN if position.on_offer and seat != position.turn else position.offered,
        bullet=position.bullet if seat == position.taker else UNKNOWN,
    )


@pytest.mark.parametrize("players", range(4, 9))
def test_its_worlds_agree_with_what_the_table_shows(players: int) -> None:
    rng = Rng(players)
    state = new_game(players)
    decisions = 0
    while state.actor != NOBODY:
        if state.actor >= 0:
            decisions += 1
            for seat in (state.actor, rng.below(players)):
                view = late_view(state, seat)
                assert view.moves == (state.moves() if seat == state.actor else [])
                world = view.sample(rng)
                assert isinstance(world, Secrets)
                assert public(world, seat) == public(state, seat)
                assert (world.first, world.turns, world.un) == (state.first, state.turns, state.un)
                assert late_view(world, seat).key() == view.key()
        state.play(rng.choice(state.moves()))
    assert decisions > 10


def test_it_follows_the_rest_of_the_game() -> None:
    rng = Rng(3)
    state = new_game(5)
    while state.turns < 4 or state.actor < 0:
        state.play(rng.choice(state.moves()))
    views = [late_view(state, seat) for seat in range(5)]
    state.record()
    while state.actor != NOBODY:
        state.play(rng.choice(state.moves()))
        for view in views:
            for event in state.take_events(view.seat):
                view.observe(event)
            assert view.actor == max(state.actor, NOBODY) or state.actor < 0
    for view in views:
        assert isinstance(view, SecretsView)
        assert view.tokens == [state.token(seat) for seat in range(5)]


def test_cards_left_out_of_a_short_game_are_known_to_be_out() -> None:
    state = read(
        "A token CIA; B token KGB; C token KGB; D token Hippie; centre CIA; deck -; "
        "bottom Scientist x2; turned Detective Journalist"
    ).state()
    joined = game("secrets").analysis.late_view(state, 0)
    assert isinstance(joined, SecretsView)
    assert joined.unturned == [0] * 8
    assert joined.bottom == state.bottom_cards()
    assert joined.tokens == [0, -1, -1, -1]
