"""What bots make of a puzzle's answer: whether the hasty miss it, and how hard it is to find."""

from __future__ import annotations

from typing import Final

from arena.lab.puzzle_difficulty import solve_rates
from bots.greedy import Greedy
from bots.runtime.mid_game import mid_game_view
from games.state import Rng
from solver.ask import Solution

GLANCES: Final = 6
"""Times the greedy bot is asked; it chooses by luck between what looks equal."""


def tempting(solved: Solution, answer: int) -> bool:
    """Whether the greedy bot always chooses something else."""
    view = mid_game_view(solved.query.game, solved.worlds[0])
    return all(Greedy(view.seat, Rng(luck)).choose(view) != answer for luck in range(GLANCES))


def difficulty(solved: Solution, answer: int) -> int:
    """By how many bots of rising strength fail to find the answer."""
    return solve_rates(solved.query.game, solved.worlds, {answer}).difficulty
