"""Features: the numbers are where their names say, and mean what they say."""

from __future__ import annotations

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.features import FeatureLayout
from games.hidden_leaders.rules import features as hidden_leaders
from games.hidden_leaders.rules import move_features
from games.hidden_leaders.rules.bytecode import BLANK
from games.hidden_leaders.rules.constants import Move, Zone
from games.hidden_leaders.rules.move_features import MOVE_FEATURES
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT
from games.registry import game, game_names
from games.secrets import features as secrets
from games.state import CHANCE, MOST_MOVE_FEATURES, NOBODY, Rng, State
from tests.support.scenario import given, markers, player

MODULES = {"hidden-leaders": hidden_leaders, "secrets": secrets}


def layout_of(name: str) -> FeatureLayout:
    layout = game(name).features
    assert layout is not None
    return layout


def decisions(name: str, players: int, seed: int) -> list[State]:
    """Copies of all decisions of a random game."""
    rng = Rng(seed)
    state = game(name).new(players)
    found = []
    while state.actor != NOBODY:
        if state.actor == CHANCE:
            state.sample_chance(rng)
        else:
            found.append(state.copy())
            state.play(state.legal[rng.below(state.count)])
    return found


def named(layout: FeatureLayout, state: State, seat: int) -> dict[str, float]:
    return dict(zip(layout.names, layout.of(state, seat), strict=True))


@pytest.mark.parametrize("name", MODULES)
def test_the_sizes_that_compiled_code_uses_are_those_of_the_names(name: str) -> None:
    module, layout = MODULES[name], layout_of(name)
    sizes = module.TABLE_SIZE, module.SEAT_SIZE, module.CLAIM_SIZE
    assert sizes == (len(layout.table), len(layout.seat), len(layout.claim))
    assert len(set(layout.names)) == len(layout.names)


def test_every_game_has_features() -> None:
    assert set(MODULES) == set(game_names())


@pytest.mark.parametrize(("name", "players"), [("hidden-leaders", 4), ("secrets", 6)])
def test_numbers_stay_small_and_every_one_is_used(name: str, players: int) -> None:
    layout = layout_of(name)
    used: set[int] = set()
    for seed in range(12):
        for state in decisions(name, players, seed)[::3]:
            for seat in range(players):
                numbers = layout.of(state, seat)
                assert max(map(abs, numbers)) <= 8
                used |= {at for at, number in enumerate(numbers) if number}
    never = {layout.names[at] for at in set(range(len(layout.names))) - used}
    others = {f"{count} players" for count in range(2, 9)} - {f"{players} players"}
    # A leader's factions come in a fixed order, in which Undead is first and Tribes last.
    assert never <= others | {"claim 1: Tribes", "claim 2: Undead"}


def test_a_table_of_hidden_leaders_reads_as_it_lies() -> None:
    table = given(
        markers(red=8, green=4),
        player(0, leader="Cyra", hand=["Keen Koi"], open=["Furious Frog", "Leery Lizard"]),
        player(1, leader="Enned", open=["Aimless Eel"], hidden=["Rotting Orangutan"]),
    ).state
    first, second = (named(layout_of("hidden-leaders"), table, seat) for seat in range(2))
    assert first["2 players"] == first["Empire would win now"] == 1
    assert first["red marker / 12"] == pytest.approx(8 / 12)
    assert first["supporters of Water / 3"] == pytest.approx(2 / 3)
    assert first["open heroes / 8"] == 2 / 8
    assert second["hidden heroes / 4"] == 1 / 4
    # Cyra's claims are Water and Empire, Enned's Undead and Water, in the order of the factions.
    assert first["claim 1: Water"] == first["claim 2: Empire"] == first["claim 2: 0 steps"] == 1
    assert first["claim 1: heroes of the faction / 6"] == pytest.approx(2 / 6)
    assert first["claim 1: lead over the best rival / 4"] == 1 / 4
    assert first["claim 1: cards of it in hand / 4"] == 1 / 4
    assert first["claim 2: no rival"] == first["claim 2: would win if the game ended now"] == 1
    assert second["claim 2: lead over the best rival / 4"] == -1 / 4
    assert second["claim 1: hidden heroes of it / 3"] == pytest.approx(1 / 3)


def test_a_game_without_features_says_so() -> None:
    with pytest.raises(TypeError, match="must define fill_features"):
        State(2).features(3)


# ---- moves --------------------------------------------------------------------------------------


def bag(state: State, move: int, role: int) -> list[int]:
    scratch: vec[i64] = vec[i64]([0] * MOST_MOVE_FEATURES)
    count = state.move_features(move, role, scratch)
    return list(scratch)[:count]


def test_features_of_moves_have_numbers_of_their_own() -> None:
    seen: set[int] = set()
    for seed in range(6):
        for state in decisions("hidden-leaders", 4, seed):
            for move in state.moves():
                for role in range(state.roles):
                    found = bag(state, move, role)
                    assert len(found) == len(set(found))
                    assert all(0 <= feature < MOVE_FEATURES for feature in found)
                    seen |= set(found)
    assert len(seen) > MOVE_FEATURES / 2
    assert move_features.CARDS == BLANK + 1


def test_features_of_moves_do_not_depend_on_what_only_others_see() -> None:
    for state in decisions("hidden-leaders", 3, seed=5):
        told = state.copy()
        other = (state.actor + 1) % 3
        told.assume_role(other, (state.role(other) + 1) % 6)
        assert isinstance(told, HiddenLeaders)
        for zone in (Zone.HAND + other, Zone.HIDDEN + other):
            for i in range(told.size(zone)):
                told.m[AT[zone] + i] = BLANK
        for move in state.moves():
            if move < Move.STACK:
                role = state.role(state.actor)
                assert bag(told, move, role) == bag(state, move, role)
