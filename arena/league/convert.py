"""Converts run files of version 0.2.0 and before, in which games were known by their number only.

Those games were dealt by their place in the schedule, so today's leagues do not find them again:
a converted run can be looked at, verified and exported, and a league that is played on in it
deals anew.
"""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.league.database import (
    OLD_SCHEMA,
    BadRun,
    check_program,
    create_tables,
    has_tables,
    open_read_only,
    plain_errors,
)
from arena.league.journal import Journal
from arena.stats.trueskill_ratings import all_ratings

_GAME: Final = """players, seed, seats, winners, roles, first, decisions, turns, moves, position,
    notes, 0"""


def convert_run(old: Path, new: Path) -> int:
    """Write the games of an old run file to a new one; returns how many there are."""
    if not old.is_file():
        raise BadRun(f"there is no run file {str(old)!r}")
    if new.exists():
        raise BadRun(f"{new} exists already; choose another name")
    with plain_errors(old), closing(open_read_only(old)) as source:
        check_program(source, old)
        (schema,) = source.execute("PRAGMA user_version").fetchone()
        if not has_tables(source) or schema != OLD_SCHEMA:
            raise BadRun(f"{old} is not an old run file, so it need not be converted")
        try:
            with plain_errors(new), closing(sqlite3.connect(new, isolation_level=None)) as target:
                create_tables(target)
                games = _copy(source, target)
            _rate(new, complete=bool(source.execute("SELECT count(*) FROM ratings").fetchone()[0]))
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    return games


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> int:
    league = dict(source.execute("SELECT key, value FROM league"))
    config = json.loads(league["config"])
    names = [bot.rpartition(" as ")[2] for bot in config["bots"]]
    bots = dict.fromkeys(names, "converted")
    numbers = [number for (number,) in source.execute("SELECT number FROM games ORDER BY 1")]
    identities = {number: _identity(league["config"], number) for number in numbers}
    target.execute("BEGIN IMMEDIATE")
    values = {"config": league["config"], "rules": league["rules"], "converted": "1"}
    values["bots"] = json.dumps(bots)
    target.executemany("INSERT INTO league VALUES (?, ?)", values.items())
    for number, deal, *game in source.execute(f"SELECT number, deal, {_GAME} FROM games"):  # noqa: S608
        identity = identities[number]
        _insert(target, "games", (identity, *game))
        _insert(target, "schedule", (number, identity, deal, 0, 1))
    for table, more in (("faults", ("",)), ("spent", ()), ("output", ())):
        for number, *row in source.execute(f"SELECT * FROM {table}"):  # noqa: S608
            _insert(target, table, (identities[number], *row, *more))
    for row in source.execute("SELECT * FROM sittings"):
        _insert(target, "sittings", row)
    out = source.execute(
        """SELECT forfeits.bot, count(DISTINCT faults.number), max(faults.number)
           FROM forfeits JOIN faults ON faults.bot = forfeits.bot GROUP BY 1 ORDER BY 3"""
    )
    for place, (bot, faults, last) in enumerate(out.fetchall()):
        _insert(target, "disqualified", (place, bot, faults, identities[last]))
    target.execute("COMMIT")
    return len(numbers)


def _identity(config: str, number: int) -> bytes:
    """An identity that no game of today's leagues has."""
    return sha256(f"converted {number} {config}".encode()).digest()[:16]


def _insert(base: sqlite3.Connection, table: str, row: tuple[object, ...]) -> None:
    places = ", ".join("?" * len(row))
    base.execute(f"INSERT INTO {table} VALUES ({places})", row)  # noqa: S608


def _rate(path: Path, complete: bool) -> None:
    """Ratings of a complete league, computed anew."""
    if not complete:
        return
    with Journal.read(path) as journal:
        ratings = all_ratings(journal.played(), journal.taking_part())
    with closing(sqlite3.connect(path)) as base, base:
        base.executemany("INSERT INTO ratings VALUES (?, ?, ?, ?)", ratings)
