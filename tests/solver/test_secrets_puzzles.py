"""The bundled puzzles of Secrets: others of every kind, answers as plain recursion finds them."""

from dataclasses import replace
from fractions import Fraction

import pytest

from arena.cli import main as cli
from bots.runtime.mid_game import bot_policy
from games.engine import COMPILED
from solver.ask import Solution, solve_query
from solver.core.budget import NodeBudget
from solver.line_text import line_text
from solver.puzzles.files import Puzzle, find_puzzle, load_puzzle, prove, puzzle_files
from solver.puzzles.refutation import refute
from solver.puzzles.trial import Trial, start_trial
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


OFFERING = ("a-surprise-for-the-kgb", "no-way-back-2")
"""One against a coalition, one against selfish others."""


def attempt(name: str) -> Trial:
    solved = prove(load_puzzle(find_puzzle(name)), NodeBudget())
    return start_trial(solved, 1, False, NodeBudget())


@pytest.mark.parametrize("name", OFFERING)
def test_lines_leave_out_what_is_only_said(name: str, capsys: Capture) -> None:
    """Everybody sees the cards, so a claim tells nobody anything."""
    assert cli.run(["puzzles", "show", name, "--answer"]) == 0
    said = capsys.readouterr().out
    assert "accept" in said
    assert "claim" not in said


@pytest.mark.parametrize("name", OFFERING)
def test_nobody_has_to_claim_anything(name: str) -> None:
    trial = attempt(name)
    text = trial.solution.query.game.text
    trial.choose(text.parse(trial.state, "to B"))
    if trial.reached is None:
        assert trial.forced == text.parse(trial.state, "say nothing")
        trial.choose(trial.forced)
    first, second = trial.choices
    assert (first.forced, second.forced) == (False, True)
    assert trial.last_choice is first
    told = [text.move(made.table, made.move) for made in trial.history]
    assert "say nothing" in told
    line = [text.move(made.table, made.move) for made in refute(trial).moves]
    assert not [words for words in (*told, *line) if words.startswith("claim")]


def test_bots_may_heed_claims_so_they_are_asked_for_and_shown() -> None:
    query = replace(load_puzzle(find_puzzle(OFFERING[0])).query, others="bot:greedy")
    solved = solve_query(query, NodeBudget(), bot_policy)
    assert any("claim" in step for step in line_text(solved, solved.answer.values[0].line))
    trial = start_trial(solved, 1, False, NodeBudget())
    trial.choose(query.game.text.parse(trial.state, "to B"))
    assert trial.forced is None
