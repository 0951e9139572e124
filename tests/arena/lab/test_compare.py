"""arena compare: fair line-ups, the same outcome for any number of workers, and its manners."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.lab.compare import Block, Pairing, Progress, play_block, run
from arena.lab.lottery_game import LOTTERY
from arena.stats.sequential_test import Comparison, Verdict
from tests.support.paths import ROOT

Capture = pytest.CaptureFixture[str]
MORE_TICKETS = Pairing(
    "arena.lab.lottery_game:Buyer:tickets=12",
    "arena.lab.lottery_game:Buyer:tickets=9",
    rules=LOTTERY,
)

BOTS = """
import os
from bots import Bot

class Broken(Bot):
    def choose(self, view):
        raise RuntimeError("out of ideas")

class Endless(Bot):
    def choose(self, view):
        while True:
            pass

class Fatal(Bot):
    def choose(self, view):
        os._exit(3)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "mine.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: Capture, code: int, *arguments: str) -> str:
    assert cli.run(["compare", *arguments]) == code
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return captured.out


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_seat_is_held_once_by_each_and_seats_vary(players: int) -> None:
    pairing = Pairing("a", "b", players)
    tables = [pairing.line_ups(deal) for deal in range(60)]
    for one, other in tables:
        assert one.count(0) == players // 2
        assert all({x, y} == {0, 1} for x, y in zip(one, other, strict=True))
    assert len({one for one, _ in tables}) >= min(players, 2)
    held = Counter(seat for one, _ in tables for seat in range(players) if one[seat] == 0)
    assert set(held) == set(range(players))


def test_deals_are_different_and_depend_on_the_seed() -> None:
    seeds = {Pairing("a", "b", 2, seed).deal_seed(deal) for seed in (1, 2) for deal in range(500)}
    assert len(seeds) == 1000


@pytest.mark.parametrize(
    ("bot", "players"),
    [("random", 2), ("random", 3), ("random", 6), ("greedy", 4)],
)
def test_a_bot_ties_exactly_with_itself(bot: str, players: int) -> None:
    for deal in range(2):
        block = play_block((Pairing(bot, bot, players), deal))
        assert block.difference == 0.0
        assert block.first == block.second


def test_a_block_is_between_minus_one_and_one() -> None:
    blocks = [play_block((Pairing("greedy", "random", 3), deal)) for deal in range(4)]
    assert sum(block.difference for block in blocks) > 1
    assert all(block.first + block.second <= 2 for block in blocks)


def test_the_command_to_see_a_fault_again_can_be_pasted(capsys: Capture) -> None:
    program = f"cmd:{sys.executable} -c pass"
    text = said(capsys, 4, program, "random", "--workers", "1", "--deals", "1")
    again = text.partition("to see it again: arena ")[2].partition(")")[0]
    assert program in shlex.split(again)


@pytest.mark.slow
def test_the_outcome_is_the_same_for_any_number_of_workers(capsys: Capture) -> None:
    asked = "greedy random --json --seed 5 --risk 0.4 --workers"
    told = [said(capsys, 0, *asked.split(), workers) for workers in ("1", "2", "4")]
    assert told[0] == told[1] == told[2]
    found = json.loads(told[0])
    assert (found["verdict"], found["stopped"], found["faults"]) == ("better", False, [])
    assert found["games"] == 2 * found["deals"] < 80
    assert 0 < found["low"] < found["difference"] <= found["high"] <= 1
    assert found["won_by_a"] + found["won_by_b"] + found["won_by_nobody"] == found["games"]


def test_exit_codes_tell_the_verdict(capsys: Capture) -> None:
    alone = ("--workers", "1", "--risk", "0.4")
    assert "Verdict: A is better." in said(capsys, 0, "greedy", "random", *alone)
    assert "Verdict: B is better." in said(capsys, 1, "random", "greedy", *alone)
    text = said(capsys, 3, "random", "random", "--margin", "0.4", *alone)
    assert "Verdict: equal; the difference is below 0.4 wins per game." in text
    text = said(capsys, 4, "greedy", "random", "--deals", "3", *alone)
    assert "3 deals, 6 games" in text
    assert "Verdict: none yet. At this rate it would take about" in text


def test_a_bot_that_breaks_down_loses_and_the_first_fault_can_be_seen_again(
    folder: Path, capsys: Capture
) -> None:
    text = said(capsys, 1, "mine.py:Broken", "random", "--workers", "1", "--iterations", "7")
    assert "Lost by a fault:" in text
    assert "raised RuntimeError: out of ideas" in text
    again = text.partition("to see it again: arena ")[2].partition(")")[0]
    assert again.endswith("--iterations 7")
    assert cli.run(shlex.split(again)) == 2
    assert "out of ideas" in capsys.readouterr().err


@pytest.mark.slow
def test_a_bot_that_ends_its_process_is_one_sentence(folder: Path, capsys: Capture) -> None:
    assert cli.run(["compare", "mine.py:Fatal", "random", "--workers", "2"]) == 2
    captured = capsys.readouterr().err
    assert "one of the two bots brought down its whole process" in captured
    assert "Traceback" not in captured


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["gredy", "random"], "there is no bot 'gredy'; did you mean 'greedy'?"),
        (["random", "greedy:dept=3"], "Greedy has no option 'dept'"),
        (["random", "greedy", "--players", "7"], "Hidden Leaders is for 2 to 6 players, not 7"),
        (["random", "greedy", "--players", "1"], "1 is not in the range"),
        (["random", "greedy", "--risk", "0"], "0"),
        (["random", "greedy", "--margin", "1"], "1"),
        (["random", "greedy", "--margin", "nan"], "'nan' is not a finite number"),
        (["random", "greedy", "--risk", "nan"], "'nan' is not a finite number"),
        (["random"], "missing argument 'B'"),
    ],
)
def test_mistakes_get_one_sentence_and_code_2(
    capsys: Capture, arguments: list[str], complaint: str
) -> None:
    assert cli.run(["compare", *arguments]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_it_tells_how_it_stands_on_the_way(capsys: Capture) -> None:
    asked = ["compare", "random", "random", "--workers", "1"]
    assert cli.run([*asked, "--deals", "17", "--margin", "0.001"]) == 4
    captured = capsys.readouterr().err
    assert captured.startswith("deal 16: random +0.000 wins per game (-0.848 to +0.848), ")
    assert captured.endswith("no verdict expected by deal 17\n")
    assert cli.run([*asked, "--margin", "0.5"]) == 3
    both = capsys.readouterr()
    assert both.err.endswith("about 10 deals to go\n")
    assert "26 deals, 52 games" in both.out


def test_it_stops_at_the_first_deal_that_settles_it() -> None:
    progress = Progress(MORE_TICKETS, Comparison(), 1000)
    steps = [step.deals for step in run(progress, None)]
    assert steps == list(range(1, progress.deals + 1))
    assert progress.comparison.verdict is Verdict.BETTER
    before = Comparison()
    for deal in range(progress.deals - 1):
        before.add(play_block((progress.pairing, deal)).difference)
    assert before.verdict is None


def test_the_difference_is_half_of_what_two_games_gave() -> None:
    assert Block(0, 2.0, 0.0).difference == 1.0
    assert Block(0, 1.0, 1.0).difference == 0.0
    assert Block(0, 0.0, 1.0).difference == -0.5


def stopped(asked: str, talks: bool) -> tuple[int, dict[str, object], str]:
    """Exit code, result and complaints of a comparison that gets Ctrl-C once it has begun.

    One that talks is known to have begun from its first line; another is given a second.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "compare", *asked.split(), "--json", "--workers", "2"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            assert process.stderr is not None
            patience = time.monotonic() + 60
            while not working(process.pid) and time.monotonic() < patience:
                time.sleep(0.1)
            if talks:
                assert process.stderr.readline().startswith("deal 16: ")
            else:
                time.sleep(1)
            os.killpg(process.pid, signal.SIGINT)
            told, captured = process.communicate(timeout=60)
        finally:
            process.kill()
    return process.returncode, json.loads(told), captured


def working(pid: int) -> bool:
    """Whether two workers have been started."""
    return len(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()) >= 3


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_ctrl_c_gives_the_result_so_far() -> None:
    code, found, captured = stopped("random random --margin 0.001 --deals 1000000", True)
    assert code == 130
    assert found["stopped"] is True
    assert found["verdict"] is None
    assert isinstance(found["deals"], int)
    assert 16 <= found["deals"] < 1_000_000
    assert "Traceback" not in captured


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_ctrl_c_ends_bots_that_never_would(folder: Path) -> None:
    code, found, captured = stopped("mine.py:Endless random", False)
    assert (code, found["deals"], found["stopped"]) == (130, 0, True)
    assert "Traceback" not in captured
