"""`arena show` on runs and replays, `--from` of other commands, and walking with the arrow keys."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from arena import play_game
from games.replay import read_replay, write_replay
from tests.support.command_line import RunArena, check_refusal
from tests.support.leagues import play, small
from tests.support.paths import ROOT


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A replay of 129 moves with three players."""
    path = tmp_path_factory.mktemp("replays") / "game.jsonl"
    path.write_text(write_replay(play_game(["greedy", "random", "random"], seed=3).replay))
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run.db"
    play(path, small("random", "greedy:depth=1 as hasty"))
    return path


def test_a_replay_is_shown_like_a_game_of_a_run(file: Path, run: Path, arena: RunArena) -> None:
    told = arena("show", str(file)).lines
    assert told[0].startswith("Hidden Leaders, 3 players, seed 3")
    assert "    8  A (greedy): green +2 (green 4 to 6)" in told
    assert told[-1] == "Winner after 129 decisions: B (random)"
    told = arena("show", str(run), "0").lines
    assert any(line.startswith("    1  ") for line in told)


def test_a_table_in_the_middle(file: Path, arena: RunArena) -> None:
    text = arena("show", str(file), "--at", "40").out
    assert "After 40 of 129 moves, A (greedy) chooses move 41." in text
    assert "B  leader       Xiadul" in text
    seen = arena("show", str(file), "--at", "40", "--view", "a").out
    assert "B  leader       ?" in seen
    assert "hidden       Ghastly Granny (U), Rotting Orangutan (U), ?" in seen


def test_a_position_can_be_solved(file: Path, arena: RunArena) -> None:
    text = arena("show", str(file), "--at", "122", "--position").out
    assert text.count("\n") == 1
    piped = arena("solve", "-", "--json", typed=text).out
    direct = arena("solve", "--from", str(file), "--at", "122", "--json").out
    first, second = json.loads(piped), json.loads(direct)
    assert {**first, "seconds": 0} == {**second, "seconds": 0}


def test_solve_as_the_seat_saw_it(file: Path, arena: RunArena) -> None:
    words = ("solve", "--from", str(file), "--at", "40", "--sight", "own", "--nodes")
    answer = arena(*words, "20000").out
    assert "decides by what it has observed so far" in answer
    assert "Exact" in answer
    assert "Not exact, a bound" in arena(*words, "2", code=1).out


def test_match_and_compare_play_on(file: Path, run: Path, folder: Path, arena: RunArena) -> None:
    names = ("greedy", "random", "greedy")
    arena("match", *names, "--from", str(file), "--at", "40", "--replay", "on.jsonl")
    before, after = read_replay(file.read_text()), read_replay((folder / "on.jsonl").read_text())
    assert after.moves[:50] == before.moves[:50]
    assert after.extra["seats"] == [*names]
    arena("match", "greedy", "random", "--from", str(run), "0", "--at", "3", "--replay", "on.jsonl")
    assert "replayed, all correct" in arena("verify", "on.jsonl").out
    words = ("compare", "greedy", "random", "--from", f"{file}", "--at", "40", "--deals", "2")
    assert "3 players, 2 deals, 4 games" in arena(*words, "--workers", "1", code=4).out


def test_a_person_takes_over(file: Path, arena: RunArena) -> None:
    words = ("play", "--from", str(file), "--at", "40", "--bots", "random,random", "--seed", "1")
    text = arena(*words, typed="quit\ny\n").out
    assert "turn 7 of A, A decides" in text
    assert "hidden       Ghastly Granny (U), Rotting Orangutan (U), ?" in text
    assert "You left the game after 0 moves." in text


def test_what_a_person_took_over_can_be_undone(file: Path, arena: RunArena) -> None:
    words = ("play", "--from", str(file), "--at", "40", "--bots", "random,random", "--seed", "1")
    text = arena(*words, typed="1\nundo\nquit\ny\n").out
    assert "Undone." in text
    assert "You left the game after 0 moves." in text


REFUSED = [
    ("show {file} 3", "is a replay, which has only one game: omit 3"),
    ("show {file} --at 130", "--at 130 is beyond the end: {file} has 129 moves"),
    ("show {file} --view D", "there is no seat 'D'; seats are A, B, C"),
    ("show {file} --step", "--step needs a terminal; use --at N to see one table"),
    ("show {file} --step --position", "use only one of --step, --position and --json"),
    ("show {run}", "; give the number of one"),
    ("show {run} 999", "has no game 999; it has"),
    ("show {cut}", "{cut}: line 30: the replay is cut short: half a line"),
    ("match random random --from {cut} --at 1", "{cut}: line 30: the replay is cut short"),
    ("match random random --from {file} --at 3", "the position is for 3 players, but 2 bots"),
    ("match random random random --from {file} --at 200", "--at 200 is beyond the end"),
    ("match random random random --from {file} --at 129", "the game is over there"),
    ("match random random random --from {run} 999 --at 1", "has no game 999"),
    ("match random random --from {run} 0 --at 1 --game secrets", "drop --game secrets"),
    ("match random random --from {run} 0 --at 1 --position x", "exclude each other"),
    ("compare random greedy --from {file} --at 3 --players 2", "but --players is 2"),
    ("solve --from {file} --at 129", "the game is over: there is no move to evaluate"),
]


@pytest.mark.parametrize(("line", "problem"), REFUSED, ids=[line for line, _ in REFUSED])
def test_bad_input_is_one_sentence(
    line: str, problem: str, file: Path, run: Path, tmp_path: Path, arena: RunArena
) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_text("".join(file.read_text().splitlines(keepends=True)[:30])[:-9])
    files = {"file": str(file), "run": str(run), "cut": str(cut)}
    words = [word.format(**files) for word in line.split()]
    check_refusal(arena(*words, code=2), problem.format(**files))


def test_verify_names_what_is_wrong(file: Path, tmp_path: Path, arena: RunArena) -> None:
    forged = tmp_path / "forged.jsonl"
    forged.write_text(file.read_text().replace('"seed": 3', '"seed": 4'))
    outcome = arena("verify", str(file), str(forged), code=1)
    assert outcome.lines[0].endswith("moves and chance events replayed, all correct")
    assert "digest is " in outcome.lines[1]


# ---- the arrow keys -----------------------------------------------------------------------------


class Terminal:
    """A command in a real terminal."""

    def __init__(self, *words: str) -> None:
        self.ours, theirs = pty.openpty()
        self.before = termios.tcgetattr(theirs)
        self.theirs = theirs
        command = [sys.executable, "-m", "arena", *words]
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, start_new_session=True
        )
        self.text = ""

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def wait_for(self, words: str, seconds: float = 60) -> str:
        """What was printed up to these words."""
        until = monotonic() + seconds
        while words not in self.text:
            assert monotonic() < until, self.text
            if select.select([self.ours], [], [], 0.5)[0]:
                with suppress(OSError):
                    self.text += os.read(self.ours, 65536).decode()
        found, self.text = self.text.split(words, 1)
        return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait(60)
        os.close(self.ours)
        os.close(self.theirs)


@pytest.fixture
def terminal(file: Path) -> Iterator[Terminal]:
    opened = Terminal("show", str(file), "--step", "--at", "40")
    yield opened
    opened.close()


def test_arrow_keys_walk_through_the_game(terminal: Terminal) -> None:
    terminal.wait_for("After 40 of 129 moves")
    for keys, now in (
        ("\x1b[C", "After 41 of"),
        ("\x1b[D\x1b[D", "After 39 of"),
        ("\x1b[6~", "After 49 of"),
        ("\x1b[H", "After 0 of"),
        ("\x1b[D", "After 0 of"),
        ("\x1b[F", "After 129 of 129 moves, the end."),
        ("x\x1b[C", "After 129 of"),
        ("\x1b[B" * 40, "seed 3"),
        ("\x1b[A" * 40, "After 129 of"),
    ):
        terminal.press(keys)
        terminal.wait_for(now)
    terminal.press("q")
    terminal.wait_for("\x1b[?25h")
    assert terminal.process.wait(60) == 0
    assert termios.tcgetattr(terminal.theirs) == terminal.before


@pytest.mark.parametrize(("how", "code"), [("Ctrl-C", 0), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_the_terminal_is_restored_whatever_ends_it(terminal: Terminal, how: str, code: int) -> None:
    terminal.wait_for("q: quit")
    assert termios.tcgetattr(terminal.theirs) != terminal.before
    if how == "Ctrl-C":
        terminal.press("\x03")
    else:
        terminal.process.send_signal(signal.Signals[how])
    terminal.wait_for("\x1b[?25h")
    assert terminal.process.wait(60) == code
    assert termios.tcgetattr(terminal.theirs) == terminal.before
