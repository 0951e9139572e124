"""Comparing bots: fair line-ups, the same result for any number of workers, and errors."""

import json
import os
import re
import shlex
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from arena.lab.compare import Comparison, DealResult, Pairing, compare, play_deal, play_deals
from arena.lab.lottery_game import LOTTERY
from arena.stats.sequential_test import SequentialTest, Verdict
from games.errors import GameError
from tests.support.command_line import RunArena, check_refusal
from tests.support.leagues import command, run, wait_until, workers_of
from tests.support.paths import SUPPORT

BUYER = "arena.lab.lottery_game:Buyer:tickets"
MORE_TICKETS = Pairing(f"{BUYER}=12", f"{BUYER}=9", rules=LOTTERY)
ALONE = ("--workers", "1")


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


def again(text: str) -> list[str]:
    """The command that reproduces the first fault."""
    return shlex.split(text.partition("to reproduce it: arena ")[2].partition("\n")[0])


def test_the_command_that_reproduces_a_fault_can_be_pasted(arena: RunArena) -> None:
    program = f"cmd:{sys.executable} -c pass"
    assert program in again(arena("compare", program, "random", *ALONE, "--deals", "1", code=4).out)


@pytest.mark.slow
def test_the_outcome_is_the_same_for_any_number_of_workers(arena: RunArena) -> None:
    words = ["compare", "greedy", "random", "--json", "--seed", "5", "--risk", "0.4", "--workers"]
    one, two, four = (arena(*words, workers).out for workers in "124")
    assert one == two == four
    result = json.loads(one)
    assert (result["verdict"], result["stopped"], result["faults"]) == ("better", False, [])
    assert result["games"] == 2 * result["deals"] < 80
    assert 0 < result["low"] < result["difference"] <= result["high"] <= 1
    assert result["won_by_a"] + result["won_by_b"] + result["won_by_nobody"] == result["games"]


@pytest.mark.parametrize(
    ("code", "bots", "lines"),
    [
        (0, "greedy random", ["Verdict: A is better."]),
        (1, "random greedy", ["Verdict: B is better."]),
        (
            3,
            "random random --margin 0.4",
            ["Verdict: equal; the difference is below 0.4 wins per game."],
        ),
        (
            4,
            "greedy random --deals 3",
            ["3 deals, 6 games", "Verdict: none yet. At this rate it would take about"],
        ),
    ],
)
def test_exit_codes_tell_the_verdict(
    arena: RunArena, code: int, bots: str, lines: list[str]
) -> None:
    text = arena("compare", *bots.split(), *ALONE, "--risk", "0.4", code=code).out
    for line in lines:
        assert line in text


def test_a_bot_at_fault_loses_and_the_first_fault_can_be_reproduced(arena: RunArena) -> None:
    bots = (f"{SUPPORT}/faulty_bots.py:Crasher", "random")
    text = arena("compare", *bots, *ALONE, "--iterations", "7", code=1).out
    assert "Lost by a fault: " in text
    assert "raised ZeroDivisionError: as always (faulty_bots.py, line " in text
    assert '      raise ZeroDivisionError("as always")\n' in text
    assert again(text)[-2:] == ["--iterations", "7"]
    assert "as always" in arena(*again(text), code=2).err


@pytest.mark.slow
def test_an_isolated_bot_that_never_answers_is_stopped(arena: RunArena, tmp_path: Path) -> None:
    file = tmp_path / "hang.py"
    lines = ["from bots import Bot", "class Hang(Bot):", " def choose(self, view):", "  while 1: 0"]
    file.write_text("\n".join(lines))
    words = ("compare", f"{file}:Hang", "random", "--deals", "1", *ALONE, "--move-limit", "0.2")
    text = arena(*words, "--isolate", code=4).out
    assert "gave no answer within 0.2 s per decision" in text
    assert re.search(r"to reproduce it: arena match .* --isolate --move-limit 0.2\n", text)
    assert "--move-limit cannot stop" in arena(*words, code=2).err


def test_a_bot_that_crashes_its_process_is_one_sentence(arena: RunArena) -> None:
    bots = (f"{SUPPORT}/faulty_bots.py:Leaver", "random")
    outcome = arena("compare", *bots, "--workers", "2", code=2)
    assert "one of the two bots crashed its process; with --isolate" in outcome.err
    isolated = arena("compare", *bots, *ALONE, "--deals", "1", "--isolate", code=4).out
    assert "Lost by a fault: 2 games" in isolated
    assert "faulty_bots.py:Leaver) at decision" in isolated


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
    arena: RunArena, arguments: list[str], complaint: str
) -> None:
    check_refusal(arena("compare", *arguments, code=2), complaint)


def test_it_prints_interim_results(arena: RunArena) -> None:
    words = ["compare", "random", "random", *ALONE, "--margin"]
    captured = arena(*words, "0.001", "--deals", "17", code=4).err
    assert captured.startswith("deal 16: random +0.000 wins per game (-0.848 to +0.848), ")
    assert captured.endswith("no verdict expected by deal 17\n")
    both = arena(*words, "0.5", code=3)
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


@pytest.mark.slow
def test_compare_from_python_gives_the_result_of_the_command(arena: RunArena) -> None:
    deals: list[int] = []
    result = compare(
        "greedy", "random", workers=1, progress=lambda so_far: deals.append(so_far.deals)
    )
    low, high = result.interval
    assert result.verdict is Verdict.BETTER
    assert 0 < low < result.difference <= high <= 1
    assert deals == list(range(1, result.deals + 1))
    output = json.loads(arena("compare", "greedy", "random", *ALONE, "--json").out)
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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("words", "answers"),
    [
        ("random random --margin 0.001 --deals 1000000", True),
        (f"{SUPPORT}/failing_bots.py:Sleeps random", False),
    ],
    ids=["while deals are played", "while a bot never answers"],
)
def test_ctrl_c_gives_the_result_so_far(words: str, answers: bool) -> None:
    with command("compare", *words.split(), "--json", "--workers", "2") as process:
        assert process.stderr is not None
        wait_until(lambda: len(workers_of(process.pid)) == 2, "two workers")
        if answers:
            assert process.stderr.readline().startswith("deal 16: ")
        else:
            time.sleep(1)
        os.killpg(process.pid, signal.SIGINT)
        out, captured = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in captured
    result = json.loads(out)
    assert (result["stopped"], result["verdict"]) == (True, None)
    assert 16 <= result["deals"] < 1_000_000 if answers else result["deals"] == 0
