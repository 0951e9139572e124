"""Features: the numbers are where their names say, and mean what they say."""

from __future__ import annotations

from typing import Any

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from games.features import FeatureLayout, PatternLayout, PatternSlot
from games.hidden_leaders.rules import features as hidden_leaders
from games.hidden_leaders.rules import move_features
from games.hidden_leaders.rules.bytecode import BLANK
from games.hidden_leaders.rules.cards import LEADERS
from games.hidden_leaders.rules.constants import Move, Zone
from games.hidden_leaders.rules.state import HiddenLeaders
from games.hidden_leaders.rules.table import AT
from games.registry import game, game_names
from games.secrets import features as secrets
from games.secrets.constants import Move as SecretsMove
from games.secrets.constants import Phase, Token
from games.secrets.state import Secrets
from games.state import CHANCE, MOST_MOVE_FEATURES, MOST_MOVES, NO_PATTERN, NOBODY, Rng, State
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
    with pytest.raises(TypeError, match="must define fill_patterns"):
        State(2).patterns(3)


# ---- patterns -----------------------------------------------------------------------------------


def pattern_layout() -> PatternLayout:
    layout = layout_of("hidden-leaders").patterns
    assert layout is not None
    return layout


def ranges(slots: tuple[PatternSlot, ...], first: int) -> list[range]:
    """The patterns of every slot; neighbours of the same name share theirs."""
    found: list[range] = []
    for i, (name, count) in enumerate(slots):
        if i and slots[i - 1][0] == name:
            found.append(found[-1])
        else:
            found.append(range(first, first + count))
            first += count
    return found


@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_slot_has_a_pattern_of_its_own_range(players: int) -> None:
    layout, seen = pattern_layout(), set()
    table = ranges(layout.table, 0)
    seat = ranges(layout.seat, table[-1].stop)
    claim = ranges(layout.claim, seat[-1].stop)
    assert claim[-1].stop == layout.count
    wanted = table + players * seat + 2 * players * claim
    assert len(wanted) == layout.room(players, 2)
    for seed in range(3):
        for state in decisions("hidden-leaders", players, seed)[::4]:
            found = state.patterns(len(wanted))
            for pattern, allowed in zip(found, wanted, strict=True):
                assert pattern == NO_PATTERN or pattern in allowed
            seen |= set(found)
    assert len(seen) > 400


def test_patterns_tell_how_a_table_lies() -> None:
    """Two tables that differ in one thing differ in the slots that ask about it."""
    layout = pattern_layout()
    names = [name for name, _ in (*layout.table, *2 * layout.seat, *4 * layout.claim)]

    def differences(first: dict[str, Any], second: dict[str, Any]) -> set[str]:
        found = []
        for cards in (first, second):
            own = player(0, leader="Cyra", **{"hand": ["Keen Koi"], **cards})
            table = given(markers(red=8, green=4), own, player(1, leader="Enned")).state
            found.append(table.patterns(layout.room(2, 2)))
        both = zip(names, *found, strict=True)
        return {name for name, one, other in both if one != other}

    assert differences({}, {}) == set()
    # Both are of the Water Folk; only their marker parts differ.
    other_card = differences({}, {"hand": ["Furious Frog"]})
    assert "faction, card in hand" in other_card
    assert other_card <= {name for name in names if "hand" in name or "get it" in name}
    more = differences({}, {"hidden": ["Leery Lizard"]})
    assert "hidden heroes, cards in hand" in more
    assert "hidden and open heroes of the faction, whether there are rivals" in more
    assert "markers" not in more


# ---- moves --------------------------------------------------------------------------------------


def bag(state: State, move: int, role: int) -> list[int]:
    scratch: vec[i64] = vec[i64]([0] * MOST_MOVE_FEATURES)
    count = state.move_features(move, role, scratch)
    return list(scratch)[:count]


@pytest.mark.parametrize("name", game_names())
def test_features_of_moves_have_numbers_of_their_own(name: str) -> None:
    count, seen = layout_of(name).moves, set()
    for seed in range(6):
        for state in decisions(name, 4, seed):
            for move in state.moves():
                for role in range(state.roles):
                    found = bag(state, move, role)
                    assert len(found) == len(set(found))
                    assert all(0 <= feature < count for feature in found)
                    seen |= set(found)
    assert len(seen) > count / 2


def test_every_hero_and_the_blank_have_features_of_moves() -> None:
    assert move_features.CARDS == BLANK + 1
    assert move_features.CARDS * len(LEADERS) == move_features.BY_LEADER


@pytest.mark.parametrize("name", game_names())
def test_scores_of_moves_are_the_weights_of_their_features(name: str) -> None:
    """Games find what all moves have in common only once, and it must come to the same."""
    weights = [((37 * feature) % 101 - 50) / 64 for feature in range(layout_of(name).moves)]
    scratch, scores = vec[i64]([0] * MOST_MOVE_FEATURES), vec[float]([0.0] * MOST_MOVES)
    for seed in range(6):
        for state in decisions(name, 4, seed):
            role = state.role(state.actor)
            state.score_moves(role, vec[float](weights), scratch, scores)
            legal = list(state.legal)[: state.count]
            expected = [sum(weights[feature] for feature in bag(state, m, role)) for m in legal]
            assert list(scores)[: state.count] == expected


def test_moves_of_secrets_tell_friend_from_foe() -> None:
    for state in decisions("secrets", 5, seed=2):
        assert isinstance(state, Secrets)
        own, other = state.actor, (state.actor + 2) % 5
        if state.phase != Phase.GIVE:
            continue
        bags = []
        for side in range(3):
            state.assume_role(other, side)
            bags.append(bag(state, SecretsMove.PLACE + other, state.role(own)))
        # To a Hippie, both teams are alike.
        alike = 2 if state.role(own) == Token.HIPPIE else 3
        assert len({found[0] for found in bags}) == alike


def test_a_team_shares_its_features_and_a_hippie_has_its_own() -> None:
    layout = layout_of("secrets")
    for state in decisions("secrets", 7, seed=4):
        for seat in range(7):
            twin, side = int(state.twin(seat)), state.role(seat)
            first = min(other for other in range(7) if state.role(other) == side)
            assert twin == (seat if side == Token.HIPPIE else first)
            assert layout.of(state, seat) == layout.of(state, twin)


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
