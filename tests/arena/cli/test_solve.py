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

from arena.cli.solve_report import value_text
from games.extras import how_to_install
from tests.support.command_line import DUEL, LONG, Outcome, RunArena, exit_code
from tests.support.leagues import command, ended
from tests.support.paths import ROOT
from tests.support.small_positions import ONE_TURN

EQUILIBRIUM = ("--others", "equilibrium")


def test_the_answer_fits_80_columns(arena: RunArena) -> None:
    assert max(map(len, arena("solve", ONE_TURN).lines)) <= 80


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


def test_stdin_must_be_text(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), encoding="utf-8", errors="strict")
    monkeypatch.setattr(sys, "stdin", bad)
    assert exit_code(["solve", "-"]) == 2
    assert capsys.readouterr().err == "arena: stdin is not text in UTF-8\n"


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


@pytest.mark.slow
def test_ctrl_c_gives_the_bounds_known_so_far() -> None:
    progress, outcome = interrupted(LONG, "--horizon", "end")
    assert "Ctrl-C for the bounds so far" in progress
    assert "Not exact, a bound: it was stopped" in outcome.out
    assert outcome.code == 1


@pytest.mark.slow
def test_an_equilibrium_says_how_often_each_first_move_is_played(arena: RunArena) -> None:
    # B will guess the faction of what A hides now: test_equilibrium.py explains why.
    position = (
        "threshold 3; red 6; green 6; deck FrFr SaSa WeWa BaMa AnAs; "
        "A leader Lemron hand SaSa WeWa BaMa open FrFr; B leader Xiadul hand AnAs; "
        "pending 48 -1 1 -1 -1 0 0 0 / 1944 74 1 -1 -1 0 0 0"
    )
    lines = arena("solve", position, *EQUILIBRIUM, "--horizon", "3").lines
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


@pytest.mark.slow
def test_ctrl_c_stops_the_search_for_an_equilibrium() -> None:
    position = "A leader ? hand ShSo UnMe FuFr; B leader ? hand BoGo KeKo"
    progress, outcome = interrupted(position, *EQUILIBRIUM, "--horizon", "4")
    assert progress.endswith("Ctrl-C to stop\n")
    assert outcome.err.endswith("the whole ending to be searched, but it was stopped\n")
    assert (outcome.code, outcome.out) == (2, "")


@pytest.mark.slow
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
    assert done.stderr == f"arena: equilibria need scipy; {how_to_install('equilibrium')}\n"


MANY_WORLDS = (
    "threshold 2; red 6; A leader Xiadul hand ShSo FrFr open FlKn; "
    "B leader ? hand ?x3; C leader ? hand ?x3"
)


def test_estimates_tell_which_moves_may_be_best(arena: RunArena) -> None:
    """Nothing is proven about waiting, but it hardly ever wins in time."""
    asked = ("--others", "random", "--horizon", "2", "--nodes", "200000")
    done = arena("solve", MANY_WORLDS, *asked, code=1)
    assert "Best: play Short-Sighted Soldier, play Friendly Frogmage (1). Surest:" in " ".join(
        done.lines
    )
    assert [line.split()[1] for line in done.lines if line.startswith("*")] == ["play", "play"]
    assert max(map(len, done.lines)) <= 80


def test_without_estimates_there_is_no_column_for_them(arena: RunArena) -> None:
    lines = arena("solve", MANY_WORLDS.replace(" hand ?x3", ""), "--worlds", "1").lines
    assert any("worst" in line for line in lines)
    assert not any("estimate" in line for line in lines)


def test_where_luck_decides_the_lines_are_said_to_have_none(arena: RunArena) -> None:
    position = (
        "threshold 3; red 8; green 5; deck CuLo FuFr FlKn ShSo BoGo AcFi; "
        "A leader Pavyr hand CuLo open ShSo BoGo; B leader Lemron hand FuFr FlKn; "
        "C leader Cyra open AcFi"
    )
    text = arena("solve", position).out
    assert "  then, with bad luck\n" in text
    assert "1/2 (0.500)" in text
    assert "with bad luck" not in arena("solve", ONE_TURN).out


def test_bounds_close_to_certain_are_not_printed_as_certain() -> None:
    tiny = Fraction(1, 10**9)
    assert value_text((tiny, 1 - tiny)) == "<0.000001 to >0.999999"
    assert value_text((Fraction(0), Fraction(1))) == "0 to 1"


def test_too_many_worlds_are_counted_in_short(arena: RunArena) -> None:
    position = "A leader Xiadul hand ?x3; B leader ? hand ?x3; threshold 2"
    said = " ".join(arena("solve", position, *EQUILIBRIUM, code=2).err.split())
    assert "there are about 10^" in said
    assert "but at most 5,000 are allowed; name more cards" in said
    assert "--worlds" not in said
