"""Converts run files of earlier versions.

In those of version 0.2.0 and before, games were known by their number only and dealt by their place
in the schedule, so today's leagues do not find them again: a converted run can be looked at,
verified and exported, and a league that is played on in it deals anew. Files from between 0.2.0 and
today have the same games and lack only the chain.
"""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

from arena.league import chain
from arena.league.chain import Kind
from arena.league.database import (
    OLD_SCHEMA,
    TABLES,
    TABLES_OF_PROOF,
    UNCHAINED_SCHEMA,
    BadRun,
    check_program,
    create_tables,
    has_tables,
    open_read_only,
    plain_errors,
)
from arena.league.journal import Journal
from arena.league.runner import save_ratings
from games.registry import game

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
        if not has_tables(source) or schema not in (OLD_SCHEMA, UNCHAINED_SCHEMA):
            raise BadRun(f"{old} is not an old run file, so it need not be converted")
        copy = _copy_numbered if schema == OLD_SCHEMA else _copy_tables
        complete = bool(source.execute("SELECT count(*) FROM ratings").fetchone()[0])
        try:
            with plain_errors(new), closing(sqlite3.connect(new, isolation_level=None)) as target:
                create_tables(target)
                target.execute("BEGIN IMMEDIATE")
                copy(source, target)
                if schema == OLD_SCHEMA:
                    _note_turn_limits(Journal(new, target), target)
                games = _seal(target)
                target.execute("COMMIT")
                if complete:
                    save_ratings(Journal(new, target))
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    return games


def _seal(target: sqlite3.Connection) -> int:
    """Begin the chain with everything that was copied; returns how many games there are."""
    chain.append(target, Kind.CONVERTED, b"")
    chain.append(target, Kind.LEAGUE, chain.league_digest(target))
    for row in target.execute("SELECT * FROM sittings ORDER BY rowid").fetchall():
        chain.append(target, Kind.SITTING, chain.digest_of([row]))
    order = "schedule.number IS NULL, schedule.number, identity"
    query = f"SELECT identity FROM games LEFT JOIN schedule USING (identity) ORDER BY {order}"  # noqa: S608
    identities = [identity for (identity,) in target.execute(query)]
    for identity in identities:
        chain.append_game(target, identity)
    return len(identities)


def _copy_tables(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """All tables as they are; ratings of a complete league are computed anew."""
    names = [statement.split()[2] for statement in TABLES.split(";\n") if statement.strip()]
    for table in names:
        if table not in ("ratings", *TABLES_OF_PROOF):
            for row in source.execute(f"SELECT * FROM {table}"):  # noqa: S608
                _insert(target, table, row)


def _copy_numbered(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    league = dict(source.execute("SELECT key, value FROM league"))
    config = json.loads(league["config"])
    names = [bot.rpartition(" as ")[2] for bot in config["bots"]]
    bots = dict.fromkeys(names, "converted")
    numbers = [number for (number,) in source.execute("SELECT number FROM games ORDER BY 1")]
    identities = {number: _identity(league["config"], number) for number in numbers}
    values = {"config": league["config"], "rules": league["rules"], "converted": "1"}
    values["bots"] = json.dumps(bots)
    target.executemany("INSERT INTO league VALUES (?, ?)", values.items())
    for number, deal, *facts in source.execute(f"SELECT number, deal, {_GAME} FROM games"):  # noqa: S608
        identity = identities[number]
        _insert(target, "games", (identity, *facts))
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


def _note_turn_limits(journal: Journal, target: sqlite3.Connection) -> None:
    """Which games the turn limit ended, which was not stored; not known by other rules."""
    rules = game(journal.league.game)
    if rules.rules_version != journal.rules:
        return
    for saved in list(journal.games()):
        if rules.hit_turn_limit(saved.replay.state()):
            query = "UPDATE games SET turn_limit = 1 WHERE identity = ?"
            target.execute(query, (saved.identity,))


def _identity(config: str, number: int) -> bytes:
    """An identity that no game of today's leagues has."""
    return sha256(f"converted {number} {config}".encode()).digest()[:16]


def _insert(base: sqlite3.Connection, table: str, row: tuple[object, ...]) -> None:
    places = ", ".join("?" * len(row))
    base.execute(f"INSERT INTO {table} VALUES ({places})", row)  # noqa: S608
