"""Which puzzle comes next, and puzzles as lines to share."""

from datetime import date, timedelta

import pytest

from games.errors import GameError
from solver.puzzles.choice import (
    PuzzleFilter,
    daily_puzzle,
    missed_puzzle,
    next_puzzle,
    random_puzzle,
)
from solver.puzzles.files import Puzzle, bundled_puzzles, find_puzzle, load_puzzle
from solver.puzzles.lines import is_puzzle_line, puzzle_line, puzzle_of_line
from solver.puzzles.progress import Attempt, Progress


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    return list(bundled_puzzles())


def test_filters_combine(puzzles: list[Puzzle]) -> None:
    wanted = PuzzleFilter(game="hidden-leaders", theme="denying", players=3)
    fitting = wanted.puzzles()
    assert 0 < len(fitting) < len(puzzles)
    assert all(puzzle.theme == "denying" for puzzle in fitting)
    assert [puzzle.rating for puzzle in fitting] == sorted(puzzle.rating for puzzle in fitting)
    for level in range(1, 6):
        assert {puzzle.difficulty for puzzle in PuzzleFilter(level=level).puzzles()} == {level}


def test_the_next_puzzle_is_untried_and_suits_the_rating(puzzles: list[Puzzle]) -> None:
    progress = Progress()
    seen: set[str] = set()
    ratings = []
    for _ in range(12):
        puzzle = next_puzzle(puzzles, progress)
        assert puzzle is not None
        assert puzzle.name not in seen
        seen.add(puzzle.name)
        ratings.append(puzzle.rating)
        closest = min(
            abs(each.rating - progress.rating.rating)
            for each in puzzles
            if each.name not in progress.marks
        )
        assert abs(puzzle.rating - progress.rating.rating) == closest
        progress = progress.after(Attempt(puzzle.name, True, puzzle.rating))
    assert ratings[-1] > ratings[0]


def test_when_all_were_tried_the_oldest_miss_comes_back(puzzles: list[Puzzle]) -> None:
    progress = Progress()
    few = puzzles[:4]
    for puzzle in few:
        progress = progress.after(Attempt(puzzle.name, puzzle is few[0], puzzle.rating))
    assert next_puzzle(few, progress) is None
    assert missed_puzzle(few, progress) == few[1]
    progress = progress.after(Attempt(few[1].name, False, few[1].rating))
    assert missed_puzzle(few, progress) == few[2]
    for puzzle in few:
        progress = progress.after(Attempt(puzzle.name, True, puzzle.rating))
    assert missed_puzzle(few, progress) is None


def test_every_day_has_another_puzzle_until_all_have_come(puzzles: list[Puzzle]) -> None:
    first = date(2030, 1, 1)
    days = [first + timedelta(days=number) for number in range(len(puzzles))]
    names = [daily_puzzle(puzzles, day).name for day in days]
    assert len(set(names)) == len(puzzles)
    assert daily_puzzle(puzzles[::-1], first).name == names[0]


def test_a_seed_picks_a_puzzle(puzzles: list[Puzzle]) -> None:
    assert random_puzzle(puzzles, 3) == random_puzzle(puzzles, 3)
    assert len({random_puzzle(puzzles, seed).name for seed in range(50)}) > 20


# ---- lines ------------------------------------------------------------------------------------


def test_the_line_of_a_bundled_puzzle_is_that_puzzle(puzzles: list[Puzzle]) -> None:
    for puzzle in puzzles[::40]:
        line = puzzle_line(puzzle)
        assert "\n" not in line
        assert is_puzzle_line(line)
        assert puzzle_of_line(line) == puzzle


def test_the_line_of_another_puzzle_has_its_question_and_no_answer() -> None:
    puzzle = load_puzzle(find_puzzle("whoever-you-are"))
    line = puzzle_line(puzzle).replace("Politician Psychiatrist Diplomat", "Psychiatrist Diplomat")
    other = puzzle_of_line(f"  {line.replace(' | ', '  |   ')}\n")
    assert (other.name, other.answer, other.title) == ("", (), puzzle.title)
    assert (other.ask, other.query.goal) == ("sure", "win")
    assert puzzle_line(other) == line


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("puzzle 1", "puzzle 7", "'puzzle 7' is not 'puzzle 1'; use a newer arena"),
        ("win turn", "turn", "the line of a puzzle is 'puzzle 1 | GAME GOAL"),
        ("hidden-leaders", "chess", "there is no game 'chess'"),
        ("likely", "maybe", "ask 'maybe': choose one of likely, sure"),
        ("red 7", "red 70", "the position is wrong: red 70"),
        ("| Everybody", "| \x1b[31mEverybody", "of a puzzle has characters that cannot be printed"),
    ],
)
def test_a_line_with_a_mistake_is_refused(old: str, new: str, problem: str) -> None:
    line = puzzle_line(load_puzzle(find_puzzle("doubt"))).replace(old, new)
    with pytest.raises(GameError) as captured:
        puzzle_of_line(line)
    assert problem in str(captured.value)


def test_names_and_files_are_no_lines() -> None:
    for text in ("doubt", "puzzle", "puzzles/mine.toml", "my|puzzle 1.toml"):
        assert not is_puzzle_line(text)
