"""Laws that hold in every game, looked for in games nobody has thought of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from games.hidden_leaders.cards import BEGINNER, RETAIL
from games.hidden_leaders.position import read, write
from games.hidden_leaders.state import HiddenLeaders
from games.hidden_leaders.text import move_text, parse_move
from games.hidden_leaders.view import HiddenLeadersView
from games.hidden_leaders.words import (
    DRAWN,
    E_MOVES,
    EMPTY,
    FIRST_SPACE,
    GRAVEYARD,
    HAND,
    HARBOR,
    HIDDEN,
    LAST_SPACE,
    OPEN,
    TAVERN,
    WILDERNESS,
    ZONES,
)
from games.registry import game
from games.replay import Replay, read_replay, write_replay
from games.state import CHANCE, NOBODY, UNSEEN, Rng
from tests.playing import random_move

DECKS = {"retail": RETAIL, "beginner": BEGINNER}


@dataclass(frozen=True)
class Case:
    """A game to be played at random."""

    players: int
    seed: int
    deck: str

    @property
    def options(self) -> dict[str, object]:
        return {"deck": self.deck}

    def start(self, record: bool = False) -> HiddenLeaders:
        state = game("hidden-leaders").new(self.players, record=record, **self.options)
        assert isinstance(state, HiddenLeaders)
        return state

    def play(self, state: HiddenLeaders) -> Iterator[int]:
        """Yields after every move what was played."""
        rng = Rng(self.seed)
        while state.actor != NOBODY:
            yield random_move(state, rng)


cases = st.builds(
    Case,
    players=st.integers(2, 6),
    seed=st.integers(0, 2**60),
    deck=st.sampled_from(sorted(DECKS)),
)


FEW = settings(max_examples=10, deadline=None)
SOME = settings(max_examples=50, deadline=None)
MANY = settings(max_examples=120, deadline=None)


# ---- moves ------------------------------------------------------------------------------------


@MANY
@given(cases)
def test_moves_ascend_are_unique_and_exist_until_the_end(case: Case) -> None:
    state = case.start()
    for _ in case.play(state):
        moves = state.moves()
        assert moves == sorted(set(moves))
        assert bool(moves) == (state.actor != NOBODY)
        if state.actor >= 0:
            assert state.count == len(moves)
            assert sorted(state.legal[i] for i in range(state.count)) == moves
        elif state.actor == CHANCE:
            assert len(state.weights()) == len(moves)


@MANY
@given(cases)
def test_every_game_ends(case: Case) -> None:
    state = case.start()
    for _ in case.play(state):
        assert state.turns <= state.turn_limit
    assert state.moves() == []
    assert len(state.winners()) <= 1
    assert all(0 <= seat < case.players for seat in state.winners())
    reached = any(state.size(OPEN + seat) >= state.threshold for seat in range(case.players))
    assert reached == bool(state.faction)


@MANY
@given(cases)
def test_no_card_is_lost_and_no_marker_leaves_the_track(case: Case) -> None:
    state = case.start()
    for _ in case.play(state):
        cards = sorted(c for zone in range(ZONES) for c in state.cards(zone) if c != EMPTY)
        assert tuple(cards) == DECKS[case.deck]
        assert FIRST_SPACE <= state.red <= LAST_SPACE
        assert FIRST_SPACE <= state.green <= LAST_SPACE


@SOME
@given(cases)
def test_texts_are_unique_and_lead_back_to_their_moves(case: Case) -> None:
    state = case.start()
    for step, _ in enumerate(case.play(state)):
        moves = state.moves()
        texts = [move_text(state, move) for move in moves]
        assert len(set(texts)) == len(texts)
        if state.actor >= 0 and step % 5 == 0:
            assert [parse_move(state, text) for text in texts] == moves


# ---- copies, positions, replays ---------------------------------------------------------------


@SOME
@given(cases)
def test_copies_are_equal_and_then_go_their_own_way(case: Case) -> None:
    state = case.start()
    played: list[int] = []
    copies = [(0, state.copy(), state.key())]
    for move in case.play(state):
        played.append(move)
        if len(played) % 9 == 0:
            twin = state.copy()
            assert (twin.key(), twin.moves(), twin.actor) == (
                state.key(),
                state.moves(),
                state.actor,
            )
            copies.append((len(played), twin, twin.key()))
    for after, twin, key in copies:
        assert twin.key() == key, "playing on has changed an earlier copy"
        if after % 4 == 0:
            for move in played[after:]:
                twin.play(move)
            assert twin.key() == state.key()
            assert twin.winners() == state.winners()


@SOME
@given(cases)
def test_playing_a_copy_leaves_the_original_alone(case: Case) -> None:
    state = case.start()
    for step, _ in enumerate(case.play(state)):
        if step % 25 == 0:
            key, moves = state.key(), state.moves()
            state.copy().playout(Rng(step))
            assert (state.key(), state.moves()) == (key, moves)


@FEW
@given(cases)
def test_positions_can_be_written_down_and_set_up_again(case: Case) -> None:
    state = case.start()
    for step, _ in enumerate(case.play(state)):
        if step % 12 == 0 or state.actor == NOBODY:
            again = read(write(state)).state()
            assert again.key() == state.key()
            assert (again.actor, again.moves()) == (state.actor, state.moves())
            assert write(again) == write(state)


@SOME
@given(cases)
def test_replays_lead_to_the_same_end(case: Case) -> None:
    state = case.start()
    replay = Replay("hidden-leaders", case.players, tuple(case.play(state)), case.options)
    again = read_replay(write_replay(replay))
    assert again == replay
    assert again.state().key() == state.key()


@SOME
@given(cases)
def test_the_same_seed_gives_the_same_game(case: Case) -> None:
    one, two = case.start(), case.start(record=True)
    assert list(case.play(one)) == list(case.play(two))
    assert one.key() == two.key()


# ---- what seats know --------------------------------------------------------------------------


class Table:
    """A game and what its seats make of their events."""

    def __init__(self, case: Case) -> None:
        self.state = case.start(record=True)
        deck = DECKS[case.deck]
        self.views = [
            HiddenLeadersView(seat, case.players, deck, self.state.threshold)
            for seat in range(case.players)
        ]

    def fold(self) -> None:
        for seat, view in enumerate(self.views):
            for event in self.state.take_events(seat):
                view.observe(event)


def check_public(state: HiddenLeaders, view: HiddenLeadersView) -> None:
    """What all can see."""
    assert (view.red, view.green) == (state.red, state.green)
    assert view.tavern == state.cards(TAVERN)
    assert view.harbor_size == state.size(HARBOR)
    assert len(view.wilderness) == state.size(WILDERNESS)
    assert len(view.graveyard) == state.size(GRAVEYARD)
    assert view.graveyard[-1:] == state.cards(GRAVEYARD)[-1:]
    for seat in range(state.players):
        assert view.open(seat) == state.cards(OPEN + seat)
        assert view.hand_size(seat) == state.size(HAND + seat)
        assert len(view.hidden(seat)) == state.size(HIDDEN + seat)


def check_private(state: HiddenLeaders, view: HiddenLeadersView) -> None:
    """What only this seat knows, and that nothing it believes to know is wrong."""
    seat = view.seat
    assert view.hand == state.cards(HAND + seat)
    assert view.hidden(seat) == state.cards(HIDDEN + seat)
    assert view.leader == state.leader(seat)
    places = [(view.wilderness, WILDERNESS), (view.graveyard, GRAVEYARD)]
    places += [(view.hidden(other), HIDDEN + other) for other in range(state.players)]
    if state.player == seat:
        assert view.drawn == state.cards(DRAWN)
    for believed, zone in places:
        truth = state.cards(zone)
        assert all(card in (UNSEEN, truth[i]) for i, card in enumerate(believed))


def check_decision(state: HiddenLeaders, view: HiddenLeadersView) -> None:
    """Who decides is known to all, what can be decided to the one who decides."""
    assert (view.actor, view.turn_player, view.turns) == (state.actor, state.player, state.turns)
    if view.seat != state.actor:
        assert view.moves == []
        return
    moves = state.moves()
    assert view.moves == moves
    board = view.board()
    assert board.moves() == moves
    assert [move_text(board, m) for m in moves] == [move_text(state, m) for m in moves]


@SOME
@given(cases)
def test_views_agree_with_the_truth_at_every_decision(case: Case) -> None:
    table = Table(case)
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


@FEW
@given(cases)
def test_only_the_actor_is_told_the_moves(case: Case) -> None:
    state = case.start(record=True)
    for _ in case.play(state):
        told = [
            [event for event in state.take_events(seat) if event[0] == E_MOVES]
            for seat in range(case.players)
        ]
        for seat, lists in enumerate(told):
            mine = [(E_MOVES, *state.moves())] if seat == state.actor else []
            assert lists == mine


@FEW
@given(cases)
def test_worlds_look_the_same_to_the_seat_that_samples_them(case: Case) -> None:
    """In the first turns: after several reshuffles a single world can take very long."""
    table = Table(case)
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
