"""Run files on disk: made, locked, recognized; and in one sentence why one cannot be used."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from arena.league.config import League, sources
from arena.league.schedule import digest
from games.errors import GameError
from games.registry import game

APPLICATION: Final = 0x48644C64
"""Marks the file as ours ("HdLd" in ASCII)."""

MAGIC: Final = b"SQLite format 3\0"
"""How every SQLite file begins."""

SCHEMA: Final = 1

TABLES: Final = """
CREATE TABLE league (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE games (
    number INTEGER PRIMARY KEY, players INTEGER NOT NULL, deal INTEGER NOT NULL,
    seed INTEGER NOT NULL, seats TEXT NOT NULL, winners TEXT NOT NULL, roles TEXT NOT NULL,
    first INTEGER NOT NULL, decisions INTEGER NOT NULL, turns INTEGER NOT NULL,
    moves BLOB NOT NULL, position BLOB NOT NULL, notes BLOB NOT NULL
);
CREATE TABLE faults (
    number INTEGER PRIMARY KEY REFERENCES games, seat INTEGER NOT NULL, bot TEXT NOT NULL,
    kind TEXT NOT NULL, decision INTEGER NOT NULL, problem TEXT NOT NULL
);
CREATE TABLE forfeits (number INTEGER PRIMARY KEY, bot TEXT NOT NULL);
CREATE TABLE ratings (
    players INTEGER, bot TEXT, mu REAL NOT NULL, sigma REAL NOT NULL, PRIMARY KEY (players, bot)
) WITHOUT ROWID;
CREATE TABLE spent (
    number INTEGER, seat INTEGER, decisions INTEGER NOT NULL, seconds REAL NOT NULL,
    slowest REAL NOT NULL, PRIMARY KEY (number, seat)
) WITHOUT ROWID;
CREATE TABLE output (number INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE sittings (
    began TEXT NOT NULL, arena TEXT NOT NULL, engine TEXT NOT NULL, python TEXT NOT NULL,
    machine TEXT NOT NULL, workers INTEGER NOT NULL
);
"""

OWN_FILE: Final = "give this league a file of its own with --run"


class BadRun(GameError):
    """A run file that cannot be used, or not any longer."""


def locked(path: Path) -> int:
    """A hold on the file that ends with this process, whatever ends it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise BadRun(f"{path} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise BadRun(f"{path} is being written by another league: wait, or {OWN_FILE}") from None
    return lock


def prepare(base: sqlite3.Connection, path: Path, league: League) -> None:
    """Make the tables in an empty file; check that a file with tables is of this league."""
    check_ours(base, path)
    said = identity(league)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute("PRAGMA busy_timeout = 10000")
    if has_tables(base):
        kept = dict(base.execute("SELECT key, value FROM league"))
        if different := differences(kept, said):
            raise BadRun(f"{path} is of another league: {'; '.join(different)}; {OWN_FILE}")
        return
    base.execute("BEGIN IMMEDIATE")
    for statement in TABLES.split(";\n"):
        base.execute(statement)
    base.executemany("INSERT INTO league VALUES (?, ?)", said.items())
    base.execute(f"PRAGMA application_id = {APPLICATION}")
    base.execute(f"PRAGMA user_version = {SCHEMA}")
    base.execute("COMMIT")


def identity(league: League) -> dict[str, str]:
    """Everything that must not change while a league is played."""
    return {
        "config": json.dumps(league.as_json(), sort_keys=True),
        "sources": json.dumps(sources(league), sort_keys=True),
        "schedule": digest(league),
        "rules": str(game(league.game).rules_version),
        "arena": arena_version(),
    }


def differences(kept: Mapping[str, str], said: Mapping[str, str]) -> list[str]:
    """What a person would have to change back, thing by thing."""
    found = []
    old, new = json.loads(kept.get("config", "{}")), json.loads(said["config"])
    for key in sorted({*old, *new}):
        if old.get(key) != new.get(key):
            found.append(f"{key} was {old.get(key)!r} and is {new.get(key)!r}")
    old, new = json.loads(kept.get("sources", "{}")), json.loads(said["sources"])
    found += [f"{file} was edited" for file in new if file in old and old[file] != new[file]]
    for key in ("rules", "arena"):
        if kept.get(key) != said[key]:
            found.append(f"the {key} version was {kept.get(key)} and is {said[key]}")
    if not found and kept.get("schedule") != said["schedule"]:
        found.append("this arena would schedule it otherwise")
    return found


def arena_version() -> str:
    try:
        return version("hidden-leaders-arena")
    except PackageNotFoundError:
        return "(not installed)"


@contextmanager
def plainly(path: Path) -> Iterator[None]:
    """Whatever is found wrong with the file is one sentence about it."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, struct.error, zlib.error) as error:
        if isinstance(error, GameError):
            raise
        raise BadRun(f"{path} is damaged: {error}") from None
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error) or "malformed" in str(error):
            raise BadRun(f"{path} is not a run file, or it is damaged: {error}") from None
        raise BadRun(f"{path} cannot be used: {error}") from None


def is_run_file(path: Path) -> bool:
    """Whether it is a database, if perhaps somebody else's."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def readable(path: Path) -> sqlite3.Connection:
    """A connection that cannot write.

    SQLite wants to write beside the file even to read it; where that is forbidden and no league is
    at work, the file can be read as it is.
    """
    place = path.resolve().as_uri()
    base = sqlite3.connect(f"{place}?mode=ro", uri=True, isolation_level=None)
    try:
        base.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        if not Path(f"{path}-wal").exists():
            base.close()
            return sqlite3.connect(f"{place}?mode=ro&immutable=1", uri=True, isolation_level=None)
    except sqlite3.DatabaseError:
        pass  # said in a better sentence by whoever looks closer
    return base


def check_ours(base: sqlite3.Connection, path: Path) -> None:
    """BadRun for the file of another program, or of another version of this one."""
    (application,) = base.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION and (application or has_tables(base)):
        raise BadRun(f"{path} is a database of another program: {OWN_FILE}")
    (schema,) = base.execute("PRAGMA user_version").fetchone()
    if has_tables(base) and schema != SCHEMA:
        raise BadRun(
            f"{path} was written by another version of the arena "
            f"(its layout is {schema}, {SCHEMA} is understood)"
        )


def has_tables(base: sqlite3.Connection) -> bool:
    with closing(base.execute("SELECT count(*) FROM sqlite_master")) as found:
        return bool(found.fetchone()[0])
