"""The journal: every game exactly once, and one sentence for every unusable file."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.config import League, read_league
from arena.league.database import BadRun
from arena.league.journal import Journal
from arena.league.outcome import Fault, Finished
from arena.league.plan import Scheduled, first_games
from arena.league.runner import record_of
from arena.league.verify import RunCheck
from arena.league.worker import GameRunner
from tests.support.command_line import RunArena, check_refusal
from tests.support.faulty_bots import rogue
from tests.support.leagues import output, play, saved, small
from tests.support.paths import ROOT


def refusal(path: Path, league: League) -> str:
    with pytest.raises(BadRun) as caught, Journal.write(path, league):
        pass
    return str(caught.value)


def played_games(league: League, count: int) -> list[tuple[Scheduled, Finished]]:
    runner = GameRunner(league)
    games = []
    for game in first_games(league)[:count]:
        outcome = runner.play(game.key)
        assert isinstance(outcome, Finished)
        games.append((game, outcome))
    return games


# ---- saving -------------------------------------------------------------------------------------


def test_what_was_saved_is_read_back(file: Path) -> None:
    league = small("random", rogue("Crasher"), deals=1, players=2)
    games = played_games(league, 2)
    with Journal.write(file, league) as journal:
        journal.add(games)
    with Journal.read(file) as journal:
        assert journal.league == league
        assert journal.numbers() == {0, 1}
        played, whole_games = journal.played(), list(journal.games())
        faults, spent = journal.faults(), journal.spent()
    for (planned, outcome), game, whole in zip(games, played, whole_games, strict=True):
        assert outcome.fault is not None
        assert game == whole.record == record_of(league, planned.key, outcome)
        assert (whole.fault, whole.seed) == (outcome.fault, planned.key.seed)
        assert (whole.identity, whole.counted) == (planned.identity, True)
        assert whole.output.startswith("about to fail\nraised ZeroDivisionError: as always\n")
        assert whole.fault is not None
        assert whole.fault.where.startswith("faulty_bots.py, line ")
        assert whole.replay.state().actor == game.faulty == outcome.fault.seat
    assert [(bot, fault.kind) for _, bot, fault in faults] == [("Crasher", "exception")] * 2
    assert [(time.number, time.seat) for time in spent] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    answered = sum(game.decisions for game in played) - len(faults)
    assert sum(time.decisions for time in spent) == answered


def test_a_game_cannot_be_saved_twice_and_nothing_of_that_batch_is(file: Path) -> None:
    league = small()
    games = played_games(league, 3)
    with Journal.write(file, league) as journal:
        journal.add(games[:1])
        with pytest.raises(BadRun, match="the 1 game saved before is safe"):
            journal.add([games[1], games[0]])
        assert journal.numbers() == {0}
        journal.add(games[1:])
        assert journal.numbers() == {0, 1, 2}


def test_games_that_do_not_belong_stay_until_they_are_pruned(file: Path) -> None:
    league = small("random", "random as b", players=2)
    games = played_games(league, 3)
    with Journal.write(file, league) as journal:
        journal.add(games)
        journal.set_schedule([games[1][0]])
        assert (journal.numbers(), journal.spare(), len(journal.stored())) == ({1}, 2, 3)
        assert journal.prune() == 2
        assert (journal.numbers(), journal.spare(), len(journal.stored())) == ({1}, 0, 1)
        assert len(journal.spent()) == 2


@pytest.mark.parametrize("deleted", [Path.unlink, lambda file: file.rename(file.parent / "x.db")])
def test_a_run_file_that_is_deleted_while_playing_is_rescued(
    file: Path, deleted: Callable[[Path], object]
) -> None:
    league = small("random", "random as b", players=2)
    games = played_games(league, 3)
    with Journal.write(file, league) as journal:
        journal.add(games[:2])
        deleted(file)
        with pytest.raises(BadRun, match=r"its 2 games were saved to .*-rescued\.db"):
            journal.add(games[2:])
    assert saved(file.with_name(f"{file.stem}-rescued.db")) == 2


def test_sessions_are_saved_and_are_not_part_of_the_content(file: Path) -> None:
    with Journal.write(file, small()) as journal:
        before = journal.content_digest()
        journal.begin_session(3)
        (session,) = journal.sessions()
        assert journal.content_digest() == before
    assert session["workers"] == 3
    assert session["python"] == sys.version.split()[0]


def test_it_can_be_read_while_it_is_written_and_all_reads_agree(file: Path) -> None:
    league = small()
    games = played_games(league, 2)
    with Journal.write(file, league) as writer:
        writer.add(games[:1])
        with Journal.read(file) as reader:
            assert reader.numbers() == {0}
            writer.add(games[1:])
            assert reader.numbers() == {0}
            assert {time.number for time in reader.spent()} == {0}
        assert saved(file) == 2


# ---- resuming ----------------------------------------------------------------------------------


def test_a_league_resumes_where_it_was_stopped(tmp_path: Path, file: Path) -> None:
    league = small()
    with Journal.write(file, league) as journal:
        journal.add(played_games(league, 4))
    assert play(file, league) == play(tmp_path / "whole.db", league)


def test_a_changed_number_of_workers_is_no_difference(file: Path) -> None:
    assert play(file, small(workers=1)) == play(file, small(workers=4))


def test_a_league_of_another_game_is_refused(file: Path) -> None:
    play(file, small("random", players=2))
    other = read_league(None, {"bots": ["random"], "game": "secrets", "deals": 1})
    assert f"{file} holds games of hidden-leaders, not of secrets" in refusal(file, other)


# ---- files that are not runs --------------------------------------------------------------------


def test_a_missing_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadRun, match="there is no run file"):
        Journal.read(tmp_path / "nowhere.db")


@pytest.mark.parametrize("opened", [Journal.read, lambda path: Journal.write(path, small())])
def test_a_file_that_is_not_a_database_is_left_alone(
    tmp_path: Path, opened: Callable[[Path], object]
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("dear diary, " * 500)
    with pytest.raises(BadRun, match=r"notes\.txt is not a run file, or is damaged"):
        opened(file)
    assert file.read_text() == "dear diary, " * 500


def changed(file: Path, statement: str) -> Path:
    """The file, after an SQL statement by another program."""
    with closing(sqlite3.connect(file)) as base, base:
        base.execute(statement)
    return file


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    file = changed(tmp_path / "photos.db", "CREATE TABLE photos (name)")
    before = file.read_bytes()
    assert "is a database of another program" in refusal(file, small())
    with pytest.raises(BadRun, match="is a database of another program"):
        Journal.read(file)
    assert file.read_bytes() == before


def test_a_different_schema_version_is_refused(file: Path) -> None:
    play(file, small(deals=1))
    changed(file, "PRAGMA user_version = 99")
    assert "its schema is 99, this version reads 3" in refusal(file, small(deals=1))


def test_a_damaged_run_is_one_sentence(file: Path, arena: RunArena) -> None:
    play(file, small(deals=4))
    whole = bytearray(file.read_bytes())
    for at in range(4096, len(whole), 64):
        whole[at : at + 32] = b"\xff" * 32
    file.write_bytes(whole)
    check_refusal(arena("verify", str(file), code=2), "damaged")


def test_an_invalid_value_is_one_sentence(file: Path, arena: RunArena) -> None:
    play(file, small(deals=1))
    changed(file, "UPDATE games SET moves = x'00'")
    assert f"{file} is damaged" in arena("verify", str(file), code=2).err


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE output",
        "ALTER TABLE times ADD COLUMN more TEXT",
        "ALTER TABLE spent RENAME TO old_spent",
    ],
)
def test_tables_that_are_not_ours_are_not_read(file: Path, statement: str) -> None:
    """A view in the place of a table could take for ever, or give other rows each time."""
    play(file, small(deals=1))
    changed(file, statement)
    with pytest.raises(BadRun, match=r"is damaged: its table '\w+' is not that of a run file"):
        Journal.read(file)


def test_a_league_that_is_stopped_before_its_change_is_played_has_no_ratings(file: Path) -> None:
    play(file, small("random", "random as b", players=2, deals=1))
    with Journal.write(file, small("random", "random as b", players=2, deals=2)):
        pass  # as if it were killed here
    with Journal.read(file) as journal:
        assert journal.ratings() == []
        assert RunCheck(journal).problems() == []


def test_an_empty_file_is_a_run_that_has_not_started(file: Path) -> None:
    file.touch()
    with pytest.raises(BadRun, match="its league has not started"):
        Journal.read(file)
    play(file, small(deals=1))


# ---- disks and locks ----------------------------------------------------------------------------


@pytest.mark.slow
def test_two_leagues_cannot_write_one_run(file: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from arena.league.journal import Journal
from tests.support.leagues import small
with Journal.write(Path({str(file)!r}), small()):
    print("holding", flush=True)
    sys.stdin.read()
"""
    words = [sys.executable, "-c", script]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "holding\n"
        assert "is in use by another league" in refusal(file, small())
        holder.kill()
    with Journal.write(file, small()):
        pass  # the lock ended with the process


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    play(tmp_path / "old.db", small(deals=1))
    tmp_path.chmod(0o555)
    try:
        assert "cannot be written: Permission denied" in refusal(tmp_path / "run.db", small())
        with Journal.read(tmp_path / "old.db") as journal:
            assert journal.numbers()
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.slow
def test_a_run_on_a_read_only_disk_can_be_read_but_not_written(tmp_path: Path, file: Path) -> None:
    play(file, small(deals=1))
    script = f"mount --bind {tmp_path} {tmp_path} && mount -o remount,ro,bind {tmp_path} || exit 99"
    arena = f"{sys.executable} -m arena"
    script += f"\n{arena} verify {file}\n{arena} league quick --run {tmp_path}/new.db"
    done = output("unshare", "--mount", "sh", "-c", script)
    if done.returncode in (1, 99):
        pytest.skip("this machine does not allow read-only mounts")
    assert "all correct" in done.stdout
    assert done.returncode == 2
    assert f"{tmp_path}/new.db cannot be written: Read-only file system" in done.stderr


def test_an_unwritable_path_is_named(arena: RunArena) -> None:
    assert "/proc/run.db cannot be written: " in refusal(Path("/proc/run.db"), small())
    outcome = arena("league", "quick", "--run", "/proc/nowhere/run.db", code=2)
    assert "/proc/nowhere/run.db cannot be written: " in outcome.err


@pytest.mark.slow
def test_a_full_disk_is_one_sentence_and_costs_no_saved_game(tmp_path: Path, file: Path) -> None:
    league = small("random", "random as b", deals=50, players=2)
    script = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
from pathlib import Path
from arena.league.journal import Journal
from tests.support.leagues import small
from tests.arena.league.test_journal import played_games
league = small("random", "random as b", deals=50, players=2)
with Journal.write(Path({str(file)!r}), league) as journal:
    for game in played_games(league, 100):
        try:
            journal.add([game])
        except Exception as error:
            print(type(error).__name__, error)
            break
"""
    done = output(sys.executable, "-c", script)
    assert done.stdout.startswith(f"BadRun {file} cannot be used: ")
    assert f"the {saved(file)} games saved before are safe" in done.stdout
    assert 0 < saved(file) < 100
    assert play(file, league) == play(tmp_path / "whole.db", league)


def test_faults_name_seat_and_bot(file: Path) -> None:
    for number, bot, fault in play(
        file, small("random", rogue("Cheat"), players=2, deals=1)
    ).faults:
        assert bot == "Cheat"
        assert fault == Fault(number % 2, "illegal", fault.decision, fault.problem)
        assert fault.problem.startswith("played 9999, which is not legal")


def test_a_run_from_elsewhere_does_not_control_the_terminal(file: Path, arena: RunArena) -> None:
    play(file, small("random", "greedy", rogue("Crasher"), players=2, deals=2, probation=2))
    with closing(sqlite3.connect(file)) as base, base:
        owned = "\x1b]0;owned\x07"
        base.execute("UPDATE faults SET problem = ?, line = ?", (owned, owned))
        base.execute("UPDATE games SET roles = ?", (json.dumps([owned, owned]),))
    shown = arena("standings", str(file))
    assert "owned" in shown.out
    assert "\x1b" not in shown.out + shown.err
    out = file.parent / "out"
    arena("export", str(file), str(out))
    assert "\x1b" not in (out / "faults.csv").read_text(encoding="utf-8")
