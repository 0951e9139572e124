"""`arena puzzles try`: solved, failed, hinted and undone attempts, with open and hidden cards."""

import signal
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.commands.puzzles import puzzles_group
from games.errors import GameError
from games.hidden_leaders.game import GAME
from games.hidden_leaders.positions.worlds import pose
from games.state import CHANCE
from solver.ask import Query, solve_query
from solver.core.budget import NodeBudget
from solver.puzzles.files import find_puzzle
from solver.puzzles.trial import Trial, start_trial
from tests.support.leagues import command, ended

GORGON = (
    "threshold 3; red 4; green 8; A leader Lemron hand GoGo open DeDr BlCo; "
    "B leader Pavyr open LoLo UnMe hidden WaWi"
)
"""The Gorgon buries one of B's two open heroes; A wins if it is the Loner."""


def attempt(name: str, *typed: str, seed: int = 1, code: int = 0) -> str:
    """What is printed if these lines are typed; fails unless the exit code is `code`."""
    lines = "".join(f"{line}\n" for line in typed)
    words = ["try", name, "--seed", str(seed)]
    done = CliRunner().invoke(puzzles_group, words, lines, standalone_mode=False)
    assert (done.exception, done.return_value) == (None, code)
    return done.output


def trial(position: str, seed: int = 1, unkind: bool = False, **asked: str) -> Trial:
    solved = solve_query(Query(GAME, pose(position), **asked), NodeBudget())  # type: ignore[arg-type]
    return start_trial(solved, seed, unkind, NodeBudget())


def choose(current: Trial, *choices: str) -> None:
    for words in choices:
        current.choose(GAME.text.parse(current.state, words))


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
    text = attempt(str(path), "do nothing", "q", code=1)
    assert "--nodes" not in text
    assert "B: " in text


def test_what_may_be_drawn_is_not_searched_if_it_cannot_matter() -> None:
    """Drawing every card after the first turn would take more than a million positions."""
    line = (
        "puzzle 1 | hidden-leaders win 2 coalition auto likely | Luck | threshold 2; red 6; "
        "A leader Xiadul hand ShSo FrFr open FlKn; B leader Cyra hand KeKo"
    )
    assert "Solved: every move was best (winning chance 1)." in attempt(line, "1")


def test_a_puzzle_that_asks_for_a_sure_win_says_so_and_names_the_guarantee() -> None:
    text = " ".join(attempt("whoever-you-are", "1", code=1).split())
    assert "What counts is what a move guarantees" in text
    assert "A miss: your guaranteed chance was 1 and is now 0." in text
    assert "left 0 of a guaranteed chance of 1." in text
    assert "was best (guaranteed chance 1)." in text
    shown = CliRunner().invoke(puzzles_group, ["show", "whoever-you-are"])
    assert "What counts is what a move guarantees" in " ".join(shown.output.split())


def test_what_chance_brings_is_told_as_chances_once() -> None:
    """It said "Chance: chance: Doubtful Priest"."""
    text = attempt("all-in-good-time", "play resilient", "red +1", "pick B")
    assert "Chance: " in text
    assert "chance: " not in text


def test_a_chance_to_deny_is_not_called_a_winning_chance() -> None:
    solved = attempt("a-step-too-far", "play bludgeoning")
    assert "every move was best (chance 1)." in solved
    assert "winning chance" not in solved


def test_a_puzzle_is_found_by_its_title() -> None:
    assert find_puzzle("An old hand") == find_puzzle("once-more")


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
    lucky = [made for made in attempted.history if made.table.actor == CHANCE]
    assert [made.seen for made in lucky] == [True, True, False]  # the last card is B's
    assert len(lucky[-1].table.moves()) == 1


def test_hands_that_do_not_matter_are_not_shown_as_if_they_were_known(tmp_path: Path) -> None:
    path = tmp_path / "doubt.toml"
    text = find_puzzle("doubt").read_text(encoding="utf-8")
    path.write_text(text.replace("hand KeKo", "hand ?x2").replace("hand ApWa", "hand ?"))
    text = attempt(str(path), "q", code=1)
    shown = CliRunner().invoke(puzzles_group, ["show", str(path)], standalone_mode=False).output
    for captured in (text, shown):
        assert "hand         ?, ?\n" in captured
        assert "B's hand is unknown, and does not matter." in captured
        assert "Sharpshooter" not in captured


def test_the_seed_picks_the_true_world_and_a_solved_puzzle_may_still_miss_its_goal() -> None:
    ends = [attempt("fewer-is-more", "1", "red -2", seed=seed) for seed in range(12)]
    missed = [" ".join(text.split()) for text in ends if "Goal missed" in text]
    assert 0 < len(missed) < len(ends)
    assert all(", but you were unlucky." in text for text in missed)
    assert attempt("fewer-is-more", "1", "red -2", seed=5) == ends[5]


def test_a_puzzle_can_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(find_puzzle("doubt").read_text(encoding="utf-8"), encoding="utf-8")
    attempt(str(path), "1", "1", "1")


@pytest.mark.slow
def test_an_attempt_beyond_the_last_turn_that_matters_ends_with_a_game_that_goes_on() -> None:
    """B has the last turn and can wait, so the solver needs to look no further than A's."""
    text = attempt("wishful-thinking", "play pigmented", "q", code=1)
    assert "Goal missed: the game goes on." in text


def test_the_end_of_an_attempt_says_what_decided_the_game() -> None:
    text = attempt("the-smaller-party", "play friendly", "1", "q", code=1)
    assert "Goal missed: Tribes wins, and with it E." in text
    assert "E wins: a tie, and the highest leader number, 3." in text
    level = attempt("the-safe-side", "swap A and B", "q", code=1)
    assert "Goal missed: CIA 6, KGB 6: level, so everybody loses." in level
    assert "C, CIA: 6 points." in level


def test_a_line_that_fails_though_its_move_is_best_is_said_to_need_bad_luck() -> None:
    text = attempt("time-for-the-cia", "to E", "1", "1", "1", "q", code=1)
    assert "'to C' was best (winning chance 3/4)." in text
    assert "With bad luck: A: to C; C: accept; C: pass to A; the game goes on." in text
    assert "Best line" not in text


def test_what_to_say_is_not_asked_where_nobody_listens() -> None:
    text = attempt("a-surprise-for-the-kgb", "to B", "undo", "to F")
    assert "A (you): to B\nB: accept\nB: offer Double Agent\n" in text
    assert "Your choice: to F\n\nA (you): to F\nF: accept\n\nGoal reached: CIA wins" in text
    assert "claim" not in text
    assert "say nothing" not in text
    assert "A miss: your chance was 1 and is now 0." in text


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("doubt", "Look at Doubtful Priest."),
        ("a-night-for-xiadul", "Look at the choices that begin with discard or do."),
        ("two-bad-answers", "What happens if you refuse?"),
        ("whoever-you-are", "Look at F."),
        ("a-task-for-the-kgb", "Look at C."),
        ("the-safe-side", "Look at A and C."),
    ],
)
def test_the_second_hint_is_about_what_the_best_choices_have_in_common(
    name: str, hint: str
) -> None:
    assert f"Your choice: hint\n{hint}\n" in attempt(name, "hint", "hint", "q", code=1)


def test_after_a_miss_an_unknown_word_is_answered_with_what_can_be_typed() -> None:
    text = attempt("the-safe-side", "swap A and B", "?", "q", code=1)
    assert "type b, a, s or q" in text


def test_ctrl_c_leaves_the_puzzle() -> None:
    with command("puzzles", "try", "doubt", PYTHONUNBUFFERED="1") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "do nothing" in line:
                break
        process.send_signal(signal.SIGINT)
        done = ended(process)
    assert (done.returncode, done.stderr.strip()) == (130, "Stopped.")


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


SELFISH = (
    "threshold 2; red 6; green 5; deck UnMe KeKo; A leader Enned; B leader Cyra hand KeKo open UnMe"
)
"""B can end the game and win it with its Koi."""


def test_selfish_others_play_for_themselves() -> None:
    attempted = trial(SELFISH, goal="deny:B", others="selfish", horizon="2")
    choose(attempted, "do nothing")
    last = attempted.history[-1]
    assert GAME.text.move(last.table, last.move) == "play Keen Koi"
    assert attempted.reached is False


def test_random_others_vary_with_the_seed() -> None:
    position = SELFISH.replace("Cyra", "Pavyr")
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
