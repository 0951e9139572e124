"""The command line: what it prints, its exit codes, and that nobody ever sees a traceback."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from arena.cli import main as cli
from arena.lab import bench, check_rules, random_games
from arena.stats.intervals import wilson
from games.conformance import CheckCounts, InvariantBroken
from games.engine import engine_name
from games.errors import GameError
from games.registry import game, game_names

Capture = pytest.CaptureFixture[str]


def test_version_names_everything_a_result_depends_on(capsys: Capture) -> None:
    assert cli.run(["--version"]) == 0
    said = capsys.readouterr().out
    for name in game_names():
        rules = game(name)
        assert f"{rules.title} rules version {rules.rules_version}" in said
    assert f"engine {engine_name()}" in said
    assert f"Python {sys.version.split()[0]}" in said


@pytest.mark.parametrize("arguments", [["--help"], ["random-games", "-h"], ["check-rules", "-h"]])
def test_help_teaches_by_example(arguments: list[str], capsys: Capture) -> None:
    assert cli.run(arguments) == 0
    assert "\n    arena " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["random-games", "--players", "7"], "2 to 6 players"),
        (["random-games", "--players", "6-2"], "the smaller one comes first"),
        (["random-games", "--players", "two"], "'two' is not like 4, 2-6 or 2,4-6"),
        (["random-games", "--games", "0"], "0 is not in the range"),
        (["check-rules", "--workers", "0"], "0 is not in the range"),
        (["no-such-thing"], "No such command"),
    ],
)
def test_mistakes_get_one_sentence_and_code_2(
    arguments: list[str], complaint: str, capsys: Capture
) -> None:
    assert cli.run(arguments) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert captured.out == ""


def raising(error: BaseException) -> Callable[..., None]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (GameError("there is no hero 'Bob'"), 2, "arena: there is no hero 'Bob'\n"),
        (FileNotFoundError(2, "No such file", "x.toml"), 2, "No such file: 'x.toml'\n"),
        (click.Abort(), 130, "Stopped.\n"),
        (KeyboardInterrupt(), 130, "Stopped.\n"),
    ],
)
def test_errors_of_the_work_are_one_sentence_too(
    error: BaseException,
    code: int,
    sentence: str,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(random_games, "play", raising(error))
    assert cli.run(["random-games", "--games", "1"]) == code
    captured = capsys.readouterr().err
    assert captured.endswith(sentence)
    assert "Traceback" not in captured


def test_a_stale_engine_is_refused(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "stale", lambda: "games/state.py was edited")
    monkeypatch.delenv("ARENA_PURE", raising=False)
    assert cli.run(["random-games", "--games", "1"]) == 2
    assert "games/state.py was edited" in capsys.readouterr().err
    monkeypatch.setenv("ARENA_PURE", "1")
    assert cli.run(["random-games", "--games", "1"]) == 0


@pytest.mark.slow
def test_ctrl_c_ends_a_long_run_quietly() -> None:
    command = [sys.executable, "-m", "arena", "check-rules", "--games", "100000", "--workers", "2"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        patience = time.monotonic() + 60
        while len(children(process.pid)) < 3 and time.monotonic() < patience:
            time.sleep(0.01)
        time.sleep(0.2)  # the workers are not ready yet, and must not complain all the same
        os.killpg(process.pid, signal.SIGINT)
        _, captured = process.communicate(timeout=60)
    assert process.returncode == 130
    assert captured.endswith("Stopped.\n")
    assert "Traceback" not in captured


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_workers_do_not_outlive_a_killed_parent() -> None:
    command = [sys.executable, "-m", "arena", "check-rules", "--games", "100000", "--workers", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        patience = time.monotonic() + 30
        while len(children(process.pid)) < 3 and time.monotonic() < patience:
            time.sleep(0.1)
        time.sleep(1)
        left = children(process.pid)
        process.kill()
    assert len(left) >= 2
    while any(Path(f"/proc/{pid}").exists() for pid in left) and time.monotonic() < patience:
        time.sleep(0.1)
    assert not [pid for pid in left if Path(f"/proc/{pid}").exists()]


def test_a_reader_who_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m arena random-games --games 20 --json 2>&1 | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)  # noqa: S602
    assert done.stdout == "{" or "Traceback" not in done.stdout


# ---- random games -------------------------------------------------------------------------------


def test_random_games_show_tables_for_a_person(capsys: Capture) -> None:
    assert cli.run(["random-games", "--games", "20", "--players", "2,5-6"]) == 0
    said = capsys.readouterr().out
    for words in ("Winning faction", "Undead", "Lemron", "seat 5", "who begins", "95 %"):
        assert words in said
    assert "2 players" in said
    assert "3 players" not in said


def test_random_games_as_json_add_up(capsys: Capture) -> None:
    assert cli.run(["random-games", "--games", "50", "--players", "3", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["engine"], said["rules_version"], said["seed"]) == (engine_name(), 1, 1)
    (found,) = said["results"]
    won = 50 - found["without_winner"]["hits"]
    stopped = found["undecided"]["hits"]
    assert sum(share["hits"] for share in found["wins_by_seat"]) == won
    assert sum(share["hits"] for share in found["wins_by_turn_order"]) == won
    assert sum(share["hits"] for share in found["wins_by_leader"].values()) == won
    assert sum(share["trials"] for share in found["wins_by_leader"].values()) == 150
    assert sum(share["hits"] for share in found["winning_faction"].values()) == 50 - stopped


def test_the_seed_decides_everything(capsys: Capture) -> None:
    said = []
    for seed in ("3", "3", "4"):
        cli.run(["random-games", "--games", "30", "--players", "4", "--seed", seed, "--json"])
        said.append(json.loads(capsys.readouterr().out)["results"])
    assert said[0] == said[1] != said[2]


def test_wilson_against_published_values() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)


# ---- check-rules --------------------------------------------------------------------------------


def test_check_rules_reports_a_line_per_player_count(capsys: Capture) -> None:
    assert cli.run(["check-rules", "--games", "3", "--players", "2-3", "--workers", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:10] for line in lines] == ["2 players:", "3 players:"]
    assert all(line.endswith(": OK") for line in lines)


@pytest.mark.slow
def test_check_rules_says_the_same_with_any_number_of_workers(capsys: Capture) -> None:
    said = []
    for workers in ("1", "2"):
        cli.run(["check-rules", "--games", "60", "--players", "2", "--workers", workers])
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]


def test_a_broken_law_is_shown_with_the_way_to_see_it_again(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_a_law(batch: check_rules.Batch) -> tuple[CheckCounts, InvariantBroken | None]:
        return CheckCounts(), InvariantBroken("a card got lost", 57, [1, 2, 3])

    monkeypatch.setattr(check_rules, "check_batch", break_a_law)
    with pytest.raises(SystemExit) as left:
        cli.run(["check-rules", "--games", "100", "--players", "4", "--workers", "1"])
    assert left.value.code == 1
    said = capsys.readouterr().out
    assert "BROKEN: a card got lost (game seed 57, ply 3, moves [1, 2, 3])" in said
    again = "arena check-rules --game hidden-leaders --players 4 --seed 57 --games 1"
    assert again in said


# ---- bench --------------------------------------------------------------------------------------


def test_bench_measures_the_engines_there_are(capsys: Capture) -> None:
    assert cli.run(["bench", "--quick", "--players", "4", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    rates = [row["per_second"] for row in said["rates"]]
    searched = ["iterations", "simulated", "positions"]
    assert rates == ["decisions", "games", "copies", "samples", *searched]
    assert said["solver_looks_at_times_fewer_positions"] > 50
    for row in said["rates"]:
        assert row["pure"]["min"] <= row["pure"]["median"] <= row["pure"]["max"]


@pytest.mark.compiled
def test_bench_compares_both_engines(capsys: Capture) -> None:
    assert cli.run(["bench", "--quick", "--players", "4"]) == 0
    said = capsys.readouterr().out
    assert "compiled" in said
    assert "ratio of medians" in said


def test_speeds_are_shown_with_three_digits() -> None:
    assert [bench.short(rate) for rate in (2.0, 45.678, 1234.5, 5.6789e6)] == [
        "2",
        "45.7",
        "1.23k",
        "5.68M",
    ]
