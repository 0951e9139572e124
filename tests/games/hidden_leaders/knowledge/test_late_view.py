"""A seat that joins in the middle of a game knows the open cards and its own, no more."""

from __future__ import annotations

import random

import pytest

from games.engine import COMPILED
from games.hidden_leaders.knowledge.late_view import late_view, open_to
from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.positions.notation import read
from games.hidden_leaders.positions.worlds import worlds
from games.hidden_leaders.rules.cards import EMPEROR
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.hidden_leaders.rules.table import FRAMES
from games.state import CHANCE, NOBODY, UNSEEN, Rng

SEEDS = range(60 if COMPILED else 12)


def in_the_middle(seed: int) -> HiddenLeaders:
    """A game of random moves, stopped somewhere; every other one in the middle of a card."""
    dice, luck = random.Random(seed), Rng(seed)
    state = new_game(2 + seed % 5)
    left = dice.randrange(20, 120)
    while True:
        resolving = state.frame != FRAMES or seed % 2 == 0
        if state.actor == NOBODY:
            return in_the_middle(seed + 1000)
        if left <= 0 and state.actor != CHANCE and resolving:
            return state
        left -= 1
        if state.actor == CHANCE:
            state.sample_chance(luck)
        else:
            state.play(dice.choice(state.moves()))


def joined(state: HiddenLeaders, seat: int) -> HiddenLeadersView:
    view = late_view(state, seat)
    assert isinstance(view, HiddenLeadersView)
    return view


@pytest.mark.parametrize("seed", SEEDS)
def test_it_sees_exactly_the_cards_it_may_see(seed: int) -> None:
    state = in_the_middle(seed)
    for seat in range(state.players):
        board = joined(state, seat).board()
        assert (board.red, board.green, board.turns) == (state.red, state.green, state.turns)
        assert [board.leader(other) for other in range(state.players)] == [
            state.leader(other) if other == seat else UNSEEN for other in range(state.players)
        ]
        for zone in range(Zone.COUNT):
            if open_to(state, seat, zone):
                assert sorted(board.cards(zone)) == sorted(state.cards(zone))
            else:
                assert board.cards(zone) == [UNSEEN] * state.size(zone)
        assert board.cards(Zone.GRAVEYARD) == state.cards(Zone.GRAVEYARD)


@pytest.mark.parametrize("seed", SEEDS)
def test_it_has_the_same_choices_and_follows_the_rest_of_the_game(seed: int) -> None:
    state, luck, dice = in_the_middle(seed).copy(), Rng(seed), random.Random(seed)
    views = [joined(state, seat) for seat in range(state.players)]
    state.record()
    for _ in range(12):
        for view in views:
            for event in state.take_events(view.seat):
                view.observe(event)
        if state.actor == NOBODY:
            break
        if state.actor == CHANCE:
            state.sample_chance(luck)
            continue
        for view in views:
            assert view.actor == state.actor
            assert view.moves == (state.moves() if view.seat == state.actor else [])
        assert views[state.actor].sample(luck).moves() == state.moves()
        state.play(dice.choice(state.moves()))


def test_it_is_the_same_in_all_worlds_the_seat_cannot_tell_apart() -> None:
    position = read(
        "red 6; green 6; deck DeDr FuFr BlCo SpSh GrGu ShSo BuEm; harbor ?x2; "
        "A leader Myrad hand FuFr open DeDr BlCo; B leader ? hidden ? ?"
    )
    possible = worlds(position, 1000)
    assert any(EMPEROR in world.cards(zone) for world in possible for zone in range(1, Zone.COUNT))
    assert len({world.key() for world in possible}) == len(possible) > 1
    assert len({late_view(world, 0).key() for world in possible}) == 1
    assert len({late_view(world, 1).key() for world in possible}) > 1


@pytest.mark.parametrize(
    ("where", "visible"),
    [
        ("graveyard KeKo BuEm ApWa", True),
        ("A hand BuEm", True),
        ("B open BuEm", True),
        ("tavern - BuEm", True),
        ("B hand BuEm", False),
        ("wilderness BuEm", False),
        ("B hidden BuEm", False),
        ("rest harbor", False),
        ("red 4", True),
    ],
)
def test_the_emperor_is_known_only_where_he_is_visible(where: str, visible: bool) -> None:
    seats = "A leader Cyra hand ShSo" if "A hand" not in where else "A leader Cyra"
    state = read(f"{where}; B leader Myrad; {seats}").state()
    view = joined(state, 0)
    found = [zone for zone in range(Zone.COUNT) if EMPEROR in view.board().cards(zone)]
    truly = [zone for zone in range(Zone.COUNT) if EMPEROR in state.cards(zone)]
    assert found == (truly if visible else [])
    luck = Rng(1)
    drawn = {
        zone
        for _ in range(60)
        for world in [view.sample(luck)]
        for zone in range(Zone.COUNT)
        if EMPEROR in world.cards(zone)
    }
    assert drawn == set(truly) if visible else 0 in drawn
