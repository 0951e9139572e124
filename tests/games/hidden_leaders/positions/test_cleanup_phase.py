"""Two independent checks of when a turn is decided: by the program and by the move texts."""

import pytest

from games.hidden_leaders.positions.cleanup_phase import only_cleanup
from games.hidden_leaders.positions.notation import read, write
from games.hidden_leaders.rules.constants import Zone
from games.hidden_leaders.rules.state import HiddenLeaders, new_game
from games.hidden_leaders.text.moves import parse_move
from games.state import CHANCE, NOBODY, Rng


def begun(state: HiddenLeaders) -> bool:
    """Whether the first turn has begun: then a hero lies open, or turns have been completed."""
    return state.turns > 0 or any(state.size(Zone.OPEN + seat) for seat in range(state.players))


@pytest.mark.parametrize("players", [2, 4, 6])
def test_both_checks_agree_where_cards_are_only_drawn_and_refilled(players: int) -> None:
    tidying = judged = 0
    for seed in range(6):
        rng = Rng(seed)
        state = new_game(players)
        while state.actor != NOBODY:
            end = state.settled_end() if begun(state) else None
            if begun(state):
                assert only_cleanup(state) == (end is not None)
                tidying += end is not None
            if end is not None and end.actor == NOBODY:
                after = state.copy()
                assert isinstance(after, HiddenLeaders)
                while after.actor != NOBODY:
                    after.play(after.moves()[0])
                assert after.winners() == end.winners()
                judged += 1
            if state.actor == CHANCE:
                state.sample_chance(rng)
            else:
                state.play(rng.choice(state.moves()))
    assert tidying > 100
    assert judged


@pytest.mark.parametrize("hand", ["", "RoOr", "DoPr KeKo"])
def test_neither_the_action_nor_a_card_being_resolved_is_cleanup(hand: str) -> None:
    state = read(f"A leader Cyra hand {hand}; B leader Myrad; tavern FuFr - -").state()
    assert not only_cleanup(state)
    if hand:
        state.play(state.moves()[0])
        assert "/" in write(state)
        assert not only_cleanup(state)


def test_discarding_and_drawing_are_cleanup() -> None:
    state = read("A leader Cyra hand CrCa KeKo; B leader Myrad; tavern FuFr - -").state()
    state.play(parse_move(state, "discard crca"))
    assert only_cleanup(state)
    state.play(parse_move(state, "stop discarding"))
    assert only_cleanup(state)
    state.play(parse_move(state, "draw from the harbor"))
    assert state.actor == CHANCE
    assert only_cleanup(state)
