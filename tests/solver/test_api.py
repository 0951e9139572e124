"""`from solver import solve`: positions as text, states or posed positions, in a few lines."""

import subprocess
import sys
from fractions import Fraction

import pytest

import solver
from bots import bot_policy
from games.errors import BadPosition
from games.registry import game
from solver import BadQuestion, solve, solve_for_equilibrium

POSITION = "threshold 2; red 6; A leader Xiadul hand ShSo FrFr open FlKn; B leader Cyra"
BEST = ["play Short-Sighted Soldier", "play Friendly Frogmage"]


def test_a_position_is_text_a_state_or_a_posed_position() -> None:
    positions = game("hidden-leaders").positions
    assert positions is not None
    posed = positions.read(POSITION)
    for position in (POSITION, posed, posed.worlds(1)[0]):
        solution = solve(position)
        assert solution.exact
        assert solution.best == BEST
        assert solution.moves["do nothing"].likely[1] == 0


def test_the_horizon_is_a_number_or_a_word() -> None:
    for horizon in (1, "1", "turn"):
        assert solve(POSITION, horizon=horizon).best == BEST
    with pytest.raises(BadQuestion, match="horizon '0': use 'turn', 'end' or a number"):
        solve(POSITION, horizon=0)


def test_a_small_budget_gives_bounds() -> None:
    solution = solve(POSITION, horizon="end", others="random", nodes=5)
    assert not solution.exact
    assert all(low <= high for low, high in (value.likely for value in solution.moves.values()))


def test_games_are_chosen_by_name_or_given() -> None:
    position = "players 4; centre CIA; A token CIA; B token KGB; C token KGB; D token Hippie"
    position += "; turned Scientist Assassin; offer Scientist"
    assert solve(position, game="secrets").moves == solve(position, game=game("secrets")).moves
    with pytest.raises(BadPosition):
        solve("red 17")


@pytest.mark.slow
def test_equilibria_have_a_function_of_their_own() -> None:
    with pytest.raises(BadQuestion, match="`solve_for_equilibrium`"):
        solve(POSITION, others="equilibrium")
    pytest.importorskip("scipy")
    found = solve_for_equilibrium(POSITION).equilibrium
    assert found.value == (Fraction(1), Fraction(1))


def test_bots_need_a_loader() -> None:
    with pytest.raises(BadQuestion, match=r"to load bots, pass policies=bots\.bot_policy"):
        solve(POSITION, others="bot:greedy")
    solution = solve(POSITION, others="bot:greedy", policies=bot_policy)
    assert solution.exact


def test_all_public_names_exist() -> None:
    assert all(hasattr(solver, name) for name in solver.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = solver.nonsense


def test_public_names_are_loaded_on_first_use() -> None:
    code = "import sys, solver.core.budget; print('solver.ask' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout == "False\n"


def test_a_position_that_is_typed_has_no_history() -> None:
    """Unlike a moment of a game, in which the seat has observed a lot."""
    text = "threshold 2; red 6; A leader Xiadul hand ShSo open FlKn; B leader ? hand ?x3 hidden ?x4"
    assert "knows the cards that the position names" in solve(text).answer.sight


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("A leader Xiadul hand ?x3 open FlKn; B leader ? hand ?x3", "A hand"),
        ("A leader ? hand ShSo FrFr open FlKn; B leader ? hand ?x3 hidden ? ?", "A leader"),
        ("A leader Xiadul hand ShSo open ?; B leader ? hand ?x3", "A open"),
        ("A leader Xiadul hand ShSo hidden ?; B leader ? hand ?x3 open ?", "A hidden, B open"),
        ("tavern ? - -; A leader Xiadul hand ShSo; B leader ? hand ?x3", "tavern"),
    ],
)
def test_what_the_seat_to_move_sees_is_never_made_up(text: str, unknown: str) -> None:
    """Also if there are too many worlds to list: any of them would give the seat other cards."""
    with pytest.raises(BadQuestion, match=f"unknown here: {unknown}$"):
        solve(f"threshold 2; {text}", sight="own")
