"""`arena solve`: what it prints, its exit codes, what it refuses, and what Ctrl-C does."""

import io
import json
import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from games.hidden_leaders.positions.notation import read, write
from games.hidden_leaders.text.moves import parse_move
from tests.support.command_line import Outcome, RunArena, check_refusal, exit_code
from tests.support.leagues import command, ended
from tests.support.paths import ROOT
from tests.support.small_positions import ONE_TURN

B_DECIDES = (
    "threshold 3; red 7; deck FlKn ShSo WiWi FrFr MuMy LeLe KeKo BoGo SaSa; "
    "A leader Xiadul hand FlKn open ShSo WiWi FrFr; B leader Cyra hand ?x2 "
    "open MuMy hidden LeLe; pending 48 -1 1 -1 -1 0 0 0 / 1344 49 1 -1 -1 0 0 0"
)
"""In A's turn B must discard, and its hand is not known."""
LONG = "players 3; A leader Myrad hand ShSo UnMe FuFr; B leader Lemron hand BoGo; C leader Pavyr"


def test_the_answer_has_the_question_the_values_the_best_move_and_the_cost(arena: RunArena) -> None:
    text = arena("solve", ONE_TURN).out
    assert "The goal: A wins.\nThe horizon: this turn" in text
    assert "The others cooperate against the goal" in text
    assert "Everyone sees all cards" in text
    assert "* play Furious Frog 1 A: red -2; Tribes wins, and with it A" in " ".join(text.split())
    assert "    play Underpaid Mercenary       0        " in text
    assert "\nBest: play Furious Frog (1).\nExact; " in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_worse_move_comes_with_its_refutation(arena: RunArena) -> None:
    report = json.loads(arena("solve", ONE_TURN, "--json").out)
    lines = {move["move"]: move["line"] for move in report["moves"]}
    assert lines["play Furious Frog"][1:] == ["A: red -2", "Tribes wins, and with it A"]
    assert lines["play Short-Sighted Soldier"][-1].startswith("Empire wins, and with it")
    assert lines["do nothing"] == ["A: do nothing", "the game goes on"]


def test_json_has_the_whole_answer(arena: RunArena) -> None:
    report = json.loads(arena("solve", ONE_TURN, "--json").out)
    assert report["best"] == report["surest"] == ["play Furious Frog"]
    assert report["exact"] is True
    assert report["why_not_exact"] == ""
    assert report["meaning"][0] == "The goal: A wins."
    values = {move["move"]: move["value"] for move in report["moves"]}
    assert values.pop("play Furious Frog") == ["1", "1"]
    assert set(map(tuple, values.values())) == {("0", "0")}


def test_a_position_is_read_from_a_file_or_stdin(arena: RunArena, folder: Path) -> None:
    lines = arena("solve", ONE_TURN).lines
    (folder / "ending.txt").write_text(f"# a win\n{ONE_TURN}\n", encoding="utf-8")
    (folder / "marked.txt").write_text(ONE_TURN, encoding="utf-8-sig")  # as some editors write it
    for source in ("ending.txt", "marked.txt", "-"):
        assert arena("solve", source, typed=ONE_TURN).lines[:-1] == lines[:-1]


def test_unknown_cards_make_worlds_and_a_move_comes_with_a_world_in_which_it_fails(
    arena: RunArena,
) -> None:
    # The Frog makes Tribes win, and A has two of them. So has C, if neither of its two hidden
    # heroes is the Soldier, and then C wins with fewer heroes: in two of the six worlds.
    position = (
        "threshold 3; red 6; green 6; deck DeDr FuFr BlCo SpSh GrGu ShSo; harbor ?; "
        "A leader Myrad hand FuFr open DeDr BlCo; B leader Lemron; C leader Pavyr hidden ? ?"
    )
    report = json.loads(arena("solve", position, "--json").out)
    frog = next(move for move in report["moves"] if move["move"] == "play Furious Frog")
    assert report["worlds"] == 6
    assert report["sight"] == "own"
    assert frog["value"] == ["2/3", "2/3"]
    assert frog["worst_world"] == ["0", "0"]
    assert sorted(frog["in_each_world"]) == ["0", "0", "1", "1", "1", "1"]
    text = arena("solve", position).out
    assert "2/3 (0.667)" in text
    assert "4 of 6" in text
    assert "C hidden" in text


def test_a_bound_says_so_and_why_with_exit_code_1(arena: RunArena) -> None:
    text = arena("solve", LONG, "--horizon", "end", "--nodes", "100", code=1).out
    assert "0 to 1" in text
    assert "Best: not proven; perhaps" in text
    assert "Not exact, a bound: the limit of 100 positions was reached; 100 positions" in text


def test_a_proven_best_move_is_named_even_if_others_may_be_as_good(arena: RunArena) -> None:
    text = arena("solve", ONE_TURN, "--horizon", "2", "--nodes", "500", code=1).out
    assert "Best: play Furious Frog (1); perhaps" in text


@pytest.mark.parametrize(
    ("goal", "sentence"),
    [("deny:B", "B does not win"), ("Tribes", "Tribes wins, whichever seats support it")],
)
def test_a_goal_can_be_to_deny_or_a_faction(goal: str, sentence: str, arena: RunArena) -> None:
    assert f"The goal: {sentence}" in arena("solve", ONE_TURN, "--goal", goal).out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["no-such-file.txt"], "'no-such-file.txt' is neither a file nor a position"),
        ([""], "the position: it is empty"),
        (["players -99999; A hand KeKo"], "players -99999: there are 2 to 6 players"),
        ([f"A hand ?x{'9' * 5000}"], "A hand: there is no hero '?x999"),
        (
            [B_DECIDES],
            "the seat to move must know its own cards",
        ),
        ([str(Path(__file__).parent)], "is a folder; name a file with a position"),
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
        ([ONE_TURN, "--others", "bot:cmd:./bot"], "is a program; only a Python class can be used"),
        (
            ["A leader Cyra hand CrCa; B leader ? hand ?x3", "--horizon", "2"],
            "ways to fill in what is unknown",
        ),
        (["A leader Cyra hand CrCa; B leader ?", "--sight", "all"], "B leader: unknown"),
        (["A leader ? hand CrCa; B leader Cyra"], "here they could be A leader Enned or A leader"),
        (["A leader Cyra; B leader Enned; deck KeKo ShSo; tavern ? - -"], "tavern KeKo or tavern"),
        (["A hand ?; B leader Cyra"], "must know its own cards, its leader"),
        (["A leader ? hand ?; B leader Cyra"], "must know its own cards, its leader"),
        (
            [ONE_TURN, "--sight", "own", "--others", "selfish"],
            "are offered only with all cards open",
        ),
    ],
)
def test_invalid_input_is_refused_in_one_line(
    arguments: list[str], problem: str, arena: RunArena
) -> None:
    check_refusal(arena("solve", *arguments, code=2), problem)


def test_stdin_must_be_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), encoding="utf-8", errors="strict")
    monkeypatch.setattr(sys, "stdin", bad)
    assert exit_code(["solve", "-"]) == 2
    assert capsys.readouterr().err == "arena: stdin is not text in UTF-8\n"


def test_a_file_with_a_bad_position_is_named(folder: Path, arena: RunArena) -> None:
    (folder / "ending.txt").write_text("red 14", encoding="utf-8")
    outcome = arena("solve", "ending.txt", code=2)
    check_refusal(outcome, "ending.txt: red 14: the track goes from 1 to 12")


def interrupted(*arguments: str) -> tuple[str, Outcome]:
    """The first line of progress, and the outcome of a search stopped by Ctrl-C after it."""
    words = ("solve", *arguments, "--nodes", "1000000000")
    with command(*words, PYTHONUNBUFFERED="1") as process:
        assert process.stderr is not None
        progress = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        done = ended(process)
    assert "Traceback" not in done.stderr
    return progress, Outcome(done.returncode, done.stdout, done.stderr)


def test_ctrl_c_gives_the_bounds_known_so_far() -> None:
    progress, outcome = interrupted(LONG, "--horizon", "end")
    assert "Ctrl-C for the bounds so far" in progress
    assert "Not exact, a bound: it was stopped" in outcome.out
    assert outcome.code == 1


# ---- equilibria -------------------------------------------------------------------------------

DUEL = (
    "threshold 3; red 10; green 10; deck DoPr SaTr ArSk BoGo DeDr ShSo; "
    "A leader ? hand DoPr SaTr open ArSk BoGo; B leader ? open DeDr ShSo"
)
"""Both cards let B decide which faction wins, so A must not betray its leader by its choice."""


EQUILIBRIUM = ("--others", "equilibrium")


def test_an_equilibrium_comes_with_who_knows_what_and_its_value(arena: RunArena) -> None:
    words = " ".join(arena("solve", DUEL, *EQUILIBRIUM).out.split())
    assert "B wants the opposite. Both play an equilibrium: they may mix moves at random" in words
    assert "A card or leader written as ? is known to the seat that has it" in words
    assert "There are 30 worlds, all equally likely at the start." in words
    assert "seen how often move played value against B" in words
    assert "A leader Myrad 1/6 " in words
    assert "Value: 1/3 (0.333). A can guarantee this much, and B can hold A to it. Exact;" in words


def test_an_equilibrium_says_how_often_each_first_move_is_played(arena: RunArena) -> None:
    # B will guess the faction of what A hides now: test_equilibrium.py explains why.
    state = read(
        "threshold 3; red 5; green 5; deck FrFr SaSa WeWa BaMa AnAs; "
        "A leader Lemron hand FrFr SaSa WeWa BaMa; B leader Xiadul hand AnAs"
    ).state()
    state.play(parse_move(state, "play Friendly Frogmage"))
    lines = arena("solve", write(state), *EQUILIBRIUM, "--horizon", "3").lines
    rows = [" ".join(line.split()) for line in lines]
    for name in ("Battle Pet Master", "Well-Aged Warrior", "Saltwater Sage"):
        assert f"place {name} hidden 1/3 2/3" in rows


def test_an_equilibrium_as_json_adds_up(arena: RunArena) -> None:
    report = json.loads(arena("solve", DUEL, *EQUILIBRIUM, "--json").out)
    assert report["exact"] is True
    assert report["value"] == ["1/3", "1/3"]
    assert report["worlds"] == 30
    total = Fraction(0)
    for holding in report["first_moves"]:
        moves = holding["moves"]
        assert sum(Fraction(move["played"]) for move in moves) == 1
        best = max(Fraction(move["value"]) for move in moves)
        assert all(Fraction(move["value"]) == best for move in moves if move["played"] != "0")
        total += Fraction(holding["share"]) * best
    assert total == Fraction(1, 3)


def test_an_equilibrium_without_unknown_cards_has_one_table_of_moves(arena: RunArena) -> None:
    text = arena("solve", ONE_TURN, *EQUILIBRIUM).out
    assert "play Furious Frog              1         1" in text
    assert "how often" not in text
    assert "worlds" not in text
    assert "Value: 1. " in text


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([LONG], "equilibria are for two players, not 3"),
        ([DUEL, "--certificate", "duel.json"], "there are no certificates for equilibria"),
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
def test_what_an_equilibrium_cannot_answer_is_refused_in_one_line(
    arguments: list[str], problem: str, arena: RunArena
) -> None:
    check_refusal(arena("solve", *arguments, *EQUILIBRIUM, code=2), problem)


def test_ctrl_c_stops_the_search_for_an_equilibrium() -> None:
    position = "A leader ? hand ShSo UnMe FuFr; B leader ? hand BoGo KeKo"
    progress, outcome = interrupted(position, *EQUILIBRIUM, "--horizon", "4")
    assert progress.endswith("Ctrl-C to stop\n")
    assert outcome.err.endswith("the whole ending to be searched, but it was stopped\n")
    assert (outcome.code, outcome.out) == (2, "")


def test_without_scipy_an_equilibrium_names_the_extra(tmp_path: Path) -> None:
    start = tmp_path / "without.py"
    start.write_text(
        "import sys\nsys.modules['scipy'] = None\nfrom arena.cli.main import main\nmain()\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, start, "solve", DUEL, *EQUILIBRIUM],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "arena: equilibria need the package 'scipy': "
        "pip install 'hidden-leaders-arena[equilibrium]'\n"
    )
