"""The bundled puzzles are proven, and a puzzle with a false claim is refused."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from arena.cli import main as cli
from games.engine import COMPILED
from games.registry import game, game_names
from games.state import Rng
from solver.certificates.checker import check_certificate
from solver.certificates.format import read_certificate, write_certificate
from solver.certificates.writer import certify
from solver.core.budget import NodeBudget
from solver.puzzles.files import (
    BadPuzzle,
    Puzzle,
    Undecided,
    bundled_puzzles,
    find_puzzle,
    load_puzzle,
    prove,
    puzzle_files,
)
from solver.puzzles.themes import themes
from solver.reference.brute_force import brute_values
from solver.reference.cross_check import tree_size
from tests.support.paths import ROOT

Capture = pytest.CaptureFixture[str]
GOOD = find_puzzle("doubt").read_text(encoding="utf-8")


PARTS = 12
"""The puzzles are proven in so many tests, for several workers."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_bundled_puzzle_is_proven_and_certified(part: int) -> None:
    """By the solver, and again by the checker, which follows the certificate through the rules."""
    for path in puzzle_files()[part :: PARTS if COMPILED else 20 * PARTS]:
        puzzle = load_puzzle(path)
        solved = prove(puzzle, NodeBudget())
        quiet = all(move.startswith(("discard", "do nothing")) for move in puzzle.answer)
        assert len(puzzle.answer) == 1 or quiet, path
        assert len(solved.answer.values) > len(solved.answer.best), path
        if puzzle.source.startswith("mined") or puzzle.query.game.name == "hidden-leaders":
            assert puzzle.theme in themes(solved), path
        certificate = read_certificate(write_certificate(certify(solved, NodeBudget())))
        assert check_certificate(certificate).open == (), path


@pytest.fixture(scope="module")
def bundled() -> list[Puzzle]:
    return list(bundled_puzzles())


def test_there_are_puzzles_of_every_kind(bundled: list[Puzzle]) -> None:
    """Of both games, every number of players, every theme and level; up to three turns."""
    assert len(bundled) >= 300
    assert sum(puzzle.source.startswith("mined") for puzzle in bundled) >= 200
    for name in game_names():
        rules = game(name)
        puzzles = [puzzle for puzzle in bundled if puzzle.query.game is rules]
        assert {puzzle.theme for puzzle in puzzles} == set(rules.puzzle_themes)
        counts = Counter(puzzle.query.position.players for puzzle in puzzles)
        assert set(counts) == set(rules.player_counts)
        assert min(counts.values()) >= 8
    assert min(Counter(puzzle.difficulty for puzzle in bundled).values()) >= 20
    answers = [puzzle.answer[0].split()[0] for puzzle in bundled]
    assert answers.count("discard") >= 10
    assert sum("do nothing" in puzzle.answer for puzzle in bundled) >= 10
    assert sum(0 < puzzle.value < 1 for puzzle in bundled) >= 30
    assert sum(bool(puzzle.query.position.unknowns()) for puzzle in bundled) >= 30
    kinds = Counter((puzzle.query.goal[:4], puzzle.query.horizon) for puzzle in bundled)
    for kind in (("win", "turn"), ("win", "2"), ("win", "3"), ("deny", "2"), ("deny", "3")):
        assert kinds[kind] >= 5, kind


def test_few_would_guess_the_first_move(bundled: list[Puzzle]) -> None:
    queries = [puzzle.query for puzzle in bundled]
    choices = [len(query.position.draw(Rng(1)).moves()) for query in queries]
    rights = [len(puzzle.answer) / count for puzzle, count in zip(bundled, choices, strict=True)]
    assert sum(rights) / len(rights) < 0.3


def test_no_two_are_alike(bundled: list[Puzzle]) -> None:
    count = len(bundled)
    assert len({puzzle.title for puzzle in bundled}) == count
    assert len({puzzle.story for puzzle in bundled}) == count
    questions = {
        (str(puzzle.query.position), puzzle.query.goal, puzzle.query.horizon) for puzzle in bundled
    }
    assert len(questions) == count
    plays = Counter(puzzle.answer for puzzle in bundled if puzzle.answer[0].startswith("play"))
    assert plays.most_common(1)[0][1] <= 12


def test_stories_do_not_name_the_answer(bundled: list[Puzzle]) -> None:
    for puzzle in bundled:
        verb, _, name = puzzle.answer[0].partition(" ")
        if verb in ("play", "discard"):
            words = f"{puzzle.title} {puzzle.story}".casefold()
            assert not any(part.casefold() in words for part in (name, name.split()[-1])), puzzle


def test_plain_recursion_agrees_on_a_puzzle() -> None:
    puzzle = load_puzzle(find_puzzle("cut-them-down"))
    solved = prove(puzzle, NodeBudget())
    question, table = solved.answer.question, solved.worlds[0]
    most = 200_000
    assert tree_size(table, question.deadline(table), most) < most
    expected = brute_values(question, table)
    assert {one.move: one.likely[0] for one in solved.answer.values} == expected


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("play Doubtful Priest", "do nothing", ", line 9: answer is not best; the best is"),
        (
            "play Doubtful Priest",
            "play Keen Koi",
            "line 9: answer is not possible: 'play Keen Koi'",
        ),
        ('"]', '", "do nothing"]', "line 9: answer is not best"),
        ('value = "1"', 'value = "1/2"', "line 10: value is 1/2, but the answer is 1"),
        ('value = "1"', 'value = "much"', "line 10: value must be a fraction"),
        ('value = "1"', 'value = "1"\nrating = 5000', "line 11: rating must be a number from 0 to"),
        (
            "difficulty = LEVEL",
            "difficulty = 9",
            "line 11: difficulty must be a number from 1 to 5",
        ),
        ("forced choice", "force choice", "theme must be one of"),
        ("title =", "titel =", "line 1: titel is not a key of a puzzle; did you mean 'title'?"),
        ("story =", "source =", "story must be given"),
        (
            'title = "',
            r'title = "\u001b[31m',
            r"line 1: title has characters that cannot be printed",
        ),
        ("red 7", "red 17", "line 3: position is wrong: red 17: the track goes from 1 to 12"),
        ("red 7", "over empire; red 7", "the game is over"),
        (
            'value = "1"',
            'value = "1"\ngame = "secrets"',
            'but is read as one of Secrets: try game = "hidden-leaders"',
        ),
        ('value = "1"', 'value = "1"\ngoal = "vin"', "there is no goal 'vin'"),
        ('value = "1"', 'value = "1"\nask = "all"', "line 11: ask must be one of likely, sure"),
        ("title = ", "title ", "doubt.toml: Expected '=' after a key"),
        (
            'value = "1"',
            'value = "1e99999999"',
            "line 10: value must be a fraction such as 1 or 2/3",
        ),
        ("difficulty = LEVEL", f"difficulty = {'2' * 5000}", "doubt.toml: "),
        ("difficulty = LEVEL", f"difficulty = {'[' * 5000}", "doubt.toml: "),
    ],
)
def test_a_puzzle_with_a_mistake_is_refused_with_file_and_line(
    old: str, new: str, complaint: str, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "doubt.toml"
    text = re.sub("difficulty = .", "difficulty = LEVEL", GOOD)
    text = re.sub("(source|rating) = .*\n", "", text)
    assert old in text
    path.write_text(text.replace(old, new).replace("LEVEL", "2"), encoding="utf-8")
    with pytest.raises(BadPuzzle) as captured:
        prove(load_puzzle(path), NodeBudget())
    assert complaint in str(captured.value)
    assert str(path) in str(captured.value)
    assert cli.run(["puzzles", "verify", str(path)]) == 1
    said = capsys.readouterr().out
    assert said.startswith("wrong ")
    assert said.endswith("0 of 1 puzzles are proven.\n")


def test_all_missing_keys_are_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bare.toml"
    path.write_text('title = "Bare"\ntheme = "denying"\n', encoding="utf-8")
    with pytest.raises(BadPuzzle, match="story, position, answer, value and difficulty must be"):
        load_puzzle(path)


def test_a_puzzle_too_large_for_the_limit_is_neither_proven_nor_wrong(capsys: Capture) -> None:
    name = "cut-them-down"
    with pytest.raises(
        Undecided, match="no exact answer, because the limit of 10 positions was reached"
    ):
        prove(load_puzzle(find_puzzle(name)), NodeBudget(10))
    assert cli.run(["puzzles", "verify", name, "--nodes", "10"]) == 1
    said, summary = capsys.readouterr().out.splitlines()
    assert said.startswith("open ")
    assert said.endswith("the limit of 10 positions was reached; try more --nodes")
    assert summary == "0 of 1 puzzles are proven."
    assert cli.run(["puzzles", "check", name, "--nodes", "10"]) == 1
    assert capsys.readouterr().out.startswith("none ")


def test_a_puzzle_about_bots_has_no_certificate_and_is_not_wrong(
    tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "doubt.toml"
    path.write_text(GOOD.replace('value = "1"', 'value = "1"\nothers = "bot:greedy"'))
    assert cli.run(["puzzles", "verify", str(path)]) == 0
    capsys.readouterr()
    assert cli.run(["puzzles", "check", str(path)]) == 1
    said, summary = capsys.readouterr().out.splitlines()
    assert said.startswith(f"none     {path}: others 'bot:greedy' cannot be certified")
    assert summary == "0 of 1 certificates are valid."


def test_puzzles_are_listed_from_easy_to_hard(capsys: Capture) -> None:
    assert cli.run(["puzzles"]) == 0
    alone = capsys.readouterr().out
    assert len([line for line in alone.splitlines()[2:] if line[:1] != " "]) == len(puzzle_files())
    assert cli.run(["puzzles", "list"]) == 0
    assert capsys.readouterr().out == alone
    assert cli.run(["puzzles", "list", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["puzzles"]
    assert [one["rating"] for one in told] == sorted(one["rating"] for one in told)
    assert "answer" not in told[0]


def test_puzzles_are_listed_by_game_theme_and_players(capsys: Capture) -> None:
    assert cli.run(["puzzles", "--theme", "denying", "--players", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["puzzles"]
    assert {(one["game"], one["theme"]) for one in told} == {("hidden-leaders", "denying")}
    assert cli.run(["puzzles", "--game", "secrets", "--players", "2"]) == 0
    assert capsys.readouterr().out == "No puzzles match.\n"


def test_the_command_verifies_puzzles(capsys: Capture) -> None:
    assert cli.run(["puzzles", "verify", "doubt", "fewer-is-more"]) == 0
    assert capsys.readouterr().out.endswith("2 of 2 puzzles are proven.\n")


def test_a_puzzle_is_shown_without_its_answer_unless_asked_for(capsys: Capture) -> None:
    assert cli.run(["puzzles", "show", "doubt"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Everybody against you\n")
    assert "The goal: A wins." in said
    assert "  play Doubtful Priest\n" in said
    assert "Best:" not in said
    assert cli.run(["puzzles", "show", "doubt", "--answer"]) == 0
    assert "Best: play Doubtful Priest (1)." in capsys.readouterr().out


def test_unknown_cards_are_shown_as_unknown(capsys: Capture) -> None:
    assert cli.run(["puzzles", "show", "fewer-is-more"]) == 0
    said = capsys.readouterr().out
    assert "hidden       ?, ?" in said
    assert "C's 2 unknown hidden heroes are among Spirited Shaman (T)" in said


def test_the_table_says_how_many_open_heroes_end_the_game(capsys: Capture) -> None:
    assert cli.run(["puzzles", "show", "doubt"]) == 0
    assert "open 3 of 4" in capsys.readouterr().out
    assert cli.run(["puzzles", "show", "kindness"]) == 0
    assert "cards 3 of 4" in capsys.readouterr().out


COUNT = len(puzzle_files())


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("show doubd", "arena: there is no puzzle 'doubd'; did you mean 'doubt'"),
        ("show doubd", f"(`arena puzzles` lists all {COUNT})\n"),
        ("verify solver", "'solver' is a folder: name the files in it"),
        ("lists", "no command 'lists'; did you mean 'list'? See arena puzzles --help\n"),
        ("doubt", "there is no command 'doubt' (known: certify, check, daily, list,"),
        ("doubt", "`arena puzzles` alone lists what there is"),
    ],
)
def test_a_wrong_word_gets_one_sentence(
    words: str, problem: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert cli.run(["puzzles", *words.split()]) == 2
    assert problem in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [[], ["show", "so-he-says"], ["rate", "the-sleeper-in-es-party", "--seeds", "1"]]
)
def test_tables_fit_a_hundred_columns(command: list[str], capsys: Capture) -> None:
    assert cli.run(["puzzles", *command]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100
