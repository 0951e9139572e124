"""`arena league`, `show`, `verify` and `export`, and the progress they print."""

import csv
import json
import os
import pty
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from io import StringIO
from pathlib import Path

import pytest

from arena.cli.console import LeagueDisplay, progress_line
from arena.league.config import (
    BUNDLED_LEAGUES,
    KEYS,
    League,
    find_config,
    option_name,
    read_league,
)
from arena.league.journal import Journal
from arena.league.preview import duration_text
from arena.league.read_run import read_run
from arena.league.runner import LeagueProgress, bring_up_to_date
from arena.stats.game_record import GameRecord
from games.registry import game as rules
from games.replay import read_replay
from tests.support.command_line import RunArena, check_refusal
from tests.support.faulty_bots import rogue
from tests.support.leagues import content, play, small
from tests.support.paths import ROOT

BOTS = ("--bot", "random", "--bot", "greedy:depth=1 as hasty")
SHORT = ("--option", "rounds=1", "--deals", "1", "--workers", "1")
TINY = (*BOTS, *SHORT)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with faults and a disqualified bot in it."""
    file = tmp_path_factory.mktemp("runs") / "done.db"
    play(file, small("random", "ismcts:iterations=3 as ismcts", rogue("Crasher"), probation=2))
    return file


def crashed_game(file: Path) -> str:
    """The number of the first game that ended by a fault."""
    with Journal.read(file) as journal:
        return str(journal.faults()[0][0])


def changed(file: Path, statement: str, copy: Path | None = None) -> Path:
    """The run file, or a copy of it, after this SQL statement."""
    if copy is not None:
        file = Path(shutil.copyfile(file, copy))
    with closing(sqlite3.connect(file)) as base, base:
        base.execute(statement)
    return file


@pytest.mark.slow
def test_the_resume_command_comes_first_and_the_table_last(folder: Path, arena: RunArena) -> None:
    outcome = arena("league", "quick", *TINY, "--players", "2")
    assert outcome.err.splitlines()[0] == (
        "To resume after a stop: arena league quick --bot random "
        "--bot 'greedy:depth=1 as hasty' --option rounds=1 --deals 1 --workers 1 --players 2"
    )
    assert "2/2 games" in outcome.err
    assert "2 games are saved in runs/quick.db" in outcome.err
    assert outcome.lines[1].split()[:2] == ["rank", "bot"]
    assert {line.split()[1] for line in outcome.lines[3:5]} == {"random", "hasty"}


def test_a_league_that_cannot_start_is_not_to_be_resumed(folder: Path, arena: RunArena) -> None:
    (folder / "junk.db").write_bytes(b"junk" * 100)
    refusal = arena("league", "quick", *TINY, "--run", "junk.db", code=2).err
    assert refusal == "arena: junk.db is not a run file, or is damaged: file is not a database\n"


def test_a_refused_restart_moves_no_games(folder: Path, arena: RunArena) -> None:
    pytest.importorskip("uvicorn")
    words = ("league", "quick", *TINY, "--players", "2", "--run", "x.sqlite")
    arena(*words)
    arena(*words, "--restart", "--browser", code=2)
    assert [file.name for file in folder.glob("x*")] == ["x.sqlite"]


@pytest.mark.slow
def test_standings_begin_with_the_table_of_the_league(folder: Path, arena: RunArena) -> None:
    for kind in ("round-robin", "swiss"):
        few = ["--format", kind, "--run", f"{kind}.db"]
        few += ["--rounds", "2"] if kind == "swiss" else []
        after = arena("league", *TINY, "--players", "2,3", *few).out
        assert ("Swiss scores" in after) == (kind == "swiss")
        assert arena("standings", f"{kind}.db").out.startswith(after.rstrip() + "\n\n")
        arena("export", f"{kind}.db", kind)
        assert Path(kind, "table.txt").read_text(encoding="utf-8") == after


@pytest.mark.slow
def test_the_resume_command_is_the_same_league(folder: Path, arena: RunArena) -> None:
    first = arena("league", *TINY, "--no-trust", "--run", "my run.db")
    again = shlex.split(first.err.splitlines()[0].partition(": arena ")[2])
    second = arena(*again)
    assert second.out == first.out
    assert "workers" not in second.err.splitlines()[1]  # nothing was left to be played


@pytest.mark.slow
def test_run_files_are_named_after_the_config_or_the_bots(folder: Path, arena: RunArena) -> None:
    arena("league", "quick", *SHORT, "--players", "2")
    arena("league", *TINY, "--players", "2")
    arena("league", "--bot", "random as +", "--bot", "random as -", *SHORT, "--players", "2")
    names = sorted(path.name for path in Path("runs").glob("*.db"))
    assert names == ["bots.db", "quick.db", "random-hasty.db"]


@pytest.mark.slow
def test_a_bot_that_raises_a_base_exception_loses(folder: Path, arena: RunArena) -> None:
    bots = [
        ("--bot", f"tests.support.failing_bots:{name} as {name}") for name in ("Presses", "Doomed")
    ]
    few = ("--deals", "1", "--players", "2", "--workers", "1", "--probation", "0")
    arena("league", "--bot", "random", *bots[0], *bots[1], *few, "--run", "run.db")
    with Journal.read(Path("run.db")) as journal:
        faults = {(bot, fault.problem) for _, bot, fault in journal.faults()}
    assert {("Presses", "raised KeyboardInterrupt"), ("Doomed", "raised Fate: now")} <= faults


@pytest.mark.slow
def test_a_league_stopped_before_its_ratings_is_rated_later(folder: Path, arena: RunArena) -> None:
    command = ("league", *TINY, "--players", "2", "--run", "run.db")
    arena(*command)
    changed(Path("run.db"), "DELETE FROM ratings")
    arena(*command)
    arena("verify", "run.db")


def test_every_command_tells_why_no_game_counts(folder: Path, arena: RunArena) -> None:
    """All games belong to a disqualified bot: they are there, and no table can be made of them."""
    league = ("league", "--bot", "random", "--bot", rogue("Cheat"), "--players", "2")
    words = (*league, "--deals", "5", "--workers", "1", "--run", "run.db")
    first, again = arena(*words), arena(*words)
    out = "Cheat was disqualified after 3 faults; its games do not count"
    assert "0 games are saved in run.db, and 3 of disqualified bots" in first.err
    assert first.out == again.out
    assert first.out.startswith(f"Only one bot is left, so there are no games to play.\n{out}. ")
    assert "0 of 0 games already played" in again.err
    assert "another league" not in again.err
    for command in (["standings"], ["standings", "--json"], ["report"]):
        refusal = arena(*command, "run.db", code=2)
        check_refusal(refusal, f"only one bot is left, so there are no games to play. {out}. ")
    only = "run.db has only games of disqualified bots (0, 1, 2); give the number of one"
    check_refusal(arena("show", "run.db", code=2), only)
    check_refusal(arena("show", "run.db", "9", code=2), "no game 9; it has only games of disqual")
    assert "Ended at decision" in arena("show", "run.db", "2").out
    assert "3 games replayed" in arena("verify", "run.db").out


def test_a_gauntlet_whose_bot_is_disqualified_says_that_it_is_over(
    folder: Path, arena: RunArena
) -> None:
    """It ended with "No games that count have been played yet", and "the others have theirs"."""
    bots = ("--bot", rogue("Cheat"), "--bot", "random", "--bot", "greedy:depth=1")
    words = ("--format", "gauntlet", "--players", "2", "--workers", "1", "--run", "run.db")
    out = arena("league", *bots, *words).out
    assert out.startswith("The bot of the gauntlet has left, so there are no games to play.\n")
    assert "the others have all of theirs" not in out


def test_if_every_bot_is_disqualified_that_is_said(folder: Path, arena: RunArena) -> None:
    bots = ("--bot", rogue("Cheat"), "--bot", f"{rogue('Cheat')}er", "--probation", "1")
    words = ("league", *bots, "--players", "2", "--workers", "1", "--run", "run.db")
    out = arena(*words).out
    assert out.startswith("Only one bot is left, so there are no games to play.\n")
    assert "the others have all of theirs" not in out
    alone = ("league", "--bot", rogue("Cheat"), "--players", "2", "--workers", "1", "--probation")
    assert arena(*alone, "1").out.startswith("No bot is left, so there are no games to play.\n")


def test_games_that_do_not_belong_are_named_with_the_option_that_deletes_them(
    folder: Path, arena: RunArena
) -> None:
    league = ("league", *TINY, "--players", "2", "--run", "run.db", "--deals")
    arena(*league, "3")
    two = "2 of 2 games already played; 4 games in run.db do not belong to this league"
    assert f"{two} (--prune deletes them)\n" in arena(*league, "1").err
    err = arena(*league, "1", "--prune").err
    assert f"{two}\n" in err
    assert "4 games deleted from run.db" in err
    assert "--prune" not in err
    assert "2 of 2 games already played\n" in arena(*league, "1").err


def test_every_key_of_a_config_is_an_option(arena: RunArena) -> None:
    text = arena("league", "--help").out
    for key in KEYS:
        assert f"{option_name(key)} " in text or f"{option_name(key)} /" in text


def test_the_help_tells_the_default_of_every_key_that_has_one(arena: RunArena) -> None:
    text = " ".join(arena("league", "--help").out.split())
    league = League(bots=())
    for key in ("game", "deals", "seed", "format", "rounds", "lineups", "probation", "confidence"):
        told = re.search(rf"{option_name(key)} [A-Z]+ [^\[]*\[default: (.*?)\]", text)
        assert told, key
        assert told[1] == str(getattr(league, key))
    assert "[default: trust]" in text
    assert "[default: no-until-settled]" in text


@pytest.fixture
def short_preview(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.league.preview.SAMPLE", 0.1)


@pytest.mark.usefixtures("short_preview")
def test_a_dry_run_lists_every_game_and_plays_nothing(folder: Path, arena: RunArena) -> None:
    lines = arena("league", "quick", *TINY, "--players", "2-3", "--dry-run").lines
    assert len(lines) == 8 + 3
    assert lines[0] == "game 0: deal 0, A hasty, B random"
    assert lines[1] == "game 1: deal 0, A random, B hasty"
    assert lines[8] == "round-robin of 2 bots at 2, 3 players"
    assert lines[9] == "8 games, 3 deals, seats rotated in each"
    assert lines[10].startswith("about ")
    assert not (folder / "runs").exists()


@pytest.mark.usefixtures("short_preview")
def test_a_dry_run_of_a_swiss_league_says_what_is_not_known_yet(arena: RunArena) -> None:
    text = arena("league", "swiss", *TINY, "--players", "2", "--dry-run").out
    assert "round 1 of 4; later pairings depend on the results" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in BUNDLED_LEAGUES.glob("*.toml")))
def test_the_bundled_leagues_can_be_played(name: str, folder: Path, arena: RunArena) -> None:
    few = ["--deals", "1", "--iterations", "2", "--workers", "1"]
    few += ["--rounds", "2"] if name == "swiss" else []
    if name != "secrets":  # whose games are short
        few += ["--option", "rounds=1"]
    assert "fair,%" in arena("league", name, *few, "--run", "run.db").out


def test_show_prints_a_game_to_its_end(finished: Path, arena: RunArena) -> None:
    text = arena("show", str(finished), "0").out
    assert "B (random): " in text
    assert "   [wins " in text  # why ismcts chose
    assert "leader" in text
    assert text.splitlines()[-1].startswith(("Winner after ", "Nobody wins after "))


def test_show_from_a_seat_keeps_face_down_cards_hidden(finished: Path, arena: RunArena) -> None:
    everything = arena("show", str(finished), "0").lines
    seen = arena("show", str(finished), "0", "--view", "b").lines
    assert [line for line in seen if line.endswith("A (ismcts): chooses face down")]
    assert [line for line in everything if "  A (ismcts): " in line and "[" in line]
    assert not [line for line in seen if "  A (ismcts): " in line and "[" in line]


def test_show_prints_how_a_bot_crashed(finished: Path, arena: RunArena) -> None:
    text = arena("show", str(finished), crashed_game(finished)).out
    told = " ".join(text.split())
    where = r"\(faulty_bots.py, line \d+, in \w+\)"
    assert re.search(rf"A .Crasher. raised ZeroDivisionError: as always {where} .exception.", told)
    output = text.partition("Printed by bots:\n")[2].splitlines()
    assert output[:2] == ["about to fail", "raised ZeroDivisionError: as always"]
    assert output[2].startswith("  faulty_bots.py, line ")
    assert output[3] == '    raise ZeroDivisionError("as always")'


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("999", "has no game 999; it has 16 games from 0 to 15"),
        ("0 --view C", "there is no seat 'C'; seats are A, B"),
    ],
)
def test_show_says_what_is_missing(
    finished: Path, words: str, problem: str, arena: RunArena
) -> None:
    check_refusal(arena("show", str(finished), *words.split(), code=2), problem)


def test_verify_replays_everything(finished: Path, arena: RunArena) -> None:
    text = arena("verify", str(finished)).out
    assert "18 games replayed, 6 ratings recomputed, all correct" in text
    assert f"content {content(finished)}" in text


FIRST = "WHERE identity = (SELECT identity FROM schedule WHERE number = 0)"

CHANGES = """
UPDATE games SET winners = iif(winners = '[1]', '[0]', '[1]') FIRST
    game 0: winners: the run has
UPDATE games SET turns = 99 FIRST
    game 0: turns: the run has 99, the replay gives
UPDATE games SET first = 1 - first FIRST
    game 0: the first seat: the run has
UPDATE games SET decisions = 1 FIRST
    game 0: decisions: the run has 1,
UPDATE games SET roles = '["X", "Y"]' FIRST
    game 0: roles: the run has ('X', 'Y')
UPDATE games SET position = x'00' FIRST
    game 0: the last position: the run has
UPDATE games SET seats = '["random", "random"]' FIRST
    game 0: players, deal, seed
UPDATE schedule SET deal = 7 WHERE number = 0
    game 0: players, deal, seed and seats are (2, 7,
UPDATE schedule SET number = 500 WHERE number = 0
    game 500: the schedule has no such game
UPDATE schedule SET counted = 1 - counted
    it is stored as another game
DELETE FROM schedule WHERE number = 1
    game 1: it is stored, but has no number
UPDATE games SET moves = (SELECT moves FROM games WHERE seats LIKE '["random"%') FIRST
    game 0:
UPDATE ratings SET mu = 50 WHERE players = 0
    overall: saved rating is 50.0 and
UPDATE ratings SET sigma = 1 WHERE players = 2
    at 2 players: saved rating is
UPDATE disqualified SET bot = 'random'
    disqualified, faults and last game: [('random', 2, 17)], but the games say [('Crasher', 2, 17)]
DELETE FROM ratings
    overall: saved rating is missing, the games give
INSERT INTO ratings VALUES (5, 'random', 1, 1)
    where no games were played
""".replace("FIRST", FIRST)


@pytest.mark.parametrize(("change", "problem"), re.findall(r"(\S.*)\n +(.*)", CHANGES))
def test_verify_notices(
    finished: Path, folder: Path, change: str, problem: str, arena: RunArena
) -> None:
    text = arena("verify", str(changed(finished, change, folder / "run.db")), code=1).out
    assert problem in text
    assert re.search(r"in 1[78] games and their ratings", text)


@pytest.mark.parametrize("command", ["verify", "export"])
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (f"games SET moves = x'0102ff' {FIRST}", "is damaged"),
        (f"games SET notes = x'5b315d' {FIRST}", "is damaged"),
        ("faults SET seat = 7", "is damaged: there is no seat 7 in "),
    ],
)
def test_a_damaged_run_is_refused_in_one_line(
    finished: Path, folder: Path, command: str, change: str, problem: str, arena: RunArena
) -> None:
    file = changed(finished, f"UPDATE {change}", folder / "run.db")
    last = arena(command, str(file), code=2).err.splitlines()[-1]
    assert last.startswith(f"arena: {file} {problem}")


def test_verify_understands_swiss_and_unfinished_leagues(folder: Path, arena: RunArena) -> None:
    file = folder / "run.db"
    play(file, small(format="swiss", rounds=3, players=2))
    arena("verify", "run.db")
    with Journal.write(file, small(format="swiss", rounds=4, players=2)) as journal:
        bring_up_to_date(journal)
    assert "12 games replayed, all correct" in arena("verify", "run.db").out


def test_export_writes_tables_and_replays(finished: Path, folder: Path, arena: RunArena) -> None:
    arena("export", str(finished), "out")
    out = folder / "out"

    def table(name: str) -> list[dict[str, str]]:
        with (out / f"{name}.csv").open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    games, seats = table("games"), table("seats")
    assert [row["bot"] for row in table("disqualified")] == ["Crasher"]
    assert len(seats) == sum(int(game["players"]) for game in games)
    assert [fault["bot"] for fault in table("faults")] == ["Crasher", "Crasher"]
    for game in games:
        replay = read_replay((out / "replays" / f"{int(game['number']):06}.jsonl").read_text())
        winners = replay.state().winners() if not game["faulty"] else ()
        assert "".join("ABC"[seat] for seat in winners) == game["winners"]
        stopped = not game["faulty"] and rules(replay.game).hit_turn_limit(replay.state())
        assert game["turn_limit"] == str(int(stopped))
        here = [seat for seat in seats if seat["number"] == game["number"]]
        assert replay.extra["seats"] == [seat["bot"] for seat in here]
    assert "1" in {game["turn_limit"] for game in games}
    assert read_run(out / "results.jsonl") == read_run(finished)
    about = json.loads((out / "league.json").read_text(encoding="utf-8"))
    assert about["content"] == content(finished)
    assert about["config"]["probation"] == 2
    assert "Crasher was disqualified after 2 faults; its games do not count" in (
        out / "table.txt"
    ).read_text(encoding="utf-8")


def game(number: int, deal: int, winners: tuple[int, ...], **more: int) -> GameRecord:
    seats = ("a", "b") if number % 2 == 0 else ("b", "a")
    return GameRecord(number, 2, deal, seats, winners, ("X", "Y"), 10, 5, **more)


def progress(done: int) -> LeagueProgress:
    league = LeagueProgress(100, done, {"a": 0.0, "b": 0.0})
    league.count(game(0, 0, (0,)))
    return league


def test_progress_shows_rate_time_left_and_leaders() -> None:
    line = progress_line(progress(40), played=30, seconds=60)
    assert line == "40/100 games, 0.5/s, 2:00 left; wins: a 100%, b 0%"
    assert progress_line(LeagueProgress(100, 0, {}), 0, 0.0) == "0/100 games"
    slow = progress_line(progress(40), played=3, seconds=60)
    assert slow == "40/100 games, 3.0/min, 20:00 left; wins: a 100%, b 0%"


def test_the_end_of_a_batch_is_not_that_of_an_open_ended_league() -> None:
    stream = StringIO()
    display = LeagueDisplay(stream)
    batch = progress(100)
    batch.open_ended = True
    display.show(batch)
    assert stream.getvalue() == ""
    batch.open_ended = False
    display.show(batch)
    assert stream.getvalue().startswith("100/100 games")


def test_without_a_terminal_progress_comes_in_plain_lines() -> None:
    stream = StringIO()
    display = LeagueDisplay(stream)
    for done in range(10):
        display.show(progress(done))
    display.say("warning: something")
    display.show(progress(100))
    display.close()
    warning, last = stream.getvalue().splitlines()
    assert warning == "warning: something"
    assert last.startswith("100/100 games")


def test_on_a_terminal_the_bar_is_redrawn_below_other_lines() -> None:
    there, here = pty.openpty()
    with os.fdopen(here, "w", encoding="utf-8") as stream:
        display = LeagueDisplay(stream)
        display.show(progress(50))
        display.say("warning: something")
        display.show(progress(100))
        display.close()
    written = b""
    with (
        suppress(OSError),
        os.fdopen(there, "rb", buffering=0) as reader,
    ):  # closed at the other end
        while piece := reader.read(10_000):
            written += piece
    text = written.decode()
    assert "\x1b[K[##########----------] 50/100 games" in text
    assert "\x1b[Kwarning: something\r\n[##########----------] 50/100 games" in text
    assert text.rstrip("\r\n").rpartition("\x1b[K")[2].startswith("[####################] 100/100")
    assert text.endswith("\r\n")


def test_times_are_rounded_the_way_people_say_them() -> None:
    times = {0.2: "a second", 45: "45 s", 100: "2 min", 3600: "60 min", 7200: "2.0 h"}
    assert [duration_text(seconds) for seconds in times] == list(times.values())


@pytest.mark.slow
def test_importing_the_league_command_runs_nothing() -> None:
    """Workers import the main module again; it must not start another league."""
    code = "import arena.__main__, arena.cli.commands.league, arena.league.pool"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=60)


@pytest.mark.slow
def test_restart_begins_anew_and_keeps_the_old_games(folder: Path, arena: RunArena) -> None:
    words = ("league", "quick", "--deals", "1", "--players", "2", "--option", "rounds=1")
    table = arena(*words).out
    assert "already played" in arena(*words).err
    for number in (1, 2):
        again = arena(*words, "--restart")
        assert again.out == table
        assert f"the games in runs/quick.db were moved to runs/quick-{number}.db" in again.err
        assert "already played" not in again.err
    for kept in ("quick", "quick-1", "quick-2"):
        with Journal.read(folder / "runs" / f"{kept}.db") as journal:
            assert len(journal.numbers()) == 2


def test_restart_refuses_a_file_that_is_not_a_run_or_in_use(folder: Path, arena: RunArena) -> None:
    (folder / "notes.md").write_text("not a run, but long enough to be looked at by SQLite" * 20)
    words = ("league", "quick", "--players", "2", "--restart", "--run")
    assert "notes.md" in arena(*words, "notes.md", code=2).err
    assert (folder / "notes.md").read_text().startswith("not a run")
    with Journal.write(folder / "busy.db", read_league(find_config("quick"), {})):
        check_refusal(arena(*words, "busy.db", code=2), "is in use by another league")
    assert not (folder / "busy-1.db").exists()


@pytest.mark.slow
def test_a_report_needs_neither_winners_nor_a_complete_league(
    arena: RunArena, folder: Path
) -> None:
    bots = ["--bot", "random", "--bot", "random as other", "--players", "2", "--deals", "2"]
    arena("league", *bots, "--option", "rounds=1", "--workers", "1", "--run", "run.db")
    assert arena("report", "run.db").out == "run.html is written; open it in a browser\n"
    assert "nobody" in (folder / "run.html").read_text()
    arena("report", "run.db", "--games", "--out", "all.html")
    assert (folder / "all-games" / "0.html").is_file()
    assert "href='all-games/0.html'" in (folder / "all.html").read_text()
    arena("report", "run.db", "--inside", "--out", "inside.html")
    inside = (folder / "inside.html").read_text()
    assert inside.count('octet-stream" data-game=') == inside.count("href='#game=") > 0
    check_refusal(arena("report", "run.db", "--inside", "--games", code=2), "not both")
    check_refusal(arena("report", "none.db", code=2), "there is no run file 'none.db'")
    check_refusal(arena("report", "run.db", "--out", "no/folder.html", code=2), "no folder no")


def test_a_game_is_written_as_a_page(arena: RunArena, folder: Path) -> None:
    arena("match", "random", "greedy", "--replay", "game.jsonl")
    assert arena("view", "game.jsonl").out == "game.html is written; open it in a browser\n"
    arena("view", "game.jsonl", "--seat", "b")
    seen = (folder / "game-B.html").read_text(encoding="utf-8")
    assert len(seen) < len((folder / "game.html").read_text(encoding="utf-8"))
    check_refusal(arena("view", "game.jsonl", "--seat", "Q", code=2), "Q")
    (folder / "cut.jsonl").write_text((folder / "game.jsonl").read_text()[:-9])
    check_refusal(arena("view", "cut.jsonl", code=2), "cut.jsonl")


@pytest.mark.slow
def test_a_game_is_written_with_the_marks_of_a_review(arena: RunArena, folder: Path) -> None:
    arena("match", "random", "greedy", "--replay", "game.jsonl")
    plain = arena("view", "game.jsonl", "--out", "plain.html")
    review = arena("review", "game.jsonl", "--json", "--turns", "1", "--iterations", "10").out
    (folder / "review.json").write_text(review)
    arena("view", "game.jsonl", "--marks", "review.json", "--out", "marked.html")
    sizes = [(folder / f"{name}.html").stat().st_size for name in ("plain", "marked")]
    assert sizes[0] < sizes[1]
    assert plain.out.startswith("plain.html is written")
    (folder / "other.json").write_text(review.replace('"at": ', '"at": 9'))
    for name, why in (("game.jsonl", "is not JSON"), ("other.json", "is of another game")):
        check_refusal(arena("view", "game.jsonl", "--marks", name, code=2), why)
    words = ("view", "game.jsonl", "--marks", "review.json")
    check_refusal(arena(*words, "--seat", "A", code=2), "a review shows every card")
    check_refusal(arena(*words, "--review", code=2), "use --review or --marks, not both")


@pytest.mark.slow
def test_wrong_files_and_lonely_bots_are_named(folder: Path, arena: RunArena) -> None:
    """A run as a config, a run without folder and ending, the run of another league, one bot."""
    arena("league", "quick", *TINY, "--players", "2")
    dry = arena("league", "quick", *TINY, "--players", "2", "--dry-run").lines
    assert dry[-1] == "runs/quick.db has 2 games; those that belong are not played again"
    check_refusal(arena("league", "runs/quick.db", code=2), "is a run file, not a config")
    check_refusal(arena("standings", "quick", code=2), "did you mean runs/quick.db?")
    alone = arena("league", "quick", "--bot", "random", *SHORT, "--players", "2")
    assert "only one bot, random, which plays copies of itself" in alone.err
    others = "2 games of another league or of other versions of its bots, which stay there"
    assert f"runs/quick.db has {others}" in alone.err
