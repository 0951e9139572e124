"""Puzzles are made from games and at random: proven, tempting, simple and reproducible."""

import random
import re
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.lab.puzzle_difficulty import puzzle_rating, tempting
from games.hidden_leaders.positions.position import Position
from games.hidden_leaders.positions.worlds import PosedTable
from games.registry import game
from solver.ask import Query, solve_query
from solver.core.budget import NodeBudget
from solver.puzzles.files import find_puzzle, load_puzzle, prove, puzzle_files
from solver.puzzles.prose import slug, story, title
from solver.puzzles.quality import Candidate, Ending, Examiner, puzzle_query
from solver.puzzles.search import Collection, Wanted, composed
from solver.puzzles.themes import themes
from solver.puzzles.writer import write_puzzle
from tests.support.leagues import play, small

Capture = pytest.CaptureFixture[str]
RULES = game("hidden-leaders")
EXAMINER = Examiner(lambda _solution, _best: True, 20_000)
"""Finds every puzzle tempting."""

CUT = (
    "red 6; green 5; threshold 3; deck BlCo UnEx DeDr ShSo UnMe TrLi{}; "
    "A leader Myrad hand BlCo UnEx DeDr; B leader Cyra hand ShSo open UnMe TrLi{}"
)
BARE = CUT.format("", "")
GRANNY = (
    "red 8; green 7; threshold 3; A leader Myrad hand GhGr RoOr HaWi open ArSk CrCa; "
    "B leader Enned open NaNe"
)
SIX = (
    "players 6; red 10; green 8; threshold 3; graveyard LoLo; A leader Xiadul hand SuSk MoMo "
    "SpSh open ShSo; B leader {} open TrLi MuMy hidden PeWh; C leader Lemron; D leader Myrad; "
    "E leader Cyra; F leader Pavyr open FlKn"
)
CLUTTERED = CUT.format(" KeKo AcFi GrGu CrCa LeLe", " hidden KeKo AcFi; graveyard GrGu CrCa LeLe")


def found(
    position: str, goal: str = "win", turns: int = 1, examiner: Examiner = EXAMINER
) -> Candidate | None:
    assert RULES.positions is not None
    posed = RULES.positions.read(position)
    query = puzzle_query(RULES, posed, goal, turns, "coalition")
    return examiner.examine(Ending(posed, "made by hand", 0), query)


def _position(candidate: Candidate) -> Position:
    assert isinstance(candidate.position, PosedTable)
    return candidate.position.position


def made(folder: Path, *options: str) -> list[str]:
    """The text of the files that the command makes."""
    words = ["puzzles", "make", "--out", str(folder), *options]
    assert cli.run(words) == 0
    return [path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("making") / "run.db"
    play(path, small("greedy", "random", options=["threshold=3"], players="2", deals=10, seed=4))
    return path


# ---- what is kept -----------------------------------------------------------------------------


def test_a_single_answer_is_a_candidate() -> None:
    one = found(BARE, "deny:B", 2)
    assert one is not None
    assert one.answers[0] == "play Unconfident Executioner"
    assert one.value == 1
    assert one.themes == ("denying", "forced burial")


@pytest.mark.parametrize(
    ("position", "goal", "turns"),
    [
        # Whatever A does, B does not win before its turn.
        (BARE, "deny:B", 1),
        (BARE.replace("hand BlCo", "hand").replace("BlCo ", ""), "deny:B", 2),
        (SIX.format("?"), "win", 1),
    ],
    ids=["several answers", "one of two heroes", "only one leader is possible"],
)
def test_what_would_be_a_bad_puzzle_is_no_candidate(position: str, goal: str, turns: int) -> None:
    assert found(position, goal, turns) is None


def test_what_a_glance_and_playouts_find_is_no_candidate() -> None:
    assert found(GRANNY) is not None
    assert found(GRANNY, examiner=Examiner(tempting, 20_000)) is None


QUIET = (
    "players 2; red 6; green 6; threshold 3; deck ShSo UnMe KeKo AcFi TrLi; A leader Myrad "
    "hand ShSo UnMe KeKo open AcFi TrLi; B leader Cyra"
)
"""Any hero that A plays ends the game, and Water wins for B."""


def test_several_quiet_moves_are_one_answer_if_only_these_are_wanted() -> None:
    assert found(BARE, "deny:B", 2, Examiner(EXAMINER.tempts, 20_000, quiet=True)) is None
    quiet = found(QUIET, "deny:B", 2, Examiner(EXAMINER.tempts, 20_000, quiet=True))
    assert quiet is not None
    assert all(answer.startswith(("discard", "do nothing")) for answer in quiet.answers)
    assert len(quiet.answers) > 1


def test_a_known_leader_makes_a_candidate() -> None:
    assert found(SIX.format("Enned")) is not None


def test_what_the_answer_does_not_need_is_removed() -> None:
    cluttered = found(CLUTTERED, "deny:B", 2)
    assert cluttered is not None
    bare = EXAMINER.simplified(cluttered, "denying")
    assert (bare.answers, bare.value) == (cluttered.answers, Fraction(1))
    assert "denying" in bare.themes
    assert _position(bare).graveyard == ()
    assert _position(bare).seats[1].hidden == ()
    assert len(_position(bare).seats[0].hand) == 3
    assert set(_position(bare).deck) < set(_position(cluttered).deck)
    assert EXAMINER.simplified(bare, "denying") == bare


def test_a_win_at_once_is_not_asked_for_within_two_turns() -> None:
    late = found(
        "red 3; green 10; threshold 3; deck BoGo WaWi HaHe SaTr GrGu ArSk WiWi ReRa; "
        "A leader Myrad hand WaWi SaTr ReRa open ArSk WiWi hidden BoGo; "
        "B leader Enned; C leader Lemron open GrGu hidden HaHe",
        turns=2,
    )
    assert late is not None
    assert late.answers[0] == "play Saber-Toothed Troll"
    soon = EXAMINER.simplified(late, "forced choice")
    assert soon.answers == late.answers
    assert soon.solution.query.horizon == "turn"


FACE_DOWN = (
    "red 9; green 8; threshold 3; deck OvAm DoPr InIm CaCa TeOr DrDe LeLi KrKe AiEe {}; "
    "A leader Enned hand OvAm InIm DoPr open DrDe KrKe; B leader Xiadul hidden ?"
)


@pytest.mark.compiled
def test_of_many_cards_that_might_lie_face_down_a_few_are_left() -> None:
    many = found(FACE_DOWN.format("PiPi CuLo BlCo"))
    assert many is not None
    assert (many.answers[0], many.value) == ("play Insidious Impaler", Fraction(1))
    few = EXAMINER.simplified(many, "hidden cards")
    assert (few.answers, few.value) == (many.answers, many.value)
    assert len(many.solution.worlds) == 7
    assert len(few.solution.worlds) == 4


def test_no_title_is_used_twice() -> None:
    one = found(BARE, "deny:B", 2)
    assert one is not None
    dice = random.Random(0)
    taken: set[str] = set()
    for _ in range(300):
        name = slug(title(one, dice, taken))
        assert name
        assert name not in taken
        taken.add(name)


def test_stories_differ_say_what_is_asked_and_do_not_name_the_answer() -> None:
    one = found(BARE, "deny:B", 2)
    assert one is not None
    told: set[str] = set()
    dice = random.Random(0)
    for _ in range(60):
        said = story(one, dice, told)
        assert said not in told
        assert re.search("B from winning|B must not win|B has not won|Hold off B", said)
        assert "Executioner" not in said
        assert "bury" not in said
        told.add(said)


def test_stories_tell_nothing_that_is_hidden() -> None:
    """The same words for all leaders and heroes that may lie there."""
    assert RULES.positions is not None
    assert RULES.puzzles is not None
    for dice in range(20):
        hidden = RULES.positions.read(FACE_DOWN.format("PiPi CuLo BlCo"))
        known = " ".join(RULES.puzzles.remarks(hidden, random.Random(dice)))
        for name in ("Pig", "Cat Lover", "Collector"):
            assert name not in known


def test_only_a_seat_with_a_card_could_end_the_game_at_any_moment() -> None:
    """An empty hand is filled only after the action of a turn, so that turn ends nothing."""
    assert RULES.positions is not None
    assert RULES.puzzles is not None
    table = "threshold 2; A leader Pavyr hand KeKo; B leader Xiadul{} open FlKn; C leader Cyra"
    for hand, armed in ((" hand ShSo", True), ("", False)):
        position = RULES.positions.read(table.format(hand))
        told = " ".join(
            one for n in range(60) for one in RULES.puzzles.remarks(position, random.Random(n))
        )
        assert "One more hero for B, and it is over." in told
        assert ("B could end it at any moment." in told) == armed


def test_bundled_stories_say_so_only_of_seats_that_have_cards() -> None:
    said = 0
    for path in puzzle_files():
        puzzle = load_puzzle(path)
        seat = re.search(r"\b([B-H]) could end it at any moment", puzzle.story)
        if seat:
            said += 1
            assert re.search(rf"\b{seat[1]} leader [^;\n]* hand ", str(puzzle.query.position)), path
    assert said


def test_a_team_of_four_is_listed_in_good_english() -> None:
    secrets = game("secrets")
    assert secrets.positions is not None
    assert secrets.puzzles is not None
    puzzle = load_puzzle(find_puzzle("no-way-back-2"))
    position = secrets.positions.read(str(puzzle.query.position))
    told = {one for n in range(60) for one in secrets.puzzles.remarks(position, random.Random(n))}
    assert "D, F, H and you are KGB." in told
    assert "D, F, H and you are KGB." in puzzle.story


def test_stories_name_all_supporters_of_a_faction_only_if_every_leader_is_known() -> None:
    assert RULES.positions is not None
    assert RULES.puzzles is not None
    table = "threshold 3; A leader Pavyr hand KeKo; B leader Xiadul; C leader {}"
    for leader, complete in (("Lemron", True), ("?", False)):
        position = RULES.positions.read(table.format(leader))
        told = [" ".join(RULES.puzzles.remarks(position, random.Random(n))) for n in range(60)]
        assert any("B wants the Empire to win, as you do." in remarks for remarks in told)
        assert any("The Empire: that is you and B." in remarks for remarks in told) == complete


# ---- the command ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.compiled
def test_a_run_gives_proven_puzzles_and_the_same_for_the_same_seed(
    run: Path, tmp_path: Path, capsys: Capture
) -> None:
    options = ("--from", str(run), "--count", "1", "--nodes", "3000", "--seed", "1")
    once = made(tmp_path / "once", *options)
    said = capsys.readouterr().out
    assert said.endswith(f"Made and proved 1 puzzle in {tmp_path / 'once'}.\n")
    assert made(tmp_path / "again", *options) == once
    (path,) = (tmp_path / "once").iterdir()
    puzzle = load_puzzle(path)
    solved = prove(puzzle, NodeBudget())
    assert path.stem == slug(puzzle.title)
    assert puzzle.source.startswith("mined: game ")
    assert puzzle.source.endswith(" of a league of greedy and random, seed 4")
    assert puzzle.query.position.players == 2
    assert tempting(solved, [value.move for value in solved.answer.best])


@pytest.mark.compiled
def test_without_a_run_endings_are_random(tmp_path: Path) -> None:
    options = ("--count", "1", "--players", "2", "--theme", "forced choice", "--nodes", "400")
    made(tmp_path, *options, "--seed", "11")
    (path,) = tmp_path.iterdir()
    puzzle = load_puzzle(path)
    assert (puzzle.theme, puzzle.source) == ("forced choice", "composed, seed 11")
    assert puzzle.query.position.players == 2
    prove(puzzle, NodeBudget())


@pytest.mark.compiled
def test_an_answer_is_not_repeated_under_the_same_theme(tmp_path: Path) -> None:
    wanted = Wanted(RULES, 1, (2,), "forced choice", 37, 400)
    few = list(islice(composed(wanted), 3))
    ((first, theme),) = Collection(wanted, tempting).gather(few)
    path = tmp_path / "first.toml"
    write_puzzle(path, first, "First", "Which move wins?", theme, puzzle_rating)
    known = load_puzzle(path)
    again = [found.answers for found, _ in Collection(wanted, tempting, [known]).gather(few)]
    assert first.answers not in again


def test_fewer_than_asked_for_are_kept_and_reported(
    run: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = ["puzzles", "make", "--from", str(run), "--count", "9", "--theme", "copy chain"]
    assert cli.run([*words, "--nodes", "40", "--out", str(tmp_path)]) == 1
    captured = capsys.readouterr().err
    assert captured.startswith("arena: found ")
    assert " of 9 puzzles in " in captured
    advice = "request fewer, allow other themes, play a longer league, "
    assert captured.endswith(f"; {advice}or raise --nodes above 40\n")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--from", "no-such.db"], "there is no run file 'no-such.db'"),
        (["--theme", "heroism"], "'heroism' is not one of 'copy chain', 'denying'"),
        (["--players", "7"], "Hidden Leaders is for 2 to 6 players, not 7"),
        (["--game", "secrets", "--players", "3"], "Secrets is for 4 to 8 players, not 3"),
        (["--game", "secrets", "--theme", "denying"], "Secrets has no theme 'denying' (known:"),
        (["--turns", "4"], "4 is not in the range 1<=x<=3"),
        (["--seed", "-1"], "-1 is not in the range x>=0"),
        (["--count", "0"], "0 is not in the range x>=1"),
        (["--out", "/dev/null/puzzles"], "cannot write puzzles to '/dev/null/puzzles'"),
    ],
)
def test_bad_input_gets_one_sentence(
    options: list[str],
    complaint: str,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["puzzles", "make", "--count", "1", *options]) == 2
    assert complaint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_run_of_another_game_than_asked_for_is_refused(
    run: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out"
    words = ["puzzles", "make", "--from", str(run), "--count", "1", "--out", str(out)]
    assert cli.run([*words, "--game", "secrets"]) == 2
    assert "is a league of Hidden Leaders; leave out --game secrets" in capsys.readouterr().err
    assert not out.exists()


# ---- Secrets ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.compiled
def test_puzzles_of_secrets_are_mined_and_composed(tmp_path: Path) -> None:
    path = tmp_path / "secrets.db"
    play(path, small("greedy", "random", game="secrets", options=[], players="4", deals=3))
    options = ("--count", "1", "--nodes", "3000")
    for folder, more in (("mined", ("--from", str(path))), ("composed", ("--game", "secrets"))):
        made(tmp_path / folder, *options, *more)
        (file,) = (tmp_path / folder).iterdir()
        puzzle = load_puzzle(file)
        solved = prove(puzzle, NodeBudget())
        assert puzzle.source.startswith(folder)
        assert puzzle.query.game.name == "secrets"
        assert puzzle.theme in themes(solved)
        assert solved.answer.question.seat == 0


SECRETS = game("secrets")
OFFER = (
    "players 4; turn A; centre CIA; A token CIA up Double-Agent Politician Journalist Diplomat; "
    "B token KGB up Politician Journalist Scientist Diplomat; C token KGB up Detective; "
    "D token Hippie up Psychiatrist; turned Scientist Assassin; offer Scientist"
)


def test_the_seat_that_decides_becomes_a() -> None:
    assert SECRETS.positions is not None
    assert SECRETS.puzzles is not None
    state = SECRETS.positions.read(f"{OFFER}; to C; claim -").worlds(1)[0]
    assert state.actor == 2
    ending = SECRETS.puzzles.ending_of(state)
    assert ending is not None
    (turned,) = ending.worlds(1)
    assert turned.actor == 0
    assert "C token CIA up Double-Agent Politician Journalist Diplomat" in str(ending)
    assert "turn C" in str(ending)
    assert "to A" in str(ending)


def test_a_seat_without_a_known_token_is_not_in_the_title() -> None:
    """It was called "somebody", which reads as if a name were missing."""
    assert SECRETS.positions is not None
    posed = SECRETS.positions.read(OFFER.replace("centre CIA; A token CIA", "centre ?; A token ?"))
    solved = solve_query(Query(SECRETS, posed, horizon="turn", others="random"), NodeBudget())
    one = Candidate(Ending(posed, "made by hand", 0), solved, (), Fraction(1), ())
    taken: set[str] = set()
    for _ in range(150):  # more than there are titles without a name
        words = title(one, random.Random(0), taken)
        assert not re.search(r" for( somebody)?$", words)
        taken.add(slug(words))


def test_far_from_the_end_there_is_no_ending() -> None:
    assert SECRETS.positions is not None
    assert SECRETS.puzzles is not None
    early = OFFER.replace(" Journalist Scientist Diplomat", "").replace(" Journalist Diplomat", "")
    state = SECRETS.positions.read(early).worlds(1)[0]
    assert SECRETS.puzzles.ending_of(state) is None
