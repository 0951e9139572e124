"""Creates, locks and recognizes run files, with one-sentence errors for files it cannot use."""

import fcntl
import itertools
import json
import os
import sqlite3
import struct
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from arena.league.config import League
from bots.runtime.faults import printable
from games.errors import GameError

APPLICATION: Final = 0x48644C64
"""SQLite's application id of run files ("HdLd" in ASCII)."""

MAGIC: Final = b"SQLite format 3\0"  # the first bytes of every SQLite file
_ZIP: Final = b"PK\x03\x04"
SCHEMA: Final = 3
OLD_SCHEMA: Final = 1  # games were numbered by their place in the schedule
UNCHAINED_SCHEMA: Final = 2  # the same tables without those of TABLES_OF_PROOF

TABLES: Final = """
CREATE TABLE league (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE games (
    identity BLOB PRIMARY KEY, players INTEGER NOT NULL, seed INTEGER NOT NULL,
    seats TEXT NOT NULL, winners TEXT NOT NULL, roles TEXT NOT NULL, first INTEGER NOT NULL,
    decisions INTEGER NOT NULL, turns INTEGER NOT NULL, moves BLOB NOT NULL,
    position BLOB NOT NULL, notes BLOB NOT NULL, turn_limit INTEGER NOT NULL
);
CREATE TABLE faults (
    identity BLOB PRIMARY KEY REFERENCES games, seat INTEGER NOT NULL, bot TEXT NOT NULL,
    kind TEXT NOT NULL, decision INTEGER NOT NULL, problem TEXT NOT NULL,
    line TEXT NOT NULL
);
CREATE TABLE schedule (
    number INTEGER PRIMARY KEY, identity BLOB NOT NULL UNIQUE REFERENCES games,
    deal INTEGER NOT NULL, round INTEGER NOT NULL, counted INTEGER NOT NULL
);
CREATE TABLE disqualified (
    place INTEGER PRIMARY KEY, bot TEXT NOT NULL, faults INTEGER NOT NULL,
    identity BLOB NOT NULL REFERENCES games
);
CREATE TABLE ratings (
    players INTEGER, bot TEXT, mu REAL NOT NULL, sigma REAL NOT NULL, PRIMARY KEY (players, bot)
) WITHOUT ROWID;
CREATE TABLE spent (
    identity BLOB, seat INTEGER, decisions INTEGER NOT NULL, seconds REAL NOT NULL,
    slowest REAL NOT NULL, PRIMARY KEY (identity, seat)
) WITHOUT ROWID;
CREATE TABLE times (identity BLOB PRIMARY KEY, packed BLOB NOT NULL);
CREATE TABLE output (identity BLOB PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE sittings (
    began TEXT NOT NULL, arena TEXT NOT NULL, engine TEXT NOT NULL, python TEXT NOT NULL,
    machine TEXT NOT NULL, workers INTEGER NOT NULL
);
CREATE TABLE secret (seed TEXT NOT NULL, commitment TEXT NOT NULL, revealed INTEGER NOT NULL);
CREATE TABLE chain (
    place INTEGER PRIMARY KEY, kind TEXT NOT NULL, identity BLOB NOT NULL, digest BLOB NOT NULL,
    link BLOB NOT NULL
);
"""

TABLES_OF_PROOF: Final = ("secret", "chain")
"""The tables that prove that nothing was chosen or changed afterwards."""

OF_A_GAME: Final = ("games", "faults", "spent", "times", "output")
"""The tables with rows about single games."""

_UNREADABLE: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    struct.error,
    zlib.error,
)
"""What reading damaged values raises."""

OTHER_FILE: Final = "choose another file with --run"


class BadRun(GameError):
    """A run file that cannot be used."""


def lock_run_file(path: Path) -> int:
    """Lock the file and return the lock's descriptor; the lock ends with this process."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise BadRun(f"{path} cannot be written: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise BadRun(f"{path} is in use by another league; wait, or {OTHER_FILE}") from None
    return lock


def set_aside(path: Path) -> Path | None:
    """Move a run file to the next free of NAME-1.db, NAME-2.db, ...; None if there is none.

    Refused while a league is playing, and if it is a file of another program.
    """
    if not path.exists():
        return None
    lock = lock_run_file(path)
    try:
        with closing(sqlite3.connect(path)) as base, plain_errors(path):
            check_program(base, path)
            base.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # so that it is one file
        numbers = itertools.count(1)
        names = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in numbers)
        kept = next(name for name in names if not name.exists())
        path.rename(kept)
    except OSError as error:
        raise BadRun(f"{path} cannot be moved: {error.strerror}") from None
    finally:
        os.close(lock)
    return kept


def prepare_run_file(base: sqlite3.Connection, path: Path, league: League) -> None:
    """Create the tables in an empty file, or check that the file can hold this league."""
    check_ours(base, path)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute("PRAGMA busy_timeout = 10000")
    if has_tables(base):
        saved = dict(base.execute("SELECT key, value FROM league"))
        other = json.loads(saved.get("config", "{}")).get("game", league.game)
        check_same_game(path, other, league)
        return
    create_tables(base)


def check_same_game(path: Path, other: str, league: League) -> None:
    """BadRun if the run file is one of another game than the league's."""
    if other != league.game:
        raise BadRun(f"{path} holds games of {other}, not of {league.game}; {OTHER_FILE}")


def create_tables(base: sqlite3.Connection) -> None:
    base.execute("BEGIN IMMEDIATE")
    for statement in TABLES.split(";\n"):
        base.execute(statement.strip())
    base.execute(f"PRAGMA application_id = {APPLICATION}")
    base.execute(f"PRAGMA user_version = {SCHEMA}")
    base.execute("COMMIT")


def arena_version() -> str:
    try:
        return version("hidden-leaders-arena")
    except PackageNotFoundError:
        return "(not installed)"


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn any error in reading or writing the file into a BadRun of one sentence."""
    try:
        yield
    except GameError:
        raise
    except _UNREADABLE as error:
        raise BadRun(f"{path} is damaged: {error}") from None
    except sqlite3.Error as error:
        if "not a database" in str(error) or "malformed" in str(error):
            refuse_bundle(path)
            raise BadRun(f"{path} is not a run file, or is damaged: {error}") from None
        raise BadRun(f"{path} cannot be used: {error}") from None


def is_run_file(path: Path) -> bool:
    """Whether it is an SQLite database, of whichever program."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def is_bundle(path: Path) -> bool:
    """Whether it is a ZIP file, of whichever program."""
    with path.open("rb") as file:
        return file.read(len(_ZIP)) == _ZIP


def refuse_bundle(path: Path) -> None:
    """BadRun for a bundle where a run is to be read, with what to do with it."""
    if is_bundle(path):
        raise BadRun(
            f"{path} is a bundle or another ZIP file: `arena verify {path}` checks a bundle, and "
            f"`unzip {path} run.db` gives the run file in it"
        )


def no_run_file(path: Path) -> str:
    """What is wrong with a path where no file is; people leave out folder and ending."""
    usual = Path("runs", f"{path.name}.db")
    hint = f"; did you mean {usual}?" if not path.suffix and usual.is_file() else ""
    return f"there is no run file {str(path)!r}{hint}"


def clean_text(text: str) -> str:
    """Text of a run file, which may come from anybody: safe to print on a terminal."""
    return text if text.isprintable() else printable(text)


def read_clean(base: sqlite3.Connection) -> None:
    """From now on, all text that comes from the database is clean."""
    base.text_factory = lambda stored: clean_text(stored.decode())


def open_read_only(path: Path) -> sqlite3.Connection:
    """Connect without write access.

    SQLite creates files beside the database even to read it. Where that is not allowed and no
    league is running, the file is opened as immutable.
    """
    place = path.resolve().as_uri()
    base = sqlite3.connect(f"{place}?mode=ro", uri=True, isolation_level=None)
    try:
        base.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        if not Path(f"{path}-wal").exists():
            base.close()
            base = sqlite3.connect(f"{place}?mode=ro&immutable=1", uri=True, isolation_level=None)
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        pass  # the caller's checks give a better error message
    read_clean(base)
    return base


def check_ours(base: sqlite3.Connection, path: Path) -> None:
    """BadRun for the database of another program, or of another version of this one."""
    check_program(base, path)
    (schema,) = base.execute("PRAGMA user_version").fetchone()
    if not has_tables(base):
        return
    if schema in (OLD_SCHEMA, UNCHAINED_SCHEMA):
        by = "version 0.2.0 or before" if schema == OLD_SCHEMA else "an earlier version"
        raise BadRun(f"{path} was written by {by}; convert it with `arena convert {path} NEW.db`")
    if schema != SCHEMA:
        raise BadRun(
            f"{path} was written by another version of the arena "
            f"(its schema is {schema}, this version reads {SCHEMA})"
        )
    check_tables(base, path)


def check_tables(base: sqlite3.Connection, path: Path) -> None:
    """BadRun unless our tables are what we create: a view in their place could be anything."""
    made = dict(base.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    for statement in filter(None, map(str.strip, TABLES.split(";\n"))):
        name = statement.split()[2]
        if made.get(name) != statement:
            raise BadRun(f"{path} is damaged: its table {name!r} is not that of a run file")


def check_program(base: sqlite3.Connection, path: Path) -> None:
    """BadRun for the database of another program."""
    (application,) = base.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION and (application or has_tables(base)):
        raise BadRun(f"{path} is a database of another program; {OTHER_FILE}")


def has_tables(base: sqlite3.Connection) -> bool:
    with closing(base.execute("SELECT count(*) FROM sqlite_master")) as rows:
        return bool(rows.fetchone()[0])
