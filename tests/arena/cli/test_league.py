"""`arena league`, `show`, `verify` and `export` as a person meets them."""

import csv
import json
import os
import pty
import shlex
import sqlite3
import subprocess
import sys
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest

from arena.cli import main as cli
from arena.cli.console import Display, describe
from arena.league.config import BUNDLED_LEAGUES, KEYS, option_name
from arena.league.journal import Journal
from arena.league.preview import duration_text
from arena.league.read_run import read_run
from arena.league.runner import LeagueProgress
from arena.league.table import league_table
from arena.stats.game_record import GameRecord
from arena.stats.run import Run
from games.replay import read_replay
from tests.support.faulty_bots import rogue
from tests.support.leagues import content, play, small
from tests.support.paths import ROOT

Capture = pytest.CaptureFixture[str]

DOOM = """
from bots import Bot

class Presses(Bot):
    def choose(self, view):
        raise KeyboardInterrupt

class Doom(BaseException):
    pass

class Doomed(Bot):
    def choose(self, view):
        raise Doom("now")
"""
TINY = ["--bot", "random", "--bot", "greedy:depth=1 as hasty", "--option", "rounds=1"]
TINY += ["--deals", "1", "--workers", "1"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with faults and forfeits in it."""
    file = tmp_path_factory.mktemp("runs") / "done.db"
    play(file, small("random", "ismcts:iterations=3 as ismcts", rogue("Crasher"), probation=2))
    return file


# ---- arena league -------------------------------------------------------------------------------


def test_a_league_prints_its_resume_command_first_and_its_table_last(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["league", "quick", *TINY, "--players", "2"]) == 0
    captured = capsys.readouterr()
    first = captured.err.splitlines()[0]
    assert first == (
        "To go on after a stop: arena league quick --bot random "
        "--bot 'greedy:depth=1 as hasty' --option rounds=1 --deals 1 --workers 1 --players 2"
    )
    assert "2/2 games" in captured.err
    assert "2 of 2 games are kept in runs/quick.db" in captured.err
    lines = captured.out.splitlines()
    assert lines[0].split()[:3] == ["players", "bot", "seats"]
    assert {line.split()[1] for line in lines[2:4]} == {"random", "hasty"}


def test_the_resume_command_is_the_same_league(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["league", *TINY, "--no-trust", "--run", "my run.db"]) == 0
    first = capsys.readouterr()
    again = shlex.split(first.err.splitlines()[0].partition(": arena ")[2])
    assert cli.run(again) == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert "workers" not in second.err.splitlines()[1]  # nothing was left to be played


def test_bots_of_the_command_line_have_a_run_file_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["--deals", "1", "--players", "2", "--option", "rounds=1", "--workers", "1"]
    assert cli.run(["league", "quick", *few]) == 0
    assert cli.run(["league", *TINY, "--players", "2"]) == 0
    assert sorted(path.name for path in Path("runs").glob("*.db")) == [
        "quick.db",
        "random-hasty.db",
    ]


def test_a_bot_that_raises_whatever_there_is_loses(tmp_path: Path) -> None:
    file = tmp_path / "doom.py"
    file.write_text(DOOM)
    run = tmp_path / "run.db"
    bots = ["--bot", "random", "--bot", f"{file}:Presses as presses", "--bot", f"{file}:Doomed"]
    few = ["--deals", "1", "--players", "2", "--workers", "1", "--probation", "0"]
    assert cli.run(["league", *bots, *few, "--run", str(run)]) == 0
    with Journal.read(run) as journal:
        found = {(bot, fault.problem) for _, bot, fault in journal.faults()}
    assert ("presses", "raised KeyboardInterrupt") in found
    assert any(problem == "raised Doom: now" for _, problem in found)


def test_a_league_that_was_stopped_before_its_ratings_is_rated_by_the_same_command(
    tmp_path: Path, capsys: Capture
) -> None:
    run = tmp_path / "run.db"
    words = ["league", *TINY, "--players", "2", "--run", str(run)]
    assert cli.run(words) == 0
    with sqlite3.connect(run) as base:
        base.execute("DELETE FROM ratings")
    base.close()
    assert cli.run(words) == 0
    capsys.readouterr()
    assert cli.run(["verify", str(run)]) == 0


def test_names_that_no_file_could_have_are_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bots = ["--bot", "random as +", "--bot", "random as -"]
    few = ["--deals", "1", "--players", "2", "--option", "rounds=1", "--workers", "1"]
    assert cli.run(["league", *bots, *few]) == 0
    assert (tmp_path / "runs" / "bots.db").exists()


DAMAGE = [
    ("UPDATE games SET moves = x'0102ff' WHERE number = 0", "is damaged"),
    ("UPDATE games SET notes = x'5b315d' WHERE number = 0", "is damaged"),
    ("UPDATE faults SET seat = 7", "is damaged: there is no seat 7 in game"),
]


@pytest.mark.parametrize(("change", "problem"), DAMAGE)
@pytest.mark.parametrize("command", ["verify", "export"])
def test_whatever_is_damaged_is_one_sentence(
    finished: Path, tmp_path: Path, command: str, change: str, problem: str, capsys: Capture
) -> None:
    file = tmp_path / "run.db"
    file.write_bytes(finished.read_bytes())
    with sqlite3.connect(file) as base:
        base.execute(change)
    base.close()
    assert cli.run([command, str(file)]) == 2
    captured = capsys.readouterr().err
    assert captured.splitlines()[-1].startswith(f"arena: {file} {problem}")
    assert "Traceback" not in captured


def test_every_key_of_a_config_is_an_option(capsys: Capture) -> None:
    assert cli.run(["league", "--help"]) == 0
    said = capsys.readouterr().out
    for key in KEYS:
        assert f"{option_name(key)} " in said or f"{option_name(key)} /" in said


def test_a_dry_run_lists_every_game_and_its_cost_and_plays_nothing(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("arena.league.preview.SAMPLE", 0.1)
    assert cli.run(["league", "quick", *TINY, "--players", "2-3", "--dry-run"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "round-robin of 2 bots at 2, 3 players"
    assert lines[1] == "8 games, 3 deals, seats rotated in each"
    assert lines[2].startswith("about ")
    assert len(lines) == 3 + 8
    assert lines[3] == "game 0: deal 0, A random, B hasty"
    assert lines[4] == "game 1: deal 0, A hasty, B random"
    assert not (tmp_path / "runs").exists()


def test_a_dry_run_of_a_swiss_league_says_what_is_not_known_yet(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.league.preview.SAMPLE", 0.1)
    assert cli.run(["league", "swiss", *TINY, "--players", "2", "--dry-run"]) == 0
    assert "round 1 of 4; later pairings depend on the results" in capsys.readouterr().out


@pytest.mark.parametrize("name", sorted(path.stem for path in BUNDLED_LEAGUES.glob("*.toml")))
def test_the_leagues_that_come_along_can_be_played(
    name: str, tmp_path: Path, capsys: Capture
) -> None:
    few = ["--deals", "1", "--rounds", "2", "--iterations", "2"]
    if name != "secrets":  # whose games are short
        few += ["--option", "rounds=1"]
    assert cli.run(["league", name, *few, "--run", str(tmp_path / "run.db")]) == 0
    assert "fair, %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["league", "quik"], "there is no league file 'quik'"),
        (["league", "quick", "--bot", "gredy"], "--bot: there is no bot 'gredy'"),
        (
            ["league", "quick", "--option", "players=3"],
            "--option: players cannot be set",
        ),
        (["league", "quick", "--deals", "0"], "--deals must be a whole number from 1"),
        (["league", "quick", "--deals", "many"], "'many' is not a valid integer"),
        (["league", "quick", "--players", "9"], "--players: Hidden Leaders is for 2 to 6"),
        (["league", "quick", "--format", "cup"], "--format must be one of round-robin"),
        (["standings", "nowhere.db"], "there is no run file 'nowhere.db'"),
        (["show", "nowhere.db", "0"], "there is no run file 'nowhere.db'"),
        (["verify", "nowhere.db"], "there is no run file 'nowhere.db'"),
        (["export", "nowhere.db"], "there is no run file 'nowhere.db'"),
        (["verify", "README.md"], "README.md is not a run file"),
        (["match", "random", "random", "--option", "deck"], "an option is written name=value"),
        (["match", "random", "random", "--option", "deck=no"], "there is no deck 'no'"),
    ],
)
def test_mistakes_are_one_sentence_and_code_2(
    arguments: list[str], complaint: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert cli.run(arguments) == 2
    captured = capsys.readouterr()
    assert complaint in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


# ---- arena show, verify, export -----------------------------------------------------------------


def test_show_tells_a_game_to_its_end(finished: Path, capsys: Capture) -> None:
    assert cli.run(["show", str(finished), "0"]) == 0
    said = capsys.readouterr().out
    assert "A (random): " in said
    assert "   [wins " in said  # why ismcts chose
    assert "leader" in said
    assert said.splitlines()[-1].startswith(("Winner after ", "Nobody wins after "))


def test_show_from_a_seat_keeps_what_is_face_down(finished: Path, capsys: Capture) -> None:
    cli.run(["show", str(finished), "0"])
    everything = capsys.readouterr().out.splitlines()
    assert cli.run(["show", str(finished), "0", "--view", "a"]) == 0
    seen = capsys.readouterr().out.splitlines()
    assert "B (ismcts): chooses face down" in seen
    assert not [line for line in seen if line.startswith("B ") and "[" in line]
    assert len(seen) == len(everything)


def test_show_tells_how_a_bot_broke_down(finished: Path, capsys: Capture) -> None:
    assert cli.run(["show", str(finished), "2"]) == 0
    said = capsys.readouterr().out
    assert "B (Crasher) raised ZeroDivisionError: as always (exception)" in said
    assert said.endswith("Printed by bots:\nabout to fail\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["999"], "has no game 999; it holds 18 games from 0 to 17"),
        (["0", "--view", "C"], "seats are A, B, not 'C'"),
        (["16"], "game 16 was not played: Crasher was on probation"),
    ],
)
def test_show_says_why_there_is_nothing_to_show(
    finished: Path, words: list[str], complaint: str, capsys: Capture
) -> None:
    assert cli.run(["show", str(finished), *words]) == 2
    assert complaint in capsys.readouterr().err


def test_verify_replays_everything(finished: Path, capsys: Capture) -> None:
    assert cli.run(["verify", str(finished)]) == 0
    said = capsys.readouterr().out
    assert "18 of 18 games replayed, 6 ratings recomputed, all as they should be" in said
    assert f"content {content(finished)}" in said


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("SET winners = '[1]' WHERE number = 0", "game 0: winners: the run has "),
        ("SET turns = 99 WHERE number = 1", "game 1: turns: the run has 99, the replay gives "),
        ("SET first = 1 - first WHERE number = 1", "game 1: the first seat: the run has "),
        ("SET decisions = 1 WHERE number = 1", "game 1: decisions: the run has 1, "),
        ('SET roles = \'["X", "Y"]\' WHERE number = 0', "game 0: roles: the run has ('X', 'Y')"),
        ("SET position = x'00' WHERE number = 0", "game 0: the last position: the run has "),
        ('SET seats = \'["random", "random"]\' WHERE number = 0', "game 0: players, deal, seed"),
        ("SET deal = 7 WHERE number = 0", "game 0: players, deal, seed and seats are (2, 7, "),
        ("SET number = 500 WHERE number = 0", "game 500: the schedule has no such game"),
        (
            "SET moves = (SELECT moves FROM games WHERE number = 1) WHERE number = 0",
            "game 0: ",
        ),
    ],
)
def test_verify_finds_whatever_was_changed(
    finished: Path, tmp_path: Path, change: str, problem: str, capsys: Capture
) -> None:
    file = tmp_path / "run.db"
    file.write_bytes(finished.read_bytes())
    with sqlite3.connect(file) as base:
        (before,) = base.execute("SELECT winners FROM games WHERE number = 0").fetchone()
        if before == "[1]":
            change = change.replace("winners = '[1]'", "winners = '[0]'")
        base.execute(f"UPDATE games {change}")
    base.close()
    with pytest.raises(SystemExit) as left:
        cli.run(["verify", str(file)])
    assert left.value.code == 1
    said = capsys.readouterr().out
    assert problem in said
    assert "of the 18 games or their ratings are wrong" in said


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE ratings SET mu = 50 WHERE players = 0", " overall: saved rating is 50.0 and "),
        ("UPDATE ratings SET sigma = 1 WHERE players = 2", " at 2 players: saved rating is "),
        ("DELETE FROM ratings", " overall: saved rating is missing, the games give "),
        ("INSERT INTO ratings VALUES (5, 'random', 1, 1)", "where no games were played"),
    ],
)
def test_verify_recomputes_the_ratings(
    finished: Path, tmp_path: Path, change: str, problem: str, capsys: Capture
) -> None:
    file = tmp_path / "run.db"
    file.write_bytes(finished.read_bytes())
    with sqlite3.connect(file) as base:
        base.execute(change)
    base.close()
    with pytest.raises(SystemExit) as left:
        cli.run(["verify", str(file)])
    assert left.value.code == 1
    assert problem in capsys.readouterr().out


def test_verify_knows_which_games_are_forfeited(
    finished: Path, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "run.db"
    file.write_bytes(finished.read_bytes())
    with sqlite3.connect(file) as base:
        base.execute("UPDATE forfeits SET bot = 'random' WHERE number = 16")
    base.close()
    with pytest.raises(SystemExit):
        cli.run(["verify", str(file)])
    said = capsys.readouterr().out
    assert "game 16: forfeited by random, but should be by Crasher" in said


def test_verify_understands_swiss_leagues_and_unfinished_ones(
    tmp_path: Path, capsys: Capture
) -> None:
    league = small(format="swiss", rounds=3, players=2)
    play(tmp_path / "run.db", league)
    assert cli.run(["verify", str(tmp_path / "run.db")]) == 0
    with sqlite3.connect(tmp_path / "run.db") as base:
        base.execute("DELETE FROM games WHERE number = 10")
    base.close()
    assert cli.run(["verify", str(tmp_path / "run.db")]) == 0
    assert "11 of 12 games replayed" in capsys.readouterr().out


def test_export_writes_what_other_programs_read(
    finished: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert cli.run(["export", str(finished), str(tmp_path / "out")]) == 0
    capsys.readouterr()
    out = tmp_path / "out"
    with (out / "games.csv").open(encoding="utf-8") as file:
        games = list(csv.DictReader(file))
    with (out / "seats.csv").open(encoding="utf-8") as file:
        seats = list(csv.DictReader(file))
    with (out / "faults.csv").open(encoding="utf-8") as file:
        faults = list(csv.DictReader(file))
    with (out / "forfeits.csv").open(encoding="utf-8") as file:
        forfeits = list(csv.DictReader(file))
    assert len(games) + len(forfeits) == 18
    assert len(seats) == sum(int(game["players"]) for game in games)
    assert [fault["bot"] for fault in faults] == ["Crasher", "Crasher"]
    for game in games:
        replay = read_replay((out / "replays" / f"{int(game['number']):06}.jsonl").read_text())
        winners = replay.state().winners() if not game["faulty"] else ()
        assert "".join("ABC"[seat] for seat in winners) == game["winners"]
        here = [seat for seat in seats if seat["number"] == game["number"]]
        assert replay.extra["seats"] == [seat["bot"] for seat in here]
    assert read_run(out / "results.jsonl") == read_run(finished)
    about = json.loads((out / "league.json").read_text(encoding="utf-8"))
    assert about["content"] == content(finished)
    assert about["config"]["probation"] == 2
    assert "Crasher was disqualified after 2 faults" in (out / "table.txt").read_text(
        encoding="utf-8"
    )


# ---- tables and progress ------------------------------------------------------------------------


def game(number: int, deal: int, winners: tuple[int, ...], **more: int) -> GameRecord:
    seats = ("a", "b") if number % 2 == 0 else ("b", "a")
    return GameRecord(number, 2, deal, seats, winners, ("X", "Y"), 10, 5, **more)


def test_the_table_counts_wins_by_seat_and_faults_by_bot() -> None:
    games = [game(0, 0, (0,)), game(1, 0, ()), game(2, 1, (1,)), game(3, 1, (), faulty=1)]
    lines = league_table(Run(("a", "b"), tuple(games)), [(4, "b")], [2]).splitlines()
    rows = {line.split()[1]: line.split() for line in lines[2:4]}
    assert rows["a"][2:5] == ["4", "1", "25.0"]
    assert rows["b"][2:5] == ["4", "2", "50.0"]  # one of them because of a's fault
    assert [rows[name][-1] for name in "ab"] == ["1", "0"]
    assert lines[2].split()[1] == "b"  # best first
    assert lines[-1] == "b was disqualified after 0 faults: 1 of its games was not played."


def progress(done: int) -> LeagueProgress:
    found = LeagueProgress(100, done, {"a": 0.0, "b": 0.0})
    found.count(game(0, 0, (0,)))
    return found


def test_progress_is_told_with_rate_time_left_and_leaders() -> None:
    told = describe(progress(40), fresh=30, seconds=60)
    assert told == "40/100 games, 0.5/s, 2:00 left; wins: a 100%, b 0%"
    assert describe(LeagueProgress(100, 0, {}), 0, 0.0) == "0/100 games"


def test_without_a_terminal_progress_comes_in_plain_lines() -> None:
    derive_seed = StringIO()
    display = Display(derive_seed)
    for done in range(10):
        display.show(progress(done))
    display.say("warning: something")
    display.show(progress(100))
    display.close()
    lines = derive_seed.getvalue().splitlines()
    assert lines[0] == "warning: something"
    assert lines[1].startswith("100/100 games")
    assert len(lines) == 2


def read_all(terminal: int) -> str:
    """Everything that was written to a terminal which has been closed at its other end."""
    text = b""
    with suppress(OSError), os.fdopen(terminal, "rb", buffering=0) as reader:
        while piece := reader.read(10_000):
            text += piece
    return text.decode()


def test_on_a_terminal_the_bar_renews_itself_and_stays_below_other_lines() -> None:
    there, here = pty.openpty()
    with os.fdopen(here, "w", encoding="utf-8") as derive_seed:
        display = Display(derive_seed)
        display.show(progress(50))
        display.say("warning: something")
        display.show(progress(100))
        display.close()
    text = read_all(there)
    assert "\x1b[K[##########----------] 50/100 games" in text
    assert "\x1b[Kwarning: something\r\n[##########----------] 50/100 games" in text
    assert text.rstrip("\r\n").rpartition("\x1b[K")[2].startswith("[####################] 100/100")
    assert text.endswith("\r\n")


def test_times_are_said_as_a_person_would() -> None:
    assert [duration_text(time) for time in (0.2, 45, 100, 3600, 7200)] == [
        "a second",
        "45 s",
        "2 min",
        "60 min",
        "2.0 h",
    ]


def test_match_can_be_given_the_options_and_seeds_of_a_league(capsys: Capture) -> None:
    words = ["match", "random", "random", "--option", "rounds=1", "--seed", str(2**47)]
    assert cli.run(words) == 0
    assert "decisions" in capsys.readouterr().out


def test_a_league_is_importable_without_being_run() -> None:
    """Workers import the main module again; it must not start another league."""
    code = "import arena.__main__, arena.cli.league, arena.league.pool"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)
