"""The solver: exact values of every legal move, with proofs.

    from solver import solve

    solution = solve("threshold 2; red 6; A leader Xiadul hand ShSo open FlKn; B leader Cyra")
    print(solution.exact, solution.best)

The solver knows games only through `games.registry`. The names below are imported on first use, so
that `solver.core` and `solver.search` stay cheap to import.
"""

from importlib import import_module
from pathlib import Path
from runpy import run_path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.answer import Answer, MoveValue
    from solver.ask import EquilibriumSolution, Solution, solve, solve_for_equilibrium
    from solver.core.question import BadQuestion
    from solver.whole_games import WholeGame, solve_whole_game

# First, and by its path: a folder of the user's called `games` would break all other imports.
run_path(str(Path(__file__).parents[1] / "games/shadowing.py"))["require"]("games")

_HOMES = {
    "solver.answer": ("Answer", "MoveValue"),
    "solver.ask": ("EquilibriumSolution", "Solution", "solve", "solve_for_equilibrium"),
    "solver.core.question": ("BadQuestion",),
    "solver.whole_games": ("WholeGame", "solve_whole_game"),
}

__all__ = [
    "Answer",
    "BadQuestion",
    "EquilibriumSolution",
    "MoveValue",
    "Solution",
    "WholeGame",
    "solve",
    "solve_for_equilibrium",
    "solve_whole_game",
]


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module 'solver' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
