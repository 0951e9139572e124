"""Exports a league as Parquet tables for data tools: every seat's result and every decision.

A decision has what its seat saw (never more), what it could do, what it did, and what its bot said
about it. A dataset card, README.md, describes the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from arena.adapters.extras import MissingExtra

try:
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
except ModuleNotFoundError as error:
    raise MissingExtra("arena export --parquet", "parquet", error.name) from None

from librt.vecs import vec
from mypy_extensions import i64

from arena.adapters.dataset_card import Column, dataset_card
from arena.adapters.shared_memory import shared_array
from arena.files import write_errors, write_file
from arena.league.journal import Journal, SavedGame
from games.errors import GameError
from games.registry import Game, game
from games.replay import Belief, Note
from games.seats import seat_name
from games.state import CHANCE, State
from games.view import View

DECISIONS_AT_ONCE: Final = 20_000
"""Decisions that are kept in memory before they are written."""

RESULTS: Final = (
    Column("game", "int32", "number of the game in the league's schedule"),
    Column("players", "int8", "seats at the table"),
    Column("deal", "int32", "games with the same deal share their luck; split data by it"),
    Column("seed", "int64", "seed of the game"),
    Column("seat", "string", "A, B, ..."),
    Column("place", "int8", "place in turn order, from 0"),
    Column("bot", "string", "the bot in the seat"),
    Column("role", "string", "its secret role: the last one, if roles can change hands"),
    Column("share", "float32", "what it won: 1, or a part of it with several winners, or 0"),
    Column("decisions", "int32", "decisions of all seats in the game"),
    Column("turns", "int32", "turns of the game"),
    Column("faulty", "bool", "whether the game ended by a fault of this seat's bot"),
)
DECISIONS: Final = (
    Column("game", "int32", "as in results.parquet"),
    Column("decision", "int32", "number of the decision in the game, from 0"),
    Column("seat", "string", "who decided"),
    Column("bot", "string", "the bot in the seat"),
    Column("move", "int32", "the move it chose, as the game numbers moves"),
    Column("text", "string", "the same in words"),
    Column("legal", "list<int32>", "all its legal moves"),
    Column("share", "float32", "what the seat won in the end; a target for value models"),
    Column("seconds", "float32", "how long the bot took; empty if not known"),
    Column("candidates", "list<move, visits, value>", "moves that its search considered"),
    Column("beliefs", "list<about, role, probability>", "what the bot believed of others"),
    Column("reason", "string", "what else the bot said"),
)
OBSERVATION: Final = Column("observation", "int8", "what the seat saw (Game.observation)")
FEATURES: Final = Column("features", "float32", "features of the seat's own View (Game.features)")

_TYPES: Final[dict[str, Callable[[], Any]]] = {
    "list<int32>": lambda: pa.list_(pa.int32()),
    "list<move, visits, value>": lambda: pa.list_(
        pa.struct([("move", pa.int32()), ("visits", pa.int64()), ("value", pa.float64())])
    ),
    "list<about, role, probability>": lambda: pa.list_(
        pa.struct([("about", pa.string()), ("role", pa.string()), ("probability", pa.float64())])
    ),
}
_Row = dict[str, object]


def export_parquet(journal: Journal, folder: Path) -> Iterator[str]:
    """Write results.parquet, decisions.parquet and README.md; yields a message for each."""
    rules = game(journal.league.game)
    with write_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
    results = _Table(folder / "results.parquet", _schema(RESULTS))
    numbers = _numbers_of(rules)
    columns = (*DECISIONS, *(column for column, _ in numbers))
    decisions = _Table(folder / "decisions.parquet", _schema(DECISIONS, numbers))
    with results, decisions:
        for saved in journal.games():
            if saved.counted:
                results.add(_result_rows(saved))
                decisions.add(_decision_rows(rules, saved))
    for table in (results, decisions):
        yield f"wrote {table.rows} rows to {table.file}"
    tables = [
        (results.file.name, results.rows, RESULTS),
        (decisions.file.name, decisions.rows, columns),
    ]
    write_file(folder / "README.md", dataset_card(journal, rules, tables))
    yield f"wrote {folder / 'README.md'}"


def _numbers_of(rules: Game) -> list[tuple[Column, int]]:
    """The columns with vectors of numbers that the game has, and how many numbers."""
    columns = []
    if rules.observation is not None:
        columns.append((OBSERVATION, rules.observation.size))
    if rules.features is not None:
        columns.append((FEATURES, len(rules.features.names)))
    return columns


def _schema(columns: tuple[Column, ...], numbers: list[tuple[Column, int]] | None = None) -> Any:
    fields = [
        (column.name, _TYPES[column.kind]() if column.kind in _TYPES else column.kind)
        for column in columns
    ]
    for column, size in numbers or []:
        number = pa.int8() if column.kind == "int8" else pa.float32()
        fields.append((column.name, pa.list_(number, size)))
    return pa.schema(fields)


class _Table:
    """A Parquet file that is written in batches, and appears only when it is complete."""

    def __init__(self, file: Path, schema: Any) -> None:
        self.file = file
        self.rows = 0
        self._schema = schema
        self._part = file.with_name(f"{file.name}.part")
        self._waiting: list[_Row] = []

    def __enter__(self) -> None:
        with write_errors(self.file):
            self._writer = pq.ParquetWriter(self._part, self._schema, compression="zstd")

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self._flush()
        self._writer.close()
        try:
            if kind is None:
                self._part.replace(self.file)
        except OSError as error:
            raise GameError(f"{self.file} cannot be written: {error.strerror}") from None
        finally:
            self._part.unlink(missing_ok=True)

    def add(self, rows: Iterator[_Row]) -> None:
        self._waiting.extend(rows)
        if len(self._waiting) >= DECISIONS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        with write_errors(self.file):
            self._writer.write_table(pa.Table.from_pylist(self._waiting, self._schema))
        self.rows += len(self._waiting)
        self._waiting = []


def _result_rows(saved: SavedGame) -> Iterator[_Row]:
    record = saved.record
    for seat, share in enumerate(record.shares()):
        yield {
            "game": record.number,
            "players": record.players,
            "deal": record.deal,
            "seed": saved.seed,
            "seat": seat_name(seat),
            "place": record.place(seat),
            "bot": record.seats[seat],
            "role": record.roles[seat],
            "share": share,
            "decisions": record.decisions,
            "turns": record.turns,
            "faulty": record.faulty == seat,
        }


def _decision_rows(rules: Game, saved: SavedGame) -> Iterator[_Row]:
    """The game once more, with every seat's View."""
    replay, record = saved.replay, saved.record
    state = replay.new(record=True)
    views = [replay.view(seat) for seat in range(replay.players)]
    shares = record.shares()
    decision = 0
    for number, move in enumerate(replay.moves):
        seat = int(state.actor)
        if seat != CHANCE:
            view = views[seat]
            for event in state.take_events(seat):
                view.observe(event)
            yield {
                "game": record.number,
                "decision": decision,
                "seat": seat_name(seat),
                "bot": record.seats[seat],
                "move": move,
                "text": rules.text.move(state, move),
                "legal": state.moves(),
                "share": shares[seat],
                "seconds": replay.seconds.get(number),
                **_said(replay.notes.get(number, Note())),
                **seen_numbers(rules, view, state),
            }
            decision += 1
        state.play(move)


def _said(note: Note) -> _Row:
    candidates = [tried._asdict() for tried in note.candidates]
    return {"candidates": candidates, "beliefs": _beliefs(note.belief), "reason": note.reason}


def _beliefs(belief: Belief) -> list[_Row]:
    rows: list[_Row] = []
    for about, value in belief.items():
        if isinstance(value, float | int):
            rows.append({"about": about, "role": "", "probability": value})
        else:
            rows.extend({"about": about, "role": r, "probability": p} for r, p in value.items())
    return rows


def seen_numbers(rules: Game, view: View, state: State) -> _Row:
    """The observation and the features of a View; the state says only how long vectors are."""
    row: _Row = {}
    if rules.observation is not None:
        words = vec[i64]([0] * rules.observation.words)
        view.fill_observation(words, 0)
        row["observation"] = shared_array(words, np.int8)
    if rules.features is not None:
        row["features"] = rules.features.of(view.imagine(), view.seat)
    assert state.players == view.players
    return row
