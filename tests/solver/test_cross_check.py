"""The solver agrees with plain recursion, which shares no search with it."""

from fractions import Fraction

import pytest

from games.engine import COMPILED
from games.hidden_leaders.rules.reach import COUNTS_ONE
from games.registry import game
from games.state import CHANCE
from solver.answer import solve_hidden, solve_open
from solver.core.budget import NodeBudget
from solver.core.question import Others, deny, win
from solver.reference.brute_force import brute_plans, brute_values
from solver.reference.cross_check import (
    cross_check,
    drawing_check,
    lasting_check,
    own_check,
    random_case,
    wide_check,
)
from solver.search.hidden_plans import PlanSearch
from tests.support.layered_game import Layers, LayerState, question
from tests.support.volume import IS_FULL, volume

HEROES = ("hidden-leaders", (volume(40, 8), volume(40, 6)), 3000 if COMPILED else 1000)
SECRETS = ("secrets", (volume(30, 5), volume(20, 2)), 800 if COMPILED else 250)
"""Cases with open and with hidden cards, and their largest size. The pure engine is slower, and
`benchmarks/solver_agreement.py` compares thousands."""


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
@pytest.mark.parametrize(("name", "counts", "nodes"), [HEROES, SECRETS], ids=["heroes", "secrets"])
def test_on_random_small_positions(
    name: str, counts: tuple[int, int], nodes: int, hidden: bool
) -> None:
    rules, count = game(name), counts[hidden]
    result = cross_check(rules, 1, count, nodes, hidden)
    assert result.disagreements == []
    assert result.cases == count
    assert result.telling > count // 4
    if COMPILED and IS_FULL:
        assert result.chancy
        players, others, horizons = map(set, zip(*result.compared, strict=True))
        assert players == set(rules.player_counts)
        assert rules.endings is not None
        assert horizons == set(rules.endings.horizons)
        assert len(others) == (3 if hidden else 4)


@pytest.mark.slow
def test_on_endings_in_which_many_cards_may_be_drawn() -> None:
    """Where the solver merges cards that come to the same."""
    count, nodes = (volume(5), 12_000) if COMPILED else (1, 2000)
    result = wide_check(game("hidden-leaders"), 1, count, nodes)
    assert result.disagreements == []
    assert result.cases == count
    if COMPILED and IS_FULL:
        assert result.telling


@pytest.mark.slow
def test_on_endings_in_which_seats_draw_and_act_again() -> None:
    count, nodes = (volume(25), 5000) if COMPILED else (volume(4), 1000)
    result = lasting_check(game("hidden-leaders"), 1, count, nodes)
    assert result.disagreements == []
    assert result.cases == count
    if COMPILED and IS_FULL:
        assert result.telling > count // 4
        assert result.chancy
        players, others, horizons = map(set, zip(*result.compared, strict=True))
        assert (players, horizons) == ({2, 3}, {3, 4})
        assert len(others) == len(Others)


@pytest.mark.slow
def test_on_endings_searched_for_what_any_hand_can_do() -> None:
    count, nodes = (volume(60), 8000) if COMPILED else (volume(4), 1000)
    result = drawing_check(game("hidden-leaders"), 1, count, nodes)
    assert result.disagreements == []
    assert result.cases == count
    if COMPILED and IS_FULL:
        assert result.telling > count // 4
        assert result.chancy


def test_which_card_the_priest_lets_one_play_may_depend_on_what_the_others_do() -> None:
    # After red +2 Sun-Shy Skeleton wins, after red -2 Leery Lizard: neither wins by itself.
    result = drawing_check(game("hidden-leaders"), 450_000_461, 1, 20_000)
    assert result.disagreements == []


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="needs the compiled engine")
def test_keys_that_do_not_count_factions_are_noticed() -> None:
    kept = list(COUNTS_ONE)
    for card in range(len(kept)):
        COUNTS_ONE[card] = 0  # now no number of cards of a faction is in a key
    try:
        noticed = [
            drawing_check(game("hidden-leaders"), seed, 5, 6000).disagreements != []
            for seed in (4001, 8001)
        ]
    finally:
        for card, number in enumerate(kept):
            COUNTS_ONE[card] = number
    assert any(noticed)


def test_a_game_without_wide_endings_has_none_to_compare() -> None:
    assert lasting_check(game("secrets"), 1, 1, 100).cases == 0
    assert drawing_check(game("secrets"), 1, 1, 100).cases == 0
    assert wide_check(game("secrets"), 1, 1, 100).cases == 0
    assert own_check(game("secrets"), 1, 1).cases == 0


@pytest.mark.parametrize("others", Others)
@pytest.mark.parametrize("horizon", [0, 2, 3])
def test_on_random_trees_with_all_cards_open(others: Others, horizon: int) -> None:
    chancy = 0
    for seed in range(40):
        state = LayerState(Layers.random(seed, 6, 0))
        for goal in (win(0, "A"), deny(1, "B")):
            asked = question(goal, horizon, others)
            answer = solve_open(asked, state, NodeBudget())
            expected = brute_values(asked, state)
            assert {one.move: one.likely for one in answer.values} == {
                move: (value, value) for move, value in expected.items()
            }, (seed, goal.words)
            chancy += any(value.denominator > 1 for value in expected.values())
    assert chancy


def test_the_solving_seat_breaks_ties_by_its_own_chance_too() -> None:
    """A may win or let nobody win, both of which deny B, and takes what is worse for A.

    So B lets it come to that, which is worse for C than the other move; so C lets B win.
    """
    ends = {(0,): -1, (1, 0): 1, (1, 1, 0): 2, (1, 1, 1, 0): 0, (1, 1, 1, 1): -1}
    state = LayerState(Layers(3, (0, 2, 1, 0), (False,) * 4, ((1, 1),) * 4, ends))
    asked = question(deny(1, "B"), 0, Others.SELFISH)
    expected = {0: Fraction(1), 1: Fraction(0)}
    assert brute_values(asked, state) == expected
    answer = solve_open(asked, state, NodeBudget())
    assert {one.move: one.likely for one in answer.values} == {
        move: (value, value) for move, value in expected.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("others", [Others.COALITION, Others.RANDOM, Others.BOT])
def test_on_random_trees_with_hidden_choices(others: Others) -> None:
    blind = 0
    for seed in range(40):
        rules = Layers.random(seed, 6, CHANCE)
        worlds = [LayerState(rules, (0,)), LayerState(rules, (1,))]
        if rules.actors[1] != 0:
            continue
        asked = question(win(0, "A"), 0, others)
        for one in solve_hidden(asked, worlds, NodeBudget()).values:
            plans = list(brute_plans(asked, worlds, one.move))
            likely = max(sum(plan, Fraction()) / 2 for plan in plans)
            sure = max(min(plan) for plan in plans)
            assert one.likely == (likely, likely), seed
            assert one.sure == (sure, sure), seed
            seeing = sum(brute_values(asked, world)[one.move] for world in worlds) / Fraction(2)
            assert likely <= seeing
            blind += likely < seeing
    assert blind


@pytest.mark.parametrize("seed", [95, 132, 156])
def test_what_a_seat_that_sees_all_could_reach_cuts_fronts_and_changes_none(seed: int) -> None:
    case = random_case(game("hidden-leaders"), seed, hidden=True)
    assert case is not None
    fronts, visited = [], []
    for cut in (False, True):
        budget = NodeBudget()
        search = PlanSearch(case.question, case.worlds, budget)
        if not cut:
            search.seeing = None
        fronts.append(search.fronts())
        visited.append(budget.nodes)
    assert fronts[0] == fronts[1]
    assert visited[1] < visited[0]
