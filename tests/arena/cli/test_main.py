"""The `arena` command: help, version, errors, exit codes; random-games, check-rules and bench."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import click
import pytest

from arena.cli import main as cli
from arena.cli.commands.puzzles import puzzles_group
from arena.cli.lazy_group import LazyGroup
from arena.lab import bench, check_rules, random_games
from arena.stats.intervals import wilson
from games.conformance import CheckCounts, InvariantBroken
from games.engine import engine_name
from games.errors import GameError
from games.registry import game, game_names
from tests.support.command_line import RunArena, check_refusal, modules_loaded_by
from tests.support.leagues import children, command, ended, output
from tests.support.package_tree import imported
from tests.support.paths import ROOT


def all_commands(group: click.Group = cli.arena) -> list[tuple[str, click.Command]]:
    """Every command with its full name, those of `arena puzzles` included."""
    context = click.Context(group)
    named = [(name, group.get_command(context, name)) for name in group.list_commands(context)]
    commands = [(name, found) for name, found in named if found is not None]
    return commands + [
        (f"{name} {inner}", found)
        for name, outer in commands
        if isinstance(outer, click.Group)
        for inner, found in all_commands(outer)
    ]


def test_version_names_everything_a_result_depends_on(arena: RunArena) -> None:
    text = arena("--version").out
    for name in game_names():
        rules = game(name)
        assert f"{rules.title} rules version {rules.rules_version}" in text
    assert f"engine {engine_name()}" in text
    assert f"Python {sys.version.split()[0]}" in text


@pytest.mark.parametrize("group", [cli.arena, puzzles_group], ids=["arena", "puzzles"])
def test_the_list_of_commands_says_what_their_help_says_first(group: LazyGroup) -> None:
    for name, (_, summary) in group.lazy.items():
        loaded = group.get_command(click.Context(group), name)
        assert loaded is not None
        assert loaded.name == name
        assert loaded.get_short_help_str(limit=200) == summary


@pytest.mark.parametrize("name", [name for name, _ in all_commands()])
def test_every_help_has_examples_whose_options_exist(name: str, arena: RunArena) -> None:
    text = arena(*name.split(), "--help").out
    assert "\n    arena " in text
    known = dict(all_commands())
    for line in text.partition("Example")[2].partition("Options:")[0].splitlines():
        words = line.partition("arena ")[2].split()
        used = known.get(" ".join(words[:2])) or known.get(" ".join(words[:1]))
        if used is not None:
            options = {option for each in used.params for option in each.opts}
            options |= {option for each in used.params for option in each.secondary_opts}
            assert {word for word in words if word.startswith("--")} <= options, line
    # Who installed the wheel has none of these.
    assert not re.search(r"\b(examples|configs|scripts|tests|benchmarks)/", text)


def test_help_imports_no_command() -> None:
    slow = ("arena.lab", "arena.league", "games.hidden", "solver", "trueskill", "tabulate")
    assert modules_loaded_by("from arena.cli.main import run\nrun(['--help'])", *slow) == ""


def test_no_command_imports_another() -> None:
    groups = (cli.arena, puzzles_group)
    modules = {
        f"arena.cli.commands.{module}" for group in groups for module, _ in group.lazy.values()
    }
    for module in modules:
        assert not modules & imported(ROOT / f"{module.replace('.', '/')}.py"), module


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (GameError("there is no hero 'Bob'"), 2, "arena: there is no hero 'Bob'\n"),
        (FileNotFoundError(2, "No such file", "x.toml"), 2, "x.toml: no such file\n"),
        (click.Abort(), 130, "Stopped.\n"),
        (KeyboardInterrupt(), 130, "Stopped.\n"),
    ],
)
def test_errors_while_a_command_runs_are_one_line(
    error: BaseException, code: int, sentence: str, arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random_games, "play_random_games", Mock(side_effect=error))
    assert arena("random-games", "--games", "1", code=code).err.endswith(sentence)


def test_a_stale_engine_is_refused(arena: RunArena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "stale", lambda: "games/state.py was edited")
    monkeypatch.delenv("ARENA_PURE", raising=False)
    check_refusal(arena("random-games", "--games", "1", code=2), "games/state.py was edited")
    monkeypatch.setenv("ARENA_PURE", "1")
    arena("random-games", "--games", "1")


ENDLESS = ("check-rules", "--games", "100000", "--workers", "2")


def wait_for_workers(pid: int) -> list[int]:
    """Until the resource tracker and two workers have been started, and are busy starting."""
    deadline = time.monotonic() + 60
    while len(children(pid)) < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)
    return children(pid)


@pytest.mark.slow
def test_ctrl_c_ends_a_long_command_quietly_even_while_workers_start() -> None:
    with command(*ENDLESS) as process:
        wait_for_workers(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        done = ended(process)
    assert done.returncode == 130
    assert done.stderr.endswith("Stopped.\n")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_workers_do_not_outlive_a_killed_parent() -> None:
    with command(*ENDLESS) as process:
        workers = [Path(f"/proc/{pid}") for pid in wait_for_workers(process.pid)]
        process.kill()
        assert len(workers) >= 2
        deadline = time.monotonic() + 60
        while any(worker.exists() for worker in workers) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(worker.exists() for worker in workers)


@pytest.mark.slow
def test_a_reader_that_closes_the_pipe_early_is_no_error() -> None:
    line = f"{sys.executable} -m arena random-games --games 20 --json 2>&1 | head -c 1"
    done = subprocess.run(  # noqa: S602
        line, shell=True, cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "{" or "Traceback" not in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs a limit on open files")
def test_too_few_open_files_are_one_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    league = "league --bot random --bot greedy --players 2 --deals 1 --workers 9"
    line = f"ulimit -n 24; exec {sys.executable} -m arena {league} --run {tmp_path / 'run.db'}"
    done = output("sh", "-c", line)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "arena: too many open files; raise the limit with ulimit -n, or use fewer --workers"
    )
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", ["bots", "cards --json", "--version"])
def test_output_that_does_not_fit_on_the_disk_is_one_sentence(words: str) -> None:
    line = f"{sys.executable} -m arena {words} > /dev/full"
    done = subprocess.run(  # noqa: S602
        line, shell=True, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr == "arena: the output cannot be written: no space left on device\n"
    assert done.returncode == 2


@pytest.mark.slow
def test_why_a_file_cannot_be_written_is_found_out_before_the_work(tmp_path: Path) -> None:
    script = f"mount --bind {tmp_path} {tmp_path} && mount -o remount,ro,bind {tmp_path} || exit 99"
    arena = f"{sys.executable} -m arena"
    script += f"\n{arena} match random random --replay {tmp_path}/game.jsonl"
    (tmp_path / "old.jsonl").touch()
    script += f"\n{arena} match random random --replay {tmp_path}/old.jsonl"
    done = output("unshare", "--mount", "sh", "-c", script)
    if done.returncode in (1, 99):
        pytest.skip("this machine does not allow read-only mounts")
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        f"arena: {tmp_path}/{name}.jsonl cannot be written: Read-only file system"
        for name in ("game", "old")
    ]


def test_random_games_as_json_add_up(arena: RunArena) -> None:
    report = json.loads(arena("random-games", "--games", "50", "--players", "3", "--json").out)
    assert (report["engine"], report["rules_version"], report["seed"]) == (engine_name(), 1, 1)
    (result,) = report["results"]
    won = 50 - result["without_winner"]["hits"]
    stopped = result["undecided"]["hits"]
    leaders = result["wins_by_leader"].values()
    for shares in (result["wins_by_seat"], result["wins_by_turn_order"], leaders):
        assert sum(share["hits"] for share in shares) == won
    assert sum(share["trials"] for share in leaders) == 150
    assert sum(share["hits"] for share in result["winning_faction"].values()) == 50 - stopped


def test_arena_alone_prints_its_help(arena: RunArena) -> None:
    assert arena(code=2).err.startswith("Usage: arena [OPTIONS] COMMAND [ARGS]...\n")


def test_the_seed_decides_everything(arena: RunArena) -> None:
    words = ("random-games", "--games", "30", "--players", "4", "--json", "--seed")
    results = [json.loads(arena(*words, seed).out)["results"] for seed in ("3", "3", "4")]
    assert results[0] == results[1] != results[2]


def test_wilson_intervals_match_published_values() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.slow
def test_check_rules_prints_the_same_with_any_number_of_workers(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_rules, "_BATCH_GAMES", 3)
    words = ("check-rules", "--games", "10", "--players", "2", "--workers")
    assert arena(*words, "1").out == arena(*words, "2").out


def test_a_broken_invariant_is_reported_with_the_command_that_reproduces_it(
    arena: RunArena, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = InvariantBroken("a card got lost", 57, [1, 2, 3])
    monkeypatch.setattr(check_rules, "check_batch", lambda batch: (CheckCounts(), broken))
    words = ("check-rules", "--games", "100", "--players", "4", "--workers", "1")
    text = arena(*words, code=1).out
    assert "FAILED: a card got lost (game seed 57, ply 3, moves [1, 2, 3])" in text
    assert "arena check-rules --game hidden-leaders --players 4 --seed 57 --games 1" in text


BENCH = ("bench", "--quick", "--players", "4")


@pytest.mark.slow
@pytest.mark.usefixtures("short_bench")
def test_bench_measures_every_engine_there_is(arena: RunArena) -> None:
    report = json.loads(arena(*BENCH, "--json").out)
    rates = [row["per_second"] for row in report["rates"]]
    searched = ["iterations", "simulated", "evaluations", "priors", "visits", "positions"]
    assert rates == ["decisions", "games", "copies", "samples", *searched]
    (shares,) = report["shares_of_champions_search"]
    assert shares["players"] == 4
    assert min(shares["priors"], shares["values"]) > 0
    assert report["solver_looks_at_times_fewer_positions"] > 50
    for row in report["rates"]:
        assert row["pure"]["min"] <= row["pure"]["median"] <= row["pure"]["max"]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.usefixtures("short_bench")
def test_bench_compares_both_engines(arena: RunArena) -> None:
    text = arena(*BENCH).out
    assert "compiled" in text
    assert "ratio of medians" in text
    assert max(map(len, text.splitlines())) <= 80


def test_speeds_are_shown_with_three_digits() -> None:
    rates = {2.0: "2", 45.678: "45.7", 1234.5: "1.23k", 5.6789e6: "5.68M"}
    assert [bench.short(rate) for rate in rates] == list(rates.values())


@pytest.mark.slow
def test_text_without_an_encoding_is_printed_as_escapes(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    header = {"format": "arena-replay", "version": 2, "game": "\ud800", "rules": 1, "players": 2}
    file.write_text(json.dumps({**header, "options": {}}) + "\n")
    with command("verify", file) as process:
        done = ended(process)
    assert done.returncode == 1
    assert "there is no game '\\ud800'" in done.stdout
    assert done.stderr == ""
