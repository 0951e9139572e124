"""Properties that hold in every game, checked on random games."""

from __future__ import annotations

import pytest
from hypothesis import given

from games.conformance import check_game
from games.errors import ChancePending
from games.registry import game, game_names
from games.replay import Replay, read_replay, write_replay
from games.state import CHANCE, Rng, State
from games.view import View
from tests.support.cases import EVERY_GAME, FEW, MANY, SOME, Case, Table
from tests.support.volume import volume

pytestmark = pytest.mark.slow

GAMES = volume(15, 1)
COUNTS = [(name, players) for name in game_names() for players in game(name).player_counts]


@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_random_games_keep_the_contract_and_the_invariants(name: str, players: int) -> None:
    assert check_game(game(name), 7, GAMES, players=players, every=3).games == GAMES


@SOME
@given(EVERY_GAME)
def test_random_games_keep_the_contract_with_any_options(case: Case) -> None:
    check_game(case.start, case.seed, games=1, every=5)


# ---- moves ------------------------------------------------------------------------------------


@MANY
@given(EVERY_GAME)
def test_every_game_ends_with_winners_among_its_seats(case: Case) -> None:
    state = case.start()
    turns = 0
    for _ in case.play(state):
        assert turns <= state.turns
        turns = state.turns
    assert state.moves() == []
    assert list(state.winners()) == [seat for seat in range(case.players) if state.wins(seat)]
    assert bool(state.winners()) <= bool(case.rules.verdict(state))


@SOME
@given(EVERY_GAME)
def test_move_texts_are_unique_and_parse_back(case: Case) -> None:
    state = case.start()
    for step, _ in enumerate(case.play(state)):
        moves = state.moves()
        texts = [case.rules.text.move(state, move) for move in moves]
        assert len(set(texts)) == len(texts)
        if state.actor >= 0 and step % 5 == 0:
            assert [case.rules.text.parse(state, text) for text in texts] == moves


# ---- copies and replays -----------------------------------------------------------------------


@SOME
@given(EVERY_GAME)
def test_copies_are_equal_and_independent(case: Case) -> None:
    state = case.start()
    played: list[int] = []
    copies = [(0, state.copy(), state.key())]
    for move in case.play(state):
        played.append(move)
        if len(played) % 9 == 0:
            copies.append((len(played), state.copy(), state.key()))
            state.copy().playout(Rng(move))
            assert state.key() == copies[-1][2], "playing a copy has changed the original"
    for after, twin, key in copies:
        assert twin.key() == key, "playing on has changed an earlier copy"
        if after % 4 == 0:
            for move in played[after:]:
                twin.play(move)
            assert twin.key() == state.key()
            assert twin.winners() == state.winners()


@SOME
@given(EVERY_GAME)
def test_replays_lead_to_the_same_end(case: Case) -> None:
    state = case.start()
    replay = Replay(case.name, case.players, tuple(case.play(state)), case.options)
    again = read_replay(write_replay(replay))
    assert again == replay
    assert again.state().key() == state.key()


# ---- views ------------------------------------------------------------------------------------


@SOME
@given(EVERY_GAME)
def test_all_seats_know_who_decides_and_only_the_actor_has_moves(case: Case) -> None:
    table = Table[State, View](case)
    state = table.state
    for _ in case.play(state):
        table.fold()
        moves = state.moves()
        for view in table.views:
            if state.actor != CHANCE:
                assert view.actor == state.actor
            assert view.moves == (moves if view.seat == state.actor else [])
            words = [view.text(move) for move in view.moves]
            assert words == [case.rules.text.move(state, move) for move in view.moves]


@FEW
@given(EVERY_GAME)
def test_worlds_can_be_sampled_at_decisions_but_not_while_chance_is_pending(case: Case) -> None:
    table = Table[State, View](case)
    for step, _ in enumerate(case.play(table.state)):
        if table.state.turns >= 12:
            break  # late in Hidden Leaders a single world can take very long
        table.fold()
        for view in table.views:
            assert view.complete == (table.state.actor != CHANCE)
            if table.state.actor == CHANCE:
                with pytest.raises(ChancePending, match="chance is pending: a world can be"):
                    view.sample(Rng(step))
            elif step % 10 == 0:
                assert view.sample(Rng(step)).actor == table.state.actor


@SOME
@given(EVERY_GAME)
def test_sampled_worlds_look_the_same_to_the_seat_that_samples_them(case: Case) -> None:
    """In the first turns: late in Hidden Leaders a single world can take very long."""
    table = Table[State, View](case)
    for step, _ in enumerate(case.play(table.state)):
        if table.state.turns >= 12:
            break
        if table.state.actor < 0 or step % 10:
            continue
        table.fold()
        view = table.views[table.state.actor]
        world = view.sample(Rng(step))
        assert (world.actor, world.moves()) == (view.seat, view.moves)
        assert case.rules.text.draw(world, view.seat) == case.rules.text.draw(
            table.state, view.seat
        )
