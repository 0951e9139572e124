"""Creates, locks and recognizes run files, with one-sentence errors for files it cannot use."""

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

from arena.league.config import League, bot_digests
from arena.league.schedule import schedule_digest
from games.errors import GameError
from games.registry import game

APPLICATION: Final = 0x48644C64
"""SQLite's application id of run files ("HdLd" in ASCII)."""

MAGIC: Final = b"SQLite format 3\0"  # the first bytes of every SQLite file
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


def prepare_run_file(base: sqlite3.Connection, path: Path, league: League) -> None:
    """Create the tables in an empty file, or check that the file belongs to this league."""
    check_ours(base, path)
    expected = identity(league)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = FULL")
    base.execute("PRAGMA busy_timeout = 10000")
    if has_tables(base):
        saved = dict(base.execute("SELECT key, value FROM league"))
        if changed := changes(saved, expected):
            raise BadRun(
                f"{path} belongs to a different league: {'; '.join(changed)}; {OTHER_FILE}"
            )
        return
    base.execute("BEGIN IMMEDIATE")
    for statement in TABLES.split(";\n"):
        base.execute(statement)
    base.executemany("INSERT INTO league VALUES (?, ?)", expected.items())
    base.execute(f"PRAGMA application_id = {APPLICATION}")
    base.execute(f"PRAGMA user_version = {SCHEMA}")
    base.execute("COMMIT")


def identity(league: League) -> dict[str, str]:
    """Everything that must stay the same when a league is resumed."""
    return {
        "config": json.dumps(league.as_json(), sort_keys=True),
        "sources": json.dumps(bot_digests(league), sort_keys=True),
        "schedule": schedule_digest(league),
        "rules": str(game(league.game).rules_version),
        "arena": arena_version(),
    }


def changes(saved: Mapping[str, str], expected: Mapping[str, str]) -> list[str]:
    """How the league has changed since the file was created, one phrase per change."""
    differences: list[str] = []
    old, new = json.loads(saved.get("config", "{}")), json.loads(expected["config"])
    for key in sorted({*old, *new}):
        if old.get(key) != new.get(key):
            differences += config_changes(key, old.get(key), new.get(key))
    old, new = json.loads(saved.get("sources", "{}")), json.loads(expected["sources"])
    differences += [f"{file} was edited" for file in new if file in old and old[file] != new[file]]
    for key in ("rules", "arena"):
        if saved.get(key) != expected[key]:
            differences.append(f"the {key} version was {saved.get(key)}, now it is {expected[key]}")
    if not differences and saved.get("schedule") != expected["schedule"]:
        differences.append("this version of the arena makes a different schedule")
    return differences


def config_changes(key: str, old: object, new: object) -> list[str]:
    """How one key differs; for bots, which are missing and which are new."""
    if key == "bots" and isinstance(old, list) and isinstance(new, list):
        # Bots are saved like 'greedy as greedy'; an alias that says nothing is left out.
        short = {bot: bot.removesuffix(f" as {bot.rpartition(' as ')[0]}") for bot in old + new}
        missing = [f"{short[bot]!r} is missing from bots" for bot in old if bot not in new]
        added = [f"{short[bot]!r} was not among the bots" for bot in new if bot not in old]
        return missing + added or ["the bots are in a different order"]
    return [f"{key} was {old!r}, now it is {new!r}"]


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
    except (ValueError, LookupError, TypeError, AttributeError, struct.error, zlib.error) as error:
        if isinstance(error, GameError):
            raise
        raise BadRun(f"{path} is damaged: {error}") from None
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error) or "malformed" in str(error):
            raise BadRun(f"{path} is not a run file, or is damaged: {error}") from None
        raise BadRun(f"{path} cannot be used: {error}") from None


def is_run_file(path: Path) -> bool:
    """Whether it is an SQLite database, of whichever program."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


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
            return sqlite3.connect(f"{place}?mode=ro&immutable=1", uri=True, isolation_level=None)
    except sqlite3.DatabaseError:
        pass  # the caller's checks give a better error message
    return base


def check_ours(base: sqlite3.Connection, path: Path) -> None:
    """BadRun for the database of another program, or of another version of this one."""
    (application,) = base.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION and (application or has_tables(base)):
        raise BadRun(f"{path} is a database of another program; {OTHER_FILE}")
    (schema,) = base.execute("PRAGMA user_version").fetchone()
    if has_tables(base) and schema != SCHEMA:
        raise BadRun(
            f"{path} was written by another version of the arena "
            f"(its schema is {schema}, this version reads {SCHEMA})"
        )


def has_tables(base: sqlite3.Connection) -> bool:
    with closing(base.execute("SELECT count(*) FROM sqlite_master")) as rows:
        return bool(rows.fetchone()[0])
