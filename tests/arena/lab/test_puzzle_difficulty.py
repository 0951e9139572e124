"""How often bots find the answers of puzzles, and what that says about how hard they are."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise

import pytest

from arena.cli import main as cli
from arena.lab.puzzle_difficulty import LADDER, SEEDS, SolveRates, solve_rates
from bots.runtime.mid_game import bot_policy, mid_game_view
from games.engine import COMPILED
from solver.core.budget import NodeBudget
from solver.puzzles.files import Puzzle, find_puzzle, load_puzzle, prove, puzzle_files

Capture = pytest.CaptureFixture[str]

FILES = puzzle_files() if COMPILED else [find_puzzle("fewer-is-more"), find_puzzle("two-ahead")]
"""The pure engine is too slow for all of them."""
MANY = 50
"""From so many puzzles on, most must be more than a bot finds that looks no further than itself."""


@cache
def rated(name: str) -> tuple[Puzzle, SolveRates] | None:
    """What comes of the tries; None for a game that bots cannot join."""
    puzzle = load_puzzle(find_puzzle(name))
    solved = prove(puzzle, NodeBudget(), bot_policy)
    best = {one.move for one in puzzle.best(solved.answer)}
    return puzzle, solve_rates(puzzle.query.game, solved.worlds, best)


@pytest.mark.parametrize("name", [path.stem for path in FILES])
def test_a_puzzle_is_as_hard_as_it_claims(name: str) -> None:
    found = rated(name)
    if found is None:
        pytest.skip("bots cannot join that game")
    puzzle, rates = found
    assert puzzle.difficulty == rates.difficulty, rates


@pytest.mark.skipif(len(FILES) < MANY, reason="few puzzles are here, or the engine is slow")
def test_greedy_fails_four_of_five_puzzles() -> None:
    found = [one for one in (rated(path.stem) for path in FILES) if one is not None]
    failed = [puzzle.name for puzzle, rates in found if "greedy" in rates.failed]
    assert len(failed) >= 0.8 * len(found)


def test_what_is_found_less_often_is_never_easier() -> None:
    for rung in range(len(LADDER)):
        found = [[SEEDS] * len(LADDER) for _ in range(SEEDS + 1)]
        for many, row in enumerate(found):
            row[rung] = many
        levels = [SolveRates(SEEDS, tuple(row)).difficulty for row in found]
        assert all(before >= after for before, after in pairwise(levels))
        assert levels[0] == 2
        assert levels[-1] == 1
    assert SolveRates(SEEDS, (0,) * len(LADDER)).difficulty == 5
    assert SolveRates(2, (1, 0, 1, 2)).failed == ["greedy"]


def test_whoever_tries_does_not_see_which_world_is_the_true_one() -> None:
    puzzle = load_puzzle(find_puzzle("fewer-is-more"))
    solved = prove(puzzle, NodeBudget())
    assert len(solved.worlds) == 6
    assert len({mid_game_view(puzzle.query.game, world).key() for world in solved.worlds}) == 1


def test_rates_are_told_to_people_and_to_programs(capsys: Capture) -> None:
    asked = ["puzzles", "rate", "fewer-is-more", "two-ahead", "--seeds", "2"]
    assert cli.run(asked) == 0
    said = capsys.readouterr().out
    heads = ["puzzle", "claimed", "rated", *(bot.partition(":") for bot in LADDER)]
    assert said.splitlines()[0].split() == [
        head if isinstance(head, str) else f"{head[0]}{head[1]}" for head in heads
    ]
    assert "Failed, of 2: random" in said
    assert cli.run([*asked, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in told] == ["fewer-is-more", "two-ahead"]
    assert all(one["seeds"] == 2 and list(one["found"]) == list(LADDER) for one in told)
    assert cli.run([*asked, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == told


def test_a_puzzle_that_is_not_there_is_named(capsys: Capture) -> None:
    assert cli.run(["puzzles", "rate", "two-ahed"]) == 2
    assert "there is no puzzle 'two-ahed'" in capsys.readouterr().err
