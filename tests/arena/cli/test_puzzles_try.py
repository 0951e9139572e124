"""`arena puzzles try`: solved, failed, hinted and undone attempts, with open and hidden cards."""

import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.puzzles import puzzles_group
from games.errors import GameError
from games.hidden_leaders.game import GAME
from games.hidden_leaders.positions.worlds import pose
from games.state import CHANCE
from solver.ask import Query, solve_query
from solver.core.budget import NodeBudget
from solver.puzzles.files import find_puzzle
from solver.puzzles.trial import Trial, start_trial
from tests.support.command_line import RunArena, check_refusal
from tests.support.paths import ROOT

GORGON = (
    "threshold 3; red 4; green 8; A leader Lemron hand GoGo open DeDr BlCo; "
    "B leader Pavyr open LoLo UnMe hidden WaWi"
)
"""The Gorgon buries one of B's two open heroes; A wins if it is the Loner."""


def attempt(name: str, *typed: str, seed: int = 1) -> tuple[int, str]:
    """The exit code and what is printed if these lines are typed."""
    lines = "".join(f"{line}\n" for line in typed)
    words = ["try", name, "--seed", str(seed)]
    done = CliRunner().invoke(puzzles_group, words, lines, standalone_mode=False)
    assert done.exception is None
    return done.return_value, done.output


def trial(position: str, seed: int = 1, unkind: bool = False, **asked: str) -> Trial:
    solved = solve_query(Query(GAME, pose(position), **asked), NodeBudget())  # type: ignore[arg-type]
    return start_trial(solved, seed, unkind, NodeBudget())


def choose(current: Trial, *choices: str) -> None:
    for words in choices:
        current.choose(GAME.text.parse(current.state, words))


# ---- what a person sees -------------------------------------------------------------------------


def test_title_story_table_question_and_choices_are_shown_first() -> None:
    _, text = attempt("doubt")
    assert text.startswith("No doubt\nThe Priest lets your neighbour choose where red goes.")
    assert "hand     Doubtful Priest (E), Rotting Orangutan (U), Leery Lizard (W)" in text
    assert "The goal: A wins.\nThe horizon: this turn" in text
    assert "You are A. Type ? for help." in text
    assert "  1  play Doubtful Priest\n       The next player chooses" in text


def test_an_attempt_with_best_moves_only_is_solved() -> None:
    code, text = attempt("doubt", "1", "play rotting", "red +2")
    assert code == 0
    assert "A (you): play Doubtful Priest\nB: red " in text
    assert "Goal reached: Empire wins, and with it A." in text
    assert "Solved: every move was best (winning chance 1)." in text


def test_a_wrong_first_move_is_named_with_the_line_that_would_have_won() -> None:
    code, text = attempt("doubt", "play leery", "1")
    assert code == 1
    assert "Goal missed: " in text
    wrong = "'play Doubtful Priest' was best (winning chance 1); 'play Leery Lizard' left 0."
    assert wrong in " ".join(text.split())
    assert "Best line: A: play Doubtful Priest; B: red" in text


def test_a_wrong_second_choice_is_noticed_as_well() -> None:
    code, text = attempt("cut-them-down", "4", "bury unconfident", *["1"] * 8)
    assert code == 1
    assert "'bury Unconfident Executioner' left 0." in text


def test_hints_come_in_steps_and_are_counted() -> None:
    code, text = attempt("doubt", "hint", "h", "1", "1", "1")
    assert code == 0
    assert "1 of 7 choices is best. Theme: forced choice." in text
    assert "Look at Doubtful Priest. (`solve` shows the answer.)" in text
    assert "Solved (with 2 hints): " in text


def test_a_choice_can_be_undone_and_another_made() -> None:
    code, text = attempt("cut-them-down", "b", "4", "undo", "play uncon", "value", "1", *["1"] * 8)
    assert code == 0
    assert "there is nothing to undo yet" in text
    assert "Undone.\n" in text
    assert "Your chance was 1, and 1 after 'play Unconfident Executioner'." in text
    assert "Your best chance of reaching the goal is now 1." in text
    assert "Solved (with one undo): " in text


def test_the_answer_can_be_shown() -> None:
    code, text = attempt("doubt", "solve", "1", "solve", "1", "1")
    assert code == 0
    assert "Best: play Doubtful Priest (1)." in text
    assert "move                    value\n" in text
    assert "Solved (with the answer shown): " in text


def test_help_table_and_invalid_answers() -> None:
    code, text = attempt(
        "doubt", "?", "? 2", "? crow carrier", "table", "", "9", "99999", "play keen", "q"
    )
    assert code == 1
    assert "undo (b)     take back your last choice" in text
    assert "Rotting Orangutan" in text.partition("? 2")[2]
    assert "Move red -1 and green -1. Then draw the top two cards of the graveyard" in text
    assert "type a number from 1 to 7, or ? for help" in text
    assert "there is no choice 9; type a number from 1 to 7" in text
    assert "there is no choice 99999; type a number from 1 to 7" in text
    assert "'play keen'" in text
    assert text.count("turn 1 of A, A decides") == 2
    assert text.endswith("You left the puzzle unsolved.\n")


def test_help_on_a_choice_without_a_card_says_so() -> None:
    _, text = attempt("so-he-says", "? 1", "? nobody")
    assert "there is no card in 'accept'; help on a card: ? double agent" in text
    assert "there is no character 'nobody'" in text


CLOSE = '''
title = "Close"
story = "A race."
position = """
players 2; turn A; red 8; green 6; threshold 3
deck BaMa BoGo HaHe CaCh GoCr LeLe MuMy LeLi ApWa SaSa KrKe
A leader Xiadul hand SaSa BoGo ApWa open MuMy GoCr hidden HaHe LeLe
B leader Lemron hand CaCh LeLi open KrKe BaMa
"""
horizon = "3"
answer = ["play Apathetic Waterpriest", "play Saltwater Sage"]
value = "1"
difficulty = 1
theme = "strength"
'''


def test_bounds_of_an_earlier_search_do_not_end_an_attempt(tmp_path: Path) -> None:
    path = tmp_path / "close.toml"
    path.write_text(CLOSE, encoding="utf-8")
    _, text = attempt(str(path), "do nothing", "q")
    assert "--nodes" not in text
    assert "B: " in text


def test_a_choice_beyond_the_node_limit_changes_nothing() -> None:
    solved = solve_query(Query(GAME, pose(GORGON), horizon="turn"), NodeBudget())
    attempted = start_trial(solved, 1, unkind=False, budget=NodeBudget(1))
    before = attempted.state
    with pytest.raises(GameError, match="raise --nodes"):
        attempted.choose(attempted.moves[0])
    assert (attempted.state, attempted.choices, attempted.history) == (before, [], [])


BARBARIAN = (
    "players 2; turn A; red 10; green 5; threshold 3; graveyard FlKn SaSa; "
    "deck HaBa BaMa DeDr PoPr ShSo FlKn CrCa ReRa LeLi SaSa; "
    "A leader Lemron hand HaBa open BaMa hidden LeLi; B leader Myrad hand ? open DeDr hidden PoPr"
)


def test_a_forced_chance_event_is_not_shown_to_a_seat_that_cannot_see_it() -> None:
    attempted = trial(BARBARIAN, horizon="3")
    choose(attempted, "play Hangry Barbarian", "draw from the harbor", "draw from the harbor")
    lucky = [deed for deed in attempted.history if deed.table.actor == CHANCE]
    assert [deed.seen for deed in lucky] == [True, True, False]  # the last card is B's
    assert len(lucky[-1].table.moves()) == 1


def test_hands_that_do_not_matter_are_not_shown_as_if_they_were_known(tmp_path: Path) -> None:
    path = tmp_path / "doubt.toml"
    text = find_puzzle("doubt").read_text(encoding="utf-8")
    path.write_text(text.replace("hand KeKo", "hand ?x2").replace("hand ApWa", "hand ?"))
    _, text = attempt(str(path), "q")
    shown = CliRunner().invoke(puzzles_group, ["show", str(path)], standalone_mode=False).output
    for captured in (text, shown):
        assert "hand ?" in captured
        assert "Sharpshooter" not in captured


def test_the_end_of_input_leaves_the_puzzle_unsolved() -> None:
    code, text = attempt("doubt", "1")
    assert code == 1
    assert text.endswith("You left the puzzle unsolved.\n")


def test_only_what_the_seat_may_know_of_hidden_cards_is_shown() -> None:
    code, text = attempt("fewer-is-more", "1", "red -2", seed=1)
    table = text.partition("The puzzle's position")[0]
    assert "C  leader   ?" in table
    assert "hidden   2" in table
    assert "The puzzle's position: players 3;" in text
    assert "6 of 6 worlds are still possible.\n  C hidden SpSh GrGu\n" in text
    assert code == 0


def test_the_seed_picks_the_true_world_and_a_solved_puzzle_may_still_miss_its_goal() -> None:
    ends = [attempt("fewer-is-more", "1", "red -2", seed=seed) for seed in range(12)]
    assert all(code == 0 for code, _ in ends)
    reached = ["Goal reached" in text for _, text in ends]
    assert len({*reached}) == 2
    missed = [" ".join(text.split()) for _, text in ends if "Goal missed" in text]
    assert all(", but you were unlucky." in text for text in missed)
    assert attempt("fewer-is-more", "1", "red -2", seed=5) == ends[5]


def test_a_wrong_choice_with_hidden_cards_is_named() -> None:
    code, text = attempt("fewer-is-more", "play fur", "green -2")
    assert code == 1
    assert "Not solved: 'red -2' was best (winning chance 2/3); 'green -2' left 0." in text


def test_a_puzzle_can_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(find_puzzle("doubt").read_text(encoding="utf-8"), encoding="utf-8")
    assert attempt(str(path), "1", "1", "1")[0] == 0


def test_an_unknown_puzzle_is_refused_in_one_line(arena: RunArena) -> None:
    check_refusal(arena("puzzles", "try", "doubd", code=2), "there is no puzzle 'doubd'")


def test_ctrl_c_leaves_the_puzzle() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "puzzles", "try", "doubt"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if "do nothing" in line:
                    break
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err.strip()) == (130, "Stopped.")


# ---- how the others answer ----------------------------------------------------------------------


def test_chance_follows_the_seed_and_repeats_after_an_undo() -> None:
    ends: set[bool | None] = set()
    for seed in range(8):
        attempted = trial(GORGON, seed)
        for _ in range(2):
            choose(attempted, "play gorg", "red +1", "pick b")
            end = attempted.reached
            assert end is not None
            ends.add(end)
            for _ in range(3):
                attempted.undo()
            assert (attempted.reached, attempted.history, attempted.choices) == (None, [], [])
        choose(attempted, "play gorg", "red +1", "pick b")
        assert attempted.reached == end
    assert ends == {True, False}


def test_chance_is_as_bad_as_possible_if_only_sure_wins_count() -> None:
    for seed in range(8):
        attempted = trial(GORGON, seed, unkind=True)
        choose(attempted, "play gorg", "red +1", "pick b")
        assert attempted.reached is False


def test_selfish_others_play_for_themselves() -> None:
    # B can end the game and win it with its Koi.
    attempted = trial(
        "threshold 2; red 6; green 5; deck UnMe KeKo; "
        "A leader Enned; B leader Cyra hand KeKo open UnMe",
        goal="deny:B",
        others="selfish",
        horizon="2",
    )
    choose(attempted, "do nothing")
    assert [GAME.text.move(deed.table, deed.move) for deed in attempted.history][
        -1
    ] == "play Keen Koi"
    assert attempted.reached is False


def test_random_others_vary_with_the_seed() -> None:
    position = (
        "threshold 2; red 6; green 5; deck UnMe KeKo; "
        "A leader Enned; B leader Pavyr hand KeKo open UnMe"
    )
    ends: set[bool | None] = set()
    for seed in range(12):
        attempted = trial(position, seed, others="random", horizon="2")
        assert attempted.options() == {attempted.moves[0]: Fraction(1, 3)}
        choose(attempted, "do nothing")
        ends.add(attempted.reached)
    assert ends == {True, False}


def test_what_was_seen_leaves_fewer_worlds() -> None:
    # The Assassin turns B's hidden hero up; more turns are asked about, so that it goes on.
    position = (
        "threshold 4; red 4; green 8; deck DeDr BlCo AnAs LoLo SpSh UnMe PiPi; harbor ?; "
        "A leader Lemron hand AnAs PiPi open DeDr BlCo; B leader Pavyr open LoLo hidden ?"
    )
    attempted = trial(position, horizon="3")
    assert len(attempted.possible()) == 2
    for words in ("play andro", "red -1", "name tribes"):
        choose(attempted, words)
        assert len(attempted.possible()) == 2
    choose(attempted, "expose")
    assert len(attempted.possible()) == 1
    attempted.undo()
    assert len(attempted.possible()) == 2
