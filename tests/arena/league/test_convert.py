"""Run files of version 0.2.0: refused with the command that converts them, which works."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.chain import Kind
from arena.league.database import APPLICATION, OLD_SCHEMA, TABLES_OF_PROOF, UNCHAINED_SCHEMA
from arena.league.journal import Journal
from arena.league.runner import bring_up_to_date
from arena.league.verify import RunCheck
from tests.support.command_line import RunArena, check_refusal
from tests.support.json_schema import problems, schemas
from tests.support.leagues import play, small

DUMP = Path(__file__).with_name("run_of_0_2_0.sql")
"""A league of two random bots and one that was disqualified, as version 0.2.0 saved it."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    file = tmp_path / "old.db"
    with closing(sqlite3.connect(file)) as base, base:
        base.executescript(DUMP.read_text(encoding="utf-8"))
        base.execute(f"PRAGMA application_id = {APPLICATION}")
        base.execute(f"PRAGMA user_version = {OLD_SCHEMA}")
    return file


@pytest.mark.parametrize("command", ["standings", "verify", "export"])
def test_an_old_run_is_refused_with_the_command_that_converts_it(
    old: Path, command: str, arena: RunArena
) -> None:
    check_refusal(arena(command, str(old), code=2), f"convert it with `arena convert {old} NEW.db`")


def test_a_converted_run_can_be_looked_at_verified_and_rated(
    old: Path, file: Path, arena: RunArena
) -> None:
    before = old.read_bytes()
    done = arena("convert", str(old), str(file)).out
    assert done == f"6 games of {old} were written to {file}\n"
    assert old.read_bytes() == before
    assert "6 games replayed, 6 ratings recomputed, all correct" in arena("verify", str(file)).out
    assert "Crash" in arena("standings", str(file)).out
    arena("show", str(file), "0")
    arena("export", str(file), str(file.with_suffix("")))
    with Journal.read(file) as journal:
        assert [bot for bot, *_ in journal.disqualified()] == ["crash.py:Crash"]
        assert len(journal.played()) == 6


def test_a_league_in_a_converted_run_deals_anew_and_keeps_the_games(
    old: Path, file: Path, arena: RunArena
) -> None:
    report = json.loads(arena("convert", str(old), str(file), "--json").out)
    assert problems(report, schemas()["arena-convert"]) == []
    assert report["games"] == 6
    league = small("random", "random as b", players=2)
    games = len(play(file, league).games)
    with Journal.read(file) as journal:
        assert (len(journal.stored()), journal.spare()) == (6 + games, 6)
        assert not journal.converted


@pytest.fixture
def unchained(tmp_path: Path) -> Path:
    """A run as it was saved before there was a chain."""
    file = tmp_path / "unchained.db"
    play(file, small("random", "random as b", players=2))
    play(file, small("random", "random as c", players=2))
    with closing(sqlite3.connect(file)) as base, base:
        for table in TABLES_OF_PROOF:
            base.execute(f"DROP TABLE {table}")
        base.execute(f"PRAGMA user_version = {UNCHAINED_SCHEMA}")
    return file


def test_a_run_without_a_chain_is_refused_and_converted_with_all_its_games(
    unchained: Path, file: Path, arena: RunArena
) -> None:
    command = f"convert it with `arena convert {unchained} NEW.db`"
    check_refusal(arena("verify", str(unchained), code=2), command)
    assert arena("convert", str(unchained), str(file)).out.startswith("8 games of ")
    with Journal.read(file) as journal:
        kinds = [entry.kind for entry in journal.chain()]
        assert RunCheck(journal).problems() == []
        assert not journal.converted  # its schedule is known
    assert kinds[:2] == [Kind.CONVERTED, Kind.LEAGUE]
    assert kinds.count(Kind.GAME) == 8
    assert "the chain begins with a conversion" in arena("verify", str(file)).out
    with Journal.write(file, small("random", "random as b", players=2)) as journal:
        known = bring_up_to_date(journal)  # and a league goes on in it
        assert (known.stored, known.total) == (4, 4)


def test_what_cannot_be_converted(old: Path, file: Path, tmp_path: Path, arena: RunArena) -> None:
    play(file, small("random", players=2))
    check_refusal(arena("convert", str(old), str(file), code=2), "exists already")
    target = str(tmp_path / "new.db")
    check_refusal(arena("convert", str(file), target, code=2), "need not be converted")
    check_refusal(arena("convert", str(tmp_path / "no.db"), target, code=2), "no run file")
    (tmp_path / "notes.txt").write_text("dear diary, " * 500)
    check_refusal(arena("convert", str(tmp_path / "notes.txt"), target, code=2), "not a run file")
    assert not Path(target).exists()


def test_a_damaged_old_run_leaves_no_half_converted_file(
    old: Path, file: Path, arena: RunArena
) -> None:
    with closing(sqlite3.connect(old)) as base, base:
        base.execute("UPDATE league SET value = '{' WHERE key = 'config'")
    check_refusal(arena("convert", str(old), str(file), code=2), "is damaged")
    assert not file.exists()
