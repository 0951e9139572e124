"""The difficulty of puzzles, from how often bots solve them."""

import json
from functools import cache
from itertools import pairwise

import pytest

from arena.lab.puzzle_difficulty import LADDER, TRIES, SolveRates, solve_rates
from bots.runtime.mid_game import bot_policy, mid_game_view
from games.engine import COMPILED
from solver.core.budget import NodeBudget
from solver.puzzles.files import Puzzle, find_puzzle, load_puzzle, prove, puzzle_files
from tests.support.command_line import RunArena, check_refusal

FILES = puzzle_files() if COMPILED else [find_puzzle("fewer-is-more"), find_puzzle("two-ahead")]
"""The pure engine is too slow for all puzzles."""
MANY = 50
"""The number of puzzles from which most must be too hard for the greedy bot."""


@cache
def rated(name: str) -> tuple[Puzzle, SolveRates]:
    """A puzzle and its solve rates."""
    puzzle = load_puzzle(find_puzzle(name))
    solved = prove(puzzle, NodeBudget(), bot_policy)
    best = {line.move for line in puzzle.best(solved.answer)}
    return puzzle, solve_rates(puzzle.query.game, solved.worlds, best)


@pytest.mark.parametrize("name", [path.stem for path in FILES])
def test_a_puzzle_is_as_hard_as_it_claims(name: str) -> None:
    puzzle, rates = rated(name)
    assert puzzle.difficulty == rates.difficulty, rates


@pytest.mark.skipif(len(FILES) < MANY, reason="few puzzles are here, or the engine is slow")
def test_greedy_fails_four_of_five_puzzles() -> None:
    failed = [path.stem for path in FILES if "greedy" in rated(path.stem)[1].failed]
    assert len(failed) >= 0.8 * len(FILES)


def test_a_lower_solve_rate_never_means_an_easier_puzzle() -> None:
    for rung in range(len(LADDER)):
        found = [[TRIES] * len(LADDER) for _ in range(TRIES + 1)]
        for count, row in enumerate(found):
            row[rung] = count
        levels = [SolveRates(TRIES, tuple(row)).difficulty for row in found]
        assert all(before >= after for before, after in pairwise(levels))
        assert levels[0] == 2
        assert levels[-1] == 1
    assert SolveRates(TRIES, (0,) * len(LADDER)).difficulty == 5
    assert SolveRates(2, (1, 0, 1, 2)).failed == ["greedy"]


def test_bots_do_not_see_which_world_is_true() -> None:
    puzzle = load_puzzle(find_puzzle("fewer-is-more"))
    solved = prove(puzzle, NodeBudget())
    assert len(solved.worlds) == 6
    assert len({mid_game_view(puzzle.query.game, world).key() for world in solved.worlds}) == 1


@pytest.mark.slow
def test_rates_as_text_and_as_json(arena: RunArena) -> None:
    command = ["puzzles", "rate", "fewer-is-more", "two-ahead", "--seeds", "2"]
    outcome = arena(*command)
    bots = [bot.partition(":")[0] for bot in LADDER]
    assert outcome.lines[0].split() == ["puzzle", "old", "new", *bots]
    assert "Failed, of 2: random" in outcome.out
    rows = json.loads(arena(*command, "--json").out)["puzzles"]
    assert [row["name"] for row in rows] == ["fewer-is-more", "two-ahead"]
    assert all(row["seeds"] == 2 and list(row["found"]) == list(LADDER) for row in rows)
    assert json.loads(arena(*command, "--json").out)["puzzles"] == rows


def test_an_unknown_puzzle_is_named(arena: RunArena) -> None:
    check_refusal(arena("puzzles", "rate", "two-ahed", code=2), "there is no puzzle 'two-ahed'")
