"""`arena solve`: what it prints, its exit codes, its errors, and that Ctrl-C gets an answer."""

import io
import json
import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from arena.cli import main as cli
from games.hidden_leaders.positions.notation import read, write
from games.hidden_leaders.text.moves import parse_move
from tests.support.small_positions import ONE_TURN

Capture = pytest.CaptureFixture[str]
B_DECIDES = (
    "threshold 3; red 7; A leader Xiadul hand FlKn open ShSo WiWi FrFr; B leader Cyra hand ?x2 "
    "open MuMy hidden LeLe; pending 48 -1 1 -1 -1 0 0 0 / 1344 49 1 -1 -1 0 0 0"
)
"""In A's turn B must discard, and its hand is not known."""
LONG = "players 3; A leader Myrad hand ShSo UnMe FuFr; B leader Lemron hand BoGo; C leader Pavyr"


def solve(capsys: Capture, *arguments: str) -> tuple[int, str]:
    code = cli.run(["solve", *arguments])
    return code, capsys.readouterr().out


def test_it_says_the_question_the_values_the_best_move_and_the_cost(capsys: Capture) -> None:
    code, said = solve(capsys, ONE_TURN)
    assert code == 0
    assert "The goal: A wins.\nThe horizon: this turn" in said
    assert "The others cooperate against the goal" in said
    assert "Everyone sees all cards" in said
    assert (
        "*   play Furious Frog              1        A: red -2; Tribes wins, and with it A" in said
    )
    assert "    play Underpaid Mercenary       0        " in said
    assert "\nBest: play Furious Frog (1).\nExact; " in said


def test_a_lesser_move_comes_with_what_refutes_it(capsys: Capture) -> None:
    _, said = solve(capsys, ONE_TURN, "--json")
    lines = {one["move"]: one["line"] for one in json.loads(said)["moves"]}
    assert lines["play Furious Frog"][1:] == ["A: red -2", "Tribes wins, and with it A"]
    assert lines["play Short-Sighted Soldier"][-1].startswith("Empire wins, and with it")
    assert lines["do nothing"] == ["A: do nothing", "the game goes on"]


def test_json_holds_the_whole_answer(capsys: Capture) -> None:
    code, said = solve(capsys, ONE_TURN, "--json")
    told = json.loads(said)
    assert code == 0
    assert told["best"] == told["surest"] == ["play Furious Frog"]
    assert told["exact"] is True
    assert told["why_not_exact"] == ""
    assert told["meaning"][0] == "The goal: A wins."
    values = {one["move"]: one["value"] for one in told["moves"]}
    assert values.pop("play Furious Frog") == ["1", "1"]
    assert set(map(tuple, values.values())) == {("0", "0")}


def test_a_file_and_what_comes_in_are_read_as_well(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, said = solve(capsys, ONE_TURN)
    ending = tmp_path / "ending.txt"
    ending.write_text(f"# a win\n{ONE_TURN}\n", encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO(ONE_TURN))
    for source in (str(ending), "-"):
        code, again = solve(capsys, source)
        assert code == 0
        assert again.splitlines()[:-1] == said.splitlines()[:-1]


def test_unknown_cards_make_worlds_and_a_lesser_move_names_one_that_refutes_it(
    capsys: Capture,
) -> None:
    # The Frog makes Tribes win, and A has two of them. So has C, if neither of its two hidden
    # heroes is the Soldier, and then C wins with fewer heroes: in two of the six worlds.
    position = (
        "threshold 3; red 6; green 6; deck DeDr FuFr BlCo SpSh GrGu ShSo; harbor ?; "
        "A leader Myrad hand FuFr open DeDr BlCo; B leader Lemron; C leader Pavyr hidden ? ?"
    )
    code, said = solve(capsys, position, "--json")
    told = json.loads(said)
    frog = next(one for one in told["moves"] if one["move"] == "play Furious Frog")
    assert code == 0
    assert told["worlds"] == 6
    assert told["sight"] == "own"
    assert frog["value"] == ["2/3", "2/3"]
    assert frog["worst_world"] == ["0", "0"]
    assert sorted(frog["in_each_world"]) == ["0", "0", "1", "1", "1", "1"]
    _, said = solve(capsys, position)
    assert "2/3 (0.667)" in said
    assert "4 of 6" in said
    assert "C hidden" in said


def test_a_bound_says_so_and_why_with_exit_code_1(capsys: Capture) -> None:
    code, said = solve(capsys, LONG, "--horizon", "end", "--nodes", "100")
    assert code == 1
    assert "0 to 1" in said
    assert "Best: not proven; perhaps" in said
    assert "Not exact, a bound: the limit of 100 positions was reached; 100 positions" in said


def test_a_proven_best_move_is_named_even_if_others_may_be_as_good(capsys: Capture) -> None:
    code, said = solve(capsys, ONE_TURN, "--horizon", "2", "--nodes", "500")
    assert code == 1
    assert "Best: play Furious Frog (1); perhaps" in said


def test_a_file_may_begin_with_the_mark_that_some_editors_write(
    tmp_path: Path, capsys: Capture
) -> None:
    ending = tmp_path / "ending.txt"
    ending.write_text(ONE_TURN, encoding="utf-8-sig")
    assert solve(capsys, str(ending))[0] == 0


def test_what_comes_in_must_be_text(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    bad = io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), encoding="utf-8", errors="strict")
    monkeypatch.setattr(sys, "stdin", bad)
    assert cli.run(["solve", "-"]) == 2
    assert capsys.readouterr().err == "arena: what comes in is not text\n"


def test_goals_of_denying_and_of_factions(capsys: Capture) -> None:
    for goal, words in (
        ("deny:B", "B does not win"),
        ("Tribes", "Tribes wins, whichever seats support it"),
    ):
        code, said = solve(capsys, ONE_TURN, "--goal", goal)
        assert code == 0
        assert f"The goal: {words}." in said


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["no-such-file.txt"], "'no-such-file.txt' is neither a file nor a position"),
        ([""], "there is nothing in it"),
        (["players -99999; A hand KeKo"], "players -99999: there are 2 to 6 players"),
        ([f"A hand ?x{'9' * 5000}"], "A hand: there is no hero '?x999"),
        (
            [B_DECIDES],
            "the seat to move must know its own cards",
        ),
        ([str(Path(__file__).parent)], "is a folder, not a file that holds a position"),
        ([ONE_TURN, "--game", "secrets"], "try --game hidden-leaders"),
        (["players 5; turn B; centre CIA; A token KGB up Spy"], "try --game secrets"),
        (
            [ONE_TURN, "--others", "bot:greedy", "--certificate", "proof.json"],
            "others 'bot:greedy' cannot be certified; use coalition, random or selfish",
        ),
        (["players 2; A hand Crow-Carier"], "there is no hero 'Crow-Carier'; did you mean"),
        (["players 2; A leader Cyra; over water; B leader Myrad"], "the game is over"),
        ([ONE_TURN, "--goal", "watr"], "there is no goal 'watr' (known: win, deny:SEAT, undead"),
        ([ONE_TURN, "--goal", "deny:A"], "choose one of deny:B"),
        ([ONE_TURN, "--goal", "deny:Q"], "choose one of deny:B"),
        ([ONE_TURN, "--horizon", "soon"], "use 'turn', 'end' or a number of turns"),
        ([ONE_TURN, "--horizon", "0"], "use 'turn', 'end' or a number of turns"),
        (
            [ONE_TURN, "--others", "kind"],
            "others 'kind': choose one of coalition, random, selfish, bot:NAME, equilibrium",
        ),
        ([ONE_TURN, "--others", "bot"], "name the bot, as in bot:greedy"),
        ([ONE_TURN, "--others", "bot:gredy"], "there is no bot 'gredy'; did you mean 'greedy'?"),
        ([ONE_TURN, "--others", "bot:greedy:width=2"], "Greedy has no option 'width'"),
        (
            [ONE_TURN, "--others", "bot:cmd:./bot"],
            "is a program; only a Python class can be used here",
        ),
        (
            ["A leader Cyra hand CrCa; B leader ? hand ?x3", "--horizon", "2"],
            "ways to fill in what is unknown",
        ),
        (["A leader Cyra hand CrCa; B leader ?", "--sight", "all"], "B leader: unknown"),
        (["A leader ? hand CrCa; B leader Cyra"], "here they could be A leader Enned or A leader"),
        (["A leader Cyra; B leader Enned; deck KeKo ShSo; tavern ? - -"], "tavern KeKo or tavern"),
        (["A hand ?; B leader Cyra"], "must know its own cards"),
        (["A leader ? hand ?; B leader Cyra"], "must know its own cards"),
        (
            [ONE_TURN, "--sight", "own", "--others", "selfish"],
            "selfish others are offered only with all cards open",
        ),
    ],
)
def test_mistakes_get_one_sentence_and_code_2(
    arguments: list[str], complaint: str, capsys: Capture
) -> None:
    assert cli.run(["solve", *arguments]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_a_file_with_a_bad_position_is_named(tmp_path: Path, capsys: Capture) -> None:
    ending = tmp_path / "ending.txt"
    ending.write_text("red 14", encoding="utf-8")
    assert cli.run(["solve", str(ending)]) == 2
    assert f"{ending}: red 14: the track goes from 1 to 12" in capsys.readouterr().err


def test_ctrl_c_gives_the_bounds_known_so_far() -> None:
    command = [sys.executable, "-m", "arena", "solve", LONG, "--horizon", "end"]
    with subprocess.Popen(
        [*command, "--nodes", "1000000000"],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as work:
        assert work.stderr is not None
        progress = work.stderr.readline()
        work.send_signal(signal.SIGINT)
        said, _ = work.communicate(timeout=60)
    assert "Ctrl-C for the bounds so far" in progress
    assert "Not exact, a bound: it was stopped" in said
    assert work.returncode == 1


# ---- equilibria -------------------------------------------------------------------------------

DUEL = (
    "threshold 3; red 10; green 10; deck DoPr SaTr ArSk BoGo DeDr ShSo; "
    "A leader ? hand DoPr SaTr open ArSk BoGo; B leader ? open DeDr ShSo"
)
"""Both cards let B decide which faction wins, so A must not betray its leader by its choice."""


def test_an_equilibrium_says_who_knows_what_and_its_value(capsys: Capture) -> None:
    code, said = solve(capsys, DUEL, "--others", "equilibrium")
    words = " ".join(said.split())
    assert code == 0
    assert "B wants the opposite. Both play an equilibrium: they may mix moves at random" in words
    assert "A card or leader written as ? is known to the seat that has it" in words
    assert "There are 30 worlds, all equally likely at the start." in words
    assert "seen how often move played value against B" in words
    assert "A leader Myrad 1/6 " in words
    assert "Value: 1/3 (0.333). A can be sure of that much, and B can hold A to it. Exact;" in words


def test_an_equilibrium_says_how_often_each_first_move_is_played(capsys: Capture) -> None:
    # B will guess the faction of what A hides now: test_equilibrium.py tells why.
    state = read(
        "threshold 3; red 5; green 5; deck FrFr SaSa WeWa BaMa AnAs; "
        "A leader Lemron hand FrFr SaSa WeWa BaMa; B leader Xiadul hand AnAs"
    ).state()
    state.play(parse_move(state, "play Friendly Frogmage"))
    code, said = solve(capsys, write(state), "--others", "equilibrium", "--horizon", "3")
    rows = [" ".join(line.split()) for line in said.splitlines()]
    assert code == 0
    for name in ("Battle Pet Master", "Well-Aged Warrior", "Saltwater Sage"):
        assert f"place {name} hidden 1/3 2/3" in rows


def test_an_equilibrium_as_json_adds_up(capsys: Capture) -> None:
    code, said = solve(capsys, DUEL, "--others", "equilibrium", "--json")
    told = json.loads(said)
    assert code == 0
    assert told["exact"] is True
    assert told["value"] == ["1/3", "1/3"]
    assert told["worlds"] == 30
    total = Fraction(0)
    for holding in told["first_moves"]:
        moves = holding["moves"]
        assert sum(Fraction(one["played"]) for one in moves) == 1
        best = max(Fraction(one["value"]) for one in moves)
        assert all(Fraction(one["value"]) == best for one in moves if one["played"] != "0")
        total += Fraction(holding["share"]) * best
    assert total == Fraction(1, 3)


def test_an_equilibrium_without_unknown_cards_has_one_table_of_moves(capsys: Capture) -> None:
    code, said = solve(capsys, ONE_TURN, "--others", "equilibrium")
    assert code == 0
    assert "play Furious Frog              1         1" in said
    assert "how often" not in said
    assert "worlds" not in said
    assert "Value: 1. " in said


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([LONG], "equilibria are for two players, not 3"),
        ([DUEL, "--certificate", "duel.json"], "there are no certificates of equilibria"),
        ([DUEL, "--sight", "all"], "each seat sees its own cards; leave out sight 'all'"),
        (
            [DUEL, "--nodes", "100"],
            "the whole ending to be searched, but the limit of 100 positions was reached",
        ),
        ([DUEL, "--worlds", "20"], "there are 30 ways to fill in what is unknown"),
        ([DUEL, "--goal", "deny:A"], "choose one of deny:B"),
        (["A leader Cyra; over water; B leader Myrad"], "the game is over"),
    ],
)
def test_what_an_equilibrium_cannot_answer_gets_one_sentence(
    arguments: list[str], complaint: str, capsys: Capture
) -> None:
    assert cli.run(["solve", *arguments, "--others", "equilibrium"]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert captured.out == ""
    assert "Traceback" not in captured.err


def test_ctrl_c_stops_the_search_for_an_equilibrium() -> None:
    position = "A leader ? hand ShSo UnMe FuFr; B leader ? hand BoGo KeKo"
    command = [sys.executable, "-m", "arena", "solve", position, "--others", "equilibrium"]
    with subprocess.Popen(
        [*command, "--horizon", "4", "--nodes", "1000000000"],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as work:
        assert work.stderr is not None
        progress = work.stderr.readline()
        work.send_signal(signal.SIGINT)
        said, complaint = work.communicate(timeout=60)
    assert progress.endswith("Ctrl-C to stop\n")
    assert complaint.endswith("the whole ending to be searched, but it was stopped\n")
    assert "Traceback" not in complaint
    assert said == ""
    assert work.returncode == 2


def test_without_scipy_an_equilibrium_names_the_extra(tmp_path: Path) -> None:
    start = tmp_path / "without.py"
    start.write_text(
        "import sys\nsys.modules['scipy'] = None\nfrom arena.cli.main import main\nmain()\n",
        encoding="utf-8",
    )
    told = subprocess.run(
        [sys.executable, start, "solve", DUEL, "--others", "equilibrium"],
        env={**os.environ, "PYTHONPATH": os.getcwd()},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.returncode == 2
    assert told.stdout == ""
    assert told.stderr == (
        "arena: equilibria need the package 'scipy': "
        "pip install 'hidden-leaders-arena[equilibrium]'\n"
    )
