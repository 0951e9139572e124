"""An answer that was cut short is a bound, says why, and is never wrong."""

from dataclasses import replace
from fractions import Fraction

import pytest

from games.hidden_leaders.game import GAME
from solver import solve
from solver.answer import solve_hidden, solve_open
from solver.core.budget import MAX_DEPTH, BudgetExceeded, NodeBudget
from solver.core.question import Others, Question, verdict_is, win
from solver.reference.brute_force import brute_values
from solver.reference.cross_check import random_case, tree_size
from solver.search.alpha_beta import ANYTHING, FIRST_SHARE, ONE, ZERO, so_far
from solver.search.hidden_plans import Front, undominated
from solver.search.max_n import SelfishSearch
from tests.support.layered_game import Layers, LayerState, question
from tests.support.small_positions import long_way, one_turn
from tests.support.volume import volume


def test_the_limit_that_ended_the_search_is_named_beside_lines_that_were_cut_on_the_way() -> None:
    budget = NodeBudget(2)
    for _ in range(2):
        budget.too_deep()
        assert budget.why == f"lines longer than {MAX_DEPTH} moves were cut off"
    while budget.spend():
        pass
    limit = "the limit of 2 positions was reached"
    both = f"{limit}, and lines longer than {MAX_DEPTH} moves were cut off"
    assert budget.why == both
    budget.too_deep()
    assert budget.why == both


@pytest.mark.parametrize("others", Others)
def test_bounds_contain_the_value_however_small_the_budget_is(others: Others) -> None:
    bounds = 0
    for seed in range(20):
        state = LayerState(Layers.random(seed, 6, 0))
        asked = question(win(0, "A"), 0, others)
        expected = brute_values(asked, state)
        for nodes in (0, 1, 2, 3, 5, 8, 13):
            answer = solve_open(asked, state, NodeBudget(nodes))
            for one in answer.values:
                assert one.likely[0] <= expected[one.move] <= one.likely[1]
            assert answer.nodes <= nodes
            assert bool(answer.why) == (not answer.exact)
            best = max(expected.values())
            assert {m for m in expected if expected[m] == best} <= {b.move for b in answer.best}
            bounds += not answer.exact
    assert bounds


def test_a_larger_budget_narrows_the_bounds() -> None:
    state = LayerState(Layers.random(4, 8, 0))
    asked = Question(0, win(0, "A"), 0, Others.RANDOM)
    widths = [
        sum(high - low for low, high in (one.likely for one in answer.values))
        for answer in (solve_open(asked, state, NodeBudget(nodes)) for nodes in (0, 20, 10_000))
    ]
    assert widths[0] == 2 > widths[1] > widths[2] == 0


def test_the_reason_names_the_limit() -> None:
    asked = Question(0, win(0, "A"), 0, Others.COALITION)
    answer = solve_open(asked, long_way(), NodeBudget(50))
    assert not answer.exact
    assert answer.why == "the limit of 50 positions was reached"
    hidden = solve_hidden(asked, [long_way()], NodeBudget(50))
    assert {one.likely for one in hidden.values} == {ANYTHING}
    assert hidden.why == answer.why


@pytest.mark.parametrize("others", Others)
def test_lines_that_are_too_deep_are_cut_off(others: Others) -> None:
    depth = MAX_DEPTH + 10
    rules = Layers(
        2, (0,) * depth, (False,) * depth, ((1, 1),) * depth, {(0,) * depth: 0}, depth + 1
    )
    asked = question(win(0, "A"), 0, others)
    answer = solve_open(asked, LayerState(rules), NodeBudget(MAX_DEPTH + 20))
    assert not answer.exact
    assert "were cut off" in answer.why


def test_a_stopped_search_answers_with_what_is_known() -> None:
    asked = Question(0, win(0, "A"), 0, Others.COALITION)
    reports: list[int] = []

    def report(nodes: int) -> None:
        reports.append(nodes)
        budget.stop()

    budget = NodeBudget(10**9, report)
    answer = solve_open(asked, long_way(), budget)
    assert answer.why == "it was stopped"
    assert answer.nodes == reports[0]
    assert len(reports) == 1


@pytest.mark.parametrize("stopped", [False, True], ids=["time is up", "Ctrl-C"])
def test_comparing_many_plans_can_be_cut_short(stopped: bool) -> None:
    """Thousands of plans take seconds, and no position is visited meanwhile."""
    front: Front = [(Fraction(n, 100), Fraction(100 - n, 100)) for n in range(101)]
    assert sorted(undominated([*front, (ZERO, ZERO)], NodeBudget())) == front
    times = iter([0.0, 0.5, 2.0])
    budget = NodeBudget(seconds=1.0, clock=lambda: next(times))
    if stopped:
        budget.stop()
    with pytest.raises(BudgetExceeded):
        undominated(front, budget)
    assert budget.why == ("it was stopped" if stopped else "the limit of 1 seconds was reached")


def test_a_settled_win_is_not_searched_deeper() -> None:
    asked = Question(0, win(0, "A"), 0, Others.COALITION)
    answer = solve_open(asked, one_turn(), NodeBudget(volume(20_000, 8_000)), lines=False)
    sure = [one for one in answer.values if one.likely == (ONE, ONE)]
    assert len(sure) == 1
    assert answer.best[0] == sure[0]


def test_a_turn_in_which_nothing_can_change_is_not_played_out() -> None:
    asked = Question(0, verdict_is(GAME.verdict, "Water"), 1)
    assert solve_open(asked, one_turn(), NodeBudget(500), lines=False).exact


def test_selfish_players_do_no_worse_than_a_coalition_and_no_better_than_helpers() -> None:
    """These are the bounds of moves that the budget does not reach."""
    narrower = 0
    for seed in range(volume(60, 8)):
        case = random_case(GAME, seed, hidden=False)
        if case is None:
            continue
        asked, state = replace(case.question, others=Others.SELFISH, policy=None), case.worlds[0]
        if tree_size(state, asked.deadline(state), 1500) >= 1500:
            continue
        values = dict.fromkeys(state.moves(), ANYTHING)
        SelfishSearch(asked, state, NodeBudget()).bound(values)
        for move, value in brute_values(asked, state).items():
            low, high = values[move]
            assert low <= value <= high, (seed, move)
            narrower += values[move] != ANYTHING
    assert narrower


@pytest.mark.compiled
def test_no_root_move_uses_up_the_budget_alone() -> None:
    """After the Amazon, A's next hand matters: far too much. The Soldier wins at once."""
    position = "threshold 3; red 6; A leader Xiadul hand OvAm ShSo open FlKn AcFi; "
    position += "B leader Cyra hand PiPi BoGo GrGu"
    solved = solve(position, horizon=3, nodes=FIRST_SHARE + 2000)
    assert list(solved.moves)[:2] == ["play Overworked Amazon", "play Short-Sighted Soldier"]
    first, second = list(solved.moves.values())[:2]
    assert first.likely != (ONE, ONE)
    assert second.likely == (ONE, ONE)
    assert solved.answer.why == f"the limit of {FIRST_SHARE + 2000} positions was reached"


def test_progress_says_what_is_known_so_far() -> None:
    half = Fraction(1, 2)
    assert so_far([(ZERO, ZERO), (half, half), (ZERO, half)]) == (
        "2 of 3 moves exact, the best is worth 1/2"
    )
    assert so_far([(ZERO, ONE)]) == "0 of 1 moves exact, the best is worth 0 to 1"
