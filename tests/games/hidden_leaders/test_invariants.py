"""Properties of Hidden Leaders, checked on random games."""

from __future__ import annotations

import pytest
from hypothesis import given

from games.hidden_leaders.knowledge.view import HiddenLeadersView
from games.hidden_leaders.positions.notation import read, write
from games.hidden_leaders.rules.cards import BEGINNER, RETAIL
from games.hidden_leaders.rules.constants import EMPTY, Track, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.text.moves import move_text
from games.state import CHANCE, NOBODY, UNSEEN, Rng
from tests.support.cases import FEW, MANY, SOME, Case, Table, cases

CASES = cases("hidden-leaders")
DECKS = {"retail": RETAIL, "beginner": BEGINNER}


def start(case: Case) -> HiddenLeaders:
    state = case.start()
    assert isinstance(state, HiddenLeaders)
    return state


@MANY
@given(CASES)
def test_every_game_ends(case: Case) -> None:
    state = start(case)
    for _ in case.play(state):
        assert state.turns <= state.turn_limit
    assert state.moves() == []
    assert len(state.winners()) <= 1
    assert all(0 <= seat < case.players for seat in state.winners())
    reached = any(state.size(Zone.OPEN + seat) >= state.threshold for seat in range(case.players))
    assert reached == bool(state.faction)


@pytest.mark.slow
@MANY
@given(CASES)
def test_no_card_is_lost_and_no_marker_leaves_the_track(case: Case) -> None:
    state = start(case)
    for _ in case.play(state):
        cards = sorted(c for zone in range(Zone.COUNT) for c in state.cards(zone) if c != EMPTY)
        assert tuple(cards) == DECKS[str(case.options["deck"])]
        assert Track.FIRST <= state.red <= Track.LAST
        assert Track.FIRST <= state.green <= Track.LAST


@FEW
@given(CASES)
def test_positions_survive_writing_and_reading(case: Case) -> None:
    state = start(case)
    for step, _ in enumerate(case.play(state)):
        if step % 12 == 0 or state.actor == NOBODY:
            again = read(write(state)).state()
            assert again.key() == state.key()
            assert (again.actor, again.moves()) == (state.actor, state.moves())
            assert write(again) == write(state)


# ---- what seats know --------------------------------------------------------------------------


def check_public(state: HiddenLeaders, view: HiddenLeadersView) -> None:
    """What everybody can see."""
    assert (view.red, view.green) == (state.red, state.green)
    assert view.tavern == state.cards(Zone.TAVERN)
    assert view.harbor_size == state.size(Zone.HARBOR)
    board = view.board()
    assert board.size(Zone.WILDERNESS) == state.size(Zone.WILDERNESS)
    assert board.size(Zone.GRAVEYARD) == state.size(Zone.GRAVEYARD)
    assert board.cards(Zone.GRAVEYARD)[-1:] == state.cards(Zone.GRAVEYARD)[-1:]
    for seat in range(state.players):
        assert view.open(seat) == state.cards(Zone.OPEN + seat)
        assert view.hand_size(seat) == state.size(Zone.HAND + seat)
        assert board.size(Zone.HIDDEN + seat) == state.size(Zone.HIDDEN + seat)


def check_private(state: HiddenLeaders, view: HiddenLeadersView) -> None:
    """This seat's own cards; everything else it has seen is where it was seen."""
    seat = view.seat
    assert view.hand == state.cards(Zone.HAND + seat)
    assert view.hidden(seat) == state.cards(Zone.HIDDEN + seat)
    assert view.leader == state.leader(seat)
    if state.player == seat:
        assert view.drawn == state.cards(Zone.DRAWN)
    board = view.board()
    zones = [Zone.HIDDEN + other for other in range(state.players)]
    for zone in (Zone.WILDERNESS, Zone.GRAVEYARD, *zones):
        assert_true_where_known(board.cards(zone), state.cards(zone))


def assert_true_where_known(cards: list[int], truth: list[int]) -> None:
    assert len(cards) == len(truth)
    assert all(card in (UNSEEN, truth[i]) for i, card in enumerate(cards))


def check_decision(state: HiddenLeaders, view: HiddenLeadersView) -> None:
    """All seats know who decides; only that seat knows the moves."""
    assert (view.actor, view.turn_player, view.turns) == (state.actor, state.player, state.turns)
    if view.seat != state.actor:
        assert view.moves == []
        return
    moves = state.moves()
    assert view.moves == moves
    board = view.board()
    assert board.moves() == moves
    assert [move_text(board, m) for m in moves] == [move_text(state, m) for m in moves]


@pytest.mark.slow
@SOME
@given(CASES)
def test_views_agree_with_the_truth_at_every_decision(case: Case) -> None:
    table = Table[HiddenLeaders, HiddenLeadersView](case)
    for _ in case.play(table.state):
        if table.state.actor == CHANCE:
            continue
        table.fold()
        for view in table.views:
            check_public(table.state, view)
            if table.state.actor == NOBODY:
                assert (view.actor, view.winner) == (NOBODY, table.state.winner)
                assert view.winning_faction == table.state.faction
                leaders = [table.state.leader(seat) for seat in range(case.players)]
                assert view.leaders == leaders
            else:
                check_private(table.state, view)
                check_decision(table.state, view)


@pytest.mark.slow
@FEW
@given(CASES)
def test_what_a_seat_is_sure_of_is_true(case: Case) -> None:
    """At some decisions: working out what is certain takes a while after several reshuffles."""
    table = Table[HiddenLeaders, HiddenLeadersView](case)
    for step, _ in enumerate(case.play(table.state)):
        if step % 12 or table.state.actor in (CHANCE, NOBODY):
            continue
        table.fold()
        for view in table.views:
            state = table.state
            assert_true_where_known(view.wilderness, state.cards(Zone.WILDERNESS))
            assert_true_where_known(view.graveyard, state.cards(Zone.GRAVEYARD))
            for seat in range(case.players):
                assert_true_where_known(view.hidden(seat), state.cards(Zone.HIDDEN + seat))
                hand = state.cards(Zone.HAND + seat)
                assert len(view.hand_of(seat)) == len(hand)
                assert set(view.hand_of(seat)) <= {UNSEEN, *hand}


@FEW
@given(CASES)
def test_worlds_look_the_same_to_the_seat_that_samples_them(case: Case) -> None:
    """In the first turns: after several reshuffles a single world can take very long."""
    table = Table[HiddenLeaders, HiddenLeadersView](case)
    for step, _ in enumerate(case.play(table.state)):
        if table.state.turns >= 12:
            break
        if table.state.actor < 0 or step % 10:
            continue
        table.fold()
        view = table.views[table.state.actor]
        world = view.sample(Rng(step))
        check_public(world, view)
        check_private(world, view)
        assert world.moves() == view.moves
