"""What solvers may skip: turns that are decided, and orders that do not matter."""

import random
from dataclasses import replace

import pytest

from games.hidden_leaders.positions.notation import read, write
from games.hidden_leaders.positions.position import Position, position_of
from games.hidden_leaders.rules.cards import HEROES
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.state import NOBODY, Rng


def positions(players: int, seed: int) -> list[HiddenLeaders]:
    """Every position of a random game with a low threshold, after the deal."""
    state, rng = new_game(players, threshold=3), Rng(seed)
    states = []
    while state.actor != NOBODY:
        if state.actor >= 0:
            states.append(state.copy())
            state.play(rng.choice(state.moves()))
        else:
            state.sample_chance(rng)
    return states


@pytest.mark.parametrize("players", range(2, 7))
def test_a_settled_turn_ends_as_predicted_whatever_is_played(players: int) -> None:
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


def test_copy_into_a_spare_state_equals_copy() -> None:
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
    """The same position with hands and parties in another order."""

    def mixed(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(dice.sample(cards, len(cards)))

    seats = tuple(
        replace(seat, hand=mixed(seat.hand), open=mixed(seat.open)) for seat in position.seats
    )
    return replace(position, seats=seats)


def test_the_equivalence_key_ignores_the_order_of_hands_and_parties() -> None:
    dice = random.Random(1)
    for state in positions(3, 5)[::7]:
        assert (
            shuffled(position_of(state), dice).state().equivalence_key() == state.equivalence_key()
        )


def test_the_equivalence_key_differs_for_any_other_difference() -> None:
    texts, keys = set(), set()
    for seed in range(3):
        for state in positions(2, seed):
            texts.add(write(position_of(state)))
            keys.add(state.equivalence_key())
    assert len(keys) == len(texts) > 100


def test_the_order_of_the_wilderness_counts_only_if_a_hero_can_read_it() -> None:
    text = "deck {}; wilderness UnMe KeKo; A leader Cyra; B leader Enned hand {}"
    for reader, ordered in (("ShSo", False), ("TeOr", True), ("JoCh", True), ("MiMe", True)):
        position = read(text.format(f"UnMe KeKo {reader}", reader))
        turned = replace(position, wilderness=position.wilderness[::-1])
        keys = {each.state().equivalence_key() for each in (position, turned)}
        assert (len(keys) == 2) == ordered, reader


def test_no_hero_plays_on_with_cards_it_has_just_gained() -> None:
    """The equivalence key of a last turn, and safe wins, rely on it."""
    gains = {"take", "exchange", "exchange graveyard top", "rest", "hand over"}
    gains.add("draw from either pile")
    chains = {"play another", "perform", "perform aside", "perform graveyard top"}
    chains.add("turn up and perform")
    for hero in HEROES:
        verbs = [step.verb for step in hero.steps]
        after = [verb in chains for verb in verbs]
        for at, verb in enumerate(verbs):
            assert not (verb in gains and any(after[at + 1 :])), hero.name
    assert any(step.verb in chains for hero in HEROES for step in hero.steps)
