"""Refutations: a wrong choice in a puzzle, played out until it fails."""

from __future__ import annotations

import pytest

from bots.runtime.mid_game import bot_policy
from games.errors import GameError
from solver.core.budget import USUAL_NODES, NodeBudget
from solver.puzzles.files import Puzzle, find_puzzle, load_puzzle, prove
from solver.puzzles.refutation import refute
from solver.puzzles.task import puzzle_hint, task
from solver.puzzles.trial import Trial, start_trial

NAMES = (
    *("blue-helmet", "better-not-ask", "doubt", "fewer-is-more", "frog-leap", "hands-off"),
    *("let-b-have-it", "so-he-says", "the-likelier-enemy", "the-safe-side", "whoever-you-are"),
)
"""Puzzles of both games, open and hidden, against a coalition and random players."""


def trial_of(puzzle: Puzzle) -> Trial:
    solved = prove(puzzle, NodeBudget(USUAL_NODES), bot_policy)
    return start_trial(solved, 3, puzzle.ask == "sure", NodeBudget(USUAL_NODES))


def test_every_wrong_first_move_of_many_puzzles_fails_in_its_refutation() -> None:
    refuted = 0
    for name in NAMES:
        puzzle = load_puzzle(find_puzzle(name))
        trial = trial_of(puzzle)
        options = trial.options()
        for move, value in options.items():
            if value == max(options.values()):
                continue
            trial.choose(move)
            before = [made.move for made in trial.history], trial.state.key()
            line = refute(trial)
            assert line.fails, (puzzle.name, move)
            assert line.moves[0].move == move
            # It is a legal game from a possible start, and not part of the attempt.
            state = line.start.copy()
            for made in line.moves:
                assert made.move in state.moves()
                state.play(made.move)
            assert ([made.move for made in trial.history], trial.state.key()) == before
            trial.undo()
            refuted += 1
    assert refuted > 30


def test_a_mistake_later_in_the_line_is_refuted_from_there() -> None:
    trial = trial_of(load_puzzle(find_puzzle("room-for-two")))
    while True:
        options = trial.options()
        wrong = [move for move, value in options.items() if value < max(options.values())]
        if trial.choices and wrong:
            break
        trial.choose(max(options, key=options.__getitem__))
    trial.choose(wrong[0])
    line = refute(trial)
    assert line.moves[0].move == wrong[0]
    assert line.start is trial.choices[-1].table
    assert line.fails


def test_there_is_nothing_to_refute_as_long_as_all_choices_were_best() -> None:
    trial = trial_of(load_puzzle(find_puzzle("doubt")))
    with pytest.raises(GameError, match="every choice so far was best"):
        refute(trial)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("doubt", "Win this turn, whatever the others do."),
        ("blue-helmet", "Win this turn, if the others choose at random."),
        (
            "three-turns-to-survive",
            "Keep B from winning within 3 turns, this one included, whatever ",
        ),
        ("whoever-you-are", "whatever the others do, and whatever the unknown cards are."),
    ],
)
def test_the_task_is_one_sentence(name: str, sentence: str) -> None:
    said = task(load_puzzle(find_puzzle(name)))
    assert sentence in said
    assert said.count(".") == 1


def test_hints_say_more_each_time_and_the_last_one_names_a_best_move() -> None:
    puzzle = load_puzzle(find_puzzle("doubt"))
    trial = trial_of(puzzle)
    hints = [puzzle_hint(puzzle, trial, number) for number in (1, 2, 3)]
    assert puzzle.answer[0] in hints[2]
    assert puzzle.answer[0] not in hints[0] + hints[1]
    assert "Doubtful Priest" not in hints[0]
