"""`arena solve`: what it prints, its exit codes, its errors, and that Ctrl-C gets an answer."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena import cli
from tests.solver.small import ONE_TURN

Capture = pytest.CaptureFixture[str]
LONG = "players 3; A leader Myrad hand ShSo UnMe FuFr; B leader Lemron hand BoGo; C leader Pavyr"


def solve(capsys: Capture, *arguments: str) -> tuple[int, str]:
    code = cli.run(["solve", *arguments])
    return code, capsys.readouterr().out


def test_it_says_the_question_the_values_the_best_move_and_the_cost(capsys: Capture) -> None:
    code, said = solve(capsys, ONE_TURN)
    assert code == 0
    assert "The goal: A wins.\nThe horizon: this turn" in said
    assert "The others play together against the goal" in said
    assert "All cards are open to all" in said
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


def test_goals_of_denying_and_of_factions(capsys: Capture) -> None:
    for goal, words in (("deny:B", "B does not win"), ("Tribes", "Tribes wins, whoever is for it")):
        code, said = solve(capsys, ONE_TURN, "--goal", goal)
        assert code == 0
        assert f"The goal: {words}." in said


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["no-such-file.txt"], "'no-such-file.txt' is neither a file nor a position"),
        (["players 2; A hand Crow-Carier"], "there is no hero 'Crow-Carier'; did you mean"),
        (["players 2; A leader Cyra; over water; B leader Myrad"], "the game is over"),
        ([ONE_TURN, "--goal", "watr"], "there is no goal 'watr' (known: win, deny:SEAT, undead"),
        ([ONE_TURN, "--goal", "deny:A"], "the others to be denied are deny:B"),
        ([ONE_TURN, "--goal", "deny:Q"], "the others to be denied are deny:B"),
        ([ONE_TURN, "--horizon", "soon"], "it is 'turn', 'end' or a number of turns"),
        ([ONE_TURN, "--horizon", "0"], "it is 'turn', 'end' or a number of turns"),
        ([ONE_TURN, "--others", "kind"], "'kind' is not one of"),
        (
            ["A leader Cyra hand CrCa; B leader ? hand ?x3", "--horizon", "2"],
            "ways to fill in what is unknown",
        ),
        (["A leader Cyra hand CrCa; B leader ?", "--sight", "all"], "B leader: unknown"),
        (["A leader ? hand ?; B leader Cyra"], "must know its own cards and leader"),
        (
            [ONE_TURN, "--sight", "own", "--others", "selfish"],
            "can be answered only with all cards open",
        ),
    ],
)
def test_mistakes_get_one_sentence_and_code_2(
    arguments: list[str], complaint: str, capsys: Capture
) -> None:
    assert cli.run(["solve", *arguments]) == 2
    heard = capsys.readouterr()
    assert complaint in heard.err
    assert heard.out == ""
    assert "Traceback" not in heard.err


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
