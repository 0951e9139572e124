"""The bundled puzzles of Secrets: others of every kind, answers as plain recursion finds them."""

from fractions import Fraction

import pytest

from arena.cli import main as cli
from games.engine import COMPILED
from solver.ask import Solution
from solver.core.budget import NodeBudget
from solver.puzzles.files import Puzzle, load_puzzle, prove, puzzle_files
from solver.reference.brute_force import brute_plans, brute_values
from solver.reference.cross_check import tree_size

Capture = pytest.CaptureFixture[str]

FILES = [path for path in puzzle_files() if 'game = "secrets"' in path.read_text()]
MOST_NODES = 20_000


def test_others_of_every_kind() -> None:
    others = {load_puzzle(path).query.others for path in FILES}
    assert others == {"coalition", "random", "selfish"}


def small(puzzle: Puzzle) -> Solution | None:
    """The solution, if the trees of all worlds are small enough for plain recursion."""
    solved = prove(puzzle, NodeBudget())
    until = solved.answer.question.deadline(solved.worlds[0])
    nodes = 0
    for world in solved.worlds:
        nodes += tree_size(world, until, MOST_NODES)
        if nodes >= MOST_NODES:
            return None
    return solved


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3))
def test_plain_recursion_agrees(part: int) -> None:
    puzzles = [load_puzzle(path) for path in FILES[part :: 6 if COMPILED else 30]]
    solutions = [solved for puzzle in puzzles if (solved := small(puzzle)) is not None]
    assert 2 * len(solutions) >= len(puzzles) or (solutions and not COMPILED)
    for solved in solutions:
        question, worlds = solved.answer.question, solved.worlds
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
