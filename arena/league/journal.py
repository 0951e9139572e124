"""The journal of a league: one SQLite file that holds every finished game exactly once.

One process writes it, a batch of games in each transaction, and anybody may read it meanwhile. What
it says about a game is the same on any machine; times, output and machines have tables of their
own.
"""

from __future__ import annotations

import json
import os
import platform
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final, Self

from arena.league.config import League, league_from_json
from arena.league.database import (
    BadRun,
    arena_version,
    check_ours,
    has_tables,
    locked,
    plainly,
    prepare,
    readable,
)
from arena.league.outcome import Fault, Finished, unpack_moves, unpack_notes
from arena.league.schedule import GameKey
from arena.stats.game_record import Played, Rated, Spent
from games.engine import engine_name
from games.replay import Replay

CONTENT: Final = ("league", "games", "faults", "forfeits", "ratings")
"""Tables that are equal, row by row, whoever played the league with however many workers."""

_PLAYED: Final = """games.number, players, deal, seats, winners, roles, games.decisions, turns,
    faults.seat, first"""
_COLUMNS: Final = 10
_KEPT: Final = "seed, kind, faults.decision, problem, moves, position, notes, text"
_JOINED: Final = """games LEFT JOIN faults ON faults.number = games.number
    LEFT JOIN output ON output.number = games.number"""
_json: Final = json.JSONEncoder(ensure_ascii=False).encode
_ADD_GAME: Final = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True)
class Kept:
    """A game as the journal keeps it, for replaying."""

    played: Played
    seed: int
    fault: Fault | None
    replay: Replay
    position: bytes
    output: str


class Journal:
    """An open run file: `Journal.write` begins or goes on with one, `Journal.read` looks at it."""

    def __init__(self, path: Path, base: sqlite3.Connection, lock: int | None = None) -> None:
        self.path = path
        self._base = base
        self._lock = lock
        with self.plainly():
            self.league = league_from_json(json.loads(self._said("config")))
            self.rules = int(self._said("rules"))

    # ---- opening --------------------------------------------------------------------------

    @classmethod
    def write(cls, path: Path, league: League) -> Journal:
        """Begin the run, or go on with it if it is the same league."""
        lock = locked(path)
        try:
            base = sqlite3.connect(path, isolation_level=None)
            try:
                with plainly(path):
                    prepare(base, path, league)
                return cls(path, base, lock)
            except BaseException:
                base.close()
                raise
        except BaseException:
            os.close(lock)
            raise

    @classmethod
    def read(cls, path: Path) -> Journal:
        """Look at a run, finished or not; nothing is changed."""
        if not path.is_file():
            raise BadRun(f"there is no run file {str(path)!r}")
        base = readable(path)
        try:
            with plainly(path):
                check_ours(base, path)
                if not has_tables(base):
                    raise BadRun(f"{path} is empty: its league has not begun")
                base.execute("BEGIN")  # whatever a league adds meanwhile, all reads agree
            return cls(path, base)
        except BaseException:
            base.close()
            raise

    def files(self) -> tuple[Path, ...]:
        """What SQLite keeps it in."""
        return tuple(Path(f"{self.path}{end}") for end in ("", "-wal", "-shm"))

    def close(self) -> None:
        self._base.close()
        if self._lock is not None:
            os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def plainly(self) -> Iterator[None]:
        """Whatever SQLite finds wrong is one sentence about this file."""
        with plainly(self.path):
            yield

    # ---- writing --------------------------------------------------------------------------

    def begin_sitting(self, workers: int, cluster: str = "") -> None:
        """Note who is about to play, and through which scheduler if not on this machine."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        machine = f"{platform.node()}, {platform.platform()}, {os.cpu_count()} cores"
        if cluster:
            machine = f"cluster {cluster}, home {machine}"
        row = (now, arena_version(), engine_name(), platform.python_version(), machine, workers)
        with self._transaction():
            self._base.execute("INSERT INTO sittings VALUES (?, ?, ?, ?, ?, ?)", row)

    def add(
        self,
        games: Sequence[tuple[GameKey, Finished]],
        forfeits: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Keep games, and note others as forfeited by a bot; all of it or nothing.

        A game that was kept before it turned out to be forfeited is taken out.
        """
        names = self.league.names
        with self._transaction():
            many = self._base.executemany
            many(_ADD_GAME, (_row(names, *one) for one in games))
            many(
                "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (key.number, fault.seat, names[key.seats[fault.seat]], *fault[1:])
                    for key, found in games
                    if (fault := found.fault) is not None
                ),
            )
            many(
                "INSERT INTO spent VALUES (?, ?, ?, ?, ?)",
                (
                    (found.number, seat, *cost)
                    for _, found in games
                    for seat, cost in enumerate(found.spent)
                ),
            )
            many(
                "INSERT INTO output VALUES (?, ?)",
                ((found.number, found.output) for _, found in games if found.output),
            )
            many("INSERT INTO forfeits VALUES (?, ?)", forfeits)
            for table in ("games", "faults", "spent", "output"):
                many(f"DELETE FROM {table} WHERE number = ?", ((n,) for n, _ in forfeits))  # noqa: S608

    def keep_ratings(self, ratings: Sequence[Rated]) -> None:
        """Note how the complete league is rated."""
        with self._transaction():
            self._base.executemany("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?)", ratings)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            with self.plainly():
                self._base.execute("BEGIN IMMEDIATE")
                yield
                self._base.execute("COMMIT")
        except BadRun as error:
            self._roll_back()
            raise BadRun(f"{error}; {self._safe()}") from None
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        if self._base.in_transaction:
            with self.plainly():
                self._base.execute("ROLLBACK")

    def _safe(self) -> str:
        with self.plainly():
            (games,) = self._base.execute("SELECT count(*) FROM games").fetchone()
        return f"the {games} games kept before are safe in it"

    # ---- reading --------------------------------------------------------------------------

    def _said(self, key: str) -> str:
        row = self._base.execute("SELECT value FROM league WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise BadRun(f"{self.path} lacks its {key}: it is damaged")
        return str(row[0])

    def numbers(self) -> set[int]:
        """Games that need not be played any more."""
        query = "SELECT number FROM games UNION SELECT number FROM forfeits"
        with self.plainly():
            return {number for (number,) in self._base.execute(query)}

    def played(self) -> list[Played]:
        """Every game that was played, in schedule order."""
        return list(self.each_played())

    def each_played(self) -> Iterator[Played]:
        """The same one by one, for runs too large to be held at once."""
        query = f"SELECT {_PLAYED} FROM {_JOINED} ORDER BY 1"  # noqa: S608
        with self.plainly():
            for row in self._base.execute(query):
                yield _played(row)

    def spent(self) -> list[Spent]:
        with self.plainly():
            rows = self._base.execute("SELECT * FROM spent ORDER BY number, seat")
            return [Spent(*row) for row in rows]

    def faults(self) -> list[tuple[int, str, Fault]]:
        """(game, bot, fault) in schedule order."""
        with self.plainly():
            rows = self._base.execute("SELECT * FROM faults ORDER BY number").fetchall()
        return [(number, bot, Fault(seat, *more)) for number, seat, bot, *more in rows]

    def forfeits(self) -> list[tuple[int, str]]:
        """(game, bot that is on probation) of games that were not played."""
        with self.plainly():
            return list(self._base.execute("SELECT number, bot FROM forfeits ORDER BY number"))

    def ratings(self) -> list[Rated]:
        """The ratings of a complete league, as they were noted."""
        with self.plainly():
            rows = self._base.execute("SELECT * FROM ratings ORDER BY players, bot")
            return [Rated(*row) for row in rows]

    def sittings(self) -> list[dict[str, object]]:
        """When and where the league was played."""
        with self.plainly():
            rows = self._base.execute("SELECT * FROM sittings ORDER BY rowid")
            names = [column[0] for column in rows.description]
            return [dict(zip(names, row, strict=True)) for row in rows]

    def games(self, number: int | None = None) -> Iterator[Kept]:
        """All games as they can be replayed, or the one of that number."""
        where = "" if number is None else f"WHERE games.number = {number:d}"
        query = f"SELECT {_PLAYED}, {_KEPT} FROM {_JOINED} {where} ORDER BY 1"  # noqa: S608
        with self.plainly():
            for row in self._base.execute(query):
                yield self._kept(row)

    def _kept(self, row: tuple[object, ...]) -> Kept:
        played = _played(row[:_COLUMNS])
        seed, kind, decision, problem, moves, position, notes, text = row[_COLUMNS:]
        fault = None
        if played.faulty is not None:
            fault = Fault(played.faulty, str(kind), _int(decision), str(problem))
        extra = {"seed": seed, "seats": list(played.seats), "number": played.number}
        league = self.league
        plies, said = unpack_moves(_bytes(moves)), unpack_notes(_bytes(notes))
        replay = Replay(league.game, played.players, plies, league.options, extra, said)
        return Kept(played, _int(seed), fault, replay, _bytes(position), str(text or ""))

    def content_digest(self) -> str:
        """Equal for runs with equal games, wherever and however they were played."""
        summary = sha256()
        with self.plainly():
            for table in CONTENT:
                for row in self._base.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):  # noqa: S608
                    summary.update(repr(row).encode())
        return summary.hexdigest()


def _row(names: Sequence[str], key: GameKey, found: Finished) -> tuple[object, ...]:
    return (
        key.number,
        key.players,
        key.deal,
        key.seed,
        _json([names[bot] for bot in key.seats]),
        _json(found.winners),
        _json(found.roles),
        found.first,
        found.decisions,
        found.turns,
        found.moves,
        found.position,
        found.notes,
    )


def _played(row: Sequence[object]) -> Played:
    number, players, deal, seats, winners, roles, decisions, turns, faulty, first = row
    if faulty is not None and not 0 <= _int(faulty) < _int(players):
        raise ValueError(f"there is no seat {faulty} in game {number}")
    return Played(
        _int(number),
        _int(players),
        _int(deal),
        tuple(json.loads(str(seats))),
        tuple(json.loads(str(winners))),
        tuple(json.loads(str(roles))),
        _int(decisions),
        _int(turns),
        None if faulty is None else _int(faulty),
        _int(first),
    )


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError(f"a number was expected, not {value!r}")
    return value


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError(f"bytes were expected, not {value!r}")
    return value
