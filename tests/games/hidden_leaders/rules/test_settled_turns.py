"""What solvers may skip: turns that are as good as over, and orders that mean nothing."""

import random
from dataclasses import replace

import pytest

from games.hidden_leaders.positions.notation import position_of, read, write
from games.hidden_leaders.positions.position import Position
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.state import NOBODY, Rng


def positions(players: int, seed: int) -> list[HiddenLeaders]:
    """Every position of a random game with a low threshold, after the deal."""
    state, luck = new_game(players, threshold=3), Rng(seed)
    found = []
    while state.actor != NOBODY:
        if state.actor >= 0:
            found.append(state.copy())
            state.play(luck.choice(state.moves()))
        else:
            state.sample_chance(luck)
    return found


@pytest.mark.parametrize("players", range(2, 7))
def test_a_foregone_turn_ends_as_it_says_however_it_goes_on(players: int) -> None:
    dice = random.Random(players)
    ended = 0
    for seed in range(4):
        for state in positions(players, seed):
            end = state.copy()
            if not end.settle_turn(state.turns + 1):
                continue
            while state.actor != NOBODY and state.turns < end.turns:
                state.play(dice.choice(state.moves()))
            assert (state.actor == NOBODY) == (end.actor == NOBODY)
            assert (state.turns, state.faction) == (end.turns, end.faction)
            assert state.winners() == end.winners()
            ended += end.actor == NOBODY
    assert ended


def test_a_twin_made_of_a_spare_state_is_the_same_as_a_copy() -> None:
    spare = None
    for state in positions(4, 3):
        spare = state.copy_into(spare)
        assert spare.key() == state.key()
        assert spare.moves() == state.moves()
        other = state.copy()
        move = state.moves()[-1]
        spare.play(move)
        other.play(move)
        assert spare.key() == other.key()
        assert spare.moves() == other.moves()
    small = positions(2, 1)[0]
    assert small.copy_into(spare).players == 2


def shuffled(position: Position, dice: random.Random) -> Position:
    """The same with hands and parties in another order."""

    def mixed(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(dice.sample(cards, len(cards)))

    seats = tuple(
        replace(seat, hand=mixed(seat.hand), open=mixed(seat.open)) for seat in position.seats
    )
    return replace(position, seats=seats)


def test_the_gist_does_not_know_in_which_order_hands_and_parties_lie() -> None:
    dice = random.Random(1)
    for state in positions(3, 5)[::7]:
        assert (
            shuffled(position_of(state), dice).state().equivalence_key() == state.equivalence_key()
        )


def test_the_gist_tells_positions_apart_that_differ_in_anything_else() -> None:
    keys, gists = set(), set()
    for seed in range(3):
        for state in positions(2, seed):
            keys.add(write(position_of(state)))
            gists.add(state.equivalence_key())
    assert len(gists) == len(keys) > 100


def test_the_wilderness_keeps_its_order_only_where_somebody_can_look_at_it() -> None:
    text = "deck {}; wilderness UnMe KeKo; A leader Cyra; B leader Enned hand {}"
    for reader, ordered in (("ShSo", False), ("TeOr", True), ("JoCh", True), ("MiMe", True)):
        one = read(text.format(f"UnMe KeKo {reader}", reader))
        other = replace(one, wilderness=one.wilderness[::-1])
        assert (one.state().equivalence_key() != other.state().equivalence_key()) == ordered, reader


def test_no_hero_plays_on_with_cards_it_has_just_gained() -> None:
    """What may be left out of a last turn, and out of sight, depends on that."""
    gains = {"take", "exchange", "exchange graveyard top", "rest", "hand over"}
    gains.add("draw from either pile")
    goes_on = {"play another", "perform", "perform aside", "perform graveyard top"}
    goes_on.add("turn up and perform")
    for hero in HEROES:
        verbs = [step.verb for step in hero.steps]
        after = [verb in goes_on for verb in verbs]
        for at, verb in enumerate(verbs):
            assert not (verb in gains and any(after[at + 1 :])), hero.name
    assert any(step.verb in goes_on for hero in HEROES for step in hero.steps)
