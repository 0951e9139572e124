"""The difficulty of puzzles, from programs that know the goal and see what the puzzle shows."""

import json
from fractions import Fraction
from itertools import pairwise

import pytest

from arena.lab.puzzle_difficulty import SOLVERS, TRIES, PuzzleRates, puzzle_rates, tempting
from arena.lab.puzzle_solvers import TreeSearch, glance, playouts, puzzle_task
from games.engine import COMPILED
from games.state import NOBODY, Rng
from solver import solve
from solver.core.budget import NodeBudget
from solver.puzzles.files import find_puzzle, load_puzzle, prove, puzzle_files
from tests.support.command_line import RunArena, check_refusal

RATED = puzzle_files()[:: 12 if COMPILED else 120]
"""All take too long; `arena puzzles rate` rates all."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_puzzles_are_as_hard_as_they_claim(part: int) -> None:
    for puzzle in map(load_puzzle, RATED[part::4]):
        solved = prove(puzzle, NodeBudget())
        best = {line.move for line in puzzle.best(solved.answer)}
        rates = puzzle_rates(solved, best)
        assert (puzzle.rating, puzzle.difficulty) == (rates.rating, rates.difficulty), puzzle.name


def rates(*found: int, traps: int = 0, tree: int = 100, guess: int = 7) -> PuzzleRates:
    return PuzzleRates(TRIES, found, Fraction(1, guess), traps, tree)


def test_a_lower_solve_rate_never_means_an_easier_puzzle() -> None:
    for rung in range(len(SOLVERS)):
        found = [[TRIES] * len(SOLVERS) for _ in range(TRIES + 1)]
        for count, row in enumerate(found):
            row[rung] = count
        ratings = [rates(*row).rating for row in found]
        assert all(before >= after for before, after in pairwise(ratings))
        assert ratings[0] > ratings[-1]
    assert rates(0, 0, 0, 0).difficulty == 5


def test_traps_a_large_tree_and_more_choices_make_a_puzzle_harder() -> None:
    plain = rates(TRIES, 0, TRIES, TRIES)
    assert rates(TRIES, 0, TRIES, TRIES, traps=2).rating > plain.rating
    assert rates(TRIES, 0, TRIES, TRIES, tree=9000).rating > plain.rating
    assert rates(TRIES, 0, TRIES, TRIES, guess=2).rating < plain.rating


def test_what_all_programs_solve_is_of_level_two_at_most() -> None:
    hard = rates(3, 3, 3, 3, traps=6, tree=20_000, guess=28)
    assert hard.failed == []
    assert hard.difficulty == 2
    assert rates(3, 3, 3, 2, traps=6, tree=20_000, guess=28).difficulty > 2


DENY = (
    "red 6; green 5; threshold 3; deck BlCo UnEx DeDr ShSo UnMe TrLi; "
    "A leader Myrad hand BlCo UnEx DeDr; B leader Cyra hand ShSo open UnMe TrLi"
)


def test_programs_know_the_goal() -> None:
    """They would rather keep B from winning than win; only the first move that does so is best."""
    solved = solve(DENY, goal="deny:B", horizon=2)
    (best,) = solved.answer.best
    task = puzzle_task(solved)
    assert (task.rival, task.wins) == (1, False)
    search = TreeSearch(300)
    assert sum(search(task, Rng(seed)) == best.move for seed in range(6)) >= 4


def test_programs_see_all_cards_that_the_puzzle_shows() -> None:
    """B's hidden hero, which the puzzle names, decides; a seat at the table could not see it."""
    position = (
        "threshold 3; red 4; green 8; rest harbor; A leader Lemron hand OvAm PiPi ShSh "
        "open DeDr BlCo; B leader Pavyr open LoLo hidden SpSh WaWi"
    )
    solved = solve(position)
    task = puzzle_task(solved)
    assert task.rival == NOBODY
    assert [world.key() for world in task.worlds] == [world.key() for world in solved.worlds]
    best = {value.move for value in solved.answer.best}
    for choose in (glance, playouts, TreeSearch(50)):
        assert choose(task, Rng(1)) in {value.move for value in solved.answer.values}
    assert TreeSearch(500)(task, Rng(1)) in best


def test_a_puzzle_that_a_glance_and_playouts_solve_is_not_tempting() -> None:
    easy = prove(load_puzzle(find_puzzle("two-ahead")), NodeBudget())
    assert not tempting(easy, {easy.answer.best[0].move})
    other = next(value.move for value in easy.answer.values if value.likely[0] == 0)
    assert tempting(easy, {other})


@pytest.mark.slow
def test_rates_as_text_and_as_json(arena: RunArena) -> None:
    command = ["puzzles", "rate", "fewer-is-more", "two-ahead", "--seeds", "2"]
    outcome = arena(*command)
    assert outcome.lines[0].split()[:4] == ["puzzle", "old", "new", "solved,"]
    assert max(map(len, outcome.lines)) <= 80
    assert "A guess among the first moves is right in 23.8% on average." in outcome.out
    told = json.loads(arena(*command, "--json").out)
    rows = told["puzzles"]
    assert [row["name"] for row in rows] == ["fewer-is-more", "two-ahead"]
    assert all(row["seeds"] == 2 and list(row["found"]) == list(SOLVERS) for row in rows)
    assert told["summary"]["puzzles"] == 2
    assert json.loads(arena(*command, "--json").out) == told


def test_an_unknown_puzzle_is_named(arena: RunArena) -> None:
    check_refusal(arena("puzzles", "rate", "two-ahed", code=2), "there is no puzzle 'two-ahed'")
