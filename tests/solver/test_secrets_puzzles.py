"""The bundled puzzles of Secrets: for all player counts, of many themes, small, proven twice."""

from fractions import Fraction
from pathlib import Path

import pytest

from arena.cli import main as cli
from games.engine import COMPILED
from solver.core.budget import NodeBudget
from solver.puzzles.files import load_puzzle, prove, puzzle_files
from solver.reference.brute_force import brute_plans, brute_values
from solver.reference.cross_check import tree_size

Capture = pytest.CaptureFixture[str]

FILES = [path for path in puzzle_files() if load_puzzle(path).query.game.name == "secrets"]
MOST_NODES = 20_000


def test_others_of_every_kind() -> None:
    others = {load_puzzle(path).query.others for path in FILES}
    assert others == {"coalition", "random", "selfish"}


@pytest.mark.parametrize(
    "path", FILES[::3] if COMPILED else FILES[::15], ids=lambda path: path.stem
)
def test_it_is_small_and_plain_recursion_agrees(path: Path) -> None:
    puzzle = load_puzzle(path)
    budget = NodeBudget()
    solved = prove(puzzle, budget)
    assert budget.nodes < MOST_NODES
    question, worlds = solved.answer.question, solved.worlds
    until = question.deadline(worlds[0])
    assert sum(tree_size(world, until, 2 * MOST_NODES) for world in worlds) < 2 * MOST_NODES
    plain = {} if solved.hidden else brute_values(question, worlds[0])
    for one in solved.answer.values:
        if solved.hidden:
            plans = list(brute_plans(question, worlds, one.move))
            assert one.likely[0] == max(sum(plan, Fraction()) / len(plan) for plan in plans)
            assert one.sure[0] == max(min(plan) for plan in plans)
        else:
            assert one.likely[0] == plain[one.move]


def test_one_is_shown_with_its_unknown_tokens(capsys: Capture) -> None:
    assert cli.run(["puzzles", "show", "the-safe-side", "--answer"]) == 0
    said = capsys.readouterr().out
    assert "The tokens of A, B, D and the centre are 1 CIA, 2 KGB and 1 Hippie, in any" in said
    assert "Best: swap A and C (1/2)." in said
