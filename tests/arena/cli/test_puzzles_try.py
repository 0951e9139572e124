"""`arena puzzles try`: solved, failed, hinted and undone attempts, with open and hidden cards."""

import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.puzzles import puzzles
from games.errors import GameError
from games.hidden_leaders.game import GAME
from games.hidden_leaders.positions.worlds import pose
from games.state import CHANCE
from solver.ask import Query, solve_query
from solver.core.budget import NodeBudget
from solver.puzzles.files import find_puzzle
from solver.puzzles.trial import Trial, start_trial

GORGON = (
    "threshold 3; red 4; green 8; A leader Lemron hand GoGo open DeDr BlCo; "
    "B leader Pavyr open LoLo UnMe hidden WaWi"
)
"""The Gorgon buries one of B's two open heroes; A wins if it is the Loner."""


def attempt(name: str, *typed: str, seed: int = 1) -> tuple[int, str]:
    """The exit code and what is printed if these lines are typed."""
    lines = "".join(f"{line}\n" for line in typed)
    done = CliRunner().invoke(
        puzzles, ["try", name, "--seed", str(seed)], lines, standalone_mode=False
    )
    assert done.exception is None
    return done.return_value, done.output


def trial(position: str, seed: int = 1, unkind: bool = False, **asked: str) -> Trial:
    solved = solve_query(Query(GAME, pose(position), **asked), NodeBudget())  # type: ignore[arg-type]
    return start_trial(solved, seed, unkind, NodeBudget())


def choose(one: Trial, words: str) -> None:
    one.choose(GAME.text.parse(one.state, words))


# ---- what a person sees -------------------------------------------------------------------------


def test_title_story_table_question_and_choices_are_shown_first() -> None:
    _, said = attempt("doubt")
    assert said.startswith("No doubt\nThe Priest lets your neighbour choose where red goes.")
    assert "hand     Doubtful Priest (E), Rotting Orangutan (U), Leery Lizard (W)" in said
    assert "The goal: A wins.\nThe horizon: this turn" in said
    assert "You are A. Type ? for help." in said
    assert "  1  play Doubtful Priest\n       The next player chooses" in said


def test_an_attempt_that_keeps_the_value_is_solved() -> None:
    code, said = attempt("doubt", "1", "play rotting", "red +2")
    assert code == 0
    assert "A (you): play Doubtful Priest\nB: red " in said
    assert "The goal was reached: Empire wins, and with it A." in said
    assert "Solved: every choice kept the most that could be had (1)." in said


def test_a_wrong_first_move_is_named_with_the_line_that_would_have_won() -> None:
    code, said = attempt("doubt", "play leery", "1")
    assert code == 1
    assert "The goal was missed: " in said
    assert "'play Doubtful Priest' was the move (1); 'play Leery Lizard' left 0." in said
    assert "It could have gone: A: play Doubtful Priest; B: red" in said


def test_a_wrong_second_choice_is_found_as_well() -> None:
    code, said = attempt("cut-them-down", "4", "bury unconfident", *["1"] * 8)
    assert code == 1
    assert "'bury Unconfident Executioner' left 0." in said


def test_hints_come_in_steps_and_are_counted() -> None:
    code, said = attempt("doubt", "hint", "h", "1", "1", "1")
    assert code == 0
    assert "1 of 7 choices keeps the most that can be had. The theme is: forced choice." in said
    assert "Think of this: Doubtful Priest. (`solve` shows the answer.)" in said
    assert "Solved (with 2 hints): " in said


def test_a_choice_can_be_taken_back_and_another_made() -> None:
    code, said = attempt("cut-them-down", "b", "4", "undo", "play uncon", "value", "1", *["1"] * 8)
    assert code == 0
    assert "you have not chosen anything yet" in said
    assert "Taken back.\n" in said
    assert "You had 1; after 'play Unconfident Executioner' 1." in said
    assert "The chance of the goal is now 1 at best." in said
    assert "Solved (with a choice taken back): " in said


def test_the_answer_can_be_shown() -> None:
    code, said = attempt("doubt", "solve", "1", "solve", "1", "1")
    assert code == 0
    assert "Best: play Doubtful Priest (1)." in said
    assert "move                    value\n" in said
    assert "Solved (with the answer shown): " in said


def test_help_table_and_mistakes() -> None:
    code, said = attempt(
        "doubt", "?", "? 2", "? crow carrier", "table", "", "9", "99999", "play keen", "q"
    )
    assert code == 1
    assert "undo (b)     back to your last choice" in said
    assert "Rotting Orangutan" in said.partition("? 2")[2]
    assert "Move red -1 and green -1. Then draw the top two cards of the graveyard" in said
    assert "type a number from 1 to 7, or ? for help" in said
    assert "there is no choice 9: they go from 1 to 7" in said
    assert "there is no choice 99999: they go from 1 to 7" in said
    assert "'play keen'" in said
    assert said.count("turn 1 of A, A decides") == 2
    assert said.endswith("You leave the puzzle unsolved.\n")


def test_help_on_a_choice_without_a_card_says_so() -> None:
    _, said = attempt("so-he-says", "? 1", "? nobody")
    assert "'accept' has no card in it (help on a card: ? double agent)" in said
    assert "there is no character 'nobody'" in said


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


def test_bounds_of_an_earlier_look_do_not_end_an_attempt(tmp_path: Path) -> None:
    path = tmp_path / "close.toml"
    path.write_text(CLOSE, encoding="utf-8")
    _, said = attempt(str(path), "do nothing", "q")
    assert "--nodes" not in said
    assert "B: " in said


def test_an_attempt_that_takes_too_much_effort_stays_where_it_was() -> None:
    solved = solve_query(Query(GAME, pose(GORGON), horizon="end"), NodeBudget())
    one = start_trial(solved, 1, unkind=False, budget=NodeBudget(1))
    before = one.state
    with pytest.raises(GameError, match="raise --nodes"):
        one.choose(one.moves[0])
    assert (one.state, one.choices, one.history) == (before, [], [])


BARBARIAN = (
    "players 2; turn A; red 10; green 5; threshold 3; graveyard FlKn SaSa; "
    "deck HaBa BaMa DeDr PoPr ShSo FlKn CrCa ReRa LeLi SaSa; "
    "A leader Lemron hand HaBa open BaMa hidden LeLi; B leader Myrad hand ? open DeDr hidden PoPr"
)


def test_luck_without_an_alternative_is_not_told_to_who_does_not_see_it() -> None:
    one = trial(BARBARIAN, horizon="3")
    for words in ("play Hangry Barbarian", "draw from the harbor", "draw from the harbor"):
        choose(one, words)
    lucky = [deed for deed in one.history if deed.table.actor == CHANCE]
    assert [deed.seen for deed in lucky] == [True, True, False]  # the last card is B's
    assert len(lucky[-1].table.moves()) == 1


def test_hands_out_of_account_are_not_shown_as_if_they_were_known(tmp_path: Path) -> None:
    path = tmp_path / "doubt.toml"
    text = find_puzzle("doubt").read_text(encoding="utf-8")
    path.write_text(text.replace("hand KeKo", "hand ?x2").replace("hand ApWa", "hand ?"))
    _, said = attempt(str(path), "q")
    shown = CliRunner().invoke(puzzles, ["show", str(path)], standalone_mode=False).output
    for captured in (said, shown):
        assert "hand ?" in captured
        assert "Sharpshooter" not in captured


def test_input_that_ends_leaves_the_puzzle_unsolved() -> None:
    code, said = attempt("doubt", "1")
    assert code == 1
    assert said.endswith("You leave the puzzle unsolved.\n")


def test_of_hidden_cards_only_what_may_be_known_is_shown() -> None:
    code, said = attempt("fewer-is-more", "1", "red -2", seed=1)
    table = said.partition("Given was")[0]
    assert "C  leader   ?" in table
    assert "hidden   2" in table
    assert "Given was: players 3;" in said
    assert "Of 6 worlds 6 can be the true one.\n  C hidden SpSh GrGu\n" in said
    assert code == 0


def test_the_seed_decides_what_is_true_and_a_solved_puzzle_may_still_miss_its_goal() -> None:
    ends = [attempt("fewer-is-more", "1", "red -2", seed=seed) for seed in range(12)]
    assert all(code == 0 for code, _ in ends)
    reached = ["The goal was reached" in said for _, said in ends]
    assert len({*reached}) == 2
    missed = [" ".join(said.split()) for _, said in ends if "The goal was missed" in said]
    assert all("and luck was against you." in said for said in missed)
    assert attempt("fewer-is-more", "1", "red -2", seed=5) == ends[5]


def test_a_wrong_choice_with_hidden_cards_is_named() -> None:
    code, said = attempt("fewer-is-more", "play fur", "green -2")
    assert code == 1
    assert "Not solved: 'red -2' was the move (2/3); 'green -2' left 0." in said


def test_a_file_is_tried_and_a_name_nobody_knows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(find_puzzle("doubt").read_text(encoding="utf-8"), encoding="utf-8")
    assert attempt(str(path), "1", "1", "1")[0] == 0
    command = [sys.executable, "-m", "arena", "puzzles", "try", "doubd"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "there is no puzzle 'doubd'" in done.stderr


def test_ctrl_c_ends_it_with_a_word() -> None:
    command = [sys.executable, "-m", "arena", "puzzles", "try", "doubt"]
    with subprocess.Popen(
        command,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as work:
        assert work.stdout is not None
        assert work.stderr is not None
        for line in work.stdout:
            if "do nothing" in line:
                break
        work.send_signal(signal.SIGINT)
        assert work.stderr.read().strip() == "Stopped."
    assert work.returncode == 130


# ---- how the others answer ----------------------------------------------------------------------


def test_luck_goes_by_the_seed_and_comes_again_after_taking_back() -> None:
    ends: set[bool | None] = set()
    for seed in range(8):
        one = trial(GORGON, seed)
        for _ in range(2):
            for words in ("play gorg", "red +1", "pick b"):
                choose(one, words)
            end = one.reached
            assert end is not None
            ends.add(end)
            for _ in range(3):
                one.undo()
            assert (one.reached, one.history, one.choices) == (None, [], [])
        choose(one, "play gorg")
        choose(one, "red +1")
        choose(one, "pick b")
        assert one.reached == end
    assert ends == {True, False}


def test_luck_is_unkind_where_only_what_is_sure_counts() -> None:
    for seed in range(8):
        one = trial(GORGON, seed, unkind=True)
        for words in ("play gorg", "red +1", "pick b"):
            choose(one, words)
        assert one.reached is False


def test_others_who_play_for_themselves_do_so() -> None:
    # B can end the game and win it with its Koi.
    one = trial(
        "threshold 2; red 6; green 5; deck UnMe KeKo; "
        "A leader Enned; B leader Cyra hand KeKo open UnMe",
        goal="deny:B",
        others="selfish",
        horizon="2",
    )
    choose(one, "do nothing")
    assert [GAME.text.move(deed.table, deed.move) for deed in one.history][-1] == "play Keen Koi"
    assert one.reached is False


def test_random_others_choose_differently() -> None:
    position = (
        "threshold 2; red 6; green 5; deck UnMe KeKo; "
        "A leader Enned; B leader Pavyr hand KeKo open UnMe"
    )
    ends: set[bool | None] = set()
    for seed in range(12):
        one = trial(position, seed, others="random", horizon="2")
        assert one.options() == {one.moves[0]: Fraction(1, 3)}
        choose(one, "do nothing")
        ends.add(one.reached)
    assert ends == {True, False}


def test_what_was_perceived_leaves_fewer_worlds() -> None:
    # The Assassin turns B's hidden hero up; more turns are asked about, so that it goes on.
    position = (
        "threshold 4; red 4; green 8; deck DeDr BlCo AnAs LoLo SpSh UnMe PiPi; harbor ?; "
        "A leader Lemron hand AnAs PiPi open DeDr BlCo; B leader Pavyr open LoLo hidden ?"
    )
    one = trial(position, horizon="3")
    assert len(one.possible()) == 2
    for words in ("play andro", "red -1", "name tribes"):
        choose(one, words)
        assert len(one.possible()) == 2
    choose(one, "expose")
    assert len(one.possible()) == 1
    one.undo()
    assert len(one.possible()) == 2
