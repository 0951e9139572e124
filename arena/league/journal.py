"""The journal of a league: an SQLite file that stores games and says which belong to the league.

A game is stored once, under its identity. The table `schedule` numbers those that belong to the
league; when the league is changed, games that no longer belong stay in the file, without a number.
One process writes it, several games per transaction; others may read it at the same time. What is
numbered is the same on any machine; times, output and machines have separate tables. Whatever is
written adds to the chain.
"""

import json
import os
import platform
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

from arena.league import chain
from arena.league.bot_sources import bot_identities
from arena.league.chain import ChainEntry, Kind
from arena.league.config import League, league_from_json
from arena.league.database import (
    OF_A_GAME,
    BadRun,
    arena_version,
    check_ours,
    clean_text,
    has_tables,
    lock_run_file,
    no_run_file,
    open_read_only,
    plain_errors,
    prepare_run_file,
    read_clean,
)
from arena.league.game_identity import GameIdentity
from arena.league.outcome import Fault, Finished, unpack_moves, unpack_notes, unpack_times
from arena.league.plan import NO_FAULT, Disqualified, Plan, Results, Scheduled
from arena.league.schedule import is_swiss
from arena.league.secret_seed import SecretSeed, draw_seed
from arena.stats.game_record import GameRecord, Rating, TimeSpent
from games.engine import engine_name
from games.registry import game
from games.replay import Replay
from games.wording import counted

_FACTS: Final = "players, seats, winners, roles, games.decisions, turns, faults.seat, first"
_RECORD: Final = f"number, deal, {_FACTS}"
_COLUMNS: Final = 10
_STORED: Final = "games LEFT JOIN faults USING (identity)"
_SAVED: Final = """identity, counted, seed, turn_limit, kind, faults.decision, problem, line,
    moves, position, notes, packed, text"""
_JOINED: Final = """schedule JOIN games USING (identity) LEFT JOIN faults USING (identity)
    LEFT JOIN times USING (identity) LEFT JOIN output USING (identity)"""

CONTENT: Final = (
    "SELECT * FROM league ORDER BY key",
    "SELECT * FROM schedule JOIN games USING (identity) ORDER BY number",
    "SELECT number, faults.* FROM schedule JOIN faults USING (identity) ORDER BY number",
    "SELECT * FROM disqualified ORDER BY place",
    "SELECT * FROM ratings ORDER BY players, bot",
)
"""What is identical, row by row, on any machine and with any number of workers."""
_json: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


@dataclass(frozen=True)
class SavedGame:
    """A game as it is stored, with everything needed to replay it."""

    record: GameRecord
    identity: bytes
    counted: bool
    """False if it only shows why a bot was disqualified."""
    seed: int
    fault: Fault | None
    replay: Replay
    position: bytes
    turn_limit: bool
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
            self.bots = _digests(json.loads(self._value("bots")), self.league)
            """Name -> digest of each bot, as it was when the league was last started."""
            self.converted = bool(self._value("converted", ""))
            """Whether the file was made from an older one, whose games had other identities."""

    # ---- opening --------------------------------------------------------------------------

    @classmethod
    def write(cls, path: Path, league: League, *, draw: bool = False) -> Self:
        """Create the run file, or open it for this league; games of another league stay in it.

        `draw`: the league's seed is the secret one of the file, which is drawn if there is none.
        """
        lock = lock_run_file(path)
        try:
            base = sqlite3.connect(path, isolation_level=None)
            read_clean(base)
            try:
                with plain_errors(path):
                    prepare_run_file(base, path, league)
                    _set_league(base, _with_secret(base, league, draw))
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
            raise BadRun(no_run_file(path))
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

    def copy_to(self, path: Path) -> None:
        """Write everything to a new file, a single one without those beside it."""
        with self.plain_errors(), closing(sqlite3.connect(path)) as copy:
            self._base.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")

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
            chain.append(self._base, Kind.SITTING, chain.digest_of([row]))

    def set_schedule(
        self, games: Sequence[Scheduled], disqualified: Sequence[Disqualified] = ()
    ) -> None:
        """Make these stored games the league's, instead of those before."""
        rows = [_scheduled(game) for game in games]
        with self._transaction():
            before = self._base.execute("SELECT * FROM schedule ORDER BY number").fetchall()
            if before != rows:
                self._base.execute("DELETE FROM schedule")
                self._base.execute("DELETE FROM ratings")
                for row in rows:
                    self._insert("schedule", row)
        self.set_disqualified(disqualified)

    def set_disqualified(self, disqualified: Sequence[Disqualified]) -> None:
        with self._transaction():
            self._base.execute("DELETE FROM disqualified")
            for place, each in enumerate(disqualified):
                name = self.league.names[each.bot]
                self._insert("disqualified", (place, name, each.faults, each.identity))

    def add(self, games: Sequence[tuple[Scheduled, Finished]]) -> None:
        """Save games of the league in one transaction; ratings are those of complete leagues."""
        self._check_file()
        names = self.league.names
        with self._transaction():
            self._base.execute("DELETE FROM ratings")
            for game, outcome in games:
                key, identity = game.key, game.identity
                self._insert("games", _row(names, game, outcome))
                self._insert("schedule", _scheduled(game))
                if (fault := outcome.fault) is not None:
                    bot = names[key.seats[fault.seat]]
                    self._insert("faults", (identity, fault.seat, bot, *fault[1:]))
                for seat, cost in enumerate(outcome.spent):
                    self._insert("spent", (identity, seat, *cost))
                if outcome.times:
                    self._insert("times", (identity, outcome.times))
                if outcome.output:
                    self._insert("output", (identity, outcome.output))
                chain.append_game(self._base, identity)

    def add_scheduled(self, games: Sequence[Scheduled]) -> None:
        """Number games that are stored already."""
        with self._transaction():
            for game in games:
                self._insert("schedule", _scheduled(game))

    def set_league(self, league: League) -> None:
        """Note a change of the league, like the number of deals it came to."""
        with self.plain_errors():
            _set_league(self._base, league)
        self.league = league

    def prune(self) -> int:
        """Delete games that do not belong to the league; returns how many."""
        with self._transaction():
            others = "WHERE identity NOT IN (SELECT identity FROM schedule)"
            query = f"SELECT identity FROM games {others} ORDER BY 1"  # noqa: S608
            pruned = [identity for (identity,) in self._base.execute(query)]
            for table in OF_A_GAME:
                self._base.execute(f"DELETE FROM {table} {others}")  # noqa: S608
            for identity in pruned:
                chain.append(self._base, Kind.PRUNED, b"", identity)
        with self.plain_errors():
            self._base.execute("VACUUM")
        return len(pruned)

    def _check_file(self) -> None:
        """BadRun if the file is gone; what it held is written to another file first."""
        if self._lock is None or _is_same_file(self.path, self._lock):
            return
        rescued = self.path.with_name(f"{self.path.stem}-rescued{self.path.suffix}")
        with self.plain_errors(), closing(sqlite3.connect(rescued)) as copy:
            self._base.backup(copy)
            (games,) = self._base.execute("SELECT count(*) FROM games").fetchone()
        raise BadRun(
            f"{self.path} was deleted or moved while the league was playing; "
            f"its {counted(games, 'game')} {'was' if games == 1 else 'were'} saved to {rescued}"
        )

    def save_ratings(self, ratings: Sequence[Rating]) -> None:
        """Those of a complete league, which ends with that; none if it is not complete."""
        self._check_file()
        with self._transaction():
            self._base.execute("DELETE FROM ratings")
            for rating in ratings:
                self._insert("ratings", rating)
            if ratings:
                chain.append(self._base, Kind.END, bytes.fromhex(self.content_digest()))

    def reveal(self) -> None:
        """Note that the secret seed is no longer secret; nothing happens if there is none."""
        secret = self.secret()
        if secret is None or secret.revealed:
            return
        with self._transaction():
            self._base.execute("UPDATE secret SET revealed = 1")
            chain.append(self._base, Kind.REVEALED, bytes.fromhex(secret.commitment))

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
            kept, are = counted(games, "game"), "is" if games == 1 else "are"
            raise BadRun(f"{error}; the {kept} saved before {are} safe") from None

    # ---- reading --------------------------------------------------------------------------

    def _value(self, key: str, default: str | None = None) -> str:
        row = self._base.execute("SELECT value FROM league WHERE key = ?", (key,)).fetchone()
        if row is None and default is not None:
            return default
        if row is None:
            raise BadRun(f"{self.path} is damaged: its {key} is missing")
        return str(row[0])

    def secret(self) -> SecretSeed | None:
        """The seed that was drawn for the league; None if its seed was chosen."""
        with self.plain_errors():
            return _secret(self._base)

    def public_seed(self) -> int | None:
        """The seed of the league; None while it is secret."""
        secret = self.secret()
        return self.league.seed if secret is None or secret.revealed else None

    def commitment(self) -> str:
        """As it was printed when the secret seed was drawn; empty if there is none."""
        with self.plain_errors():
            row = self._base.execute("SELECT commitment FROM secret").fetchone()
        return str(row[0]) if row else ""

    def chain(self) -> list[ChainEntry]:
        with self.plain_errors():
            return list(chain.entries(self._base))

    def head(self) -> str:
        """The last link of the chain, which stands for everything written so far."""
        query = "SELECT link FROM chain ORDER BY place DESC LIMIT 1"
        with self.plain_errors():
            (link,) = self._base.execute(query).fetchone() or (b"",)
            return _bytes(link).hex()

    def digest_of_game(self, identity: bytes) -> bytes:
        """Of what is stored about a game, as it stands in the chain."""
        with self.plain_errors():
            return chain.game_digest(self._base, identity)

    def digest_of_league(self) -> bytes:
        """Of config, rules version and bots, as it stands in the chain."""
        with self.plain_errors():
            return chain.league_digest(self._base)

    def orphans(self) -> list[str]:
        """Tables with rows about games that are not stored."""
        tables = []
        with self.plain_errors():
            for table in ("schedule", "disqualified", *OF_A_GAME):
                query = f"SELECT 1 FROM {table} WHERE identity NOT IN (SELECT identity FROM games)"  # noqa: S608
                tables += [table] if self._base.execute(query).fetchone() else []
        return tables

    def stored(self) -> dict[bytes, int]:
        """Identity -> the seat at fault or NO_FAULT, for all games in the file."""
        query = "SELECT identity, players, seat FROM games LEFT JOIN faults USING (identity)"
        stored: dict[bytes, int] = {}
        with self.plain_errors():
            for identity, players, seat in self._base.execute(query):
                if seat is not None and not 0 <= seat < players:
                    raise ValueError(f"there is no seat {seat} in a game of {players}")
                stored[_bytes(identity)] = NO_FAULT if seat is None else _int(seat)
        return stored

    def numbers(self, counted: bool = True) -> set[int]:
        """The numbers of the games played so far, by default only of those that count."""
        query = "SELECT number FROM schedule WHERE counted >= ?"
        with self.plain_errors():
            return {number for (number,) in self._base.execute(query, (int(counted),))}

    def played(self) -> list[GameRecord]:
        """All games that count, in schedule order."""
        return list(self.each_played())

    def each_played(self) -> Iterator[GameRecord]:
        """The same as an iterator, for runs too large for memory."""
        query = f"SELECT {_RECORD} FROM {_JOINED} WHERE counted ORDER BY 1"  # noqa: S608
        with self.plain_errors():
            for row in self._base.execute(query):
                yield _record(row)

    def records(self, games: Sequence[Scheduled]) -> list[GameRecord]:
        """These stored games, whether or not they are numbered in the file."""
        query = f"SELECT {_FACTS} FROM {_STORED} WHERE identity = ?"  # noqa: S608
        records = []
        with self.plain_errors():
            for game in games:
                row = self._base.execute(query, (game.identity,)).fetchone()
                records.append(_record((game.key.number, game.key.deal, *row)))
        return records

    def rounds(self) -> dict[int, int]:
        """Number of each game that counts -> its round."""
        with self.plain_errors():
            return dict(self._base.execute("SELECT number, round FROM schedule WHERE counted"))

    def spent(self) -> list[TimeSpent]:
        query = """SELECT number, seat, decisions, seconds, slowest
            FROM schedule JOIN spent USING (identity) WHERE counted ORDER BY number, seat"""
        with self.plain_errors():
            return [TimeSpent(*row) for row in self._base.execute(query)]

    def faults(self) -> list[tuple[int, str, Fault]]:
        """(game, bot, fault) in schedule order, those of disqualified bots last."""
        query = """SELECT number, bot, seat, kind, decision, problem, line
            FROM schedule JOIN faults USING (identity) ORDER BY number"""
        with self.plain_errors():
            rows = self._base.execute(query).fetchall()
        return [(number, bot, Fault(*fault)) for number, bot, *fault in rows]

    def disqualified(self) -> list[tuple[str, int, int, Fault]]:
        """(bot, number of faults, game of the last fault, that fault)."""
        query = """SELECT disqualified.bot, faults, number, seat, kind, decision, problem, line
            FROM disqualified JOIN schedule USING (identity) JOIN faults USING (identity)
            ORDER BY place"""
        with self.plain_errors():
            rows = self._base.execute(query).fetchall()
        return [(bot, count, number, Fault(*fault)) for bot, count, number, *fault in rows]

    def taking_part(self) -> tuple[str, ...]:
        """The bots whose games count, in the order of the config."""
        out = {bot for bot, *_ in self.disqualified()}
        if is_swiss(self.league) or self.converted:  # there the bot's earlier games count
            out = set()
        return tuple(name for name in self.league.names if name not in out)

    def numbered(self) -> dict[int, tuple[bytes, int, int, int]]:
        """Number -> identity, deal, round and whether it counts, as stored in the schedule."""
        with self.plain_errors():
            rows = self._base.execute("SELECT * FROM schedule ORDER BY number")
            return {number: tuple(row) for number, *row in rows}

    def spare(self) -> int:
        """How many games in the file do not belong to the league."""
        query = "SELECT (SELECT count(*) FROM games) - (SELECT count(*) FROM schedule)"
        with self.plain_errors():
            (count,) = self._base.execute(query).fetchone()
        return int(count)

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
        where = "" if number is None else f"WHERE number = {number:d}"
        query = f"SELECT {_RECORD}, {_SAVED} FROM {_JOINED} {where} ORDER BY 1"  # noqa: S608
        with self.plain_errors():
            for row in self._base.execute(query):
                yield self._saved_game(row)

    def _saved_game(self, row: tuple[object, ...]) -> SavedGame:
        record = _record(row[:_COLUMNS])
        identity, counted, seed, turn_limit, kind, decision, problem, line, *blobs, text = row[
            _COLUMNS:
        ]
        moves, position, notes, times = blobs
        fault = None
        if record.faulty is not None:
            fault = Fault(record.faulty, str(kind), _int(decision), str(problem), str(line))
        extra = {"seed": seed, "seats": list(record.seats), "number": record.number}
        league = self.league
        plies, comments = unpack_moves(_bytes(moves)), unpack_notes(_bytes(notes))
        seconds = unpack_times(_bytes(times)) if times else {}
        replay = Replay(
            league.game, record.players, plies, league.options, extra, comments, seconds=seconds
        )
        return SavedGame(
            record,
            _bytes(identity),
            bool(counted),
            _int(seed),
            fault,
            replay,
            _bytes(position),
            bool(turn_limit),
            str(text or ""),
        )

    def content_digest(self) -> str:
        """A hash of the content that does not depend on the machine."""
        summary = sha256()
        with self.plain_errors():
            for query in CONTENT:
                for row in self._base.execute(query):
                    summary.update(repr(row).encode())
        return summary.hexdigest()


def plan_of(
    journal: Journal,
    results: Results | None = None,
    records: Callable[[Sequence[Scheduled]], Sequence[GameRecord]] | None = None,
) -> Plan:
    """The plan of a journal's league, by default given the games stored now."""
    identity = GameIdentity(journal.league, journal.bots)
    known = journal.stored() if results is None else results
    return Plan(journal.league, identity, known, records or journal.records)


def _is_same_file(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _secret(base: sqlite3.Connection) -> SecretSeed | None:
    rows = base.execute("SELECT seed, revealed FROM secret").fetchall()
    if not rows:
        return None
    ((seed, revealed),) = rows
    if str(int(seed)) != seed or revealed not in (0, 1):
        raise ValueError(f"its secret seed is {seed!r}")
    return SecretSeed(int(seed), bool(revealed))


def _with_secret(base: sqlite3.Connection, league: League, draw: bool) -> League:
    """The league with the secret seed of the file; a seed that was chosen replaces that."""
    secret = _secret(base)
    if draw and secret is None:
        secret = draw_seed()
        base.execute("BEGIN IMMEDIATE")
        row = (str(secret.seed), secret.commitment, 0)
        base.execute("INSERT INTO secret VALUES (?, ?, ?)", row)
        chain.append(base, Kind.COMMITMENT, bytes.fromhex(secret.commitment))
        base.execute("COMMIT")
    if not draw and secret is not None and secret.seed != league.seed:
        base.execute("BEGIN IMMEDIATE")
        base.execute("DELETE FROM secret")
        chain.append(base, Kind.WITHDRAWN, bytes.fromhex(secret.commitment))
        base.execute("COMMIT")
    return replace(league, seed=secret.seed) if draw and secret else league


def _set_league(base: sqlite3.Connection, league: League) -> None:
    """Note which league the file is for from now on."""
    values = {
        "config": _json(league.as_json()),
        "bots": _json(bot_identities(league)),
        "rules": str(game(league.game).rules_version),
    }
    if dict(base.execute("SELECT key, value FROM league")) == values:
        return
    base.execute("BEGIN IMMEDIATE")
    base.execute("DELETE FROM league")
    base.execute("DELETE FROM ratings")  # they were those of another league
    base.executemany("INSERT INTO league VALUES (?, ?)", values.items())
    chain.append(base, Kind.LEAGUE, chain.league_digest(base))
    base.execute("COMMIT")


def _scheduled(game: Scheduled) -> tuple[int, bytes, int, int, int]:
    return game.key.number, game.identity, game.key.deal, game.round, int(game.counted)


def _row(names: Sequence[str], game: Scheduled, outcome: Finished) -> tuple[object, ...]:
    key = game.key
    _, winners, roles, *facts = outcome[:9]  # first, decisions, turns, moves, position, notes
    facts.append(int(outcome.turn_limit))
    texts = [_json([names[bot] for bot in key.seats]), _json(winners), _json(roles)]
    return (game.identity, key.players, key.seed, *texts, *facts)


def _record(row: Sequence[object]) -> GameRecord:
    number, deal, players, seats, winners, roles, decisions, turns, faulty, first = row
    if faulty is not None and not 0 <= _int(faulty) < _int(players):
        raise ValueError(f"there is no seat {faulty} in game {number}")
    names, won, held = _tuple(str(seats)), _tuple(str(winners)), _tuple(str(roles))
    at_fault = None if faulty is None else _int(faulty)
    facts = (_int(decisions), _int(turns), at_fault, _int(first))
    return GameRecord(_int(number), _int(players), _int(deal), names, won, held, *facts)


@lru_cache(maxsize=4096)  # a league has few line-ups
def _tuple(text: str) -> tuple[Any, ...]:
    return tuple(clean_text(each) if isinstance(each, str) else each for each in json.loads(text))


def _digests(value: object, league: League) -> dict[str, str]:
    digests = [value.get(name) if isinstance(value, dict) else None for name in league.names]
    if not isinstance(value, dict) or not all(isinstance(d, str) and d.isascii() for d in digests):
        raise ValueError("it has no digest of one of its bots")
    return value


def _int(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{value!r} is not a number")
    return value


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError(f"{value!r} is not bytes")
    return value
