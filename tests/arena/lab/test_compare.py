"""Comparing bots: fair line-ups, the same result for any number of workers, and errors."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main as cli
from arena.lab.compare import Comparison, DealResult, Pairing, compare, play_deal, play_deals
from arena.lab.lottery_game import LOTTERY
from arena.stats.sequential_test import SequentialTest, Verdict
from games.errors import GameError
from tests.support.clusters import wait_until
from tests.support.leagues import heed_ctrl_c, run, workers_of
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


def printed(capsys: Capture, code: int, *arguments: str) -> str:
    assert cli.run(["compare", *arguments]) == code
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return captured.out


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_each_bot_has_every_seat_once_per_deal_and_seats_vary(players: int) -> None:
    pairing = Pairing("a", "b", players)
    tables = [pairing.line_ups(deal) for deal in range(60)]
    for first, swapped in tables:
        assert first.count(0) == players // 2
        assert all({a, b} == {0, 1} for a, b in zip(first, swapped, strict=True))
    assert len({first for first, _ in tables}) >= min(players, 2)
    held = Counter(seat for first, _ in tables for seat in range(players) if first[seat] == 0)
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
        result = play_deal((Pairing(bot, bot, players), deal))
        assert result.difference == 0.0
        assert result.first == result.second


def test_a_difference_is_between_minus_one_and_one() -> None:
    results = [play_deal((Pairing("greedy", "random", 3), deal)) for deal in range(4)]
    assert sum(result.difference for result in results) > 1
    assert all(result.first + result.second <= 2 for result in results)


def test_the_command_that_reproduces_a_fault_can_be_pasted(capsys: Capture) -> None:
    program = f"cmd:{sys.executable} -c pass"
    text = printed(capsys, 4, program, "random", "--workers", "1", "--deals", "1")
    again = text.partition("to reproduce it: arena ")[2].partition(")")[0]
    assert program in shlex.split(again)


@pytest.mark.slow
def test_the_outcome_is_the_same_for_any_number_of_workers(capsys: Capture) -> None:
    arguments = "greedy random --json --seed 5 --risk 0.4 --workers"
    told = [printed(capsys, 0, *arguments.split(), workers) for workers in ("1", "2", "4")]
    assert told[0] == told[1] == told[2]
    found = json.loads(told[0])
    assert (found["verdict"], found["stopped"], found["faults"]) == ("better", False, [])
    assert found["games"] == 2 * found["deals"] < 80
    assert 0 < found["low"] < found["difference"] <= found["high"] <= 1
    assert found["won_by_a"] + found["won_by_b"] + found["won_by_nobody"] == found["games"]


def test_exit_codes_tell_the_verdict(capsys: Capture) -> None:
    alone = ("--workers", "1", "--risk", "0.4")
    assert "Verdict: A is better." in printed(capsys, 0, "greedy", "random", *alone)
    assert "Verdict: B is better." in printed(capsys, 1, "random", "greedy", *alone)
    text = printed(capsys, 3, "random", "random", "--margin", "0.4", *alone)
    assert "Verdict: equal; the difference is below 0.4 wins per game." in text
    text = printed(capsys, 4, "greedy", "random", "--deals", "3", *alone)
    assert "3 deals, 6 games" in text
    assert "Verdict: none yet. At this rate it would take about" in text


def test_a_bot_at_fault_loses_and_the_first_fault_can_be_reproduced(
    folder: Path, capsys: Capture
) -> None:
    text = printed(capsys, 1, "mine.py:Broken", "random", "--workers", "1", "--iterations", "7")
    assert "Lost by a fault: " in text
    assert "raised RuntimeError: out of ideas" in text
    again = text.partition("to reproduce it: arena ")[2].partition(")")[0]
    assert again.endswith("--iterations 7")
    assert cli.run(shlex.split(again)) == 2
    assert "out of ideas" in capsys.readouterr().err


@pytest.mark.slow
def test_a_bot_that_crashes_its_process_is_one_sentence(folder: Path, capsys: Capture) -> None:
    assert cli.run(["compare", "mine.py:Fatal", "random", "--workers", "2"]) == 2
    captured = capsys.readouterr().err
    assert "one of the two bots crashed its process" in captured
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
def test_invalid_input_is_one_sentence_and_exit_code_2(
    capsys: Capture, arguments: list[str], complaint: str
) -> None:
    assert cli.run(["compare", *arguments]) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_it_prints_interim_results(capsys: Capture) -> None:
    command = ["compare", "random", "random", "--workers", "1"]
    assert cli.run([*command, "--deals", "17", "--margin", "0.001"]) == 4
    captured = capsys.readouterr().err
    assert captured.startswith("deal 16: random +0.000 wins per game (-0.848 to +0.848), ")
    assert captured.endswith("no verdict expected by deal 17\n")
    assert cli.run([*command, "--margin", "0.5"]) == 3
    both = capsys.readouterr()
    assert both.err.endswith("about 10 deals to go\n")
    assert "26 deals, 52 games" in both.out


def test_it_stops_at_the_first_deal_with_a_verdict() -> None:
    comparison = Comparison(MORE_TICKETS, SequentialTest(), 1000)
    steps = [step.deals for step in play_deals(comparison, None)]
    assert steps == list(range(1, comparison.deals + 1))
    assert comparison.test.verdict is Verdict.BETTER
    before = SequentialTest()
    for deal in range(comparison.deals - 1):
        before.add(play_deal((comparison.pairing, deal)).difference)
    assert before.verdict is None


def test_compare_from_python_gives_the_result_of_the_command(capsys: Capture) -> None:
    deals: list[int] = []
    result = compare(
        "greedy", "random", workers=1, progress=lambda so_far: deals.append(so_far.deals)
    )
    low, high = result.interval
    assert result.verdict is Verdict.BETTER
    assert 0 < low < result.difference <= high <= 1
    assert deals == list(range(1, result.deals + 1))
    output = json.loads(printed(capsys, 0, "greedy", "random", "--workers", "1", "--json"))
    assert (output["deals"], output["won_by_a"]) == (result.deals, result.first)


@pytest.mark.parametrize(
    ("bot", "changed", "sentence"),
    [
        ("gredy", {}, "there is no bot 'gredy'; did you mean 'greedy'?"),
        ("greedy", {"players": 7}, "Hidden Leaders is for 2 to 6 players, not 7"),
        ("greedy", {"game": "go"}, "there is no game 'go'"),
        ("greedy", {"deals": 0}, "deals must be at least 1, not 0"),
        ("greedy", {"margin": 0.0}, "margin must be between 0 and 1, not 0.0"),
        ("greedy", {"confidence": 95}, "confidence must be between 0 and 1, not 95"),
    ],
)
def test_invalid_arguments_from_python_are_one_sentence(
    bot: str, changed: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(GameError, match=re.escape(sentence)):
        compare(bot, "random", **changed)


@pytest.mark.slow
def test_a_plain_script_without_a_main_guard_can_compare(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from arena.lab.compare import compare\n"
        "print('starting')\n"
        "result = compare('greedy', 'random', workers=2)\n"
        "print(result.verdict.value)\n"
    )
    done = run(START=str(script))
    assert (done.stdout, done.stderr) == ("starting\nbetter\n", "")


def test_the_difference_is_per_game() -> None:
    assert DealResult(0, 2.0, 0.0).difference == 1.0
    assert DealResult(0, 1.0, 1.0).difference == 0.0
    assert DealResult(0, 0.0, 1.0).difference == -0.5


def stopped(arguments: str, prints: bool) -> tuple[int, dict[str, object], str]:
    """Exit code, result and stderr of a comparison that gets Ctrl-C once it has started.

    One that prints interim results has started with its first line; another is given a second.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "arena", "compare", *arguments.split(), "--json", "--workers", "2"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,  # noqa: PLW1509  (only sets a signal handler)
    ) as process:
        try:
            assert process.stderr is not None
            wait_until(lambda: len(workers_of(process.pid)) == 2, "two workers")
            if prints:
                assert process.stderr.readline().startswith("deal 16: ")
            else:
                time.sleep(1)
            os.killpg(process.pid, signal.SIGINT)
            out, captured = process.communicate(timeout=60)
        finally:
            process.kill()
    return process.returncode, json.loads(out), captured


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
def test_ctrl_c_ends_bots_that_never_answer(folder: Path) -> None:
    code, found, captured = stopped("mine.py:Endless random", False)
    assert (code, found["deals"], found["stopped"]) == (130, 0, True)
    assert "Traceback" not in captured
