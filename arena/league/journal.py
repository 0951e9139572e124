"""The journal of a league: an SQLite file that holds every finished game exactly once.

One process writes it, several games per transaction; others may read it at the same time. The
tables about games are the same on any machine; times, output and machines have separate tables.
"""

import json
import os
import platform
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
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
    lock_run_file,
    open_read_only,
    plain_errors,
    prepare_run_file,
)
from arena.league.outcome import Fault, Finished, unpack_moves, unpack_notes
from arena.league.schedule import GameKey
from arena.stats.game_record import GameRecord, Rating, TimeSpent
from games.engine import engine_name
from games.replay import Replay

CONTENT: Final = ("league", "games", "faults", "forfeits", "ratings")
"""Tables that are identical, row by row, on any machine and with any number of workers."""

_RECORD: Final = """games.number, players, deal, seats, winners, roles, games.decisions, turns,
    faults.seat, first"""
_COLUMNS: Final = 10
_SAVED: Final = "seed, kind, faults.decision, problem, moves, position, notes, text"
_JOINED: Final = """games LEFT JOIN faults ON faults.number = games.number
    LEFT JOIN output ON output.number = games.number"""
_json: Final = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True)
class SavedGame:
    """A game as it is stored, with everything needed to replay it."""

    record: GameRecord
    seed: int
    fault: Fault | None
    replay: Replay
    position: bytes
    output: str


class Journal:
    """An open run file: `Journal.write` creates or resumes one, `Journal.read` only reads."""

    def __init__(self, path: Path, base: sqlite3.Connection, lock: int | None = None) -> None:
        self.path = path
        self._base = base
        self._lock = lock
        with self.plain_errors():
            self.league = league_from_json(json.loads(self._value("config")))
            self.rules = int(self._value("rules"))

    # ---- opening --------------------------------------------------------------------------

    @classmethod
    def write(cls, path: Path, league: League) -> Self:
        """Create the run file, or resume it if it belongs to the same league."""
        lock = lock_run_file(path)
        try:
            base = sqlite3.connect(path, isolation_level=None)
            try:
                with plain_errors(path):
                    prepare_run_file(base, path, league)
                return cls(path, base, lock)
            except BaseException:
                base.close()
                raise
        except BaseException:
            os.close(lock)
            raise

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open a run for reading, complete or not."""
        if not path.is_file():
            raise BadRun(f"there is no run file {str(path)!r}")
        base = open_read_only(path)
        try:
            with plain_errors(path):
                check_ours(base, path)
                if not has_tables(base):
                    raise BadRun(f"{path} is empty: its league has not started")
                base.execute("BEGIN")  # all reads see the same games, even while a league adds more
            return cls(path, base)
        except BaseException:
            base.close()
            raise

    def files(self) -> tuple[Path, ...]:
        """The files that SQLite uses for it."""
        return tuple(Path(f"{self.path}{end}") for end in ("", "-wal", "-shm"))

    def close(self) -> None:
        self._base.close()
        if self._lock is not None:
            os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def plain_errors(self) -> AbstractContextManager[None]:
        """Turns any error of SQLite into one sentence about this file."""
        return plain_errors(self.path)

    # ---- writing --------------------------------------------------------------------------

    def begin_session(self, workers: int, cluster: str = "") -> None:
        """Record when and where games will be played; `cluster` is a scheduler's address."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        machine = f"{platform.node()}, {platform.platform()}, {os.cpu_count()} cores"
        if cluster:
            machine = f"cluster {cluster}, home {machine}"
        row = (now, arena_version(), engine_name(), platform.python_version(), machine, workers)
        with self._transaction():
            self._insert("sittings", row)

    def add(
        self,
        games: Sequence[tuple[GameKey, Finished]],
        forfeits: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Save games and forfeits in one transaction.

        A game that was saved before it turned out to be forfeited is removed.
        """
        names = self.league.names
        with self._transaction():
            for key, outcome in games:
                self._insert("games", _row(names, key, outcome))
                if (fault := outcome.fault) is not None:
                    bot = names[key.seats[fault.seat]]
                    self._insert("faults", (key.number, fault.seat, bot, *fault[1:4]))
                for seat, cost in enumerate(outcome.spent):
                    self._insert("spent", (key.number, seat, *cost))
                if outcome.output:
                    self._insert("output", (key.number, outcome.output))
            for forfeit in forfeits:
                self._insert("forfeits", forfeit)
                for table in ("games", "faults", "spent", "output"):
                    self._base.execute(f"DELETE FROM {table} WHERE number = ?", forfeit[:1])  # noqa: S608

    def save_ratings(self, ratings: Sequence[Rating]) -> None:
        with self._transaction():
            for rating in ratings:
                self._insert("ratings", rating)

    def _insert(self, table: str, row: Sequence[object]) -> None:
        places = ", ".join("?" * len(row))
        self._base.execute(f"INSERT INTO {table} VALUES ({places})", row)  # noqa: S608

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            with self.plain_errors():
                self._base.execute("BEGIN IMMEDIATE")
                yield
                self._base.execute("COMMIT")
        except BaseException as error:
            with self.plain_errors():
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
            if not isinstance(error, BadRun):
                raise
            with self.plain_errors():
                (games,) = self._base.execute("SELECT count(*) FROM games").fetchone()
            raise BadRun(f"{error}; the {games} games saved before are safe") from None

    # ---- reading --------------------------------------------------------------------------

    def _value(self, key: str) -> str:
        row = self._base.execute("SELECT value FROM league WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise BadRun(f"{self.path} is damaged: its {key} is missing")
        return str(row[0])

    def numbers(self) -> set[int]:
        """The games that are done: played or forfeited."""
        query = "SELECT number FROM games UNION SELECT number FROM forfeits"
        with self.plain_errors():
            return {number for (number,) in self._base.execute(query)}

    def played(self) -> list[GameRecord]:
        """All games that were played, in schedule order."""
        return list(self.each_played())

    def each_played(self) -> Iterator[GameRecord]:
        """The same as an iterator, for runs too large for memory."""
        query = f"SELECT {_RECORD} FROM {_JOINED} ORDER BY 1"  # noqa: S608
        with self.plain_errors():
            for row in self._base.execute(query):
                yield _record(row)

    def spent(self) -> list[TimeSpent]:
        with self.plain_errors():
            rows = self._base.execute("SELECT * FROM spent ORDER BY number, seat")
            return [TimeSpent(*row) for row in rows]

    def faults(self) -> list[tuple[int, str, Fault]]:
        """(game, bot, fault) in schedule order."""
        with self.plain_errors():
            rows = self._base.execute("SELECT * FROM faults ORDER BY number").fetchall()
        return [(number, bot, Fault(seat, *more)) for number, seat, bot, *more in rows]

    def forfeits(self) -> list[tuple[int, str]]:
        """(game, disqualified bot) for games that were not played."""
        with self.plain_errors():
            return list(self._base.execute("SELECT number, bot FROM forfeits ORDER BY number"))

    def ratings(self) -> list[Rating]:
        """The saved ratings of a complete league; empty before that."""
        with self.plain_errors():
            rows = self._base.execute("SELECT * FROM ratings ORDER BY players, bot")
            return [Rating(*row) for row in rows]

    def sessions(self) -> list[dict[str, object]]:
        """When and where the league was played."""
        with self.plain_errors():
            rows = self._base.execute("SELECT * FROM sittings ORDER BY rowid")
            names = [column[0] for column in rows.description]
            return [dict(zip(names, row, strict=True)) for row in rows]

    def games(self, number: int | None = None) -> Iterator[SavedGame]:
        """All games with their moves, or only the game with that number."""
        where = "" if number is None else f"WHERE games.number = {number:d}"
        query = f"SELECT {_RECORD}, {_SAVED} FROM {_JOINED} {where} ORDER BY 1"  # noqa: S608
        with self.plain_errors():
            for row in self._base.execute(query):
                yield self._saved_game(row)

    def _saved_game(self, row: tuple[object, ...]) -> SavedGame:
        record = _record(row[:_COLUMNS])
        seed, kind, decision, problem, moves, position, notes, text = row[_COLUMNS:]
        fault = None
        if record.faulty is not None:
            fault = Fault(record.faulty, str(kind), _int(decision), str(problem))
        extra = {"seed": seed, "seats": list(record.seats), "number": record.number}
        league = self.league
        plies, comments = unpack_moves(_bytes(moves)), unpack_notes(_bytes(notes))
        replay = Replay(league.game, record.players, plies, league.options, extra, comments)
        return SavedGame(record, _int(seed), fault, replay, _bytes(position), str(text or ""))

    def content_digest(self) -> str:
        """A hash of the content that does not depend on the machine."""
        summary = sha256()
        with self.plain_errors():
            for table in CONTENT:
                for row in self._base.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):  # noqa: S608
                    summary.update(repr(row).encode())
        return summary.hexdigest()


def _row(names: Sequence[str], key: GameKey, outcome: Finished) -> tuple[object, ...]:
    number, players, deal, seed, seats = key
    _, winners, roles, *facts = outcome[:9]  # first, decisions, turns, moves, position, notes
    texts = [_json([names[bot] for bot in seats]), _json(winners), _json(roles)]
    return (number, players, deal, seed, *texts, *facts)


def _record(row: Sequence[object]) -> GameRecord:
    number, players, deal, seats, winners, roles, decisions, turns, faulty, first = row
    if faulty is not None and not 0 <= _int(faulty) < _int(players):
        raise ValueError(f"there is no seat {faulty} in game {number}")
    names, won, held = (tuple(json.loads(str(text))) for text in (seats, winners, roles))
    at_fault = None if faulty is None else _int(faulty)
    facts = (_int(decisions), _int(turns), at_fault, _int(first))
    return GameRecord(_int(number), _int(players), _int(deal), names, won, held, *facts)


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{value!r} is not a number")
    return value


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError(f"{value!r} is not bytes")
    return value
